"""Besides pyproject.toml: a package that is built has _interface.py, which tools/bindings/generate.py makes of the
headers, unless it lies in the package's folder already. With a library inside (tools/release) it is for one system."""

import pathlib
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

try:
    from wheel.bdist_wheel import bdist_wheel
except ImportError:  # an installation in place makes no wheel
    bdist_wheel = None

HERE = pathlib.Path(__file__).resolve().parent
GENERATOR = HERE.parent / "bindings" / "generate.py"
HEADERS = ["lanecull.h", "hulls.h", "visibility.h"]


class WithInterface(build_py):
    def run(self):
        super().run()
        interface = pathlib.Path(self.build_lib, "lanecull", "_interface.py")
        if not interface.exists():
            subprocess.run([sys.executable, str(GENERATOR), "python", str(interface), *HEADERS], check=True)


commands = {"build_py": WithInterface}
if bdist_wheel is not None and list((HERE / "lanecull").glob("*lanecull.*")):

    class ForThisSystem(bdist_wheel):
        """The library is this system's; any Python of it will do, since it is called by ctypes."""

        def finalize_options(self):
            super().finalize_options()
            self.root_is_pure = False

        def get_tag(self):
            return "py3", "none", super().get_tag()[2]

    commands["bdist_wheel"] = ForThisSystem

setup(cmdclass=commands)
