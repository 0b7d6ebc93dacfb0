"""The culling pass of a frame: what every camera draws, and what goes into every shadow map of its suns and lamps.

<lanecull/cull_pass.hpp> has what each step does and what is shared. Views are numbered: cameras, then cascades camera
by camera, then the maps of lamps, six faces or a spot's one. Map k is that of view len(cameras) + k.
"""

from __future__ import annotations

import ctypes
import enum
import threading
from typing import NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _native, errors
from ._arrays import numbers, real, whole
from ._native import pointer
from ._outputs import asked, point_to, results, structs
from .batch import Batch, Batches, Shapes, Uints
from .culling import Method
from .isa import Isa
from .shadow import ShadowMap
from .view import _DEFAULT_SPACE, ClipSpace, Sun, ViewOptions, _options, _space

ALL_LAYERS = 2**32 - 1
SMALLEST = 5e-324  # for a 0 that is meant: the structs' 0 stands for the default


class Casters(enum.IntEnum):
    """Which objects are drawn into shadow maps."""

    VOLUME = 0
    """What can cast a shadow into a camera's view."""
    FRUSTUM = 1
    """What meets the map's own volume."""


class PassSun:
    """A sun, and the 1 to 8 cascades by which a camera sees its shadows between two depths. logarithmic: where cascades
    meet, as for split_depths(). up, texels and is_tight: of the maps, as for fit_sun_map(). filter_texels: how far from
    a point's own place shading reads the map. layer_mask: of casters."""

    def __init__(self, sun: Sun, near_depth: float, far_depth: float, *, cascades: int = 4, logarithmic: float = 0.8,
                 up: ArrayLike = (0, 1, 0), texels: int = 2048, is_tight: bool = False, filter_texels: float = 4.5,
                 layer_mask: int = ALL_LAYERS) -> None:
        _arrays.instance(sun, Sun, "sun")
        self._cascades = whole(cascades, "cascades")
        if cascades == 0:
            raise errors.InvalidArgument("cascades: must be 1 to 8, not 0")
        self._struct = _native.PassSun(
            sun=pointer(sun._struct), near_depth=real(near_depth, "near_depth"),
            far_depth=real(far_depth, "far_depth"), cascades=cascades, logarithmic=real(logarithmic, "logarithmic"),
            up=_arrays.triple(up, "up"), texels=whole(texels, "texels"), is_tight=bool(is_tight),
            filter_texels=real(filter_texels, "filter_texels") or SMALLEST,
            layer_mask=pointer(ctypes.c_uint32(whole(layer_mask, "layer_mask"))))


class PassCamera:
    """A camera's matrix, copied; its options, without a light; its sun."""

    def __init__(self, clip_from_world: ArrayLike, space: ClipSpace = _DEFAULT_SPACE,
                 options: ViewOptions | None = None, sun: PassSun | None = None) -> None:
        matrix = numbers(clip_from_world, "clip_from_world", (4, 4)).copy()
        _arrays.instance(sun, (PassSun, type(None)), "sun")
        self._cascades = 0 if sun is None else sun._cascades
        self._struct = _native.PassCamera(clip_from_world=pointer(matrix), clip_space=pointer(_space(space)),
                                          options=pointer(_options(options)),
                                          sun=None if sun is None else pointer(sun._struct))


class Spot(NamedTuple):
    """A lamp's map if it has one, not six: a pyramid, as for spot_map()."""

    forward: ArrayLike
    up: ArrayLike
    tan_x: float = 1.0
    tan_y: float = 1.0


class PassLamp:
    """A lamp that lights what is no farther away than `range`; its maps begin at near_depth. spot: None for a cube map.
    cameras: numbers of those in whose pictures its shadows are; empty: all."""

    def __init__(self, at: ArrayLike, range: float, near_depth: float, *, texels: int = 512, filter_texels: float = 4.5,
                 layer_mask: int = ALL_LAYERS, spot: Spot | None = None, cameras: Sequence[int] = ()) -> None:
        viewers = np.array([whole(one, "cameras") for one in cameras], np.uint32)
        self._maps = 6 if spot is None else 1
        self._struct = _native.PassLamp(
            at=_arrays.triple(at, "at"), range=real(range, "range"), near_depth=real(near_depth, "near_depth"),
            texels=whole(texels, "texels"), filter_texels=real(filter_texels, "filter_texels") or SMALLEST,
            layer_mask=pointer(ctypes.c_uint32(whole(layer_mask, "layer_mask"))), cameras=pointer(viewers),
            camera_count=len(viewers))
        if spot is not None:
            forward, up, tan_x, tan_y = _arrays.instance(spot, Spot, "spot")
            self._struct.is_spot, self._struct.tan_x, self._struct.tan_y = 1, real(tan_x, "tan_x"), real(tan_y, "tan_y")
            self._struct.forward = _arrays.triple(forward, "spot.forward")
            self._struct.up = _arrays.triple(up, "spot.up")


