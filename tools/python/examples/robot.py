#!/usr/bin/env python3
"""A robot's motion: how far are its links from each other and from their surroundings, where do they touch, and between
which samples is it proved that nothing touches?

    robot.py [--urdf robot.urdf] [--picture robot.png]

Collision shapes are read from a URDF: spheres, cylinders, which get round ends, and boxes. A round shape is a point or a
segment, its core, with a radius. So the signed distance of two shapes is the distance of their cores less their radii,
as long as the cores are apart. All pairs at all times are measured by one call for each two kinds of shapes.
--picture needs matplotlib.
"""

import argparse
import pathlib
import time
import xml.etree.ElementTree
from typing import NamedTuple

import numpy as np

import lanecull

URDF = pathlib.Path(__file__).with_name("robot.urdf")
SECONDS, SAMPLES = 8.0, 801
# Seconds, then pan, lift, elbow, bend, roll and half the gripper's opening.
WAYPOINTS = np.array([
    (0.0, 0.1, 0.41, 2.37, -1.21, 0.0, 0.04),
    (1.2, -0.6, 0.41, 2.37, -1.21, 1.57, 0.04),
    (2.2, -0.6, 0.60, 1.95, -0.98, 1.57, 0.04),  # under the shelf
    (3.0, -0.6, 0.60, 1.95, -0.98, 1.57, 0.02),  # the gripper closes
    (3.7, -0.6, 0.41, 2.37, -1.21, 1.57, 0.02),
    (4.4, 0.1, 0.41, 2.37, -1.21, 1.57, 0.02),
    (5.3, 0.1, 0.04, 1.63, 1.47, 1.57, 0.02),
    (6.8, 1.3, 0.04, 1.63, 1.47, 1.57, 0.02),  # on the way the hand runs into the post
    (8.0, 1.3, 0.60, 1.95, -0.98, 0.0, 0.04),
])
JOINTS = ("pan", "lift", "elbow", "bend", "roll", "left_slide", "right_slide")
SLACK = 1e-5  # what rounding places to float32 may move two shapes


class Joint(NamedTuple):
    child: str
    parent: str
    kind: str
    origin: np.ndarray  # (4, 4)
    axis: np.ndarray


class Shape(NamedTuple):
    """A collision shape of a link: a segment along z, of this half-length and radius; or a box, of these half-extents
    and radius 0."""

    link: str
    origin: np.ndarray  # (4, 4)
    half: np.ndarray  # (3,)
    radius: float
    is_box: bool


class Robot(NamedTuple):
    joints: dict  # by name, parents before children
    shapes: list  # those with a radius first


def numbers(element, name, default):
    return np.array((default if element is None else element.get(name, default)).split(), float)


