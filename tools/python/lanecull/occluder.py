"""Occluders: convex solids behind which objects are culled, by proof.

<lanecull/occluder.h> has the conditions that the caller answers for: what is drawn where the solid is contains it, is
closed, opaque and drawn in this view. Solids are made of floats. Boxes are rounded inward to them, and `drawn` outward.
"""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _native
from ._arrays import numbers, rounded
from ._native import library, pointer, span
from .errors import InvalidArgument
from .view import _DEFAULT_SPACE, _space, ClipSpace, _planes


class Sight(enum.IntEnum):
    """Which end of an orthographic volume the eye is at."""

    GROWING_DEPTH = 0
    SHRINKING_DEPTH = 1
    """Reversed depth."""


class Refusal(enum.IntEnum):
    """Why a solid hides nothing; NOT: it hides."""

    NOT = 0
    NO_VIEWPOINT = 1
    INVALID = 2
    ENCLOSES_EYE = 3
    NEAR_PLANE = 4
    TOO_THIN = 5
    TOO_MANY_FACETS = 6


def _boxes(lower: ArrayLike, upper: ArrayLike, shape: tuple[int | None, ...], toward: float) -> NDArray[np.float32]:
    """Structs lanecull_solid_box, as rows of six floats: rounded `toward` from the lower corner on, and opposite."""
    low, high = numbers(lower, "lower", shape), numbers(upper, "upper", shape)
    if low.shape != high.shape:
        raise InvalidArgument(f"upper: shape must be that of lower, {low.shape}, not {high.shape}")
    return np.ascontiguousarray(np.concatenate([rounded(low, toward), rounded(high, -toward)]).T)


def _exact(values: ArrayLike, name: str, shape: tuple[int, ...]) -> list[float]:
    """Numbers that are floats as they are."""
    given = numbers(values, name, shape)
    with np.errstate(over="ignore"):
        if not np.array_equal(given.astype(np.float32), given, equal_nan=True):
            raise InvalidArgument(f"{name}: must be numbers of float32, rounded so that the solid stays inside of what "
                                  "is drawn")
    flat: list[float] = given.ravel().tolist()
    return flat


class OccluderOptions:
    """What an occluder may have besides its shape.

    drawn: two corners of a box around all that is drawn for the solid; None: the solid itself. per_distance,
    depth_per_square, depth_per_distance: what a rasteriser adds (RasterMargin). owners, shape (n, 2): batch and index
    of the objects that draw what covers the solid, for scenes 0 and handle; the call looks at their flags, layers,
    limits and candidate bits. None: the caller answers for it. Both are copied.
    """

    def __init__(self, *, drawn: ArrayLike | None = None, per_distance: float = 0.0, depth_per_square: float = 0.0,
                 depth_per_distance: float = 0.0, owners: ArrayLike | None = None) -> None:
        self._struct = _native.OccluderOptions(raster=_native.RasterMargin(
            _arrays.real(per_distance, "per_distance"), _arrays.real(depth_per_square, "depth_per_square"),
            _arrays.real(depth_per_distance, "depth_per_distance")))
        self._owners = _native.Owners()
        if drawn is not None:
            corners = numbers(drawn, "drawn", (2, 3))
            self._struct.drawn = pointer(_boxes(corners[0], corners[1], (3,), -np.inf))
        if owners is not None:
            named = numbers(owners, "owners", (None, 2))
            pairs = named.astype(np.uint32)
            if not np.array_equal(pairs, named):
                raise InvalidArgument("owners: must be integers from 0 to 4294967295")
            self._owners = span(_native.Owners, pairs)


