"""The culling pass of a frame: what every camera draws, and what goes into every shadow map of its lights.

<lanecull/shadow.h> has what each step does and what is shared. Views are numbered: cameras, then cascades camera
by camera, then the maps of point lights, six faces or a spot light's one. Map k is that of view len(cameras) + k.
"""

from __future__ import annotations

import enum
import threading
from typing import NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _native, errors
from ._arrays import numbers, real, whole
from ._native import library, pointer, span
from ._outputs import asked, point_to, results
from .batch import Batch, Batches, Shapes, Uints
from .culling import Method
from .isa import Isa
from .shadow import ShadowMap
from .view import _DEFAULT_SPACE, ClipSpace, DirectionalLight, ViewOptions, _options, _space, hidden_layers

ALL_LAYERS = 2**32 - 1


def _not_below_0(value: float, name: str) -> float:
    """The number; for 0, which stands for the default in structs, one below 0, which is none there."""
    if _arrays.real(value, name) < 0:
        raise errors.InvalidArgument(f"{name}: must not be below 0, as {value} is")
    return float(value) or -1.0


class Casters(enum.IntEnum):
    """Which objects are drawn into shadow maps."""

    VOLUME = 0
    """What can cast a shadow into a camera's view."""
    FRUSTUM = 1
    """What meets the map's own volume."""


class PassDirectionalLight:
    """A directional light, and the 1 to 8 cascades by which a camera sees its shadows between two depths.

    logarithmic: where cascades meet, as for split_depths(). up, texels and is_tight: of the maps, as for
    fit_directional_map(). filter_texels: how far from a point's own place shading reads the map. layer_mask: of
    casters.
    """

    def __init__(self, directional_light: DirectionalLight, near_depth: float, far_depth: float, *, cascades: int = 4,
                 logarithmic: float = 0.8, up: ArrayLike = (0, 1, 0), texels: int = 2048, is_tight: bool = False,
                 filter_texels: float = 4.5, layer_mask: int = ALL_LAYERS) -> None:
        _arrays.instance(directional_light, DirectionalLight, "directional_light")
        self._cascades = whole(cascades, "cascades")
        if cascades == 0:
            raise errors.InvalidArgument("cascades: must be 1 to 8, not 0")
        self._struct = _native.PassDirectionalLight(
            directional_light=directional_light._struct, near_depth=real(near_depth, "near_depth"),
            far_depth=real(far_depth, "far_depth"), cascades=cascades,
            logarithmic=_not_below_0(logarithmic, "logarithmic"),
            map=_native.DirectionalMapOptions(up=_arrays.triple(up, "up"), texels=whole(texels, "texels"),
                                              is_tight=bool(is_tight)),
            filter_texels=_not_below_0(filter_texels, "filter_texels"), hidden_layers=hidden_layers(layer_mask))


class PassCamera:
    """A camera's matrix, copied; its options, without a light; its directional light."""

    def __init__(self, clip_from_world: ArrayLike, space: ClipSpace = _DEFAULT_SPACE,
                 options: ViewOptions | None = None, directional_light: PassDirectionalLight | None = None) -> None:
        matrix = numbers(clip_from_world, "clip_from_world", (4, 4))
        _arrays.instance(directional_light, (PassDirectionalLight, type(None)), "directional_light")
        self._cascades = 0 if directional_light is None else directional_light._cascades
        light = None if directional_light is None else pointer(directional_light._struct)
        self._struct = _native.PassCamera(clip_space=_space(space), options=_options(options) or _native.ViewOptions(),
                                          directional_light=light)
        self._struct.clip_from_world[:] = matrix.ravel().tolist()


class PassSpotLight(NamedTuple):
    """A spot light: a point light that has one map and not six, a pyramid, as for spot_map()."""

    forward: ArrayLike
    up: ArrayLike
    tan_x: float = 1.0
    tan_y: float = 1.0


