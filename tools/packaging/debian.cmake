# The package lanecull-dev for Debian and its derivatives: `cpack` in the build folder. It holds the library, its headers
# and what CMake and pkg-config read, so a build of it has -DLANECULL_TOOLS=OFF.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lanecull-dev)
set(CPACK_PACKAGE_CONTACT "The lanecull developers <lanecull@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "visibility culling for renderers, engines and tools")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
# A static library needs no packages of shared ones, and whoever asks for them needs the package `file`.
if(BUILD_SHARED_LIBS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libtbb-dev, libqhull-dev, libroaring-dev")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
include(CPack)
