"""Whatever memory is free when the package passes one of its steps is written over, as other threads may do: what other
tests find stays as it is. So nothing that the library reads, or goes on reading, was freed before."""

import collections
import io
import pathlib
import sys
import unittest

import numpy as np

import lanecull
import scenes

PACKAGE = str(pathlib.Path(lanecull.__file__).parent)
TESTS = ["bounds_test", "cull_test", "frame_test", "occluder_test", "pairs_test", "scene_test", "shadow_test",
         "view_test"]
# A box that hides, to take the place of one that does not, and what is wrong wherever it is read.
CONTENTS = [np.array([8, -4, -3, 9, 5, 4], np.float32),
            *(np.full(count, np.nan) for count in (1, 2, 3, 4, 8, 12, 16, 24, 32))]


class Litter:
    """While it is entered, and a function of the package is called or returns."""

    def __init__(self):
        self.kept = collections.deque(maxlen=400)

    def __enter__(self):
        sys.setprofile(self.drop)

    def __exit__(self, *_):
        sys.setprofile(None)

    def drop(self, frame, _event, _argument):
        if frame.f_code.co_filename.startswith(PACKAGE):
            self.kept.extend(one.copy() for one in CONTENTS)


class Littered(unittest.TestCase):
    def test_others(self):
        """Each module has the random numbers that it has alone."""
        state = scenes.RANDOM.bit_generator.state
        for name in TESTS:
            scenes.RANDOM.bit_generator.state = state
            suite = unittest.defaultTestLoader.loadTestsFromName(name)
            written = io.StringIO()
            with Litter():
                found = unittest.TextTestRunner(written).run(suite)
            self.assertGreater(found.testsRun, 5)
            with self.subTest(name):
                self.assertTrue(found.wasSuccessful(), written.getvalue())

    def test_box(self):
        """Nothing is taken for the box that was written where an invalid one was."""
        walls = lanecull.Occluders()
        walls.set_viewpoint(lanecull.perspective(60, 1.5, 0.1, 50) @ lanecull.look_at((0, 0, 0), (1, 0, 0)))
        with Litter():
            refusals = {walls.add_box((9, 5, 4), (8, -4, -3)) for _ in range(10)}
        self.assertEqual(refusals, {lanecull.Refusal.INVALID})


if __name__ == "__main__":
    unittest.main()
