"""Kinds, attributes and outputs: verdicts against numpy, outputs against one another, many views against single
ones."""

import unittest

import numpy as np

import lanecull
from scenes import camera, distances_within, full, points, spheres

MATRIX = camera()
VIEWS = lanecull.Views.of(MATRIX)


class Kinds(unittest.TestCase):
    def test_points_by_every_kind(self):
        """The same small cubes and balls, by each kind that can say so."""
        at = points(2000)
        size = np.float32(0.01)
        within = distances_within(MATRIX, at)
        rows = np.broadcast_to(np.eye(4, dtype=np.float32), (2000, 4, 4)).copy()
        rows[:, :3, 3] = at.T
        unit = np.float32([[-1, 1], [-1, 1], [-1, 1]]) * size
        corners = lanecull.streams([(x, y, z) for x in unit[0] for y in unit[1] for z in unit[2]])
        halves = np.full((2000, 3), size)
        axes = np.broadcast_to(np.eye(3, dtype=np.float32), (2000, 3, 3)).copy()
        zeros = np.zeros(2000, np.uint32)
        bounding = lanecull.Spheres(at, full(2000, 2 * size))
        kinds = [
            lanecull.Spheres(at, full(2000, size)),
            lanecull.Boxes(at - size, at + size),
            lanecull.CenteredBoxes(at, halves.T.copy()),
            lanecull.OrientedBoxes(at, halves, axes=axes),
            lanecull.OrientedBoxes(at, halves, axes=axes, bounding_radius=full(2000, 2 * size)),
            lanecull.Capsules(at, at, full(2000, size)),
            lanecull.Cylinders(at - np.float32([[0], [0], [size]]), at + np.float32([[0], [0], [size]]),
                               full(2000, size)),
            lanecull.Cones(at - np.float32([[0], [0], [size]]), at + np.float32([[0], [0], [size]]),
                           full(2000, size)),
            lanecull.Cones(at - np.float32([[0], [0], [size]]), at, full(2000, 0), end="round"),
            lanecull.Ellipsoids(at, halves, np.broadcast_to(np.float32([0, 0, 1, 1]), (2000, 4)).copy()),
            lanecull.Ellipsoids(at, halves, np.broadcast_to(np.float32([0, 0, 1, 1]), (2000, 4)).copy(),
                                bounding_radius=full(2000, size)),
            lanecull.HullInstances(lanecull.Transforms(rows), [lanecull.Hull(corners)]),
            lanecull.HullInstances(lanecull.Transforms(rows), [lanecull.Hull(corners)] * 3, zeros + np.uint32(2),
                                   bounding),
            lanecull.BoxInstances(lanecull.Transforms(rows), lanecull.Boxes(unit[:, :1].copy(), unit[:, 1:].copy()),
                                  zeros),
        ]
        for kind in kinds:
            visible = lanecull.cull(kind, VIEWS).mask()
            self.assertTrue(visible[within > 0].all(), type(kind))
            self.assertFalse(visible[within < -0.02].any(), type(kind))

    def test_positions_in_doubles(self):
        """A ball around 1e9 units away, seen from there."""
        far = np.float64([1e9, 0, 0])
        rows = np.eye(4, dtype=np.float32)[None].copy()
        hull = lanecull.Hull(points(20, 1.0))
        transforms = lanecull.Transforms(rows, far[None] + [10, 0, 0], origin=far)
        self.assertEqual(lanecull.cull(lanecull.HullInstances(transforms, [hull]), VIEWS).counts[0], 1)

    def test_attributes(self):
        at = np.zeros((3, 4), np.float32)
        at[0], at[2] = 10, 1000  # above the view
        balls = lanecull.Spheres(at, full(4, 1))

        def seen(attributes, options=None):
            views = lanecull.Views.of(MATRIX, options=options)
            return list(lanecull.cull(lanecull.Batch(balls, attributes), views).mask())

        self.assertEqual(seen(None), [False] * 4)
        self.assertEqual(seen(lanecull.Attributes(margin=np.float32([0, 2000, 0, 2000]))), [False, True, False, True])
        sweep = np.zeros((3, 4), np.float32)
        sweep[2] = 0, -2000, 2000, -1000
        self.assertEqual(seen(lanecull.Attributes(sweep=sweep)), [False, True, False, True])
        flags = np.uint32([0, lanecull.ObjectFlag.ALWAYS_VISIBLE, 3, 2])
        self.assertEqual(seen(lanecull.Attributes(flags=flags)), [False, True, False, True])
        at[2] = 0
        self.assertEqual(seen(None), [True] * 4)
        layers = np.uint32([1, 2, 4, 6])
        self.assertEqual(seen(lanecull.Attributes(layers=layers), lanecull.ViewOptions(layer_mask=2)),
                         [False, True, False, True])
        self.assertEqual(seen(lanecull.Attributes(max_distance=np.float32([1, 100, 5, np.inf]))),
                         [False, True, False, True])
        self.assertEqual(seen(lanecull.Attributes(min_distance=np.float32([20, 0, 10, 5]))), [False, True, False, True])
        self.assertEqual(seen(lanecull.Attributes(min_projected_size=np.float32([1, 0, 0.5, 0.01]))),
                         [False, True, False, True])


