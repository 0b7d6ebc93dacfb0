#!/usr/bin/env python3
"""A photogrammetry survey of a city: which camera sees which building, and how many cameras see each?

    survey.py [--picture survey.png] [--pairs pairs.npz]

An aircraft flies lines over a city that is made here. At each station five calibrated cameras take a picture: one looks
straight down, four look 45 degrees forward, right, back and left. A building counts as seen if some part of it is in
the picture and no single other building hides all of it. A model needs several views of each facade, so buildings that
few cameras see are marked. --picture needs matplotlib.
"""

import argparse
import time
from typing import NamedTuple

import numpy as np

import lanecull

SIZE = 2000.0  # the city's side, in metres
ALTITUDE = 300.0
STATION, LINE = 120.0, 200.0  # between pictures of a line, and between lines
PIXELS = 6000, 4000
FOCAL = 5600.0  # in pixels
ENOUGH = 25  # cameras that should see a building
HIDERS = 24  # buildings that are asked whether they hide others, for each camera


class City(NamedTuple):
    """Buildings as boxes along the axes: corners of shape (3, n)."""

    lower: np.ndarray
    upper: np.ndarray


def make_city(random):
    """Blocks of 110 m between streets, each with its buildings: towers in the middle, houses at the rim, a park and a
    river without any."""
    lower, upper = [], []
    for x in np.arange(-SIZE / 2, SIZE / 2 - 90, 125):
        for y in np.arange(-SIZE / 2, SIZE / 2 - 90, 125):
            middle = np.array([x + 55, y + 55])
            in_park = 250 < middle[0] < 620 and -480 < middle[1] < -130
            in_river = abs(middle[1] - 520 - 0.25 * middle[0]) < 70
            if in_park or in_river:
                continue
            height = 14 + 150 * np.exp(-np.hypot(*(middle - [-100, 60])) ** 2 / 330**2)
            lots = random.integers(2, 5)
            width = 110 / lots
            for i in range(lots):
                for j in range(lots):
                    if random.random() < 0.12:  # a yard
                        continue
                    setback = random.uniform(1, 5, 4)
                    near = np.array([x + i * width, y + j * width])
                    lower.append([*(near + setback[:2]), 0])
                    upper.append([*(near + width - setback[2:]), min(height * random.lognormal(0, 0.45), 190)])
    return City(lanecull.streams(lower, -np.inf), lanecull.streams(upper, np.inf))


def make_cameras():
    """Clip matrices of all cameras, (n, 4, 4); their places, (n, 3); their axes, (n, 3, 3): right, down, forward."""
    axes = []
    for turn in (None, 0, 90, 180, 270):
        if turn is None:
            axes.append([(1, 0, 0), (0, -1, 0), (0, 0, -1)])
            continue
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        axes.append([(-s, c, 0), np.array((-c, -s, -1)) / np.sqrt(2), np.array((c, s, -1)) / np.sqrt(2)])
    stations = [(x, y, ALTITUDE) for y in np.arange(-SIZE / 2, SIZE / 2 + 1, LINE)
                for x in np.arange(-SIZE / 2, SIZE / 2 + 1, STATION)]
    places = np.repeat(stations, len(axes), axis=0)
    axes = np.tile(axes, (len(stations), 1, 1))
    lens = lanecull.pinhole(*PIXELS, FOCAL, near=10, far=1500)
    return np.array([lens @ lanecull.camera_at(at, turned) for at, turned in zip(places, axes)]), places, axes


def make_occluders(city, matrix, place, visible):
    """Of the buildings that a camera sees those that hide most: large for their distance, and upright."""
    candidates = visible.nonzero()[0]
    size = city.upper[:, candidates] - city.lower[:, candidates]
    middle = (city.upper[:, candidates] + city.lower[:, candidates]) / 2
    hides = size[2] ** 2 * np.maximum(size[0], size[1]) / ((middle.T - place) ** 2).sum(axis=1)
    occluders = lanecull.Occluders()
    occluders.set_viewpoint(matrix)
    best = candidates[np.argsort(-hides)[:HIDERS]]
    occluders.add_boxes(city.lower[:, best], city.upper[:, best])
    return occluders


def survey(city, matrices, places):
    """Two arrays of bools, [camera, building]: what is in the picture, and what of that is not hidden."""
    buildings = lanecull.Batches(lanecull.Boxes(city.lower, city.upper))
    views = lanecull.Views.of(matrices)
    began = time.perf_counter()
    framed = lanecull.cull(buildings, views, indices=False)
    in_picture = np.array([framed.mask(v) for v in range(len(views))])
    middle = time.perf_counter()
    occluders = [make_occluders(city, *camera) for camera in zip(matrices, places, in_picture)]
    seen = lanecull.cull(buildings, views, indices=False, candidates=framed.visible, occluders=occluders)
    seen = np.array([seen.mask(v) for v in range(len(views))])
    print(f"{len(views)} cameras, {buildings.object_count} buildings: in the picture {1e3 * (middle - began):.1f} ms, "
          f"behind others {1e3 * (time.perf_counter() - middle):.1f} ms")
    return in_picture, seen


