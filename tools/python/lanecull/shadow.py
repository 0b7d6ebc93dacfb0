"""Shadow maps: where to cut a camera's view into cascades, which matrices to render them with, and views of what casts
into each. <lanecull/shadow.h> has what each function does; nothing is proved about maps, any choice is right."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _native
from ._arrays import numbers
from ._native import library, pointer
from .batch import Batches
from .isa import Isa
from .view import _DEFAULT_SPACE, _space, ClipSpace, ViewOptions, Views

Doubles = NDArray[np.float64]


class WorldBox(NamedTuple):
    """A box in world coordinates. It has no end where a number is infinite or NaN, and is empty if a lower number is
    above the upper one."""

    lower: Doubles
    upper: Doubles


class ShadowMap:
    """A matrix to render a shadow map with, element [row, column], depth 0 to 1; it maps p - origin."""

    def __init__(self, struct: Any) -> None:
        self._struct = struct

    @property
    def clip_from_world(self) -> Doubles:
        """The matrix, (4, 4)."""
        return np.array(self._struct.clip_from_world).reshape(4, 4).T.copy()

    @property
    def origin(self) -> Doubles:
        """What the matrix's coordinates are relative to, (3,)."""
        return np.array(self._struct.clip_space.origin)

    @property
    def space(self) -> ClipSpace:
        """How views read the matrix."""
        return ClipSpace(origin=self.origin)

    @property
    def sides(self) -> Doubles:
        """The planes of the map's sides, left, right, bottom, top, as rows; for PointLight.sides."""
        return np.array([[*plane.normal, plane.offset] for plane in self._struct.sides])

    @property
    def texel_size(self) -> float:
        """A texel's width in world units; of a perspective map, at distance 1."""
        return float(self._struct.texel_size)

    @property
    def is_perspective(self) -> bool:
        """Whether it is a point light's."""
        return self._struct.is_perspective != 0


class Slice:
    """A perspective camera's view between two depths along its view direction."""

    def __init__(self, clip_from_world: ArrayLike, near_depth: float, far_depth: float,
                 space: ClipSpace = _DEFAULT_SPACE) -> None:
        matrix = numbers(clip_from_world, "clip_from_world", (4, 4)).copy()
        self._struct = _native.Slice(clip_from_world=pointer(matrix), clip_space=_space(space),
                                     near_depth=_arrays.real(near_depth, "near_depth"),
                                     far_depth=_arrays.real(far_depth, "far_depth"))


def _box(box: WorldBox, name: str) -> Any:
    return _native.WorldBox(_arrays.triple(box[0], f"{name}.lower"), _arrays.triple(box[1], f"{name}.upper"))


def _reals(**values: float) -> list[float]:
    return [_arrays.real(value, name) for name, value in values.items()]


def _world_box(box: Any) -> WorldBox:
    return WorldBox(np.array(box.lower), np.array(box.upper))


def _seen(batches: Batches, visible: NDArray[np.uint64]) -> tuple[Any, Any, int]:
    """The objects, and the words of those that are seen."""
    _arrays.instance(batches, Batches, "batches")
    words = _arrays.stream(visible, "visible", np.uint64, batches.visibility_words)
    return batches._objects, pointer(words), len(words)


def visible_bounds(batches: Batches, visible: NDArray[np.uint64], isa: Isa = Isa.AUTOMATIC) -> WorldBox:
    """A box around all objects whose bits are set; `visible` is a row of Cull.visible."""
    bounds = _native.WorldBox()
    options = _native.WorldBoundsOptions(isa=_arrays.whole(isa, "isa"))
    _native.call(library.lanecull_visible_bounds, *_seen(batches, visible), options, bounds)
    return _world_box(bounds)


def split_depths(near_depth: float, far_depth: float, slices: int, logarithmic: float = 0.5) -> Doubles:
    """The ends of so many slices: slices + 1 depths from near to far. logarithmic: 0, equally long, to 1, each ends at
    the same multiple of where it begins."""
    depths = np.zeros(_arrays.whole(slices, "slices") + 1)
    given = _reals(near_depth=near_depth, far_depth=far_depth, logarithmic=logarithmic)
    _native.call(library.lanecull_split_depths, *given, pointer(depths), len(depths))
    return depths


