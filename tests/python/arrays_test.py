"""What callers may give: arrays are read where they are, and those that cannot be are refused by name and rule."""

import unittest

import numpy as np

import lanecull
from scenes import camera, full, points, spheres

X = points(8)
ONE = full(8, 1)
MATRICES = np.broadcast_to(np.eye(4, dtype=np.float32), (8, 4, 4)).copy()
VIEWS = lanecull.Views.of(camera())
UNALIGNED = np.frombuffer(bytearray(4 * 8 + 1), np.uint8)[1:].view(np.float32)
TRANSFORMS = lanecull.Transforms(MATRICES)
HULL = lanecull.Hull(X)
BOX = lanecull.Boxes(X, X)


def readonly(array):
    array.flags.writeable = False
    return array


# What is called, and what the error says of it.
REFUSED = [
    (lambda: lanecull.Spheres(X.astype(np.float64), ONE), "center: dtype must be float32, not float64"),
    (lambda: lanecull.Spheres(X.astype(">f4"), ONE), "center: dtype must be float32, not >f4"),
    (lambda: lanecull.Spheres(X.T, ONE), r"center: shape must be \(3, n\), not \(8, 3\); streams\(\) makes such"),
    (lambda: lanecull.Spheres(X[:2], ONE), r"center: shape must be \(3, n\), not \(2, 8\)"),
    (lambda: lanecull.Spheres(list(X[:2]), ONE), r"center: must be an array of shape \(3, n\), or three arrays"),
    (lambda: lanecull.Spheres([[1], [2], [3]], ONE), "center, x: must be a numpy array, not list"),
    (lambda: lanecull.Spheres(X[:, ::2], ONE[:4]), "center, x: must be contiguous, 4 bytes .* not 8"),
    (lambda: lanecull.Spheres(X[:, ::-1], ONE), "center, x: must be contiguous, 4 bytes .* not -4"),
    (lambda: lanecull.Spheres(np.asfortranarray(X), ONE),
     r"center, x: must be contiguous, 4 bytes .* not 12; numpy.ascontiguousarray\(\) makes"),
    (lambda: lanecull.Spheres([X[0], X[1], X[2][:5]], ONE), r"center, z: shape must be \(8\), not \(5,\)"),
    (lambda: lanecull.Spheres(X, ONE[:5]), r"radius: shape must be \(8\), not \(5,\)"),
    (lambda: lanecull.Spheres(X, np.broadcast_to(np.float32(1), 8)), "radius: must be contiguous"),
    (lambda: lanecull.Spheres(X, 1.0), "radius: must be a numpy array, not float"),
    (lambda: lanecull.Spheres(X, UNALIGNED), "radius: must be aligned as its numbers are, to 4 bytes"),
    (lambda: lanecull.Boxes(X, X[:, :5]), r"upper: shape must be \(3, 8\), not \(3, 5\)"),
    (lambda: lanecull.Capsules(X, X, full(9, 1)), r"radius: shape must be \(8\)"),
    (lambda: lanecull.Cylinders(X, X[:, :5], ONE), r"b: shape must be \(3, 8\), not \(3, 5\)"),
    (lambda: lanecull.Cones(X, X[:, :5], ONE), r"base: shape must be \(3, 8\), not \(3, 5\)"),
    (lambda: lanecull.Cones(X, X, ONE, end="pointed"), r"end: must be one of \('flat', 'round'\), not 'pointed'"),
    (lambda: lanecull.Ellipsoids(X, np.ones((8, 4), np.float32), MATRICES[:, 0]), r"half_axes: shape must be \(8, 3\)"),
    (lambda: lanecull.Ellipsoids(X, np.ones((8, 3), np.float32), np.ones((7, 4), np.float32)),
     r"quaternions: shape must be \(8, 4\)"),
    (lambda: lanecull.OrientedBoxes(X, np.ones((8, 3), np.float32)), "axes, quaternions: exactly one of the two"),
    (lambda: lanecull.OrientedBoxes(X, np.ones((8, 3), np.float32), axes=MATRICES[:, :3, :3]),
     r"axes: a record's numbers must be contiguous, with strides \(12, 4\), not \(16, 4\)"),
    (lambda: lanecull.OrientedBoxes(X, np.broadcast_to(ONE[:3], (8, 3)), quaternions=MATRICES[:, 0]),
     "half_extents: records must be 1 to 65536 bytes apart, not 0"),
    (lambda: lanecull.OrientedBoxes(X, np.ones((8, 3), np.float32)[::-1], quaternions=MATRICES[:, 0]),
     "half_extents: records must be 1 to 65536 bytes apart, not -12"),
    (lambda: lanecull.OrientedBoxes(X, np.ones((8, 3), np.float32), quaternions=MATRICES[:, 0],
                                    bounding_radius=ONE[:3]),
     r"bounding_radius: shape must be \(8\)"),
    (lambda: lanecull.Transforms(MATRICES[:, :, :3]), r"matrices: shape must be \(n, 4, 4\), not \(8, 4, 3\)"),
    (lambda: lanecull.Transforms(MATRICES[0]), r"matrices: shape must be \(n, 4, 4\), not \(4, 4\)"),
    (lambda: lanecull.Transforms(np.zeros((8, 4, 5), np.float32)[:, :, :4]), "matrices: a matrix must be stored by"),
    (lambda: lanecull.Transforms(MATRICES.swapaxes(1, 2)[:, :3]), "matrices: a matrix must be stored by rows or by"),
    (lambda: lanecull.Transforms(MATRICES, X.T), "positions: dtype must be float64, not float32"),
    (lambda: lanecull.Hull(X[:, :0]), "0"),
    (lambda: lanecull.Hull(np.full((3, 4), np.nan, np.float32)), "not finite"),
    (lambda: lanecull.HullInstances(TRANSFORMS, [HULL, HULL]), "hull_index: must be given where there are 2 hulls"),
    (lambda: lanecull.HullInstances(TRANSFORMS, [HULL], np.zeros(8, np.int32)), "hull_index: dtype must be uint32"),
    (lambda: lanecull.HullInstances(TRANSFORMS, [HULL], bounding=spheres(7)), "bounding: must be 8 spheres, not 7"),
    (lambda: lanecull.BoxInstances(TRANSFORMS, lanecull.Boxes(X[:, :2], X[:, :2])), "box_index: must be given"),
    (lambda: lanecull.Attributes(flags=ONE), "flags: dtype must be uint32, not float32"),
    (lambda: lanecull.Batch(BOX, lanecull.Attributes(margin=full(3, 1))), "attributes.margin: must have 8 numbers"),
    (lambda: lanecull.Batch(X), "shapes: must be a kind such as Boxes, not ndarray"),
    (lambda: lanecull.Batch(BOX, first_index=-1), "first_index: must be 0 to 4294967295, not -1"),
    (lambda: lanecull.DrawTemplates(np.zeros(8, np.uint32)), "commands: dtype must be"),
    (lambda: lanecull.Batch(BOX, draws=lanecull.DrawTemplates(np.zeros(5, lanecull.DRAW_COMMAND))),
     "draws: must be 8 commands, one an object, not 5"),
    (lambda: lanecull.Cull(BOX, camera()), r"views: must be Views, not ndarray; Views.of\(\) makes them"),
    (lambda: lanecull.Cull(X, VIEWS), "shapes: must be a kind such as Boxes, not ndarray"),
    (lambda: lanecull.HullInstances(MATRICES, [HULL]), "transforms: must be Transforms, not ndarray"),
    (lambda: lanecull.HullInstances(TRANSFORMS, [X]), "hulls: must be Hull, not ndarray"),
    (lambda: lanecull.BoxInstances(TRANSFORMS, X), "boxes: must be Boxes, not ndarray"),
    (lambda: lanecull.Batch(BOX, {"margin": ONE}), "attributes: must be Attributes, not dict"),
    (lambda: lanecull.Cull(BOX, VIEWS, first_view=1), "view_count: 0 from 1 on are not among 1 views"),
    (lambda: lanecull.Cull(BOX, VIEWS, first_view=1.0), "first_view: must be an integer, not float"),
    (lambda: lanecull.Cull(BOX, VIEWS, indices=np.zeros((1, 4), np.int64)), "indices: dtype must be uint32, not int64"),
    (lambda: lanecull.Cull(BOX, VIEWS, visible=np.zeros((1, 2), np.uint64)), r"visible: shape must be \(1, 1\)"),
    (lambda: lanecull.Cull(BOX, VIEWS, visible=readonly(np.zeros((1, 1), np.uint64))), "visible: must be writeable"),
    (lambda: lanecull.Cull(BOX, VIEWS, indices=np.zeros((1, 9), np.uint32)[:, ::2]), "indices: must be contiguous"),
    (lambda: lanecull.Cull(BOX, VIEWS, indices=X[:1].view(np.uint32)), "indices: must not overlap what the call reads"),
    (lambda: lanecull.Cull(BOX, VIEWS, candidates=np.zeros(2, np.uint64)), r"candidates: shape must be \(1\)"),
    (lambda: lanecull.Cull(BOX, VIEWS, candidates=np.zeros((2, 1), np.uint64)), r"candidates: shape must be \(1, 1\)"),
    (lambda: lanecull.Cull(BOX, lanecull.Views(65), view_masks=True), "view_masks: a word has bits of 64 views"),
    (lambda: lanecull.Cull(BOX, VIEWS, isa=99)(), "options.isa: 99 is not a known value"),
    (lambda: lanecull.Cull(BOX, VIEWS, draws=True)(), "draws"),
    (lambda: lanecull.Cull(BOX, VIEWS, visible=False).mask(), "visible: was not asked for when this was made"),
]


