"""Convex hulls of points. <lanecull/hulls.h> says what they contain, and what they are made by.

Threads: calls that read a hull may overlap in time.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arrays, _native
from .batch import Floats, Hull, Uints
from .bounds import _vertices
from .errors import Unsupported


def _part() -> Any:
    if _native.hulls is None:
        raise Unsupported("this build has no hulls of points: liblanecull_hulls is not beside lanecull's library")
    return _native.hulls


def _copied(span: Any, kind: Any, columns: int = 1) -> NDArray[Any]:
    """A copy of what a span of the hull's points to."""
    if span.count == 0:
        return np.zeros(0, kind)
    memory = (ctypes.c_uint32 * (span.count * columns)).from_address(ctypes.addressof(span.items.contents))
    return np.frombuffer(memory, kind).copy()


class ConvexHull:
    """A convex polytope: convex_hull() and enclosing_hull() make one. `len()` is how many corners it has. Its arrays are
    copies.

    corners: (3, n). triangles: corners' numbers, (m, 3), anticlockwise from outside; of a solid or a polygon. dimension:
    3 for a solid, 2 for a polygon, 1 for a segment, 0 for a point. volume: of a solid.
    """

    def __init__(self, function: Any, points: Floats, *arguments: Any) -> None:
        hulls = _part()
        self._owned = _native.Owned(hulls.lanecull_create_convex_hull, hulls.lanecull_destroy_convex_hull)
        _native.call(function, _vertices(points), *arguments, self._owned)
        info = _native.ConvexHullInfo()
        hulls.lanecull_convex_hull_get_info(self._owned, info)
        self.corners: Floats = np.stack([_copied(axis, np.float32) for axis in (info.x, info.y, info.z)])
        self.triangles: Uints = _copied(info.triangles, np.uint32, 3).reshape(-1, 3)
        self.dimension = int(info.dimension)
        self.volume = float(info.volume)

    def __len__(self) -> int:
        return self.corners.shape[1]

    def hull(self) -> Hull:
        """What HullInstances and pairs take."""
        return Hull(self.corners)


def convex_hull(points: Floats) -> ConvexHull:
    """The convex hull of vertices, (n, 3) of float32; its corners are some of them."""
    return ConvexHull(_part().lanecull_find_convex_hull, points)


def enclosing_hull(points: Floats, max_corners: int) -> ConvexHull:
    """A hull of at most so many corners, 4 or more, that contains every vertex exactly."""
    return ConvexHull(_part().lanecull_find_enclosing_hull, points, _arrays.whole(max_corners, "max_corners"))


def outward_error(outer: ConvexHull, inner: ConvexHull) -> float:
    """The largest distance of a point of `outer` from `inner`."""
    error = np.zeros(1)
    hulls = [_arrays.instance(one, ConvexHull, name)._owned for one, name in ((outer, "outer"), (inner, "inner"))]
    _native.call(_part().lanecull_convex_hull_outward_error, *hulls, _native.pointer(error))
    return float(error[0])
