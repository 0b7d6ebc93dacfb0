#!/usr/bin/env python3
"""Makes occluded.jsonl: objects behind, beside and before solid boxes, with exact labels.

    tests/data/occluded.py > tests/data/occluded.jsonl

Labels come from rational arithmetic on the floats of each line, and from segments alone: a point p is hidden by a box if
the segment from the eye to p (or the ray against the direction of sight) meets it. `visible`: one point of the shape is
in the view's volume and sees the eye past every box that does not contain the eye. `culled`: one box, farther from the
eye than 1.1 times the farthest near corner (orthographic: beyond the near plane, as is the box along the axes around
it), hides all corners of a polytope around the shape, though it is smaller by
2^-12 of the largest coordinate on each side; what a convex solid hides is convex. `either`: neither was shown.
"""

import json
import random
import struct
from fractions import Fraction as F

SEED = 28
WANTED = {"visible": 150, "culled": 150, "either": 30}


def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def solve3(rows, right):
    """x with rows x = right, by Cramer's rule; None if there is not one alone."""
    def det(m):
        return (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]))
    whole = det(rows)
    if whole == 0:
        return None
    return [det([[right[i] if j == k else rows[i][j] for j in range(3)] for i in range(3)]) / whole for k in range(3)]


def rotation(rng):
    while True:
        q = [rng.uniform(-1, 1) for _ in range(4)]
        n = sum(c * c for c in q)
        if 0.01 < n <= 1:
            break
    w, x, y, z = (c / n ** 0.5 for c in q)
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]


class Camera:
    """A matrix of floats, and what it means exactly."""

    def __init__(self, kind, eye, axes, near, far, slope):
        right, up, forward = axes
        def row(direction, scale, constant):
            return [f32(scale * c) for c in direction] + [f32(constant - scale * dot(direction, eye))]
        self.kind = kind
        self.depth = "minus_one_to_one" if kind == "gl" else "zero_to_one"
        reverse = kind.startswith("reversed")
        if kind.startswith("orthographic"):
            size, length = slope * far, far - near
            x, y, w = row(right, 1 / size, 0), row(up, 1 / size, 0), [0.0, 0.0, 0.0, 1.0]
            z = row(forward, 1 / length, -near / length)
            if kind == "orthographic_reversed":
                z = row(forward, -1 / length, far / length)
            self.near_row = [a - b for a, b in zip(w, z)] if kind == "orthographic_reversed" else z
        else:
            x, y, w = row(right, 1 / slope, 0), row(up, 1 / slope, 0), row(forward, 1, 0)
            if kind == "gl":
                z = row(forward, (far + near) / (far - near), -2 * far * near / (far - near))
            elif kind == "infinite":
                z = row(forward, 1, -near)
            elif kind == "reversed_infinite":
                z = [0.0, 0.0, 0.0, f32(near)]
            elif kind == "reversed":
                z = row(forward, -near / (far - near), far * near / (far - near))
            else:
                z = row(forward, far / (far - near), -far * near / (far - near))
        self.rows = [x, y, z, w]
        x, y, z, w = ([F(c) for c in r] for r in self.rows)
        least = [-c for c in w] if kind == "gl" else [F(0)] * 4
        def less(a, b):
            return [q - p for p, q in zip(a, b)]
        self.planes = [less([-c for c in w], x), less(x, w), less([-c for c in w], y), less(y, w), less(least, z),
                       less(z, w)]
        self.eye = self.sight = None
        self.reach2 = F(0)
        if kind.startswith("orthographic"):
            self.near_plane = self.planes[5 if kind == "orthographic_reversed" else 4]
            # along neither x nor y, to where depth grows from the near plane
            s = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
            self.sight = s if dot(s, self.near_plane[:3]) > 0 else [-c for c in s]
            return
        self.eye = solve3([x[:3], y[:3], w[:3]], [-x[3], -y[3], -w[3]])
        near_plane = self.planes[5 if reverse else 4]
        if self.eye is None or self.value(near_plane, self.eye) >= 0:
            self.eye = None
            return
        for i in (0, 1):
            for j in (2, 3):
                three = [self.planes[i], self.planes[j], near_plane]
                corner = solve3([r[:3] for r in three], [-r[3] for r in three])
                if corner is None:
                    self.eye = None
                    return
                self.reach2 = max(self.reach2, sum((a - b) ** 2 for a, b in zip(corner, self.eye)))

    @staticmethod
    def value(plane, p):
        return dot(plane[:3], p) + plane[3]

    def contains(self, p):
        return all(self.value(plane, p) >= 0 for plane in self.planes)

    def meets(self, p, box):
        """Whether the way from p to where it is seen from meets the box {low, high, axes}, exactly."""
        way = [-c for c in self.sight] if self.sight else [e - c for e, c in zip(self.eye, p)]
        t0, t1 = F(0), None if self.sight else F(1)
        for (axis, low, high) in box:
            start, step = dot(axis, p), dot(axis, way)
            if step == 0:
                if not low <= start <= high:
                    return False
                continue
            a, b = sorted(((low - start) / step, (high - start) / step))
            t0 = max(t0, a)
            t1 = b if t1 is None else min(t1, b)
            if t0 > t1:
                return False
        return True

    def surely_counts(self, corners, box):
        if self.sight:
            ends = [(min(c[k] for c in corners), max(c[k] for c in corners)) for k in range(3)]
            least = sum(min(n * low, n * high) for n, (low, high) in zip(self.near_plane, ends)) + self.near_plane[3]
            return least > F(1, 1000)
        if all(low <= dot(axis, self.eye) <= high for axis, low, high in box):
            return False
        centre = [sum(c[k] for c in corners) / len(corners) for k in range(3)]
        radius2 = max(sum((a - b) ** 2 for a, b in zip(c, centre)) for c in corners)
        # At least the distance: by the slab that is farthest away.
        apart2 = F(0)
        for axis, low, high in box:
            at = dot(axis, self.eye)
            gap = max(low - at, at - high, F(0))
            apart2 = max(apart2, gap * gap / dot(axis, axis))
        distance2 = sum((a - b) ** 2 for a, b in zip(centre, self.eye))
        return max(apart2, distance2 / 4 if distance2 > 4 * radius2 else F(0)) > F(121, 100) * self.reach2


