"""The C interface, <lanecull/lanecull.h>, hulls.h and visibility.h: its structs and numbers, the libraries' functions,
and calls of them.

Structs, numbers and declarations are in _interface.py, which tools/bindings/generate.py writes from the headers:
_library.py says where it lies.
"""

from __future__ import annotations

import ctypes
from typing import Any

from . import _library, errors

library = _library.load()
hulls = _library.part(library, "hulls", "lanecull_create_convex_hull")
visibility = _library.part(library, "visibility", "lanecull_create_bake_scene")
threads = _library.part(library, "threads", "lanecull_python_run")
_library.check_interface()

from ._interface import *  # structs of every name that C has
from ._interface import Message, Runner, declare
from ._pointers import Owned, Place, Pointer, Struct, array, pointer, span

for _one in (library, hulls, visibility):
    if _one is not None:
        declare(_one)

runner = Runner()
"""What runs the tasks of each call: the pool of threads.cpp, or, without it, the thread that calls."""
if threads is not None:
    threads.lanecull_python_run.restype = None
    threads.lanecull_python_set_threads.argtypes = [ctypes.c_uint32]
    threads.lanecull_python_set_threads.restype = None
    threads.lanecull_python_threads.restype = ctypes.c_uint32
    runner.run = type(runner.run)(ctypes.cast(threads.lanecull_python_run, ctypes.c_void_p).value)


def check(status: Any) -> None:
    """Raises what a call came to, if that is no success, with the library's sentence."""
    if status.code != 0:
        message = Message()
        library.lanecull_explain(status, message, ctypes.sizeof(message))
        raise errors.of_status(status.code, message.text)


def call(function: Any, *arguments: Any) -> None:
    """Calls a function that returns a status, and raises what it says."""
    check(function(*arguments))
