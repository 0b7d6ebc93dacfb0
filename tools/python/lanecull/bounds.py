"""Bounds: of vertices, to make objects from; spheres around objects, to make them cheap to cull; and world bounds of
local boxes under transforms. All contain what they are around, rounded outward: <lanecull/bounds.h> has how tight they
are.

Results are new arrays, and kinds made of them. These calls read their arguments, and may overlap in time.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _arrays, _native
from ._native import library, pointer
from .batch import Boxes, BoxInstances, Floats, HullInstances, OrientedBoxes, Spheres, Uints
from .errors import InvalidArgument
from .isa import Isa


class BoxBounds(NamedTuple):
    """lower <= p <= upper, (3,) each."""

    lower: Floats
    upper: Floats


class SphereBounds(NamedTuple):
    """Every point within `radius` of the centre, (3,)."""

    center: Floats
    radius: float


class OrientedBoxBounds(NamedTuple):
    """center + sum over k of s_k half_extents[k] axes[k], |s_k| <= 1."""

    center: Floats
    axes: Floats
    half_extents: Floats


def _vertices(points: Floats) -> Any:
    """The struct of vertices (n, 3), at any stride."""
    _arrays.check_array(points, "points", np.float32, (None, 3))
    _arrays.check_stride(points, "points")
    x, y, z = map(pointer, points.T)
    return _native.Vertices(x=x, y=y, z=z, count=len(points), stride_bytes=_arrays.stride_of(points))


def _bound(function: Any, points: Floats, bounds: Any, isa: Isa) -> Any:
    _native.call(function, _vertices(points), _arrays.whole(isa, "isa"), bounds)
    return bounds


def _options(isa: Isa) -> Any:
    return _native.WorldBoundsOptions(isa=_arrays.whole(isa, "isa"))


def bounding_box(points: Floats, isa: Isa = Isa.AUTOMATIC) -> BoxBounds:
    """A box around vertices, (n, 3) of float32, which may be a field of larger records."""
    bounds = _bound(library.lanecull_bounding_box, points, _native.BoxBounds(), isa)
    return BoxBounds(np.array(bounds.lower, np.float32), np.array(bounds.upper, np.float32))


def bounding_sphere(points: Floats, isa: Isa = Isa.AUTOMATIC) -> SphereBounds:
    """A small sphere around vertices, as for bounding_box()."""
    bounds = _bound(library.lanecull_bounding_sphere, points, _native.SphereBounds(), isa)
    return SphereBounds(np.array(bounds.center, np.float32), bounds.radius)


def bounding_oriented_box(points: Floats, isa: Isa = Isa.AUTOMATIC) -> OrientedBoxBounds:
    """A small box in any direction around vertices, as for bounding_box()."""
    bounds = _bound(library.lanecull_bounding_oriented_box, points, _native.OrientedBoxBounds(), isa)
    return OrientedBoxBounds(np.array(bounds.center, np.float32), np.array(bounds.axes, np.float32).reshape(3, 3),
                             np.array(bounds.half_extents, np.float32))


def _floats(*shape: int) -> Floats:
    return np.zeros(shape, np.float32)


def bounding_radii(boxes: OrientedBoxes) -> Floats:
    """OrientedBoxes.bounding_radius of these boxes, which may have been made without."""
    _arrays.instance(boxes, OrientedBoxes, "boxes")
    radius = _floats(len(boxes))
    _native.call(library.lanecull_bounding_radii, boxes._struct, pointer(radius))
    return radius


def bounding_spheres(instances: HullInstances | BoxInstances) -> Spheres:
    """A sphere around each instance: HullInstances take it as `bounding`."""
    _arrays.instance(instances, (HullInstances, BoxInstances), "instances")
    center, radius = _floats(3, len(instances)), _floats(len(instances))
    function = (library.lanecull_hull_bounding_spheres if isinstance(instances, HullInstances) else
                library.lanecull_box_bounding_spheres)
    _native.call(function, instances._struct, *map(pointer, center), pointer(radius))
    return Spheres(center, radius)


def world_boxes(instances: BoxInstances, isa: Isa = Isa.AUTOMATIC) -> Boxes:
    """A box along the world's axes around each local box under its transform."""
    lower, upper, streams = _box_streams(len(_arrays.instance(instances, BoxInstances, "instances")))
    _native.call(library.lanecull_world_boxes, instances._struct, _options(isa), streams)
    return Boxes(lower, upper)


def world_spheres(instances: BoxInstances, isa: Isa = Isa.AUTOMATIC) -> Spheres:
    """A sphere around each local box under its transform."""
    count = len(_arrays.instance(instances, BoxInstances, "instances"))
    center, radius = _floats(3, count), _floats(count)
    x, y, z = map(pointer, center)
    streams = _native.SphereStreams(x=x, y=y, z=z, radius=pointer(radius))
    _native.call(library.lanecull_world_spheres, instances._struct, _options(isa), streams)
    return Spheres(center, radius)


def join_boxes(boxes: Boxes, first: Uints) -> Boxes:
    """Box i is around boxes first[i] to first[i + 1] - 1: skinned meshes, of the boxes of their bones."""
    starts = _arrays.stream(first, "first", np.uint32)
    _arrays.instance(boxes, Boxes, "boxes")
    if len(starts) == 0 or (starts[1:] < starts[:-1]).any() or starts[-1] > len(boxes):
        raise InvalidArgument(f"first: must grow, and end with at most {len(boxes)}, the number of boxes")
    lower, upper, streams = _box_streams(len(starts) - 1)
    _native.call(library.lanecull_join_boxes, boxes._struct, pointer(starts), len(starts) - 1, streams)
    return Boxes(lower, upper)


def _box_streams(count: int) -> tuple[Floats, Floats, Any]:
    """Memory for boxes, and where it is."""
    lower, upper = _floats(3, count), _floats(3, count)
    names = ("min_x", "min_y", "min_z", "max_x", "max_y", "max_z")
    rows: list[NDArray[np.float32]] = [*lower, *upper]
    return lower, upper, _native.BoxStreams(**dict(zip(names, map(pointer, rows))))
