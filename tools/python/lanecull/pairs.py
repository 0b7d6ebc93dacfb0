"""Pairs of objects, many at a time, as a broad phase leaves them: are the two apart, how far or how deep in each other,
where do they touch, and when does a moving one first touch the other? <lanecull/pairs.h> has what is proved.

Threads: these calls read the batches and the indices, and may overlap in time.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _arrays, _native
from ._native import library, pointer
from .batch import Batches, Floats, Uints
from .errors import InvalidArgument
from .isa import Isa


class Pairs:
    """Pair i is object a[i] of batch `batch_a` and object b[i] of batch `batch_b`, which may be the same.

    a and b: uint32, of shape (n,) and with the same stride, so that they may be the columns of an array of shape
    (n, 2). `len()` is the number of pairs.
    """

    def __init__(self, batches: Batches, a: Uints, b: Uints, batch_a: int = 0, batch_b: int = 0) -> None:
        _arrays.instance(batches, Batches, "batches")
        _arrays.check_array(a, "a", np.uint32, (None,))
        _arrays.check_array(b, "b", np.uint32, (len(a),))
        _arrays.check_stride(a, "a")
        _arrays.check_stride(b, "b")
        if _arrays.stride_of(a) != _arrays.stride_of(b):
            raise InvalidArgument(f"b: must have the stride of a, {a.strides[0]} bytes, not {b.strides[0]}")
        self._batches = (batches._structs[_arrays.whole(batch_a, "batch_a", len(batches))],
                         batches._structs[_arrays.whole(batch_b, "batch_b", len(batches))])
        self._struct = _native.PairIndices(a=pointer(a), b=pointer(b), count=len(a),
                                           stride_bytes=_arrays.stride_of(a))

    def __len__(self) -> int:
        return int(self._struct.count)


class Distances(NamedTuple):
    """How far the objects of each pair are apart: float32 (n,), lower <= distance <= upper; and the points of both that
    are nearest to each other, (3, n), or None."""

    lower: Floats
    upper: Floats
    a: Floats | None
    b: Floats | None


class SignedDistances(NamedTuple):
    """How far the objects of each pair are apart or, below 0, how deep in each other: float32 (n,), lower <= distance <=
    upper, -infinite and infinite for invalid pairs; the unit vector from a to b, (3, n); and the nearest or deepest
    points, (3, n), or None."""

    lower: Floats
    upper: Floats
    direction: Floats
    a: Floats | None
    b: Floats | None


class PairContacts(NamedTuple):
    """Where objects touch: how many contacts each pair has, uint32 (n,), 0 of those that are apart by more than the
    tolerance; bounds of the signed distance, float32 (n,); the unit vector from a to b, (3, n); and of up to four
    contacts a point of a, (3, n, 4), and how far along that vector one of b is, (n, 4). NaN for those that are none."""

    counts: Uints
    lower: Floats
    upper: Floats
    direction: Floats
    a: Floats
    distance: Floats


class Contacts(NamedTuple):
    """When objects first touch, as fractions of their motion, float32 (n,): none before `earliest`, which is infinite
    where there is no contact, and one by `latest`, which alone is infinite where it is undecided."""

    earliest: Floats
    latest: Floats


def _floats(pairs: Pairs, *rows: int) -> Floats:
    """Memory for a number or several of each pair."""
    return np.zeros((*rows, len(pairs)), np.float32)


def _above_zero(value: float, name: str, toward: float) -> float:
    """`value` as a float, rounded `toward` an infinity. It is no 0, which stands for the default in C."""
    number = float(_arrays.rounded(np.array(_arrays.real(value, name)), toward))
    if number == 0:
        raise InvalidArgument(f"{name}: must be more than 0, as a float32")
    return number


def _set_rows(struct: Any, **vectors: Floats | None) -> None:
    """Sets x, y and z of each vector that is given to its rows."""
    for name, rows in vectors.items():
        for axis, row in zip("xyz", () if rows is None else rows):
            setattr(struct, f"{name}_{axis}", pointer(row))


def _distance_options(limit: float, relative: float, isa: Isa) -> Any:
    return _native.PairDistanceOptions(isa=_arrays.whole(isa, "isa"), limit=_above_zero(limit, "limit", math.inf),
                                       relative=_above_zero(relative, "relative", -math.inf))


def separate_pairs(pairs: Pairs, isa: Isa = Isa.AUTOMATIC) -> NDArray[np.bool_]:
    """Whether the two of each pair are proved to share no point."""
    words = np.zeros((len(pairs) + 63) // 64, np.uint64)
    options = _native.PairOptions(isa=_arrays.whole(isa, "isa"))
    _native.call(library.lanecull_separate_pairs, *pairs._batches, pairs._struct, options, _native.runner, pointer(words),
                 len(words))
    return _arrays.bits(words, len(pairs))


def measure_pairs(pairs: Pairs, *, points: bool = False, limit: float = math.inf, relative: float = 1e-6,
                  isa: Isa = Isa.AUTOMATIC) -> Distances:
    """How far the two of each pair are apart. limit: pairs that are farther apart are not refined further. relative:
    how far the bounds may differ, as a fraction of the distance. points: where they are nearest, too."""
    lower, upper = _floats(pairs), _floats(pairs)
    a, b = (_floats(pairs, 3), _floats(pairs, 3)) if points else (None, None)
    distances = _native.PairDistances(lower=pointer(lower), upper=pointer(upper))
    _set_rows(distances, a=a, b=b)
    options = _distance_options(limit, relative, isa)
    _native.call(library.lanecull_measure_pairs, *pairs._batches, pairs._struct, options, _native.runner, distances)
    return Distances(lower, upper, a, b)


def measure_signed_pairs(pairs: Pairs, *, points: bool = False, limit: float = math.inf, relative: float = 1e-6,
                         isa: Isa = Isa.AUTOMATIC) -> SignedDistances:
    """How far the two of each pair are apart, or minus how deep they are in each other, as measure_pairs(). By a limit
    of 1e-45 depths alone: of pairs that are apart no more is found than that they are."""
    lower, upper, direction = _floats(pairs), _floats(pairs), _floats(pairs, 3)
    a, b = (_floats(pairs, 3), _floats(pairs, 3)) if points else (None, None)
    distances = _native.PairSignedDistances(lower=pointer(lower), upper=pointer(upper))
    _set_rows(distances, direction=direction, a=a, b=b)
    options = _distance_options(limit, relative, isa)
    _native.call(library.lanecull_measure_signed_pairs, *pairs._batches, pairs._struct, options, _native.runner,
                 distances)
    return SignedDistances(lower, upper, direction, a, b)


def find_pair_contacts(pairs: Pairs, *, tolerance: float = 0.0, isa: Isa = Isa.AUTOMATIC) -> PairContacts:
    """Where the two of each pair touch, overlap or are apart by no more than the tolerance. The first contact is the
    deepest."""
    count = len(pairs)
    found = PairContacts(np.zeros(count, np.uint32), _floats(pairs), _floats(pairs), _floats(pairs, 3),
                         np.zeros((3, count, 4), np.float32), np.zeros((count, 4), np.float32))
    contacts = _native.PairContacts(counts=pointer(found.counts), lower=pointer(found.lower),
                                    upper=pointer(found.upper), distance=pointer(found.distance))
    _set_rows(contacts, direction=found.direction, a=found.a)
    options = _native.PairContactOptions(isa=_arrays.whole(isa, "isa"), tolerance=_arrays.real(tolerance, "tolerance"))
    _native.call(library.lanecull_find_pair_contacts, *pairs._batches, pairs._struct, options, _native.runner, contacts)
    return found


def cast_pairs(pairs: Pairs, motion: Floats, *, turn: Floats | None = None, center: Floats | None = None,
               width: float = 1e-4, isa: Isa = Isa.AUTOMATIC) -> Contacts:
    """When object a of each pair, which moves by motion, (3, n), relative to b, first touches it. turn: a turns, too,
    about such axes, as long as the angle in radians, through center, which moves with it. width: how far `latest` may
    be after `earliest`."""
    if (turn is None) != (center is None):
        raise InvalidArgument("turn, center: both must be given, or none")
    way = [*_arrays.coordinates(motion, "motion", len(pairs))]
    if turn is not None and center is not None:
        way += [*_arrays.coordinates(turn, "turn", len(pairs)), *_arrays.coordinates(center, "center", len(pairs))]
    earliest, latest = _floats(pairs), _floats(pairs)
    options = _native.PairCastOptions(isa=_arrays.whole(isa, "isa"), width=_above_zero(width, "width", -math.inf))
    casts = _native.PairCasts(pointer(earliest), pointer(latest))
    _native.call(library.lanecull_cast_pairs, *pairs._batches, pairs._struct, _native.PairMotions(*map(pointer, way)),
                 options, _native.runner, casts)
    return Contacts(earliest, latest)
