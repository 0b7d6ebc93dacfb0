"""Checks what callers give: arrays, which are never copied, and small tuples of numbers, which are.

Each function names the argument at fault, as `name`, and the rule that it breaks.
"""

from __future__ import annotations

import ctypes
import operator
from typing import Any, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import InvalidArgument

Array = NDArray[Any]

MOST_OBJECTS = 2**32 - 1
MOST_STRIDE = 65536


def check_array(array: Any, name: str, dtype: Any, shape: tuple[int | None, ...]) -> Array:
    """`array`, if it is an aligned array of that dtype and shape; None stands for any length."""
    if not isinstance(array, np.ndarray):
        raise InvalidArgument(f"{name}: must be a numpy array, not {type(array).__name__}")
    if array.dtype != dtype:
        raise InvalidArgument(f"{name}: dtype must be {np.dtype(dtype)}, not {array.dtype}")
    check_shape(array, name, shape)
    if not array.flags.aligned:
        raise InvalidArgument(f"{name}: must be aligned as its numbers are, to {array.dtype.alignment} bytes")
    checked: Array = array
    return checked


def check_shape(array: Array, name: str, shape: tuple[int | None, ...]) -> None:
    """Whether `array` has that shape; None stands for any length."""
    if array.shape == shape:
        return
    if array.ndim != len(shape) or any(want not in (None, has) for want, has in zip(shape, array.shape)):
        wanted = ", ".join("n" if length is None else str(length) for length in shape)
        raise InvalidArgument(f"{name}: shape must be ({wanted}), not {array.shape}")


def stream(array: Any, name: str, dtype: Any = np.float32, count: int | None = None) -> Array:
    """`array`, if it has one number for each object, one right after the other."""
    checked = check_array(array, name, dtype, (count,))
    if len(checked) > 1 and checked.strides[0] != checked.itemsize:
        raise InvalidArgument(f"{name}: must be contiguous, {checked.itemsize} bytes from one number to the next, not "
                              f"{checked.strides[0]}; numpy.ascontiguousarray() makes such a copy")
    if len(checked) > MOST_OBJECTS:
        raise InvalidArgument(f"{name}: at most {MOST_OBJECTS} objects, not {len(checked)}")
    return checked


def optional_stream(array: Any, name: str, dtype: Any, count: int | None) -> Array | None:
    """The same for an array that may be None."""
    return None if array is None else stream(array, name, dtype, count)


def coordinates(array: Any, name: str, count: int | None = None) -> list[Array]:
    """Three streams x, y, z: the rows of an array of shape (3, n), or a sequence of three arrays of shape (n,)."""
    if isinstance(array, np.ndarray):
        if array.ndim == 2 and array.shape[1] == 3 != array.shape[0]:
            raise InvalidArgument(f"{name}: shape must be (3, n), not {array.shape}; streams() makes such an array")
        check_array(array, name, np.float32, (3, count))
    elif not isinstance(array, (tuple, list)) or len(array) != 3:
        raise InvalidArgument(f"{name}: must be an array of shape (3, n), or three arrays of shape (n,)")
    rows: list[Array] = []
    for row, axis in zip(array, "xyz"):
        rows.append(stream(row, f"{name}, {axis}", np.float32, count))
        count = rows[0].shape[0]
    return rows


def records(array: Any, name: str, count: int | None, shape: tuple[int, ...], dtype: Any = np.float32) -> Array:
    """`array` of shape (n, *shape), if each record is contiguous; records may stand apart, at any stride."""
    checked = check_array(array, name, dtype, (count, *shape))
    contiguous = np.empty(shape, dtype).strides
    if checked.strides[1:] != contiguous and len(checked) > 0:
        raise InvalidArgument(f"{name}: a record's numbers must be contiguous, with strides {contiguous}, not "
                              f"{checked.strides[1:]}")
    check_stride(checked, name)
    return checked


def check_stride(array: Array, name: str) -> None:
    """Whether records of that stride can be read."""
    if array.shape[0] > 1 and not 0 < array.strides[0] <= MOST_STRIDE:
        raise InvalidArgument(f"{name}: records must be 1 to {MOST_STRIDE} bytes apart, not {array.strides[0]}")


def stride_of(array: Array) -> int:
    """The stride of records in bytes, 0 where there is nothing to step over."""
    return int(array.strides[0]) if array.shape[0] > 1 else 0


