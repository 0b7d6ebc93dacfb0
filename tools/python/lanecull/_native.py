"""The C interface, <lanecull/lanecull.h>: its structs and numbers, the library's functions, and calls of them.

Structs, numbers and declarations are in _interface.py, which tools/bindings/generate.py writes from the headers:
_library.py says where it lies.
"""

from __future__ import annotations

import ctypes
from typing import Any

from . import _library, errors

library = _library.load()
_library.check_interface()

from ._interface import *  # structs of every name that C has
from ._interface import Message, declare
from ._pointers import Owned, Place, Pointer, Struct, array, pointer, span

declare(library)


def check(status: Any) -> None:
    """Raises what a call came to, if that is no success, with the library's sentence."""
    if status.code != 0:
        message = Message()
        library.lanecull_explain(status, message, ctypes.sizeof(message))
        raise errors.of_status(status.code, message.text)


def call(function: Any, *arguments: Any) -> None:
    """Calls a function that returns a status, and raises what it says."""
    check(function(*arguments))
