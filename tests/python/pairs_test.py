"""Pairs: separation, distances and casts of balls and boxes, against closed forms in numpy."""

import unittest

import numpy as np

import lanecull
from scenes import RANDOM, full, points

COUNT = 2000
AT = points(COUNT, 10.0)
RADIUS = RANDOM.uniform(0.1, 4, COUNT).astype(np.float32)
HALF = RANDOM.uniform(0.1, 3, (3, COUNT)).astype(np.float32)
BATCHES = lanecull.Batches(lanecull.Spheres(AT, RADIUS), lanecull.CenteredBoxes(AT, HALF))
INDICES = RANDOM.integers(0, COUNT, (5000, 2), np.uint32)
A, B = INDICES.T
BALLS = lanecull.Pairs(BATCHES, INDICES[:, 0], INDICES[:, 1])
BETWEEN = np.linalg.norm(AT[:, A].astype(float) - AT[:, B], axis=0)
GAP = BETWEEN - RADIUS[A] - RADIUS[B]


def boxes_gap():
    apart = np.abs(AT[:, A].astype(float) - AT[:, B]) - HALF[:, A] - HALF[:, B]
    return np.linalg.norm(np.maximum(apart, 0), axis=0)


class Against(unittest.TestCase):
    def test_separate(self):
        for isa in lanecull.Isa:
            if isa.runnable or isa == lanecull.Isa.AUTOMATIC:
                apart = lanecull.separate_pairs(BALLS, isa)
                self.assertEqual(len(apart), 5000)
                self.assertTrue(apart[GAP > 1e-3].all() and not apart[GAP < 0].any())
        self.assertTrue(0.2 < apart.mean() < 0.9999)

    def test_measure(self):
        found = lanecull.measure_pairs(BALLS, points=True)
        true = np.maximum(GAP, 0)
        self.assertTrue((found.lower <= true + 1e-5).all() and (found.upper >= true - 1e-5).all())
        self.assertTrue(np.allclose(found.lower, true, atol=1e-3))
        apart = GAP > 0.1
        self.assertTrue(np.allclose(np.linalg.norm(found.a - found.b, axis=0)[apart], true[apart], atol=1e-3))
        self.assertTrue(np.allclose(np.linalg.norm(found.a - AT[:, A], axis=0)[apart], RADIUS[A][apart], atol=1e-3))
        boxes = lanecull.measure_pairs(lanecull.Pairs(BATCHES, A.copy(), B.copy(), 1, 1))
        self.assertTrue(np.allclose(boxes.lower, boxes_gap(), atol=1e-3))
        self.assertIsNone(boxes.a)
        near = lanecull.measure_pairs(BALLS, limit=1.0)
        self.assertTrue(np.allclose(near.lower[true < 0.9], true[true < 0.9], atol=1e-3))
        self.assertTrue((near.lower[true > 1.1] > 1).all())

    def test_measure_signed(self):
        found = lanecull.measure_signed_pairs(BALLS, points=True)
        self.assertTrue((found.lower <= GAP + 1e-5).all() and (found.upper >= GAP - 1e-5).all())
        self.assertTrue(np.allclose(found.lower, GAP, atol=1e-3))
        away = BETWEEN > 0.1
        line = (AT[:, B].astype(float) - AT[:, A])[:, away] / BETWEEN[away]
        self.assertTrue(np.allclose(found.direction[:, away], line, atol=1e-3))
        self.assertTrue(np.allclose((found.b - found.a)[:, away], GAP[away] * line, atol=1e-3))
        boxes = lanecull.measure_signed_pairs(lanecull.Pairs(BATCHES, A.copy(), B.copy(), 1, 1), limit=1e-45)
        apart = np.abs(AT[:, A].astype(float) - AT[:, B]) - HALF[:, A] - HALF[:, B]
        deep = apart.max(axis=0) < 0
        self.assertTrue(0.02 < deep.mean() < 0.98)
        self.assertTrue(np.allclose(boxes.upper[deep], apart.max(axis=0)[deep], atol=1e-3))
        self.assertTrue((boxes.lower[apart.max(axis=0) > 1e-3] > 0).all())
        self.assertIsNone(boxes.a)

    def test_contacts(self):
        """Boxes along the axes that overlap: points on the sides that are nearest to each other."""
        found = lanecull.find_pair_contacts(lanecull.Pairs(BATCHES, A.copy(), B.copy(), 1, 1), tolerance=0.25)
        apart = np.abs(AT[:, A].astype(float) - AT[:, B]) - HALF[:, A] - HALF[:, B]
        gap, deepest = boxes_gap(), apart.max(axis=0)
        self.assertTrue((found.counts[gap < 0.2499] > 0).all() and (found.counts[gap > 0.2501] == 0).all())
        self.assertTrue(0.02 < (found.counts > 0).mean() < 0.98)
        deep = deepest < -1e-3
        self.assertTrue(np.allclose(found.distance[deep, 0], deepest[deep], atol=1e-3))
        self.assertTrue((found.counts[deep] == 4).mean() > 0.99)
        there = np.arange(4) < found.counts[:, None]
        self.assertTrue((np.isfinite(found.a) == there).all() and (np.isfinite(found.distance) == there).all())
        beyond = np.abs(found.a - AT[:, A][:, :, None]) - HALF[:, A][:, :, None]
        self.assertTrue((np.abs(beyond.max(axis=0))[there] < 1e-3).all())

    def test_cast(self):
        """The root of a quadratic."""
        motion = RANDOM.normal(0, 20, (3, 5000)).astype(np.float32)
        found = lanecull.cast_pairs(BALLS, motion)
        start, way = (AT[:, A].astype(float) - AT[:, B]), motion.astype(float)
        a, b = (way**2).sum(axis=0), (start * way).sum(axis=0)
        root = b**2 - a * ((start**2).sum(axis=0) - (RADIUS[A].astype(float) + RADIUS[B]) ** 2)
        time = np.where(root > 0, (-b - np.sqrt(np.maximum(root, 0))) / a, np.inf)
        time = np.where(GAP < 0, 0, np.where((time < 0) | (time > 1), np.inf, time))
        clear = (np.abs(root) > 5) & (np.abs(GAP) > 0.01) & ~(np.abs(time - 1) < 0.01)
        hits = clear & np.isfinite(time)
        self.assertGreater(hits.sum(), 100)
        self.assertTrue((found.earliest[hits] <= time[hits] + 1e-5).all())
        self.assertTrue((found.latest[hits] >= time[hits] - 1e-3).all() and np.isfinite(found.latest[hits]).all())
        self.assertTrue(np.isinf(found.earliest[clear & np.isinf(time)]).mean() > 0.99)

    def test_cast_that_turns(self):
        """Balls that turn about their centres move straight on; about the other's centre they keep their distance."""
        motion = RANDOM.normal(0, 20, (3, 5000)).astype(np.float32)
        turn = RANDOM.normal(0, 1, (3, 5000)).astype(np.float32)
        straight = lanecull.cast_pairs(BALLS, motion)
        turning = lanecull.cast_pairs(BALLS, motion, turn=turn, center=AT[:, A].copy())
        both = np.isfinite(straight.latest) & np.isfinite(turning.latest)
        self.assertGreater(both.sum(), 100)
        self.assertTrue(np.allclose(straight.earliest[both], turning.earliest[both], atol=1e-2))
        self.assertTrue((np.isinf(straight.earliest) == np.isinf(turning.earliest)).mean() > 0.99)
        still = lanecull.cast_pairs(BALLS, 0 * motion, turn=turn, center=AT[:, B].copy())
        clear = np.abs(GAP) > 0.1
        self.assertTrue((np.isinf(still.earliest) == (GAP > 0))[clear].all())

    def test_bad_indices_are_not_apart(self):
        pairs = lanecull.Pairs(BATCHES, np.array([COUNT + 7], np.uint32), np.array([0], np.uint32))
        self.assertFalse(lanecull.separate_pairs(pairs)[0])

    def test_no_pairs(self):
        none = np.zeros(0, np.uint32)
        pairs = lanecull.Pairs(BATCHES, none, none)
        self.assertEqual(len(lanecull.separate_pairs(pairs)), 0)
        self.assertEqual(lanecull.measure_pairs(pairs, points=True).a.shape, (3, 0))

    def test_refused(self):
        refused = [
            (lambda: lanecull.Pairs(BATCHES, A.astype(np.int64), B), "a: dtype must be uint32, not int64"),
            (lambda: lanecull.Pairs(BATCHES, A, B[:5]), r"b: shape must be \(5000\), not \(5,\)"),
            (lambda: lanecull.Pairs(BATCHES, A, B.copy()), "b: must have the stride of a, 8 bytes, not 4"),
            (lambda: lanecull.Pairs(BATCHES, A[::-1], B[::-1]), "a: records must be 1 to 65536 bytes apart, not -8"),
            (lambda: lanecull.Pairs(BATCHES, A, B, batch_b=2), "batch_b: must be 0 to 1, not 2"),
            (lambda: lanecull.Pairs(BATCHES.batches[0], A, B), "batches: must be Batches, not Batch"),
            (lambda: lanecull.measure_pairs(BALLS, limit=-1), "limit"),
            (lambda: lanecull.measure_pairs(BALLS, relative=0), "relative: must be more than 0"),
            (lambda: lanecull.measure_pairs(BALLS, relative=1e-46), "relative: must be more than 0, as a float32"),
            (lambda: lanecull.cast_pairs(BALLS, points(5000), width=1e-46), "width: must be more than 0, as a float"),
            (lambda: lanecull.cast_pairs(BALLS, points(5)), r"motion: shape must be \(3, 5000\), not \(3, 5\)"),
            (lambda: lanecull.cast_pairs(BALLS, points(5000), width=0), "width: must be more than 0"),
            (lambda: lanecull.cast_pairs(BALLS, points(5000), turn=points(5000)), "both must be given, or none"),
            (lambda: lanecull.separate_pairs(BALLS, 99), "options.isa: 99 is not a known value"),
        ]
        for call, text in refused:
            with self.subTest(text), self.assertRaisesRegex(lanecull.InvalidArgument, text):
                call()


if __name__ == "__main__":
    unittest.main()
