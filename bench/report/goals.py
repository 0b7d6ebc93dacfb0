"""Ratios of what one run measured, and what they must be."""

from dataclasses import dataclass

SHAPES = ("sphere", "box", "obb")
SET_NAMES = {"avx512": "AVX-512", "avx2": "AVX2"}


def widest(names):
    """Of the benchmarks' sets: processors without AVX-512 are measured by AVX2."""
    return "avx512" if any("/avx512" in name for name in names) else "avx2"


@dataclass
class Goal:
    """`times` x T(over) / T(under), to be at most `bar` or, where `more_is_better`, at least that."""

    what: str
    over: str
    under: str
    bar: float
    reach: float
    more_is_better: bool
    unit: str = ""
    times: float = 1.0

    def values(self, benchmarks):
        """(low, median, high), the widest span that the quartiles allow; None where one was not measured."""
        if self.over not in benchmarks or self.under not in benchmarks:
            return None
        over, under = benchmarks[self.over]["ns"], benchmarks[self.under]["ns"]
        return tuple(self.times * a / b for a, b in zip(over, reversed(under)))

    def met(self, value):
        return value >= self.bar if self.more_is_better else value <= self.bar

    def bound(self, value):
        return f"{'>=' if self.more_is_better else '<='} {value:g}{self.unit}"


def cull(shape, placement, isa, threads=1, size="", method="automatic"):
    return f"cull/{shape}/{placement}/{method}/{isa}/threads:{threads}{size}"


def apart(shape, placement, isa, threads, size=""):
    """So many threads that each cull their share of the objects over and over: what `cull` with as many may reach."""
    return f"apart/{shape}/{placement}/{isa}/threads:{threads}{size}"


def name_of(shape):
    return {"obb": "oriented box", "hull32": "hull of 32", "hull8": "hull of 8"}.get(shape, shape)


def yardstick_goals(isa, where=""):
    return [Goal(f"exact automatic / plane yardstick, uniform{where}: {name_of(s)}", cull(s, "uniform", isa),
                 f"planes/{s}/uniform/{isa}", 1.3, 1.1, False) for s in SHAPES] + \
           [Goal(f"exact automatic / exact yardstick, straddling{where}: {name_of(s)}", cull(s, "straddle", isa),
                 f"exact/{s}/straddle/{isa}", 0.6, 0.45, False) for s in SHAPES]


def hull_goals(isa):
    return [Goal("hulls of 32, 1,024 of them, straddling, automatic / GJK for all", cull("hull32_many", "straddle", isa),
                 cull("hull32_many", "straddle", isa, method="gjk"), 0.5, 0.3, False),
            Goal("hulls of 32 / oriented boxes, uniform", cull("hull32_many", "uniform", isa), cull("obb", "uniform", isa),
                 2, 1.3, False),
            Goal("hulls of 32 in random order / in hull order, straddling", cull("hull32_mixed", "straddle", isa),
                 cull("hull32_many", "straddle", isa), 1.3, 1.1, False)]


def scene_goals():
    """From the view's boundary inwards and outwards a scene answers by blocks: 5 % of the objects are seen."""
    return [Goal(f"10^7 in a scene, 5 % seen, times as fast as flat: {name_of(s)}", f"still/{s}/flat/10M",
                 f"still/{s}/scene/10M", 12, 24, True, " x") for s in ("box", "hull32")]


def frame_goals(isa):
    return [Goal(f"frame of 11 views, {count}, {way} / yardstick", f"frame/{way}/{size}/{isa}", f"frame/yardstick/{size}/{isa}",
                 bar, reach, False)
            for way, size, count, bar, reach in (("flat", "10k", "10^4", 2, 1), ("flat", "1M", "10^6", 1.3, 1),
                                                 ("ordered", "1M", "10^6", 0.3, 0.15))]


def gjk_goals(isa):
    textbook = [Goal(f"textbook GJK / lane GJK, undecided: {name_of(s)}", f"gjk/{s}/textbook/undecided",
                     f"gjk/{s}/{isa}/undecided", 12, 15, True, " x") for s in ("obb", "capsule")]
    libccd = [Goal(f"libccd's GJK / lane GJK, same pairs: {name_of(s)}", f"query/{s}/libccd/10k", f"gjk/{s}/{isa}/10k",
                   bar, reach, True, " x") for s, bar, reach in (("box", 20, 30), ("capsule", 20, 30), ("hull32", 14, 20))]
    return textbook + libccd


