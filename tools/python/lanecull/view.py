"""Views: the volumes that objects are tested against.

Matrices are written as in mathematics: clip = M (x, y, z, 1), element [row, column], so that M = projection @ view.
Whoever has a column-major list of 16 numbers gives numpy.reshape(list, (4, 4)).T. They and other small arguments may
be anything that numpy makes doubles of, and are copied. <lanecull/view.h> has the rules.
"""

from __future__ import annotations

import enum
import math
from typing import Any, Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import _arrays, _native
from ._arrays import numbers
from ._native import library, pointer, span
from .errors import InvalidArgument


class DepthRange(enum.IntEnum):
    """Which clip-space depth is inside, for w > 0."""

    ZERO_TO_ONE = 0
    """0 <= z <= w: Vulkan, Direct3D, Metal."""
    MINUS_ONE_TO_ONE = 1
    """-w <= z <= w: OpenGL."""


class ClipSpace:
    """How to read a clip matrix: its depth range, and the point that the matrix takes coordinates relative to: it maps
    p - origin. That is the eye in camera-relative rendering."""

    def __init__(self, depth: DepthRange = DepthRange.ZERO_TO_ONE, origin: ArrayLike = (0, 0, 0)) -> None:
        self._struct = _native.ClipSpace(layout=_native.MatrixLayout.ROW_MAJOR, depth=_arrays.whole(depth, "depth"),
                                         origin=_arrays.triple(origin, "origin"))


class DirectionalLight:
    """Light from one direction. Casters stand up to `reach` times `toward` away from what they shade."""

    def __init__(self, toward: ArrayLike, reach: float = math.inf) -> None:
        # The struct's 0 stands for infinity. No caster stands away at a reach of 0, nor at the smallest number.
        self._struct = _native.DirectionalLight(toward=_arrays.triple(toward, "toward"),
                                   reach=_arrays.real(reach, "reach") or 5e-324)


class PointLight:
    """Light from a point. It lights what is no farther away than `range`, and lies inside all of at most 8 `sides`:
    rows (nx, ny, nz, offset), of the points with n . p + offset >= 0."""

    def __init__(self, at: ArrayLike, range: float = math.inf, sides: ArrayLike = ()) -> None:
        if range == 0:
            raise InvalidArgument("range: must be more than 0")
        planes = _planes(sides, "sides")
        self._struct = _native.PointLight(at=_arrays.triple(at, "at"), range=_arrays.real(range, "range"),
                                    sides=span(_native.Planes, planes))


def hidden_layers(layer_mask: int) -> int:
    """The layers that are not in a mask, as structs have them."""
    return ~_arrays.whole(layer_mask, "layer_mask") & 2**32 - 1


def _planes(planes: ArrayLike, name: str) -> Any:
    """A copy of planes as rows of four doubles."""
    rows = np.ascontiguousarray(planes, np.float64) if np.size(planes) == 0 else numbers(planes, name, (None, 4))
    return rows.reshape(-1, 4).copy()


class ViewOptions:
    """What a view may have besides its volume's shape.

    clip_planes: at most 10 rows (nx, ny, nz, offset), half-spaces n . p + offset >= 0 that limit the volume further.
    margin >= 0: everything within it of the volume is seen. layer_mask: objects with none of its layers are culled.
    eye: the place from which distances and sizes are measured; None: the matrix's own. size_scale: a ball's projected
    size is radius * size_scale / distance; 0: the matrix's own. light: the view is then of what casts shadows into the
    volume.
    """

    def __init__(self, *, clip_planes: ArrayLike = (), margin: float = 0.0, layer_mask: int = 2**32 - 1,
                 eye: ArrayLike | None = None, size_scale: float = 0.0,
                 light: DirectionalLight | PointLight | None = None) -> None:
        self._planes = _planes(clip_planes, "clip_planes")
        place = None if eye is None else numbers(eye, "eye", (3,)).copy()
        _arrays.instance(light, (DirectionalLight, PointLight, type(None)), "light")
        self._struct = _native.ViewOptions(
            clip_planes=span(_native.Planes, self._planes), margin=_arrays.real(margin, "margin"),
            hidden_layers=hidden_layers(layer_mask), eye=pointer(place),
            size_scale=_arrays.real(size_scale, "size_scale"),
            directional_light=pointer(light._struct) if isinstance(light, DirectionalLight) else None,
            point_light=pointer(light._struct) if isinstance(light, PointLight) else None)


_DEFAULT_SPACE = ClipSpace()


def _options(options: ViewOptions | None) -> _native.ViewOptions | None:
    return None if options is None else _arrays.instance(options, ViewOptions, "options")._struct


def _space(space: ClipSpace) -> _native.ClipSpace:
    return _arrays.instance(space, ClipSpace, "space")._struct


