"""Occluders: what a wall hides, by segments; viewpoints, options, refusals, arguments and lifetimes."""

import gc
import unittest

import numpy as np

import lanecull
from scenes import RANDOM, camera, full, points

AT = points(4000)
DOTS = lanecull.Batches(lanecull.Spheres(AT, full(4000, 1e-3)))
MATRIX = camera()
VIEWS = lanecull.Views.of(MATRIX)
LOWER, UPPER = np.array([8, -4, -3.0]), np.array([9, 5, 4.0])


def behind(eye, at, lower, upper):
    """Whether the segment from the eye to each point, (3, n), meets the box."""
    way = at.astype(np.float64) - np.array(eye)[:, None]
    with np.errstate(divide="ignore"):
        ends = [(np.array(side) - eye)[:, None] / way for side in (lower, upper)]
    first, last = np.minimum(*ends).max(axis=0), np.maximum(*ends).min(axis=0)
    return (first <= last) & (first >= 0) & (first <= 1)


def wall():
    occluders = lanecull.Occluders()
    occluders.set_viewpoint(MATRIX)
    assert occluders.add_box(LOWER, UPPER) == lanecull.Refusal.NOT
    return occluders


class Hiding(unittest.TestCase):
    def check(self, occluders, eye=(0, 0, 0), views=VIEWS, grown=0.05):
        plain = lanecull.cull(DOTS, views).mask()
        cull = lanecull.cull(DOTS, views, occluders=occluders, statistics=True)
        seen = cull.mask()
        self.assertTrue((seen <= plain).all())
        hidden = plain & ~seen
        self.assertGreater(hidden.sum(), 10)
        self.assertTrue(behind(eye, AT, LOWER, UPPER)[hidden].all())
        surely = behind(eye, AT, LOWER + grown, UPPER - grown) & (AT[0] > 10)
        self.assertFalse((seen & surely).any())
        self.assertEqual(cull.statistics().culled_occluded, hidden.sum())
        self.assertGreaterEqual(cull.hidden_counts().sum(), hidden.sum())
        self.assertEqual(len(cull.hidden_counts()), len(occluders))

    def test_box(self):
        self.check(wall())

    def test_the_same_solid_in_other_forms(self):
        drawn = lanecull.OccluderOptions(drawn=[LOWER, UPPER])
        oriented, polytope = lanecull.Occluders(), lanecull.Occluders()
        for one in (oriented, polytope):
            one.set_viewpoint(MATRIX)
        self.assertEqual(oriented.add_oriented_box((LOWER + UPPER) / 2, (UPPER - LOWER) / 2, np.eye(3)), 0)
        planes = [[1, 0, 0, -8], [-1, 0, 0, 9], [0, 1, 0, 4], [0, -1, 0, 5], [0, 0, 1, 3], [0, 0, -1, 4]]
        self.assertEqual(polytope.add_polytope(planes, drawn), lanecull.Refusal.NOT)
        self.check(oriented)
        self.check(polytope)

    def test_viewpoints(self):
        eyes = lanecull.Occluders()
        eyes.set_viewpoint_from_eyes([(0, 0, 0)], near_reach=0.2)
        eyes.add_box(LOWER, UPPER)
        self.check(eyes)
        directional_light = lanecull.Occluders()
        directional_light.set_viewpoint_along((1, 0, 0))
        directional_light.add_box(LOWER, UPPER)
        ball = lanecull.Views(1)
        ball.prepare_from_ball(0, (0, 0, 0), 500)
        seen = lanecull.cull(DOTS, ball, occluders=directional_light).mask()
        shaded = ((AT[1:].T > LOWER[1:]) & (AT[1:].T < UPPER[1:])).all(axis=1) & (AT[0] > 9)
        self.assertGreater(shaded.sum(), 5)
        self.assertTrue((seen == ~shaded).all())

    def test_lists_change_between_runs(self):
        occluders = wall()
        cull = lanecull.Cull(DOTS, VIEWS, occluders=occluders)
        with_wall = cull().counts[0]
        occluders.clear()
        without = cull().counts[0]
        self.assertLess(with_wall, without)
        self.assertEqual((len(occluders), len(cull.hidden_counts())), (0, 0))
        occluders.set_viewpoint(MATRIX)
        occluders.add_box(LOWER, UPPER)
        self.assertEqual(cull().counts[0], with_wall)

    def test_each_view_its_own(self):
        views = lanecull.Views.of([MATRIX, MATRIX])
        cull = lanecull.Cull(DOTS, views, occluders=[None, wall()])
        gc.collect()
        self.assertLess(cull().counts[1], cull.counts[0])

    def test_owners(self):
        """A wall whose owner is not drawn hides nothing."""
        box = lanecull.Boxes(LOWER.astype(np.float32).reshape(3, 1), UPPER.astype(np.float32).reshape(3, 1))
        flags = np.zeros(1, np.uint32)
        batches = lanecull.Batches(lanecull.Batch(box, lanecull.Attributes(flags=flags)), *DOTS.batches)
        occluders = lanecull.Occluders()
        occluders.set_viewpoint(MATRIX)
        occluders.add_box(LOWER, UPPER, lanecull.OccluderOptions(owners=[(0, 0)]))
        gc.collect()
        cull = lanecull.Cull(batches, VIEWS, occluders=occluders)
        hidden = cull().counts[0]
        flags[0] = lanecull.ObjectFlag.DISABLED
        self.assertGreater(cull().counts[0], hidden)

    def test_boxes_are_rounded_inward(self):
        """0.1 and 0.3 lie between floats."""
        from lanecull._arrays import rounded
        values = np.array([0.1, 0.3, -0.1, -0.3, 1.0, 1e-50, -1e-50, 0, 1e300, -1e300])
        up, down = rounded(values, np.inf), rounded(values, -np.inf)
        self.assertTrue((up >= values).all() and (down <= values).all())
        self.assertTrue((np.nextafter(down[:8], np.float32(np.inf)) >= up[:8]).all())

    def test_many_boxes(self):
        """One by one or all at once."""
        low, high = RANDOM.uniform(8, 20, (3, 30)), RANDOM.uniform(0.5, 5, (3, 30))
        low[1:] -= 14
        each, together = lanecull.Occluders(), lanecull.Occluders()
        for one in (each, together):
            one.set_viewpoint(MATRIX)
        refusals = [each.add_box(low[:, i], low[:, i] + high[:, i]) for i in range(30)]
        self.assertEqual(list(together.add_boxes(low, low + high)), refusals)
        self.assertGreater(len(together), 20)
        first, second = (lanecull.cull(DOTS, VIEWS, occluders=one) for one in (each, together))
        self.assertTrue((first.visible == second.visible).all())
        self.assertTrue((first.hidden_counts() == second.hidden_counts()).all())
        self.assertEqual(len(together.add_boxes(np.zeros((3, 0)), np.zeros((3, 0)))), 0)


