"""Baked visibility: for each cell of a world, the objects that may be seen from anywhere in it. <lanecull/visibility.h>
has what is proved, and what the caller answers for: solids are opaque, drawn wherever the objects are, and stand still.

    world = lanecull.BakeScene(scene, lower, upper)             # boxes that lie inside what is drawn
    grid = lanecull.CellGrid(lower=(0, 0, 1), upper=(100, 100, 3), size=(10, 10, 2))
    lanecull.bake(world, grid, "level.visibility", near_reach=0.3)
    baked = lanecull.Visibility("level.visibility")
    words = baked.read(baked.grid.find(eye))                    # a SceneCull's candidates
"""

from __future__ import annotations

import ctypes
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _native
from ._native import pointer, span
from .batch import Uints
from .errors import Unsupported
from .isa import Isa
from .occluder import _boxes
from .scene import Scene, _naming, _path
from .threads import thread_count


def _part() -> Any:
    if _native.visibility is None:
        raise Unsupported("this build has no baked visibility: liblanecull_visibility is not beside lanecull's library")
    return _native.visibility


class CellGrid:
    """Cells of that size, boxes along the axes, which begin at `lower` and cover all up to `upper`. `len()` is how many
    there are; `count` along each axis. Cell x + count[0] (y + count[1] z) has the x-th place along the first."""

    def __init__(self, lower: ArrayLike, upper: ArrayLike, size: ArrayLike) -> None:
        given = [_arrays.numbers(value, name, (3,)) for value, name in
                 ((lower, "lower"), (upper, "upper"), (size, "size"))]
        self._struct = _native.CellGrid()
        _native.call(_part().lanecull_cover_with_cells, *map(pointer, given), self._struct)

    def __len__(self) -> int:
        x, y, z = self.count
        return x * y * z

    @property
    def count(self) -> tuple[int, int, int]:
        """Cells along each axis."""
        return tuple(self._struct.count)  # type: ignore[return-value]

    def find(self, point: ArrayLike) -> int | None:
        """The number of the cell that contains a point."""
        cell = ctypes.c_uint64()
        at = _arrays.numbers(point, "point", (3,))
        return cell.value if _part().lanecull_find_cell(self._struct, pointer(at), pointer(cell)) else None


class BakeScene:
    """A scene, which must not change any more, and solid boxes that hide in it: corners (n, 3), rounded inward to
    floats. Calls that bake may overlap in time."""

    def __init__(self, scene: Scene, lower: ArrayLike, upper: ArrayLike) -> None:
        self.scene = _arrays.instance(scene, Scene, "scene")
        boxes = _boxes(np.transpose(_arrays.numbers(lower, "lower", (None, 3))),
                       np.transpose(_arrays.numbers(upper, "upper", (None, 3))), (3, None), np.inf)
        part = _part()
        self._owned = _native.Owned(part.lanecull_create_bake_scene, part.lanecull_destroy_bake_scene)
        solids = _native.SolidSet(boxes=span(_native.ConstSolidBoxes, boxes))
        _native.call(part.lanecull_bake_scene_prepare, self._owned, scene._owned, solids, _native.runner)

    def bake(self, grid: CellGrid, cell: int, *, near_reach: float = 0.0, distance: float = np.inf,
             max_occluders: int = 0, max_parts: int = 0, isa: Isa = Isa.AUTOMATIC) -> NDArray[np.uint64]:
        """What may be seen from a cell of the grid, by slot: bits as a SceneCull's candidates are. near_reach: no corner
        of a camera's near plane is farther from its eye. distance: objects farther from the cell are left out."""
        options = _native.BakeOptions(
            near_reach=_arrays.real(near_reach, "near_reach"), distance=_arrays.real(distance, "distance"),
            max_occluders=_arrays.whole(max_occluders, "max_occluders"),
            max_parts=_arrays.whole(max_parts, "max_parts"), isa=_arrays.whole(isa, "isa"))
        part, corners = _part(), _native.ConvexCell()
        _native.call(part.lanecull_cell_of, _arrays.instance(grid, CellGrid, "grid")._struct,
                     _arrays.whole(cell, "cell", 2**64), corners)
        words = np.zeros(part.lanecull_bake_scene_visibility_words(self._owned), np.uint64)
        scratch = np.empty(part.lanecull_bake_scene_scratch_bytes(self._owned), np.uint8)
        _native.call(part.lanecull_bake_cell, self._owned, corners, options, pointer(scratch), len(scratch),
                     pointer(words), len(words), None)
        return words


def bake(world: BakeScene, grid: CellGrid, path: str | os.PathLike[str], **options: Any) -> None:
    """Bakes all cells, on the package's threads, and writes their sets to a file, which appears whole or not at all.
    options: those of BakeScene.bake()."""
    part = _part()
    slots = _arrays.instance(world, BakeScene, "world").scene.slot_count
    about = _native.VisibilityHeader(
        objects=slots, fingerprint=part.lanecull_visibility_fingerprint(world.scene._owned),
        grid=_arrays.instance(grid, CellGrid, "grid")._struct,
        options=_native.BakeOptions(near_reach=options.get("near_reach", 0.0), distance=options.get("distance", np.inf)))
    writer = _native.Owned(part.lanecull_create_visibility_writer, part.lanecull_destroy_visibility_writer)
    with _naming(path):
        _native.call(part.lanecull_visibility_writer_open, writer, _path(path), about)
    with ThreadPoolExecutor(thread_count()) as pool:
        for words in pool.map(lambda cell: world.bake(grid, cell, **options), range(len(grid))):
            _native.call(part.lanecull_visibility_writer_add, writer, pointer(words), len(words))
    with _naming(path):
        _native.call(part.lanecull_visibility_writer_commit, writer)


class Visibility:
    """A file of baked sets, which stays open with this. `len()` is its number of cells. Calls may overlap in time."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        part = _part()
        self._owned = _native.Owned(part.lanecull_create_visibility, part.lanecull_destroy_visibility)
        with _naming(path):
            _native.call(part.lanecull_visibility_open, self._owned, _path(path))
        self._header = _native.VisibilityHeader()
        part.lanecull_visibility_get_header(self._owned, self._header)

    def __len__(self) -> int:
        return int(_part().lanecull_visibility_cell_count(self._owned))

    @property
    def grid(self) -> CellGrid:
        """Where the cells are."""
        grid = CellGrid.__new__(CellGrid)
        grid._struct = _native.CellGrid.from_buffer_copy(self._header.grid)
        return grid

    def is_of(self, scene: Scene) -> bool:
        """Whether the sets were baked of a scene with the same objects in the same slots."""
        found = _part().lanecull_visibility_fingerprint(_arrays.instance(scene, Scene, "scene")._owned)
        return bool(found == self._header.fingerprint)

    def read(self, cell: int) -> NDArray[np.uint64]:
        """What may be seen from a cell: bits by slot, a SceneCull's candidates."""
        words = np.zeros(_part().lanecull_visibility_set_words(self._owned), np.uint64)
        _native.call(_part().lanecull_visibility_read, self._owned, _arrays.whole(cell, "cell", 2**64), pointer(words),
                     len(words))
        return words

    def slots(self, cell: int) -> Uints:
        """The same as slots, ascending."""
        return np.flatnonzero(_arrays.bits(self.read(cell), int(self._header.objects))).astype(np.uint32)
