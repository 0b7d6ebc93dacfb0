"""Besides pyproject.toml: a package that is built has _interface.py, which tools/bindings/generate.py makes of the
headers, unless it lies in the package's folder already."""

import pathlib
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
GENERATOR = HERE.parent / "bindings" / "generate.py"


class WithInterface(build_py):
    def run(self):
        super().run()
        interface = pathlib.Path(self.build_lib, "lanecull", "_interface.py")
        if not interface.exists():
            subprocess.run([sys.executable, str(GENERATOR), "python", str(interface), "lanecull.h"], check=True)


setup(cmdclass={"build_py": WithInterface})