def memory_goals(isa, benchmarks):
    """Percent of the bytes a second that plain reads get on as many threads and the same pages."""
    goals = []
    for pages, what in (("", ""), ("/2MB", ", 2 MB pages")):
        for shape in ("sphere", "box"):
            over, under = f"read/threads:2{pages}", cull(shape, "uniform", isa, 2, f"/10M{pages}")
            bytes_read = benchmarks.get(over, {}).get("bytes", 8)
            bytes_culled = benchmarks.get(under, {}).get("bytes", 0)
            goals.append(Goal(f"10^7 from memory, 2 threads / measured reads: {name_of(shape)}{what}", over, under, 80, 95,
                              True, " %", 100 * bytes_culled / bytes_read))
    return goals


def thread_goals(isa):
    """From L2 or L3: calls of some 35 to 260 microseconds on one thread, and of a million objects."""
    return [Goal(f"2 threads / 1, {count}, {word}: {name_of(s)}", cull(s, p, isa, 1, size), cull(s, p, isa, 2, size), bar, 1.97, True, " x")
            for size, count, bar in (("", "10^5", 1.7), ("/1M", "10^6", 1.9))
            for p, word in (("uniform", "uniform"), ("straddle", "straddling")) for s in (*SHAPES, "capsule", "hull32")]


def width_goals():
    pairs = [(f"{name_of(s)}, {p}", cull(s, p, "avx2"), cull(s, p, "avx512")) for p in ("uniform", "straddle") for s in SHAPES]
    pairs += [(f"GJK, undecided: {name_of(s)}", f"gjk/{s}/avx2/undecided", f"gjk/{s}/avx512/undecided")
              for s in ("obb", "capsule")]
    return [Goal(f"AVX2 / AVX-512: {what}", over, under, 1.8, 1.8, False) for what, over, under in pairs]


def pair_goals(benchmarks):
    """Pairwise GJK of ours against every other library's in the precision that it is packaged in."""
    ours = {"libccd": "lanecull", "bullet": "lanecull_float", "fcl": "lanecull", "fcl_libccd": "lanecull"}
    goals = []
    for name in benchmarks:
        kind, question, library = (name.split("/") + ["", "", ""])[1:4]
        if not name.startswith("pair/") or library not in ours:
            continue
        mine, what = ours[library], f"{library} / pairwise GJK, {question}: {name_of(kind)}"
        # FCL's distances are good to a millionth, ours by default to 1e-12; of flat shapes that is no more work.
        if question == "distance" and kind in ("cylinder", "cone", "ellipsoid") and library.startswith("fcl"):
            mine, what = "lanecull_millionth", what + ", to 1e-6"
        goals.append(Goal(what, name, f"pair/{kind}/{question}/{mine}", 1, 1, True, " x"))
    return goals


def plane_goals(isa):
    cases = [(kind, view, placement, size) for kind in ("circle", "box") for view in ("rectangle", "turned")
             for placement in ("uniform", "straddle") for size in ("10k", "1M")]
    return [Goal(f"2D shapes / four sides: {kind}, {view}, {placement}, {size}", f"flat/{kind}/{view}/{placement}/{isa}/{size}",
                 f"sides/{kind}/{view}/{placement}/{isa}/{size}", 1.3, 1.1, False) for kind, view, placement, size in cases]


def all_goals(benchmarks, isa):
    goals = yardstick_goals(isa) + hull_goals(isa) + plane_goals(isa) + gjk_goals(isa) + memory_goals(isa, benchmarks) + thread_goals(isa) + \
        scene_goals() + frame_goals(isa)
    if isa == "avx512":
        goals += yardstick_goals("avx2", ", AVX2") + width_goals()
    return goals + pair_goals(benchmarks)


def evaluated(benchmarks, isa=None):
    """[(goal, (low, median, high))] of what was measured, by default of the widest set."""
    isa = isa or widest(benchmarks)
    return [(goal, goal.values(benchmarks)) for goal in all_goals(benchmarks, isa) if goal.values(benchmarks)]