def footprint(place, axes):
    """Where the corners of a camera's picture meet the ground, (4, 2)."""
    half = np.array(PIXELS) / 2 / FOCAL
    rays = np.array([(x * half[0], y * half[1], 1) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]) @ axes
    return place[:2] - rays[:, :2] * place[2] / rays[:, 2:]


def rectangles(city, which, **style):
    """Footprints of buildings, as a collection that matplotlib draws."""
    from matplotlib.collections import PolyCollection
    low, high = city.lower[:2, which], city.upper[:2, which]
    corners = np.stack([low, (high[0], low[1]), high, (low[0], high[1])])
    return PolyCollection(corners.transpose(2, 0, 1), **style)


def draw_map(axis, city, counts, places, in_map):
    """How many cameras see each building."""
    import matplotlib.pyplot as plt
    few = counts < ENOUGH
    shown = rectangles(city, ~few, array=counts[~few], cmap="viridis", linewidths=0)
    axis.add_collection(shown)
    axis.add_collection(rectangles(city, few, facecolors="crimson", linewidths=0))
    axis.plot(places[::5, 0], places[::5, 1], ".", color="black", markersize=1.8, label="stations, five cameras each")
    axis.plot([], [], "s", color="crimson", label=f"seen by fewer than {ENOUGH}: {few.sum()} of {len(few)}")
    axis.set_title("How many cameras see each building", fontsize=11)
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.085), ncol=2, fontsize=9, frameon=False)
    bar = plt.colorbar(shown, ax=axis, fraction=0.045, pad=0.02)
    bar.set_label("cameras", fontsize=9)
    bar.ax.tick_params(labelsize=8)
    in_map(axis, SIZE / 2 + 60)


def draw_picture(axis, city, in_picture, seen, place, axes, in_map):
    """What one camera sees."""
    hidden = in_picture & ~seen
    axis.add_collection(rectangles(city, ~in_picture, facecolors="0.86", linewidths=0))
    axis.add_collection(rectangles(city, seen, facecolors="#3b75af", linewidths=0))
    axis.add_collection(rectangles(city, hidden, facecolors="#ef8636", linewidths=0))
    corners = footprint(place, axes)
    axis.fill(*corners.T, fill=False, edgecolor="black", linewidth=1.2)
    for corner in corners:
        axis.plot([place[0], corner[0]], [place[1], corner[1]], color="black", linewidth=0.6, linestyle=":")
    axis.plot(*place[:2], "o", color="black", markersize=8)
    axis.annotate(f"camera, {place[2]:.0f} m up", place[:2], (0, -18), textcoords="offset points", fontsize=9,
                  ha="center", bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5})
    for color, what, which in (("#3b75af", "seen", seen), ("#ef8636", "hidden by one other", hidden),
                               ("0.86", "outside", ~in_picture)):
        axis.plot([], [], "s", color=color, label=f"{what}: {which.sum()}")
    axis.set_title("What one oblique camera sees, and where its picture meets the ground", fontsize=11)
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.085), ncol=3, fontsize=9, frameon=False)
    in_map(axis, 560, place[:2] + 330 * axes[2][:2] / np.linalg.norm(axes[2][:2]))


def draw(path, city, in_picture, seen, places, axes):
    """The picture: the whole survey, and one camera."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    def in_map(axis, half, center=(0, 0)):
        axis.set_xlim(center[0] - half, center[0] + half)
        axis.set_ylim(center[1] - half, center[1] + half)
        axis.set_aspect("equal")
        axis.tick_params(labelsize=8)
        axis.set_xlabel("metres", fontsize=9)

    figure, (left, right) = plt.subplots(1, 2, figsize=(14, 6.6), gridspec_kw={"width_ratios": (1.12, 1)})
    draw_map(left, city, seen.sum(axis=0), places, in_map)
    most_hidden = (in_picture & ~seen).sum(axis=1).argmax()
    one = in_picture[most_hidden], seen[most_hidden], places[most_hidden], axes[most_hidden]
    draw_picture(right, city, *one, in_map)
    figure.tight_layout()
    figure.savefig(path, dpi=100, metadata={"Software": None})
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", metavar="PNG", help="draw the survey")
    parser.add_argument("--pairs", metavar="NPZ", help="write which camera sees which building")
    options = parser.parse_args()
    city = make_city(np.random.default_rng(7))
    matrices, places, axes = make_cameras()
    in_picture, seen = survey(city, matrices, places)
    counts = seen.sum(axis=0)
    print(f"{in_picture.sum()} pairs of camera and building, {in_picture.sum() - seen.sum()} of them hidden")
    print(f"a building is seen by {counts.min()} to {counts.max()} cameras, half of them by {int(np.median(counts))} "
          f"or more; {(counts < ENOUGH).sum()} by fewer than {ENOUGH}")
    if options.pairs:
        camera, building = seen.nonzero()
        np.savez_compressed(options.pairs, camera=camera, building=building)
    if options.picture:
        draw(options.picture, city, in_picture, seen, places, axes)


if __name__ == "__main__":
    main()
