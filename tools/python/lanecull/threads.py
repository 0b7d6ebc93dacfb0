"""The threads that calls run on: those of a pool, which starts them at the first call that has work for several and
keeps them. Results are the same, bit for bit, for any number."""

from __future__ import annotations

from . import _arrays, _native
from .errors import InvalidArgument, Unsupported


def thread_count() -> int:
    """How many threads a call runs on, the calling one among them: at first as many as the process has processors; 1
    without the library's own threads (README.md, "Threads")."""
    return 1 if _native.threads is None else int(_native.threads.lanecull_python_threads())


def set_thread_count(count: int) -> None:
    """How many threads calls run on from now on, 1 to 1024. 1: the calling one."""
    if not 1 <= _arrays.whole(count, "count") <= 1024:
        raise InvalidArgument(f"count: must be 1 to 1024, not {count}")
    if _native.threads is not None:
        _native.threads.lanecull_python_set_threads(count)
    elif count > 1:
        raise Unsupported("count: there is one thread only, since the library of threads is not beside lanecull's")
