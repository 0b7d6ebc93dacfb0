# What is installed: the headers, the libraries, and how CMake and pkg-config find them. Each library has targets of its
# own, for oneTBB, qhull and CRoaring are needed by those alone who request the component.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/lanecull)

# The guide beside the headers refers to sources, tests and tools.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/lanecull DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  PATTERN "*.md" EXCLUDE)
foreach(target IN ITEMS lanecull lanecull_tbb lanecull_hulls lanecull_visibility)
  if(TARGET ${target})
    install(TARGETS ${target} EXPORT ${target}Targets
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
      RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(EXPORT ${target}Targets NAMESPACE lanecull:: DESTINATION ${package_folder})
  endif()
endforeach()
configure_package_config_file(lanecullConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/lanecullConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/lanecullConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lanecullConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/lanecullConfigVersion.cmake
  DESTINATION ${package_folder})

# pkg-config: relative to its own folder, so that an installed tree may be moved. Programs in C that link the static
# library need the C++ runtime beside it.
set(pkg_config_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pkg_config_prefix /prefix/${pkg_config_folder} /prefix)
set(runtime)
get_target_property(type lanecull TYPE)
if(type STREQUAL "STATIC_LIBRARY")
  foreach(library IN LISTS CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
    if(library MATCHES "^(stdc\\+\\+|c\\+\\+|m)$")
      string(APPEND runtime " -l${library}")
    endif()
  endforeach()
endif()
configure_file(lanecull.pc.in ${CMAKE_CURRENT_BINARY_DIR}/lanecull.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lanecull.pc DESTINATION ${pkg_config_folder})
# install_part_pc(part needed description): lanecull-PART.pc of a library that is built beside the core. Whoever links the
# static one links what it needs, too.
function(install_part_pc part needed description)
  if(NOT TARGET lanecull_${part})
    return()
  endif()
  get_target_property(type lanecull_${part} TYPE)
  if(NOT type STREQUAL "STATIC_LIBRARY")
    set(needed)
  endif()
  configure_file(lanecull-part.pc.in ${CMAKE_CURRENT_BINARY_DIR}/lanecull-${part}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lanecull-${part}.pc DESTINATION ${pkg_config_folder})
endfunction()
install_part_pc(tbb " -ltbb" "lanecull's runner on oneTBB")
install_part_pc(hulls " -lqhull_r" "lanecull's convex hulls of points")
install_part_pc(visibility " -lroaring" "lanecull's baked visibility")