class PassPointLight:
    """Light on what is no farther away than `range`; its maps begin at near_depth. spot: None for a cube map.
    cameras: numbers of those in whose pictures its shadows are; empty: all."""

    def __init__(self, at: ArrayLike, range: float, near_depth: float, *, texels: int = 512, filter_texels: float = 4.5,
                 layer_mask: int = ALL_LAYERS, spot: PassSpotLight | None = None, cameras: Sequence[int] = ()) -> None:
        viewers = np.array([whole(one, "cameras") for one in cameras], np.uint32)
        self._maps = 6 if spot is None else 1
        self._struct = _native.PassPointLight(
            at=_arrays.triple(at, "at"), range=real(range, "range"), near_depth=real(near_depth, "near_depth"),
            texels=whole(texels, "texels"), filter_texels=_not_below_0(filter_texels, "filter_texels"),
            hidden_layers=hidden_layers(layer_mask), cameras=span(_native.ConstIndices, viewers))
        if spot is not None:
            forward, up, tan_x, tan_y = _arrays.instance(spot, PassSpotLight, "spot")
            self._struct.spot = pointer(_native.PassSpotLight(
                forward=_arrays.triple(forward, "spot.forward"), up=_arrays.triple(up, "spot.up"),
                tan_x=real(tan_x, "tan_x"), tan_y=real(tan_y, "tan_y")))


class FramePass:
    """The pass of frames of up to so many cameras, cascades of all cameras together, and point lights, over these
    batches.

    Memory is taken when it is made: for cameras + cascades + 6 * point_lights views. Outputs are as those of Cull.
    Threads: runs of one pass take turns; different ones may run at once.
    """

    def __init__(self, batches: Batches | Batch | Shapes, *, cameras: int = 1, cascades: int = 0, point_lights: int = 0,
                 visible: bool = True, indices: bool = True, method: Method = Method.AUTOMATIC,
                 isa: Isa = Isa.AUTOMATIC) -> None:
        self.batches = batches if isinstance(batches, Batches) else Batches(batches)
        limits = _native.PassLimits(whole(cameras, "cameras"), whole(cascades, "cascades"),
                                    whole(point_lights, "point_lights"))
        if cameras == 0:
            raise errors.InvalidArgument("cameras: there must be at least one")
        self._owned = _native.Owned(library.lanecull_create_pass, library.lanecull_destroy_pass)
        _native.call(library.lanecull_reserve_pass, self._owned, limits, self.batches._objects)
        views = cameras + cascades + 6 * point_lights
        self._outputs = _native.array(_native.Output, views)
        self._visible = _arrays.output(bool(visible), "visible", np.uint64, (views, self.batches.visibility_words))
        self._indices = _arrays.output(bool(indices), "indices", np.uint32, (views, self.batches.object_count))
        point_to(self._outputs, "visible", self._visible)
        point_to(self._outputs, "indices", self._indices)
        self._all_counts = results(self._outputs, "visible_count")
        self._options = _native.CullOptions(method=whole(method, "method"), isa=whole(isa, "isa"),
                                             runner=_native.runner)
        self._turn = threading.Lock()
        self._view_count = 0

    def __call__(self, cameras: Sequence[PassCamera], point_lights: Sequence[PassPointLight] = (),
                 casters: Casters = Casters.VOLUME) -> FramePass:
        """Plans the frame, prepares its views and culls them all; returns itself."""
        camera_structs = (_native.PassCamera * len(cameras))(
            *(_arrays.instance(one, PassCamera, "cameras")._struct for one in cameras))
        point_light_structs = (_native.PassPointLight * len(point_lights))(
            *(_arrays.instance(one, PassPointLight, "point_lights")._struct for one in point_lights))
        views = len(cameras) + sum(one._cascades for one in cameras) + sum(one._maps for one in point_lights)
        if views > len(self._outputs):
            raise errors.InvalidArgument(f"cameras, point_lights: the frame has {views} views, this pass is for "
                                         f"{len(self._outputs)}")
        frame = _native.PassFrame(span(_native.PassCameras, camera_structs),
                                  span(_native.PassPointLights, point_light_structs))
        with self._turn:
            _native.call(library.lanecull_run_pass, self._owned, frame, self.batches._objects,
                         whole(casters, "casters"), self._options, pointer(self._outputs), views)
            self._view_count = views
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
        """The maps of the last frame's cascades and point lights."""
        count = library.lanecull_pass_map_count(self._owned) if self._view_count else 0
        if count == 0:
            return []
        planned = (_native.ShadowMap * count).from_address(library.lanecull_pass_maps(self._owned))
        return [ShadowMap(_native.ShadowMap.from_buffer_copy(one)) for one in planned]

    def mask(self, view: int = 0) -> NDArray[np.bool_]:
        """Whether each object is visible in that view: a new array."""
        return self.batches.mask(self.visible[view])

    def indices(self, view: int = 0) -> Uints:
        """The indices of that view's visible objects."""
        found: Uints = asked(self._indices, "indices")[:self._view_count][view][:self.counts[view]]
        return found