UNITS = [[F(1), F(0), F(0)], [F(0), F(1), F(0)], [F(0), F(0), F(1)]]


def box_corners(center, half_axes):
    return [[center[k] + sum(s[j] * half_axes[j][k] for j in range(3)) for k in range(3)]
            for s in ((a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1))]


def slabs_of(given, shrink):
    """(axis, low, high) of a box as given, smaller by `shrink` along each axis, and its corners; None if nothing is left."""
    if given["kind"] == "aabb" and "min" in given:
        low, high = [F(c) for c in given["min"]], [F(c) for c in given["max"]]
        center, half_axes = [(a + b) / 2 for a, b in zip(low, high)], [
            [(high[j] - low[j]) / 2 if j == k else F(0) for k in range(3)] for j in range(3)]
    else:
        center = [F(c) for c in given["center"]]
        axes = [[F(c) for c in a] for a in given["axes"]] if "axes" in given else UNITS
        half_axes = [[F(h) * c for c in a] for h, a in zip(given["half_extents"], axes)]
    slabs = []
    for j in range(3):  # normals of the faces are the rows of the inverse: of a parallelepiped too
        a, b = half_axes[(j + 1) % 3], half_axes[(j + 2) % 3]
        n = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        largest = max(abs(c) for c in n)
        if largest == 0:
            return None, None
        n = [c / largest for c in n]
        reach = abs(dot(n, half_axes[j])) - 2 * shrink  # |n| < 2: at least so much for lengths along n
        if reach <= 0:
            return None, None
        slabs.append((n, dot(n, center) - reach, dot(n, center) + reach))
    return slabs, box_corners(center, half_axes)


def shape_points(shape):
    """Corners of a polytope around the shape, and points of the shape."""
    kind = shape["kind"]
    v = lambda name: [F(c) for c in shape[name]]
    if kind == "sphere":
        c, r = v("center"), F(shape["radius"])
        return box_corners(c, [[r * u for u in axis] for axis in UNITS]), [c] + [
            [c[k] + s * r * UNITS[j][k] for k in range(3)] for j in range(3) for s in (-1, 1)]
    if kind == "capsule":
        a, b, r = v("a"), v("b"), F(shape["radius"])
        cube = [[r * u for u in axis] for axis in UNITS]
        tips = [[e[k] + s * r * UNITS[j][k] for k in range(3)] for e in (a, b) for j in range(3) for s in (-1, 1)]
        return box_corners(a, cube) + box_corners(b, cube), tips + [a, b, [(p + q) / 2 for p, q in zip(a, b)]]
    if kind == "hull":
        corners = [[F(c) for c in p] for p in shape["vertices"]]
    else:
        corners = slabs_of(shape, F(0))[1]
    centre = [sum(c[k] for c in corners) / len(corners) for k in range(3)]
    between = [[(p + q) / 2 for p, q in zip(corners[i], corners[i - 1])] for i in range(len(corners))]
    return corners, corners + [centre] + between


