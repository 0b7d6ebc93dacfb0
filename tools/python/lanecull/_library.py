"""Finds and loads the shared library."""

from __future__ import annotations

import ctypes
import os
import pathlib
import sys

VERSION = "0.1.0"
ABI_VERSION = 1

if sys.platform == "win32":
    FILE = "liblanecull.dll"
elif sys.platform == "darwin":
    FILE = "liblanecull.0.1.dylib"
else:
    FILE = "liblanecull.so.0.1"


def places() -> list[str]:
    """Where the library is looked for, in this order. LANECULL_LIBRARY, a file's path, is the only place if it is set.

    Else: beside this package's modules; in build/shared of the source tree that the package lies in; in `lib` of the
    environment that Python runs in; wherever the system's loader looks.
    """
    named = os.environ.get("LANECULL_LIBRARY")
    if named:
        return [named]
    here = pathlib.Path(__file__).resolve().parent
    files = [here / FILE]
    if here.parts[-3:] == ("tools", "python", "lanecull"):
        files.append(here.parents[2] / "build" / "shared" / "kernels" / FILE)
    files.append(pathlib.Path(sys.prefix) / "lib" / FILE)
    return [*(str(file) for file in files if file.exists()), FILE]


def load() -> ctypes.CDLL:
    """The library. ImportError says where it was looked for, or that its interface is another one."""
    failures = []
    for place in places():
        try:
            library = ctypes.CDLL(place)
            version = library.lanecull_abi_version()
        except (OSError, AttributeError) as failure:
            failures.append(f"{place}: {failure}")
            continue
        if version == ABI_VERSION:
            return library
        failures.append(f"{place}: its C interface has version {version}, this package is for {ABI_VERSION}")
    raise ImportError("lanecull finds no shared library that it can use; LANECULL_LIBRARY may name it. Looked for "
                      + "; ".join(failures))
