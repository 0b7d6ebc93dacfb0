"""The C interface, <lanecull/lanecull.h>, as ctypes declares it.

tests/python compares structs, enumerators and functions with the recorded form of the C interface, tests/c/abi.txt.
Pointers keep what they point to, and structs and calls the pointers that they are given.
"""

from __future__ import annotations

import ctypes
from ctypes import (c_char, c_char_p, c_double, c_float, c_int32, c_size_t, c_uint8, c_uint16, c_uint32, c_uint64,
                    c_void_p)
from typing import Any

import numpy as np

from . import _library, errors

library = _library.load()


class Place(ctypes.Structure):
    """What a pointer may point to. As an argument it stands for a pointer to it."""

    _fields_: list[Any] = []


Pointer = ctypes.POINTER(Place)
"""A pointer of the C interface. ctypes takes no number for one, so pointer() makes them all. A struct with such a field
keeps what the pointer keeps, as do copies of the struct and arrays of them; a call keeps its arguments to its end."""


def place(target: Any) -> Place:
    """Where an array's first number is, an object of ctypes, or what the library made. It keeps the target."""
    if isinstance(target, np.ndarray):
        address = target.ctypes.data
    else:
        address = target.address if isinstance(target, Owned) else ctypes.addressof(target)
    there = Place.from_address(address)
    there.kept = target
    return there


def pointer(target: Any) -> Any:
    """A pointer to that place, or None for None."""
    return None if target is None else Pointer(place(target))


class Struct(Place):
    """A struct of C; it is named lanecull_ and the class's name in lower case, with underscores before capitals."""


