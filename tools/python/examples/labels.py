#!/usr/bin/env python3
"""Which labelled boxes does a calibrated camera see?

    labels.py [--calib calib.txt] [--poses poses.txt] [--picture labels.png]

Cameras are of KITTI's form: a 3 x 4 matrix P2, and for each frame a pose, 3 x 4, from the first camera to the world: x
right, y down, z ahead. The street is made here: houses and trucks as meshes, cars and people as boxes. A box is

    seen      for certain: a line from the camera to a point of it, in the picture, misses all meshes and other boxes
    hidden    by proof: one mesh hides all of it
    unknown   neither was found; where it is in no picture, it is outside

--picture draws the last frame, and needs matplotlib.
"""

import argparse
import itertools
import pathlib
from typing import NamedTuple

import numpy as np

import lanecull

SIZE = 1242, 375  # of the picture, in pixels
NEAR, FAR = 0.5, 120.0
GROUND = 1.65  # the camera's height
LINE = 1e-3  # a line of sight's radius, in metres: more than floats round an end by
OUTSIDE, SEEN, HIDDEN, UNKNOWN = range(4)
NAMES = "outside", "seen", "hidden", "unknown"

CALIB = "P2: 721.5377 0 609.5593 44.85728 0 721.5377 172.854 0.2163791 0 0 1 0.002745884"
POSES = "\n".join(f"1 0 0 {x} 0 1 0 0 0 0 1 {z}" for x, z in ((0, 0), (0.4, 12), (-0.5, 24)))


class Street(NamedTuple):
    """Closed convex meshes; and boxes: centres and half-extents, (n, 3), and axes as rows, (n, 3, 3)."""

    meshes: list[lanecull.ConvexHull]
    center: np.ndarray
    half: np.ndarray
    axes: np.ndarray


def read_calib(text, name="P2"):
    """The 3 x 4 matrix of a line such as "P2: ..."."""
    lines = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return np.array(lines[name].split(), float).reshape(3, 4)


def read_poses(text):
    """A line a frame: world from the first camera."""
    rows = np.array([line.split() for line in text.splitlines() if line.strip()], float).reshape(-1, 3, 4)
    return np.concatenate([rows, np.tile([[[0.0, 0, 0, 1]]], (len(rows), 1, 1))], axis=1)


def make_camera(calib, pose):
    """The clip matrix and the place of the eye."""
    view = np.linalg.inv(pose)
    view[:3, 3] += np.linalg.solve(calib[:, :3], calib[:, 3])  # the camera beside the first one
    focal, center = (calib[0, 0], calib[1, 1]), (calib[0, 2], calib[1, 2])
    return lanecull.pinhole(*SIZE, focal, NEAR, FAR, center) @ view, -view[:3, :3].T @ view[:3, 3]


def upright(x, z, yaw, wide, high, long):
    """A box on the ground: centre, half-extents, axes."""
    cos, sin = np.cos(yaw), np.sin(yaw)
    return (x, GROUND - high / 2, z), (wide / 2, high / 2, long / 2), ((cos, 0, -sin), (0, 1, 0), (sin, 0, cos))


def make_mesh(x, z, yaw, wide, high, long, gable=0.0):
    """A house with a roof, or a truck without."""
    center, half, axes = map(np.array, upright(x, z, yaw, wide, high, long))
    corners = np.array(list(itertools.product((-1, 1), repeat=3))) * half
    ridge = np.array([(0, -half[1] - gable, -half[2]), (0, -half[1] - gable, half[2])])
    return lanecull.convex_hull(np.float32(np.concatenate([corners, ridge]) @ axes + center))


