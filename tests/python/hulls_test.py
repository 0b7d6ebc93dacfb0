"""Hulls of points: corners, triangles and volume of boxes and balls, and what an enclosing hull contains, by numpy."""

import unittest

import numpy as np

import lanecull
from lanecull import _native

RANDOM = np.random.default_rng(8)
CUBE = np.array([[x, y, z] for x in (0, 2) for y in (0, 3) for z in (0, 4)], np.float32)


def planes(hull):
    """The outward normal and offset of each triangle, normal . p <= offset inside."""
    a, b, c = np.moveaxis(hull.corners.T.astype(np.float64)[hull.triangles], 1, 0)
    normal = np.cross(b - a, c - a)
    return normal, (normal * a).sum(axis=1)


@unittest.skipIf(_native.hulls is None, "this build has no qhull")
class Hulls(unittest.TestCase):
    def test_box(self):
        inside = RANDOM.uniform(0.1, 1.9, (50, 3)).astype(np.float32)
        hull = lanecull.convex_hull(np.concatenate([inside, CUBE]))
        self.assertEqual((len(hull), hull.dimension, len(hull.triangles)), (8, 3, 12))
        self.assertAlmostEqual(hull.volume, 24)
        self.assertEqual({tuple(p) for p in hull.corners.T}, {tuple(p) for p in CUBE})
        normal, offset = planes(hull)
        self.assertTrue((normal @ inside.T.astype(float) < offset[:, None]).all())

    def test_flat(self):
        hull = lanecull.convex_hull(CUBE[CUBE[:, 2] == 0])
        self.assertEqual((hull.dimension, hull.volume, len(hull)), (2, 0, 4))
        self.assertEqual(lanecull.convex_hull(CUBE[:1]).triangles.shape, (0, 3))

    def test_enclosing(self):
        way = RANDOM.normal(size=(400, 3))
        ball = (way / np.linalg.norm(way, axis=1)[:, None]).astype(np.float32)
        exact, few = lanecull.convex_hull(ball), lanecull.enclosing_hull(ball, 24)
        self.assertTrue(4 <= len(few) <= 24 and few.volume > exact.volume > 4)
        normal, offset = planes(few)
        self.assertTrue((normal @ ball.T.astype(float) <= offset[:, None] + 1e-12).all())
        self.assertTrue(0 < lanecull.outward_error(few, exact) < 1)
        self.assertLess(lanecull.outward_error(exact, exact), 1e-12)

    def test_instances(self):
        at = np.broadcast_to(np.eye(4, dtype=np.float32), (2, 4, 4)).copy()
        at[:, 2, 3] = -10, 10
        hulls = [lanecull.convex_hull(CUBE - CUBE.mean(axis=0)).hull()]
        cull = lanecull.cull(lanecull.HullInstances(lanecull.Transforms(at), hulls),
                             lanecull.Views.of(lanecull.perspective(60, 1, 0.1, 100)))
        self.assertEqual(cull.indices().tolist(), [0])

    def test_refused(self):
        with self.assertRaisesRegex(lanecull.InvalidArgument, "max_corners: must be at least 4|max_corners"):
            lanecull.enclosing_hull(CUBE, 3)
        with self.assertRaisesRegex(lanecull.InvalidArgument, "points: shape"):
            lanecull.convex_hull(CUBE.T)
        with self.assertRaises(lanecull.InvalidArgument):
            lanecull.convex_hull(np.full((4, 3), np.nan, np.float32))
        with self.assertRaisesRegex(lanecull.InvalidArgument, "inner: must be ConvexHull"):
            lanecull.outward_error(lanecull.convex_hull(CUBE), CUBE)


if __name__ == "__main__":
    unittest.main()