class Sized(Struct):
    """A struct that begins with its size."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(ctypes.sizeof(type(self)), **fields)


class Message(Struct):
    _fields_ = [("text", c_char * 224)]


class Records(Struct):
    _fields_ = [("first", Pointer), ("stride_bytes", c_size_t)]


class DoubleRecords(Struct):
    _fields_ = [("first", Pointer), ("stride_bytes", c_size_t)]


class Transforms(Sized):
    _fields_ = [("size", c_size_t), ("first", Pointer), ("stride_bytes", c_size_t), ("layout", c_uint32),
                ("positions", DoubleRecords), ("origin", c_double * 3)]


def _streams(*names: str) -> list[tuple[str, Any]]:
    """Fields of a kind: its size, streams, and how many objects there are."""
    return [("size", c_size_t), *((name, Pointer) for name in names), ("count", c_uint32)]


class Spheres(Sized):
    _fields_ = _streams("x", "y", "z", "radius")


class Boxes(Sized):
    _fields_ = _streams("min_x", "min_y", "min_z", "max_x", "max_y", "max_z")


class CenteredBoxes(Sized):
    _fields_ = _streams("x", "y", "z", "half_x", "half_y", "half_z")


class OrientedBoxes(Sized):
    _fields_ = [("size", c_size_t), ("x", Pointer), ("y", Pointer), ("z", Pointer), ("axes", Records),
                ("quaternions", Records), ("half_extents", Records), ("bounding_radius", Pointer), ("count", c_uint32)]


class Capsules(Sized):
    _fields_ = _streams("a_x", "a_y", "a_z", "b_x", "b_y", "b_z", "radius")


class Hull(Struct):
    _fields_ = [("x", Pointer), ("y", Pointer), ("z", Pointer), ("count", c_uint32), ("lower", c_float * 3),
                ("upper", c_float * 3), ("mean", c_float * 3), ("outer", c_float), ("inner", c_float)]


class HullInstances(Sized):
    _fields_ = [("size", c_size_t), ("transforms", Pointer), ("hulls", Pointer), ("hull_count", c_uint32),
                ("hull_index", Pointer), ("bounding_x", Pointer), ("bounding_y", Pointer), ("bounding_z", Pointer),
                ("bounding_radius", Pointer), ("count", c_uint32)]


class BoxInstances(Sized):
    _fields_ = [*_streams("transforms", "boxes", "box_index"), ("lower", Records), ("upper", Records)]


class Attributes(Sized):
    _fields_ = _streams("margin", "sweep_x", "sweep_y", "sweep_z", "flags", "layers", "max_distance",
                        "min_projected_size", "min_distance")[:-1]


class DrawCommand(Struct):
    _fields_ = [("index_count", c_uint32), ("instance_count", c_uint32), ("first_index", c_uint32),
                ("vertex_offset", c_int32), ("first_instance", c_uint32)]


class DrawTemplates(Sized):
    _fields_ = [("size", c_size_t), ("first", Pointer), ("per", c_uint32), ("stride_bytes", c_size_t)]


class Batch(Sized):
    _fields_ = [("size", c_size_t), ("spheres", Pointer), ("boxes", Pointer), ("centered_boxes", Pointer),
                ("oriented_boxes", Pointer), ("capsules", Pointer), ("hull_instances", Pointer),
                ("box_instances", Pointer), ("attributes", Pointer), ("draws", Pointer), ("first_index", c_uint32)]


class Plane(Struct):
    _fields_ = [("normal", c_double * 3), ("offset", c_double)]


class ClipSpace(Sized):
    _fields_ = [("size", c_size_t), ("layout", c_uint32), ("depth", c_uint32), ("origin", c_double * 3)]


class Sun(Sized):
    _fields_ = [("size", c_size_t), ("toward", c_double * 3), ("reach", c_double)]


class Lamp(Sized):
    _fields_ = [("size", c_size_t), ("at", c_double * 3), ("range", c_double), ("sides", Pointer),
                ("side_count", c_size_t)]


class ViewOptions(Sized):
    _fields_ = [("size", c_size_t), ("clip_planes", Pointer), ("clip_plane_count", c_size_t), ("margin", c_double),
                ("layer_mask", Pointer), ("eye", Pointer), ("size_scale", c_double), ("sun", Pointer),
                ("lamp", Pointer)]


class CullOptions(Sized):
    _fields_ = [("size", c_size_t), ("method", c_uint32), ("isa", c_uint32), ("view_masks", Pointer),
                ("view_mask_count", c_size_t)]


class Statistics(Sized):
    _fields_ = [("size", c_size_t), *((name, c_uint64) for name in (
        "objects", "culled_plane", "culled_gjk", "culled_distance", "culled_near", "culled_size", "culled_disabled",
        "culled_layer", "culled_candidate", "culled_occluded", "visible_always", "visible_inside", "visible_vertex",
        "visible_overlap", "visible_touching", "visible_cap", "visible_planes", "visible_invalid"))]


class VisibleRun(Struct):
    _fields_ = [("first", c_uint32), ("count", c_uint32)]


class BatchRange(Struct):
    _fields_ = [("first", c_uint64), ("count", c_uint64)]


class Certificate(Struct):
    _fields_ = [("reason", c_uint8), ("steps", c_uint8), ("occluder", c_uint16), ("far_depth", c_float),
                ("gap", c_float), ("direction", c_double * 3)]


class DrawOutput(Struct):
    _fields_ = [("memory", Pointer), ("memory_bytes", c_size_t), ("offset_bytes", c_size_t),
                ("stride_bytes", c_size_t), ("count", Pointer)]


class ViewOutput(Sized):
    _fields_ = [("size", c_size_t), ("visible", Pointer), ("visible_words", c_size_t), ("indices", Pointer),
                ("index_capacity", c_size_t), ("inside", Pointer), ("inside_words", c_size_t), ("runs", Pointer),
                ("run_capacity", c_size_t), ("draws", DrawOutput), ("batch_ranges", Pointer),
                ("batch_range_count", c_size_t), ("certificates", Pointer), ("certificate_count", c_size_t),
                ("candidates", Pointer), ("candidate_words", c_size_t), ("occluders", Pointer),
                ("first_occluder", c_uint32), ("occluder_count", c_uint32), ("hidden_counts", Pointer),
                ("hidden_count_count", c_size_t), ("statistics", Pointer), ("visible_count", c_uint64),
                ("run_count", c_uint64), ("draw_count", c_uint64)]


class SolidBox(Struct):
    _fields_ = [("min", c_float * 3), ("max", c_float * 3)]


class SolidOrientedBox(Struct):
    _fields_ = [("center", c_float * 3), ("half_extents", c_float * 3), ("axes", c_float * 3 * 3)]


class OccluderOptions(Sized):
    _fields_ = [("size", c_size_t), ("drawn", Pointer), ("per_distance", c_double), ("depth_per_square", c_double),
                ("depth_per_distance", c_double), ("owners", Pointer), ("owner_count", c_size_t)]


class AddOptions(Sized):
    _fields_ = [("size", c_size_t), ("mobility", c_uint32), ("origin", c_double * 3)]


class Improvement(Struct):
    _fields_ = [("blocks", c_uint64), ("objects", c_uint64), ("all_seen", c_uint32)]


class LodOutput(Sized):
    _fields_ = [("size", c_size_t), ("distances", Pointer), ("distance_capacity", c_size_t), ("levels", Pointer),
                ("level_capacity", c_size_t), ("thresholds", Pointer), ("threshold_count", c_size_t),
                ("hysteresis", c_float), ("latest", Pointer), ("latest_count", c_size_t)]


class SceneOutput(Sized):
    _fields_ = [("size", c_size_t), ("visible", Pointer), ("visible_words", c_size_t), ("inside", Pointer),
                ("inside_words", c_size_t), ("handles", Pointer), ("handle_capacity", c_size_t), ("slots", Pointer),
                ("slot_capacity", c_size_t), ("runs", Pointer), ("run_capacity", c_size_t), ("lod", Pointer),
                ("block_outcomes", Pointer), ("block_outcome_count", c_size_t), ("draws", DrawOutput),
                ("hints", Pointer), ("hint_bytes", c_size_t), ("candidates", Pointer), ("candidate_words", c_size_t),
                ("occluders", Pointer), ("first_occluder", c_uint32), ("occluder_count", c_uint32),
                ("hidden_counts", Pointer), ("hidden_count_count", c_size_t), ("tested", Pointer),
                *((name, c_uint64) for name in (
                    "visible_count", "run_count", "draw_count", "outside_objects", "inside_objects", "hidden_objects",
                    "outside_blocks", "hidden_blocks", "inside_blocks", "mixed_blocks"))]


class WorldBox(Struct):
    _fields_ = [("lower", c_double * 3), ("upper", c_double * 3)]


class Slice(Sized):
    _fields_ = [("size", c_size_t), ("clip_from_world", Pointer), ("clip_space", Pointer), ("near_depth", c_double),
                ("far_depth", c_double)]


class ShadowMap(Struct):
    _fields_ = [("clip_from_world", c_double * 16), ("origin", c_double * 3), ("sides", Plane * 4),
                ("texel_size", c_double), ("is_perspective", c_uint32)]


class SunMapOptions(Sized):
    _fields_ = [("size", c_size_t), ("toward", c_double * 3), ("up", c_double * 3), ("texels", c_uint32),
                ("is_tight", c_uint32)]


class PairIndices(Sized):
    _fields_ = [("size", c_size_t), ("batch_a", c_uint32), ("batch_b", c_uint32), ("a", Pointer), ("b", Pointer),
                ("count", c_size_t), ("stride_bytes", c_size_t)]


class PairDistances(Sized):
    _fields_ = _streams("lower", "upper", "a_x", "a_y", "a_z", "b_x", "b_y", "b_z")[:-1]


class PairDistanceOptions(Sized):
    _fields_ = [("size", c_size_t), ("isa", c_uint32), ("limit", c_float), ("relative", c_float)]


class PairCasts(Sized):
    _fields_ = [("size", c_size_t), ("motion_x", Pointer), ("motion_y", Pointer), ("motion_z", Pointer),
                ("earliest", Pointer), ("latest", Pointer), ("width", c_float), ("isa", c_uint32)]


class PassSun(Sized):
    _fields_ = [("size", c_size_t), ("sun", Pointer), ("near_depth", c_double), ("far_depth", c_double),
                ("cascades", c_uint32), ("logarithmic", c_double), ("up", c_double * 3), ("texels", c_uint32),
                ("is_tight", c_uint32), ("filter_texels", c_double), ("layer_mask", Pointer)]


class PassCamera(Sized):
    _fields_ = [("size", c_size_t), ("clip_from_world", Pointer), ("clip_space", Pointer), ("options", Pointer),
                ("sun", Pointer)]


class PassLamp(Sized):
    _fields_ = [("size", c_size_t), ("at", c_double * 3), ("range", c_double), ("near_depth", c_double),
                ("texels", c_uint32), ("filter_texels", c_double), ("layer_mask", Pointer), ("is_spot", c_uint32),
                ("forward", c_double * 3), ("up", c_double * 3), ("tan_x", c_double), ("tan_y", c_double),
                ("cameras", Pointer), ("camera_count", c_size_t)]


class PassFrame(Sized):
    _fields_ = [("size", c_size_t), ("cameras", Pointer), ("camera_count", c_size_t), ("lamps", Pointer),
                ("lamp_count", c_size_t)]


class Vertices(Sized):
    _fields_ = [*_streams("x", "y", "z"), ("stride_bytes", c_size_t)]


class BoxBounds(Struct):
    _fields_ = [("lower", c_float * 3), ("upper", c_float * 3)]


class SphereBounds(Struct):
    _fields_ = [("center", c_float * 3), ("radius", c_float)]


class OrientedBoxBounds(Struct):
    _fields_ = [("center", c_float * 3), ("axes", c_float * 9), ("half_extents", c_float * 3)]


class BoxStreams(Sized):
    _fields_ = _streams("min_x", "min_y", "min_z", "max_x", "max_y", "max_z")[:-1]


class SphereStreams(Sized):
    _fields_ = _streams("x", "y", "z", "radius")[:-1]


STATUS = c_int32


def _declare(name: str, result: Any, *arguments: Any) -> Any:
    """The library's function of that name."""
    function = getattr(library, name)
    function.restype = result
    function.argtypes = arguments
    return function


