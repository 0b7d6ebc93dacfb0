"""Ordered scenes: objects, owned by the scene and sorted by place into blocks with boxes around them, so that most are
culled or kept with their block.

Objects are copied from batches, and named by handles, which stay. Edits change the scene at once; `refit()` must follow
them before the next cull. <lanecull/scene.h> has what each edit does and costs.
"""

from __future__ import annotations

import contextlib
import ctypes
import enum
import os
from typing import Any, Iterator, NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _native, errors
from ._native import library, pointer
from ._outputs import Run, point_to
from .batch import DRAW_COMMAND, Attributes, Batch, Batches, Floats, Shapes, Uints
from .culling import VISIBLE_RUN, ListOrder, Method
from .isa import Isa
from .occluder import Occluders
from .view import Views

NO_LOD = 255
"""An object has no level of detail yet."""


class Mobility(enum.IntEnum):
    """How objects are kept: a hint."""

    FIXED = 0
    MOVING = 1


class Refit(enum.IntEnum):
    """What refit() does with the boxes of blocks."""

    TIGHT = 0
    GROWN = 1
    """Boxes that edits have enlarged stay enlarged: costs almost nothing."""


class BlockOutcome(enum.IntEnum):
    """What became of a block."""

    OUTSIDE = 0
    INSIDE = 1
    MIXED = 2
    HIDDEN = 3


class PartialRebuild(NamedTuple):
    """What became of rebuild_within()."""

    blocks: int
    objects: int
    all_seen: bool


def _batches(batches: Batches | Batch | Shapes) -> Batches:
    return batches if isinstance(batches, Batches) else Batches(batches)


class Scene:
    """An ordered scene. `len()` is the number of objects.

    Threads: culls and properties may overlap in time; edits need the scene to themselves.
    """

    def __init__(self) -> None:
        self._owned = _native.Owned(library.lanecull_create_scene, library.lanecull_destroy_scene)
        self._edits = 0  # by which SceneCulls notice that sizes may have changed

    def __len__(self) -> int:
        return int(library.lanecull_scene_object_count(self._owned))

    def add(self, batches: Batches | Batch | Shapes, mobility: Mobility = Mobility.FIXED,
            origin: ArrayLike = (0, 0, 0)) -> Uints:
        """Adds copies of all objects, whose coordinates are relative to `origin`, and returns their handles, counted
        through all batches."""
        given = _batches(batches)
        handles = np.zeros(given.object_count, np.uint32)
        options = _native.AddOptions(mobility=_arrays.whole(mobility, "mobility"),
                                     origin=_arrays.triple(origin, "origin"))
        self._edit(library.lanecull_scene_add, pointer(given._structs), len(given), options, _native.runner,
                   pointer(handles), len(handles))
        return handles

    def remove(self, handles: Uints) -> None:
        """Removes objects."""
        self._edit(library.lanecull_scene_remove, *self._named(handles))

    def replace(self, handles: Uints, batch: Batch | Shapes) -> None:
        """Object i of the batch, with attributes and draw command, replaces the object named handles[i]."""
        named, given = self._named(handles), self._as_many(handles, batch)
        self._edit(library.lanecull_scene_replace, *named, given._structs[0])

    def move(self, handles: Uints, offsets: Floats | Sequence[Floats]) -> None:
        """Adds offsets, coordinates of shape (3, n), to those of the objects."""
        named = self._named(handles)
        way = _arrays.coordinates(offsets, "offsets", len(handles))
        self._edit(library.lanecull_scene_move, *named, *map(pointer, way))

    def place(self, handles: Uints, batch: Batch | Shapes) -> None:
        """Object i of the batch says where the object named handles[i], of the same kind, is from now on."""
        named, given = self._named(handles), self._as_many(handles, batch)
        self._edit(library.lanecull_scene_place, *named, given._structs[0], _native.runner)

    def set_attributes(self, handles: Uints, attributes: Attributes) -> None:
        """Entry i of each stream that is given is from now on that attribute of the object named handles[i]."""
        named = self._named(handles)
        _arrays.instance(attributes, Attributes, "attributes")._check_count(len(handles))
        self._edit(library.lanecull_scene_set_attributes, *named, attributes._struct)

    def refit(self, refit: Refit = Refit.TIGHT) -> None:
        """Brings the boxes up to date with all edits: needed between edits and culls."""
        self._edit(library.lanecull_scene_refit, _arrays.whole(refit, "refit"), _native.runner)

    def rebuild_within(self, seconds: float) -> PartialRebuild:
        """Moves objects that left their blocks into better ones, for so long."""
        if not 0 <= _arrays.real(seconds, "seconds") < 1e9:
            raise errors.InvalidArgument(f"seconds: must be from 0 to 1e9, not {seconds}")
        done = _native.PartialRebuild()
        self._edit(library.lanecull_scene_rebuild_within, int(seconds * 1e9), done)
        return PartialRebuild(done.blocks, done.objects, bool(done.all_seen))

    def rebuild(self) -> None:
        """Sorts everything again."""
        self._edit(library.lanecull_scene_rebuild, _native.runner)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the scene to a file, which appears whole or not at all."""
        with _naming(path):
            _native.call(library.lanecull_scene_save, self._owned, _path(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Scene:
        """The scene of a file."""
        scene = cls()
        with _naming(path):
            scene._edit(library.lanecull_scene_load, _path(path), _native.runner)
        return scene

    @classmethod
    def load_from_memory(cls, file: bytes | bytearray | memoryview | NDArray[Any]) -> Scene:
        """The scene of a file's bytes."""
        scene = cls()
        held = np.frombuffer(file, np.uint8)
        scene._edit(library.lanecull_scene_load_from_memory, pointer(held), len(held), _native.runner)
        return scene

    @property
    def is_stale(self) -> bool:
        """Whether there are edits since the last refit."""
        return bool(library.lanecull_scene_is_stale(self._owned))

    @property
    def cost(self) -> float:
        """How much larger blocks are than when they were sorted; beyond 2 or so rebuild() pays."""
        return float(library.lanecull_scene_cost(self._owned))

    @property
    def handle_limit(self) -> int:
        """All handles are below it."""
        return int(library.lanecull_scene_handle_limit(self._owned))

    @property
    def slot_count(self) -> int:
        """All slots are below it."""
        return int(library.lanecull_scene_slot_count(self._owned))

    @property
    def block_count(self) -> int:
        """How many blocks there are."""
        return int(library.lanecull_scene_block_count(self._owned))

    @property
    def nbytes(self) -> int:
        """Memory that the scene takes."""
        return int(library.lanecull_scene_bytes(self._owned))

    def slots_of(self, handles: Uints | Sequence[int]) -> Uints:
        """The slots of objects, for reading bits. Edits change slots."""
        slot = ctypes.c_uint32()
        found = []
        for handle in handles:
            _native.call(library.lanecull_scene_slot_of, self._owned, _arrays.whole(handle, "handles"), pointer(slot))
            found.append(slot.value)
        return np.array(found, np.uint32)

    def _objects(self) -> Any:
        """What is culled."""
        return _native.Objects(scene=pointer(self._owned))

    def _edit(self, function: Any, *arguments: Any) -> None:
        self._edits += 1
        _native.call(function, self._owned, *arguments)

    @staticmethod
    def _named(handles: Uints) -> tuple[Any, int]:
        named = _arrays.stream(handles, "handles", np.uint32)
        return pointer(named), len(named)

    @staticmethod
    def _as_many(handles: Uints, batch: Batch | Shapes) -> Batches:
        """The batch alone, with as many objects as there are handles."""
        if isinstance(batch, Batches):
            raise errors.InvalidArgument("batch: must be one batch")
        given = Batches(batch)
        if given.object_count != len(handles):
            raise errors.InvalidArgument(f"batch: must have {len(handles)} objects, one a handle, not "
                                         f"{given.object_count}")
        return given