def numbers(values: ArrayLike, name: str, shape: tuple[int | None, ...]) -> Array:
    """Small numeric arguments, such as a matrix, as contiguous doubles of that shape; the caller's own memory, where
    that has them. Whoever keeps them copies them."""
    try:
        array = np.ascontiguousarray(values, np.float64)
    except (TypeError, ValueError):
        raise InvalidArgument(f"{name}: must be numbers") from None
    check_shape(array, name, shape)
    return array


def rounded(values: NDArray[np.float64], toward: float) -> NDArray[np.float32]:
    """Floats, none of them on the other side of the number than `toward`, which is one of the infinities."""
    with np.errstate(over="ignore"):
        nearest = values.astype(np.float32)
    beyond = nearest > values if toward < 0 else nearest < values
    return np.where(beyond, np.nextafter(nearest, np.float32(toward)), nearest) if beyond.any() else nearest


def triple(values: ArrayLike, name: str) -> Any:
    """Three doubles, as a field of a struct."""
    return (ctypes.c_double * 3)(*numbers(values, name, (3,)))


def whole(value: int, name: str, below: int = 2**32) -> int:
    """`value`, if it is an integer from 0 to below - 1."""
    try:
        number = operator.index(value)
    except TypeError:
        raise InvalidArgument(f"{name}: must be an integer, not {type(value).__name__}") from None
    if not 0 <= number < below:
        raise InvalidArgument(f"{name}: must be 0 to {below - 1}, not {number}")
    return number


def real(value: float, name: str) -> float:
    """`value`, if it is a number."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InvalidArgument(f"{name}: must be a number, not {type(value).__name__}") from None


def instance(value: Any, kind: Any, name: str, hint: str = "") -> Any:
    """`value`, if it is of that class, or one of those. The error ends with `hint`."""
    if isinstance(value, kind):
        return value
    kinds = kind if isinstance(kind, tuple) else (kind,)
    wanted = " or ".join("None" if one is type(None) else one.__name__ for one in kinds)
    raise InvalidArgument(f"{name}: must be {wanted}, not {type(value).__name__}{hint}")


def output(wanted: bool | Array, name: str, dtype: Any, shape: tuple[int, ...]) -> Array | None:
    """Memory for an output: new where `wanted` is True, none where it is False, or the caller's own array."""
    if isinstance(wanted, (bool, np.bool_)):
        return np.zeros(shape, dtype) if wanted else None
    array = check_array(wanted, name, dtype, shape)
    if not array.flags.c_contiguous:
        raise InvalidArgument(f"{name}: must be contiguous")
    if not array.flags.writeable:
        raise InvalidArgument(f"{name}: must be writeable")
    return array


def dtype_of(struct: Any) -> np.dtype[Any]:
    """A struct of C as an array's elements, without its reserved room."""
    names = [name for name, *_ in struct._fields_ if not name.startswith("reserved")]
    fields = {name: np.dtype(kind) for name, kind, *_ in struct._fields_}
    return np.dtype({"names": names, "formats": [fields[name] for name in names],
                     "offsets": [getattr(struct, name).offset for name in names], "itemsize": ctypes.sizeof(struct)})


def refuse_overlap(outputs: Mapping[str, Array | None], inputs: Sequence[Array]) -> None:
    """Refuses outputs that may lie where the library reads."""
    for name, written in outputs.items():
        if written is not None and any(np.may_share_memory(written, read) for read in inputs):
            raise InvalidArgument(f"{name}: must not overlap what the call reads")


def check_candidates(candidates: Any, views: int, words: int) -> None:
    """Whether these are words for all views, (words,), or for each, (views, words)."""
    check_array(candidates, "candidates", np.uint64, (words,) if np.ndim(candidates) == 1 else (views, words))
    if not candidates.flags.c_contiguous:
        raise InvalidArgument("candidates: must be contiguous")


def bits(words: Array, count: int) -> NDArray[np.bool_]:
    """The first `count` bits of an array of 64-bit words, as an array of bools."""
    return np.unpackbits(words.view(np.uint8), count=count, bitorder="little").view(np.bool_)


def streams(points: ArrayLike, toward: float | None = None) -> NDArray[np.float32]:
    """A copy of points of shape (n, 3) as the library reads them: float32, of shape (3, n), each row contiguous.

    Numbers are rounded to the nearest float. With `toward`, one of the infinities, they are rounded that way: lower
    corners toward -inf and upper ones toward inf make boxes that contain those that were given."""
    if toward not in (None, -np.inf, np.inf):
        raise InvalidArgument(f"toward: must be None or an infinity, not {toward}")
    given = numbers(points, "points", (None, 3)).T
    return np.ascontiguousarray(given if toward is None else rounded(given, toward), np.float32)
