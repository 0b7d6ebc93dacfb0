"""Bounds contain what they are around, by numpy, and are not much larger; culls with them find the same."""

import unittest

import numpy as np

import lanecull
from scenes import RANDOM, camera, full, points

COUNT = 500
ROTATIONS = np.linalg.qr(RANDOM.normal(size=(COUNT, 3, 3)))[0].astype(np.float32)
MATRICES = np.zeros((COUNT, 3, 4), np.float32)
MATRICES[:, :, :3], MATRICES[:, :, 3] = ROTATIONS, points(COUNT).T
LOWER = -RANDOM.uniform(0.1, 2, (3, COUNT)).astype(np.float32)
UPPER = RANDOM.uniform(0.1, 2, (3, COUNT)).astype(np.float32)
BOXES = lanecull.BoxInstances(lanecull.Transforms(MATRICES), lanecull.Boxes(LOWER, UPPER))
VIEWS = lanecull.Views.of(camera())


def corners():
    """Of the placed boxes, (count, 8, 3)."""
    ends = np.stack([LOWER.T, UPPER.T]).astype(np.float64)
    local = np.stack([np.stack([ends[i >> k & 1][:, k] for k in range(3)], axis=1) for i in range(8)], axis=1)
    return local @ MATRICES[:, :, :3].astype(np.float64).swapaxes(1, 2) + MATRICES[:, None, :, 3]


class Vertices(unittest.TestCase):
    def test_bounds(self):
        records = np.zeros(200, [("name", "i4"), ("at", "f4", 3)])
        records["at"] = points(200).T
        field = records["at"]
        for at in (field, np.ascontiguousarray(field), np.asfortranarray(field), field[:1]):
            box = lanecull.bounding_box(at)
            self.assertTrue((box.lower == at.min(axis=0)).all() and (box.upper == at.max(axis=0)).all())
            sphere = lanecull.bounding_sphere(at)
            distance = np.linalg.norm(at.astype(np.float64) - sphere.center, axis=1)
            self.assertTrue((distance <= sphere.radius).all())
            self.assertLessEqual(sphere.radius, np.linalg.norm(at.max(axis=0) - at.min(axis=0)) / 2 * 1.01 + 1e-6)
            turned = lanecull.bounding_oriented_box(at)
            along = (at.astype(np.float64) - turned.center) @ np.linalg.inv(turned.axes.astype(np.float64))
            self.assertTrue((np.abs(along) <= turned.half_extents * (1 + 1e-5) + 1e-5).all())


class Objects(unittest.TestCase):
    def test_radii(self):
        boxes = lanecull.OrientedBoxes(points(COUNT), UPPER.T.copy(), axes=ROTATIONS)
        radius = lanecull.bounding_radii(boxes)
        true = np.linalg.norm(UPPER.astype(np.float64), axis=0)
        self.assertTrue((radius >= true * (1 - 1e-6)).all() and np.allclose(radius, true, rtol=1e-4))
        with_radius = lanecull.OrientedBoxes(boxes.arrays()[:3], UPPER.T.copy(), axes=ROTATIONS, bounding_radius=radius)
        self.assertTrue((lanecull.cull(boxes, VIEWS).mask() == lanecull.cull(with_radius, VIEWS).mask()).all())

    def test_spheres(self):
        hull = lanecull.Hull(points(30, 1.0))
        hulls = lanecull.HullInstances(lanecull.Transforms(MATRICES), [hull])
        spheres = lanecull.bounding_spheres(hulls)
        bounded = lanecull.HullInstances(lanecull.Transforms(MATRICES), [hull], bounding=spheres)
        self.assertTrue((lanecull.cull(hulls, VIEWS).mask() == lanecull.cull(bounded, VIEWS).mask()).all())
        for spheres in (lanecull.bounding_spheres(BOXES), lanecull.world_spheres(BOXES)):
            x, y, z, radius = spheres.arrays()
            distance = np.linalg.norm(corners() - np.stack([x, y, z], axis=1)[:, None], axis=2)
            self.assertTrue((distance <= radius[:, None] + 1e-6).all())
            self.assertTrue((radius < 1.2 * distance.max(axis=1)).all())

    def test_world_boxes(self):
        lower, upper = np.split(np.stack(lanecull.world_boxes(BOXES).arrays()), 2)
        placed = corners()
        self.assertTrue((lower.T <= placed.min(axis=1)).all() and (upper.T >= placed.max(axis=1)).all())
        self.assertTrue(np.allclose(lower.T, placed.min(axis=1), atol=1e-3))
        seen, exact = (lanecull.cull(one, VIEWS).mask() for one in (lanecull.world_boxes(BOXES), BOXES))
        self.assertTrue((seen >= exact).all())

    def test_joined(self):
        first = np.array([0, 10, 10, 500], np.uint32)
        joined = np.stack(lanecull.join_boxes(lanecull.Boxes(LOWER, UPPER), first).arrays())
        for i in (0, 2):
            self.assertTrue((joined[:3, i] == LOWER[:, first[i]:first[i + 1]].min(axis=1)).all())
            self.assertTrue((joined[3:, i] == UPPER[:, first[i]:first[i + 1]].max(axis=1)).all())

    def test_refused(self):
        boxes = lanecull.Boxes(LOWER, UPPER)
        refused = [
            (lambda: lanecull.bounding_box(points(5)), r"points: shape must be \(n, 3\), not \(3, 5\)"),
            (lambda: lanecull.bounding_box(np.zeros((0, 3), np.float32)), "vertices.count: there must be at least one"),
            (lambda: lanecull.bounding_sphere(np.zeros((4, 3))), "points: dtype must be float32, not float64"),
            (lambda: lanecull.bounding_radii(boxes), "boxes: must be OrientedBoxes, not Boxes"),
            (lambda: lanecull.bounding_spheres(boxes), "instances: must be HullInstances or BoxInstances, not Boxes"),
            (lambda: lanecull.world_boxes(boxes), "instances: must be BoxInstances, not Boxes"),
            (lambda: lanecull.world_boxes(BOXES, 99), "options.isa: 99 is not a known value"),
            (lambda: lanecull.join_boxes(boxes, np.array([0, 501], np.uint32)), "first: must grow, and end with at"),
            (lambda: lanecull.join_boxes(boxes, np.array([5, 3], np.uint32)), "first: must grow"),
            (lambda: lanecull.join_boxes(boxes, full(3, 1)), "first: dtype must be uint32"),
        ]
        for call, text in refused:
            with self.subTest(text), self.assertRaisesRegex(lanecull.InvalidArgument, text):
                call()


if __name__ == "__main__":
    unittest.main()
