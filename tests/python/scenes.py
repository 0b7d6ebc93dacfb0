"""What the tests share: objects, cameras, and numpy's own answers."""

import numpy as np

import lanecull

RANDOM = np.random.default_rng(34)


def points(count, size=60.0):
    """Coordinates (3, count) in a cube of that half-width."""
    return RANDOM.uniform(-size, size, (3, count)).astype(np.float32)


def full(count, value):
    return np.full(count, value, np.float32)


def spheres(count=500, radius=0.5):
    return lanecull.Spheres(points(count), full(count, radius))


def camera(eye=(0, 0, 0), target=(1, 0, 0), far=50.0):
    """A clip matrix of a camera with 60 degrees from bottom to top."""
    return lanecull.perspective(60, 1.5, 0.1, far) @ lanecull.look_at(eye, target)


def distances_within(matrix, at):
    """How far each point, (3, n), is inside of the plane that it is farthest outside of; negative: outside."""
    rows = np.stack([matrix[3] + matrix[0], matrix[3] - matrix[0], matrix[3] + matrix[1], matrix[3] - matrix[1],
                     matrix[2], matrix[3] - matrix[2]])
    rows /= np.linalg.norm(rows[:, :3], axis=1)[:, None]
    return (rows[:, :3] @ at.astype(np.float64) + rows[:, 3:]).min(axis=0)
