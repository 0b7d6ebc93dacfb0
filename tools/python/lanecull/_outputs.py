"""What calls on batches and on scenes share: their outputs' memory, and the occluders of their views."""

from __future__ import annotations

import ctypes
import threading
from typing import Any, NamedTuple, Sequence, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _arrays, _native, errors
from ._native import library, pointer, span
from .occluder import Occluders
from .view import Views

Output = TypeVar("Output")

MOST_VIEWS = 64  # of one call of the library
MOST_OCCLUDERS = 64


class Statistics(NamedTuple):
    """How many objects of one view were decided by which reason; the numbers add up to `objects`."""

    objects: int
    culled_plane: int
    culled_gjk: int
    culled_distance: int
    culled_near: int
    culled_size: int
    culled_disabled: int
    culled_layer: int
    culled_candidate: int
    culled_occluded: int
    visible_always: int
    visible_inside: int
    visible_vertex: int
    visible_overlap: int
    visible_touching: int
    visible_cap: int
    visible_planes: int
    visible_invalid: int

    @property
    def culled(self) -> int:
        """How many were culled."""
        return sum(self[1:10])

    @property
    def visible(self) -> int:
        """How many were kept."""
        return self.objects - self.culled


def view_range(views: Views, first_view: int, view_count: int | None) -> tuple[int, int]:
    """The first view and how many there are, where None stands for all from there on."""
    first = _arrays.whole(first_view, "first_view", len(views) + 1)
    left = len(views) - first
    count = left if view_count is None else _arrays.whole(view_count, "view_count", len(views) + 1)
    if count == 0 or count > left:
        raise errors.InvalidArgument(f"view_count: {count} from {first} on are not among {len(views)} views")
    return first, count


