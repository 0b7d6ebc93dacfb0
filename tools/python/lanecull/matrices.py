"""Clip matrices of cameras, for those who have none: depth 0 to 1, clip = M (x, y, z, 1)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import numbers
from .errors import InvalidArgument

Matrix = NDArray[np.float64]

PARALLEL = 1e-12  # what rounding may leave of the cross product of parallel directions, and some


def perspective(fov_y: float, aspect: float, near: float, far: float) -> Matrix:
    """A camera that looks along -z with y up: fov_y is the angle from bottom to top in degrees, aspect is width over
    height. `far` may be infinite."""
    if not 0 < fov_y < 180:
        raise InvalidArgument(f"fov_y: must be more than 0 and less than 180 degrees, not {fov_y}")
    scale = 1 / math.tan(math.radians(fov_y) / 2)
    return np.array([[scale / aspect, 0, 0, 0], [0, scale, 0, 0], _depth_row(near, far), [0, 0, -1, 0]])


def pinhole(width: float, height: float, focal: float | tuple[float, float], near: float, far: float,
            center: tuple[float, float] | None = None) -> Matrix:
    """A calibrated camera that looks along +z with x right and y down, as in computer vision: a picture of width x
    height pixels, the focal length in pixels (or along x and y), and the principal point (None: the middle)."""
    fx, fy = focal if isinstance(focal, tuple) else (focal, focal)
    cx, cy = (width / 2, height / 2) if center is None else center
    depth = -np.array(_depth_row(near, far))
    return np.array([[2 * fx / width, 0, 2 * cx / width - 1, 0], [0, -2 * fy / height, 1 - 2 * cy / height, 0],
                     [0, 0, depth[2], -depth[3]], [0, 0, 1, 0]])


def look_at(eye: ArrayLike, target: ArrayLike, up: ArrayLike = (0, 0, 1)) -> Matrix:
    """View from world: a camera at `eye` that looks along -z at `target`, with y up, as near to `up` as may be."""
    at = numbers(eye, "eye", (3,))
    back = _unit(at - numbers(target, "target", (3,)), 0, "target: must be finite, and not where eye is")
    upward = _unit(numbers(up, "up", (3,)), 0, "up: must be finite, and not zero")
    right = _unit(np.cross(upward, back), PARALLEL, "up: must not be along the way from eye to target")
    return _pose(np.stack([right, np.cross(back, right), back]), at)


def camera_at(eye: ArrayLike, rotation: ArrayLike) -> Matrix:
    """View from world: a camera at `eye`; the rows of `rotation`, shape (3, 3), are its axes in world coordinates."""
    return _pose(numbers(rotation, "rotation", (3, 3)), numbers(eye, "eye", (3,)))


def _pose(rotation: Matrix, eye: Matrix) -> Matrix:
    matrix = np.eye(4)
    matrix[:3, :3] = rotation
    matrix[:3, 3] = -rotation @ eye
    return matrix


def _unit(vector: Matrix, above: float, rule: str) -> Matrix:
    """The vector's direction. `rule`: what it breaks unless it is longer than `above`."""
    length = math.hypot(*vector)
    if not above < length < math.inf:
        raise InvalidArgument(rule)
    return vector / length


def _depth_row(near: float, far: float) -> list[float]:
    """z / w is 0 at depth `near` and 1 at `far`, looking along -z."""
    if near == far:
        raise InvalidArgument(f"near, far: must differ, and are {near}")
    share = 1.0 if math.isinf(far) else far / (far - near)
    return [0, 0, -share, -share * near]
