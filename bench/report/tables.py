"""Tables of a record, in Markdown, and the documents that have them."""

import re
import textwrap

import goals

DOCUMENTS = ("bench/RESULTS.md",)
WIDTH = 120  # of their lines

ORDER = ("sphere", "box", "centered_box", "obb", "obb_bare", "capsule", "hull8", "hull32", "cylinder", "cone",
         "round_cone", "ellipsoid")
DIFFERENT = tuple(shape for shape in ORDER if shape not in ("centered_box", "obb_bare"))  # others like these are left out
TITLES = {"centered_box": "centred box", "obb": "oriented box", "obb_bare": "oriented box without radius", "hull8": "hull of 8", "hull32": "hull of 32",
          "round_cone": "cone, round"}


def title(shape):
    return TITLES.get(shape, shape)


def pair_title(kind):
    """Of pairs of a kind, or of two: sphere_hull32."""
    return " and ".join(title(part) for part in re.split("_(?=hull)", kind))


def digits(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def table(header, rows):
    """The first column is of words, the others of numbers. Empty without rows."""
    if not rows:
        return ""
    lines = ["| " + " | ".join(header) + " |", "|---|" + "---:|" * (len(header) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


class Record:
    """What the tables and plots ask of a record."""

    def __init__(self, record):
        self.record, self.benchmarks, self.steps = record, record["benchmarks"], record.get("steps", {})

    def ns(self, name):
        entry = self.benchmarks.get(name)
        return entry["ns"][1] if entry else None

    def cell(self, name):
        value = self.ns(name)
        return digits(value) if value is not None else "-"

    def ratio(self, over, under):
        a, b = self.ns(over), self.ns(under)
        return digits(a / b) if a is not None and b is not None else "-"

    def gigabytes(self, name):
        """Bytes read for every object, a nanosecond."""
        entry = self.benchmarks.get(name)
        return entry["bytes"] / entry["ns"][1] if entry and "bytes" in entry else None

    def wasted(self, name, exact):
        """Of a thousand objects, those kept beyond what the exact test keeps."""
        entry, best = self.benchmarks.get(name), self.benchmarks.get(exact)
        if not entry or not best or "kept" not in entry or "kept" not in best:
            return None
        return 1000 * (entry["kept"] - best["kept"])

    def whole(self, name, unit):
        """All objects of a row together, in nanoseconds / unit."""
        entry = self.benchmarks.get(name)
        return digits(entry["ns"][1] * entry["objects"] / unit) if entry and "objects" in entry else "-"

    def milliseconds(self, name):
        return self.whole(name, 1e6)

    def microseconds(self, name):
        return self.whole(name, 1e3)

    def having(self, pattern):
        """The matches of a pattern among the benchmarks' names."""
        return [match for match in (re.fullmatch(pattern, name) for name in self.benchmarks) if match]

    def processor(self):
        clock = self.record.get("clock_GHz")
        return self.record["processor"] + (f", {clock[1]:.2f} GHz" if isinstance(clock, list) else "")

    def heading(self):
        r = self.record
        load = f", load {r['load'][0]:.1f} on {r['cores']} cores" if r.get("load") and r.get("cores") else ""
        return (f"{self.processor()}, {r.get('compiler') or 'unknown compiler'}, commit {r['commit']}, "
                f"{r.get('repetitions', '?')} interleaved repetitions, medians{load}")

    def short_heading(self):
        """Of a table among others: what differs between runs."""
        processor = re.sub(r"\(R\)( Processor)?|, stepping \d+", "", self.processor())
        return f"{processor}, commit {self.record['commit']}, {self.record.get('repetitions', '?')} repetitions"


def goals_table(r):
    """A row for the goals of one sentence and one bar, which differ in what stands behind its colon."""
    groups = {}
    for goal, (_, value, _) in goals.evaluated(r.benchmarks):
        if not goal.over.startswith("pair/"):
            what, _, which = goal.what.partition(": ")
            groups.setdefault((what, goal.bound(goal.bar), goal.bound(goal.reach), goal.unit), []).append(
                (value, which, goal.met(value)))
    rows = []
    for (what, bar, reach, unit), found in groups.items():
        values = sorted(value for value, _, _ in found)
        span = digits(values[0]) + (f" to {digits(values[-1])}" if len(values) > 1 else "") + unit
        missed = [which for _, which, met in found if not met]
        rows.append([what, bar, reach, span, f"{len(found) - len(missed)} of {len(found)}",
                     "; ".join(which or "missed" for which in missed)])
    return table(["what", "bar", "reach for", "measured", "met", "missed"], rows)


def whole_batches(r):
    """ns an object of what decides whole batches, and of straddling objects the false positives per 1,000."""
    isa = goals.widest(r.benchmarks)
    methods = (("automatic, exact", f"cull/{{s}}/{{p}}/automatic/{isa}/threads:1"),
               *([("the same, AVX2", "cull/{s}/{p}/automatic/avx2/threads:1")] if isa != "avx2" else []),
               ("exact yardstick", f"exact/{{s}}/{{p}}/{isa}"), ("plane yardstick", f"planes/{{s}}/{{p}}/{isa}"),
               ("closed form, symmetric views", f"closed/{{s}}/{{p}}/{isa}"), ("naive loop", "frustum/{s}/{p}/naive"),
               ("OGRE", "frustum/{s}/{p}/ogre"))
    shapes = ("sphere", "box", "obb")
    rows = []
    for method, pattern in methods:
        if not any(pattern.format(s=s, p="uniform") in r.benchmarks for s in shapes):
            continue
        row = [method]
        for shape in shapes:
            row += [r.cell(pattern.format(s=shape, p=p)) for p in ("uniform", "straddle")]
            lost = r.wasted(pattern.format(s=shape, p="straddle"), methods[0][1].format(s=shape, p="straddle"))
            row.append("-" if lost is None else f"{lost:.1f}")
        rows.append(row)
    header = [f"{goals.SET_NAMES[isa]}, ns an object"]
    for shape in shapes:
        header += [f"{title(shape)}: uniform", "straddling", "false positives per 1,000"]
    return table(header, rows)


def measured_sets(r, row):
    """The sets of which the record has something, the widest first, by the names of rows with {i} for the set."""
    names = {"avx512": "AVX-512", "avx2": "AVX2", "sse4.2": "SSE4.2", "scalar": "scalar"}
    return [(isa, name) for isa, name in names.items() if any(r.having(row.format(i=re.escape(isa))))]


def kinds(r):
    sets = measured_sets(r, r"cull/\w+/\w+/automatic/{i}/threads:1")
    columns = [("automatic", isa, name) for isa, name in sets] + [("planes", isa, "planes") for isa, _ in sets[:1]]
    rows = []
    for shape in ORDER:
        cells = [r.cell(f"cull/{shape}/{p}/{m}/{isa}/threads:1") for p in ("uniform", "straddle") for m, isa, _ in columns]
        if any(cell != "-" for cell in cells):
            rows.append([title(shape)] + cells)
    return table(["ns an object"] + [f"{p}: {name}" for p in ("uniform", "straddling") for _, _, name in columns], rows)


def lane_gjk(r):
    sets = measured_sets(r, r"gjk/\w+/{i}")[:2]
    rows = []
    for shape in ORDER:
        if not sets or f"gjk/{shape}/{sets[0][0]}" not in r.benchmarks:
            continue
        row = [title(shape)]
        for suffix in ("", "/undecided"):
            textbook = f"gjk/{shape}/textbook{suffix}"
            row += [r.cell(f"gjk/{shape}/{isa}{suffix}") for isa, _ in sets]
            row += [r.cell(textbook), r.ratio(textbook, f"gjk/{shape}/{sets[0][0]}{suffix}")]
        rows.append(row)
    return table(["lane GJK, ns"] + [f"{which}: {m}" for which in ("straddling", "undecided")
                                     for m in (*(name for _, name in sets), "textbook", "times as fast")], rows)


def queries(r):
    sets = measured_sets(r, r"gjk/\w+/{i}/10k")[:2]
    libraries = sorted({match[1] for match in r.having(r"query/\w+/(\w+)/10k")})
    rows = [[title(shape)] + [r.cell(f"gjk/{shape}/{isa}/10k") for isa, _ in sets] +
            [r.cell(f"query/{shape}/{library}/10k") for library in libraries] +
            [r.ratio(f"query/{shape}/libccd/10k", f"gjk/{shape}/{sets[0][0]}/10k")]
            for shape in ORDER if sets and any(f"query/{shape}/{library}/10k" in r.benchmarks for library in libraries)]
    return table(["ns a query"] + [f"lane GJK, {name}" if k == 0 else name for k, (_, name) in enumerate(sets)] + libraries +
                 [f"libccd / {sets[0][1]}" if sets else ""], rows)


def sizes(r):
    isa = goals.widest(r.benchmarks)
    threads = sorted({int(match[1]) for match in r.having(rf"cull/sphere/uniform/automatic/{isa}/threads:(\d+)/10M")})
    rows = []
    for shape in ("sphere", "box"):
        for suffix, count in (("/1k", "1,536"), ("/10k", "9,984"), ("", "10^5"), ("/1M", "10^6"), ("/10M", "10^7"),
                              ("/10M/2MB", "10^7, 2 MB pages"), ("/100M", "10^8")):
            names = [goals.cull(shape, "uniform", isa, t, suffix) for t in threads]
            if not any(name in r.benchmarks for name in names):
                continue
            row = [f"{title(shape)}, {count}"]
            pages = "/2MB" if suffix.endswith("/2MB") else ""
            for t, name in zip(threads, names):
                speed, reads = r.gigabytes(name), r.gigabytes(f"read/threads:{t}{pages}")
                share = f"{100 * speed / reads:.0f} %" if speed and reads and suffix.startswith(("/10M", "/100M")) else "-"
                row += [r.cell(name), digits(speed) if speed else "-", share]
            rows.append(row + [r.cell(f"planes/{shape}/uniform/{isa}{suffix}"), r.cell(f"exact/{shape}/uniform/{isa}{suffix}")])
    header = [f"uniform, {goals.SET_NAMES[isa]}"]
    for t in threads:
        header += [f"{t} thread{'s' if t > 1 else ''}: ns", "GB/s", "of reads"]
    return table(header + ["plane yardstick", "exact yardstick"], rows) + reads_line(r)


def reads_line(r):
    reads = [(match[1], match[2]) for match in r.having(r"read/threads:(\d+)(/2MB)?")]
    if not reads:
        return ""
    words = [f"{t} thread{'s' if t != '1' else ''}{', 2 MB pages' if pages else ''} {r.gigabytes(f'read/threads:{t}{pages or str()}'):.1f}"
             for t, pages in reads]
    return "\nReads of 160 MB, GB/s: " + "; ".join(words) + ".\n"


def threads(r):
    """How many times as fast as one thread several are: in one call, and each by itself."""
    isa = goals.widest(r.benchmarks)
    counts = sorted({int(match[1]) for match in r.having(rf"cull/\w+/\w+/automatic/{isa}/threads:(\d+)(/1M)?")})[1:]
    rows = []
    for shape, placement, size in ((shape, placement, size) for shape in DIFFERENT for placement in ("uniform", "straddle")
                                   for size in ("", "/1M")):
        one = goals.cull(shape, placement, isa, 1, size)
        shared = [goals.cull(shape, placement, isa, n, size) for n in counts]
        apart = [goals.apart(shape, placement, isa, n, size) for n in counts]
        if counts and all(name in r.benchmarks for name in [one] + shared):
            what = f"{title(shape)}, {'uniform' if placement == 'uniform' else 'straddling'}{', 10^6' if size else ''}"
            rows.append([what, r.cell(one)] + [r.ratio(one, name) for pair in zip(shared, apart) for name in pair])
    header = ["100,000 objects", "1 thread, ns"]
    for n in counts:
        header += [f"{n} threads, times as fast", "apart"]
    return table(header, rows) + handoff_line(r)


def handoff_line(r):
    entry = r.benchmarks.get("handoff")
    if not entry:
        return ""
    low, median, high = entry["ns"]
    return f"\nHandoff of a word from one thread to another, ns: {digits(median)} (quartiles {digits(low)} and {digits(high)}).\n"


def step_sets(r):
    return [isa for isa in ("avx512", "avx2") if any(name.endswith("/" + isa) for name in r.steps)]


def steps(r):
    sets = step_sets(r)
    lanes = {"avx512": 16, "avx2": 8}
    rows = []
    for shape in DIFFERENT:
        row = [title(shape)]
        for method in ("automatic", "gjk"):
            measured = [r.steps.get(f"steps/{shape}/{method}/{isa}") for isa in sets]
            wide = measured[0] if measured else None
            row += [f"{100 * wide['queried']:.1f} %", f"{wide['supports']:.2f}", f"{wide['most_supports']:.0f}"] if wide else ["-"] * 3
            row += [f"{100 * each['utilisation']:.0f} %" if each else "-" for each in measured]
        if any(cell != "-" for cell in row[1:]):
            rows.append(row)
    header = ["straddling"]
    for method in ("automatic", "all by GJK"):
        header += [f"{method}: queried", "supports", "most", *(f"{lanes[isa]} lanes busy" for isa in sets)]
    return table(header, rows)


def pairs(r):
    libraries = ("lanecull", "lanecull_millionth", "libccd", "fcl", "fcl_libccd", "lanecull_float", "bullet")
    rows = []
    for question, words in (("boolean", "apart"), ("distance", "distance")):
        for shape in ORDER:
            names = [f"pair/{shape}/{question}/{library}" for library in libraries]
            if any(name in r.benchmarks for name in names):
                rows.append([f"{title(shape)}, {words}"] + [r.cell(name) for name in names])
    return table(["pairs, ns", "ours, double", "to 1e-6", "libccd", "FCL", "FCL's libccd", "ours, float", "Bullet"], rows)


def pair_lanes(r):
    """All pairs in one call beside one at a time, and beside the fastest library that answers the question."""
    libraries = {"libccd": "libccd", "bullet": "Bullet", "fcl": "FCL", "fcl_libccd": "FCL's libccd"}
    rows = []
    for question, words in (("boolean", "apart"), ("distance", "distance"), ("cast", "cast")):
        for kind in (*ORDER, "sphere_hull32", "capsule_hull32"):
            lanes = f"pair/{kind}/{question}/lanes"
            if lanes not in r.benchmarks:
                continue
            peers = [name for name in (f"pair/{kind}/{question}/{library}" for library in libraries) if name in r.benchmarks]
            fastest = min(peers, key=r.ns, default=None)
            rows.append([f"{pair_title(kind)}, {words}", r.cell(lanes), r.cell(f"pair/{kind}/{question}/lanecull"),
                         r.cell(fastest) if fastest else "-", libraries[fastest.rsplit("/", 1)[1]] if fastest else "-",
                         r.ratio(fastest, lanes) if fastest else "-"])
    return table(["pairs, ns", "lanes", "one at a time", "fastest peer", "which", "peer / lanes"], rows)


def scenes(r):
    """What ordered scenes take beside flat batches, other libraries' trees, no hints, and objects that stand still."""
    rows = []
    for shape, size in ((shape, size) for shape in ORDER for size in ("1M", "10M")):
        flat = f"still/{shape}/flat/{size}"
        for what in [match[1] for match in r.having(rf"still/{shape}/(\w+)/{size}")]:
            words = {"flat": "flat", "scene": "ordered scene", "embree": "Embree", "btdbvt": "Bullet"}.get(what, what)
            name = f"still/{shape}/{what}/{size}"
            rows.append([f"{title(shape)}, {size}, {words}", r.milliseconds(name), r.ratio(flat, name)])
    groups = (("along a path", "path/box", "scene", (("scene", "without hints"), ("hinted", "with hints"))),
              ("lists", "lod/box", "handles", (("handles", "handles"), ("distances", "and distances"), ("levels", "and levels"),
                                               ("hysteresis", "by hysteresis"), ("latest", "latest levels alone"))),
              ("same tenth moves", "moving/fixed", "unmoved", MOVING), ("any tenth moves", "moving/any", "unmoved", MOVING))
    for what, prefix, base, members in groups:
        rows += [[f"{what}, 1M, {words}", r.milliseconds(f"{prefix}/{key}/1M"), r.ratio(f"{prefix}/{base}/1M", f"{prefix}/{key}/1M")]
                 for key, words in members if f"{prefix}/{key}/1M" in r.benchmarks]
    return table(["5 % in view, bits, one thread", "ms", "times as fast as the group's first"], rows)


MOVING = (("unmoved", "cull unmoved"), ("cull", "cull"), ("refit", "refit"), ("improve", "improve"), ("write", "move"))


def frames(r):
    sets = measured_sets(r, r"frame/\w+/\w+/{i}")[:2]
    rows = []
    for row, words in (("frame", "53 % in view"), ("frame_sparse", "5 % in view")):
        for size in ("10k", "100k", "1M"):
            for suffix, moved in (("", ""), ("_moving", ", all moved")):
                cells = []
                for isa, _ in sets:
                    yardstick = f"{row}/yardstick/{size}/{isa}{suffix}"
                    for way in ("flat", "ordered"):
                        name = f"{row}/{way}/{size}/{isa}{suffix}"
                        cells.append(f"{r.microseconds(name)} ({r.ratio(name, yardstick)})" if name in r.benchmarks else "-")
                    cells.append(r.microseconds(yardstick))
                if any(cell != "-" for cell in cells):
                    rows.append([f"{size}, {words}{moved}"] + cells)
    return table(["us (times the yardstick's)"] + [f"{name}: {way}" for _, name in sets for way in ("flat", "ordered", "yardstick")], rows)


TABLES = {"goals": goals_table, "batches": whole_batches, "kinds": kinds, "gjk": lane_gjk, "queries": queries, "sizes": sizes,
          "threads": threads, "steps": steps, "pairs": pairs, "pair_lanes": pair_lanes, "scenes": scenes,
          "frames": frames}
CAPTIONS = {"goals": "Goals", "batches": "Whole batches: ns an object, and false positives of 1,000 straddling objects",
            "kinds": "Every kind and instruction set", "gjk": "Lane GJK and the textbook's, the same pairs",
            "queries": "Lane GJK and other libraries, the same objects against the volume",
            "sizes": "From L1 to memory", "threads": "Threads", "steps": "GJK: queries, support points and lanes",
            "pairs": "Pairwise GJK", "pair_lanes": "Pairs in lanes", "scenes": "Ordered scenes",
            "frames": "A frame of eleven views"}


def markdown(record):
    r = Record(record)
    parts = [r.heading() + "\n"]
    for name, make in TABLES.items():
        made = make(r)
        if made:
            parts.append(f"### {CAPTIONS[name]}\n\n{made}")
    return "\n".join(parts)


BLOCK = re.compile(r"<!-- figures: (\w+) -->\n.*?<!-- /figures -->", re.DOTALL)


def block(name, r):
    """What stands in a document from one mark to the other; empty where the record has nothing for that table."""
    made = TABLES[name](r) if name in TABLES else ""
    heading = textwrap.fill(f"{r.short_heading()}:", WIDTH, break_on_hyphens=False, break_long_words=False)
    return f"<!-- figures: {name} -->\n{heading}\n\n{made}<!-- /figures -->" if made else ""


def replaced(text, record):
    """A text with its blocks made anew. Those that this record has nothing for stay."""
    r = Record(record)
    return BLOCK.sub(lambda match: block(match[1], r) or match[0], text)


def write(record, root):
    """Puts the record's tables into the documents of the repository at `root`."""
    for name in DOCUMENTS:
        path = root / name
        path.write_text(replaced(path.read_text(encoding="utf-8"), record), encoding="utf-8")
