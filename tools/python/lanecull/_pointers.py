"""Pointers of the C interface that keep what they point to, and structs that keep the pointers that they are given."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from . import errors


class Place(ctypes.Structure):
    """What a pointer may point to. As an argument it stands for a pointer to it."""

    _fields_: list[Any] = []


Pointer = ctypes.POINTER(Place)
"""A pointer of the C interface. ctypes takes no number for one, so pointer() makes them all. A struct with such a field
keeps what the pointer keeps, as do copies of the struct and arrays of them; a call keeps its arguments to its end."""


class Struct(Place):
    """A struct of C; it is named lanecull_ and the class's name in lower case, with underscores before capitals."""


class Union(ctypes.Union):
    """A union of C, named likewise."""


def pointer(target: Any) -> Any:
    """A pointer to an array's first number, an object of ctypes, or what the library made. It keeps the target. None
    for None."""
    if target is None:
        return None
    if isinstance(target, np.ndarray):
        address = target.ctypes.data
    else:
        address = target.address if isinstance(target, Owned) else ctypes.addressof(target)
    place = Place.from_address(address)
    place.kept = target
    return Pointer(place)


def span(kind: Any, items: Any) -> Any:
    """A struct of that kind for an array and its length; empty for None."""
    return kind() if items is None else kind(pointer(items), len(items))


def array(kind: Any, count: int) -> Any:
    """So many structs, all zeros."""
    try:
        return (kind * count)()
    except (MemoryError, OverflowError):
        raise errors.OutOfMemory(f"there is no memory for {count} structs of {ctypes.sizeof(kind)} bytes") from None


class Owned:
    """An object that the library made, destroyed with this. It cannot be copied or pickled."""

    __slots__ = ("_as_parameter_", "_destroy", "address", "__weakref__")

    def __init__(self, create: Any, destroy: Any) -> None:
        self._destroy = destroy
        self.address: int | None = None
        self.address = create()
        if self.address is None:
            raise errors.OutOfMemory("there is not enough memory")
        self._as_parameter_ = Pointer(Place.from_address(self.address))

    def __del__(self) -> None:
        if self.address is not None:
            self._destroy(self._as_parameter_)

    def __reduce__(self) -> Any:
        raise TypeError("what the library made cannot be copied or pickled")
