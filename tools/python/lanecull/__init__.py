"""lanecull from Python: which objects share no point with a view? Never wrong, exact, fast.

    boxes = lanecull.Boxes(lower, upper)                        # numpy arrays, not copied
    views = lanecull.Views.of(clip_from_world)                  # 4x4 matrices
    cull = lanecull.Cull(boxes, views)                          # a call made once ...
    visible = cull().indices()                                  # ... and run each frame

tools/python/README.md of the project is the manual. What fails raises a subclass of Error.
"""

from . import _library

__path__ += _library.folders()  # for _interface.py

from ._arrays import bits, streams
from ._library import VERSION as __version__
from ._outputs import Statistics
from .batch import (DRAW_COMMAND, Attributes, Batch, Batches, BoxInstances, Boxes, Capsules, CenteredBoxes,
                    Cones, Cylinders, DrawTemplates, Ellipsoids, Hull, HullInstances, ObjectFlag, OrientedBoxes, Shapes,
                    Spheres, Transforms)
from .bounds import (BoxBounds, OrientedBoxBounds, SphereBounds, bounding_box, bounding_oriented_box, bounding_radii,
                     bounding_sphere, bounding_spheres, join_boxes, world_boxes, world_spheres)
from .culling import BATCH_RANGE, CERTIFICATE, VISIBLE_RUN, Cull, ListOrder, Method, Reason, cull
from .errors import (BadFile, Error, InvalidArgument, NotReady, OutOfMemory, SystemFailure, Unsupported)
from .frame import Casters, FramePass, PassCamera, PassDirectionalLight, PassPointLight, PassSpotLight
from .hulls import ConvexHull, convex_hull, enclosing_hull, outward_error
from .isa import Isa
from .lights import LightLists, Spots, assign_lights, cull_lights
from .matrices import camera_at, look_at, perspective, pinhole
from .occluder import OccluderOptions, Occluders, Refusal, Sight
from .pairs import (Contacts, Distances, PairContacts, Pairs, SignedDistances, cast_pairs, find_pair_contacts,
                    measure_pairs, measure_signed_pairs, separate_pairs)
from .scene import NO_LOD, BlockOutcome, Lod, Mobility, PartialRebuild, Refit, Scene, SceneCull
from .shadow import (ShadowMap, Slice, WorldBox, cube_map_face, engine_map, fit_directional_map,
                     prepare_cascade_casters, prepare_covered, slice_bounds, split_depths, spot_map, visible_bounds)
from .threads import set_thread_count, thread_count
from .view import ClipSpace, DepthRange, DirectionalLight, PointLight, ViewOptions, Views
from .visibility import BakeScene, CellGrid, Visibility, bake

__all__ = [
    "Attributes", "BATCH_RANGE", "BadFile", "BakeScene", "Batch", "Batches", "BlockOutcome", "BoxBounds",
    "BoxInstances", "Boxes", "CERTIFICATE", "Capsules", "Casters", "CellGrid", "CenteredBoxes", "ClipSpace", "Cones",
    "Contacts", "ConvexHull", "Cull", "Cylinders", "DRAW_COMMAND", "DepthRange", "DirectionalLight", "Distances",
    "DrawTemplates", "Ellipsoids", "Error", "FramePass", "Hull", "HullInstances", "InvalidArgument", "Isa", "LightLists", "ListOrder",
    "Lod", "Method", "Mobility", "NO_LOD", "NotReady", "ObjectFlag", "OccluderOptions", "Occluders",
    "OrientedBoxBounds", "OrientedBoxes", "OutOfMemory", "PairContacts", "Pairs", "PartialRebuild", "PassCamera",
    "PassDirectionalLight", "PassPointLight", "PassSpotLight", "PointLight", "Reason", "Refit", "Refusal", "Scene",
    "SceneCull", "ShadowMap", "Shapes", "Sight", "SignedDistances", "Slice", "SphereBounds", "Spheres", "Spots",
    "Statistics", "SystemFailure", "Transforms", "Unsupported", "VISIBLE_RUN", "ViewOptions", "Views", "Visibility", "WorldBox",
    "__version__", "assign_lights", "bake", "bits", "bounding_box", "bounding_oriented_box", "bounding_radii",
    "bounding_sphere", "bounding_spheres", "camera_at", "cast_pairs", "convex_hull", "cube_map_face", "cull",
    "cull_lights", "enclosing_hull", "engine_map", "find_pair_contacts", "fit_directional_map", "join_boxes", "look_at", "measure_pairs", "measure_signed_pairs",
    "outward_error", "perspective", "pinhole", "prepare_cascade_casters", "prepare_covered", "separate_pairs",
    "set_thread_count", "slice_bounds", "split_depths", "spot_map", "streams", "thread_count", "visible_bounds",
    "world_boxes", "world_spheres",
]