class Refused(unittest.TestCase):
    def test_bad_arguments(self):
        for call, text in REFUSED:
            with self.subTest(text), self.assertRaisesRegex(lanecull.InvalidArgument, text) as caught:
                call()
            self.assertIsInstance(caught.exception, ValueError)

    def test_results_before_there_are_any(self):
        cull = lanecull.Cull(BOX, VIEWS, statistics=True)
        for read in (cull.indices, cull.mask, cull.statistics, lambda: cull.counts, lambda: cull.visible):
            with self.assertRaisesRegex(lanecull.NotReady, "call it first: it has not been run"):
                read()

    def test_no_views_prepared(self):
        with self.assertRaises(lanecull.Error):
            lanecull.cull(BOX, lanecull.Views(1))

    def test_a_failed_call_writes_nothing(self):
        words = np.full((1, 1), 7, np.uint64)
        with self.assertRaises(lanecull.Error):
            lanecull.cull(BOX, lanecull.Views(1), visible=words)
        self.assertEqual(words[0, 0], 7)

    def test_status_codes(self):
        absent = [isa for isa in lanecull.Isa if not isa.runnable and isa != lanecull.Isa.AUTOMATIC]
        for isa in absent:
            with self.assertRaises(lanecull.Unsupported) as caught:
                lanecull.cull(BOX, VIEWS, isa=isa)
            self.assertEqual(caught.exception.code, 4)
            self.assertIn(isa.title, str(caught.exception))
        self.assertGreater(len(absent), 0)