class Views:
    """A list of `count` views. View i is prepared by the methods below, which take some microseconds each, raise
    InvalidArgument where the volume makes no sense, and then leave view i as it was. `len()` is their number."""

    def __init__(self, count: int = 1) -> None:
        self._count = _arrays.whole(count, "count")
        self._structs = _native.array(_native.View, self._count)

    @classmethod
    def of(cls, clip_from_world: ArrayLike, space: ClipSpace = _DEFAULT_SPACE,
           options: ViewOptions | None = None) -> Views:
        """The views of an array of matrices, shape (n, 4, 4), or of one, shape (4, 4)."""
        shape = (4, 4) if np.ndim(clip_from_world) == 2 else (None, 4, 4)
        matrices = numbers(clip_from_world, "clip_from_world", shape).reshape(-1, 4, 4)
        views = cls(len(matrices))
        for i, matrix in enumerate(matrices):
            views.prepare(i, matrix, space, options)
        return views

    def __len__(self) -> int:
        return self._count

    def prepare(self, i: int, clip_from_world: ArrayLike, space: ClipSpace = _DEFAULT_SPACE,
                options: ViewOptions | None = None) -> None:
        """View i becomes the volume of a perspective or orthographic clip matrix."""
        matrix = numbers(clip_from_world, "clip_from_world", (4, 4))
        _native.call(library.lanecull_prepare_view, pointer(matrix), _space(space), _options(options), self._view(i))

    def prepare_stereo(self, i: int, left: ArrayLike, right: ArrayLike, space: ClipSpace = _DEFAULT_SPACE,
                       options: ViewOptions | None = None) -> None:
        """View i becomes the convex hull of the volumes of both eyes' matrices."""
        eyes = numbers(left, "left", (4, 4)), numbers(right, "right", (4, 4))
        _native.call(library.lanecull_prepare_stereo_view, *map(pointer, eyes), _space(space), _options(options),
                     self._view(i))

    def prepare_from_corners(self, i: int, corners: ArrayLike, options: ViewOptions | None = None) -> None:
        """View i becomes the convex hull of eight corners, shape (8, 3), in any order."""
        points = numbers(corners, "corners", (8, 3))
        _native.call(library.lanecull_prepare_view_from_corners, pointer(points), _options(options), self._view(i))

    def prepare_from_planes(self, i: int, planes: ArrayLike, options: ViewOptions | None = None) -> None:
        """View i becomes the points with n . p + offset >= 0 for all rows (nx, ny, nz, offset); at most 16, with the
        options' clip planes."""
        rows = _planes(planes, "planes")
        _native.call(library.lanecull_prepare_view_from_planes, pointer(rows), len(rows), _options(options),
                     self._view(i))

    def prepare_from_ball(self, i: int, center: ArrayLike, radius: float, options: ViewOptions | None = None) -> None:
        """View i becomes a ball: what is no farther from the centre than `radius`."""
        at = numbers(center, "center", (3,))
        _native.call(library.lanecull_prepare_view_from_ball, pointer(at), _arrays.real(radius, "radius"),
                     _options(options), self._view(i))

    def prepare_casters(self, first_view: int, clip_from_world: ArrayLike, options: Sequence[ViewOptions],
                        space: ClipSpace = _DEFAULT_SPACE) -> None:
        """View first_view + k becomes that of what casts shadows of options[k]'s light into the camera's view. The
        same as prepare() of each, in a half to a third of the time. All have the same clip planes."""
        matrix = numbers(clip_from_world, "clip_from_world", (4, 4))
        for one in options:
            _arrays.instance(one, ViewOptions, "options")
            if not np.array_equal(one._planes, options[0]._planes):
                raise InvalidArgument("options: all must have the same clip planes")
        first = _arrays.whole(first_view, "first_view", self._count + 1)
        if len(options) > self._count - first:
            raise InvalidArgument(f"options: {len(options)} views from {first} on are not among {self._count}")
        structs = (_native.ViewOptions * len(options))(*(one._struct for one in options))
        for struct in structs:
            struct.clip_planes = structs[0].clip_planes
        views = pointer(self._structs[first]) if options else None
        _native.call(library.lanecull_prepare_caster_views, pointer(matrix), _space(space), pointer(structs),
                     len(structs), None, views, len(structs))

    def is_prepared(self, i: int) -> bool:
        """Whether view i may be culled with."""
        return bool(self._view(i).state != 0)

    def is_exact(self, i: int) -> bool:
        """Whether culls by view i keep nothing that is apart from it by more than the error bound."""
        return bool(library.lanecull_view_is_exact(self._view(i)))

    def sees_nothing(self, i: int) -> bool:
        """Whether it is proved that nothing is in view i's volume: clip planes leave none of it, or the light reaches
        none. Every valid object is culled."""
        return bool(library.lanecull_view_sees_nothing(self._view(i)))

    def _view(self, i: int) -> Any:
        """The struct of view i."""
        place = _arrays.whole(i, "i", max(self._count, 1))
        if self._count == 0:
            raise InvalidArgument("i: there are no views")
        return self._structs[place]
