"""The page of all records, tests/RECORDS.md: the newest results first."""

import textwrap

from record import KINDS, ROOT, culled, kept, refuted, subjects, summed, total

PAGE = ROOT / "tests/RECORDS.md"
WIDTH = 120  # of its prose
INTRODUCTION = """This page has the findings of long runs. `tools/records` makes it from the files of [records](records), which have every
run with all its counts; [PROVER.md](PROVER.md#records) says how a run is recorded."""


def prose(text, indent=""):
    return textwrap.fill(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def cell(value):
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if isinstance(value, int) or value >= 1e3:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def millions(value):
    return cell(value / 1e6) if value else "-"


def table(words, numbers, rows):
    """Columns of words, then columns of numbers."""
    lines = ["| " + " | ".join((*words, *numbers)) + " |", "|" + "---|" * len(words) + "---:|" * len(numbers)]
    return "\n".join(lines + ["| " + " | ".join(map(cell, row)) + " |" for row in rows])


def paragraphs(*parts):
    return "\n\n".join(filter(None, parts))


def place(record):
    return ", ".join([record["date"], f"commit {record['commit']}"] + [record[key] for key in ("processor",) if key in record])


def notes(records, name):
    return "\n".join(prose(f"- {name(record)}: {record['note']}", "  ") for record in records if "note" in record)


def prover_run(run):
    counts = total(run)
    return (run["date"], run["commit"], run["title"], run.get("processor"), run.get("sets"), run.get("seconds"),
            millions(counts.get("verdicts")), millions(culled(counts)), refuted(counts), counts.get("oracle_objects"),
            counts.get("false_culls", 0))


def prover_runs(runs):
    return table(("date", "commit", "what", "processor", "sets"),
                 ("seconds", "10^6 verdicts", "culled, 10^6", "refuted", "oracle: objects", "visible ones culled"),
                 map(prover_run, runs))


def newest(found, level):
    """Of a subject's counts, the newest first."""
    return next((share for share in (kept(counts, level) for counts in found) if share is not None), None)


def prover_subjects(runs):
    """All runs of each subject together; what was kept is of the newest run that counted it."""
    found = {}
    for run in runs:
        for subject, counts in subjects(run).items():
            found.setdefault(subject, []).append(counts)
    rows = []
    for subject, counts in sorted(found.items()):
        sums = summed(counts)
        rows.append((subject, len(counts), millions(sums.get("verdicts")), sums.get("exact_checks"), sums.get("oracle_objects"),
                     *(newest(counts, level) for level in (14, 18, 22))))
    return table(("subject",), ("runs", "10^6 verdicts", "needed rationals", "oracle: objects", "kept of 1,000 apart by 2^-14",
                                "2^-18", "2^-22"), rows)


def prover_page(runs):
    counts = summed(total(run) for run in runs)
    refuting = [run for run in runs if refuted(total(run))]
    whole = next((run for run in runs if run["title"] == "all subjects"), None)
    return paragraphs(
        "## Prover",
        prose(f"{len(runs)} runs, {counts.get('verdicts', 0) / 1e9:.4g} x 10^9 verdicts, "
              f"{sum(refuted(total(run)) for run in refuting)} answers refuted; {counts.get('oracle_objects', 0):,} objects "
              "decided by the exact oracle. The newest run of all subjects, and those that refuted an answer:"),
        prover_runs([run for run in runs if run is whole or run in refuting]),
        notes(refuting, lambda run: run["commit"]),
        "All runs of each subject:", prover_subjects(runs))


def fuzzing_totals(records):
    sums = {}
    for record in records:
        for run in record.get("targets", []):
            entry = sums.setdefault(run["target"], [0, 0])
            entry[0] += run["seconds"] or 0
            entry[1] += run["executions"] or 0
    return table(("target",), ("seconds", "executions"), [(f"`{target}`", *sums[target]) for target in sorted(sums)])


def findings(records):
    rows = [(record["date"], record["commit"], f"`{run['target']}`", run["found"])
            for record in records for run in record.get("targets", []) if run["found"] != "nothing"]
    return paragraphs("Findings:", table(("date", "commit", "target", "found"), (), rows)) if rows else ""


def coverage(records):
    """The newest."""
    for record in records:
        if "coverage" in record:
            rows = [(f"`{folder}`", reached, lines, f"{100 * reached / lines:.1f}")
                    for folder, (reached, lines) in record["coverage"].items()]
            return paragraphs("### Coverage", prose(f"{place(record)}. Files compiled for instruction sets are not counted."),
                              table(("folder of `kernels/`",), ("lines reached", "of", "%"), rows))
    return ""


def fuzzing_page(records):
    return paragraphs("## Fuzzers", "All runs of a target together:", fuzzing_totals(records), findings(records),
                      coverage(records))


def tests_table(entry):
    first, *others = entry["columns"]
    return paragraphs(entry.get("title", ""), table((first,), others, entry["rows"]))


def tests_record(record):
    return paragraphs(f"### {record['title']}", prose(f"{place(record)}. {record.get('note', '')}"),
                      *map(tests_table, record["tables"]))


def page(records):
    of = {kind: [record for record in records if record["kind"] == kind] for kind in KINDS}
    return paragraphs("# Records", INTRODUCTION, prover_page(of["prover"]), fuzzing_page(of["fuzzing"]), "## Tests",
                      *map(tests_record, of["tests"])) + "\n"
