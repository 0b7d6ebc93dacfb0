# The kinds of solids that cull() takes: kind_sources, and calls/compiled_kinds.hpp, which names those that LANECULL_KINDS
# leaves out. A kind is the struct of batch.hpp that a file of cull/ has the kernel of.
file(GLOB kind_sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} cull/*.cpp)
set(unknown ${LANECULL_KINDS})
set(known)
set(lines)
foreach(source IN LISTS kind_sources)
  file(STRINGS ${source} kernel REGEX "::cull<")
  string(REGEX REPLACE ".*::cull<([A-Za-z]+)>.*" "\\1" kind "${kernel}")
  list(APPEND known ${kind})
  list(REMOVE_ITEM unknown ${kind})
  if(LANECULL_KINDS AND NOT kind IN_LIST LANECULL_KINDS)
    list(REMOVE_ITEM kind_sources ${source})
    string(APPEND lines "template <>\ninline constexpr const char* absent_kind<${kind}> = \"${kind}\";\n")
  endif()
endforeach()
if(unknown)
  message(FATAL_ERROR "LANECULL_KINDS: ${unknown}: no kind of ${known}")
endif()
file(CONFIGURE OUTPUT ${generated_headers}/calls/compiled_kinds.hpp CONTENT [[
#pragma once

#include <lanecull/batch.hpp>

namespace lanecull {

/// The name of a kind that has no kernels in this build; null for all others.
template <class Shapes>
inline constexpr const char* absent_kind = nullptr;
${lines}
}  // namespace lanecull
]])
