"""tools/python/examples/survey.py: what it says of cameras and buildings, against points and segments in numpy; and it
draws, where there is matplotlib. And the blocks of Python in tools/python/README.md run, one after the other, in one
program."""

import contextlib
import importlib.util
import io
import pathlib
import re
import tempfile
import unittest

import numpy as np

import survey

README = pathlib.Path(__file__).resolve().parents[2] / "tools" / "python" / "README.md"
HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None


def corners(city):
    """The corners of buildings, (n, 8, 3)."""
    ends = np.stack([city.lower.T, city.upper.T]).astype(np.float64)
    return np.stack([np.stack([ends[i >> k & 1][:, k] for k in range(3)], axis=1) for i in range(8)], axis=1)


def meets(eye, at, lower, upper):
    """Whether the segments from the eye to points, (n, 3), meet the box."""
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = (lower - eye) / (at - eye), (upper - eye) / (at - eye)
    enters, leaves = np.minimum(first, second).max(axis=1), np.maximum(first, second).min(axis=1)
    return (enters <= leaves) & (enters <= 1) & (leaves >= 0)


class Survey(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.city = survey.make_city(np.random.default_rng(7))
        cls.matrices, cls.places, cls.axes = (array[::7] for array in survey.make_cameras())
        with contextlib.redirect_stdout(io.StringIO()) as said:
            cls.in_picture, cls.seen = survey.survey(cls.city, cls.matrices, cls.places)
        cls.said = said.getvalue()

    def test_what_is_in_the_picture(self):
        """A building with a corner in the picture; none with all corners beyond one side of it."""
        points = np.concatenate([corners(self.city), np.ones((len(self.city.lower[0]), 8, 1))], axis=2)
        for matrix, found in zip(self.matrices, self.in_picture):
            clip = points @ matrix.T
            x, y, z, w = np.moveaxis(clip, 2, 0)
            sides = np.stack([w + x, w - x, w + y, w - y, z, w - z])
            self.assertTrue(found[(sides > 1e-3).all(axis=0).any(axis=1)].all())
            self.assertFalse(found[(sides < -1e-3).all(axis=2).any(axis=0)].any())

    def test_what_is_hidden(self):
        """One other building is before all corners of each hidden one."""
        hidden = self.in_picture & ~self.seen
        self.assertTrue((self.seen <= self.in_picture).all() and hidden.sum() > 50)
        boxes = corners(self.city)
        lower, upper = self.city.lower.T.astype(np.float64), self.city.upper.T.astype(np.float64)
        for camera in hidden.any(axis=1).nonzero()[0]:
            others = self.in_picture[camera].nonzero()[0]
            eye = self.places[camera]
            for building in hidden[camera].nonzero()[0]:
                self.assertTrue(any(meets(eye, boxes[building], lower[k], upper[k]).all()
                                    for k in others if k != building), (camera, building))

    def test_footprints(self):
        """The corners of a picture are where its rays meet the ground."""
        for matrix, place, axes in list(zip(self.matrices, self.places, self.axes))[:20]:
            ground = survey.footprint(place, axes)
            clip = np.column_stack([ground, np.zeros(4), np.ones(4)]) @ matrix.T
            self.assertTrue(np.allclose(np.abs(clip[:, :2] / clip[:, 3:]), 1))

    def test_it_says_what_it_did(self):
        self.assertRegex(self.said, r"^\d+ cameras, 2015 buildings: in the picture [\d.]+ ms, .* [\d.]+ ms\n$")

    @unittest.skipUnless(HAS_MATPLOTLIB, "no matplotlib (Debian: python3-matplotlib)")
    def test_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "survey.png")
            survey.draw(path, self.city, self.in_picture, self.seen, self.places, self.axes)
            self.assertEqual(path.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
            self.assertGreater(path.stat().st_size, 30_000)


class Readme(unittest.TestCase):
    def test_every_block(self):
        text = README.read_text()
        blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, flags=re.S | re.M))
        self.assertGreater(len(blocks), 8)
        namespace = {"__name__": "readme"}
        for block in blocks:
            line = text[:block.start(1)].count("\n")
            code = compile("\n" * line + block[1], str(README), "exec")
            with self.subTest(f"line {line + 1}"), contextlib.redirect_stdout(io.StringIO()):
                exec(code, namespace)

    def test_links(self):
        """Each link within the page has its heading."""
        text = README.read_text()
        headings = {re.sub(r"[^a-z -]", "", one.lower()).replace(" ", "-")
                    for one in re.findall(r"^#+ (.*)$", text, flags=re.M)}
        for anchor in re.findall(r"\]\(#([^)]*)\)", text):
            self.assertIn(anchor, headings)


if __name__ == "__main__":
    unittest.main()
