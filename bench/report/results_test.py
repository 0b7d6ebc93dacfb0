"""Made-up result files, compared; and files that are none, refused."""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import goals
import results
import tables

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOL = ROOT / "tools/bench"
RECORD = {
    "format": 1, "processor": "Some Processor (family 1)", "commit": "abc1234", "clock_GHz": [2.9, 3.0, 3.1],
    "benchmarks": {
        "cull/sphere/uniform/automatic/avx512/threads:1": {"ns": [0.95, 1.0, 1.05], "kept": 0.08, "objects": 100000, "bytes": 16},
        "planes/sphere/uniform/avx512": {"ns": [0.79, 0.8, 0.81], "kept": 0.08, "objects": 100000, "bytes": 16},
        "gjk/obb/textbook": {"ns": [99, 100, 101]},
    },
    "steps": {},
}
CULL = "cull/sphere/uniform/automatic/avx512/threads:1"


def changed(change):
    record = copy.deepcopy(RECORD)
    change(record)
    return record


def with_times(name, ns):
    return changed(lambda r: r["benchmarks"][name].update(ns=ns))


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, content):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    def tool(self, *words):
        """(exit status, standard output, standard error) of tools/bench."""
        done = subprocess.run([sys.executable, TOOL, *words], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def compared(self, a, b):
        return self.tool("compare", self.path("a.json", a), self.path("b.json", b))


class Compare(Files):
    def test_equal_files_do_not_differ(self):
        status, out, err = self.compared(RECORD, RECORD)
        self.assertEqual((status, err), (0, ""))
        self.assertIn("0 differences in 3 benchmarks of both files; 0 are in one of them only", out)

    def test_medians_within_both_spreads_do_not_differ(self):
        self.assertEqual(self.compared(RECORD, with_times(CULL, [1.09, 1.14, 1.19]))[0], 0)  # 0.14 apart, 0.1 + 0.1 spread

    def test_medians_beyond_both_spreads_differ_either_way(self):
        slower = with_times(CULL, [1.20, 1.25, 1.30])
        for a, b, words in ((RECORD, slower, "1 -> 1.25 ns, 1.250 times"), (slower, RECORD, "1.25 -> 1 ns, 0.800 times")):
            status, out, _ = self.compared(a, b)
            self.assertEqual(status, 1)
            self.assertIn(f"{CULL:<56} {words}", out)
            self.assertIn("1 differences in 3 benchmarks", out)

    def test_one_wide_spread_is_enough_to_say_nothing(self):
        self.assertEqual(self.compared(RECORD, with_times(CULL, [1.0, 1.25, 1.5]))[0], 0)

    def test_the_largest_difference_comes_first(self):
        other = with_times(CULL, [2, 2, 2])
        other["benchmarks"]["gjk/obb/textbook"]["ns"] = [10, 10, 10]
        _, out, _ = self.compared(RECORD, other)
        self.assertLess(out.index("gjk/obb/textbook"), out.index(CULL))

    def test_other_verdicts_are_a_difference(self):
        status, out, _ = self.compared(RECORD, changed(lambda r: r["benchmarks"][CULL].update(kept=0.09)))
        self.assertEqual(status, 1)
        self.assertIn("kept 0.08 -> 0.09 of the objects", out)

    def test_benchmarks_of_one_file_only_are_counted(self):
        status, out, _ = self.compared(RECORD, changed(lambda r: r["benchmarks"].pop("gjk/obb/textbook")))
        self.assertEqual(status, 0)
        self.assertIn("in 2 benchmarks of both files; 1 are in one of them only", out)

    def test_another_processor_and_commit_are_named(self):
        _, out, _ = self.compared(RECORD, changed(lambda r: r.update(processor="Other", commit="def")))
        self.assertIn("processor: Some Processor (family 1) -> Other", out)
        self.assertIn("commit: abc1234 -> def", out)

    def test_files_without_a_common_benchmark_are_an_error(self):
        status, _, err = self.compared(RECORD, changed(lambda r: r.update(benchmarks={"x": {"ns": [1, 1, 1]}})))
        self.assertEqual(status, 2)
        self.assertIn("no benchmark in common", err)


class BadFiles(Files):
    def refused(self, content, rule):
        for order in (0, 1):
            files = [self.path("good.json", RECORD), self.path("bad.json", content)]
            status, _, err = self.tool("compare", *(files if order else reversed(files)))
            self.assertEqual(status, 2, content)
            self.assertIn("bad.json: " + rule, err)
            self.assertNotIn("Traceback", err)

    def test_what_is_not_json(self):
        for text in ("", "{", "[1,", "\x00", "[" * 100000):
            self.refused(text, "is not JSON")

    def test_other_json(self):
        self.refused("[]", "must be a JSON object")
        self.refused("{}", '"format" must be 1')
        self.refused(changed(lambda r: r.update(format=2)), '"format" must be 1')
        self.refused(changed(lambda r: r.pop("processor")), '"processor" must be a string')
        self.refused(changed(lambda r: r.update(commit=7)), '"commit" must be a string')
        self.refused(changed(lambda r: r.update(benchmarks={})), '"benchmarks" must be an object that is not empty')
        self.refused(changed(lambda r: r.update(steps=[])), '"steps" must be an object')
        self.refused(changed(lambda r: r.update(steps={"steps/x": {"queried": 1}})), "steps steps/x: must be an object of numbers")

    def test_times_that_are_none(self):
        for ns in ([1, 2], [1, 2, 3, 4], "1", [1, 2, "3"], [1, 2, None], [0, 1, 2], [-1, 1, 2], [True, True, True]):
            self.refused(with_times(CULL, ns), f'benchmark {CULL}: "ns" must be three positive numbers')
        self.refused(with_times(CULL, [3, 2, 1]), f'benchmark {CULL}: "ns" must ascend')
        text = json.dumps(with_times(CULL, [1, 2, 12345])).replace("12345", "Infinity")
        self.refused(text, f'benchmark {CULL}: "ns" must be three positive numbers')
        self.refused(changed(lambda r: r["benchmarks"][CULL].pop("ns")), f'benchmark {CULL}: "ns" is missing')
        self.refused(changed(lambda r: r["benchmarks"][CULL].update(kept=-1)), f'benchmark {CULL}: "kept" must be')

    def test_no_file(self):
        status, _, err = self.tool("compare", self.path("a.json", RECORD), "/nonexistent/b.json")
        self.assertEqual((status, err), (2, "tools/bench: /nonexistent/b.json: No such file or directory\n"))

    def test_arguments(self):
        self.assertEqual(self.tool("compare", "one.json")[0], 2)
        self.assertIn("unknown part 'x'", self.tool("--parts", "gjk,x")[2])
        self.assertIn("at least 3", self.tool("--repetitions", "2")[2])
        self.assertIn("nowhere is not there", self.tool("--program", "/nowhere")[2])


class Saving(Files):
    def test_a_saved_record_is_the_record(self):
        path = pathlib.Path(self.folder.name) / results.file_name(RECORD)
        self.assertEqual(path.name, "some-processor-family-1-abc1234.json")
        results.save(RECORD, path)
        self.assertEqual(results.load(path), RECORD)

    def test_markdown_has_the_goal(self):
        status, out, _ = self.tool("markdown", self.path("a.json", RECORD))
        self.assertEqual(status, 0)
        self.assertIn("| exact automatic / plane yardstick, uniform | <= 1.3 | <= 1.1 | 1.25 | 1 of 1 |  |", out)

    def test_threads_are_held_against_threads_apart(self):
        def with_threads(record):
            for name, ns in (("cull/box/uniform/automatic/avx512/threads:1/1M", 1.0), ("cull/box/uniform/automatic/avx512/threads:2/1M", 0.5),
                             ("apart/box/uniform/avx512/threads:2/1M", 0.4), ("handoff", 45.6)):
                record["benchmarks"][name] = {"ns": [ns, ns, ns]}
        status, out, _ = self.tool("markdown", self.path("a.json", changed(with_threads)))
        self.assertEqual(status, 0)
        self.assertIn("| box, uniform, 10^6 | 1.00 | 2.00 | 2.50 |", out)
        self.assertIn("Handoff of a word from one thread to another, ns: 45.6", out)


def rows_of(isa):
    """A record of a processor whose widest set is isa: a row of every table."""
    names = [f"cull/box/{p}/{m}/{isa}/threads:1" for p in ("uniform", "straddle") for m in ("automatic", "planes")]
    names += [f"{y}/box/{p}/{isa}" for y in ("planes", "exact") for p in ("uniform", "straddle")]
    names += [f"gjk/box/{isa}", f"gjk/box/{isa}/undecided", "gjk/box/textbook", "gjk/box/textbook/undecided", f"gjk/box/{isa}/10k",
              "query/box/libccd/10k", f"cull/sphere/uniform/automatic/{isa}/threads:1/10M", f"cull/box/uniform/automatic/{isa}/threads:1/1M", f"cull/box/uniform/automatic/{isa}/threads:2/1M",
              f"apart/box/uniform/{isa}/threads:2/1M", "pair/sphere_hull32/boolean/lanes", "pair/sphere_hull32/boolean/lanecull",
              "pair/sphere_hull32/boolean/libccd", "pair/box/boolean/lanecull", "still/box/flat/10M", "still/box/scene/10M", "path/box/scene/1M",
              "path/box/hinted/1M", f"frame/flat/1M/{isa}", f"frame/yardstick/1M/{isa}"]
    entry = {"ns": [1.0, 2.0, 3.0], "kept": 0.1, "objects": 1000000}
    return {**RECORD, "benchmarks": {name: entry for name in names},
            "steps": {f"steps/box/{method}/{isa}": dict.fromkeys(results.STEP_KEYS, 0.5) for method in ("automatic", "gjk")}}


class EverySet(Files):
    def test_processors_without_avx512_get_the_same_tables(self):
        made = {isa: {name: make(tables.Record(rows_of(isa))) for name, make in tables.TABLES.items()} for isa in ("avx512", "avx2")}
        for name in tables.TABLES:
            for isa, words in (("avx512", "AVX-512"), ("avx2", "AVX2")):
                self.assertNotEqual(made[isa][name], "", name)
                self.assertNotRegex(made[isa][name].splitlines()[0], "AVX2" if isa == "avx512" else "AVX-512")
            if name not in ("goals", "steps"):  # wider sets have more goals, and other lanes
                self.assertEqual(made["avx512"][name].replace("AVX-512", "AVX2"), made["avx2"][name])

    def test_scenes_are_held_against_flat_batches(self):
        record = rows_of("avx2")
        record["benchmarks"]["still/box/scene/10M"] = {"ns": [0.1, 0.1, 0.1], "objects": 10000000}
        _, out, _ = self.tool("markdown", self.path("a.json", record))
        self.assertIn("| box, 10M, ordered scene | 1.00 | 20.0 |", out)
        self.assertIn("| 10^7 in a scene, 5 % seen, times as fast as flat | >= 12 x | >= 24 x | 20.0 x | 1 of 1 |", out)


def blocks(document):
    """[(name, whole block)] of a document of this repository."""
    return [(match[1], match[0]) for match in tables.BLOCK.finditer((ROOT / document).read_text(encoding="utf-8"))]


class Documents(Files):
    def test_only_blocks_that_the_record_has_are_replaced(self):
        root = pathlib.Path(self.folder.name)
        (root / "bench").mkdir()
        before = ("# Words\n\n<!-- figures: goals -->\nold\n<!-- /figures -->\n\nbetween\n"
                  "<!-- figures: steps -->\nstays\n<!-- /figures -->\nafter\n")
        for name in tables.DOCUMENTS:
            (root / name).write_text(before, encoding="utf-8")
        tables.write(RECORD, root)
        for name in tables.DOCUMENTS:
            after = (root / name).read_text(encoding="utf-8")
            self.assertTrue(after.startswith("# Words\n\n<!-- figures: goals -->\nSome Processor (family 1), 3.00 GHz, commit abc1234"))
            self.assertIn("| exact automatic / plane yardstick, uniform | <= 1.3 |", after)
            self.assertNotIn("old", after)
            self.assertTrue(after.endswith("<!-- /figures -->\n\nbetween\n<!-- figures: steps -->\nstays\n<!-- /figures -->\nafter\n"))

    def test_headings_are_wrapped(self):
        wide = changed(lambda r: r.update(processor="A Processor " * 15))
        lines = tables.block("goals", tables.Record(wide)).splitlines()
        self.assertGreater(lines.index(""), 2)
        self.assertLessEqual(max(map(len, lines[:lines.index("")])), tables.WIDTH)

    def test_every_table_has_its_place(self):
        self.assertEqual(sorted(name for name, _ in blocks("bench/RESULTS.md")), sorted(tables.TABLES))

    def test_documents_say_what_was_recorded(self):
        """By tools/bench markdown FILE --write; figures are neither typed nor left behind by a change of the tables."""
        for document in tables.DOCUMENTS:
            for name, text in blocks(document):
                commit = re.search(r"commit (\w+),", " ".join(text.split()))[1]
                [path] = (ROOT / "bench/results").glob(f"*-{commit}.json")
                self.assertEqual(text, tables.block(name, tables.Record(results.load(path))), document)


class Goals(unittest.TestCase):
    def test_spans_are_the_widest(self):
        [(goal, values)] = goals.evaluated(RECORD["benchmarks"])
        for value, expected in zip(values, (0.95 / 0.81, 1.25, 1.05 / 0.79)):
            self.assertAlmostEqual(value, expected)
        self.assertTrue(goal.met(1.3) and not goal.met(1.31))

    def test_memory_is_counted_in_bytes(self):
        benchmarks = {"read/threads:2": {"ns": [0.1, 0.1, 0.1], "bytes": 8},
                      "cull/box/uniform/automatic/avx512/threads:2/10M": {"ns": [0.4, 0.4, 0.4], "bytes": 24}}
        [(goal, (_, share, _))] = goals.evaluated(benchmarks)
        self.assertAlmostEqual(share, 75)  # 60 of 80 GB/s
        self.assertFalse(goal.met(share))


class Widths(Files):
    """Processors without AVX-512."""

    def test_goals_and_pages_are_of_the_widest_set(self):
        record = json.loads(json.dumps(RECORD).replace("avx512", "avx2"))
        record["benchmarks"]["read/threads:1"] = {"ns": [1.0, 1.0, 1.0], "bytes": 16}
        [(goal, (_, ratio, _))] = goals.evaluated(record["benchmarks"])
        self.assertAlmostEqual(ratio, 1.25)
        self.assertIn("/avx2", goal.over)
        path = self.path("a.json", record)
        status, _, err = self.tool("page", path)
        self.assertEqual(status, 0, err)
        if "needs matplotlib" not in err:
            self.assertIn("Reads of 160 MB", path.with_suffix(".html").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
