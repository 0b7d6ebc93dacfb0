"""Batches: many convex objects of one kind, as structure of arrays in the caller's memory.

Nothing is copied. Each class here keeps the arrays that it is given, and a cull reads what is in them at that time: to
move objects, write the arrays. They must not be written while a call reads them. Arrays must have the dtype and the
layout that is said here; nothing is converted, and an error names the argument and the rule that it breaks.

Coordinates are streams: arrays of shape (3, n), each row contiguous, or three arrays of shape (n,). `streams()` makes
them of points of shape (n, 3). <lanecull/batch.h> has the rules of each kind, and when an object is invalid: invalid
objects are always visible.
"""

from __future__ import annotations

import enum
from typing import Any, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _native
from ._arrays import stride_of
from ._native import pointer, span
from .errors import InvalidArgument

Floats = NDArray[np.float32]
Uints = NDArray[np.uint32]
Doubles = NDArray[np.float64]

DRAW_COMMAND = _arrays.dtype_of(_native.DrawCommand)
"""VkDrawIndexedIndirectCommand and its like: 20 bytes."""


class ObjectFlag(enum.IntFlag):
    """Bits of Attributes.flags."""

    DISABLED = 1
    ALWAYS_VISIBLE = 2


class Shapes:
    """Base of the kinds. `len()` is the number of objects."""

    _field = ""  # of _native.Shapes; in capitals the name of _native.Kind
    _struct: Any

    def __init__(self, count: int, *arrays: Any) -> None:
        self._count = count
        self._arrays = [array for array in arrays if array is not None]

    def __len__(self) -> int:
        return self._count

    def arrays(self) -> list[NDArray[Any]]:
        """The arrays that culls read."""
        return list(self._arrays)


class Spheres(Shapes):
    """Balls: every point within radius[i] >= 0 of a centre."""

    _field = "spheres"

    def __init__(self, center: Floats | Sequence[Floats], radius: Floats) -> None:
        at = _arrays.coordinates(center, "center")
        super().__init__(len(at[0]), *at, _arrays.stream(radius, "radius", count=len(at[0])))
        self._struct = _native.Spheres(**dict(zip(("x", "y", "z", "radius"), map(pointer, self._arrays))),
                                       count=self._count)


class Boxes(Shapes):
    """Axis-aligned boxes by their corners: lower <= p <= upper. The cheapest boxes to cull."""

    _field = "boxes"

    def __init__(self, lower: Floats | Sequence[Floats], upper: Floats | Sequence[Floats]) -> None:
        low = _arrays.coordinates(lower, "lower")
        super().__init__(len(low[0]), *low, *_arrays.coordinates(upper, "upper", len(low[0])))
        names = ("min_x", "min_y", "min_z", "max_x", "max_y", "max_z")
        self._struct = _native.Boxes(**dict(zip(names, map(pointer, self._arrays))), count=self._count)


class CenteredBoxes(Shapes):
    """Axis-aligned boxes by centre and half-extents >= 0."""

    _field = "centered_boxes"

    def __init__(self, center: Floats | Sequence[Floats], half_extents: Floats | Sequence[Floats]) -> None:
        at = _arrays.coordinates(center, "center")
        super().__init__(len(at[0]), *at, *_arrays.coordinates(half_extents, "half_extents", len(at[0])))
        names = ("x", "y", "z", "half_x", "half_y", "half_z")
        self._struct = _native.CenteredBoxes(**dict(zip(names, map(pointer, self._arrays))), count=self._count)


class _Segments(Shapes):
    """Kinds of two ends and a radius."""

    _native_struct: Any
    _ends = ("a", "b")

    def __init__(self, a: Floats | Sequence[Floats], b: Floats | Sequence[Floats], radius: Floats) -> None:
        first, last = self._ends
        start = _arrays.coordinates(a, first)
        count = len(start[0])
        super().__init__(count, *start, *_arrays.coordinates(b, last, count),
                         _arrays.stream(radius, "radius", count=count))
        names = [f"{end}_{axis}" for end in self._ends for axis in "xyz"] + ["radius"]
        self._struct = self._native_struct(**dict(zip(names, map(pointer, self._arrays))), count=count)


class Capsules(_Segments):
    """Every point within radius[i] >= 0 of the segment from a to b."""

    _field = "capsules"
    _native_struct = _native.Capsules


class Cylinders(_Segments):
    """Solid cylinders with flat ends, from a to b, of radius[i] >= 0. One with a == b is invalid."""

    _field = "cylinders"
    _native_struct = _native.Cylinders


