"""lanecull from Python: which objects share no point with a view? Never wrong, exact, fast.

    boxes = lanecull.Boxes(lower, upper)                        # numpy arrays, not copied
    views = lanecull.Views.of(clip_from_world)                  # 4x4 matrices
    cull = lanecull.Cull(boxes, views)                          # a call made once ...
    visible = cull().indices()                                  # ... and run each frame

tools/python/README.md of the project is the manual. What fails raises a subclass of Error.
"""

from ._arrays import bits, streams
from ._library import VERSION as __version__
from .batch import (DRAW_COMMAND, Attributes, Batch, Batches, BoxInstances, Boxes, Capsules, CenteredBoxes,
                    DrawTemplates, Hull, HullInstances, ObjectFlag, OrientedBoxes, Shapes, Spheres, Transforms)
from .culling import BATCH_RANGE, CERTIFICATE, VISIBLE_RUN, Cull, Method, Reason, Statistics, cull
from .errors import (BadFile, Error, InvalidArgument, NotReady, OutOfMemory, SystemFailure, Unsupported)
from .isa import Isa
from .matrices import camera_at, look_at, perspective, pinhole
from .view import ClipSpace, DepthRange, Lamp, Sun, ViewOptions, Views

__all__ = [
    "Attributes", "BATCH_RANGE", "BadFile", "Batch", "Batches", "BoxInstances", "Boxes", "CERTIFICATE", "Capsules",
    "CenteredBoxes", "ClipSpace", "Cull", "DRAW_COMMAND", "DepthRange", "DrawTemplates", "Error", "Hull",
    "HullInstances", "InvalidArgument", "Isa", "Lamp", "Method", "NotReady", "ObjectFlag", "OrientedBoxes",
    "OutOfMemory", "Reason", "Shapes", "Spheres", "Statistics", "Sun", "SystemFailure", "Transforms", "Unsupported",
    "VISIBLE_RUN", "ViewOptions", "Views", "__version__", "bits", "camera_at", "cull", "look_at", "perspective",
    "pinhole", "streams",
]
