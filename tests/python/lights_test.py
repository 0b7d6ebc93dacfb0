"""Lights in cells: against distances by numpy, and the rules of arguments."""

import unittest

import numpy as np

import lanecull

MATRIX = lanecull.perspective(90, 1, 0.1, 100)
DEPTHS = [1.0, 2.0, 4.0, 8.0, np.inf]
RANDOM = np.random.default_rng(5)
COUNT = 300


def place(count):
    depth = RANDOM.uniform(-1, 9, count)
    return np.array([RANDOM.uniform(-1.2, 1.2, count) * depth, RANDOM.uniform(-1.2, 1.2, count) * depth,
                     -depth]).astype(np.float32)


def samples(tiles):
    """Points of each cell but of the last slice, in the order of cells: (cells, points, 3)."""
    share = np.linspace(0, 1, 5)
    cells = []
    for near, far in zip(DEPTHS[:-2], DEPTHS[1:-1]):
        for j in range(tiles[1]):
            for i in range(tiles[0]):
                z, y, x = np.meshgrid(near + share * (far - near), -1 + 2 * (j + share) / tiles[1],
                                      -1 + 2 * (i + share) / tiles[0], indexing="ij")
                cells.append(np.stack([x * z, y * z, -z], axis=-1).reshape(-1, 3))
    return np.array(cells)


def sets(lists):
    return [set(lists.indices[a:b].tolist()) for a, b in zip(lists.offsets[:-1], lists.offsets[1:])]


class Lights(unittest.TestCase):
    def setUp(self):
        self.at, self.radius = place(COUNT), RANDOM.uniform(0.1, 2, COUNT).astype(np.float32)
        self.balls = lanecull.Spheres(self.at, self.radius)

    def test_balls(self):
        tiles = (4, 3)
        lists = lanecull.assign_lights(MATRIX, tiles, DEPTHS, balls=self.balls)
        self.assertEqual(len(lists.offsets), 4 * 3 * 4 + 1)
        found = sets(lists)
        for cell, points in enumerate(samples(tiles)):
            away = np.linalg.norm(points[:, :, None] - self.at[None], axis=1)
            within = np.nonzero((away < self.radius * (1 - 1e-5)).any(axis=0))[0]
            self.assertLessEqual(set(within.tolist()), found[cell])
            middle, reach = points.mean(axis=0), np.linalg.norm(points - points.mean(axis=0), axis=1).max()
            apart = np.nonzero(np.linalg.norm(middle[:, None] - self.at, axis=0) > self.radius + reach + 1e-3)[0]
            self.assertFalse(found[cell] & set(apart.tolist()))

    def test_spots_are_within_their_balls(self):
        axis = RANDOM.normal(size=(3, COUNT)).astype(np.float32)
        tangent = RANDOM.uniform(0.1, 2, COUNT).astype(np.float32)
        spots = lanecull.Spots(self.at, self.radius, axis, tangent)
        self.assertEqual(len(spots), COUNT)
        of_spots = sets(lanecull.assign_lights(MATRIX, (4, 3), DEPTHS, spots=spots))
        of_balls = sets(lanecull.assign_lights(MATRIX, (4, 3), DEPTHS, balls=self.balls))
        self.assertTrue(all(a <= b for a, b in zip(of_spots, of_balls)))
        both = lanecull.assign_lights(MATRIX, (4, 3), DEPTHS, balls=self.balls, spots=spots)
        self.assertEqual(sets(both), [b | {COUNT + light for light in a} for a, b in zip(of_spots, of_balls)])

    def test_layers(self):
        layers = np.arange(COUNT, dtype=np.uint32) % 2 + 1
        plain = sets(lanecull.assign_lights(MATRIX, (2, 2), DEPTHS, balls=self.balls))
        hidden = sets(lanecull.assign_lights(MATRIX, (2, 2), DEPTHS, balls=self.balls, layers=layers, hidden_layers=2))
        self.assertEqual(hidden, [{light for light in one if layers[light] == 1} for one in plain])

    def test_visible(self):
        box = lanecull.WorldBox(np.array([-1.0, -1, -4]), np.array([1.0, 1, -2]))
        nearest = np.clip(self.at, np.array(box.lower)[:, None], np.array(box.upper)[:, None])
        away = np.linalg.norm(nearest - self.at, axis=0)
        bits = lanecull.cull_lights(MATRIX, balls=self.balls, bounds=box)
        kept = np.unpackbits(bits.view(np.uint8), bitorder="little")
        self.assertFalse(kept[COUNT:].any())
        self.assertTrue(kept[:COUNT][away < self.radius * (1 - 1e-5)].all())
        self.assertFalse(kept[:COUNT][away > self.radius + 1e-3].any())
        self.assertTrue(0 < kept.sum() < COUNT)
        plain = sets(lanecull.assign_lights(MATRIX, (2, 2), DEPTHS, balls=self.balls))
        lists = lanecull.assign_lights(MATRIX, (2, 2), DEPTHS, balls=self.balls, visible=bits)
        self.assertEqual(sets(lists), [{light for light in one if kept[light]} for one in plain])
        hides = lanecull.Occluders()
        hides.set_viewpoint(MATRIX)
        self.assertEqual(hides.add_box([-3, -3, -1.5], [3, 3, -1]), lanecull.Refusal.NOT)
        hidden = lanecull.cull_lights(MATRIX, balls=self.balls, bounds=box, occluders=hides)
        self.assertTrue((hidden & ~bits == 0).all())
        self.assertLess(np.unpackbits(hidden.view(np.uint8)).sum(), kept.sum())

    def test_arguments(self):
        with self.assertRaisesRegex(lanecull.InvalidArgument, "tiles"):
            lanecull.assign_lights(MATRIX, (0, 1), DEPTHS)
        with self.assertRaisesRegex(lanecull.InvalidArgument, "boundaries: element 1"):
            lanecull.assign_lights(MATRIX, (1, 1), [2, 1])
        with self.assertRaisesRegex(lanecull.InvalidArgument, "tangent"):
            lanecull.Spots(self.at, self.radius, self.at, self.radius[1:])
        with self.assertRaisesRegex(lanecull.InvalidArgument, "layers"):
            lanecull.assign_lights(MATRIX, (1, 1), DEPTHS, balls=self.balls, layers=np.zeros(1, np.uint32))


if __name__ == "__main__":
    unittest.main()
