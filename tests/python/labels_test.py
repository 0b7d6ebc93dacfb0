"""tools/python/examples/labels.py: what it says of each box, against lines in doubles; its files and cameras; and it
draws, where there is matplotlib."""

import contextlib
import importlib.util
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np

import labels

HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None


def mesh_planes(mesh):
    """n . p + d >= 0 within it, by each triangle and the middle of all corners."""
    corners = mesh.corners.T.astype(float)
    middle, planes = corners.mean(axis=0), []
    for a, b, c in corners[mesh.triangles]:
        n = np.cross(b - a, c - a)
        n *= np.sign(n @ (middle - a)) / np.linalg.norm(n)
        planes.append([*n, -n @ a])
    return np.array(planes)


def box_planes(center, half, axes):
    axes, center = axes.astype(float), center.astype(float)
    return np.array([[*(sign * axis), h - sign * axis @ center] for axis, h in zip(axes, half) for sign in (1, -1)])


def meets(planes, eye, points):
    """Whether the segments from the eye to points meet the solid."""
    start, ends = planes[:, :3] @ eye + planes[:, 3], points @ planes[:, :3].T + planes[:, 3]
    slope = ends - start
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = -start / slope
    enter = np.where(slope > 0, crossing, 0).max(axis=1)
    leave = np.where(slope < 0, crossing, 1).min(axis=1)
    beside = ((slope == 0) & (start < 0)).any(axis=1)
    return (np.maximum(enter, 0) <= np.minimum(leave, 1)) & ~beside


class Labels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.street = labels.make_street(np.random.default_rng(5))
        calib = labels.read_calib(labels.CALIB)
        cls.frames = [(*labels.make_camera(calib, pose), *labels.judge(cls.street, *labels.make_camera(calib, pose)))
                      for pose in labels.read_poses(labels.POSES)]
        cls.meshes = [mesh_planes(mesh) for mesh in cls.street.meshes]
        cls.boxes = list(zip(cls.street.center, cls.street.half, cls.street.axes))

    def test_each_answer_is_given(self):
        for _, _, states, points in self.frames:
            self.assertTrue((np.bincount(states, minlength=4) > 5).all())
            self.assertTrue(((states == labels.SEEN) == ~np.isnan(points[:, 0])).all())

    def test_seen(self):
        """Its point is in the box and in the picture, and no mesh and no other box is before it."""
        for matrix, eye, states, points in self.frames:
            for i in (states == labels.SEEN).nonzero()[0]:
                point, (center, half, axes) = points[i:i + 1], self.boxes[i]
                self.assertTrue((np.abs(axes @ (point[0] - center)) <= half).all())
                self.assertTrue(labels.project(matrix, point)[1].all())
                others = self.meshes + [box_planes(*box) for k, box in enumerate(self.boxes) if k != i]
                self.assertFalse(any(meets(planes, eye, point).any() for planes in others))

    def test_hidden(self):
        """One mesh is before every point of it."""
        random = np.random.default_rng(1)
        for _, eye, states, _ in self.frames:
            for i in (states == labels.HIDDEN).nonzero()[0]:
                center, half, axes = self.boxes[i]
                inside = center + (random.uniform(-1, 1, (300, 3)) * half) @ axes
                points = np.concatenate([labels.corners_of(*self.boxes[i]), inside])
                self.assertTrue(any(meets(planes, eye, points).all() for planes in self.meshes), i)

    def test_outside(self):
        """Not a box with a corner in the picture; and each with all corners beyond one of its sides."""
        for matrix, _, states, _ in self.frames:
            for box, state in zip(self.boxes, states):
                corners = labels.corners_of(*box)
                x, y, z, w = (np.column_stack([corners, np.ones(8)]) @ matrix.T).T
                if labels.project(matrix, corners)[1].any():
                    self.assertNotEqual(state, labels.OUTSIDE)
                if (np.stack([w + x, w - x, w + y, w - y, z, w - z]) < -1e-3).all(axis=1).any():
                    self.assertEqual(state, labels.OUTSIDE)

    def test_cameras_are_those_of_kitti(self):
        """A point's pixel is P2 times its place beside the first camera; the eye is where P2 times it is 0."""
        calib = labels.read_calib("P0: 1 2 3 4 5 6 7 8 9 10 11 12\n" + labels.CALIB + "\n")
        pose = labels.read_poses("0.8 0 0.6 3 0 1 0 -1 -0.6 0 0.8 7\n")[0]
        matrix, eye = labels.make_camera(calib, pose)
        places = np.array([(5, 0, 20, 1), (-3, 1, 8, 1), (12, -4, 60, 1)], float)
        expected = (calib @ np.linalg.inv(pose) @ places.T).T
        pixels, _ = labels.project(matrix, places[:, :3])
        self.assertTrue(np.allclose(pixels, expected[:, :2] / expected[:, 2:], atol=1e-6))
        self.assertTrue(np.allclose(calib @ np.linalg.inv(pose) @ [*eye, 1], 0))

    def test_it_says_and_draws(self):
        with tempfile.TemporaryDirectory() as folder:
            poses, picture = pathlib.Path(folder, "poses.txt"), pathlib.Path(folder, "labels.png")
            poses.write_text(labels.POSES.splitlines()[-1])
            given = ["labels.py", "--poses", str(poses), *(["--picture", str(picture)] if HAS_MATPLOTLIB else [])]
            with contextlib.redirect_stdout(io.StringIO()) as said, mock.patch.object(sys, "argv", given):
                labels.main()
            counts = np.bincount(self.frames[-1][2], minlength=4)
            expected = ", ".join(f"{n} {name}" for n, name in zip(counts, labels.NAMES))
            self.assertEqual(said.getvalue(), f"frame 0: {expected}\n")
            if HAS_MATPLOTLIB:
                self.assertEqual(picture.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
                self.assertGreater(picture.stat().st_size, 30_000)


if __name__ == "__main__":
    unittest.main()
