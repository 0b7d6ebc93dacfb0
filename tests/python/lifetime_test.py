"""Nothing that the library reads or writes goes away before it; what the library made is destroyed once; threads."""

import collections
import copy
import ctypes
import ctypes.util
import gc
import os
import pickle
import subprocess
import sys
import threading
import unittest
import weakref

import numpy as np

import lanecull
from lanecull import _native
from scenes import camera, full, points, spheres

VIEWS = lanecull.Views.of(camera())


def made_of_temporaries():
    """A Cull all of whose arrays nobody else has."""
    rows = np.broadcast_to(np.eye(4, dtype=np.float32), (500, 4, 4)).copy()
    rows[:, :3, 3] = points(500).T
    hulls = [lanecull.Hull(points(12, 1.0)) for _ in range(3)]
    instances = lanecull.HullInstances(lanecull.Transforms(rows, np.zeros((500, 3))), hulls,
                                       np.arange(500, dtype=np.uint32) % np.uint32(3))
    corner = points(500, 1)
    boxes = lanecull.BoxInstances(lanecull.Transforms(rows.copy()), lanecull.Boxes(corner - 1, corner + 1))
    attributes = lanecull.Attributes(margin=full(500, 0.1), sweep=points(500, 1.0))
    views = lanecull.Views.of(camera(), options=lanecull.ViewOptions(
        clip_planes=[(0, 0, 1, 10)], eye=(1, 2, 3), light=lanecull.PointLight((0, 0, 9), sides=[(0, 0, -1, 100)])))
    return lanecull.Cull(lanecull.Batches(lanecull.Batch(instances, attributes), lanecull.Batch(boxes, attributes)),
                         views, candidates=np.full(16, 2**64 - 1, np.uint64), statistics=True)


