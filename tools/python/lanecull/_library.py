"""Finds and loads the shared library, and finds the module of its structs, _interface.py."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import pathlib
import sys

VERSION = "0.1.0"
"""LANECULL_VERSION of library.h, as a test says."""
FORM = 1
"""LANECULL_FORM of the headers that _interface.py is made of."""

if sys.platform == "win32":
    FILE = "liblanecull.dll"
elif sys.platform == "darwin":
    FILE = f"liblanecull.{VERSION.rpartition('.')[0]}.dylib"
else:
    FILE = f"liblanecull.so.{VERSION.rpartition('.')[0]}"

HERE = pathlib.Path(__file__).resolve().parent
IN_TREE: list[pathlib.Path] = []
"""Where the source tree's build writes both, if the package lies in it."""
if HERE.parts[-3:] == ("tools", "python", "lanecull"):
    IN_TREE.append(HERE.parents[2] / "build" / "shared" / "kernels")


def places() -> list[str]:
    """Where the library is looked for, in this order. LANECULL_LIBRARY, a file's path, is the only place if it is set.

    Else: beside this package's modules; in build/shared of the source tree that the package lies in; in `lib` of the
    environment that Python runs in; wherever the system's loader looks.
    """
    named = os.environ.get("LANECULL_LIBRARY")
    if named:
        return [named]
    files = [folder / FILE for folder in (HERE, *IN_TREE, pathlib.Path(sys.prefix) / "lib")]
    return [*(str(file) for file in files if file.exists()), FILE]


def folders() -> list[str]:
    """Where _interface.py is looked for besides the package: beside the library that LANECULL_LIBRARY names, and in
    build/shared of the source tree."""
    beside = os.path.dirname(os.environ.get("LANECULL_LIBRARY", ""))
    return [*([beside] if beside else []), *map(str, IN_TREE)]


def load() -> ctypes.CDLL:
    """The library. ImportError says where it was looked for, or that its interface is another one."""
    failures = []
    for place in places():
        try:
            library = ctypes.CDLL(place)
            form = library.lanecull_library_form()
        except (OSError, AttributeError) as failure:
            failures.append(f"{place}: {failure}")
            continue
        if form == FORM:
            return library
        failures.append(f"{place}: its interface has form {form}, this package is for {FORM}")
    raise ImportError("lanecull finds no shared library that it can use; LANECULL_LIBRARY may name it. Looked for "
                      + "; ".join(failures) + ". tools/python/README.md says how to build or install it")


def part(library: ctypes.CDLL, name: str, function: str) -> ctypes.CDLL | None:
    """The library that has a function of the part `name`: the core itself, where all are one, or that of the part beside
    it. None: there is none."""
    if hasattr(library, function):
        return library
    try:
        return ctypes.CDLL(os.path.join(os.path.dirname(library._name), FILE.replace("lanecull", f"lanecull_{name}")))
    except OSError:
        return None


def check_interface() -> None:
    """Whether _interface.py is there."""
    if importlib.util.find_spec("lanecull._interface") is None:
        raise ImportError("lanecull finds no _interface.py, which tools/bindings/generate.py writes: the build of the "
                          "shared library puts it beside that, and pip into the package")
