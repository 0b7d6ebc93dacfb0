"""Views: every way to prepare one, conventions, options and lights; and the matrices that the package makes."""

import unittest

import numpy as np

import lanecull
from scenes import camera, distances_within, full, points, spheres

AT = points(3000)
DOTS = lanecull.Spheres(AT, full(3000, 1e-3))
MATRIX = camera((1, 2, 3), (9, 5, 4))
PLANES = np.stack([MATRIX[3] + MATRIX[0], MATRIX[3] - MATRIX[0], MATRIX[3] + MATRIX[1], MATRIX[3] - MATRIX[1],
                   MATRIX[2], MATRIX[3] - MATRIX[2]])
CORNERS = [np.linalg.solve(MATRIX, np.array([x, y, z, 1]))
           for x in (-1, 1) for y in (-1, 1) for z in (0, 1)]
CORNERS = np.array([corner[:3] / corner[3] for corner in CORNERS])


def seen(prepare):
    """What a view sees of the dots."""
    views = lanecull.Views(1)
    prepare(views)
    return lanecull.cull(DOTS, views).mask()


class Prepared(unittest.TestCase):
    def same(self, prepare):
        within = distances_within(MATRIX, AT)
        visible = seen(prepare)
        self.assertGreater((within > 0).sum(), 20)
        self.assertTrue(visible[within > 0].all())
        self.assertFalse(visible[within < -0.01].any())

    def test_one_volume_in_many_ways(self):
        gl = np.diag([1, 1, 2, 1]) @ MATRIX
        gl[2] -= MATRIX[3]
        origin = np.array([1, 2, 3])
        moved = MATRIX.copy()
        moved[:, 3] += MATRIX[:, :3] @ origin
        opengl = lanecull.ClipSpace(lanecull.DepthRange.MINUS_ONE_TO_ONE)
        self.same(lambda views: views.prepare(0, MATRIX))
        self.same(lambda views: views.prepare(0, MATRIX.tolist()))
        self.same(lambda views: views.prepare(0, MATRIX.astype(np.float32)))
        self.same(lambda views: views.prepare(0, np.asfortranarray(MATRIX)))
        self.same(lambda views: views.prepare(0, gl, opengl))
        self.same(lambda views: views.prepare(0, moved, lanecull.ClipSpace(origin=origin)))
        self.same(lambda views: views.prepare_stereo(0, MATRIX, MATRIX))
        self.same(lambda views: views.prepare_from_corners(0, CORNERS))
        self.same(lambda views: views.prepare_from_planes(0, PLANES))

    def test_ball(self):
        visible = seen(lambda views: views.prepare_from_ball(0, (3, 4, 5), 20))
        distance = np.linalg.norm(AT.T - [3, 4, 5], axis=1)
        self.assertTrue(visible[distance < 20].all() and not visible[distance > 20.01].any())

    def test_options(self):
        def with_options(**options):
            return seen(lambda views: views.prepare(0, MATRIX, options=lanecull.ViewOptions(**options)))

        within = distances_within(MATRIX, AT)
        plain = with_options()
        self.assertTrue(with_options(margin=5)[within > -4.9].sum() > plain.sum())
        cut = with_options(clip_planes=[(0, 0, 1, -5)])
        self.assertTrue((cut == (plain & (AT[2] > 5))).all())
        self.assertTrue((with_options(clip_planes=np.zeros((0, 4))) == plain).all())
        eye = lanecull.ViewOptions(eye=(1000, 0, 0))
        far = lanecull.Batch(DOTS, lanecull.Attributes(max_distance=full(3000, 100)))
        self.assertEqual(lanecull.cull(far, lanecull.Views.of(MATRIX, options=eye)).counts[0], 0)

    def test_casters(self):
        """Dots cast shadows along light: a dot is kept where its ray away from the light meets the volume."""
        within = distances_within(MATRIX, AT)
        light = np.array([0.3, 0.2, 1.0])
        steps = np.linspace(0, 60, 600)
        shaded = np.max([distances_within(MATRIX, AT - light[:, None] * step) for step in steps], axis=0) > 0
        endless = lanecull.ViewOptions(light=lanecull.DirectionalLight(light))
        casters = seen(lambda v: v.prepare(0, MATRIX, options=endless))
        self.assertTrue(casters[shaded].all() and (within > 0).sum() < casters.sum() < 3000)
        without_reach = lanecull.ViewOptions(light=lanecull.DirectionalLight(light, 0))
        near = seen(lambda v: v.prepare(0, MATRIX, options=without_reach))
        self.assertTrue((near[np.abs(within) > 0.01] == (within > 0)[np.abs(within) > 0.01]).all())
        at = np.array([20, 10, 40.0])
        point_light = seen(lambda v: v.prepare(0, MATRIX, options=lanecull.ViewOptions(light=lanecull.PointLight(at))))
        shares = np.linspace(1, 60, 600)
        lit = np.max([distances_within(MATRIX, at[:, None] + (AT - at[:, None]) * s) for s in shares], axis=0) > 0
        self.assertTrue(point_light[lit].all() and point_light.sum() < 3000)
        small = lanecull.ViewOptions(light=lanecull.PointLight(at, range=1))
        self.assertEqual(seen(lambda v: v.prepare(0, MATRIX, options=small)).sum(), 0)
        for offset, lit in ((1000, point_light.sum()), (-1000, 0)):
            sides = lanecull.ViewOptions(light=lanecull.PointLight(at, sides=[(0, 0, 1, offset)]))
            self.assertEqual(seen(lambda v: v.prepare(0, MATRIX, options=sides)).sum(), lit)

    def test_casters_of_many_lights(self):
        """The same as one by one, to the bit."""
        lights = [lanecull.DirectionalLight((0.3, 0.2, 1)), lanecull.PointLight((20, 10, 40)),
                  lanecull.PointLight((5, 5, 9), range=30)]
        options = [lanecull.ViewOptions(light=light, clip_planes=[(0, 0, 1, 20)]) for light in lights]
        views = lanecull.Views(6)
        for k, one in enumerate(options):
            views.prepare(k, MATRIX, options=one)
        views.prepare_casters(3, MATRIX, options)
        visible = lanecull.cull(DOTS, views).visible
        self.assertTrue((visible[:3] == visible[3:]).all() and visible[0].any())
        refused = [
            (lambda: views.prepare_casters(4, MATRIX, options), "views"),
            (lambda: views.prepare_casters(0, MATRIX, [lanecull.ViewOptions()]), "options"),
            (lambda: views.prepare_casters(0, MATRIX, lights), "options: must be ViewOptions, not DirectionalLight"),
            (lambda: views.prepare_casters(0, MATRIX, [options[0], lanecull.ViewOptions(light=lights[0])]),
             "options: all must have the same clip planes"),
        ]
        for call, text in refused:
            with self.subTest(text), self.assertRaisesRegex(lanecull.InvalidArgument, text):
                call()

    def test_refused(self):
        views = lanecull.Views.of(MATRIX)
        refused = [
            (lambda: views.prepare(1, MATRIX), "i: must be 0 to 0, not 1"),
            (lambda: views.prepare(-1, MATRIX), "i: must be 0 to 0, not -1"),
            (lambda: views.prepare(0, MATRIX[:3]), r"clip_from_world: shape must be \(4, 4\), not \(3, 4\)"),
            (lambda: views.prepare(0, "matrix"), "clip_from_world: must be numbers"),
            (lambda: views.prepare(0, np.zeros((4, 4))), "clip_from_world: the matrix is zero"),
            (lambda: views.prepare(0, MATRIX * np.nan), "clip_from_world"),
            (lambda: views.prepare_from_corners(0, CORNERS[:7]), r"corners: shape must be \(8, 3\), not \(7, 3\)"),
            (lambda: views.prepare_from_planes(0, PLANES[:, :3]), r"planes: shape must be \(n, 4\), not \(6, 3\)"),
            (lambda: views.prepare_from_planes(0, np.tile(PLANES, (3, 1))), "16"),
            (lambda: views.prepare_from_ball(0, (0, 0), 1), r"center: shape must be \(3\), not \(2,\)"),
            (lambda: views.prepare_from_ball(0, (0, 0, 0), -1), "radius"),
            (lambda: views.prepare(0, MATRIX, options=lanecull.ViewOptions(margin=-1)), "margin"),
            (lambda: lanecull.ViewOptions(light="sun"),
             "light: must be DirectionalLight or PointLight or None, not str"),
            (lambda: views.prepare(0, MATRIX, lanecull.DepthRange(1)), "space: must be ClipSpace, not DepthRange"),
            (lambda: views.prepare(0, MATRIX, options=lanecull.DirectionalLight((0, 0, 1))),
             "options: must be ViewOptions, not"),
            (lambda: lanecull.ViewOptions(margin="wide"), "margin: must be a number, not str"),
            (lambda: lanecull.DirectionalLight((0, 0, 1), reach=None), "reach: must be a number, not NoneType"),
            (lambda: lanecull.ViewOptions(layer_mask=2**32), "layer_mask: must be 0 to 4294967295"),
            (lambda: lanecull.PointLight((0, 0, 0), range=0), "range: must be more than 0"),
            (lambda: views.prepare(0, MATRIX, lanecull.ClipSpace(2)), "clip_space.depth"),
            (lambda: lanecull.Views.of(np.zeros((2, 3, 4))), r"clip_from_world: shape must be \(n, 4, 4\)"),
        ]
        for call, text in refused:
            with self.subTest(text), self.assertRaisesRegex(lanecull.InvalidArgument, text):
                call()
        self.assertTrue(views.is_prepared(0) and views.is_exact(0))
        self.same(lambda other: None if other.prepare(0, MATRIX) else None)
        self.assertFalse(lanecull.Views(1).is_prepared(0))

    def test_clip_planes_that_leave_nothing(self):
        views = lanecull.Views(1)
        views.prepare_from_corners(0, CORNERS)
        self.assertFalse(views.sees_nothing(0))
        beyond = [[1, 0, 0, -2 * float(np.abs(CORNERS).max())]]
        views.prepare_from_corners(0, CORNERS, lanecull.ViewOptions(clip_planes=beyond))
        self.assertTrue(views.sees_nothing(0) and views.is_exact(0))