abi_version = _declare("lanecull_abi_version", c_uint32)

isa_name = _declare("lanecull_isa_name", c_char_p, c_uint32)
isa_runnable = _declare("lanecull_isa_runnable", c_uint32, c_uint32)
isa_lanes = _declare("lanecull_isa_lanes", c_uint32, c_uint32)
resolve_isa = _declare("lanecull_resolve_isa", STATUS, c_uint32, Pointer, Pointer)

prepare_hull = _declare("lanecull_prepare_hull", STATUS, Pointer, Pointer, Pointer, c_uint32, Pointer, Pointer)
create_batches = _declare("lanecull_create_batches", STATUS, c_uint32, Pointer, Pointer)
destroy_batches = _declare("lanecull_destroy_batches", None, Pointer)
set_batch = _declare("lanecull_set_batch", STATUS, Pointer, c_uint32, Pointer, Pointer)

create_views = _declare("lanecull_create_views", STATUS, c_uint32, Pointer, Pointer)
destroy_views = _declare("lanecull_destroy_views", None, Pointer)
view_is_prepared = _declare("lanecull_view_is_prepared", c_uint32, Pointer, c_uint32)
view_is_exact = _declare("lanecull_view_is_exact", c_uint32, Pointer, c_uint32)
view_sees_nothing = _declare("lanecull_view_sees_nothing", c_uint32, Pointer, c_uint32)
prepare_view = _declare("lanecull_prepare_view", STATUS, Pointer, c_uint32, Pointer, Pointer, Pointer, Pointer)
prepare_stereo_view = _declare("lanecull_prepare_stereo_view", STATUS, Pointer, c_uint32, Pointer, Pointer, Pointer,
                               Pointer, Pointer)
