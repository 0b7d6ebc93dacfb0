"""Shadow maps and the views that belong to them: a frame with lights, boxes around what is visible."""

import unittest

import numpy as np

import lanecull
from scenes import camera, distances_within, full, points

MATRIX = camera(far=100)
AT = points(5000)
BATCHES = lanecull.Batches(lanecull.Spheres(AT, full(5000, 0.5)))
TOWARD = np.array([0.3, -0.2, 1.0])


class DirectionalLight(unittest.TestCase):
    def setUp(self):
        self.seen = lanecull.cull(BATCHES, lanecull.Views.of(MATRIX))

    def test_visible_bounds(self):
        mask = self.seen.mask()
        box = lanecull.visible_bounds(BATCHES, self.seen.visible[0])
        self.assertTrue((box.lower <= AT[:, mask].min(axis=1) - 0.5).all())
        self.assertTrue((box.upper >= AT[:, mask].max(axis=1) + 0.5).all())
        self.assertTrue(np.allclose(box.lower, AT[:, mask].min(axis=1) - 0.5, atol=1e-2))
        nothing = lanecull.visible_bounds(BATCHES, np.zeros_like(self.seen.visible[0]))
        self.assertTrue((nothing.lower > nothing.upper).any())

    def test_cascades(self):
        depths = lanecull.split_depths(0.1, 100, 4)
        self.assertEqual((len(depths), depths[0], depths[-1]), (5, 0.1, 100))
        boxes = lanecull.slice_bounds(BATCHES, self.seen.visible[0], MATRIX, depths)
        self.assertEqual(len(boxes), 4)
        views = lanecull.Views(2)
        light = lanecull.ViewOptions(light=lanecull.DirectionalLight(TOWARD))
        for near, far, box in zip(depths, depths[1:], boxes):
            part = lanecull.Slice(MATRIX, near, far)
            for tight in (False, True):
                shadow_map = lanecull.fit_directional_map(part, box, TOWARD, texels=1024, is_tight=tight)
                # What is in the slice and in the box is in the map.
                depth = (MATRIX[3] @ np.vstack([AT, np.ones(5000)]))
                within = (distances_within(MATRIX, AT) > 0) & (depth > near) & (depth < far)
                within &= ((AT.T > box.lower) & (AT.T < box.upper)).all(axis=1)
                places = np.vstack([AT - shadow_map.origin[:, None], np.ones(5000)])
                clip = shadow_map.clip_from_world @ places[:, within]
                self.assertTrue((np.abs(clip[:2]) <= 1 + 1e-6).all() and (clip[2] > -1e-6).all())
                sides = shadow_map.sides[:, :3] @ AT[:, within] + shadow_map.sides[:, 3:]
                self.assertTrue((sides > -1e-3).all())
                self.assertGreater(shadow_map.texel_size, 0)
            lanecull.prepare_cascade_casters(views, 0, part, box, light)
            lanecull.prepare_covered(views, 1, shadow_map, border=2)
            cull = lanecull.cull(BATCHES, views, inside=True)
            casters = cull.mask(0)
            self.assertTrue(casters[within].all() and casters.sum() < 5000)
            covered = BATCHES.mask(cull.inside[1])
            places = np.vstack([AT - shadow_map.origin[:, None], np.ones(5000)])
            self.assertTrue((np.abs((shadow_map.clip_from_world @ places)[:2, covered]) < 1).all())
        self.assertEqual(len(lanecull.Views.of(shadow_map.clip_from_world, shadow_map.space)), 1)


