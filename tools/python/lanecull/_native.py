"""The C interface, <lanecull/lanecull.h>, as ctypes declares it.

tests/python compares structs, enumerators and functions with the recorded form of the C interface, tests/c/abi.txt.
Pointers are addresses (c_void_p): whoever fills a struct keeps what it points to.
"""

from __future__ import annotations

import ctypes
from ctypes import (c_char, c_char_p, c_double, c_float, c_int32, c_size_t, c_uint8, c_uint16, c_uint32, c_uint64,
                    c_void_p)
from typing import Any

from . import _library, errors

library = _library.load()


class Struct(ctypes.Structure):
    """A struct of C; it is named lanecull_ and the class's name in lower case, with underscores before capitals."""


class Sized(Struct):
    """A struct that begins with its size."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(ctypes.sizeof(type(self)), **fields)


class Message(Struct):
    _fields_ = [("text", c_char * 224)]


class Records(Struct):
    _fields_ = [("first", c_void_p), ("stride_bytes", c_size_t)]


class DoubleRecords(Struct):
    _fields_ = [("first", c_void_p), ("stride_bytes", c_size_t)]


class Transforms(Sized):
    _fields_ = [("size", c_size_t), ("first", c_void_p), ("stride_bytes", c_size_t), ("layout", c_uint32),
                ("positions", DoubleRecords), ("origin", c_double * 3)]


def _streams(*names: str) -> list[tuple[str, Any]]:
    """Fields of a kind: its size, streams, and how many objects there are."""
    return [("size", c_size_t), *((name, c_void_p) for name in names), ("count", c_uint32)]


class Spheres(Sized):
    _fields_ = _streams("x", "y", "z", "radius")


class Boxes(Sized):
    _fields_ = _streams("min_x", "min_y", "min_z", "max_x", "max_y", "max_z")


class CenteredBoxes(Sized):
    _fields_ = _streams("x", "y", "z", "half_x", "half_y", "half_z")


class OrientedBoxes(Sized):
    _fields_ = [("size", c_size_t), ("x", c_void_p), ("y", c_void_p), ("z", c_void_p), ("axes", Records),
                ("quaternions", Records), ("half_extents", Records), ("bounding_radius", c_void_p), ("count", c_uint32)]


class Capsules(Sized):
    _fields_ = _streams("a_x", "a_y", "a_z", "b_x", "b_y", "b_z", "radius")


class Hull(Struct):
    _fields_ = [("x", c_void_p), ("y", c_void_p), ("z", c_void_p), ("count", c_uint32), ("lower", c_float * 3),
                ("upper", c_float * 3), ("mean", c_float * 3), ("outer", c_float), ("inner", c_float)]


class HullInstances(Sized):
    _fields_ = [("size", c_size_t), ("transforms", c_void_p), ("hulls", c_void_p), ("hull_count", c_uint32),
                ("hull_index", c_void_p), ("bounding_x", c_void_p), ("bounding_y", c_void_p), ("bounding_z", c_void_p),
                ("bounding_radius", c_void_p), ("count", c_uint32)]


class BoxInstances(Sized):
    _fields_ = [*_streams("transforms", "boxes", "box_index"), ("lower", Records), ("upper", Records)]


class Attributes(Sized):
    _fields_ = _streams("margin", "sweep_x", "sweep_y", "sweep_z", "flags", "layers", "max_distance",
                        "min_projected_size", "min_distance")[:-1]


class DrawCommand(Struct):
    _fields_ = [("index_count", c_uint32), ("instance_count", c_uint32), ("first_index", c_uint32),
                ("vertex_offset", c_int32), ("first_instance", c_uint32)]


class DrawTemplates(Sized):
    _fields_ = [("size", c_size_t), ("first", c_void_p), ("per", c_uint32), ("stride_bytes", c_size_t)]


class Batch(Sized):
    _fields_ = [("size", c_size_t), ("spheres", c_void_p), ("boxes", c_void_p), ("centered_boxes", c_void_p),
                ("oriented_boxes", c_void_p), ("capsules", c_void_p), ("hull_instances", c_void_p),
                ("box_instances", c_void_p), ("attributes", c_void_p), ("draws", c_void_p), ("first_index", c_uint32)]


class Plane(Struct):
    _fields_ = [("normal", c_double * 3), ("offset", c_double)]


class ClipSpace(Sized):
    _fields_ = [("size", c_size_t), ("layout", c_uint32), ("depth", c_uint32), ("origin", c_double * 3)]


class Sun(Sized):
    _fields_ = [("size", c_size_t), ("toward", c_double * 3), ("reach", c_double)]


class Lamp(Sized):
    _fields_ = [("size", c_size_t), ("at", c_double * 3), ("range", c_double), ("sides", c_void_p),
                ("side_count", c_size_t)]


class ViewOptions(Sized):
    _fields_ = [("size", c_size_t), ("clip_planes", c_void_p), ("clip_plane_count", c_size_t), ("margin", c_double),
                ("layer_mask", c_void_p), ("eye", c_void_p), ("size_scale", c_double), ("sun", c_void_p),
                ("lamp", c_void_p)]


class CullOptions(Sized):
    _fields_ = [("size", c_size_t), ("method", c_uint32), ("isa", c_uint32), ("view_masks", c_void_p),
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
    _fields_ = [("memory", c_void_p), ("memory_bytes", c_size_t), ("offset_bytes", c_size_t),
                ("stride_bytes", c_size_t), ("count", c_void_p)]


class ViewOutput(Sized):
    _fields_ = [("size", c_size_t), ("visible", c_void_p), ("visible_words", c_size_t), ("indices", c_void_p),
                ("index_capacity", c_size_t), ("inside", c_void_p), ("inside_words", c_size_t), ("runs", c_void_p),
                ("run_capacity", c_size_t), ("draws", DrawOutput), ("batch_ranges", c_void_p),
                ("batch_range_count", c_size_t), ("certificates", c_void_p), ("certificate_count", c_size_t),
                ("candidates", c_void_p), ("candidate_words", c_size_t), ("occluders", c_void_p),
                ("first_occluder", c_uint32), ("occluder_count", c_uint32), ("hidden_counts", c_void_p),
                ("hidden_count_count", c_size_t), ("statistics", c_void_p), ("visible_count", c_uint64),
                ("run_count", c_uint64), ("draw_count", c_uint64)]


class SolidBox(Struct):
    _fields_ = [("min", c_float * 3), ("max", c_float * 3)]


class SolidOrientedBox(Struct):
    _fields_ = [("center", c_float * 3), ("half_extents", c_float * 3), ("axes", c_float * 3 * 3)]


class OccluderOptions(Sized):
    _fields_ = [("size", c_size_t), ("drawn", c_void_p), ("per_distance", c_double), ("depth_per_square", c_double),
                ("depth_per_distance", c_double), ("owners", c_void_p), ("owner_count", c_size_t)]


class AddOptions(Sized):
    _fields_ = [("size", c_size_t), ("mobility", c_uint32), ("origin", c_double * 3)]


class Improvement(Struct):
    _fields_ = [("blocks", c_uint64), ("objects", c_uint64), ("all_seen", c_uint32)]


class LodOutput(Sized):
    _fields_ = [("size", c_size_t), ("distances", c_void_p), ("distance_capacity", c_size_t), ("levels", c_void_p),
                ("level_capacity", c_size_t), ("thresholds", c_void_p), ("threshold_count", c_size_t),
                ("hysteresis", c_float), ("latest", c_void_p), ("latest_count", c_size_t)]


class SceneOutput(Sized):
    _fields_ = [("size", c_size_t), ("visible", c_void_p), ("visible_words", c_size_t), ("inside", c_void_p),
                ("inside_words", c_size_t), ("handles", c_void_p), ("handle_capacity", c_size_t), ("slots", c_void_p),
                ("slot_capacity", c_size_t), ("runs", c_void_p), ("run_capacity", c_size_t), ("lod", c_void_p),
                ("block_outcomes", c_void_p), ("block_outcome_count", c_size_t), ("draws", DrawOutput),
                ("hints", c_void_p), ("hint_bytes", c_size_t), ("candidates", c_void_p), ("candidate_words", c_size_t),
                ("occluders", c_void_p), ("first_occluder", c_uint32), ("occluder_count", c_uint32),
                ("hidden_counts", c_void_p), ("hidden_count_count", c_size_t), ("tested", c_void_p),
                *((name, c_uint64) for name in (
                    "visible_count", "run_count", "draw_count", "outside_objects", "inside_objects", "hidden_objects",
                    "outside_blocks", "hidden_blocks", "inside_blocks", "mixed_blocks"))]


class WorldBox(Struct):
    _fields_ = [("lower", c_double * 3), ("upper", c_double * 3)]


class Slice(Sized):
    _fields_ = [("size", c_size_t), ("clip_from_world", c_void_p), ("clip_space", c_void_p), ("near_depth", c_double),
                ("far_depth", c_double)]


class ShadowMap(Struct):
    _fields_ = [("clip_from_world", c_double * 16), ("origin", c_double * 3), ("sides", Plane * 4),
                ("texel_size", c_double), ("is_perspective", c_uint32)]


class SunMapOptions(Sized):
    _fields_ = [("size", c_size_t), ("toward", c_double * 3), ("up", c_double * 3), ("texels", c_uint32),
                ("is_tight", c_uint32)]


class PairIndices(Sized):
    _fields_ = [("size", c_size_t), ("batch_a", c_uint32), ("batch_b", c_uint32), ("a", c_void_p), ("b", c_void_p),
                ("count", c_size_t), ("stride_bytes", c_size_t)]


class PairDistances(Sized):
    _fields_ = _streams("lower", "upper", "a_x", "a_y", "a_z", "b_x", "b_y", "b_z")[:-1]


class PairDistanceOptions(Sized):
    _fields_ = [("size", c_size_t), ("isa", c_uint32), ("limit", c_float), ("relative", c_float)]


class PairCasts(Sized):
    _fields_ = [("size", c_size_t), ("motion_x", c_void_p), ("motion_y", c_void_p), ("motion_z", c_void_p),
                ("earliest", c_void_p), ("latest", c_void_p), ("width", c_float), ("isa", c_uint32)]


class PassSun(Sized):
    _fields_ = [("size", c_size_t), ("sun", c_void_p), ("near_depth", c_double), ("far_depth", c_double),
                ("cascades", c_uint32), ("logarithmic", c_double), ("up", c_double * 3), ("texels", c_uint32),
                ("is_tight", c_uint32), ("filter_texels", c_double), ("layer_mask", c_void_p)]


class PassCamera(Sized):
    _fields_ = [("size", c_size_t), ("clip_from_world", c_void_p), ("clip_space", c_void_p), ("options", c_void_p),
                ("sun", c_void_p)]


class PassLamp(Sized):
    _fields_ = [("size", c_size_t), ("at", c_double * 3), ("range", c_double), ("near_depth", c_double),
                ("texels", c_uint32), ("filter_texels", c_double), ("layer_mask", c_void_p), ("is_spot", c_uint32),
                ("forward", c_double * 3), ("up", c_double * 3), ("tan_x", c_double), ("tan_y", c_double),
                ("cameras", c_void_p), ("camera_count", c_size_t)]


class PassFrame(Sized):
    _fields_ = [("size", c_size_t), ("cameras", c_void_p), ("camera_count", c_size_t), ("lamps", c_void_p),
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
_POINTER = c_void_p


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
resolve_isa = _declare("lanecull_resolve_isa", STATUS, c_uint32, _POINTER, _POINTER)

prepare_hull = _declare("lanecull_prepare_hull", STATUS, _POINTER, _POINTER, _POINTER, c_uint32, _POINTER, _POINTER)
create_batches = _declare("lanecull_create_batches", STATUS, c_uint32, _POINTER, _POINTER)
destroy_batches = _declare("lanecull_destroy_batches", None, _POINTER)
set_batch = _declare("lanecull_set_batch", STATUS, _POINTER, c_uint32, _POINTER, _POINTER)

create_views = _declare("lanecull_create_views", STATUS, c_uint32, _POINTER, _POINTER)
destroy_views = _declare("lanecull_destroy_views", None, _POINTER)
view_is_prepared = _declare("lanecull_view_is_prepared", c_uint32, _POINTER, c_uint32)
view_is_exact = _declare("lanecull_view_is_exact", c_uint32, _POINTER, c_uint32)
view_sees_nothing = _declare("lanecull_view_sees_nothing", c_uint32, _POINTER, c_uint32)
prepare_view = _declare("lanecull_prepare_view", STATUS, _POINTER, c_uint32, _POINTER, _POINTER, _POINTER, _POINTER)
prepare_stereo_view = _declare("lanecull_prepare_stereo_view", STATUS, _POINTER, c_uint32, _POINTER, _POINTER, _POINTER,
                               _POINTER, _POINTER)
prepare_view_from_corners = _declare("lanecull_prepare_view_from_corners", STATUS, _POINTER, c_uint32, _POINTER,
                                     _POINTER, _POINTER)
prepare_view_from_planes = _declare("lanecull_prepare_view_from_planes", STATUS, _POINTER, c_uint32, _POINTER, c_size_t,
                                    _POINTER, _POINTER)
prepare_view_from_ball = _declare("lanecull_prepare_view_from_ball", STATUS, _POINTER, c_uint32, _POINTER, c_double,
                                  _POINTER, _POINTER)

visibility_words = _declare("lanecull_visibility_words", c_size_t, _POINTER)
scratch_bytes = _declare("lanecull_scratch_bytes", c_size_t, _POINTER, c_uint32)
cull = _declare("lanecull_cull", STATUS, _POINTER, _POINTER, c_uint32, c_uint32, _POINTER, _POINTER, c_size_t, _POINTER,
                _POINTER, _POINTER)

create_occluders = _declare("lanecull_create_occluders", STATUS, c_uint32, _POINTER, _POINTER)
destroy_occluders = _declare("lanecull_destroy_occluders", None, _POINTER)
set_viewpoint = _declare("lanecull_set_viewpoint", STATUS, _POINTER, _POINTER, _POINTER, _POINTER, c_size_t, c_uint32,
                         _POINTER)
set_viewpoint_from_eyes = _declare("lanecull_set_viewpoint_from_eyes", STATUS, _POINTER, _POINTER, c_size_t, c_double,
                                   _POINTER)
set_viewpoint_along = _declare("lanecull_set_viewpoint_along", STATUS, _POINTER, _POINTER, _POINTER, _POINTER)
prepare_box_occluder = _declare("lanecull_prepare_box_occluder", STATUS, _POINTER, c_uint32, _POINTER, _POINTER,
                                _POINTER, _POINTER)
prepare_oriented_box_occluder = _declare("lanecull_prepare_oriented_box_occluder", STATUS, _POINTER, c_uint32, _POINTER,
                                         _POINTER, _POINTER, _POINTER)
prepare_polytope_occluder = _declare("lanecull_prepare_polytope_occluder", STATUS, _POINTER, c_uint32, _POINTER,
                                     c_size_t, _POINTER, _POINTER, _POINTER)

create_scene = _declare("lanecull_create_scene", STATUS, _POINTER, _POINTER)
destroy_scene = _declare("lanecull_destroy_scene", None, _POINTER)
scene_add = _declare("lanecull_scene_add", STATUS, _POINTER, _POINTER, c_uint32, c_uint32, _POINTER, c_size_t, _POINTER,
                     _POINTER, _POINTER)
scene_remove = _declare("lanecull_scene_remove", STATUS, _POINTER, _POINTER, c_size_t, _POINTER)
scene_replace = _declare("lanecull_scene_replace", STATUS, _POINTER, _POINTER, c_size_t, _POINTER, c_uint32, _POINTER)
scene_move = _declare("lanecull_scene_move", STATUS, _POINTER, _POINTER, c_size_t, _POINTER, _POINTER, _POINTER,
                      _POINTER)
scene_place = _declare("lanecull_scene_place", STATUS, _POINTER, _POINTER, c_size_t, _POINTER, c_uint32, _POINTER,
                       _POINTER)
scene_set_attributes = _declare("lanecull_scene_set_attributes", STATUS, _POINTER, _POINTER, c_size_t, _POINTER,
                                _POINTER)
scene_refit = _declare("lanecull_scene_refit", STATUS, _POINTER, c_uint32, _POINTER, _POINTER)
scene_improve = _declare("lanecull_scene_improve", STATUS, _POINTER, c_uint64, _POINTER, _POINTER)
scene_rebuild = _declare("lanecull_scene_rebuild", STATUS, _POINTER, _POINTER, _POINTER)
scene_is_stale = _declare("lanecull_scene_is_stale", c_uint32, _POINTER)
scene_spread = _declare("lanecull_scene_spread", c_double, _POINTER)
scene_object_count = _declare("lanecull_scene_object_count", c_uint64, _POINTER)
scene_handle_limit = _declare("lanecull_scene_handle_limit", c_uint64, _POINTER)
scene_slot_count = _declare("lanecull_scene_slot_count", c_uint64, _POINTER)
scene_bytes = _declare("lanecull_scene_bytes", c_uint64, _POINTER)
scene_visibility_words = _declare("lanecull_scene_visibility_words", c_size_t, _POINTER)
scene_scratch_bytes = _declare("lanecull_scene_scratch_bytes", c_size_t, _POINTER, c_uint32)
scene_hint_bytes = _declare("lanecull_scene_hint_bytes", c_size_t, _POINTER)
scene_block_count = _declare("lanecull_scene_block_count", c_uint32, _POINTER)
scene_slot_of = _declare("lanecull_scene_slot_of", STATUS, _POINTER, c_uint32, _POINTER, _POINTER)
scene_cull = _declare("lanecull_scene_cull", STATUS, _POINTER, _POINTER, c_uint32, c_uint32, _POINTER, _POINTER,
                      c_size_t, _POINTER, _POINTER, _POINTER)
scene_save = _declare("lanecull_scene_save", STATUS, _POINTER, c_char_p, _POINTER)
scene_load = _declare("lanecull_scene_load", STATUS, _POINTER, c_char_p, _POINTER, _POINTER)
scene_load_from_memory = _declare("lanecull_scene_load_from_memory", STATUS, _POINTER, _POINTER, c_size_t, _POINTER,
                                  _POINTER)

visible_bounds = _declare("lanecull_visible_bounds", STATUS, _POINTER, _POINTER, c_size_t, _POINTER, c_uint32, _POINTER,
                          _POINTER)
split_depths = _declare("lanecull_split_depths", STATUS, c_double, c_double, c_double, _POINTER, c_size_t, _POINTER)
slice_bounds = _declare("lanecull_slice_bounds", STATUS, _POINTER, _POINTER, c_size_t, _POINTER, _POINTER, _POINTER,
                        c_size_t, _POINTER, c_uint32, _POINTER, _POINTER)
fit_sun_map = _declare("lanecull_fit_sun_map", STATUS, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER)
prepare_cascade_casters = _declare("lanecull_prepare_cascade_casters", STATUS, _POINTER, c_uint32, _POINTER, _POINTER,
                                   _POINTER, _POINTER)
prepare_covered = _declare("lanecull_prepare_covered", STATUS, _POINTER, c_uint32, _POINTER, c_double, _POINTER)
spot_map = _declare("lanecull_spot_map", STATUS, _POINTER, _POINTER, _POINTER, c_double, c_double, c_double, c_double,
                    c_uint32, _POINTER, _POINTER)
cube_map_face = _declare("lanecull_cube_map_face", STATUS, _POINTER, c_uint32, c_double, c_double, c_uint32, _POINTER,
                         _POINTER)
engine_map = _declare("lanecull_engine_map", STATUS, _POINTER, _POINTER, c_uint32, c_uint32, _POINTER, _POINTER)

separate_pairs = _declare("lanecull_separate_pairs", STATUS, _POINTER, _POINTER, _POINTER, c_size_t, c_uint32, _POINTER,
                          _POINTER)
measure_pairs = _declare("lanecull_measure_pairs", STATUS, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER)
cast_pairs = _declare("lanecull_cast_pairs", STATUS, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER)

create_pass = _declare("lanecull_create_pass", STATUS, _POINTER, _POINTER)
destroy_pass = _declare("lanecull_destroy_pass", None, _POINTER)
reserve_pass = _declare("lanecull_reserve_pass", STATUS, _POINTER, c_uint32, c_uint32, c_uint32, _POINTER, _POINTER)
run_pass = _declare("lanecull_run_pass", STATUS, _POINTER, _POINTER, _POINTER, _POINTER, c_size_t, c_uint32, _POINTER,
                    _POINTER, _POINTER)
pass_map = _declare("lanecull_pass_map", STATUS, _POINTER, c_size_t, _POINTER, _POINTER)

bounding_box = _declare("lanecull_bounding_box", STATUS, _POINTER, _POINTER, c_uint32, _POINTER)
bounding_sphere = _declare("lanecull_bounding_sphere", STATUS, _POINTER, _POINTER, c_uint32, _POINTER)
bounding_oriented_box = _declare("lanecull_bounding_oriented_box", STATUS, _POINTER, _POINTER, c_uint32, _POINTER)
bounding_radii = _declare("lanecull_bounding_radii", STATUS, _POINTER, _POINTER, _POINTER)
hull_bounding_spheres = _declare("lanecull_hull_bounding_spheres", STATUS, _POINTER, _POINTER, _POINTER, _POINTER,
                                 _POINTER, _POINTER)
box_bounding_spheres = _declare("lanecull_box_bounding_spheres", STATUS, _POINTER, _POINTER, _POINTER, _POINTER,
                                _POINTER, _POINTER)
world_boxes = _declare("lanecull_world_boxes", STATUS, _POINTER, _POINTER, c_uint32, _POINTER, _POINTER)
world_spheres = _declare("lanecull_world_spheres", STATUS, _POINTER, _POINTER, c_uint32, _POINTER, _POINTER)
join_boxes = _declare("lanecull_join_boxes", STATUS, _POINTER, _POINTER, c_uint32, _POINTER, _POINTER)
caster_views_scratch_bytes = _declare("lanecull_caster_views_scratch_bytes", c_size_t, c_uint32)
prepare_caster_views = _declare("lanecull_prepare_caster_views", STATUS, _POINTER, c_uint32, c_uint32, _POINTER,
                                _POINTER, _POINTER, _POINTER, c_size_t, _POINTER, _POINTER)


def call(function: Any, *arguments: Any) -> None:
    """Calls a function whose last parameter is a message, and raises what it says."""
    message = Message()
    status = function(*arguments, ctypes.byref(message))
    if status != 0:
        raise errors.of_status(status, message.text)


class Owned:
    """An object that the library made, destroyed with this. It cannot be copied or pickled."""

    __slots__ = ("address", "_destroy", "__weakref__")

    def __init__(self, create: Any, destroy: Any, *arguments: Any) -> None:
        self.address: int | None = None
        made = c_void_p()
        call(create, *arguments, ctypes.byref(made))
        self._destroy = destroy
        self.address = made.value

    def __del__(self) -> None:
        if self.address is not None:
            self._destroy(self.address)

    def __reduce__(self) -> Any:
        raise TypeError("what the library made cannot be copied or pickled")