class Lifetime(unittest.TestCase):
    def test_arrays_are_kept(self):
        at, radius = points(100), full(100, 1)
        seen = weakref.ref(at), weakref.ref(radius)
        cull = lanecull.Cull(lanecull.Spheres(at, radius), VIEWS)
        before = cull().mask()
        del at, radius
        gc.collect()
        self.assertTrue(all(one() is not None or one is seen[0] for one in seen))  # rows keep the memory of `at`
        litter = [np.full(300, np.nan, np.float32) for _ in range(200)]
        self.assertTrue((cull().mask() == before).all())
        del litter, cull
        gc.collect()
        self.assertIsNone(seen[1]())

    def test_everything_is_kept(self):
        cull = made_of_temporaries()
        before = cull().mask()
        gc.collect()
        litter = [np.full(size, np.nan, np.float32) for size in range(1, 3000, 7)]
        for _ in range(3):
            self.assertTrue((cull().mask() == before).all())
        self.assertGreater(before.sum(), 0)
        del litter

    def test_small_arguments_are_copied(self):
        """Options are those that were given, whatever becomes of the arrays."""
        planes, eye, sides = np.array([(0.0, 0, 1, 5)]), np.array([1.0, 2, 3]), np.array([(0.0, 0, -1, 100)])
        matrix = camera()
        options = lanecull.ViewOptions(clip_planes=planes, eye=eye, light=lanecull.PointLight((0, 0, 9), sides=sides))
        part = lanecull.Slice(matrix, 1, 10)
        shapes, views = spheres(3000), lanecull.Views(2)
        receivers = lanecull.WorldBox(np.full(3, -50), np.full(3, 50))

        def seen():
            views.prepare(0, camera(), options=options)
            lanecull.prepare_cascade_casters(views, 1, part, receivers, options)
            return lanecull.cull(shapes, views).visible.copy()

        before = seen()
        for array in (planes, eye, sides, matrix):
            array[:] = np.nan
        self.assertTrue((seen() == before).all())

    def test_whatever_becomes_of_a_batch(self):
        """Batches are what they were made of."""
        batch = lanecull.Batch(spheres(500, 3.0), lanecull.Attributes(margin=full(500, 1)))
        cull = lanecull.Cull(lanecull.Batches(batch), VIEWS)
        before = cull().mask()
        batch.shapes = batch.attributes = cull.batches.batches = cull.views = None
        gc.collect()
        litter = [np.full(500, np.nan, np.float32) for _ in range(50)]
        cull()
        self.assertTrue((lanecull.bits(cull.visible[0], 500) == before).all())
        del litter

    def test_pointers_keep(self):
        """A pointer, the structs that it is put into, copies and arrays of those, and pointers to them."""
        array = full(3, 7)
        seen = weakref.ref(array)
        pointer = _native.pointer(array)
        records = _native.Records(pointer, 4)
        boxes = _native.OrientedBoxes(axes=records)
        row = (_native.OrientedBoxes * 2)(boxes, boxes)
        batch = _native.Batch()
        batch.shapes.oriented_boxes = row[1]
        batches = (_native.Batch * 2)()
        batches[1] = batch
        objects = _native.Objects(_native.span(_native.Batches, batches))
        del array, pointer, records, boxes, row, batch, batches
        gc.collect()
        self.assertIsNotNone(seen())
        objects.batches = _native.Batches()
        gc.collect()
        self.assertIsNone(seen())

    def test_outputs_outlive_the_cull(self):
        cull = lanecull.cull(spheres(500), VIEWS, statistics=True)
        visible, indices, counts = cull.visible, cull.indices(), cull.counts
        copies = visible.copy(), indices.copy(), counts.copy()
        del cull
        gc.collect()
        litter = [np.full(size, 2**64 - 1, np.uint64) for size in range(1, 600)]
        for one, was in zip((visible, indices, counts), copies):
            self.assertTrue((one == was).all())
        del litter

    def test_destroyed_once(self):
        destroyed = []

        def create():
            return 12345

        def destroy(made):
            destroyed.append(ctypes.addressof(made.contents))

        owned = _native.Owned(create, destroy)
        self.assertEqual(destroyed, [])
        del owned
        gc.collect()
        self.assertEqual(destroyed, [12345])

        with self.assertRaises(lanecull.OutOfMemory):
            _native.Owned(lambda: None, destroy)
        gc.collect()
        self.assertEqual(destroyed, [12345])

    def test_no_copies_of_what_is_owned(self):
        for one in (lanecull.Scene(), lanecull.Batches(spheres(3)), spheres(3), lanecull.cull(spheres(3), VIEWS)):
            for duplicate in (copy.deepcopy, pickle.dumps):
                with self.assertRaises((TypeError, ValueError, pickle.PicklingError)):
                    duplicate(one)
        for one in (VIEWS, lanecull.Batches(spheres(3))):
            shallow = copy.copy(one)
            self.assertIs(shallow._structs, one._structs)

    def test_views_are_plain_data(self):
        """A copy of them culls as they do."""
        shapes = spheres(500)
        duplicate = copy.deepcopy(VIEWS)
        self.assertIsNot(duplicate._structs, VIEWS._structs)
        self.assertTrue((lanecull.cull(shapes, duplicate).mask() == lanecull.cull(shapes, VIEWS).mask()).all())

    def test_what_is_read_only_serves(self):
        """Memory-mapped and constant arrays need not be writeable."""
        at = points(10)
        at.flags.writeable = False
        lanecull.cull(lanecull.Spheres(at, full(10, 1)), VIEWS)

    def test_at_exit(self):
        """What still exists when Python ends is no trouble."""
        code = ("import sys; sys.path.insert(0, sys.argv[1]); import lifetime_test as test\n"
                "kept = test.made_of_temporaries()()")
        done = subprocess.run([sys.executable, "-c", code, sys.path[0]], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class Library(unittest.TestCase):
    def importing(self, **environment):
        done = subprocess.run([sys.executable, "-c", "import lanecull"], capture_output=True, text=True, check=False,
                              env={**os.environ, **environment})
        return done.returncode, done.stderr

    def test_a_library_that_is_not_there(self):
        status, text = self.importing(LANECULL_LIBRARY="/nowhere/liblanecull.so")
        self.assertEqual(status, 1)
        self.assertIn("ImportError: lanecull finds no shared library that it can use; LANECULL_LIBRARY may", text)
        self.assertIn("/nowhere/liblanecull.so", text)
        self.assertIn("tools/python/README.md says how to build or install it", text)

    def test_a_library_that_is_another(self):
        status, text = self.importing(LANECULL_LIBRARY=ctypes.util.find_library("m"))
        self.assertEqual(status, 1)
        self.assertIn("lanecull_library_form", text)


class Threads(unittest.TestCase):
    def run_all(self, work, count=8):
        failures = []

        def guarded(k):
            try:
                work(k)
            except BaseException as failure:
                failures.append(failure)

        threads = [threading.Thread(target=guarded, args=(k,)) for k in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_many_culls_at_once(self):
        batches = lanecull.Batches(spheres(5000))
        views = lanecull.Views.of([camera(target=(np.cos(a), np.sin(a), 0)) for a in range(8)])
        alone = lanecull.cull(batches, views)

        def work(k):
            cull = lanecull.Cull(batches, views, first_view=k, view_count=1)
            for _ in range(50):
                self.assertTrue((cull().visible[0] == alone.visible[k]).all())

        self.run_all(work)

    def test_one_cull_by_many(self):
        cull = lanecull.Cull(spheres(5000), VIEWS)
        before = cull().mask()

        def work(_):
            for _ in range(50):
                self.assertTrue((cull().mask() == before).all())

        self.run_all(work)

    def test_arguments_are_kept(self):
        """What the library reads of a call's arguments is theirs, whatever other threads allocate meanwhile: of boxes
        that hide nothing, upside down, none is taken for one that was written where they were."""
        lower, upper = np.array([8, -4, -3.0]), np.array([9, 5, 4.0])
        litter = np.array([*lower, *upper], np.float32)
        walls = lanecull.Occluders()
        walls.set_viewpoint(camera())
        self.assertEqual(walls.add_box(lower, upper), lanecull.Refusal.NOT)
        done = threading.Event()

        def allocate():
            while not done.is_set():
                _ = [litter.copy() for _ in range(20)]

        threads = [threading.Thread(target=allocate) for _ in range(3)]
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            for thread in threads:
                thread.start()
            refusals = collections.Counter(walls.add_box(upper, lower) for _ in range(10_000))
        finally:
            done.set()
            sys.setswitchinterval(interval)
            for thread in threads:
                thread.join()
        self.assertEqual(refusals, {lanecull.Refusal.INVALID: 10_000})

    def test_errors_of_many(self):
        """Each thread gets its own sentence."""
        def work(k):
            for _ in range(200):
                with self.assertRaisesRegex(lanecull.InvalidArgument, "the matrix is zero"):
                    lanecull.Views(1).prepare(0, np.zeros((4, 4)))
        self.run_all(work)


if __name__ == "__main__":
    unittest.main()
