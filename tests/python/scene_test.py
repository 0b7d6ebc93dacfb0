"""Ordered scenes: after every edit a cull finds what a cull of batches with the same objects finds; files; levels of
detail; arguments and lifetimes."""

import gc
import pathlib
import tempfile
import unittest

import numpy as np

import lanecull
from scenes import camera, full, points

MATRIX = camera(far=80)
VIEWS = lanecull.Views.of([MATRIX, camera(target=(0, 1, 0), far=80)])
COUNT = 5000


class World:
    """Balls, as numpy has them and as a scene does."""

    def __init__(self):
        self.at, self.radius = points(COUNT), full(COUNT, 0.5)
        self.scene = lanecull.Scene()
        self.handles = self.scene.add(self.spheres(), lanecull.Mobility.MOVING)
        self.scene.refit()

    def spheres(self):
        return lanecull.Spheres(self.at, self.radius)

    def expected(self, view=0):
        return lanecull.cull(self.spheres(), VIEWS).mask(view)


class Scenes(unittest.TestCase):
    def setUp(self):
        self.world = World()

    def check(self, cull=None):
        world = self.world
        cull = (cull or lanecull.SceneCull(world.scene, VIEWS))()
        for view in range(2):
            expected = world.handles[world.expected(view)]
            self.assertGreater(len(expected), 20)
            self.assertEqual(sorted(cull.handles(view)), sorted(expected))
            self.assertEqual(cull.counts[view], len(expected))

    def test_edits(self):
        """By one SceneCull, whose memory follows the scene."""
        world = self.world
        cull = lanecull.SceneCull(world.scene, VIEWS, visible=True)
        self.check(cull)
        offsets = np.random.default_rng(5).normal(0, 30, (3, COUNT)).astype(np.float32)
        world.scene.move(world.handles, offsets)
        world.at += offsets
        self.assertTrue(world.scene.is_stale)
        with self.assertRaises(lanecull.NotReady):
            cull()
        world.scene.refit(lanecull.Refit.GROWN)
        self.check(cull)
        self.assertGreater(world.scene.cost, 1)
        self.assertTrue(world.scene.rebuild_within(0.05).blocks > 0)
        world.scene.refit()
        self.check(cull)
        world.at[:] = points(COUNT)
        world.scene.place(world.handles, world.spheres())
        world.scene.refit()
        self.check(cull)
        everyone = world.handles.copy()
        off = lanecull.Attributes(flags=np.full(COUNT, lanecull.ObjectFlag.DISABLED, np.uint32))
        world.scene.set_attributes(everyone, off)
        world.scene.refit()
        self.assertEqual(cull().counts[0], 0)
        with self.assertRaises(lanecull.InvalidArgument):
            world.scene.set_attributes(everyone[:5].copy(), off)
        world.scene.set_attributes(everyone, lanecull.Attributes(flags=np.zeros(COUNT, np.uint32)))
        world.scene.refit()
        self.check(cull)
        world.scene.rebuild()
        self.check(cull)
        world.scene.remove(world.handles[::2].copy())
        world.at, world.radius, world.handles = world.at[:, 1::2].copy(), world.radius[1::2].copy(), world.handles[1::2]
        world.scene.refit()
        self.assertEqual(len(world.scene), COUNT // 2)
        self.check(cull)
        more = points(3000)
        handles = world.scene.add(lanecull.Batch(lanecull.Spheres(more, full(3000, 0.5))))
        world.at, world.radius = np.hstack([world.at, more]), full(COUNT // 2 + 3000, 0.5)
        world.handles = np.concatenate([world.handles, handles])
        world.scene.refit()
        self.check(cull)
        self.assertTrue((world.handles < world.scene.handle_limit).all())
        capsules = lanecull.Capsules(world.at[:, :1].copy(), world.at[:, :1].copy(), full(1, 0.5))
        world.scene.replace(world.handles[:1].copy(), capsules)
        world.scene.refit()
        self.check(cull)

    def test_the_scene_owns_its_objects(self):
        world = self.world
        before = lanecull.SceneCull(world.scene, VIEWS)().handles().copy()
        world.at[:] = 1e6
        gc.collect()
        self.assertTrue((lanecull.SceneCull(world.scene, VIEWS)().handles() == before).all())

    def test_outputs_agree(self):
        draws = np.zeros(COUNT, lanecull.DRAW_COMMAND)
        draws["first_index"] = np.arange(COUNT)
        scene = lanecull.Scene()
        handles = scene.add(lanecull.Batch(self.world.spheres(), draws=lanecull.DrawTemplates(draws)))
        scene.refit()
        cull = lanecull.SceneCull(scene, VIEWS, slots=True, visible=True, inside=True, runs=True, draws=True,
                                  distances=True, block_outcomes=True, statistics=True,
                                  lod=lanecull.Lod([0.1, 0.02]))()
        for view in range(2):
            found = cull.handles(view)
            self.assertTrue((scene.slots_of(found) == cull.slots(view)).all())
            bits = lanecull.bits(cull.visible[view], scene.slot_count)
            self.assertEqual(list(bits.nonzero()[0]), list(cull.slots(view)))
            self.assertEqual(sum(cull.runs(view)["count"]), len(found))
            index = np.argsort(handles)[np.searchsorted(np.sort(handles), found)]
            self.assertTrue((cull.draws(view)["first_index"] == index).all())
            true = np.maximum(np.linalg.norm(self.world.at.T[index], axis=1) - 0.5, 0)
            self.assertTrue((cull.distances(view) <= true + 1e-4).all())
            self.assertTrue(np.allclose(cull.distances(view), true, atol=1e-3))
            self.assertTrue((np.diff(cull.levels(view)[np.argsort(true)].astype(int)) >= 0).all())
            self.assertEqual(set(cull.levels(view)), {0, 1, 2})
            inside = lanecull.bits(cull.inside[view], scene.slot_count)
            self.assertTrue(0 < inside.sum() and bits[inside].all())
            self.assertEqual(len(cull.block_outcomes[view]), scene.block_count)
            self.assertTrue((cull.block_outcomes[view] <= max(lanecull.BlockOutcome)).all())
            self.assertLess(cull.statistics(view).objects, COUNT)
        self.assertGreater(scene.nbytes, 16 * COUNT)

    def test_levels_stay(self):
        """With a hysteresis an object keeps its level until its size has left it by that fraction."""
        scene = lanecull.Scene()
        at = np.array([[10], [0], [0]], np.float32)
        handles = scene.add(lanecull.Spheres(at, full(1, 1)))
        scene.refit()
        views = lanecull.Views.of(camera(far=500))
        size = 1 / 9 / np.tan(np.radians(30)) / 2
        levels = lanecull.SceneCull(scene, views, lod=lanecull.Lod([size * 1.05], 0.5))
        plain = lanecull.SceneCull(scene, views, lod=lanecull.Lod([size * 1.05]))
        coarse = plain().levels()[0]
        self.assertEqual(levels().levels()[0], coarse)
        scene.move(handles, np.array([[-3], [0], [0]], np.float32))
        scene.add(lanecull.Spheres(-at, full(1, 1)))  # other memory
        scene.refit()
        self.assertEqual((plain().levels()[0], levels().levels()[0]), (0, coarse))
        scene.move(handles, np.array([[-4], [0], [0]], np.float32))
        scene.refit()
        self.assertEqual(levels().levels()[0], 0)

    def test_candidates_and_occluders(self):
        scene = self.world.scene
        cull = lanecull.SceneCull(scene, VIEWS, visible=True)()
        half = cull.visible.copy()
        half[:, ::2] = 0
        some = lanecull.SceneCull(scene, VIEWS, visible=True, candidates=half)()
        self.assertTrue((some.visible == half).all())
        wall = lanecull.Occluders()
        wall.set_viewpoint(MATRIX)
        wall.add_box((5, -3, -3), (6, 3, 3))
        behind = lanecull.SceneCull(scene, VIEWS, visible=True, occluders=[wall, None])()
        flat = lanecull.cull(self.world.spheres(), VIEWS, occluders=[wall, None])
        self.assertEqual(list(behind.counts), list(flat.counts))
        self.assertLess(behind.counts[0], cull.counts[0])
        self.assertGreater(behind.hidden_counts()[0], 0)

    def test_many_views(self):
        views = lanecull.Views.of([camera(target=(np.cos(a), np.sin(a), 0.2)) for a in np.linspace(0, 6, 100)])
        scene = lanecull.SceneCull(self.world.scene, views)()
        flat = lanecull.cull(self.world.spheres(), views)
        self.assertEqual(list(scene.counts), list(flat.counts))
        part = lanecull.SceneCull(self.world.scene, views, first_view=70, view_count=20)()
        self.assertEqual(list(part.counts), list(flat.counts[70:90]))

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "ordnung ü.scene")
            self.world.scene.save(path)
            for loaded in (lanecull.Scene.load(path), lanecull.Scene.load(str(path)),
                           lanecull.Scene.load_from_memory(path.read_bytes())):
                self.world.scene = loaded
                self.world.scene.refit()
                self.check()
            damaged = bytearray(path.read_bytes())
            damaged[100] ^= 255
            with self.assertRaises(lanecull.BadFile) as caught:
                lanecull.Scene.load_from_memory(damaged[:200])
            self.assertIsInstance(caught.exception, ValueError)
            with self.assertRaises(lanecull.SystemFailure) as caught:
                lanecull.Scene.load(path.parent / "none")
            self.assertIsInstance(caught.exception, OSError)
            self.assertIn("/none: cannot be opened", str(caught.exception))
            path.write_bytes(damaged)
            with self.assertRaisesRegex(lanecull.BadFile, "ü.scene: "):
                lanecull.Scene.load(path)

    def test_arguments(self):
        scene, handles = self.world.scene, self.world.handles
        nobody = np.array([scene.handle_limit + 5], np.uint32)
        refused = [
            (lambda: scene.remove(handles.astype(np.int64)), "handles: dtype must be uint32, not int64"),
            (lambda: scene.remove(handles[::2]), "handles: must be contiguous"),
            (lambda: scene.remove(nobody), "handle"),
            (lambda: scene.move(handles, self.world.at[:, :5]), r"offsets: shape must be \(3, 5000\), not \(3, 5\)"),
            (lambda: scene.place(handles[:5], self.world.spheres()), "batch: must have 5 objects, one a handle"),
            (lambda: scene.replace(handles, lanecull.Batches()), "batch: must be one batch"),
            (lambda: lanecull.SceneCull(self.world.spheres(), VIEWS), "scene: must be Scene, not Spheres"),
            (lambda: scene.rebuild_within("long"), "seconds: must be a number, not str"),
            (lambda: scene.refit(7), "refit: 7 is not a known value"),
            (lambda: scene.rebuild_within(-1), "seconds: must be from 0 to 1e9, not -1"),
            (lambda: scene.add(self.world.spheres(), 9), "options.mobility: 9 is not a known value"),
            (lambda: scene.save("a\0b"), "path: must have no null character"),
            (lambda: scene.slots_of([2**40]), "handles: must be 0 to 4294967295, not 1099511627776"),
            (lambda: lanecull.SceneCull(scene, VIEWS, first_view=2), "view_count: 0 from 2 on are not among 2 views"),
            (lambda: lanecull.SceneCull(scene, VIEWS, candidates=np.zeros(1, np.uint64))(), "candidates: shape must"),
            (lambda: lanecull.SceneCull(scene, VIEWS, lod=lanecull.Lod([1, 2]))(), "thresholds"),
            (lambda: lanecull.Lod(0.5), r"thresholds: shape must be \(n\), not \(\)"),
            (lambda: lanecull.SceneCull(scene, VIEWS)().slots(), "slots: was not asked for when this was made"),
        ]
        for call, text in refused:
            with self.subTest(text), self.assertRaisesRegex(lanecull.InvalidArgument, text):
                call()
        scene.refit()
        self.check()

    def test_results_before_there_are_any(self):
        cull = lanecull.SceneCull(self.world.scene, VIEWS)
        for read in (cull.handles, lambda: cull.counts):
            with self.assertRaisesRegex(lanecull.NotReady, "call it first: it has not been run"):
                read()

    def test_lists_outlive_edits(self):
        cull = lanecull.SceneCull(self.world.scene, VIEWS)()
        found = cull.handles()
        before = found.copy()
        self.world.scene.add(lanecull.Spheres(points(100_000), full(100_000, 1)))
        self.world.scene.refit()
        cull()
        gc.collect()
        self.assertTrue((found == before).all())


if __name__ == "__main__":
    unittest.main()
