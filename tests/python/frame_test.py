"""Whole frames: what a pass shows is what single calls show; views and maps, limits, arguments and lifetimes."""

import gc
import unittest

import numpy as np

import lanecull
from scenes import camera, distances_within, full, points

AT = points(6000)
BATCHES = lanecull.Batches(lanecull.Spheres(AT, full(6000, 0.5)))
MATRIX = camera(far=100)
TOWARD = (0.3, -0.2, 1.0)


def directional_light(**options):
    return lanecull.PassDirectionalLight(lanecull.DirectionalLight(TOWARD), 0.1, 90, **options)


def cameras():
    return [lanecull.PassCamera(MATRIX, directional_light=directional_light(cascades=3)),
            lanecull.PassCamera(camera(target=(0, 1, 0), far=100))]


def point_lights():
    return [lanecull.PassPointLight((15, 2, 5), 20, 0.1),
            lanecull.PassPointLight((20, 0, 10), 40, 0.1,
                                    spot=lanecull.PassSpotLight((0.2, 0, -1), (1, 0, 0), 0.7, 0.7)),
            lanecull.PassPointLight((-500, 0, 0), 5, 0.1, cameras=[0, 1])]


class Frames(unittest.TestCase):
    def setUp(self):
        self.frame = lanecull.FramePass(BATCHES, cameras=2, cascades=3, point_lights=3)
        self.frame(cameras(), point_lights())
        gc.collect()

    def test_views_and_maps(self):
        frame = self.frame
        self.assertEqual((len(frame), len(frame.counts), len(frame.maps)), (2 + 3 + 6 + 1 + 6,) * 2 + (16,))
        for view in range(len(frame)):
            self.assertEqual(frame.mask(view).sum(), frame.counts[view])
            self.assertEqual(list(frame.mask(view).nonzero()[0]), list(frame.indices(view)))
        self.assertGreater(frame.counts[5:11].sum(), 0)
        self.assertEqual(frame.counts[12:].sum(), 0)  # the light behind the cameras lights nothing in view

    def test_cameras(self):
        alone = lanecull.cull(BATCHES, lanecull.Views.of([MATRIX, camera(target=(0, 1, 0), far=100)]))
        self.assertTrue((self.frame.visible[:2] == alone.visible).all())

    def test_cascades_are_those_of_single_calls(self):
        seen = lanecull.cull(BATCHES, lanecull.Views.of(MATRIX)).visible[0]
        depths = lanecull.split_depths(0.1, 90, 3, 0.8)
        boxes = lanecull.slice_bounds(BATCHES, seen, MATRIX, depths)
        for k, box in enumerate(boxes):
            part = lanecull.Slice(MATRIX, depths[k], depths[k + 1])
            shadow_map = lanecull.fit_directional_map(part, box, TOWARD)
            self.assertTrue(np.array_equal(shadow_map.clip_from_world, self.frame.maps[k].clip_from_world))
            views = lanecull.Views(1)
            light = lanecull.ViewOptions(light=lanecull.DirectionalLight(TOWARD))
            lanecull.prepare_cascade_casters(views, 0, part, box, light)
            exact = lanecull.cull(BATCHES, views).mask()
            self.assertTrue((self.frame.mask(2 + k) >= exact).all())  # and a filter's width more
            self.assertLess(self.frame.counts[2 + k], 1.2 * exact.sum() + 20)

    def test_point_lights(self):
        """What casts a shadow of a point light into a view is in one of the light's maps."""
        at = np.array([15, 2, 5.0])
        lit = np.linalg.norm(AT.T - at, axis=1) < 19
        receives = (distances_within(MATRIX, AT) > 0) & lit
        self.assertGreater(receives.sum(), 10)
        in_maps = np.any([self.frame.mask(view) for view in range(5, 11)], axis=0)
        self.assertTrue(in_maps[receives].all())

    def test_casters_and_smaller_frames(self):
        all_views = len(self.frame)
        volume = self.frame.counts.copy()
        self.frame(cameras(), point_lights(), lanecull.Casters.FRUSTUM)
        self.assertTrue((self.frame.counts >= volume).all())
        self.frame(cameras()[1:])
        self.assertEqual((len(self.frame), len(self.frame.maps)), (1, 0))
        self.assertLess(len(self.frame), all_views)

    def test_refused(self):
        frame = lanecull.FramePass(BATCHES, cameras=1, cascades=2, indices=False)
        refused = [
            (lambda: frame([]), "cameras"),
            (lambda: frame(cameras()), "cameras, point_lights: the frame has 5 views, this pass is for 3"),
            (lambda: frame([MATRIX]), "cameras: must be PassCamera, not ndarray"),
            (lambda: frame([lanecull.PassCamera(MATRIX)], [lanecull.PointLight((0, 0, 0))]),
             "point_lights: must be PassPointLight"),
            (lambda: frame([lanecull.PassCamera(np.zeros((4, 4)))]), "clip_from_world"),
            (lambda: frame([lanecull.PassCamera(MATRIX)], casters=5), "casters: 5 is not a known value"),
            (lambda: lanecull.PassDirectionalLight(TOWARD, 1, 2),
             "directional_light: must be DirectionalLight, not tuple"),
            (lambda: directional_light(cascades=0), "cascades: must be 1 to 8, not 0"),
            (lambda: frame([lanecull.PassCamera(MATRIX, directional_light=directional_light(cascades=9))]),
             "views, this pass is for"),
            (lambda: lanecull.PassPointLight((0, 0, 0), 5, 1, spot=(1, 2)), "spot: must be PassSpotLight, not tuple"),
            (lambda: lanecull.PassPointLight((0, 0), 5, 1), r"at: shape must be \(3\), not \(2,\)"),
            (lambda: lanecull.FramePass(BATCHES, cameras=0), "cameras"),
            (lambda: frame([lanecull.PassCamera(MATRIX)]).indices(), "indices: was not asked for when this was made"),
        ]
        for call, text in refused:
            with self.subTest(text), self.assertRaisesRegex(lanecull.InvalidArgument, text):
                call()
        self.assertEqual(frame([lanecull.PassCamera(MATRIX)]).counts[0], self.frame.counts[0])


if __name__ == "__main__":
    unittest.main()
