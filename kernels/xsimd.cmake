# Where xsimd comes from: need_xsimd() gives it to the target lanecull_xsimd, which the sets that are made of it and the
# benchmarks link. It is headers only, and only inside kernels/: users of the library never see it. Looked for, in this
# order: XSIMD_INCLUDE_DIR; a target `xsimd` of the project that this one is part of; the headers of an installed
# package, by themselves, for Debian's CMake package needs xtl as well; tools/deps unpacks one under build/deps. Where
# there is none, the release below is fetched.
set(LANECULL_XSIMD_REPOSITORY https://github.com/xtensor-stack/xsimd.git CACHE STRING "Where to fetch xsimd from")
set(LANECULL_XSIMD_TAG 1f8dd9c8e162968d9b4ff0251c56d431b8777f36 CACHE STRING "Which commit of it; that of 13.2.0")
mark_as_advanced(LANECULL_XSIMD_REPOSITORY LANECULL_XSIMD_TAG)

# Sets `fits` to whether the folder holds the headers of xsimd 13 or newer.
function(has_new_xsimd folder fits)
  set(${fits} FALSE PARENT_SCOPE)
  set(header ${folder}/xsimd/config/xsimd_config.hpp)
  if(EXISTS ${header})
    file(STRINGS ${header} version REGEX "define XSIMD_VERSION_MAJOR")
    string(REGEX MATCH "[0-9]+" major "${version}")
    if(major GREATER_EQUAL 13)
      set(${fits} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

function(find_xsimd_headers include_directory)
  find_package(xsimd 13 QUIET CONFIG)
  foreach(directory IN LISTS XSIMD_INCLUDE_DIR xsimd_INCLUDE_DIRS CMAKE_PREFIX_PATH
          ITEMS /usr/local /usr ${PROJECT_SOURCE_DIR}/build/deps/xsimd/usr)
    foreach(candidate IN ITEMS ${directory} ${directory}/include)
      has_new_xsimd(${candidate} fits)
      if(fits)
        set(${include_directory} ${candidate} PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
endfunction()

# Fetches it, into FETCHCONTENT_BASE_DIR; FETCHCONTENT_SOURCE_DIR_XSIMD names a copy that is there already.
function(fetch_xsimd include_directory)
  include(FetchContent)
  message(STATUS "No xsimd found: fetching ${LANECULL_XSIMD_TAG} of ${LANECULL_XSIMD_REPOSITORY}")
  FetchContent_Declare(xsimd GIT_REPOSITORY ${LANECULL_XSIMD_REPOSITORY} GIT_TAG ${LANECULL_XSIMD_TAG}
    SOURCE_SUBDIR none)  # its headers alone
  FetchContent_MakeAvailable(xsimd)
  set(${include_directory} ${xsimd_SOURCE_DIR}/include PARENT_SCOPE)
endfunction()

add_library(lanecull_xsimd INTERFACE)
function(need_xsimd)
  get_target_property(known lanecull_xsimd INTERFACE_INCLUDE_DIRECTORIES)
  if(known)
    return()
  endif()
  if(TARGET xsimd AND NOT XSIMD_INCLUDE_DIR)
    get_target_property(folders xsimd INTERFACE_INCLUDE_DIRECTORIES)
    target_include_directories(lanecull_xsimd SYSTEM INTERFACE ${folders})
    return()
  endif()
  find_xsimd_headers(folder)
  if(NOT folder AND LANECULL_FETCH_XSIMD)
    fetch_xsimd(folder)
    has_new_xsimd(${folder} fits)
    if(NOT fits)
      message(FATAL_ERROR "lanecull needs xsimd >= 13; ${folder} is none (LANECULL_XSIMD_REPOSITORY, _TAG)")
    endif()
  endif()
  if(NOT folder)
    message(FATAL_ERROR "lanecull needs xsimd >= 13. Debian: tools/deps fetches it; elsewhere install the package xsimd, "
                        "give -DXSIMD_INCLUDE_DIR=<directory with xsimd/xsimd.hpp> or turn LANECULL_FETCH_XSIMD on. "
                        "Only -DLANECULL_X86_SETS=OFF, plain C++, needs none, and is several times slower")
  endif()
  target_include_directories(lanecull_xsimd SYSTEM INTERFACE ${folder})
endfunction()