def slice_bounds(batches: Batches, visible: NDArray[np.uint64], clip_from_world: ArrayLike, depths: ArrayLike,
                 space: ClipSpace = _DEFAULT_SPACE, isa: Isa = Isa.AUTOMATIC) -> list[WorldBox]:
    """Of each of at most 8 slices between depths of a camera's view: a box around what may reach into it."""
    matrix, ends = numbers(clip_from_world, "clip_from_world", (4, 4)), numbers(depths, "depths", (None,))
    bounds = (_native.WorldBox * max(len(ends) - 1, 0))()
    options = _native.WorldBoundsOptions(isa=_arrays.whole(isa, "isa"))
    _native.call(library.lanecull_slice_bounds, *_seen(batches, visible), pointer(matrix), _space(space),
                 pointer(ends), len(ends), options, pointer(bounds), len(bounds))
    return [_world_box(one) for one in bounds]


def fit_directional_map(slice: Slice, receivers: WorldBox, toward: ArrayLike, up: ArrayLike = (0, 1, 0),
                        texels: int = 2048, is_tight: bool = False) -> ShadowMap:
    """An orthographic map around the part of the slice that is in the box. up: in the map, not along `toward`.
    is_tight: it fits the receivers; else it moves by whole texels, so that shadows do not shimmer."""
    _arrays.instance(slice, Slice, "slice")
    shadow_map, box = _native.ShadowMap(), _box(receivers, "receivers")
    options = _native.DirectionalMapOptions(toward=_arrays.triple(toward, "toward"), up=_arrays.triple(up, "up"),
                                            texels=_arrays.whole(texels, "texels"), is_tight=bool(is_tight))
    _native.call(library.lanecull_fit_directional_map, slice._struct, box, options, shadow_map)
    return ShadowMap(shadow_map)


def prepare_cascade_casters(views: Views, i: int, slice: Slice, receivers: WorldBox, options: ViewOptions) -> None:
    """View i becomes that of what casts shadows, by options.light, into the part of the slice that is in the box; at
    most 2 clip planes."""
    box = _box(receivers, "receivers")
    _arrays.instance(views, Views, "views")
    _arrays.instance(slice, Slice, "slice")
    _arrays.instance(options, ViewOptions, "options")
    _native.call(library.lanecull_prepare_cascade_casters, slice._struct, box, options._struct, views._view(i))


def prepare_covered(views: Views, i: int, directional_map: ShadowMap, border: float = 0.0) -> None:
    """View i finds, as `inside`, what need not be rendered into coarser maps than this."""
    _arrays.instance(views, Views, "views")
    _arrays.instance(directional_map, ShadowMap, "directional_map")
    _native.call(library.lanecull_prepare_covered, directional_map._struct, _arrays.real(border, "border"),
                 views._view(i))


def spot_map(at: ArrayLike, forward: ArrayLike, up: ArrayLike, tan_x: float, tan_y: float, near_depth: float,
             far_depth: float, texels: int = 512) -> ShadowMap:
    """A perspective map of a point light at `at`; tan_x and tan_y are half its width and height at distance 1."""
    given = [numbers(value, name, (3,)) for value, name in ((at, "at"), (forward, "forward"), (up, "up"))]
    shadow_map = _native.ShadowMap()
    _native.call(library.lanecull_spot_map, *map(pointer, given),
                 *_reals(tan_x=tan_x, tan_y=tan_y, near_depth=near_depth, far_depth=far_depth),
                 _arrays.whole(texels, "texels"), shadow_map)
    return ShadowMap(shadow_map)


def cube_map_face(at: ArrayLike, face: int, near_depth: float, far_depth: float, texels: int = 512) -> ShadowMap:
    """Face 0 to 5 of a point light's cube map: +x -x +y -y +z -z."""
    point, shadow_map = numbers(at, "at", (3,)), _native.ShadowMap()
    _native.call(library.lanecull_cube_map_face, pointer(point), _arrays.whole(face, "face"),
                 *_reals(near_depth=near_depth, far_depth=far_depth), _arrays.whole(texels, "texels"), shadow_map)
    return ShadowMap(shadow_map)


def engine_map(clip_from_world: ArrayLike, width: int, height: int, space: ClipSpace = _DEFAULT_SPACE) -> ShadowMap:
    """The map of width times height texels that an engine draws with a matrix of its own: its sides for
    ViewOptions.clip_planes or PointLight.sides, its texel_size that of the wider of a texel's two sides."""
    matrix, shadow_map = numbers(clip_from_world, "clip_from_world", (4, 4)), _native.ShadowMap()
    _native.call(library.lanecull_engine_map, pointer(matrix), _space(space), _arrays.whole(width, "width"),
                 _arrays.whole(height, "height"), shadow_map)
    return ShadowMap(shadow_map)
