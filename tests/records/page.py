"""The page of all records, tests/RECORDS.md: the newest results first."""

import textwrap

from record import KINDS, ROOT, culled, kept, refuted, subjects, summed, total, visible

PAGE = ROOT / "tests/RECORDS.md"
WIDTH = 120  # of its prose
INTRODUCTION = """What long runs found. `tools/records` makes this page from the files of [records](records);
[PROVER.md](PROVER.md#records) says how a run is recorded, and what the columns of the prover's tables are. Contents:
[prover](#prover), [fuzzers](#fuzzers), [tests](#tests)."""


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
    return (run["date"], run["commit"], run["title"], run.get("processor"), run.get("sets"), cell(run.get("seed") and str(run["seed"])),
            run.get("seconds"), millions(counts.get("verdicts")), millions(culled(counts)),
            millions(counts.get("culled_gjk")), millions(counts.get("culled_occluded")), refuted(counts),
            counts.get("exact_checks"), counts.get("oracle_objects"), visible(counts), counts.get("false_culls", 0))


def prover_runs(runs):
    return table(("date", "commit", "what", "processor", "sets"),
                 ("seed", "seconds", "10^6 verdicts", "culled, 10^6", "by GJK", "by solids", "refuted", "needed rationals",
                  "oracle: objects", "visible, %", "visible ones culled"), map(prover_run, runs))


COUNTED = ("trials", "10^6 verdicts", "culled, 10^6", "needed rationals", "oracle: objects",
           "kept of 1,000 apart by 2^-14", "2^-18", "2^-22")


def counted(counts):
    return (counts.get("trials"), millions(counts.get("verdicts")), millions(culled(counts)), counts.get("exact_checks"),
            counts.get("oracle_objects"), *(kept(counts, level) for level in (14, 18, 22)))


def prover_subjects(runs):
    """All runs of each subject, the newest first."""
    rows = [(subject, run["commit"], *counted(counts)) for run in runs for subject, counts in subjects(run).items()]
    return table(("subject", "commit"), COUNTED, sorted(rows, key=lambda row: row[0]))


def prover_families(runs):
    """Each family's newest counts."""
    newest = {}
    for run in runs:
        for family, counts in run.get("families", {}).items():
            newest.setdefault(family, (f"`{family}`", run["commit"], *counted(counts)))
    return table(("family", "commit"), COUNTED, [newest[family] for family in sorted(newest)])


def prover_page(runs):
    counts = summed(total(run) for run in runs)
    wrong = sum(refuted(total(run)) for run in runs)
    return paragraphs(
        "## Prover",
        prose(f"{len(runs)} runs, {counts.get('verdicts', 0) / 1e9:.4g} x 10^9 verdicts, {wrong} answers refuted (the notes "
              f"say which); {counts.get('oracle_objects', 0):,} objects decided by the exact oracle."),
        prover_runs(runs), notes(runs, lambda run: f"{run['commit']}, {run['title']}, seed {run.get('seed', 'unknown')}"),
        "### Subjects", prover_subjects(runs), "### Families", "The newest counts of each family.", prover_families(runs))


def fuzzing_totals(records):
    sums = {}
    for record in records:
        for run in record.get("targets", []):
            entry = sums.setdefault(run["target"], [0, 0])
            entry[0] += run["seconds"] or 0
            entry[1] += run["executions"] or 0
    return table(("target",), ("seconds", "executions"), [(f"`{target}`", *sums[target]) for target in sorted(sums)])


def fuzzing_runs(records):
    rows = [(record["date"], record["commit"], f"`{run['target']}`" + (f", {run['with']}" if "with" in run else ""),
             run["found"], run["seconds"], run["executions"]) for record in records for run in record.get("targets", [])]
    return table(("date", "commit", "target", "found"), ("seconds", "executions"), rows)


def coverage(records):
    """The newest."""
    for record in records:
        if "coverage" in record:
            rows = [(f"`{folder}`", reached, lines, f"{100 * reached / lines:.1f}")
                    for folder, (reached, lines) in record["coverage"].items()]
            return paragraphs("### Coverage", prose(f"{place(record)}. Files that are compiled for instruction sets are not counted."),
                              table(("folder of `kernels/`",), ("lines reached", "of", "%"), rows))
    return ""


def fuzzing_page(records):
    return paragraphs("## Fuzzers", "All runs of a target together:", fuzzing_totals(records), "Each run:",
                      fuzzing_runs(records), notes(records, place), coverage(records))


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