def rotation(axis, angles):
    """Rotations about an axis by angles, (n, 3, 3)."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([(0, -z, y), (z, 0, -x), (-y, x, 0)])
    s, c = np.sin(angles)[:, None, None], np.cos(angles)[:, None, None]
    return np.eye(3) + s * cross + (1 - c) * cross @ cross


def origin_of(element):
    """The matrix of <origin xyz rpy>."""
    at, found = np.eye(4), element.find("origin")
    roll, pitch, yaw = (rotation(axis, np.array([angle]))[0]
                        for axis, angle in zip(np.eye(3), numbers(found, "rpy", "0 0 0")))
    at[:3, :3], at[:3, 3] = yaw @ pitch @ roll, numbers(found, "xyz", "0 0 0")
    return at


def read_shape(link, collision):
    (form,) = collision.find("geometry")
    origin, half, radius = origin_of(collision), np.zeros(3), float(form.get("radius", 0))
    if form.tag == "box":
        half = numbers(form, "size", "") / 2
    elif form.tag == "cylinder":
        half[2] = float(form.get("length")) / 2
    elif form.tag != "sphere":
        raise ValueError(f"{link}: {form.tag} is no sphere, cylinder or box")
    return Shape(link, origin, half, radius, form.tag == "box")


def read_urdf(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    shapes = [read_shape(link.get("name"), one) for link in root.iter("link") for one in link.findall("collision")]
    waiting = [(one.get("name"), Joint(one.find("child").get("link"), one.find("parent").get("link"), one.get("type"),
                                       origin_of(one), numbers(one.find("axis"), "xyz", "1 0 0")))
               for one in root.findall("joint")]
    joints, children = {}, {joint.child for _, joint in waiting}
    while waiting:  # parents first
        ready = [(name, joint) for name, joint in waiting if joint.parent not in children]
        joints |= dict(ready)
        children -= {joint.child for _, joint in ready}
        waiting = [one for one in waiting if one[0] not in joints]
    return Robot(joints, sorted(shapes, key=lambda shape: shape.is_box))


def place_links(robot, positions):
    """Matrices of all links, (n, 4, 4) each. positions: (n,) of each joint that moves, by name."""
    count = len(next(iter(positions.values())))
    fixed = np.tile(np.eye(4), (count, 1, 1))
    at = {}
    for name, joint in robot.joints.items():
        moved = fixed.copy()
        if joint.kind == "prismatic":
            moved[:, :3, 3] = np.outer(positions[name], joint.axis / np.linalg.norm(joint.axis))
        elif joint.kind != "fixed":
            moved[:, :3, :3] = rotation(joint.axis, positions[name])
        at[joint.child] = at.setdefault(joint.parent, fixed) @ joint.origin @ moved
    return at


def bodies(robot):
    """What moves as one, by link; and for each body the one that it is joined to."""
    body, joined = {}, {}
    for joint in robot.joints.values():
        parent = body.setdefault(joint.parent, joint.parent)
        body[joint.child] = parent if joint.kind == "fixed" else joint.child
        if joint.kind != "fixed":
            joined[joint.child] = parent
    return body, joined


def pairs_of(robot):
    """Indices of two shapes, (n, 2), but not of one body and not of two that a joint joins."""
    body, joined = bodies(robot)
    of = [body[shape.link] for shape in robot.shapes]
    return np.array([(i, j) for i in range(len(of)) for j in range(i + 1, len(of))
                     if of[i] != of[j] and joined.get(of[i]) != of[j] and joined.get(of[j]) != of[i]])


def place_shapes(robot, at):
    """Matrices of all shapes, (shape, n, 4, 4)."""
    return np.array([at[shape.link] @ shape.origin for shape in robot.shapes])


def make_batches(robot, placed):
    """The cores of all shapes at all times, shape by shape: a batch of capsules and one of boxes."""
    count = sum(not shape.is_box for shape in robot.shapes)
    half = np.array([shape.half for shape in robot.shapes])
    center, along = placed[..., :3, 3], placed[:count, ..., :3, 2] * half[:count, None, 2:]
    a, b = (lanecull.streams((center[:count] + sign * along).reshape(-1, 3)) for sign in (-1, 1))
    capsules = lanecull.Capsules(a, b, np.zeros(len(a[0]), np.float32))
    samples = placed.shape[1]
    boxes = lanecull.OrientedBoxes(
        lanecull.streams(center[count:].reshape(-1, 3)), np.repeat(half[count:], samples, axis=0).astype(np.float32),
        axes=np.ascontiguousarray(placed[count:, ..., :3, :3].reshape(-1, 3, 3).swapaxes(1, 2), np.float32))
    return lanecull.Batches(capsules, boxes), count


class Measured(NamedTuple):
    """For each pair and sample: the signed distance lies between lower and upper, (pair, n); where cores meet both are
    less their radii, and the true depth is more. A point of each shape, b - a = distance * direction, (pair, n, 3)."""

    lower: np.ndarray
    upper: np.ndarray
    a: np.ndarray
    b: np.ndarray


def measure(robot, pairs, placed):
    batches, round_count = make_batches(robot, placed)
    samples = placed.shape[1]
    radii = np.array([shape.radius for shape in robot.shapes])[pairs]
    bounds, points = np.empty((2, len(pairs), samples)), np.empty((2, len(pairs), samples, 3))
    is_box = pairs >= round_count
    for kinds in ((False, False), (False, True), (True, True)):
        chosen = (is_box == kinds).all(axis=1).nonzero()[0]
        if len(chosen) == 0:
            continue
        first = np.where(kinds, round_count, 0)
        # Shape s of a batch at time t is its object s * samples + t.
        index = (pairs[chosen] - first).T[..., None] * samples + np.arange(samples)
        a, b = (np.ascontiguousarray(one, np.uint32).ravel() for one in index)
        found = lanecull.measure_pairs(lanecull.Pairs(batches, a, b, *map(int, kinds)), points=True)
        for k, one in enumerate((found.lower, found.upper)):
            bounds[k, chosen] = one.reshape(len(chosen), samples)
        for k, one in enumerate((found.a, found.b)):
            points[k, chosen] = one.T.reshape(len(chosen), samples, 3)
    way = points[1] - points[0]
    length = np.linalg.norm(way, axis=2, keepdims=True)
    direction = np.divide(way, length, out=np.zeros_like(way), where=length > 0)
    points[0] += radii[:, 0, None, None] * direction
    points[1] -= radii[:, 1, None, None] * direction
    return Measured(*(bounds - radii.sum(axis=1)[:, None]), *points)


def reaches(robot):
    """For each shape and joint above it: no point of the shape is farther from the joint's origin."""
    by_child = {joint.child: (name, joint) for name, joint in robot.joints.items()}
    found = []
    for shape in robot.shapes:
        reach, link, above = np.linalg.norm(shape.origin[:3, 3]) + np.linalg.norm(shape.half) + shape.radius, shape.link, {}
        while link in by_child:
            name, joint = by_child[link]
            above[name] = reach
            reach += np.linalg.norm(joint.origin[:3, 3])
            link = joint.parent
        found.append(above)
    return found


