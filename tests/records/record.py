"""Records: what long runs found, a file for each kind. tests/PROVER.md describes them.

A file is an array, the oldest first, of JSON objects with "format": 1, "kind", "commit", "date" (of the run, or of its commit where no more is known),
"title" and, where they are known, "processor" and "note". By kind it has
    prover   "sets", "seed", "rounds", "threads", "seconds", and counts: "families": {name: counts, "subject" among them},
             "subjects": {name: counts}, "total": counts. Subjects that are not there are summed over families, and
             counts that the total does not have over subjects or families
    fuzzing  "targets": [{"target", "with", "seconds", "executions", "found"}], "coverage": {folder: [lines reached, lines]}
    tests    "tables": [{"title", "columns", "rows"}]; the first column is of words
"""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RECORDS = ROOT / "tests/records"
FORMAT = 1
FAILURES = ("views_small", "unproved", "untold", "invalid_told", "false_culls")  # Tally::failures()


class Bad(Exception):
    """What is wrong with a file, naming it."""


def is_count(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def is_counts(entry):
    return isinstance(entry, dict) and all(is_count(v) for key, v in entry.items() if key != "subject")


def check_prover(record):
    groups = [record[key] for key in ("subjects", "families") if key in record]
    if not groups and "total" not in record:
        return 'has none of "total", "subjects" and "families"'
    if not all(is_counts(entry) for group in groups + [{"total": record.get("total", {})}] for entry in group.values()):
        return "has counts that are no numbers of at least 0"
    if refuted(total(record)) and not record.get("note"):
        return 'refuted answers and has no "note" that says which'
    return None


def check_fuzzing(record):
    for run in record.get("targets", []):
        numbers = all(run.get(key) is None or is_count(run[key]) for key in ("seconds", "executions"))
        if not numbers or not isinstance(run.get("target"), str) or not isinstance(run.get("found"), str):
            return 'has a target without "target" and "found", strings, or with "seconds" or "executions" of another kind'
    if not record.get("targets") and not record.get("coverage"):
        return 'has neither "targets" nor "coverage"'
    if not all(len(lines) == 2 and lines[0] <= lines[1] for lines in record.get("coverage", {}).values()):
        return 'has a folder in "coverage" that is not [lines reached, lines]'
    return None


def check_tests(record):
    if not record.get("tables"):
        return 'has no "tables"'
    for table in record["tables"]:
        if not table.get("columns") or any(len(row) != len(table["columns"]) for row in table.get("rows", [])):
            return "has a table with a row that is not as long as its columns"
    return None


KINDS = {"prover": check_prover, "fuzzing": check_fuzzing, "tests": check_tests}


def check(record):
    """The first rule that a record breaks, or None."""
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        return f'"format" must be {FORMAT}'
    if record.get("kind") not in KINDS:
        return f'"kind" must be one of {", ".join(KINDS)}'
    for key in ("commit", "title"):
        if not isinstance(record.get(key), str):
            return f'"{key}" must be a string'
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", str(record.get("date"))):
        return '"date" must be year-month-day'
    return KINDS[record["kind"]](record)


def load_kind(path):
    """A file's records, the oldest first."""
    try:
        records = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    except ValueError as error:
        raise Bad(f"{path}: is not JSON: {error}") from None
    for number, record in enumerate(records):
        broken = check(record) or (record["kind"] != path.stem and f'"kind" must be "{path.stem}"')
        if broken:
            raise Bad(f"{path}: record {number} {broken}")
    return records


def load(folder):
    """All records of a folder, the newest first."""
    records = [record for kind in sorted(KINDS, reverse=True) for record in reversed(load_kind(folder / f"{kind}.json"))]
    return sorted(records, key=lambda r: r["date"], reverse=True)


def save(records, path):
    """Arrays and objects of numbers and strings on one line each."""
    text = json.dumps(records, indent=1, ensure_ascii=False)
    text = re.sub(r"\[[^\[\]{}]*\]", lambda array: " ".join(array[0].split()), text)
    text = re.sub(r"\{[^{}\[\]]*\}", lambda entry: " ".join(entry[0].split()), text)
    path.write_text(text + "\n", encoding="utf-8")


# Counts of the prover have the names of properties/tally.cpp. A run of which only sums or shares are known has in their
# place "refuted", "culled", "oracle_visible_of_100", "kept_14_of_1000" and so on.


def refuted(counts):
    return counts.get("refuted", sum(counts.get(name, 0) for name in FAILURES))


def culled(counts):
    return counts.get("culled", sum(counts.get(f"culled_{by}", 0) for by in ("plane", "gjk", "occluded")))


def kept(counts, level):
    """Of 1,000 objects that are apart by 2^-level; None where none is."""
    apart = counts.get(f"apart_{level}", 0)
    return 1e3 * counts.get(f"kept_{level}", 0) / apart if apart else counts.get(f"kept_{level}_of_1000")


def summed(entries):
    result = {}
    for entry in entries:
        for key, value in entry.items():
            if key != "subject" and "_of_" not in key:
                result[key] = result.get(key, 0) + value
    return result


def subjects(record):
    """{subject: counts}: as recorded, else summed over its families."""
    if "subjects" in record:
        return record["subjects"]
    found = {}
    for counts in record.get("families", {}).values():
        if "subject" in counts:
            found.setdefault(counts["subject"], []).append(counts)
    return {subject: summed(entries) for subject, entries in found.items()}


def total(record):
    parts = record.get("subjects") or record.get("families") or {}
    return {**summed(parts.values()), **record.get("total", {})}
