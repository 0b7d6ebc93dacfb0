"""Records: what long runs found, a file for each kind. tests/PROVER.md describes them.

A file is an array, the oldest first, of JSON objects with "format": 1, "kind", "commit", "date" (of the run, or of its commit where no more is known),
"title" and, where they are known, "processor" and "note". By kind it has
    prover   "sets", "seed", "rounds", "threads", "seconds", and counts: "families": {name: counts, "subject" among them},
             "subjects": {name: counts}, "total": counts. Subjects that are not there are summed over families, and
             counts that the total does not have over subjects or families
    fuzzing  "targets": [{"target", "with", "seconds", "executions", "found"}], "coverage": {folder: [lines reached, lines]}
    tests    "tables": [{"title", "columns", "rows"}]; the first column is of words
"""

import datetime
import json
import pathlib
import re
import subprocess

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


# Counts of the prover have the names of properties/family.cpp. A run of which only sums or shares are known has in their
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


# New records: of a state of tools/prove, and of logs of tools/fuzz.


def processor():
    fields = {}
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(":")
        fields.setdefault(key.strip(), value.strip())
    return f"{fields.get('model name', 'unknown')} (family {fields.get('cpu family', '?')}, model {fields.get('model', '?')})"


def head():
    return subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty", "--exclude=*"], capture_output=True,
                          text=True, check=True).stdout.strip()


def new_record(kind, commit, title, chosen):
    if not commit or commit.endswith("-dirty"):
        raise Bad(f"a record needs a commit, which '{commit}' is not: commit first, then run")
    record = {"format": FORMAT, "kind": kind, "commit": commit[:7], "date": datetime.date.today().isoformat(),
              "title": title, "processor": chosen.processor or processor()}
    return {**record, **({"note": chosen.note} if chosen.note else {})}


def prover_record(chosen):
    """The run that tools/prove went on with last is a state's last."""
    path = chosen.files[0] if chosen.files else ROOT / "build/prove.json"
    try:
        run = json.loads(path.read_text(encoding="utf-8"))["runs"][-1]
        families = {name: counts for name, counts in run["families"].items() if counts.get("trials")}
        names = sorted({counts["subject"] for counts in families.values()})
        title = ", ".join(names) if len(names) < 8 else f"{len(names)} subjects"
        record = new_record("prover", run["commit"], chosen.title or title, chosen)
        return {**record, "sets": run["sets"], "seed": run["seed"], "rounds": run["rounds"], "families": families}
    except (ValueError, LookupError) as error:
        raise Bad(f"{path}: is no state of tools/prove: {error!r}") from None


def fuzzing_target(path):
    """What libFuzzer's log says last."""
    text = path.read_text(encoding="utf-8", errors="replace")

    def last(pattern):
        found = re.findall(pattern, text, re.MULTILINE)
        return found[-1] if found else None

    seconds, executions = last(r"^Done \d+ runs in (\d+) second"), last(r"^stat::number_of_executed_units: *(\d+)")
    return {"target": path.stem, "seconds": seconds and int(seconds), "executions": executions and int(executions),
            "found": last(r"^SUMMARY: (.*)") or "nothing"}


def fuzzing_record(chosen):
    targets = [fuzzing_target(path) for path in chosen.files or sorted((ROOT / "build/fuzz").glob("*.log"))]
    return {**new_record("fuzzing", head(), chosen.title or "tools/fuzz", chosen), "targets": targets}


def add(record, folder):
    """Adds it to its kind's file, and says which."""
    broken = check(record)
    if broken:
        raise Bad(f"the record {broken}")
    path = folder / f"{record['kind']}.json"
    records = load_kind(path)
    if any(all(other.get(key) == record.get(key) for key in ("commit", "seed", "title")) for other in records):
        raise Bad(f"{path}: has this run already")
    save([*records, record], path)
    return path