prepare_view_from_corners = _declare("lanecull_prepare_view_from_corners", STATUS, Pointer, c_uint32, Pointer,
                                     Pointer, Pointer)
prepare_view_from_planes = _declare("lanecull_prepare_view_from_planes", STATUS, Pointer, c_uint32, Pointer, c_size_t,
                                    Pointer, Pointer)
prepare_view_from_ball = _declare("lanecull_prepare_view_from_ball", STATUS, Pointer, c_uint32, Pointer, c_double,
                                  Pointer, Pointer)

visibility_words = _declare("lanecull_visibility_words", c_size_t, Pointer)
scratch_bytes = _declare("lanecull_scratch_bytes", c_size_t, Pointer, c_uint32)
cull = _declare("lanecull_cull", STATUS, Pointer, Pointer, c_uint32, c_uint32, Pointer, Pointer, c_size_t, Pointer,
                Pointer, Pointer)

create_occluders = _declare("lanecull_create_occluders", STATUS, c_uint32, Pointer, Pointer)
destroy_occluders = _declare("lanecull_destroy_occluders", None, Pointer)
set_viewpoint = _declare("lanecull_set_viewpoint", STATUS, Pointer, Pointer, Pointer, Pointer, c_size_t, c_uint32,
                         Pointer)
set_viewpoint_from_eyes = _declare("lanecull_set_viewpoint_from_eyes", STATUS, Pointer, Pointer, c_size_t, c_double,
                                   Pointer)
set_viewpoint_along = _declare("lanecull_set_viewpoint_along", STATUS, Pointer, Pointer, Pointer, Pointer)
prepare_box_occluder = _declare("lanecull_prepare_box_occluder", STATUS, Pointer, c_uint32, Pointer, Pointer,
                                Pointer, Pointer)