def results(outputs: Any, field: str) -> NDArray[np.uint64]:
    """A field of 64 bits of each of an array of structs, as numpy sees it there."""
    struct = outputs._type_
    words: NDArray[np.uint64] = np.frombuffer(outputs, np.uint64).reshape(len(outputs), ctypes.sizeof(struct) // 8)
    column: NDArray[np.uint64] = words[:, getattr(struct, field).offset // 8]
    return column


def point_to(outputs: Any, field: str, rows: NDArray[Any] | None) -> None:
    """Sets a span of each of an array of structs: row v is output v's."""
    if rows is not None:
        for output, row in zip(outputs, rows):
            if field == "draws":
                output.draws.memory = _native.Memory(pointer(row), row.nbytes)
            else:
                setattr(output, field, span(type(getattr(output, field)), row))


def check_run(has_run: bool) -> None:
    """Whether there are results to be read."""
    if not has_run:
        raise errors.NotReady("call it first: it has not been run")


def asked(output: Output | None, name: str) -> Output:
    """`output`, if it is there."""
    if output is None:
        raise errors.InvalidArgument(f"{name}: was not asked for when this was made")
    return output


def explain(outputs: Any) -> Any:
    """Makes an explanation of each output."""
    made = _native.array(_native.Explanation, len(outputs))
    for one, output in zip(made, outputs):
        output.explanation = pointer(one)
    return made


class Hiding:
    """The occluders of each view, and how many objects each of them hid."""

    def __init__(self, occluders: Occluders | Sequence[Occluders | None] | None, views: int) -> None:
        if occluders is None or isinstance(occluders, Occluders):
            occluders = [occluders] * views
        if len(occluders) != views or not all(isinstance(one, (Occluders, type(None))) for one in occluders):
            raise errors.InvalidArgument(f"occluders: must be one list of occluders, or one or None for each of the "
                                         f"{views} views")
        self.lists = [(view, one) for view, one in enumerate(occluders) if one is not None]
        self.counts = np.zeros((views, MOST_OCCLUDERS), np.uint32) if self.lists else None

    def point(self, outputs: Any) -> None:
        """Tells the outputs where the lists are."""
        for view, one in self.lists:
            outputs[view].occluders = span(_native.Occluders, one._structs)
            outputs[view].hidden_counts = span(_native.Indices, asked(self.counts, "occluders")[view])

    def update(self, outputs: Any) -> None:
        """Tells the outputs how long the lists are now."""
        for view, one in self.lists:
            count = len(one)
            if count > MOST_OCCLUDERS:
                raise errors.InvalidArgument(f"occluders: at most {MOST_OCCLUDERS} for a view, not {count}")
            outputs[view].occluders.count = outputs[view].hidden_counts.count = count

    def hidden(self, outputs: Any, view: int) -> NDArray[np.uint32]:
        """How many objects each occluder of that view hid."""
        found: NDArray[np.uint32] = asked(self.counts, "occluders")[view][:outputs[view].hidden_counts.count]
        return found


class Run:
    """What Cull and SceneCull share: calls of at most 64 views each, one after the other, and what they leave."""

    def __init__(self, statistics: bool, views: Views, first_view: int, view_count: int | None,
                 occluders: Occluders | Sequence[Occluders | None] | None, method: int, isa: int) -> None:
        self.views = _arrays.instance(views, Views, "views", "; Views.of() makes them of matrices")
        self._first, self._count = view_range(views, first_view, view_count)
        self._outputs = _native.array(_native.Output, self._count)
        self._options = _native.CullOptions(method=_arrays.whole(method, "method"), isa=_arrays.whole(isa, "isa"),
                                             runner=_native.runner)
        self._hiding = Hiding(occluders, self._count)
        self._hiding.point(self._outputs)
        self._statistics = explain(self._outputs) if statistics else None
        self._counts = results(self._outputs, "visible_count")
        self._has_run = False
        self._turn = threading.Lock()
        self._memory: dict[str, NDArray[Any] | None] = {}
        self._calls: list[Any] = []
        self._keys: NDArray[np.uint32] | None = None

    def _take_order(self, order: int, keys: NDArray[np.uint32] | None) -> None:
        """The order of all views' lists. Keys, one row of them, may be a field of structs."""
        for output in self._outputs:
            output.order = _arrays.whole(order, "order")
        if keys is None:
            return
        _arrays.check_array(keys, "keys", np.uint32, (len(keys),))
        self._keys = keys
        for output in self._outputs:
            output.keys = _native.ConstIndices(pointer(keys), len(keys))
            output.key_stride_bytes = keys.strides[0]

    def _prepare_calls(self, objects: Any) -> None:
        """The struct of each call, so that running it takes little. `objects`: the batches or the scene."""
        most = min(self._count, MOST_VIEWS)
        ordered = most if self._outputs[0].order != 0 else 0
        scratch = np.empty(int(library.lanecull_scratch_bytes(objects, most)) +
                           int(library.lanecull_order_bytes(objects, ordered)), np.uint8)
        self._calls = []
        for v in range(0, self._count, MOST_VIEWS):
            count = min(MOST_VIEWS, self._count - v)
            self._calls.append(_native.CullCall(
                objects=objects, views=_native.Views(pointer(self.views._structs[self._first + v]), count),
                outputs=_native.Outputs(pointer(self._outputs[v]), count),
                scratch=_native.Memory(pointer(scratch), scratch.nbytes), options=self._options))

    def _run(self) -> None:
        """Where an argument breaks its rule nothing is written; of several calls those before have been."""
        self._hiding.update(self._outputs)
        for call in self._calls:
            _native.check(library.lanecull_cull(call))
        self._has_run = True

    def _rows(self, name: str) -> NDArray[Any]:
        """An output. What was not asked for is never there; but a scene's memory is not taken before the first run."""
        if not self._memory:
            check_run(self._has_run)
        rows = asked(self._memory.get(name), name)
        check_run(self._has_run)
        return rows

    def _list(self, name: str, view: int, count: int) -> NDArray[Any]:
        """As much of a list as is filled."""
        found: NDArray[Any] = self._rows(name)[view][:count]
        return found

    @property
    def counts(self) -> NDArray[np.uint64]:
        """How many objects are visible in each view, even where a list was too short: uint64 (V,)."""
        check_run(self._has_run)
        return self._counts

    @property
    def visible(self) -> NDArray[np.uint64]:
        """Bits of visible objects, (V, words)."""
        return self._rows("visible")

    @property
    def inside(self) -> NDArray[np.uint64]:
        """Bits of objects wholly inside, (V, words)."""
        return self._rows("inside")

    def runs(self, view: int = 0) -> NDArray[Any]:
        """The runs of that view's visible objects."""
        return self._list("runs", view, self._outputs[view].run_count)

    def draws(self, view: int = 0) -> NDArray[Any]:
        """The draw commands of that view's visible objects."""
        return self._list("draws", view, self._outputs[view].draw_count)

    def hidden_counts(self, view: int = 0) -> NDArray[np.uint32]:
        """How many objects each of that view's occluders hides; one that several hide counts for the first."""
        hidden = self._hiding.hidden(self._outputs, view)
        check_run(self._has_run)
        return hidden

    def statistics(self, view: int = 0) -> Statistics:
        """How many objects of that view were decided by which reason; of a scene, of those tested one by one."""
        made = asked(self._statistics, "statistics")
        check_run(self._has_run)
        by_reason = made[view].counts.by_reason
        return Statistics(sum(by_reason), *by_reason[:_native.REASON_COUNT])
