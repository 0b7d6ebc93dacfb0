"""Culling: which objects of these batches share no point with these views?

A Cull is a call made once and run often: memory for its outputs is taken when it is made, and running it reads the
arrays and views as they are then. <lanecull/cull.h> has the rules of outputs in full.
"""

from __future__ import annotations

import enum
from typing import Any, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _arrays, _native, errors
from ._native import span
from ._outputs import MOST_VIEWS, Run, explain, point_to
from .batch import DRAW_COMMAND, Batch, Batches, Shapes
from .isa import Isa
from .occluder import Occluders
from .view import Views

CERTIFICATE = _arrays.dtype_of(_native.Certificate)
"""Why an object was kept or culled: reason (Reason), steps, occluder, far_depth, gap, direction; <lanecull/cull.h>
has what they prove."""
VISIBLE_RUN = _arrays.dtype_of(_native.VisibleRun)
"""`count` visible objects in a row, from index `first` on."""
BATCH_RANGE = _arrays.dtype_of(_native.BatchRange)
"""Where a batch's visible objects stand in the list of indices: `count` from `first` on."""


class Method(enum.IntEnum):
    """Which tests decide. None culls a visible object."""

    AUTOMATIC = 0
    """Exact."""
    PLANES = 1
    """What lies wholly behind one plane alone is culled."""


class ListOrder(enum.IntEnum):
    """The order of lists."""

    ASCENDING = 0
    FRONT_TO_BACK = 1
    BACK_TO_FRONT = 2
    BY_KEY = 3
    """By ascending keys, and front to back among those of one key."""


class Reason(enum.IntEnum):
    """Why an object was kept or culled."""

    CULLED_PLANE = 0
    CULLED_GJK = 1
    CULLED_DISTANCE = 2
    CULLED_NEAR = 3
    CULLED_SIZE = 4
    CULLED_DISABLED = 5
    CULLED_LAYER = 6
    CULLED_CANDIDATE = 7
    CULLED_OCCLUDED = 8
    VISIBLE_ALWAYS = 9
    VISIBLE_INSIDE = 10
    VISIBLE_VERTEX = 11
    VISIBLE_OVERLAP = 12
    VISIBLE_TOUCHING = 13
    VISIBLE_CAP = 14
    VISIBLE_PLANES = 15
    VISIBLE_INVALID = 16