prepare_oriented_box_occluder = _declare("lanecull_prepare_oriented_box_occluder", STATUS, Pointer, c_uint32, Pointer,
                                         Pointer, Pointer, Pointer)
prepare_polytope_occluder = _declare("lanecull_prepare_polytope_occluder", STATUS, Pointer, c_uint32, Pointer,
                                     c_size_t, Pointer, Pointer, Pointer)

create_scene = _declare("lanecull_create_scene", STATUS, Pointer, Pointer)
destroy_scene = _declare("lanecull_destroy_scene", None, Pointer)
scene_add = _declare("lanecull_scene_add", STATUS, Pointer, Pointer, c_uint32, c_uint32, Pointer, c_size_t, Pointer,
                     Pointer, Pointer)
scene_remove = _declare("lanecull_scene_remove", STATUS, Pointer, Pointer, c_size_t, Pointer)
scene_replace = _declare("lanecull_scene_replace", STATUS, Pointer, Pointer, c_size_t, Pointer, c_uint32, Pointer)
scene_move = _declare("lanecull_scene_move", STATUS, Pointer, Pointer, c_size_t, Pointer, Pointer, Pointer,
                      Pointer)
scene_place = _declare("lanecull_scene_place", STATUS, Pointer, Pointer, c_size_t, Pointer, c_uint32, Pointer,
                       Pointer)
scene_set_attributes = _declare("lanecull_scene_set_attributes", STATUS, Pointer, Pointer, c_size_t, Pointer,
                                Pointer)
scene_refit = _declare("lanecull_scene_refit", STATUS, Pointer, c_uint32, Pointer, Pointer)
scene_improve = _declare("lanecull_scene_improve", STATUS, Pointer, c_uint64, Pointer, Pointer)
scene_rebuild = _declare("lanecull_scene_rebuild", STATUS, Pointer, Pointer, Pointer)
scene_is_stale = _declare("lanecull_scene_is_stale", c_uint32, Pointer)
scene_spread = _declare("lanecull_scene_spread", c_double, Pointer)
scene_object_count = _declare("lanecull_scene_object_count", c_uint64, Pointer)
scene_handle_limit = _declare("lanecull_scene_handle_limit", c_uint64, Pointer)
scene_slot_count = _declare("lanecull_scene_slot_count", c_uint64, Pointer)
scene_bytes = _declare("lanecull_scene_bytes", c_uint64, Pointer)
scene_visibility_words = _declare("lanecull_scene_visibility_words", c_size_t, Pointer)
scene_scratch_bytes = _declare("lanecull_scene_scratch_bytes", c_size_t, Pointer, c_uint32)
scene_hint_bytes = _declare("lanecull_scene_hint_bytes", c_size_t, Pointer)
scene_block_count = _declare("lanecull_scene_block_count", c_uint32, Pointer)
scene_slot_of = _declare("lanecull_scene_slot_of", STATUS, Pointer, c_uint32, Pointer, Pointer)
scene_cull = _declare("lanecull_scene_cull", STATUS, Pointer, Pointer, c_uint32, c_uint32, Pointer, Pointer,
                      c_size_t, Pointer, Pointer, Pointer)
scene_save = _declare("lanecull_scene_save", STATUS, Pointer, c_char_p, Pointer)
scene_load = _declare("lanecull_scene_load", STATUS, Pointer, c_char_p, Pointer, Pointer)
scene_load_from_memory = _declare("lanecull_scene_load_from_memory", STATUS, Pointer, Pointer, c_size_t, Pointer,
                                  Pointer)

visible_bounds = _declare("lanecull_visible_bounds", STATUS, Pointer, Pointer, c_size_t, Pointer, c_uint32, Pointer,
                          Pointer)
split_depths = _declare("lanecull_split_depths", STATUS, c_double, c_double, c_double, Pointer, c_size_t, Pointer)
slice_bounds = _declare("lanecull_slice_bounds", STATUS, Pointer, Pointer, c_size_t, Pointer, Pointer, Pointer,
                        c_size_t, Pointer, c_uint32, Pointer, Pointer)
fit_sun_map = _declare("lanecull_fit_sun_map", STATUS, Pointer, Pointer, Pointer, Pointer, Pointer)
prepare_cascade_casters = _declare("lanecull_prepare_cascade_casters", STATUS, Pointer, c_uint32, Pointer, Pointer,
                                   Pointer, Pointer)