class Outputs(unittest.TestCase):
    def setUp(self):
        one = np.zeros((), lanecull.DRAW_COMMAND)
        one["index_count"], one["instance_count"] = 36, 1
        each = np.zeros(300, lanecull.DRAW_COMMAND)
        each["first_index"] = np.arange(300)
        self.batches = lanecull.Batches(
            lanecull.Batch(spheres(700, 2), draws=lanecull.DrawTemplates(one)),
            lanecull.Batch(spheres(300, 2), draws=lanecull.DrawTemplates(each)))
        self.views = lanecull.Views.of([MATRIX, camera(target=(-1, 0, 0)), camera(target=(0, 1, 0))])

    def test_outputs_agree(self):
        cull = lanecull.cull(self.batches, self.views, inside=True, runs=True, draws=True, batch_ranges=True,
                             certificates=True, view_masks=True, statistics=True)
        for v in range(3):
            seen = cull.mask(v)
            self.assertEqual(len(seen), 1000)
            self.assertGreater(seen.sum(), 20)
            self.assertEqual(seen.sum(), cull.counts[v])
            self.assertEqual(list(seen.nonzero()[0]), list(cull.indices(v)))
            runs = cull.runs(v)
            self.assertEqual([i for run in runs for i in range(run["first"], run["first"] + run["count"])],
                             list(cull.indices(v)))
            self.assertEqual(list(cull.batch_ranges[v]["count"]), [seen[:700].sum(), seen[700:].sum()])
            draws = cull.draws(v)
            self.assertEqual(list(draws["first_instance"][:seen[:700].sum()]), list(seen[:700].nonzero()[0]))
            self.assertEqual(list(draws["first_index"][seen[:700].sum():]), list(seen[700:].nonzero()[0]))
            inside = self.batches.mask(cull.inside[v])
            self.assertTrue(0 < inside.sum() < seen.sum() and seen[inside].all())
            self.assertTrue(((cull.certificates[v]["reason"] >= lanecull.Reason.VISIBLE_ALWAYS) == seen).all())
            self.assertTrue(((cull.view_masks >> np.uint64(v)) & np.uint64(1) == seen).all())
            statistics = cull.statistics(v)
            self.assertEqual((statistics.objects, statistics.visible, statistics.culled),
                             (1000, seen.sum(), 1000 - seen.sum()))

    def test_candidates(self):
        all_views = lanecull.cull(self.batches, self.views)
        some = all_views.visible[0].copy()
        some[::2] = 0
        again = lanecull.cull(self.batches, self.views, candidates=some, view_count=1)
        self.assertTrue((again.visible[0] == some).all())
        each = all_views.visible.copy()
        each[1] = 0
        again = lanecull.cull(self.batches, self.views, candidates=each)
        self.assertEqual(list(again.counts), [all_views.counts[0], 0, all_views.counts[2]])

    def test_short_lists(self):
        cull = lanecull.cull(self.batches, self.views, indices=np.zeros((3, 5), np.uint32))
        self.assertGreater(cull.counts[0], 5)
        self.assertEqual(list(cull.indices(0)), list(cull.mask(0).nonzero()[0][:5]))

    def test_order(self):
        depth = np.arange(300, dtype=np.float32)[::-1] % 40 + 5
        centers = np.zeros((3, 300), np.float32)
        centers[0] = depth
        batches = lanecull.Batches(lanecull.Spheres(centers, np.ones(300, np.float32)))
        order = lanecull.ListOrder
        near = np.argsort(depth, kind="stable")

        def listed(order, **options):
            return list(lanecull.cull(batches, lanecull.Views.of(MATRIX), order=order, **options).indices())

        self.assertEqual(listed(order.ASCENDING), list(range(300)))
        self.assertEqual(listed(order.FRONT_TO_BACK), list(near))
        self.assertEqual(listed(order.BACK_TO_FRONT), list(np.argsort(-depth, kind="stable")))
        self.assertEqual(listed(order.FRONT_TO_BACK, indices=np.zeros((1, 7), np.uint32)), list(near[:7]))
        structs = np.zeros(300, [("other", np.uint32), ("key", np.uint32)])
        structs["key"] = np.arange(300) % 3
        by_key = near[np.argsort(structs["key"][near], kind="stable")]
        self.assertEqual(listed(order.BY_KEY, keys=structs["key"]), list(by_key))
        self.assertEqual(listed(order.BY_KEY, keys=structs["key"].copy()), list(by_key))
        with self.assertRaisesRegex(lanecull.InvalidArgument, r"outputs\[0\]\.keys"):
            listed(order.BY_KEY, keys=structs["key"][:299].copy())
        scene = lanecull.Scene()
        handles = scene.add(batches)
        scene.refit()
        cull = lanecull.SceneCull(scene, lanecull.Views.of(MATRIX), order=order.FRONT_TO_BACK)()
        self.assertEqual(list(depth[np.argsort(handles)][cull.handles()]), sorted(depth))

    def test_first_index(self):
        batches = lanecull.Batches(spheres(70, 100), lanecull.Batch(spheres(2, 100), first_index=500), spheres(2, 100))
        self.assertEqual(list(lanecull.cull(batches, VIEWS).indices()), [*range(70), 500, 501, 72, 73])

    def test_no_objects(self):
        empty = lanecull.Spheres(np.zeros((3, 0), np.float32), np.zeros(0, np.float32))
        for batches in (lanecull.Batches(), lanecull.Batches(empty), lanecull.Batches(empty, spheres(3, 100), empty)):
            cull = lanecull.cull(batches, VIEWS, view_masks=True, inside=True)
            self.assertEqual(cull.counts[0], cull.mask().sum())
            self.assertEqual(len(cull.mask()), batches.object_count)

    def test_many_views(self):
        """150 views in one Cull are the same as one by one, on every method."""
        matrices = [camera(target=(np.cos(a), np.sin(a), 0.3)) for a in np.linspace(0, 6, 150)]
        views = lanecull.Views.of(matrices)
        for method in lanecull.Method:
            together = lanecull.cull(self.batches, views, method=method, statistics=True)
            for v in (0, 1, 63, 64, 127, 128, 149):
                alone = lanecull.cull(self.batches, views, first_view=v, view_count=1, method=method)
                self.assertTrue((alone.visible[0] == together.visible[v]).all())
                self.assertEqual(list(alone.indices()), list(together.indices(v)))
                self.assertEqual(alone.counts[0], together.statistics(v).visible)

    def test_views_are_read_anew(self):
        views = lanecull.Views.of(MATRIX)
        cull = lanecull.Cull(self.batches, views)
        before = cull().mask()
        views.prepare(0, camera(target=(-1, 0, 0)))
        after = cull().mask()
        self.assertTrue((before != after).any())
        self.assertTrue((after == lanecull.cull(self.batches, self.views).mask(1)).all())


if __name__ == "__main__":
    unittest.main()