def label(camera, boxes, shape):
    around, of_it = shape_points(shape)
    whole = [slabs_of(box, F(0))[0] for box in boxes]
    blocking = [b for b in whole if b is not None and
                (camera.sight or not all(low <= dot(axis, camera.eye) <= high for axis, low, high in b))]
    for p in of_it:
        if camera.contains(p) and not any(camera.meets(p, b) for b in blocking):
            return "visible"
    largest = max(abs(c) for p in around for c in p)
    for given in boxes:
        box, corners = slabs_of(given, largest / 4096)
        if box is None or not camera.surely_counts(corners, slabs_of(given, F(0))[0]):
            continue
        if all(camera.meets(p, box) for p in around):
            return "culled"
    return "either"


def make(rng):
    kind = rng.choice(["perspective", "gl", "infinite", "reversed", "reversed_infinite", "orthographic",
                       "orthographic_reversed"])
    axes = rotation(rng) if rng.random() < 0.7 else [[1, 0, 0], [0, 0, 1], [0, 1, 0]]
    spread = rng.choice([0, 100, 1e4])
    eye = [f32(rng.uniform(-spread, spread)) for _ in range(3)]
    near, far, slope = rng.choice([0.01, 0.1, 1]), rng.choice([200, 1000]), rng.uniform(0.4, 1.2)
    camera = Camera(kind, eye, axes, near, far, slope)
    if camera.eye is None and camera.sight is None:
        return None
    right, up, forward = axes

    def at(depth, x, y):
        wide = slope * far if camera.sight else depth * slope
        return [f32(eye[k] + depth * forward[k] + wide * (x * right[k] + y * up[k])) for k in range(3)]

    def box(center, half, turned):
        if turned:
            return {"kind": "obb", "center": center, "half_extents": half,
                    "axes": [[f32(c) for c in r] for r in rotation(rng)]}
        return {"kind": "aabb", "min": [f32(c - h) for c, h in zip(center, half)],
                "max": [f32(c + h) for c, h in zip(center, half)]}

    places, boxes = [], []
    for _ in range(rng.randint(1, 3)):
        depth = rng.uniform(5, 60)
        place = (depth, rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5))
        size = rng.choice([0.1, 0.3, 0.6]) * (slope * far if camera.sight else depth)
        half = [f32(size * rng.uniform(0.2, 1)) for _ in range(3)]
        places.append(place)
        boxes.append(box(at(*place), half, rng.random() < 0.4))
    depth, x, y = rng.choice(places)
    off = rng.choice([0, 0.05, 0.3])
    depth *= rng.choice([0.3, 1.5, 3, 3])
    center = at(depth, x + rng.uniform(-off, off), y + rng.uniform(-off, off))
    size = rng.choice([0.01, 0.05, 0.15]) * (slope * far if camera.sight else depth)
    half = [f32(size * rng.uniform(0.1, 1)) for _ in range(3)]
    shape_kind = rng.choice(["sphere", "capsule", "aabb", "obb", "hull"])
    if shape_kind == "sphere":
        shape = {"kind": "sphere", "center": center, "radius": half[0]}
    elif shape_kind == "capsule":
        shape = {"kind": "capsule", "a": center, "b": [f32(c + h) for c, h in zip(center, half)],
                 "radius": f32(half[0] / 4)}
    elif shape_kind == "hull":
        shape = {"kind": "hull", "vertices": [[f32(c + h * rng.uniform(-1, 1)) for c, h in zip(center, half)]
                                              for _ in range(rng.randint(4, 8))]}
    else:
        shape = box(center, half, shape_kind == "obb")
    view = {"clip_from_world": camera.rows, "depth": camera.depth}
    if camera.sight:
        view["sight"] = "shrinking_depth" if kind == "orthographic_reversed" else "growing_depth"
    return {"class": kind + "/" + shape_kind, "view": view, "occluders": boxes, "shape": shape,
            "expect": label(camera, boxes, shape)}


def main():
    rng = random.Random(SEED)
    counts = {name: 0 for name in WANTED}
    while any(counts[name] < WANTED[name] for name in WANTED):
        case = make(rng)
        if case is None or counts[case["expect"]] == WANTED[case["expect"]]:
            continue
        counts[case["expect"]] += 1
        print(json.dumps({"id": "%d-%d" % (SEED, sum(counts.values()) - 1), **case}, separators=(",", ":")))


main()
