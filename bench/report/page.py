"""The HTML page of a record: its tables and plots, one file that needs no other."""

import html
import io
import re

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import goals
import tables
from tables import Record, title

SHAPES = ("sphere", "box", "obb", "capsule", "hull8", "hull32")
PLACEMENTS = {"uniform": "uniform", "straddle": "straddling"}
STYLE = """body{font:15px/1.5 sans-serif;max-width:72em;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:1em 0}td,th{border-bottom:1px solid #ddd;padding:.2em .7em;text-align:right}
td:first-child,th:first-child{text-align:left}svg{max-width:100%;height:auto}.missed{color:#b00;font-weight:bold}"""


def drawn(figure):
    """A figure as an SVG element; without identifiers of its own making, which would differ from run to run."""
    out = io.StringIO()
    figure.tight_layout()
    figure.savefig(out, format="svg", metadata={"Date": None})
    plt.close(figure)
    return out.getvalue()[out.getvalue().index("<svg"):]


def legend_below(axes):
    axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=5)


def grouped_bars(axes, groups, series, values, label, log=False):
    """values[s][g]: of series s in group g, None where there is none."""
    width = 0.8 / max(1, len(series))
    for s, name in enumerate(series):
        known = [(g, v) for g, v in enumerate(values[s]) if v is not None]
        axes.bar([g + (s + 0.5) * width - 0.4 for g, _ in known], [v for _, v in known], width, label=name)
    axes.set_xticks(range(len(groups)), groups)
    axes.set_ylabel(label)
    if log and any(v is not None for value in values for v in value):
        axes.set_yscale("log")
    axes.grid(axis="y", alpha=0.3)
    axes.set_axisbelow(True)
    legend_below(axes)


def by_kind(r):
    methods = [("automatic", "cull/{s}/{p}/automatic/{i}/threads:1"), ("planes", "cull/{s}/{p}/planes/{i}/threads:1"),
               ("GJK for all", "cull/{s}/{p}/gjk/{i}/threads:1"), ("plane yardstick", "planes/{s}/{p}/{i}"),
               ("exact yardstick", "exact/{s}/{p}/{i}")]
    shapes = [s for s in SHAPES if any(r.having(rf"cull/{s}/.*"))]
    sets = tables.measured_sets(r, r"cull/\w+/\w+/automatic/{i}/threads:1")[:2]
    figure, axes = plt.subplots(len(sets), 2, figsize=(13, 4.5 * len(sets)), squeeze=False)
    for row, (isa, isa_name) in enumerate(sets):
        for column, placement in enumerate(("uniform", "straddle")):
            values = [[r.ns(pattern.format(s=s, p=placement, i=isa)) for s in shapes] for _, pattern in methods]
            grouped_bars(axes[row][column], [title(s) for s in shapes], [m for m, _ in methods], values, "ns an object", True)
            axes[row][column].set_title(f"{PLACEMENTS[placement]}, {isa_name}")
    return drawn(figure)


def by_count(r):
    isa = goals.widest(r.benchmarks)
    counts = (("/1k", 1536), ("/10k", 9984), ("", 1e5), ("/1M", 1e6), ("/10M", 1e7), ("/100M", 1e8))
    figure, axes = plt.subplots(1, 2, figsize=(13, 4.5))
    for plot, shape in zip(axes, ("sphere", "box")):
        sources = [("plane yardstick", f"planes/{shape}/uniform/{isa}"), ("exact yardstick", f"exact/{shape}/uniform/{isa}")]
        found = {int(m[1]) for m in r.having(rf"cull/{shape}/uniform/automatic/{isa}/threads:(\d+)")}
        sources += [(f"automatic, threads: {n}", goals.cull(shape, "uniform", isa, n)) for n in sorted(found)]
        for name, prefix in sources:
            known = [(count, r.ns(prefix + suffix)) for suffix, count in counts if r.ns(prefix + suffix)]
            plot.plot([c for c, _ in known], [v for _, v in known], marker="o", label=name)
        per_object = r.benchmarks.get(goals.cull(shape, "uniform", isa, 1), {}).get("bytes", 0)
        for n in sorted(found):
            for pages, line in (("", "--"), ("/2MB", ":")):
                speed = r.gigabytes(f"read/threads:{n}{pages}")
                if speed and per_object:
                    plot.axhline(per_object / speed, linestyle=line, color="grey", linewidth=1)
                    plot.text(1536, per_object / speed, f"reads, threads: {n}{', 2 MB pages' if pages else ''}", fontsize=7, va="bottom")
        plot.set(xscale="log", yscale="log", xlabel="objects", ylabel="ns an object", title=f"{title(shape)}, uniform, {goals.SET_NAMES[isa]}")
        plot.grid(alpha=0.3)
        legend_below(plot)
    return drawn(figure)