class Cones(_Segments):
    """Solid cones from apex to base, the middle of a disc of radius[i] >= 0. One with apex == base is invalid.

    end: "flat", at that disc, or "round", at the sphere around the apex through the disc's rim.
    """

    _field = "cones"
    _native_struct = _native.Cones
    _ends = ("apex", "base")

    def __init__(
        self, apex: Floats | Sequence[Floats], base: Floats | Sequence[Floats], radius: Floats, end: str = "flat"
    ) -> None:
        super().__init__(apex, base, radius)
        ends = ("flat", "round")
        if end not in ends:
            raise InvalidArgument(f"end: must be one of {ends}, not {end!r}")
        self._struct.end = ends.index(end)


def _records(array: NDArray[Any] | None) -> _native.Records:
    return _native.Records() if array is None else _native.Records(pointer(array), stride_of(array))


class OrientedBoxes(Shapes):
    """Oriented boxes: centre + sum over k of s_k half_extents[i, k] axes[i, k], |s_k| <= 1.

    half_extents has shape (n, 3). One of axes, shape (n, 3, 3), the three axes as rows, and quaternions, shape (n, 4),
    (x, y, z, w). These are records: each is contiguous, and they may stand apart, so that fields of larger records can
    be read. bounding_radius, a stream, is optional: no point of box i is farther from its centre; it makes culls some
    five times as fast.
    """

    _field = "oriented_boxes"

    def __init__(self, center: Floats | Sequence[Floats], half_extents: Floats, *, axes: Floats | None = None,
                 quaternions: Floats | None = None, bounding_radius: Floats | None = None) -> None:
        at = _arrays.coordinates(center, "center")
        count = len(at[0])
        _arrays.records(half_extents, "half_extents", count, (3,))
        if (axes is None) == (quaternions is None):
            raise InvalidArgument("axes, quaternions: exactly one of the two must be given")
        if axes is not None:
            _arrays.records(axes, "axes", count, (3, 3))
        if quaternions is not None:
            _arrays.records(quaternions, "quaternions", count, (4,))
        radius = _arrays.optional_stream(bounding_radius, "bounding_radius", np.float32, count)
        super().__init__(count, *at, half_extents, axes, quaternions, radius)
        self._struct = _native.OrientedBoxes(
            x=pointer(at[0]), y=pointer(at[1]), z=pointer(at[2]), axes=_records(axes),
            quaternions=_records(quaternions), half_extents=_records(half_extents),
            bounding_radius=pointer(radius), count=count)


class Ellipsoids(Shapes):
    """Ellipsoids: centre + sum over k of s_k half_axes[i, k] axis_k, |s| <= 1, turned by quaternions (x, y, z, w).

    half_axes has shape (n, 3), quaternions (n, 4). bounding_radius, a stream, is optional, and makes culls faster: the
    largest half-axis will do.
    """

    _field = "ellipsoids"

    def __init__(self, center: Floats | Sequence[Floats], half_axes: Floats, quaternions: Floats, *,
                 bounding_radius: Floats | None = None) -> None:
        at = _arrays.coordinates(center, "center")
        count = len(at[0])
        _arrays.records(half_axes, "half_axes", count, (3,))
        _arrays.records(quaternions, "quaternions", count, (4,))
        radius = _arrays.optional_stream(bounding_radius, "bounding_radius", np.float32, count)
        super().__init__(count, *at, half_axes, quaternions, radius)
        self._struct = _native.Ellipsoids(
            x=pointer(at[0]), y=pointer(at[1]), z=pointer(at[2]), quaternions=_records(quaternions),
            half_axes=_records(half_axes), bounding_radius=pointer(radius), count=count)


class Transforms:
    """Transforms p -> A p + t: an array of shape (n, 3, 4) or (n, 4, 4), [i, row, column], float32.

    Rows may be contiguous or, as in a transposed array, columns; matrices may stand apart. Rows of three, as in
    array[:, :3, :], can be read of matrices that are stored by rows.

    positions, shape (n, 3) of float64, is optional: position i, less `origin`, is added to object i's translation.
    """

    def __init__(self, matrices: Floats, positions: Doubles | None = None, origin: ArrayLike = (0, 0, 0)) -> None:
        rows = 3 if getattr(matrices, "ndim", 0) == 3 and matrices.shape[1] == 3 else 4
        _arrays.check_array(matrices, "matrices", np.float32, (None, rows, 4))
        by_rows, by_columns = (16, 4), (4, 4 * rows)
        if matrices.strides[1:] not in (by_rows, by_columns) and len(matrices) > 0:
            raise InvalidArgument(f"matrices: a matrix must be stored by rows or by columns, with strides {by_rows} or "
                                  f"{by_columns}, not {matrices.strides[1:]}")
        _arrays.check_stride(matrices, "matrices")
        self._count = len(matrices)
        self._arrays: list[NDArray[Any]] = [matrices]
        self._struct = _native.Transforms(
            first=pointer(matrices), stride_bytes=stride_of(matrices), origin=_arrays.triple(origin, "origin"),
            layout=_native.TransformLayout[f"{'COLUMNS' if matrices.strides[1:] == by_columns else 'ROWS'}_{rows}X4"])
        if positions is not None:
            _arrays.records(positions, "positions", self._count, (3,), np.float64)
            self._arrays.append(positions)
            self._struct.positions = _native.DoubleRecords(pointer(positions), stride_of(positions))

    def __len__(self) -> int:
        return self._count