class NoCopies(unittest.TestCase):
    def visible(self, shapes):
        return lanecull.Cull(shapes, VIEWS)

    def test_streams(self):
        at = points(1000)
        cull = self.visible(lanecull.Spheres(at, full(1000, 1)))
        before = cull().mask()
        at += np.array([[0], [0], [1000]], np.float32)
        self.assertGreater(before.sum(), 10)
        self.assertEqual(cull().counts[0], 0)
        at[:, 7] = 10, 0, 0
        self.assertEqual(list(cull().indices()), [7])

    def test_streams_round_as_they_are_told(self):
        given = X[:, :8].T.astype(np.float64) + 1e-9
        down, up, nearest = lanecull.streams(given, -np.inf), lanecull.streams(given, np.inf), lanecull.streams(given)
        self.assertTrue((down <= given.T).all() and (up >= given.T).all() and (down < up).any())
        self.assertTrue(((nearest == down) | (nearest == up)).all() and (nearest == given.T.astype(np.float32)).all())
        for one in (down, up, nearest):
            self.assertEqual((one.dtype, one.shape, one.flags.c_contiguous), (np.float32, (3, 8), True))
        with self.assertRaisesRegex(lanecull.InvalidArgument, "toward: must be None or an infinity, not 1"):
            lanecull.streams(given, 1)

    def test_offset_streams(self):
        """Any contiguous part of an array, at 4-byte alignment."""
        room = np.full(4 * 101, 1e6, np.float32)
        parts = [room[1 + 101 * k:101 * (k + 1)] for k in range(4)]
        for part, value in zip(parts, (10, 0, 0, 1)):
            part[:] = value
        self.assertEqual(lanecull.cull(lanecull.Spheres(parts[:3], parts[3]), VIEWS).counts[0], 100)

    def test_records_at_strides(self):
        """Fields of larger records, and matrices by rows and by columns."""
        dtype = np.dtype([("name", "i4"), ("half", "f4", 3), ("axes", "f4", (3, 3)), ("turn", "f4", 4)])
        objects = np.zeros(300, dtype)
        objects["half"] = 1, 2, 3
        objects["axes"] = np.eye(3)
        objects["turn"] = 0, 0, 0, 1
        at = points(300)
        flat = self.visible(lanecull.CenteredBoxes(at, np.tile(np.float32([[1], [2], [3]]), 300)))().mask()
        by_axes = lanecull.OrientedBoxes(at, objects["half"], axes=objects["axes"])
        by_turn = lanecull.OrientedBoxes(at, objects["half"], quaternions=objects["turn"])
        self.assertTrue((self.visible(by_axes)().mask() == flat).all())
        self.assertTrue((self.visible(by_turn)().mask() == flat).all())
        objects["half"] = 1000
        self.assertEqual(self.visible(by_axes)().counts[0], 300)

    def test_layouts_of_transforms(self):
        rotations = np.linalg.qr(np.random.default_rng(1).normal(size=(200, 3, 3)))[0].astype(np.float32)
        matrices = np.zeros((200, 4, 4), np.float32)
        matrices[:, :3, :3], matrices[:, :3, 3], matrices[:, 3, 3] = rotations, points(200).T, 1
        columns = np.ascontiguousarray(matrices.swapaxes(1, 2)).swapaxes(1, 2)
        columns_of_three = np.ascontiguousarray(matrices[:, :3].swapaxes(1, 2)).swapaxes(1, 2)
        box = lanecull.Boxes(full(3, -1).reshape(3, 1), full(3, 2).reshape(3, 1))
        index = np.zeros(200, np.uint32)
        answers = [self.visible(lanecull.BoxInstances(lanecull.Transforms(one), box, index))().mask()
                   for one in (matrices, matrices[:, :3], matrices[:, :3].copy(), columns, columns_of_three)]
        self.assertGreater(answers[0].sum(), 5)
        for answer in answers[1:]:
            self.assertTrue((answer == answers[0]).all())
        every_other = self.visible(lanecull.BoxInstances(lanecull.Transforms(matrices[::2]), box, index[::2].copy()))
        self.assertTrue((every_other().mask() == answers[0][::2]).all())

    def test_outputs_in_place(self):
        shapes = spheres(300)
        words, found = np.zeros((1, 5), np.uint64), np.full((1, 4), 99999, np.uint32)
        cull = lanecull.Cull(shapes, VIEWS, visible=words, indices=found)
        count = int(cull().counts[0])
        self.assertGreater(count, 4)
        self.assertTrue((lanecull.bits(words[0], 300).nonzero()[0][:4] == found[0]).all())
        self.assertTrue(np.shares_memory(cull.indices(), found) and np.shares_memory(cull.visible, words))


if __name__ == "__main__":
    unittest.main()
