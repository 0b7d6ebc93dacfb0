"""Result files: what a run measured, and how two of them differ.

A file is a JSON object with "format": 1, where and what was measured, and
    "benchmarks": {name: {"ns": [first quartile, median, third quartile], "kept": share, "objects": n, "bytes": an object's}}
    "steps":      {name: {"queried", "supports", "most_supports", "utilisation"}}
All members of a benchmark but "ns" are optional.
"""

import json
import math
import os
import re

FORMAT = 1
STEP_KEYS = ("queried", "supports", "most_supports", "utilisation")


class BadFile(Exception):
    """What is wrong with a file, naming it."""


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def check_benchmark(name, entry):
    if not isinstance(entry, dict) or "ns" not in entry:
        return f'benchmark {name}: "ns" is missing'
    ns = entry["ns"]
    if not isinstance(ns, list) or len(ns) != 3 or not all(number(v) and v > 0 for v in ns):
        return f'benchmark {name}: "ns" must be three positive numbers'
    if ns != sorted(ns):
        return f'benchmark {name}: "ns" must ascend: quartile, median, quartile'
    for key in ("kept", "objects", "bytes"):
        if key in entry and not (number(entry[key]) and entry[key] >= 0):
            return f'benchmark {name}: "{key}" must be a number of at least 0'
    return None


def check(record):
    """The first rule that a record breaks, or None."""
    if not isinstance(record, dict):
        return "must be a JSON object"
    if record.get("format") != FORMAT:
        return f'"format" must be {FORMAT}'
    for key in ("processor", "commit"):
        if not isinstance(record.get(key), str):
            return f'"{key}" must be a string'
    if not isinstance(record.get("benchmarks"), dict) or not record["benchmarks"]:
        return '"benchmarks" must be an object that is not empty'
    if not isinstance(record.get("steps", {}), dict):
        return '"steps" must be an object'
    for name, entry in record.get("steps", {}).items():
        if not isinstance(entry, dict) or not all(number(entry.get(key)) for key in STEP_KEYS):
            return f"steps {name}: must be an object of numbers: {', '.join(STEP_KEYS)}"
    return next(filter(None, (check_benchmark(name, entry) for name, entry in record["benchmarks"].items())), None)


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{path}: is not JSON: {error}") from None
    broken = check(record)
    if broken:
        raise BadFile(f"{path}: {broken}")
    return record


def file_name(record):
    return re.sub(r"[^a-z0-9]+", "-", f"{record['processor']} {record['commit']}".lower()).strip("-") + ".json"


def save(record, path):
    """Arrays of numbers on one line, entries too; replaced at once or not at all."""
    text = json.dumps(record, indent=1, sort_keys=False)
    text = re.sub(r"\[[^\[\]{}]*\]", lambda array: " ".join(array[0].split()), text)
    text = re.sub(r"\{[^{}]*\}", lambda entry: " ".join(entry[0].split()), text)
    temporary = path.with_suffix(".tmp")
    temporary.write_text(text + "\n", encoding="utf-8")
    os.replace(temporary, path)


def beyond_spread(a, b):
    """Whether the medians are farther apart than both interquartile ranges together.

    Of two runs of nine repetitions that measure the same this happens once in 10^5 times, if nothing drifts.
    """
    return abs(a[1] - b[1]) > (a[2] - a[0]) + (b[2] - b[0])


def differences(a, b):
    """[(name, what)] of what two records measured both and differently, the most different first."""
    found = []
    for name in sorted(a["benchmarks"].keys() & b["benchmarks"].keys()):
        x, y = a["benchmarks"][name], b["benchmarks"][name]
        if beyond_spread(x["ns"], y["ns"]):
            ratio = y["ns"][1] / x["ns"][1]
            found.append((abs(math.log(ratio)), name, f"{x['ns'][1]:.4g} -> {y['ns'][1]:.4g} ns, {ratio:.3f} times"))
        if "kept" in x and "kept" in y and x["kept"] != y["kept"]:
            found.append((math.inf, name, f"kept {x['kept']:.6g} -> {y['kept']:.6g} of the objects"))
    return [(name, what) for _, name, what in sorted(found, key=lambda f: -f[0])]


def compare(path_a, path_b, say=print):
    """Prints how two files differ. 0: nowhere beyond their spread; 1: somewhere; BadFile where that cannot be told."""
    a, b = load(path_a), load(path_b)
    common = a["benchmarks"].keys() & b["benchmarks"].keys()
    if not common:
        raise BadFile(f"{path_a} and {path_b} have no benchmark in common")
    for key in ("processor", "commit", "compiler", "clock_GHz"):
        if a.get(key) != b.get(key):
            say(f"{key}: {a.get(key)} -> {b.get(key)}")
    found = differences(a, b)
    for name, what in found:
        say(f"  {name:<56} {what}")
    alone = len(a["benchmarks"]) + len(b["benchmarks"]) - 2 * len(common)
    say(f"{len(found)} differences in {len(common)} benchmarks of both files; {alone} are in one of them only")
    return 1 if found else 0
