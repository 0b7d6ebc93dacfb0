"""tools/python/examples/robot.py: signed distances, contacts and what is proved between samples, against closed forms and
searches in numpy; and it draws, where there is matplotlib."""

import contextlib
import importlib.util
import io
import pathlib
import tempfile
import unittest

import numpy as np

import robot

HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
ROBOT = robot.read_urdf(robot.URDF)
PAIRS = robot.pairs_of(ROBOT)
TIMES, POSITIONS = robot.make_motion()


def measured(positions):
    placed = robot.place_shapes(ROBOT, robot.place_links(ROBOT, positions))
    return placed, robot.measure(ROBOT, PAIRS, placed)


def core_points(shape, matrices, parts):
    """Points of a segment at parts from -1 to 1, (n, m, 3)."""
    return matrices[:, None, :3, 3] + parts[..., None] * shape.half[2] * matrices[:, None, :3, 2]


def to_core(shape, matrices, points):
    """How far points, (n, m, 3), are from a shape's core, (n, m)."""
    local = np.einsum("nji,nmj->nmi", matrices[:, :3, :3], points - matrices[:, None, :3, 3])
    return np.linalg.norm(np.maximum(np.abs(local) - shape.half, 0), axis=2)


def core_distance(first, second, a, b):
    """The least distance of a round core's points from another core: convex along the segment, so a ternary search."""
    low, high = -np.ones((len(a), 1)), np.ones((len(a), 1))
    for _ in range(70):
        left, right = (2 * low + high) / 3, (low + 2 * high) / 3
        nearer = to_core(second, b, core_points(first, a, left)) < to_core(second, b, core_points(first, a, right))
        low, high = np.where(nearer, low, left), np.where(nearer, right, high)
    return to_core(second, b, core_points(first, a, low))[:, 0]


class Robot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.placed, cls.found = measured(POSITIONS)

    def test_places(self):
        """The hand is where an arm of three parts in a plane, which turns, has it."""
        at = robot.place_links(ROBOT, POSITIONS)["hand"]
        angles = np.cumsum([POSITIONS[name] for name in ("lift", "elbow", "bend")], axis=0)
        reach, height = (np.array((0.42, 0.38, 0.13)) @ of(angles) for of in (np.sin, np.cos))
        pan = POSITIONS["pan"]
        self.assertTrue(np.allclose(at[:, :3, 3].T, [reach * np.cos(pan), reach * np.sin(pan), 0.22 + height]))
        fingers = [robot.place_links(ROBOT, POSITIONS)[f"{side}_finger"][:, :3, 3] for side in ("left", "right")]
        self.assertTrue(np.allclose(np.linalg.norm(fingers[0] - fingers[1], axis=1), 2 * POSITIONS["left_slide"]))

    def test_origins(self):
        """Roll about x first, yaw about z last."""
        element = robot.xml.etree.ElementTree.fromstring(
            f'<collision><origin xyz="1 2 3" rpy="{np.pi / 2} 0 {np.pi / 2}"/></collision>')
        self.assertTrue(np.allclose(robot.origin_of(element) @ (0, 0, 1, 1), (2, 2, 3, 1)))

    def test_pairs(self):
        """Neighbours and what stands on the table are no pairs."""
        links = {tuple(sorted((ROBOT.shapes[i].link, ROBOT.shapes[j].link))) for i, j in PAIRS}
        self.assertNotIn(("forearm", "wrist"), links)
        self.assertNotIn(("post", "table"), links)
        self.assertNotIn(("shoulder", "table"), links)
        self.assertIn(("left_finger", "right_finger"), links)
        self.assertIn(("forearm", "shelf"), links)

    def test_distances(self):
        """Every signed distance, of each two kinds; some are negative."""
        for pair, lower, upper in zip(PAIRS, self.found.lower, self.found.upper):
            shapes, placed = [ROBOT.shapes[k] for k in pair], self.placed[pair]
            self.assertFalse(shapes[0].is_box)
            true = core_distance(*shapes, *placed) - shapes[0].radius - shapes[1].radius
            self.assertTrue((lower <= true + 2e-6).all() and (upper >= true - 2e-6).all(), pair)
            self.assertTrue((upper - lower < 1e-5).all(), pair)
        self.assertTrue(((self.found.lower < -0.02) & (self.found.lower > -0.03)).any())

    def test_contacts(self):
        """Points lie on both surfaces, and as far apart as is said, or as deep."""
        for k, (i, j) in enumerate(PAIRS):
            for shape, point in ((i, self.found.a[k]), (j, self.found.b[k])):
                off = to_core(ROBOT.shapes[shape], self.placed[shape], point[:, None])[:, 0] - ROBOT.shapes[shape].radius
                self.assertTrue((np.abs(off) < 1e-5).all(), (i, j))
            between = np.linalg.norm(self.found.b[k] - self.found.a[k], axis=1)
            self.assertTrue(np.allclose(between, np.abs(self.found.upper[k]), atol=1e-5), (i, j))

    def test_between_samples(self):
        """No signed distance at forty times between two samples is below the bound, which is no idle one."""
        coarse = {name: at[::20] for name, at in POSITIONS.items()}
        _, found = measured(coarse)
        bound = robot.between_samples(found.lower, robot.motion_bounds(ROBOT, PAIRS, coarse))
        least = np.full_like(bound, np.inf)
        for part in np.linspace(0, 1, 42)[1:-1]:
            _, inner = measured({name: at[:-1] + part * np.diff(at) for name, at in coarse.items()})
            least = np.minimum(least, inner.upper)
        self.assertTrue((least >= bound).all())
        self.assertLess(np.quantile(least - bound, 0.5), 0.05)
        fine = robot.between_samples(self.found.lower, robot.motion_bounds(ROBOT, PAIRS, POSITIONS))
        self.assertTrue(0.95 < (fine > 0).all(axis=0).mean() < 1)

    def test_other_shapes_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "mesh.urdf")
            path.write_text('<robot><link name="cup"><collision><geometry><mesh filename="cup.stl"/></geometry>'
                            "</collision></link></robot>")
            with self.assertRaisesRegex(ValueError, "cup: mesh is no sphere, cylinder or box"):
                robot.read_urdf(path)

    def test_what_it_says_and_draws(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
            path = pathlib.Path(folder, "robot.png")
            robot.main(["--picture", str(path)] if HAS_MATPLOTLIB else [])
            if HAS_MATPLOTLIB:
                self.assertEqual(path.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
                self.assertGreater(path.stat().st_size, 30_000)
        self.assertRegex(said.getvalue(), r"^12 shapes, 45 pairs at 801 times: \d+ ms\n"
                                          r"hand and post: 2\d\.\d mm deep at 5\.\d\d s\n"
                                          r"not proved clear from 5\.\d\d to 6\.\d\d s\n$")


if __name__ == "__main__":
    unittest.main()