class PointLights(unittest.TestCase):
    def test_spot(self):
        spot = lanecull.spot_map((1, 2, 3), (1, 0, 0), (0, 0, 1), 0.5, 1.0, 0.1, 50, texels=512)
        places = np.vstack([AT - spot.origin[:, None], np.ones(5000)])
        clip = spot.clip_from_world @ places
        lit = (np.abs(clip[:2]) < clip[3] * 0.999).all(axis=0) & (clip[3] > 0.1) & (clip[3] < 50)
        way = AT - np.array([[1], [2], [3]])
        expected = (way[0] > 0.1) & (way[0] < 50)
        expected &= (np.abs(way[1]) < 0.499 * way[0]) & (np.abs(way[2]) < 0.999 * way[0])
        self.assertGreater(expected.sum(), 50)
        self.assertTrue(lit[expected].all())
        self.assertAlmostEqual(spot.texel_size, 2 * 1.0 / 512, places=6)

    def test_cube_map(self):
        """Every direction is in one face."""
        faces = [lanecull.cube_map_face((0, 0, 0), face, 0.01, 200) for face in range(6)]
        inside = sum((face.sides[:, :3] @ AT + face.sides[:, 3:] >= -1e-6).all(axis=0).astype(int) for face in faces)
        self.assertTrue((inside >= 1).all() and (inside == 1).mean() > 0.99)

    def test_engine_map(self):
        spot = lanecull.spot_map((1, 2, 3), (1, 0, 0), (0, 0, 1), 0.5, 1.0, 0.1, 50, texels=512)
        read = lanecull.engine_map(spot.clip_from_world, 512, 256, spot.space)
        self.assertTrue(spot.is_perspective and read.is_perspective)
        self.assertAlmostEqual(read.texel_size, 2 * 1.0 / 256)
        np.testing.assert_array_equal(read.clip_from_world, spot.clip_from_world)
        lengths = np.linalg.norm(spot.sides[:, :3], axis=1, keepdims=True)
        np.testing.assert_allclose(read.sides, spot.sides / lengths, atol=1e-12)
        box = lanecull.engine_map(np.diag([0.5, 0.1, 0.2, 1]), 16, 100)
        self.assertEqual((box.texel_size, box.is_perspective), (0.25, False))

    def test_refused(self):
        box = lanecull.WorldBox(np.zeros(3), np.ones(3))
        part = lanecull.Slice(MATRIX, 1, 10)
        words = np.zeros(BATCHES.visibility_words, np.uint64)
        refused = [
            (lambda: lanecull.split_depths(1, 0.5, 4), "near"),
            (lambda: lanecull.fit_directional_map(MATRIX, box, TOWARD), "slice: must be Slice, not ndarray"),
            (lambda: lanecull.prepare_covered(lanecull.Views(1), 0, box),
             "directional_map: must be ShadowMap, not WorldBox"),
            (lambda: lanecull.split_depths(None, 2, 1), "near_depth: must be a number, not NoneType"),
            (lambda: lanecull.split_depths(1, 2, 0), ""),
            (lambda: lanecull.fit_directional_map(part, box, (0, 0, 0)), "toward"),
            (lambda: lanecull.fit_directional_map(part, (1, 2), TOWARD), r"receivers.lower: shape must be \(3\)"),
            (lambda: lanecull.cube_map_face((0, 0, 0), 6, 0.1, 1), "face"),
            (lambda: lanecull.engine_map(MATRIX, 512, 8), "height: 8 is not from 16 to 65536"),
            (lambda: lanecull.spot_map((0, 0), (1, 0, 0), (0, 0, 1), 1, 1, 0.1, 1), r"at: shape must be \(3\)"),
            (lambda: lanecull.visible_bounds(BATCHES, words[:3]), r"visible: shape must be \(79\), not \(3,\)"),
            (lambda: lanecull.slice_bounds(BATCHES, words, MATRIX, np.arange(1, 11)), "8"),
            (lambda: lanecull.slice_bounds(BATCHES, words, MATRIX, []), ""),
            (lambda: lanecull.prepare_cascade_casters(lanecull.Views(1), 1, part, box, lanecull.ViewOptions()),
             "i: must be 0 to 0, not 1"),
        ]
        for call, text in refused:
            with self.subTest(text), self.assertRaisesRegex(lanecull.InvalidArgument, text):
                call()


if __name__ == "__main__":
    unittest.main()