class Occluders:
    """A list of up to `capacity` occluders, all seen from one viewpoint. `len()` is how many it has; a call takes at
    most 64. Put those that hide most first."""

    def __init__(self, capacity: int = 64) -> None:
        self._capacity = _arrays.whole(capacity, "capacity")
        self._structs = _native.array(_native.Occluder, self._capacity)
        self._viewpoint = _native.Viewpoint()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def clear(self) -> None:
        """Takes all occluders out; the viewpoint stays."""
        self._count = 0

    def set_viewpoint(self, clip_from_world: ArrayLike, space: ClipSpace = _DEFAULT_SPACE, clip_planes: ArrayLike = (),
                      sight: Sight = Sight.GROWING_DEPTH) -> None:
        """The eye of a clip matrix, or its direction of sight, is where solids are seen from; takes all occluders out.
        clip_planes: those of the view."""
        matrix = numbers(clip_from_world, "clip_from_world", (4, 4))
        planes = _planes(clip_planes, "clip_planes")
        _native.call(library.lanecull_prepare_viewpoint, pointer(matrix), _space(space), pointer(planes), len(planes),
                     _arrays.whole(sight, "sight"), self._viewpoint)
        self.clear()

    def set_viewpoint_from_eyes(self, eyes: ArrayLike, near_reach: float = 0.0) -> None:
        """1 to 8 eyes, shape (n, 3): a light, or a cell. No near plane's corner is farther than near_reach from its
        eye. Takes all occluders out."""
        points = numbers(eyes, "eyes", (None, 3))
        _native.call(library.lanecull_prepare_viewpoint_from_eyes, pointer(points), points.size,
                     _arrays.real(near_reach, "near_reach"), self._viewpoint)
        self.clear()

    def set_viewpoint_along(self, direction: ArrayLike, around: ArrayLike = (0, 0, 0)) -> None:
        """Parallel sight, the way that light goes. `around`: a place near the objects. Takes all occluders out."""
        way, place = numbers(direction, "direction", (3,)), numbers(around, "around", (3,))
        _native.call(library.lanecull_prepare_viewpoint_along, pointer(way), pointer(place), self._viewpoint)
        self.clear()

    def add_box(self, lower: ArrayLike, upper: ArrayLike, options: OccluderOptions | None = None) -> Refusal:
        """Adds the box lower <= p <= upper, if it hides anything from the viewpoint: then the result is NOT."""
        return self._add(library.lanecull_prepare_occluder_box, options, pointer(_boxes(lower, upper, (3,), np.inf)))

    def add_boxes(self, lower: ArrayLike, upper: ArrayLike) -> NDArray[np.uint8]:
        """The same for boxes with corners of shape (3, n): the Refusal of each."""
        solids = _boxes(lower, upper, (3, None), np.inf)
        prepare = library.lanecull_prepare_occluder_box
        return np.array([self._add(prepare, None, pointer(solid)) for solid in solids], np.uint8)

    def add_oriented_box(self, center: ArrayLike, half_extents: ArrayLike, axes: ArrayLike,
                         options: OccluderOptions | None = None) -> Refusal:
        """Adds the box center + sum over k of s_k half_extents[k] axes[k], |s_k| <= 1. All are floats."""
        solid = _native.SolidOrientedBox()
        solid.center[:] = _exact(center, "center", (3,))
        solid.half_extents[:] = _exact(half_extents, "half_extents", (3,))
        for axis, given in zip(solid.axes, np.reshape(_exact(axes, "axes", (3, 3)), (3, 3))):
            axis[:] = given
        return self._add(library.lanecull_prepare_occluder_oriented_box, options, solid)

    def add_polytope(self, planes: ArrayLike, options: OccluderOptions) -> Refusal:
        """Adds the points with n . p + offset >= 0 for all of 4 to 32 rows (nx, ny, nz, offset). options.drawn is
        needed."""
        rows = _planes(planes, "planes")
        return self._add(library.lanecull_prepare_occluder_planes, options, pointer(rows), len(rows))

    def _add(self, prepare: Any, options: OccluderOptions | None, *solid: Any) -> Refusal:
        _arrays.instance(options, (OccluderOptions, type(None)), "options")
        if len(self) == self._capacity:
            raise InvalidArgument(f"capacity: there are {self._capacity} occluders already")
        occluder = self._structs[self._count]
        refusal = Refusal(prepare(*solid, self._viewpoint, None if options is None else options._struct, occluder))
        if refusal == Refusal.NOT:
            occluder.owners = _native.Owners() if options is None else options._owners
            self._count += 1
        return refusal
