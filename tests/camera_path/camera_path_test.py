"""Cameras of KITTI and COLMAP as tools/camera_path writes them: lanecull sees through each what the files' own formulas
project into its picture."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT, PROGRAM = pathlib.Path(sys.argv.pop(1)), sys.argv.pop(1)
SIDE = 1e-3  # of a box, in metres

# As KITTI's odometry has them, and COLMAP's text export.
CALIBRATION = """\
P0: 7.188560000000e+02 0.000000000000e+00 6.071928000000e+02 0.000000000000e+00 0.000000000000e+00 7.188560000000e+02 1.852157000000e+02 0.000000000000e+00 0.000000000000e+00 0.000000000000e+00 1.000000000000e+00 0.000000000000e+00
P2: 7.188560000000e+02 0.000000000000e+00 6.071928000000e+02 4.538225000000e+01 0.000000000000e+00 7.188560000000e+02 1.852157000000e+02 -1.130887000000e-01 0.000000000000e+00 0.000000000000e+00 1.000000000000e+00 3.779761000000e-03
"""
POSES = """\
1.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00 1.000000e+00 0.000000e+00 -0.000000e+00 -0.000000e+00 0.000000e+00 1.000000e+00 0.000000e+00
9.887711e-01 0.000000e+00 1.494381e-01 4.000000e-01 0.000000e+00 1.000000e+00 0.000000e+00 -2.000000e-02 -1.494381e-01 0.000000e+00 9.887711e-01 5.000000e+00
9.553365e-01 0.000000e+00 2.955202e-01 1.600000e+00 0.000000e+00 1.000000e+00 0.000000e+00 -4.000000e-02 -2.955202e-01 0.000000e+00 9.553365e-01 1.000000e+01
9.004471e-01 0.000000e+00 4.349655e-01 3.600000e+00 0.000000e+00 1.000000e+00 0.000000e+00 -6.000000e-02 -4.349655e-01 0.000000e+00 9.004471e-01 1.500000e+01
"""
CAMERAS = """\
# Camera list with one line of data per camera:
#   CAMERA_ID, MODEL, WIDTH, HEIGHT, PARAMS[]
# Number of cameras: 2
1 PINHOLE 640 480 520.9 521.0 325.1 249.7
2 SIMPLE_RADIAL 800 600 700 390 310 0
"""
IMAGES = """\
# Image list with two lines of data per image:
#   IMAGE_ID, QW, QX, QY, QZ, TX, TY, TZ, CAMERA_ID, NAME
#   POINTS2D[] as (X, Y, POINT3D_ID)
# Number of images: 3, mean observations per image: 0
2 0.9238795325 0 0.3826834324 0 0.5 -0.25 2 1 b.jpg

1 1 0 0 0 0 0 0 1 a.jpg
320.5 240.5 -1 12.25 99.5 -1
7 0.8 0.2 -0.4 0.4 -1 0.5 3 2 c d.jpg