class Matrices(unittest.TestCase):
    def test_perspective(self):
        for far in (100.0, np.inf):
            matrix = lanecull.perspective(90, 2, 1, far)
            self.assertTrue(np.allclose(matrix @ [2, 1, -1, 1], [1, 1, 0, 1]))
        self.assertTrue(np.allclose(lanecull.perspective(90, 2, 1, 100) @ [0, 0, -100, 1], [0, 0, 100, 100]))

    def test_cameras_that_there_are_none_of(self):
        for fov_y in (0, -60, 180, 360, np.nan):
            with self.assertRaisesRegex(lanecull.InvalidArgument, "fov_y: must be more than 0 and less than 180 "):
                lanecull.perspective(fov_y, 2, 1, 100)
        for make in (lambda: lanecull.perspective(60, 2, 5, 5), lambda: lanecull.pinhole(640, 480, 500, 5, 5)):
            with self.assertRaisesRegex(lanecull.InvalidArgument, "near, far: must differ, and are 5"):
                make()

    def test_pinhole(self):
        """A pixel's ray ends at the pixel; the picture's corners are those of clip space."""
        matrix = lanecull.pinhole(640, 480, (500, 510), 1, 100, center=(310, 250))
        for x, y in ((0, 0), (640, 480), (310, 250), (100, 400)):
            clip = matrix @ [(x - 310) / 500 * 7, (y - 250) / 510 * 7, 7, 1]
            self.assertTrue(np.allclose(clip[:2] / clip[3], [2 * x / 640 - 1, 1 - 2 * y / 480]))
        for depth, share in ((1, 0), (100, 1)):
            clip = matrix @ [0, 0, depth, 1]
            self.assertAlmostEqual(clip[2] / clip[3], share)
        self.assertTrue(np.allclose(lanecull.pinhole(640, 480, 500, 1, np.inf) @ [0, 0, 1, 1], [0, 0, 0, 1]))

    def test_poses(self):
        view = lanecull.look_at((1, 2, 3), (4, 6, 3))
        self.assertTrue(np.allclose(view @ [4, 6, 3, 1], [0, 0, -5, 1]))
        self.assertTrue(np.allclose(view @ [1, 2, 4, 1], [0, 1, 0, 1]))
        self.assertTrue(np.allclose(view @ [1, 2, 3, 1], [0, 0, 0, 1]))
        same = lanecull.camera_at((1, 2, 3), view[:3, :3])
        self.assertTrue(np.allclose(same, view))

    def test_poses_that_there_are_none_of(self):
        """A camera that looks straight down needs another `up`."""
        refused = [
            (lambda: lanecull.look_at((0, 0, 100), (0, 0, 0)), "up: must not be along the way from eye to target"),
            (lambda: lanecull.look_at((0.1, 0.2, 9), (0.1, 0.2, 0.3)), "up: must not be along the way from eye to"),
            (lambda: lanecull.look_at((0, 0, 0), (1e30, 2e30, 0), up=(0.1, 0.2, 0)), "up: must not be along the way"),
            (lambda: lanecull.look_at((0, 0, 0), (1, 0, 0), up=(0, 0, 0)), "up: must be finite, and not zero"),
            (lambda: lanecull.look_at((0, 0, 0), (1, 0, 0), up=(0, np.nan, 1)), "up: must be finite, and not zero"),
            (lambda: lanecull.look_at((1, 2, 3), (1, 2, 3)), "target: must be finite, and not where eye is"),
            (lambda: lanecull.look_at((1, 2, 3), (1, 2, np.inf)), "target: must be finite, and not where eye is"),
        ]
        for call, text in refused:
            with self.subTest(text), self.assertRaisesRegex(lanecull.InvalidArgument, text):
                call()
        down = lanecull.look_at((0, 0, 100), (0, 0, 0), up=(0, 1, 0))
        self.assertTrue(np.allclose(down @ [3, 4, 0, 1], [3, 4, -100, 1]))
        self.assertTrue(np.isfinite(lanecull.look_at((0, 0, 1e300), (1e300, 0, 0))).all())


if __name__ == "__main__":
    unittest.main()
