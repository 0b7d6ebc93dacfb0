"""What calls on batches and on scenes share: their outputs' memory, and the occluders of their views."""

from __future__ import annotations

import ctypes
import threading
from typing import Any, NamedTuple, Sequence, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _arrays, _native, errors
from ._native import place, pointer
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


def structs(kind: Any, count: int) -> Any:
    """An array of structs that begin with their size."""
    return (kind * count)(*(kind() for _ in range(count)))


def results(outputs: Any, field: str) -> NDArray[np.uint64]:
    """A field of 64 bits of each of an array of structs, as numpy sees it there."""
    struct = outputs._type_
    words: NDArray[np.uint64] = np.frombuffer(outputs, np.uint64).reshape(len(outputs), ctypes.sizeof(struct) // 8)
    column: NDArray[np.uint64] = words[:, getattr(struct, field).offset // 8]
    return column


def point_to(outputs: Any, field: str, count: str, rows: NDArray[Any] | None) -> None:
    """Sets a pointer and a length of each of an array of structs: row v is output v's."""
    if rows is not None:
        for output, row in zip(outputs, rows):
            setattr(output, field, pointer(row))
            setattr(output, count, row.shape[0])


def point_to_draws(outputs: Any, rows: NDArray[Any] | None) -> None:
    """The same of draw commands."""
    if rows is not None:
        for output, row in zip(outputs, rows):
            output.draws = _native.DrawOutput(memory=pointer(row), memory_bytes=row.nbytes)


def check_run(has_run: bool) -> None:
    """Whether there are results to be read."""
    if not has_run:
        raise errors.NotReady("call it first: it has not been run")


def asked(output: Output | None, name: str) -> Output:
    """`output`, if it is there."""
    if output is None:
        raise errors.InvalidArgument(f"{name}: was not asked for when this was made")
    return output


def make_statistics(outputs: Any, field: str) -> Any:
    """Statistics of each output."""
    made = structs(_native.Statistics, len(outputs))
    for one, output in zip(made, outputs):
        setattr(output, field, pointer(one))
    return made


def statistics_of(made: Any, view: int) -> Statistics:
    """Statistics of one view."""
    return Statistics(*(getattr(made[view], name) for name in Statistics._fields))


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
            outputs[view].occluders = pointer(one._owned)
            outputs[view].hidden_counts = pointer(asked(self.counts, "occluders")[view])

    def update(self, outputs: Any) -> None:
        """Tells the outputs how long the lists are now."""
        for view, one in self.lists:
            count = len(one)
            if count > MOST_OCCLUDERS:
                raise errors.InvalidArgument(f"occluders: at most {MOST_OCCLUDERS} for a view, not {count}")
            outputs[view].occluder_count = outputs[view].hidden_count_count = count

    def hidden(self, outputs: Any, view: int) -> NDArray[np.uint32]:
        """How many objects each occluder of that view hid."""
        found: NDArray[np.uint32] = asked(self.counts, "occluders")[view][:outputs[view].hidden_count_count]
        return found


class Run:
    """What Cull and SceneCull share: calls of at most 64 views each, one after the other, and what they leave."""

    def __init__(self, output: Any, statistics: str | None, views: Views, first_view: int, view_count: int | None,
                 occluders: Occluders | Sequence[Occluders | None] | None, method: int, isa: int) -> None:
        """`output`: the struct of a view's outputs; `statistics`: its field for them, None if they are not wanted."""
        self.views = _arrays.instance(views, Views, "views")
        self._first, self._count = view_range(views, first_view, view_count)
        self._outputs = structs(output, self._count)
        self._options = _native.CullOptions(method=_arrays.whole(method, "method"), isa=_arrays.whole(isa, "isa"))
        self._hiding = Hiding(occluders, self._count)
        self._hiding.point(self._outputs)
        self._statistics = make_statistics(self._outputs, statistics) if statistics else None
        self._counts = results(self._outputs, "visible_count")
        self._has_run = False
        self._message = _native.Message()
        self._turn = threading.Lock()
        self._memory: dict[str, NDArray[Any] | None] = {}
        self._calls: list[tuple[Any, ...]] = []

    def _prepare_calls(self, culled: _native.Owned, scratch: NDArray[Any]) -> None:
        """The arguments of each call, so that running it takes little. `culled`: the batches or the scene."""
        what, views, memory = place(culled), place(self.views._owned), place(scratch)
        self._calls = [(what, views, self._first + v, min(MOST_VIEWS, self._count - v), place(self._outputs[v]), memory,
                        scratch.nbytes, place(self._options), None, place(self._message))
                       for v in range(0, self._count, MOST_VIEWS)]

    def _run(self, function: Any) -> None:
        """Where an argument breaks its rule nothing is written; of several calls those before have been."""
        self._hiding.update(self._outputs)
        for arguments in self._calls:
            status = function(*arguments)
            if status != 0:
                raise errors.of_status(status, self._message.text)
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
        return statistics_of(made, view)