"""


def convert(*arguments):
    return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True, check=False)


def times(rows, point):
    """A 3 x 4 matrix by rows, times a point."""
    return [sum(a * b for a, b in zip(row, (*point, 1))) for row in rows]


def rows_of(numbers):
    return [list(numbers[4 * r:4 * r + 4]) for r in range(3)]


class Case(unittest.TestCase):
    def write(self, name, text):
        """A file in a folder of this test."""
        if not hasattr(self, "folder"):
            folder = tempfile.TemporaryDirectory()
            self.addCleanup(folder.cleanup)
            self.folder = pathlib.Path(folder.name)
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def visible(self, path, points):
        """For each camera of a path which of the points are in a box that lanecull keeps."""
        with tempfile.TemporaryDirectory() as folder:
            boxes, cameras, listed = (pathlib.Path(folder, name) for name in ("boxes.txt", "path.json", "ids.json"))
            cameras.write_text(path, encoding="utf-8")
            lines = (" ".join(f"{x + d:.9g}" for d in (-SIDE / 2, SIDE / 2) for x in p) for p in points)
            boxes.write_text("\n".join(lines), encoding="utf-8")
            for frame in range(len(json.loads(path)["cameras"])):
                subprocess.run([PROGRAM, "cull", boxes, "--up", "y", "--path", cameras, "--quiet", "--threads", "1",
                                "--ids", listed, "--picture-frame", str(frame)], check=True)
                objects = json.loads(listed.read_text(encoding="utf-8"))["objects"]
                yield {each["object"] for each in objects if each["verdict"] == "visible"}

    def expect_projected(self, path, points, projections, size):
        """projections: for each camera what maps a point to u w, v w and w. Pixels go from 0 to `size`."""
        for project, kept in zip(projections, self.visible(path, points), strict=True):
            inside = 0
            for i, point in enumerate(points):
                u, v, w = project(point)
                off = min(u, size[0] * w - u, v, size[1] * w - v, 500 * (w - 0.1))  # a box is less than a pixel
                if abs(off) > 5 * max(w, 0.1):
                    self.assertEqual(off > 0, i in kept, (point, u / w, v / w, w))
                    inside += off > 0
            self.assertGreater(inside, len(points) // 50)
            self.assertLess(inside, len(points) * 3 // 4)

    def expect_refused(self, named, *arguments):
        result = convert(*arguments)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(named, result.stderr)
        self.assertEqual((result.stderr.count("\n"), result.stdout), (1, ""))


def grid(low, high, count):
    """Points evenly through a box, in an order of its own in each direction."""
    return [[a + (b - a) * (i * step % count + 0.5) / count for a, b, step in zip(low, high, (1, 377, 611))]
            for i in range(count)]


class Kitti(Case):
    def setUp(self):
        self.files = self.write("calib.txt", CALIBRATION), self.write("poses.txt", POSES)

    def test_projects_as_the_calibration_does(self):
        result = convert("kitti", *self.files, "--size", "1241x376")
        self.assertEqual(result.stderr, "")
        line = next(l for l in CALIBRATION.splitlines() if l.startswith("P2:"))
        matrix = rows_of([float(x) for x in line[3:].split()])
        def projection(pose):
            def project(point):  # camera 0's axes are orthonormal up to the file's digits
                away = [a - row[3] for a, row in zip(point, pose)]
                u, v, w = times(matrix, [sum(pose[r][c] * away[r] for r in range(3)) for c in range(3)])
                return u + 0.5 * w, v + 0.5 * w, w
            return project
        poses = [rows_of([float(x) for x in l.split()]) for l in POSES.splitlines()]
        points = grid((-30, -8, -10), (30, 8, 60), 4000)
        self.expect_projected(result.stdout, points, map(projection, poses), (1241, 376))

    def test_refuses(self):
        size = ("--size", "1241x376")
        self.expect_refused("no line P7", "kitti", *self.files, *size, "--camera", "P7")
        self.expect_refused("calib.txt, line 1: 'P0:", "kitti", self.files[0], self.files[0], *size)
        self.expect_refused("nowhere", "kitti", self.files[0], "nowhere", *size)


class Colmap(Case):
    def test_projects_as_the_model_does(self):
        self.write("cameras.txt", CAMERAS)
        self.write("images.txt", IMAGES)
        result = convert("colmap", self.folder)
        self.assertEqual(result.stderr, "")
        # a.jpg, b.jpg and "c d.jpg" by hand: the rotations of their quaternions, by rows.
        half = 0.5 ** 0.5
        images = [(([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]), (520.9, 521.0, 325.1, 249.7), (640, 480)),
                  (([half, 0, half, 0.5], [0, 1, 0, -0.25], [-half, 0, half, 2]), (520.9, 521.0, 325.1, 249.7),
                   (640, 480)),
                  (([0.36, -0.8, -0.48, -1], [0.48, 0.6, -0.64, 0.5], [0.8, 0, 0.6, 3]), (700, 700, 390, 310),
                   (800, 600))]
        points = grid((-6, -6, -6), (6, 6, 6), 4000)
        path = json.loads(result.stdout)
        for i, (pose, (fx, fy, cx, cy), size) in enumerate(images):
            def project(point, pose=pose, fx=fx, fy=fy, cx=cx, cy=cy):
                x, y, z = times(pose, point)
                return fx * x + cx * z, fy * y + cy * z, z
            alone = json.dumps(path | {"cameras": [path["cameras"][i]]})
            self.expect_projected(alone, points, [project], size)

    def test_refuses(self):
        self.write("images.txt", "1 1 0 0 0 0 0 0 7 a.jpg\n\n")
        for line, named in [("7 OPENCV 640 480 500 500 320 240 0.1 0 0 0", "distortion"),
                            ("7 OPENCV_FISHEYE 640 480 500 500 320 240 0 0 0 0", "not perspective"),
                            ("7 PINHOLE 640 480 500 500 320", "more parameters"),
                            ("7 PINHOLE 640 480 500 500 320 x", "numbers"),
                            ("8 PINHOLE 640 480 500 500 320 240", "has no camera 7")]:
            self.write("cameras.txt", line + "\n")
            self.expect_refused(named, "colmap", self.folder)
        self.write("cameras.txt", "7 PINHOLE 640 480 500 500 320 240\n")
        self.write("images.txt", "1 0 0 0 0 0 0 0 7 a.jpg\n\n")
        self.expect_refused("quaternion", "colmap", self.folder)
        self.write("images.txt", "")
        self.expect_refused("no cameras", "colmap", self.folder)


if __name__ == "__main__":
    unittest.main()
