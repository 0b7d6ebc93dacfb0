"""Clustered shading: which lights reach which cells of a view. <lanecull/light_grid.h> says what a cell is, exactly."""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _native
from ._native import library, pointer, span
from .batch import Floats, Spheres, Uints
from .errors import InvalidArgument
from .isa import Isa
from .occluder import Occluders, Sight
from .shadow import WorldBox
from .view import _DEFAULT_SPACE, _space, ClipSpace


class Spots:
    """Spotlights: cones with their apex at `at`, along `axis` of any length, up to `range`; `tangent` is that of half
    the opening angle. is_flat: they end in a disc, not in a part of a ball. The arrays are not copied."""

    def __init__(self, at: Floats | Sequence[Floats], range: Floats, axis: Floats | Sequence[Floats], tangent: Floats,
                 is_flat: bool = False) -> None:
        apex = _arrays.coordinates(at, "at")
        count = len(apex[0])
        way = _arrays.coordinates(axis, "axis", count)
        streams = [*apex, _arrays.stream(range, "range", count=count), *way,
                   _arrays.stream(tangent, "tangent", count=count)]
        names = ("x", "y", "z", "range", "axis_x", "axis_y", "axis_z", "tangent")
        self._struct = _native.Spots(**dict(zip(names, map(pointer, streams))), count=count, end=int(is_flat))
        self._count = count

    def __len__(self) -> int:
        return self._count


class LightLists(NamedTuple):
    """Cell (k, j, i), a slice, a row and a tile, has number c = (k tiles_y + j) tiles_x + i, and its lights are
    indices[offsets[c]:offsets[c + 1]], ascending. The balls are numbered first, then the spots."""

    offsets: Uints
    indices: Uints


def _lights(balls: Spheres | None, spots: Spots | None, layers: Uints | None,
            visible: NDArray[np.uint64] | None = None) -> tuple[Any, int]:
    """The lights, and how many there are."""
    given = _native.Lights()
    if balls is not None:
        given.balls = _arrays.instance(balls, Spheres, "balls")._struct
    if spots is not None:
        given.spots = _arrays.instance(spots, Spots, "spots")._struct
    count = given.balls.count + given.spots.count
    if layers is not None:
        given.layers = pointer(_arrays.stream(layers, "layers", np.uint32, count))
    if visible is not None:
        given.visible = span(_native.ConstWords, _arrays.stream(visible, "visible", np.uint64, (count + 63) // 64))
    return given, count


def cull_lights(clip_from_world: ArrayLike, *, balls: Spheres | None = None, spots: Spots | None = None,
                layers: Uints | None = None, hidden_layers: int = 0, bounds: WorldBox | None = None,
                occluders: Occluders | None = None, space: ClipSpace = _DEFAULT_SPACE,
                isa: Isa = Isa.AUTOMATIC) -> NDArray[np.uint64]:
    """Bits of the lights that light something that is seen, one a light. bounds: a box around all that is seen and lit,
    as visible_bounds() finds it; occluders: solids that hide what is behind them."""
    matrix = _arrays.numbers(clip_from_world, "clip_from_world", (4, 4))
    given, count = _lights(balls, spots, layers)
    grid = _native.LightGrid(clip_from_world=pointer(matrix), clip_space=_space(space),
                             hidden_layers=_arrays.whole(hidden_layers, "hidden_layers"))
    receivers = _native.LightReceivers()
    if bounds is not None:
        receivers.bounds = pointer(_native.WorldBox(lower=_arrays.triple(bounds.lower, "bounds.lower"),
                                                    upper=_arrays.triple(bounds.upper, "bounds.upper")))
    if occluders is not None:
        receivers.occluders = span(_native.Occluders, _arrays.instance(occluders, Occluders, "occluders")._structs)
        receivers.occluders.count = len(occluders)
    visible = np.empty((count + 63) // 64, np.uint64)
    scratch = np.empty(library.lanecull_light_scratch_bytes(1, 1, 1, count), np.uint8)
    options = _native.LightOptions(isa=_arrays.whole(isa, "isa"))
    _native.call(library.lanecull_cull_lights, grid, given, receivers, options, pointer(visible), len(visible),
                 pointer(scratch), len(scratch))
    return visible


def assign_lights(clip_from_world: ArrayLike, tiles: tuple[int, int], boundaries: ArrayLike, *,
                  balls: Spheres | None = None, spots: Spots | None = None, layers: Uints | None = None,
                  hidden_layers: int = 0, visible: NDArray[np.uint64] | None = None,
                  space: ClipSpace = _DEFAULT_SPACE, sight: Sight = Sight.GROWING_DEPTH,
                  isa: Isa = Isa.AUTOMATIC) -> LightLists:
    """The lights that reach each cell of a view that is cut into tiles (across, up) and into slices between depths,
    one more of these than slices; split_depths() makes them. layers: one a light. visible: bits of cull_lights(); the
    others reach no cell."""
    matrix = _arrays.numbers(clip_from_world, "clip_from_world", (4, 4))
    depths = _arrays.numbers(boundaries, "boundaries", (None,))
    across, up = (_arrays.whole(number, "tiles") for number in tiles)
    given, count = _lights(balls, spots, layers, visible)
    grid = _native.LightGrid(clip_from_world=pointer(matrix), clip_space=_space(space), tiles_x=across, tiles_y=up,
                             boundaries=span(_native.Depths, depths), sight=_arrays.whole(sight, "sight"),
                             hidden_layers=_arrays.whole(hidden_layers, "hidden_layers"))
    if not (1 <= across <= 64 and 1 <= up <= 64 and 2 <= len(depths) <= 129):
        raise InvalidArgument("tiles, boundaries: 1 to 64 tiles each way, and 2 to 129 depths")
    scratch = np.empty(library.lanecull_light_scratch_bytes(across, up, len(depths) - 1, count), np.uint8)
    offsets = np.empty(across * up * (len(depths) - 1) + 1, np.uint32)
    options = _native.LightOptions(isa=_arrays.whole(isa, "isa"), runner=_native.runner)
    indices = np.empty(16 * count, np.uint32)
    while True:
        lists = _native.LightLists(offsets=span(_native.Indices, offsets), indices=span(_native.Indices, indices))
        _native.call(library.lanecull_assign_lights, grid, given, options, lists, pointer(scratch), len(scratch))
        if lists.entry_count <= len(indices):
            return LightLists(offsets, indices[:lists.entry_count])
        indices = np.empty(lists.entry_count, np.uint32)