class Cull(Run):
    """One call of lanecull_cull(), or several where there are more than 64 views.

    It tests every object of `batches` against views first_view to first_view + view_count - 1 of `views` (None: all
    from first_view on), whenever it is run by calling it. Which outputs it writes is said once. For each of the
    following, True takes memory, False leaves it out, and an array of that dtype and shape, contiguous, is written in
    place. V is the number of views, N that of objects, W = batches.visibility_words.

    visible, inside     uint64 (V, W): bit i % 64 of word i / 64: object i is visible; lies wholly inside the volume
    indices             uint32 (V, C): indices of visible objects, the first C of them; True: C = N
    runs                VISIBLE_RUN (V, C): runs of consecutive visible objects; True: C = N // 2 + len(batches)
    draws               DRAW_COMMAND (V, C): the draw commands of visible objects; True: C = N
    batch_ranges        BATCH_RANGE (V, len(batches)): each batch's part of indices and draws
    certificates        CERTIFICATE (V, N): why each object was kept or culled; for explaining
    view_masks          uint64 (N,): bit v: visible in view v; at most 64 views
    statistics          True or False

    order, a ListOrder, is that of indices and draws; with batch_ranges of each batch's part. BY_KEY reads keys, uint32,
    one for each index, contiguous or a field of structs.

    candidates, uint64 (W,) for all views or (V, W), is read: an object whose bit is clear is culled. occluders, one
    list for all views or a sequence of V lists or None, hide objects; their viewpoint is the view's.

    Outputs belong to the Cull, or to whoever gave them, and are overwritten when it is run again: copy what must stay.
    Memory for lists costs nothing where nothing is written to it.
    Threads: runs of one Cull take turns; different Culls may run at once, over the same batches and views. ctypes lets
    other threads of Python go on meanwhile. Nobody may write the arrays or prepare the views while a Cull that reads
    them runs.
    """

    def __init__(self, batches: Batches | Batch | Shapes, views: Views, *, first_view: int = 0,
                 view_count: int | None = None, visible: bool | NDArray[np.uint64] = True,
                 indices: bool | NDArray[np.uint32] = True, inside: bool | NDArray[np.uint64] = False,
                 runs: bool | NDArray[Any] = False, draws: bool | NDArray[Any] = False,
                 batch_ranges: bool | NDArray[Any] = False, certificates: bool | NDArray[Any] = False,
                 view_masks: bool | NDArray[np.uint64] = False, statistics: bool = False,
                 candidates: NDArray[np.uint64] | None = None,
                 occluders: Occluders | Sequence[Occluders | None] | None = None,
                 order: ListOrder = ListOrder.ASCENDING, keys: NDArray[np.uint32] | None = None,
                 method: Method = Method.AUTOMATIC, isa: Isa = Isa.AUTOMATIC) -> None:
        super().__init__(statistics, views, first_view, view_count, occluders, method, isa)
        self._take_order(order, keys)
        self.batches = batches if isinstance(batches, Batches) else Batches(batches)
        self._take_memory({"visible": visible, "indices": indices, "inside": inside, "runs": runs, "draws": draws,
                           "batch_ranges": batch_ranges, "certificates": certificates}, view_masks)
        self._take_candidates(candidates)
        self._prepare_calls(self.batches._objects)

    def _take_memory(self, wanted: dict[str, bool | NDArray[Any]], view_masks: bool | NDArray[np.uint64]) -> None:
        """Memory for outputs, or the caller's. Lists of the caller's may have any length."""
        views, objects, words = len(self._outputs), self.batches.object_count, self.batches.visibility_words
        forms: dict[str, tuple[Any, int]] = {
            "visible": (np.uint64, words), "inside": (np.uint64, words), "indices": (np.uint32, objects),
            "draws": (DRAW_COMMAND, objects), "runs": (VISIBLE_RUN, objects // 2 + len(self.batches)),
            "batch_ranges": (BATCH_RANGE, len(self.batches)), "certificates": (CERTIFICATE, objects)}
        memory: dict[str, NDArray[Any] | None] = {}
        for name, (dtype, length) in forms.items():
            given = wanted[name]
            if name in ("indices", "draws", "runs") and isinstance(given, np.ndarray) and given.ndim == 2:
                length = given.shape[1]
            memory[name] = _arrays.output(given, name, dtype, (views, length))
            if name != "certificates":
                point_to(self._outputs, name, memory[name])
        if memory["certificates"] is not None:
            point_to(self._statistics or explain(self._outputs), "certificates", memory["certificates"])
        masks = memory["view_masks"] = _arrays.output(view_masks, "view_masks", np.uint64, (objects,))
        if masks is not None:
            if views > MOST_VIEWS:
                raise errors.InvalidArgument(f"view_masks: a word has bits of {MOST_VIEWS} views, not of {views}")
            self._options.view_masks = span(_native.Words, masks)
        self._memory = memory

    def _take_candidates(self, candidates: NDArray[np.uint64] | None) -> None:
        """The caller's candidates, which no output may overlap, as none may overlap the batches' arrays."""
        views, words = len(self._outputs), self.batches.visibility_words
        read = self.batches.arrays()
        if self._keys is not None:
            read.append(self._keys)
        if candidates is not None:
            _arrays.check_candidates(candidates, views, words)
            point_to(self._outputs, "candidates", np.broadcast_to(candidates, (views, words)))
            read.append(candidates)
        _arrays.refuse_overlap(self._memory, read)

    def __call__(self) -> Cull:
        """Runs it and returns itself. Where an argument breaks its rule nothing is written; of several calls those
        before have been."""
        with self._turn:
            self._run()
        return self

    @property
    def view_masks(self) -> NDArray[np.uint64]:
        """A word an object, (N,)."""
        return self._rows("view_masks")

    @property
    def batch_ranges(self) -> NDArray[Any]:
        """Each batch's part of the lists, (V, len(batches))."""
        return self._rows("batch_ranges")

    @property
    def certificates(self) -> NDArray[Any]:
        """A certificate an object, (V, N)."""
        return self._rows("certificates")

    def mask(self, view: int = 0) -> NDArray[np.bool_]:
        """Whether each object is visible in that view: a new array of N bools."""
        return self.batches.mask(self.visible[view])

    def indices(self, view: int = 0) -> NDArray[np.uint32]:
        """The indices of that view's visible objects, in their order."""
        return self._list("indices", view, int(self.counts[view]))


def cull(batches: Batches | Batch | Shapes, views: Views, **options: Any) -> Cull:
    """Makes a Cull with these keyword arguments, runs it once, and returns it."""
    return Cull(batches, views, **options)()