class Refused(unittest.TestCase):
    def test_refusals(self):
        occluders = lanecull.Occluders()
        self.assertEqual(occluders.add_box(LOWER, UPPER), lanecull.Refusal.NO_VIEWPOINT)
        occluders.set_viewpoint(MATRIX)
        self.assertEqual(occluders.add_box((-1, -1, -1), (1, 1, 1)), lanecull.Refusal.ENCLOSES_EYE)
        self.assertEqual(occluders.add_box(UPPER, LOWER), lanecull.Refusal.INVALID)
        self.assertEqual(len(occluders), 0)

    def test_arguments(self):
        occluders = wall()
        one = lanecull.Occluders(1)
        one.set_viewpoint(MATRIX)
        one.add_box(LOWER, UPPER)
        many = lanecull.Occluders(65)
        many.set_viewpoint(MATRIX)
        for _ in range(65):
            many.add_box(LOWER, UPPER)
        refused = [
            (lambda: occluders.add_box(LOWER[:2], UPPER), r"lower: shape must be \(3\), not \(2,\)"),
            (lambda: occluders.add_oriented_box((0.1, 0, 0), (1, 1, 1), np.eye(3)), "center: must be numbers of"),
            (lambda: occluders.add_polytope(np.zeros((5, 3)), lanecull.OccluderOptions()), r"planes: shape must be"),
            (lambda: occluders.set_viewpoint(MATRIX, sight=7), "sight: 7 is not a known value"),
            (lambda: occluders.set_viewpoint_from_eyes(np.zeros((9, 3))), "eyes: 27 numbers are not 1 to 8 places"),
            (lambda: occluders.set_viewpoint_along((0, 0, 0)), "direction"),
            (lambda: occluders.add_boxes(np.zeros((3, 2)), np.ones((3, 3))), "upper: shape must be that of lower"),
            (lambda: occluders.add_boxes(LOWER, UPPER), r"lower: shape must be \(3, n\), not \(3,\)"),
            (lambda: occluders.add_box(LOWER, UPPER, {}), "options: must be OccluderOptions or None, not dict"),
            (lambda: one.add_box(LOWER, UPPER), "capacity: there are 1 occluders already"),
            (lambda: lanecull.OccluderOptions(owners=[(0, -1)]), "owners: must be integers from 0 to 4294967295"),
            (lambda: lanecull.OccluderOptions(drawn=LOWER), r"drawn: shape must be \(2, 3\), not \(3,\)"),
            (lambda: lanecull.Cull(DOTS, VIEWS, occluders=[None, None]), "occluders: must be one list of"),
            (lambda: lanecull.Cull(DOTS, VIEWS, occluders=[3]), "occluders: must be one list of occluders, or"),
            (lambda: lanecull.cull(DOTS, VIEWS, occluders=many), "occluders: at most 64 for a view, not 65"),
            (lambda: lanecull.cull(DOTS, VIEWS).hidden_counts(), "occluders: was not asked for"),
        ]
        for call, text in refused:
            with self.subTest(text), self.assertRaisesRegex(lanecull.InvalidArgument, text):
                call()
        self.assertEqual(len(occluders), 1)


if __name__ == "__main__":
    unittest.main()