class FramePass:
    """The pass of frames of up to so many cameras, cascades of all cameras together, and lamps, over these batches.

    Memory is taken when it is made: for cameras + cascades + 6 * lamps views. Outputs are as those of Cull. Threads:
    runs of one pass take turns; different ones may run at once.
    """

    def __init__(self, batches: Batches | Batch | Shapes, *, cameras: int = 1, cascades: int = 0, lamps: int = 0,
                 visible: bool = True, indices: bool = True, method: Method = Method.AUTOMATIC,
                 isa: Isa = Isa.AUTOMATIC) -> None:
        self.batches = batches if isinstance(batches, Batches) else Batches(batches)
        self._limits = whole(cameras, "cameras"), whole(cascades, "cascades"), whole(lamps, "lamps")
        self._owned = _native.Owned(_native.create_pass, _native.destroy_pass)
        _native.call(_native.reserve_pass, self._owned, *self._limits, self.batches._owned)
        views = cameras + cascades + 6 * lamps
        self._outputs = structs(_native.ViewOutput, views)
        self._visible = _arrays.output(bool(visible), "visible", np.uint64, (views, self.batches.visibility_words))
        self._indices = _arrays.output(bool(indices), "indices", np.uint32, (views, self.batches.object_count))
        point_to(self._outputs, "visible", "visible_words", self._visible)
        point_to(self._outputs, "indices", "index_capacity", self._indices)
        self._all_counts = results(self._outputs, "visible_count")
        self._options = _native.CullOptions(method=whole(method, "method"), isa=whole(isa, "isa"))
        self._turn = threading.Lock()
        self._view_count = 0

    def __call__(self, cameras: Sequence[PassCamera], lamps: Sequence[PassLamp] = (),
                 casters: Casters = Casters.VOLUME) -> FramePass:
        """Plans the frame, prepares its views and culls them all; returns itself."""
        camera_structs = (_native.PassCamera * len(cameras))(
            *(_arrays.instance(one, PassCamera, "cameras")._struct for one in cameras))
        lamp_structs = (_native.PassLamp * len(lamps))(
            *(_arrays.instance(one, PassLamp, "lamps")._struct for one in lamps))
        views = len(cameras) + sum(one._cascades for one in cameras) + sum(one._maps for one in lamps)
        if views > len(self._outputs):
            raise errors.InvalidArgument(f"cameras, lamps: the frame has {views} views, this pass is for "
                                         f"{len(self._outputs)}")
        frame = _native.PassFrame(cameras=pointer(camera_structs), camera_count=len(cameras),
                                  lamps=pointer(lamp_structs), lamp_count=len(lamps))
        with self._turn:
            _native.call(_native.run_pass, self._owned, frame, self.batches._owned, self._outputs, views,
                         whole(casters, "casters"), self._options, None)
            self._view_count, self._camera_count = views, len(cameras)
        return self

    def __len__(self) -> int:
        """How many views the last frame has."""
        return self._view_count

    @property
    def counts(self) -> NDArray[np.uint64]:
        """How many objects are visible in each view of the last frame."""
        return self._all_counts[:self._view_count]

    @property
    def visible(self) -> NDArray[np.uint64]:
        """Bits of visible objects in each view of the last frame."""
        return asked(self._visible, "visible")[:self._view_count]

    @property
    def maps(self) -> list[ShadowMap]:
        """The maps of the last frame's cascades and lamps."""
        made = []
        for k in range(self._view_count - self._camera_count if self._view_count else 0):
            struct = _native.ShadowMap()
            _native.call(_native.pass_map, self._owned, k, struct)
            made.append(ShadowMap(struct))
        return made

    def mask(self, view: int = 0) -> NDArray[np.bool_]:
        """Whether each object is visible in that view: a new array."""
        return self.batches.mask(self.visible[view])

    def indices(self, view: int = 0) -> Uints:
        """The indices of that view's visible objects."""
        found: Uints = asked(self._indices, "indices")[:self._view_count][view][:self.counts[view]]
        return found
