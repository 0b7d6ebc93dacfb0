"""The package elsewhere: where it finds its library, and pip."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest

import lanecull
from lanecull import _interface, _library

SOURCE = pathlib.Path(lanecull.__file__).resolve().parents[1]
ROOT = SOURCE.parents[1]
ISA = "import lanecull, numpy; print(lanecull.__file__, lanecull.Isa.AUTOMATIC.resolved().title)"


def run(*command, **environment):
    """What a Python says that is told nothing of where package and library are."""
    kept = {name: value for name, value in os.environ.items() if name not in ("LANECULL_LIBRARY", "PYTHONPATH")}
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False, cwd="/",
                          env={**kept, **environment})
    return done.stdout + done.stderr


class Elsewhere(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()

    def copy_package(self, to):
        shutil.copytree(SOURCE / "lanecull", to, ignore=shutil.ignore_patterns("__pycache__"))

    def copy_interface(self, folder):
        shutil.copy(_interface.__file__, folder)

    def copy_library(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(os.environ["LANECULL_LIBRARY"], folder / _library.FILE)

    def test_beside_its_modules(self):
        self.copy_package(self.folder / "lanecull")
        self.assertIn("ImportError: lanecull finds no shared library", run("-c", ISA, PYTHONPATH=str(self.folder)))
        self.copy_library(self.folder / "lanecull")
        self.assertIn("ImportError: lanecull finds no _interface.py", run("-c", ISA, PYTHONPATH=str(self.folder)))
        self.copy_interface(self.folder / "lanecull")
        self.assertIn(f"{self.folder}/lanecull", run("-c", ISA, PYTHONPATH=str(self.folder)))

    def test_in_the_build_of_its_tree(self):
        self.copy_package(self.folder / "tools" / "python" / "lanecull")
        self.copy_library(self.folder / "build" / "shared" / "kernels")
        self.copy_interface(self.folder / "build" / "shared" / "kernels")
        said = run("-c", ISA, PYTHONPATH=str(self.folder / "tools" / "python"))
        self.assertIn(f"{self.folder}/tools/python/lanecull", said)

    def test_beside_the_library_that_is_named(self):
        self.copy_package(self.folder / "lanecull")
        self.copy_library(self.folder / "libraries")
        self.copy_interface(self.folder / "libraries")
        said = run("-c", ISA, PYTHONPATH=str(self.folder),
                   LANECULL_LIBRARY=str(self.folder / "libraries" / _library.FILE))
        self.assertIn(f"{self.folder}/lanecull", said)

    def test_in_the_environment(self):
        self.copy_package(self.folder / "lanecull")
        self.copy_interface(self.folder / "lanecull")
        self.copy_library(self.folder / "lib")
        said = run("-c", f"import sys; sys.prefix = {str(self.folder)!r}; {ISA}", PYTHONPATH=str(self.folder))
        self.assertIn(f"{self.folder}/lanecull", said)

    def test_where_the_loader_looks(self):
        self.copy_package(self.folder / "lanecull")
        self.copy_interface(self.folder / "lanecull")
        self.copy_library(self.folder / "libraries")
        said = run("-c", ISA, PYTHONPATH=str(self.folder), LD_LIBRARY_PATH=str(self.folder / "libraries"))
        self.assertIn(f"{self.folder}/lanecull", said)

    @unittest.skipUnless(importlib.util.find_spec("pip") and importlib.util.find_spec("setuptools"), "no pip")
    def test_pip(self):
        """Without a network, of what the source tree has."""
        for part in (SOURCE, ROOT / "tools" / "bindings", ROOT / "include"):
            shutil.copytree(part, self.folder / part.relative_to(ROOT),
                            ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
        self.copy_library(self.folder / "tools" / "python" / "lanecull")
        said = run("-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--no-index",
                   "--disable-pip-version-check", "--target", str(self.folder / "to"),
                   str(self.folder / "tools" / "python"))
        self.assertTrue((self.folder / "to" / "lanecull" / "py.typed").exists(), said)
        self.assertTrue((self.folder / "to" / f"lanecull-{lanecull.__version__}.dist-info").exists())
        self.assertEqual((self.folder / "to" / "lanecull" / "_interface.py").read_text(),
                         pathlib.Path(_interface.__file__).read_text())
        self.assertIn(f"{self.folder}/to/lanecull", run("-c", ISA, PYTHONPATH=str(self.folder / "to")))

    def test_project_file(self):
        given = tomllib.loads((SOURCE / "pyproject.toml").read_text())
        self.assertEqual((given["project"]["name"], given["project"]["dynamic"]), ("lanecull", ["version"]))
        self.assertEqual(given["tool"]["setuptools"]["dynamic"]["version"]["attr"], "lanecull._library.VERSION")


if __name__ == "__main__":
    unittest.main()