def by_threads(r):
    isa = goals.widest(r.benchmarks)
    figure, plot = plt.subplots(figsize=(9, 5))
    most = 1
    for shape in SHAPES:
        for placement, line in (("uniform", "-"), ("straddle", "--")):
            found = sorted(int(m[1]) for m in r.having(rf"cull/{shape}/{placement}/automatic/{isa}/threads:(\d+)"))
            if len(found) < 2 or found[0] != 1:
                continue
            one, most = r.ns(goals.cull(shape, placement, isa, 1)), max(most, found[-1])
            plot.plot(found, [one / r.ns(goals.cull(shape, placement, isa, n)) for n in found], line, marker="o",
                      label=f"{title(shape)}, {PLACEMENTS[placement]}")
    plot.plot([1, most], [1, most], color="grey", linewidth=1)
    plot.set(xlabel="threads", ylabel="times as fast as one", title=f"100,000 objects, {goals.SET_NAMES[isa]}")
    plot.grid(alpha=0.3)
    legend_below(plot)
    return drawn(figure)


def by_library(r):
    libraries = sorted({match[1] for match in r.having(r"query/\w+/(\w+)/10k")})
    shapes = [s for s in SHAPES if any(f"query/{s}/{l}/10k" in r.benchmarks for l in libraries)]
    series = [(f"lane GJK, {name}", f"gjk/{{s}}/{isa}/10k") for isa, name in tables.measured_sets(r, r"gjk/\w+/{i}/10k")[:2]]
    series += [("textbook", "gjk/{s}/textbook")]
    series += [(library, f"query/{{s}}/{library}/10k") for library in libraries]
    figure, plot = plt.subplots(figsize=(10, 4.5))
    grouped_bars(plot, [title(s) for s in shapes], [n for n, _ in series],
                 [[r.ns(pattern.format(s=s)) for s in shapes] for _, pattern in series], "ns a query", True)
    return drawn(figure)


def by_steps(r):
    sets = tables.step_sets(r)
    shapes = [s for s in SHAPES if any(f"steps/{s}/automatic/{isa}" in r.steps for isa in sets)]
    figure, axes = plt.subplots(1, 2, figsize=(13, 4))
    for plot, key, label in ((axes[0], "supports", "supports a query"), (axes[1], "utilisation", "share of lanes at work")):
        names = [(f"{method}, {isa}", method, isa) for method in ("automatic", "gjk") for isa in sets]
        values = [[r.steps.get(f"steps/{s}/{m}/{i}", {}).get(key) for s in shapes] for _, m, i in names]
        grouped_bars(plot, [title(s) for s in shapes], [n for n, _, _ in names], values, label)
    return drawn(figure)


def by_scene(r):
    series = [("flat", "flat"), ("scene", "ordered scene"), ("embree", "Embree"), ("btdbvt", "Bullet")]
    groups = [(shape, size) for shape in SHAPES for size in ("1M", "10M") if f"still/{shape}/flat/{size}" in r.benchmarks]
    figure, plot = plt.subplots(figsize=(10, 4))
    grouped_bars(plot, [f"{title(shape)}, {size}" for shape, size in groups], [words for _, words in series],
                 [[r.ns(f"still/{shape}/{key}/{size}") for shape, size in groups] for key, _ in series], "ns an object, 5 % in view", True)
    return drawn(figure)