class Hull:
    """The convex hull of 1 to 65,535 points, which many instances share. The points must not change afterwards."""

    def __init__(self, points: Floats | Sequence[Floats]) -> None:
        self._arrays = _arrays.coordinates(points, "points")
        self._struct = _native.Hull()
        at = [pointer(row) for row in self._arrays]
        _native.call(_native.library.lanecull_prepare_hull, *at, len(self._arrays[0]), self._struct)
        self._struct.x, self._struct.y, self._struct.z = at


class HullInstances(Shapes):
    """Instances of hulls: object i is hulls[hull_index[i]] under transform i.

    hull_index is a stream of uint32; None if there is only one hull. bounding, optional, has a sphere around each
    instance, which is tested before the transform is read.
    """

    _field = "hull_instances"

    def __init__(self, transforms: Transforms, hulls: Sequence[Hull], hull_index: Uints | None = None,
                 bounding: Spheres | None = None) -> None:
        count = len(_arrays.instance(transforms, Transforms, "transforms"))
        for hull in hulls:
            _arrays.instance(hull, Hull, "hulls")
        index = _arrays.optional_stream(hull_index, "hull_index", np.uint32, count)
        if index is None and len(hulls) != 1:
            raise InvalidArgument(f"hull_index: must be given where there are {len(hulls)} hulls")
        _arrays.instance(bounding, (Spheres, type(None)), "bounding")
        if bounding is not None and len(bounding) != count:
            raise InvalidArgument(f"bounding: must be {count} spheres, not {len(bounding)}")
        spheres = [] if bounding is None else bounding._arrays
        super().__init__(count, *transforms._arrays, index, *spheres)
        structs = (_native.Hull * len(hulls))(*(hull._struct for hull in hulls))
        names = ("bounding_x", "bounding_y", "bounding_z", "bounding_radius")
        self._struct = _native.HullInstances(
            transforms=transforms._struct, hulls=pointer(structs), hull_count=len(hulls),
            hull_index=pointer(index), count=count, **dict(zip(names, map(pointer, spheres))))


class BoxInstances(Shapes):
    """Local boxes under transforms: object i is boxes[box_index[i]], or box i, under transform i: a parallelepiped."""

    _field = "box_instances"

    def __init__(self, transforms: Transforms, boxes: Boxes, box_index: Uints | None = None) -> None:
        count = len(_arrays.instance(transforms, Transforms, "transforms"))
        _arrays.instance(boxes, Boxes, "boxes")
        index = _arrays.optional_stream(box_index, "box_index", np.uint32, count)
        if index is None and len(boxes) != count:
            raise InvalidArgument(f"box_index: must be given where {count} objects share {len(boxes)} boxes")
        super().__init__(count, *transforms._arrays, *boxes._arrays, index)
        local = _native.LocalBoxes(boxes=boxes._struct, box_index=pointer(index))
        self._struct = _native.BoxInstances(transforms=transforms._struct, local=local, count=count)


class Attributes:
    """What objects of any kind may have besides their shape: streams of one number an object, or None.

    margin >= 0: everything within it belongs to the object. sweep, coordinates: the shape moves by it in a straight
    line, and every place that it passes belongs to the object. flags: bits of ObjectFlag, uint32. layers: culled if no
    bit is the view's, uint32. max_distance, min_distance: from the view's eye. min_projected_size: as a fraction of the
    view's height. <lanecull/batch.h> has the rules.
    """

    def __init__(self, *, margin: Floats | None = None, sweep: Floats | Sequence[Floats] | None = None,
                 flags: Uints | None = None, layers: Uints | None = None, max_distance: Floats | None = None,
                 min_projected_size: Floats | None = None, min_distance: Floats | None = None) -> None:
        given: dict[str, NDArray[Any]] = {}
        for name, array, dtype in (("margin", margin, np.float32), ("flags", flags, np.uint32),
                                   ("layers", layers, np.uint32), ("max_distance", max_distance, np.float32),
                                   ("min_projected_size", min_projected_size, np.float32),
                                   ("min_distance", min_distance, np.float32)):
            if array is not None:
                given[name] = _arrays.stream(array, name, dtype)
        if sweep is not None:
            given.update(zip(("sweep_x", "sweep_y", "sweep_z"), _arrays.coordinates(sweep, "sweep")))
        self._arrays = given
        self._struct = _native.Attributes(**{name: pointer(array) for name, array in given.items()})

    def _check_count(self, count: int) -> None:
        for name, array in self._arrays.items():
            if len(array) != count:
                raise InvalidArgument(f"attributes.{name}: must have {count} numbers, one an object, not {len(array)}")


