"""Baked visibility: what is behind a wall, from cells on both sides of it, and what a file says again."""

import pathlib
import tempfile
import unittest

import numpy as np

import lanecull
from lanecull import _native

WALL = np.array([[[-0.5, -50, -50]], [[0.5, 50, 50]]])


@unittest.skipIf(_native.visibility is None, "this build has no CRoaring")
class Baked(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = pathlib.Path(folder.name) / "walls.visibility"
        random = np.random.default_rng(3)
        at = np.array([np.repeat([-8, 8], 100), random.uniform(-5, 5, 200), random.uniform(-5, 5, 200)], np.float32)
        cls.scene = lanecull.Scene()
        cls.handles = cls.scene.add(lanecull.Spheres(at, np.full(200, 0.3, np.float32)))
        cls.scene.refit()
        cls.world = lanecull.BakeScene(cls.scene, *WALL)
        cls.grid = lanecull.CellGrid((-6, -2, -2), (6, 2, 2), (4, 4, 4))
        lanecull.bake(cls.world, cls.grid, cls.path, near_reach=0.1)
        cls.baked = lanecull.Visibility(cls.path)

    def handles_of(self, words):
        """The handles of the objects in a set: what of the whole scene is a candidate and in view of a ball."""
        everything = lanecull.Views(1)
        everything.prepare_from_ball(0, (0, 0, 0), 1000)
        return set(lanecull.SceneCull(self.scene, everything, candidates=words)().handles().tolist())

    def test_cells(self):
        self.assertEqual((len(self.grid), self.grid.count), (3, (3, 1, 1)))
        self.assertEqual([self.grid.find((x, 0, 0)) for x in (-5, 0, 5, 9)], [0, 1, 2, None])

    def test_what_a_wall_hides(self):
        """Its own side for the outer cells; the wall stands in the middle one."""
        left, right = (set(self.handles[part].tolist()) for part in (slice(0, 100), slice(100, 200)))
        found = [self.handles_of(self.baked.read(cell)) for cell in range(3)]
        self.assertEqual(found, [left, left | right, right])
        self.assertEqual([len(self.baked.slots(cell)) for cell in range(3)], [100, 200, 100])

    def test_file(self):
        self.assertEqual((len(self.baked), self.baked.grid.count), (3, (3, 1, 1)))
        self.assertTrue(self.baked.is_of(self.scene))
        self.assertFalse(self.baked.is_of(lanecull.Scene()))
        for cell in range(3):
            self.assertEqual(self.baked.read(cell).tobytes(),
                             self.world.bake(self.grid, cell, near_reach=0.1).tobytes())

    def test_distance(self):
        words = self.world.bake(self.grid, 0, near_reach=0.1, distance=1.0)
        self.assertEqual(self.handles_of(words), set())

    def test_refused(self):
        with self.assertRaisesRegex(lanecull.InvalidArgument, "size"):
            lanecull.CellGrid((0, 0, 0), (1, 1, 1), (0, 1, 1))
        with self.assertRaises(lanecull.InvalidArgument):
            self.baked.read(3)
        with self.assertRaises(lanecull.InvalidArgument):
            self.world.bake(self.grid, 3)
        with self.assertRaisesRegex(lanecull.SystemFailure, "none.visibility"):
            lanecull.Visibility(self.path.parent / "none.visibility")
        damaged = self.path.parent / "damaged.visibility"
        damaged.write_bytes(self.path.read_bytes()[:-9])
        with self.assertRaises(lanecull.BadFile):
            lanecull.Visibility(damaged)
        part = self.path.parent / "part.visibility"
        with self.assertRaises(lanecull.InvalidArgument):
            lanecull.bake(self.world, self.grid, part, near_reach=-1.0)
        self.assertFalse(part.exists())


if __name__ == "__main__":
    unittest.main()