def make_street(random):
    """Houses on both sides with gaps, trucks at the kerb, and boxes everywhere between them."""
    meshes, boxes = [], []
    for side in (-1, 1):
        z = -5.0
        while z < 100:
            long, gap = random.uniform(8, 16), random.choice((0.5, 6))
            meshes.append(make_mesh(side * 14, z + long / 2, 0, 10, random.uniform(5, 8), long, gable=3))
            z += long + gap
        for z in random.uniform(15, 80, 3):
            meshes.append(make_mesh(side * 6, z, random.uniform(-0.1, 0.1), 2.5, 3.6, 8))
    for x, z, yaw in zip(random.uniform(-28, 28, 160), random.uniform(5, 100, 160), random.uniform(-3, 3, 160)):
        person = random.random() < 0.3
        boxes.append(upright(x, z, yaw, *((0.6, 1.75, 0.6) if person else (1.7, 1.5, 4.1))))
    free = [box for box in boxes if not any(meets(mesh, box) for mesh in meshes)]
    return Street(meshes, *(np.float32(column) for column in zip(*free)))


def meets(mesh, box):
    """Whether a box is in a house, which it must not be: by their footprints' bounds."""
    reach = np.hypot(box[1][0], box[1][2])
    low, high = mesh.corners.min(axis=1), mesh.corners.max(axis=1)
    return all(low[k] - reach < box[0][k] < high[k] + reach for k in (0, 2))


def planes_of(mesh):
    """The half-spaces n . p + offset >= 0 that a mesh is, a micrometre within it."""
    a, b, c = (mesh.corners.T.astype(float)[mesh.triangles[:, k]] for k in range(3))
    normals = np.cross(c - a, b - a)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    planes = np.column_stack([normals, -(normals * a).sum(axis=1) - 1e-6])
    return planes[np.unique(np.round(planes, 3), axis=0, return_index=True)[1]]  # one for each face


def shapes_of(street):
    boxes = lanecull.OrientedBoxes(lanecull.streams(street.center), street.half, axes=street.axes)
    places = np.tile(np.eye(3, 4, dtype=np.float32), (len(street.meshes), 1, 1))
    numbers = np.arange(len(places), dtype=np.uint32)
    return boxes, lanecull.HullInstances(lanecull.Transforms(places), [one.hull() for one in street.meshes], numbers)


def find_hidden(street, boxes, matrix, eye):
    """What is in the picture, and what of that one mesh hides."""
    views = lanecull.Views.of(matrix)
    framed = lanecull.cull(boxes, views, indices=False)
    occluders = lanecull.Occluders()
    occluders.set_viewpoint(matrix)
    away = [np.linalg.norm(mesh.corners.mean(axis=1) - eye) for mesh in street.meshes]
    for k in np.argsort(away)[:64]:
        drawn = street.meshes[k].corners.min(axis=1), street.meshes[k].corners.max(axis=1)
        occluders.add_polytope(planes_of(street.meshes[k]), lanecull.OccluderOptions(drawn=drawn))
    kept = lanecull.cull(boxes, views, indices=False, candidates=framed.visible, occluders=[occluders])
    return framed.mask(0), framed.mask(0) & ~kept.mask(0)


def project(matrix, points):
    """Pixels, (n, 2), and which points are in the picture."""
    clip = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    x, y, z, w = clip.T
    inside = (np.abs(x) < w) & (np.abs(y) < w) & (0 < z) & (z < w)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.column_stack([(x / w + 1) / 2 * SIZE[0], (1 - y / w) / 2 * SIZE[1]]), inside


def find_lines(street, shapes, matrix, eye, wanted):
    """For each of the boxes wanted: a point of it that the camera sees, or NaN."""
    grid = np.array(list(itertools.product((-0.95, 0, 0.95), repeat=3)))
    points = street.center[:, None] + (grid * street.half[:, None]) @ street.axes
    of, points = np.repeat(np.arange(len(points)), len(grid)), points.reshape(-1, 3)
    asked = wanted[of] & project(matrix, points)[1]
    of, points = of[asked], points[asked]
    found = np.full(street.center.shape, np.nan)
    if len(of) == 0:
        return found
    from_eye, to = lanecull.streams(np.tile(eye, (len(of), 1))), lanecull.streams(points)
    all_shapes = lanecull.Batches(lanecull.Capsules(from_eye, to, np.full(len(of), LINE, np.float32)), *shapes)
    clear = np.ones(len(of), bool)
    for batch, count in ((1, len(street.center)), (2, len(street.meshes))):
        line, other = (np.uint32(one.ravel()) for one in np.indices((len(of), count)))
        misses = lanecull.separate_pairs(lanecull.Pairs(all_shapes, line, other, 0, batch)).reshape(len(of), count)
        if batch == 1:
            misses[np.arange(len(of)), of] = True  # its own box
        clear &= misses.all(axis=1)
    found[of[clear]] = points[clear]
    return found


