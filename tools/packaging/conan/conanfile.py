"""Conan 2 recipe. Untested: it has been checked for syntax alone.

conan create tools/packaging/conan
"""

import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Lanecull(ConanFile):
    name = "lanecull"
    license = "MIT"
    description = "Visibility culling for renderers, engines and tools: exact, by proof, in SIMD lanes"
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False], "fPIC": [True, False], "tbb": [True, False], "hulls": [True, False]}
    default_options = {"shared": False, "fPIC": True, "tbb": False, "hulls": False}

    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._root(), "include", "lanecull", "version.hpp"))
        self.version = re.search(r'define LANECULL_VERSION "([^"]+)"', header)[1]

    def export_sources(self):
        for folder in ("include/*", "kernels/*", "tools/packaging/*", "CMakeLists.txt", "LICENSE"):
            copy(self, folder, self._root(), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.22]")

    def requirements(self):
        self.requires("xsimd/[>=13]", visible=False)
        if self.options.tbb:
            self.requires("onetbb/[>=2021]")
        if self.options.hulls:
            self.requires("qhull/[>=8]")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["LANECULL_TOOLS"] = False
        toolchain.cache_variables["LANECULL_FETCH_XSIMD"] = False
        toolchain.cache_variables["LANECULL_TBB"] = bool(self.options.tbb)
        toolchain.cache_variables["LANECULL_HULLS"] = bool(self.options.hulls)
        toolchain.cache_variables["XSIMD_INCLUDE_DIR"] = self.dependencies["xsimd"].cpp_info.includedirs[0]
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "lanecull")
        parts = {"lanecull": "lanecull"}
        parts.update({part: f"lanecull_{part}" for part in ("tbb", "hulls") if self.options.get_safe(part)})
        for part, library in parts.items():
            component = self.cpp_info.components[part]
            component.libs = [library]
            component.set_property("cmake_target_name", f"lanecull::{part}")
            if part != "lanecull":
                component.requires = ["lanecull", {"tbb": "onetbb::libtbb", "hulls": "qhull::qhull"}[part]]