def motion_bounds(robot, pairs, positions):
    """How far the two of each pair move at most relative to each other between two samples, (pair, n - 1). A joint above
    both moves neither."""
    moved = {name: np.abs(np.diff(at)) for name, at in positions.items()}
    slides = {name for name in moved if robot.joints[name].kind == "prismatic"}
    farther = sum(np.abs(positions[name]).max() for name in slides)  # what they add to a reach
    above = reaches(robot)
    found = np.zeros((len(pairs), len(next(iter(moved.values())))))
    for k, (i, j) in enumerate(pairs):
        for name in (above[i].keys() ^ above[j].keys()) & moved.keys():
            reach = above[i].get(name, above[j].get(name))
            found[k] += moved[name] * (1 if name in slides else reach + farther)
    return found


def between_samples(lower, moves):
    """What no signed distance between two samples is below, (pair, n - 1), if joints move evenly there: two shapes that
    move by s are, at each part p of the way, apart by at least d0 - p s and by at least d1 - (1 - p) s."""
    return (lower[:, :-1] + lower[:, 1:] - moves) / 2 - SLACK


def make_motion():
    """Samples of each joint along the waypoints, which are left and reached at rest."""
    times = np.linspace(0, SECONDS, SAMPLES)
    which = np.clip(np.searchsorted(WAYPOINTS[:, 0], times, "right") - 1, 0, len(WAYPOINTS) - 2)
    start, end = WAYPOINTS[which], WAYPOINTS[which + 1]
    part = ((times - start[:, 0]) / (end[:, 0] - start[:, 0]))[:, None]
    at = start[:, 1:] + (end - start)[:, 1:] * (3 - 2 * part) * part**2
    return times, dict(zip(JOINTS, [*at.T, at[:, -1]]))


def capsule_mesh(shape, matrix):
    """Points of a round shape's surface, (3, m, n)."""
    polar, turn = np.linspace(0, np.pi, 18), np.linspace(0, 2 * np.pi, 18)
    ring, along = shape.radius * np.sin(polar), shape.radius * np.cos(polar) + np.sign(np.cos(polar)) * shape.half[2]
    local = np.array([np.outer(ring, np.cos(turn)), np.outer(ring, np.sin(turn)), np.outer(along, np.ones(18))])
    return np.einsum("ij,jmn->imn", matrix[:3, :3], local) + matrix[:3, 3, None, None]


def box_faces(shape, matrix):
    corner = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * shape.half
    corner = corner @ matrix[:3, :3].T + matrix[:3, 3]
    return corner[[(0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)]]


