# The kinds of solids that cull() takes are found by their headers, cull/kind_*.hpp, each of which names its struct of batch.h:
# template <> struct KindOf<Spheres>. Writes kind_sources, one kernel a file, and calls/compiled_kinds.hpp, which names
# the kinds that LANECULL_KINDS leaves out.
file(GLOB kind_headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} cull/kind_*.hpp)
set(unknown ${LANECULL_KINDS})
set(known)
set(lines)
set(kind_sources)
foreach(header IN LISTS kind_headers)
  file(STRINGS ${header} line REGEX "^struct KindOf<[A-Za-z]+> {")
  if(NOT line)
    continue()
  endif()
  string(REGEX REPLACE ".*KindOf<([A-Za-z]+)>.*" "\\1" kind "${line}")
  list(APPEND known ${kind})
  list(REMOVE_ITEM unknown ${kind})
  if(LANECULL_KINDS AND NOT kind IN_LIST LANECULL_KINDS)
    string(APPEND lines "template <>\ninline constexpr const char* absent_kind<${kind}> = \"${kind}\";\n")
    continue()
  endif()
  string(TOLOWER ${kind} name)
  set(source ${generated_headers}/cull/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT [[
#include "calls/kernel_table.hpp"
#include "cull/range.hpp"
#include "${header}"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull<${kind}>(const RangeWork& work) {
    with_kind_of(*static_cast<const ${kind}*>(work.shapes), [&]<class Own>(Own) LANE_LAMBDA {
        if (may_be_expanded(work)) {
            cull_range<RangeContext<Own, Expanded>>(work);
        } else {
            cull_range<RangeContext<Own, Unexpanded>>(work);
        }
    });
}

}  // namespace lanecull
]])
  list(APPEND kind_sources ${source})
endforeach()
if(unknown)
  message(FATAL_ERROR "LANECULL_KINDS: ${unknown}: no kind of ${known}")
endif()
file(CONFIGURE OUTPUT ${generated_headers}/calls/compiled_kinds.hpp CONTENT [[
#pragma once

#include <lanecull/batch.h>

namespace lanecull {

/// The name of a kind that has no kernels in this build; null for all others.
template <class Shapes>
inline constexpr const char* absent_kind = nullptr;
${lines}
}  // namespace lanecull
]])
