"""What fails raises: one class for each status code of the C interface, with the library's sentence as its text."""

from __future__ import annotations


class Error(Exception):
    """Base of all errors of this package. The text names the argument at fault and the rule that it breaks."""

    code: int = 0
    """The status code, as in <lanecull/types.h>."""


class InvalidArgument(Error, ValueError):
    """An argument breaks its rule. Nothing was changed or written."""

    code = 1


class NotReady(Error, RuntimeError):
    """Something was not prepared, planned or refitted before."""

    code = 2


class OutOfMemory(Error, MemoryError):
    """There is not enough memory."""

    code = 3


class Unsupported(Error, NotImplementedError):
    """This build or this machine cannot: an instruction set, a kind of shapes, a file's version."""

    code = 4


class SystemFailure(Error, OSError):
    """A file cannot be opened, read or written."""

    code = 5


class BadFile(Error, ValueError):
    """A scene file is damaged or contradicts itself."""

    code = 6


def of_status(status: int, message: bytes) -> Error:
    """The error of a call that returned `status`, not 0, and wrote `message`."""
    for kind in (InvalidArgument, NotReady, OutOfMemory, Unsupported, SystemFailure, BadFile):
        if kind.code == status:
            return kind(message.decode())
    return Error(f"status {status}: {message.decode()}")
