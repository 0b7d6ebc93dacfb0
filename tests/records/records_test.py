#!/usr/bin/env python3
"""The page is what the records make, records that break a rule are refused, and runs become records."""

import argparse
import copy
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import page
import record

RUN = {"format": 1, "kind": "prover", "commit": "1234567", "date": "2026-01-02", "title": "views", "sets": "scalar", "seed": 7,
       "families": {"uniform": {"subject": "views", "trials": 2, "verdicts": 3000000, "culled_plane": 2000000,
                                "oracle_objects": 40, "oracle_visible": 10, "apart_14": 2000, "kept_14": 3},
                    "flat": {"subject": "views", "trials": 1, "verdicts": 1000000, "culled_gjk": 500000}}}
FUZZING = {"format": 1, "kind": "fuzzing", "commit": "1234567", "date": "2026-01-02", "title": "all",
           "targets": [{"target": "gjk", "seconds": 5, "executions": 60, "found": "nothing"}], "coverage": {"base": [3, 4]}}
TESTS = {"format": 1, "kind": "tests", "commit": "1234567", "date": "2026-01-02", "title": "Files",
         "tables": [{"columns": ["files", "refused"], "rows": [["scenes", 1000]]}]}
STATE = {"runs": [{"commit": "aaaaaaa", "sets": "scalar", "seed": 1, "rounds": 1, "families": {}},
                  {"commit": "bbbbbbbb", "sets": "scalar avx2", "seed": 2, "rounds": 9,
                   "families": {**RUN["families"], "unused": {"subject": "pairs"}}}]}
LOG = "INFO: Seed: 1\nDone 1000 runs in 12 second(s)\nstat::number_of_executed_units: 1000\n"


def changed(one, change):
    result = copy.deepcopy(one)
    change(result)
    return result


def chosen(path, **options):
    return argparse.Namespace(**{"files": [path], "title": None, "note": None, "processor": "P", **options})


class Records(unittest.TestCase):
    def test_the_page_is_made_of_the_records(self):
        """By tools/records; figures are neither typed nor left behind."""
        made = page.page(record.load(record.RECORDS))
        self.assertEqual(page.PAGE.read_text(encoding="utf-8"), made, "run tools/records")
        self.assertLessEqual(max(len(line) for line in made.splitlines() if not line.startswith("|")), page.WIDTH)

    def test_what_breaks_a_rule_is_refused(self):
        for one, change in ((RUN, lambda r: r.update(format=2)), (RUN, lambda r: r.update(date="today")),
                            (RUN, lambda r: r.update(kind="other")), (RUN, lambda r: r.pop("families")),
                            (RUN, lambda r: r["families"]["flat"].update(verdicts="many")),
                            (RUN, lambda r: r["families"]["flat"].update(unproved=1)),
                            (FUZZING, lambda r: r["targets"][0].pop("found")),
                            (FUZZING, lambda r: r["coverage"].update(base=[5, 4])),
                            (TESTS, lambda r: r["tables"][0]["rows"].append(["one"]))):
            self.assertIsNone(record.check(one))
            self.assertIsNotNone(record.check(changed(one, change)))
        self.assertIsNone(record.check(changed(RUN, lambda r: (r["families"]["flat"].update(unproved=1), r.update(note="One.")))))

    def test_counts_are_summed(self):
        self.assertEqual(record.total(RUN)["verdicts"], 4000000)
        self.assertEqual(record.subjects(RUN)["views"]["trials"], 3)
        self.assertEqual(record.kept(record.total(RUN), 14), 1.5)
        self.assertEqual(record.total({**RUN, "total": {"verdicts": 5}})["verdicts"], 5)

    def test_the_page_has_every_figure(self):
        found = changed(FUZZING, lambda r: r["targets"][0].update(found="a crash"))
        text = page.page([RUN, changed(RUN, lambda r: r.update(title="all subjects")), FUZZING, found, TESTS])
        for row in ("| 2026-01-02 | 1234567 | all subjects | - | scalar | - | 4 | 2.5 | 0 | 40 | 0 |",
                    "| views | 2 | 8 | - | 80 | 1.5 | - | - |", "| `gjk` | 10 | 120 |",
                    "| 2026-01-02 | 1234567 | `gjk` | a crash |", "| `base` | 3 | 4 | 75.0 |", "| scenes | 1,000 |"):
            self.assertIn(row + "\n", text)

    def test_a_run_becomes_a_record(self):
        with tempfile.TemporaryDirectory() as folder:
            state = pathlib.Path(folder, "state")
            state.write_text(json.dumps(STATE), encoding="utf-8")
            path = record.add(record.prover_record(chosen(state)), pathlib.Path(folder))
            self.assertEqual(path.name, "prover.json")
            [made] = record.load(pathlib.Path(folder))
            self.assertEqual((made["title"], made["rounds"], made["families"]), ("views", 9, RUN["families"]))
            with self.assertRaises(record.Bad):
                record.add(made, pathlib.Path(folder))
            state.write_text(json.dumps(STATE).replace("bbbbbbbb", "bbbbbbbb-dirty"), encoding="utf-8")
            with self.assertRaises(record.Bad):
                record.prover_record(chosen(state))

    def test_a_log_becomes_a_target(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder, "gjk.log")
            for text, found in ((LOG, "nothing"), (LOG + "SUMMARY: AddressSanitizer: heap-use-after-free\n",
                                                   "AddressSanitizer: heap-use-after-free")):
                log.write_text(text, encoding="utf-8")
                self.assertEqual(record.fuzzing_target(log), {"target": "gjk", "seconds": 12, "executions": 1000, "found": found})


if __name__ == "__main__":
    unittest.main()