def by_frame(r):
    isa = goals.widest(r.benchmarks)
    sizes = ("10k", "100k", "1M")
    figure, axes = plt.subplots(1, 2, figsize=(13, 4))
    for plot, row, words in ((axes[0], "frame", "53 % in view"), (axes[1], "frame_sparse", "5 % in view")):
        ways = ("flat", "ordered", "yardstick")
        grouped_bars(plot, sizes, ways, [[r.ns(f"{row}/{way}/{size}/{isa}") for size in sizes] for way in ways], "ns an object", True)
        plot.set_title(f"eleven views, {words}, {goals.SET_NAMES[isa]}")
    return drawn(figure)


def by_pairs_in_lanes(r):
    kinds = [match[1] for match in r.having(r"pair/(\w+)/boolean/lanes")]
    series = ("lanes", "lanecull", "libccd", "bullet", "fcl")
    figure, plot = plt.subplots(figsize=(12, 4))
    grouped_bars(plot, [tables.pair_title(kind) for kind in kinds], series,
                 [[r.ns(f"pair/{kind}/boolean/{library}") for kind in kinds] for library in series], "ns a pair, apart or not", True)
    return drawn(figure)


def false_positives(r):
    isa = goals.widest(r.benchmarks)
    shapes = ("sphere", "box", "obb")
    methods = [("automatic", "cull/{s}/straddle/automatic/{i}/threads:1"), ("planes", "cull/{s}/straddle/planes/{i}/threads:1"),
               ("plane yardstick", "planes/{s}/straddle/{i}"), ("exact yardstick", "exact/{s}/straddle/{i}"),
               ("naive loop", "frustum/{s}/straddle/naive"), ("OGRE", "frustum/{s}/straddle/ogre")]
    figure, plot = plt.subplots(figsize=(10, 4))
    grouped_bars(plot, [title(s) for s in shapes], [m for m, _ in methods],
                 [[r.wasted(p.format(s=s, i=isa), methods[0][1].format(s=s, i=isa)) for s in shapes] for _, p in methods],
                 "false positives per 1,000 straddling")
    return drawn(figure)


PLOTS = (("Times by kind", r"cull/", by_kind), ("False positives", r"cull/\w+/straddle/", false_positives),
         ("Times by number of objects", r"cull/(sphere|box)/uniform/automatic/avx\d+/threads:1/\w+", by_count),
         ("Threads", r"cull/.*/threads:2", by_threads), ("One query at a time", r"query/", by_library),
         ("Pairs in lanes", r"pair/\w+/boolean/lanes", by_pairs_in_lanes), ("Ordered scenes", r"still/", by_scene),
         ("A frame", r"frame/", by_frame))


def html_table(markdown):
    """A table of tables.py, which has nothing but cells in it, or none, and a line after it."""
    lines = [line for line in markdown.splitlines() if line]
    rows = [[html.escape(cell.strip()) for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("|")]
    out = ["<table>"] + ["<tr>" + "".join(f"<th>{cell}</th>" for cell in row) + "</tr>" for row in rows[:1]]
    for row in rows[2:]:
        cells = "".join(f"<td>{cell}</td>" for cell in row)
        out.append(re.sub(r"[*]{2}(.*?)[*]{2}", r"<span class=missed>\1</span>", f"<tr>{cells}</tr>"))
    out.append("</table>")
    return "\n".join(out + [f"<p>{html.escape(line)}</p>" for line in lines if not line.startswith("|")])


def page(record):
    plt.rcParams["svg.hashsalt"] = "lanecull"
    r = Record(record)
    parts = []
    for name, make in tables.TABLES.items():
        made = make(r)
        if made:
            parts.append(f"<h2>{html.escape(tables.CAPTIONS[name])}</h2>\n{html_table(made)}")
    parts += [f"<h2>{caption}</h2>\n{plot(r)}" for caption, needed, plot in PLOTS
              if any(re.match(needed, name) for name in r.benchmarks)]
    if r.steps:
        parts.append(f"<h2>Supports and lanes</h2>\n{by_steps(r)}")
    return (f"<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><title>lanecull: benchmarks</title><style>{STYLE}</style>\n"
            f"<h1>lanecull: benchmarks</h1>\n<p>{html.escape(r.heading())}</p>\n" + "\n".join(parts) + "\n</html>\n")
