"""Instruction sets that kernels are compiled for."""

from __future__ import annotations

import ctypes
import enum

from . import _native


class Isa(enum.IntEnum):
    """An instruction set; AUTOMATIC is the widest that this machine runs, or what the variable LANECULL_ISA says."""

    AUTOMATIC = 0
    SCALAR = 1
    SSE42 = 2
    AVX2 = 3
    AVX512 = 4
    NEON64 = 5
    WASM = 6

    @property
    def title(self) -> str:
        """The library's name of it, such as "sse4.2"."""
        return str(_native.library.lanecull_isa_name(self).decode())

    @property
    def runnable(self) -> bool:
        """Whether the library has its kernels and this machine runs them."""
        return bool(_native.library.lanecull_isa_runnable(self))

    @property
    def lanes(self) -> int:
        """How many objects it tests side by side; 0 for AUTOMATIC."""
        return int(_native.library.lanecull_isa_lanes(self))

    def resolved(self) -> Isa:
        """The set that a call with this one will run. Unsupported if it cannot run here."""
        chosen = ctypes.c_uint32()
        _native.call(_native.library.lanecull_resolve_isa, self, _native.pointer(chosen))
        return Isa(chosen.value)