def _path(path: str | os.PathLike[str]) -> Any:
    """A path as C takes it, in UTF-8."""
    encoded = os.fspath(path).encode()
    if b"\0" in encoded:
        raise errors.InvalidArgument("path: must have no null character")
    return ctypes.c_char_p(encoded)


@contextlib.contextmanager
def _naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Says of which file it is that something fails."""
    try:
        yield
    except (errors.SystemFailure, errors.BadFile) as failure:
        raise type(failure)(f"{os.fspath(path)}: {str(failure).removeprefix('path: ')}") from None


class Lod:
    """Levels of detail: the number of thresholds, projected sizes each less than the one before, at most 15, that an
    object's projected size is below. With a hysteresis above 0 an object keeps its level until its size leaves that
    level's interval by this fraction."""

    def __init__(self, thresholds: ArrayLike, hysteresis: float = 0.0) -> None:
        self._thresholds = np.array(thresholds, np.float32)
        _arrays.check_shape(self._thresholds, "thresholds", (None,))
        self._hysteresis = _arrays.real(hysteresis, "hysteresis")


class SceneCull(Run):
    """Calls of lanecull_cull() for a scene, made once and run often, as Cull is.

    Outputs are chosen by True. The memory belongs to the SceneCull, and is another one after edits of the scene. V is
    the number of views, S that of slots, which the scene's order counts objects by.

    handles, slots      uint32: handles or slots of visible objects, in the scene's order
    visible, inside     uint64 (V, words): bits by slot; visible; wholly inside the volume
    runs                VISIBLE_RUN: runs of consecutive slots with visible objects
    draws               DRAW_COMMAND: the draw commands of visible objects
    distances           float32: a lower bound of each visible object's distance from the view's eye
    lod                 a Lod: uint8: the level of each visible object
    block_outcomes      uint8 (V, blocks): BlockOutcome of each block
    statistics          reasons of the objects that were tested one by one

    order, a ListOrder, is that of handles, slots and draws, and takes neither distances nor lod; keys, uint32, are by
    handle. candidates, uint64 (words,) or (V, words), is read, by slot; it must be given anew after edits. occluders: as for
    Cull. Threads: as for Cull.
    """

    def __init__(self, scene: Scene, views: Views, *, first_view: int = 0, view_count: int | None = None,
                 handles: bool = True, slots: bool = False, visible: bool = False, inside: bool = False,
                 runs: bool = False, draws: bool = False, distances: bool = False, lod: Lod | None = None,
                 block_outcomes: bool = False, statistics: bool = False,
                 candidates: NDArray[np.uint64] | None = None,
                 occluders: Occluders | Sequence[Occluders | None] | None = None,
                 order: ListOrder = ListOrder.ASCENDING, keys: Uints | None = None, method: Method = Method.AUTOMATIC,
                 isa: Isa = Isa.AUTOMATIC) -> None:
        super().__init__(statistics, views, first_view, view_count, occluders, method, isa)
        self._take_order(order, keys)
        self.scene = _arrays.instance(scene, Scene, "scene")
        self._of_scene = _native.array(_native.SceneOutput, self._count)
        for output, of_scene in zip(self._outputs, self._of_scene):
            output.scene = pointer(of_scene)
        self._wanted = {"handles": handles, "slots": slots, "visible": visible, "inside": inside, "runs": runs,
                        "draws": draws, "distances": distances, "levels": lod is not None,
                        "block_outcomes": block_outcomes, "hints": True}
        self._lod: Lod | None = _arrays.instance(lod, (Lod, type(None)), "lod")
        self.candidates = candidates
        """May be set anew, between runs."""
        self._planned_edits = -1
        self._latest = np.zeros((self._count, 0), np.uint8)

    def __call__(self) -> SceneCull:
        """Runs it and returns itself."""
        with self._turn:
            if self._planned_edits != self.scene._edits:
                self._plan()
            self._point_to_candidates()
            self._run()
        return self

    def _plan(self) -> None:
        """Takes memory for a scene of the size that it has now."""
        edits, objects = self.scene._edits, self.scene._objects()
        slots, words = self.scene.slot_count, int(library.lanecull_visibility_words(objects))
        hint_bytes = int(library.lanecull_scene_hint_bytes(self.scene._owned))
        shapes: dict[str, tuple[int, Any, Any, str]] = {
            "handles": (slots, np.uint32, self._of_scene, "handles"),
            "slots": (slots, np.uint32, self._outputs, "indices"),
            "visible": (words, np.uint64, self._outputs, "visible"),
            "inside": (words, np.uint64, self._outputs, "inside"),
            "runs": (slots // 2 + 1, VISIBLE_RUN, self._outputs, "runs"),
            "draws": (slots, DRAW_COMMAND, self._outputs, "draws"),
            "block_outcomes": (self.scene.block_count, np.uint8, self._of_scene, "block_outcomes"),
            "hints": (hint_bytes, np.uint8, self._of_scene, "hints")}
        memory: dict[str, Any] = {}
        for name, (length, dtype, structs, field) in shapes.items():
            if self._wanted[name]:
                memory[name] = np.zeros((self._count, length), dtype)
                point_to(structs, field, memory[name])
        self._plan_lod(memory, slots)
        self._prepare_calls(objects)
        self._memory, self._planned_edits, self._words = memory, edits, words

    def _plan_lod(self, memory: dict[str, Any], slots: int) -> None:
        """The same for distances and levels. Levels of before stay."""
        lods = [of_scene.lod for of_scene in self._of_scene]
        if self._wanted["distances"]:
            memory["distances"] = np.zeros((self._count, slots), np.float32)
            point_to(lods, "distances", memory["distances"])
        if self._lod is not None:
            memory["levels"] = np.zeros((self._count, slots), np.uint8)
            point_to(lods, "levels", memory["levels"])
            thresholds = np.broadcast_to(self._lod._thresholds, (self._count, len(self._lod._thresholds)))
            point_to(lods, "thresholds", thresholds)
            for lod in lods:
                lod.hysteresis = self._lod._hysteresis
            if self._lod._hysteresis != 0:
                latest = np.full((self._count, self.scene.handle_limit), NO_LOD, np.uint8)
                kept = min(latest.shape[1], self._latest.shape[1])
                latest[:, :kept] = self._latest[:, :kept]
                self._latest = latest
                point_to(lods, "latest", latest)

    def _point_to_candidates(self) -> None:
        given = self.candidates
        if given is None:
            for output in self._outputs:
                output.candidates = _native.ConstWords()
            return
        _arrays.check_candidates(given, self._count, self._words)
        point_to(self._outputs, "candidates", np.broadcast_to(given, (self._count, self._words)))

    @property
    def block_outcomes(self) -> NDArray[np.uint8]:
        """What became of each block, (V, blocks)."""
        return self._rows("block_outcomes")

    def handles(self, view: int = 0) -> Uints:
        """The handles of that view's visible objects."""
        return self._list("handles", view, int(self.counts[view]))

    def slots(self, view: int = 0) -> Uints:
        """Their slots."""
        return self._list("slots", view, int(self.counts[view]))

    def distances(self, view: int = 0) -> Floats:
        """Their distances from the eye, never more than the true ones."""
        return self._list("distances", view, int(self.counts[view]))

    def levels(self, view: int = 0) -> NDArray[np.uint8]:
        """Their levels of detail."""
        return self._list("levels", view, int(self.counts[view]))
