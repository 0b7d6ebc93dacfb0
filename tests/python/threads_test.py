"""Threads: the bytes of one, for any number, from several callers at once, and in a child of fork()."""

import os
import threading
import unittest

import numpy as np

import lanecull
from scenes import camera, full, points

BOXES = lanecull.CenteredBoxes(points(50_000), np.full((3, 50_000), 0.5, np.float32))
VIEWS = lanecull.Views.of([camera(target=(1, y, 0)) for y in range(4)])


def answers():
    cull = lanecull.cull(BOXES, VIEWS, order=lanecull.ListOrder.FRONT_TO_BACK)
    scene = lanecull.Scene()
    scene.add(BOXES)
    scene.refit()
    pairs = lanecull.Pairs(lanecull.Batches(BOXES), np.arange(20_000, dtype=np.uint32),
                           np.arange(20_000, 40_000, dtype=np.uint32))
    return [*(cull.indices(v).tobytes() for v in range(4)), cull.visible.tobytes(),
            lanecull.SceneCull(scene, VIEWS)().handles(1).tobytes(), lanecull.separate_pairs(pairs).tobytes()]


class Threads(unittest.TestCase):
    def setUp(self):
        self.addCleanup(lanecull.set_thread_count, lanecull.thread_count())
        lanecull.set_thread_count(1)
        self.serial = answers()

    def has_threads(self, count):
        """Whether the process has so many; true where that cannot be seen, as in a bare root."""
        return not os.path.isdir("/proc/self/task") or len(os.listdir("/proc/self/task")) >= count

    def test_any_number(self):
        for count in (2, 5, 3, 1):
            lanecull.set_thread_count(count)
            self.assertEqual(lanecull.thread_count(), count)
            for _ in range(5):
                self.assertEqual(answers(), self.serial)
        lanecull.set_thread_count(6)
        answers()
        self.assertTrue(self.has_threads(6))

    def test_callers_at_once(self):
        lanecull.set_thread_count(3)
        found = []
        callers = [threading.Thread(target=lambda: found.append(answers())) for _ in range(6)]
        for one in callers:
            one.start()
        for one in callers:
            one.join()
        self.assertEqual(found, [self.serial] * 6)

    def test_child(self):
        lanecull.set_thread_count(4)
        answers()
        child = os.fork()
        if child == 0:
            failed = 1
            try:
                failed = int(answers() != self.serial or not self.has_threads(4))
            finally:
                os._exit(failed)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_refused(self):
        for count in (0, 1025):
            with self.assertRaisesRegex(lanecull.InvalidArgument, f"count: must be 1 to 1024, not {count}"):
                lanecull.set_thread_count(count)
        with self.assertRaisesRegex(lanecull.InvalidArgument, "count: must be an integer"):
            lanecull.set_thread_count(1.5)


if __name__ == "__main__":
    unittest.main()