prepare_covered = _declare("lanecull_prepare_covered", STATUS, Pointer, c_uint32, Pointer, c_double, Pointer)
spot_map = _declare("lanecull_spot_map", STATUS, Pointer, Pointer, Pointer, c_double, c_double, c_double, c_double,
                    c_uint32, Pointer, Pointer)
cube_map_face = _declare("lanecull_cube_map_face", STATUS, Pointer, c_uint32, c_double, c_double, c_uint32, Pointer,
                         Pointer)
engine_map = _declare("lanecull_engine_map", STATUS, Pointer, Pointer, c_uint32, c_uint32, Pointer, Pointer)

separate_pairs = _declare("lanecull_separate_pairs", STATUS, Pointer, Pointer, Pointer, c_size_t, c_uint32, Pointer,
                          Pointer)
measure_pairs = _declare("lanecull_measure_pairs", STATUS, Pointer, Pointer, Pointer, Pointer, Pointer, Pointer)
cast_pairs = _declare("lanecull_cast_pairs", STATUS, Pointer, Pointer, Pointer, Pointer, Pointer)

create_pass = _declare("lanecull_create_pass", STATUS, Pointer, Pointer)
destroy_pass = _declare("lanecull_destroy_pass", None, Pointer)
reserve_pass = _declare("lanecull_reserve_pass", STATUS, Pointer, c_uint32, c_uint32, c_uint32, Pointer, Pointer)
run_pass = _declare("lanecull_run_pass", STATUS, Pointer, Pointer, Pointer, Pointer, c_size_t, c_uint32, Pointer,
                    Pointer, Pointer)
pass_map = _declare("lanecull_pass_map", STATUS, Pointer, c_size_t, Pointer, Pointer)

bounding_box = _declare("lanecull_bounding_box", STATUS, Pointer, Pointer, c_uint32, Pointer)
bounding_sphere = _declare("lanecull_bounding_sphere", STATUS, Pointer, Pointer, c_uint32, Pointer)
bounding_oriented_box = _declare("lanecull_bounding_oriented_box", STATUS, Pointer, Pointer, c_uint32, Pointer)
bounding_radii = _declare("lanecull_bounding_radii", STATUS, Pointer, Pointer, Pointer)
hull_bounding_spheres = _declare("lanecull_hull_bounding_spheres", STATUS, Pointer, Pointer, Pointer, Pointer,
                                 Pointer, Pointer)
box_bounding_spheres = _declare("lanecull_box_bounding_spheres", STATUS, Pointer, Pointer, Pointer, Pointer,
                                Pointer, Pointer)
world_boxes = _declare("lanecull_world_boxes", STATUS, Pointer, Pointer, c_uint32, Pointer, Pointer)
world_spheres = _declare("lanecull_world_spheres", STATUS, Pointer, Pointer, c_uint32, Pointer, Pointer)
join_boxes = _declare("lanecull_join_boxes", STATUS, Pointer, Pointer, c_uint32, Pointer, Pointer)
caster_views_scratch_bytes = _declare("lanecull_caster_views_scratch_bytes", c_size_t, c_uint32)
prepare_caster_views = _declare("lanecull_prepare_caster_views", STATUS, Pointer, c_uint32, c_uint32, Pointer,
                                Pointer, Pointer, Pointer, c_size_t, Pointer, Pointer)


def call(function: Any, *arguments: Any) -> None:
    """Calls a function whose last parameter is a message, and raises what it says."""
    message = Message()
    status = function(*arguments, message)
    if status != 0:
        raise errors.of_status(status, message.text)


class Owned:
    """An object that the library made, destroyed with this. It cannot be copied or pickled. `kept`: what the library
    goes on reading for it."""

    __slots__ = ("_as_parameter_", "_destroy", "address", "kept", "__weakref__")

    def __init__(self, create: Any, destroy: Any, *arguments: Any) -> None:
        self.address: int | None = None
        self.kept: list[Any] = []
        made = c_void_p()
        call(create, *arguments, pointer(made))
        self._destroy = destroy
        self.address = made.value
        self._as_parameter_ = Pointer(Place.from_address(self.address))

    def __del__(self) -> None:
        if self.address is not None:
            self._destroy(self._as_parameter_)

    def __reduce__(self) -> Any:
        raise TypeError("what the library made cannot be copied or pickled")