def draw_arm(axis, robot, placed, poses, at, depth):
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection
    for k, (sample, color) in enumerate(poses):
        for shape, matrix in zip(robot.shapes, placed[:, sample]):
            if not shape.is_box:
                axis.plot_surface(*capsule_mesh(shape, matrix), color=color, linewidth=0)
            elif k == 0:
                axis.add_collection3d(Poly3DCollection(box_faces(shape, matrix), facecolor="0.8", edgecolor="0.5",
                                                       linewidth=0.6, alpha=0.3))
    axis.plot(*at, "o", color="crimson", markersize=7, zorder=10)
    axis.text(*at + (0, 0.07, 0.04), f"{1e3 * depth:.0f} mm deep", color="crimson", fontsize=10, zorder=10)
    axis.set(xlim=(-0.4, 0.8), ylim=(-0.6, 0.6), zlim=(-0.1, 0.9))
    axis.set_box_aspect((1.2, 1.2, 1), zoom=1.15)
    axis.computed_zorder = False
    axis.view_init(30, -8)
    axis.set_axis_off()


def draw_distances(axis, times, robot, pairs, lower, between):
    """For each moving body its least signed distance from what stands still, and the least one among the others."""
    body, joined = bodies(robot)
    of = np.array([body[shape.link] for shape in robot.shapes])[pairs]
    stands = ~np.isin(of, list(joined))
    for link in joined:
        mine = (of == link).any(axis=1) & stands.any(axis=1)
        if mine.any():
            axis.plot(times, 1e3 * lower[mine].min(axis=0), linewidth=1.3, label=link.replace("_", " "))
    among = ~stands.any(axis=1)
    axis.plot(times, 1e3 * lower[among].min(axis=0), "--", color="0.4", linewidth=1, label="any two links")
    axis.fill_between(times[:-1], -40, 300, where=(between < 0).any(axis=0), step="post", color="crimson", alpha=0.15,
                      linewidth=0, label="not proved clear")
    axis.axhline(0, color="black", linewidth=0.8)
    axis.set(xlim=(times[0], times[-1]), ylim=(-40, 300), xlabel="seconds", ylabel="signed distance, mm")
    axis.legend(fontsize=9, frameon=False, ncol=3, loc="lower center", bbox_to_anchor=(0.5, 1))


def draw(path, robot, pairs, times, placed, found, between):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure = plt.figure(figsize=(13, 5.4))
    pair, sample = np.unravel_index(found.lower.argmin(), found.lower.shape)
    poses = [(0, "#b8c4d0"), (int(np.searchsorted(times, 3)), "#7fa3c7"), (int(sample), "#ef8636")]
    draw_arm(figure.add_axes((-0.02, -0.1, 0.52, 1.15), projection="3d"), robot, placed, poses,
             found.a[pair, sample], -found.upper[pair, sample])
    draw_distances(figure.add_axes((0.55, 0.11, 0.43, 0.72)), times, robot, pairs, found.lower, between)
    figure.savefig(path, dpi=100, metadata={"Software": None})
    plt.close(figure)


def stretches(times, flags):
    """Where flags of the times between samples are set: (from, to) each."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(int), [0]])))
    return [(times[first], times[last]) for first, last in edges.reshape(-1, 2)]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--urdf", default=URDF, help="a robot with the joints of robot.urdf")
    parser.add_argument("--picture", metavar="PNG", help="draw the arm, and its distances over time")
    options = parser.parse_args(arguments)
    robot = read_urdf(options.urdf)
    pairs = pairs_of(robot)
    times, positions = make_motion()
    placed = place_shapes(robot, place_links(robot, positions))
    began = time.perf_counter()
    found = measure(robot, pairs, placed)
    milliseconds = 1e3 * (time.perf_counter() - began)
    between = between_samples(found.lower, motion_bounds(robot, pairs, positions))
    print(f"{len(robot.shapes)} shapes, {len(pairs)} pairs at {len(times)} times: {milliseconds:.0f} ms")
    for k in found.lower.min(axis=1).argsort():
        if found.lower[k].min() < 0:
            names = [robot.shapes[i].link for i in pairs[k]]
            sample = found.lower[k].argmin()
            print(f"{names[0]} and {names[1]}: {-1e3 * found.lower[k, sample]:.1f} mm deep at {times[sample]:.2f} s")
    for first, last in stretches(times, (between < 0).any(axis=0)):
        print(f"not proved clear from {first:.2f} to {last:.2f} s")
    if options.picture:
        draw(options.picture, robot, pairs, times, placed, found, between)


if __name__ == "__main__":
    main()
