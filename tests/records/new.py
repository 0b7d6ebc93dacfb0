"""New records: of a state of tools/prove, and of logs of tools/fuzz."""

import datetime
import json
import pathlib
import re
import subprocess

from record import FORMAT, RECORDS, ROOT, Bad, check, load_kind, save


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