class DrawTemplates:
    """Draw commands that visible objects get, of dtype DRAW_COMMAND.

    Of shape (n,): object i's is command i as it is; commands may stand apart. Of shape (): the batch's, with
    first_instance + i for object i.
    """

    def __init__(self, commands: NDArray[Any]) -> None:
        one = isinstance(commands, np.ndarray) and commands.ndim == 0
        self._count = None if one else len(commands)
        _arrays.check_array(commands, "commands", DRAW_COMMAND, () if one else (None,))
        if not one:
            _arrays.check_stride(commands, "commands")
        self._arrays = [commands]
        self._struct = _native.DrawTemplates(first=pointer(commands),
                                             per=_native.DrawPer.BATCH if one else _native.DrawPer.OBJECT,
                                             stride_bytes=0 if one else stride_of(commands))

    def _check_count(self, count: int) -> None:
        if self._count not in (None, count):
            raise InvalidArgument(f"draws: must be {count} commands, one an object, not {self._count}")


class Batch:
    """Shapes with what they may have besides. Object i appears in index lists as first_index + i; None: after the
    objects of the batches before it, so that indices count through all batches of a call."""

    def __init__(self, shapes: Shapes, attributes: Attributes | None = None, draws: DrawTemplates | None = None,
                 first_index: int | None = None) -> None:
        if not isinstance(shapes, Shapes):
            raise InvalidArgument(f"shapes: must be a kind such as Boxes, not {type(shapes).__name__}")
        if attributes is not None:
            _arrays.instance(attributes, Attributes, "attributes")._check_count(len(shapes))
        if draws is not None:
            _arrays.instance(draws, DrawTemplates, "draws")._check_count(len(shapes))
        self.shapes = shapes
        self.attributes = attributes
        self.draws = draws
        self.first_index = None if first_index is None else _arrays.whole(first_index, "first_index")

    def __len__(self) -> int:
        return len(self.shapes)

    def arrays(self) -> list[NDArray[Any]]:
        """The arrays that culls read."""
        more = [] if self.attributes is None else list(self.attributes._arrays.values())
        return [*self.shapes.arrays(), *more, *([] if self.draws is None else self.draws._arrays)]

    def _struct(self, first_index: int) -> _native.Batch:
        struct = _native.Batch(kind=_native.Kind[self.shapes._field.upper()], first_index=first_index)
        setattr(struct.shapes, self.shapes._field, self.shapes._struct)
        if self.attributes is not None:
            struct.attributes = self.attributes._struct
        if self.draws is not None:
            struct.draws = self.draws._struct
        return struct


class Batches:
    """The batches of a call, which never change: their arrays' numbers may, between calls.

    Takes batches, and kinds for batches without attributes. `len()` is the number of batches; `object_count` that of
    objects.
    """

    def __init__(self, *batches: Batch | Shapes) -> None:
        self.batches = tuple(one if isinstance(one, Batch) else Batch(one) for one in batches)
        self._structs = _native.array(_native.Batch, len(self.batches))
        first = 0
        for i, batch in enumerate(self.batches):
            self._structs[i] = batch._struct(first if batch.first_index is None else batch.first_index)
            first += len(batch)
        self._objects = _native.Objects(span(_native.Batches, self._structs))
        self.object_count = first
        self.visibility_words = int(_native.library.lanecull_visibility_words(self._objects))

    def __len__(self) -> int:
        return len(self.batches)

    def arrays(self) -> list[NDArray[Any]]:
        """The arrays that culls read."""
        return [array for batch in self.batches for array in batch.arrays()]

    def mask(self, words: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Bits that are laid out as Cull.visible, as one bool an object, counted through all batches."""
        first, masks = 0, []
        for batch in self.batches:
            after = first + (len(batch) + 63) // 64
            masks.append(_arrays.bits(words[first:after], len(batch)))
            first = after
        return np.concatenate(masks) if masks else np.empty(0, np.bool_)