def judge(street, matrix, eye):
    """What becomes of each box, and the points that are seen."""
    shapes = shapes_of(street)
    framed, hidden = find_hidden(street, shapes[0], matrix, eye)
    points = find_lines(street, shapes, matrix, eye, framed & ~hidden)
    states = np.where(framed, np.where(hidden, HIDDEN, UNKNOWN), OUTSIDE)
    states[~np.isnan(points[:, 0])] = SEEN
    return states, points


def corners_of(center, half, axes):
    return center + (np.array(list(itertools.product((-1, 1), repeat=3))) * half) @ axes


def outline(points):
    """The convex hull of points of the plane, in order."""
    center = points.mean(axis=0)
    flat = lanecull.convex_hull(np.float32(np.column_stack([points, np.zeros(len(points))])))
    rim = flat.corners[:2].T
    return rim[np.argsort(np.arctan2(*(rim - center).T))]


def draw(path, street, matrix, eye, states, points):
    """The picture's boxes, and the street from above."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.patches import Polygon

    colors = {OUTSIDE: "0.8", SEEN: "#2a7f3f", HIDDEN: "#d95f02", UNKNOWN: "#7570b3"}
    figure, (above, picture) = plt.subplots(2, 1, figsize=(11, 9.4), gridspec_kw={"height_ratios": (1.75, 1)})
    boxes = [corners_of(*box) for box in zip(street.center, street.half, street.axes)]
    solids = sorted((mesh.corners.T for mesh in street.meshes), key=lambda one: -one[:, 2].mean())
    for solid in solids:
        above.add_patch(Polygon(outline(solid[:, [2, 0]]), facecolor="0.6"))
        pixels, _ = project(matrix, solid)
        if (solid[:, 2] > eye[2] + NEAR).all():
            picture.add_patch(Polygon(outline(pixels), facecolor="0.6", edgecolor="0.45"))
    for box, state, point in zip(boxes, states, points):
        above.add_patch(Polygon(outline(box[:, [2, 0]]), facecolor=colors[state]))
        if state == SEEN:
            above.plot([eye[2], point[2]], [eye[0], point[0]], color=colors[SEEN], linewidth=0.4)
        if state != OUTSIDE:
            style = {"edgecolor": colors[state], "linestyle": ":" if state == HIDDEN else "-"}
            picture.add_patch(Polygon(outline(project(matrix, box)[0]), fill=False, **style))
    for state, name in enumerate(NAMES):
        above.plot([], [], "s", color=colors[state], label=f"{name}: {(states == state).sum()}")
    above.plot(eye[2], eye[0], "ko")
    above.set(xlim=(-6, 105), ylim=(31, -31), aspect="equal", xlabel="metres", title="The street from above")
    above.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncol=4, frameon=False)
    picture.set(xlim=(0, SIZE[0]), ylim=(SIZE[1], 0), aspect="equal", xlabel="pixels", title="The camera's picture")
    figure.tight_layout()
    figure.savefig(path, dpi=100, metadata={"Software": None})
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calib", type=pathlib.Path, help="a file with a line P2, as KITTI's calib.txt")
    parser.add_argument("--poses", type=pathlib.Path, help="a file of poses, as KITTI's poses/00.txt")
    parser.add_argument("--picture", metavar="PNG", help="draw the last frame")
    options = parser.parse_args()
    calib = read_calib(options.calib.read_text() if options.calib else CALIB)
    street = make_street(np.random.default_rng(5))
    for frame, pose in enumerate(read_poses(options.poses.read_text() if options.poses else POSES)):
        matrix, eye = make_camera(calib, pose)
        states, points = judge(street, matrix, eye)
        print(f"frame {frame}:", ", ".join(f"{(states == k).sum()} {name}" for k, name in enumerate(NAMES)))
    if options.picture:
        draw(options.picture, street, matrix, eye, states, points)


if __name__ == "__main__":
    main()
