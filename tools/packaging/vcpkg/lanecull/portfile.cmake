# Untested: this port has been checked for syntax alone. It builds the sources that it lies in, as an overlay port:
#   vcpkg install lanecull --overlay-ports=<lanecull>/tools/packaging/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES tbb LANECULL_TBB hulls LANECULL_HULLS)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${options} -DLANECULL_TOOLS=OFF -DLANECULL_FETCH_XSIMD=OFF "-DXSIMD_INCLUDE_DIR=${CURRENT_INSTALLED_DIR}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/lanecull)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
