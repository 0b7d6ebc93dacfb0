"""Builds the benchmarks, runs what belongs to the chosen parts in one interleaved run, and makes a record of it."""

import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

from goals import widest
from results import FORMAT, STEP_KEYS

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "build/bin/lanecull_bench"
FLAT_PROGRAM = "lanecull_flat_bench"  # beside it: the part "plane"
SCENE_PROGRAM = "lanecull_scene_bench"  # beside it: the part "scenes"

_SETS = "(avx2|avx512)"
PARTS = {
    "yardsticks": rf"(cull/(sphere|box|obb)/\w+/automatic/{_SETS}/threads:1(/10k)?"
                  rf"|(planes|exact|closed)/\w+/\w+/{_SETS}(/10k)?|frustum/.*)",
    "kinds": r"cull/\w+/\w+/\w+/[\w.]+/threads:1",
    "gjk": rf"gjk/\w+/({_SETS}|textbook)(/undecided)?",
    "queries": rf"(query/.*|gjk/\w+/{_SETS}/10k)",
    "sizes": r"(cull/(sphere|box)/uniform/automatic/WIDEST/threads:\d+(/\w+)*|(planes|exact)/(sphere|box)/uniform/WIDEST(/\w+)?"
             r"|read/.*)",
    "threads": r"((cull/\w+/\w+/automatic|apart/\w+/\w+)/WIDEST/threads:\d+(/1M)?|handoff)",
    "steps": r"steps/.*",
    "pairs": r"pair/.*",
    "plane": rf"(flat|sides)/.*/{_SETS}/(10k|1M)",
    "frame": rf"(frame(_sparse|_phase)?/.*/{_SETS}|scene/.*|world/.*/{_SETS}(/10k)?)",
    "scenes": r"(?!)",  # nothing of the programs of Google Benchmark: run_scenes()
    "extras": r"(attributes|outputs|views|casters|prepare|unpack|bounds|list|solids)/.*",
}
DEFAULT_PARTS = [part for part in PARTS if part != "extras"]
# What a run of a minute or two leaves out: the sets below AVX2, large memory, distances of pairs.
SLOW = re.compile(r".*/(scalar|sse4\.2)(/.*)?|.*/100M|pair/\w+/distance/.*|.*/hull8/.*|.*/centered_box/.*|.*/obb_bare/.*")
# What the part "scenes" runs of its program, and what a quick run does.
SCENES = (("--peers", "still", 1_000_000), ("still", 10_000_000), ("hulls", 1_000_000), ("hulls", 10_000_000),
          ("path", 1_000_000), ("moving", 1_000_000), ("lod", 1_000_000))
QUICK_SCENES = (("still", 1_000_000), ("hulls", 1_000_000))
BYTES_OF_A_SCENE = 400  # an object's, of batch, scene and what builds them
BYTES_OF_100M = 8 << 30  # memory that both workloads of 10^8 objects take, and something to spare


class Failure(Exception):
    """Why nothing could be measured."""


def call(*command):
    done = subprocess.run([str(word) for word in command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise Failure(f"{command[0]} failed:\n{done.stdout.strip()[-4000:]}")
    return done.stdout


def build():
    call(ROOT / "tools/deps", "test")
    call("cmake", "--preset", "release", "-DLANECULL_BENCH=ON")
    call("cmake", "--build", "--preset", "release", "--target", "lanecull_bench", FLAT_PROGRAM, SCENE_PROGRAM)


def memory_available():
    for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return 0


def names_of(program, parts, quick):
    if not program.is_file():
        raise Failure(f"{program} is not there")
    every = call(program, "--benchmark_list_tests=true").split()
    wanted = [re.compile(PARTS[part].replace("WIDEST", widest(every)) + r"(/iterations:1)?") for part in parts]
    huge = memory_available() >= BYTES_OF_100M
    return [name for name in every if name == "clock" or any(pattern.fullmatch(name) for pattern in wanted)
            and not (quick and SLOW.fullmatch(name)) and (huge or not name.endswith("/100M"))]


def run_all(program, parts, quick, repetitions, min_time):
    """One interleaved run of each program that has something of the parts; the main one tells the clock."""
    programs = [program] + [program.with_name(FLAT_PROGRAM)] * ("plane" in parts)
    measured = None
    for each in programs:
        names = names_of(each, parts, quick)
        print(f"{len(names)} benchmarks of {each.name}, {repetitions} interleaved repetitions of at least {min_time} s", flush=True)
        done = run(each, names, repetitions, min_time)
        if measured is None:
            measured = done
        else:
            measured["benchmarks"] += done["benchmarks"]
    if "scenes" in parts:
        measured["benchmarks"] += run_scenes(program.with_name(SCENE_PROGRAM), quick)
    return measured


def run_scenes(program, quick):
    """Every frame's time by the program of scenes, which takes what it compares in turns by itself."""
    if not program.is_file():
        raise Failure(f"{program} is not there")
    rows = []
    for *words, objects in QUICK_SCENES if quick else SCENES:
        if memory_available() < objects * BYTES_OF_A_SCENE:
            print(f"left out, for want of memory: {' '.join(words)} {objects}", flush=True)
            continue
        print(f"{program.name} {' '.join(words)} {objects}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out.json"
            options = [word for word in words if word.startswith("-")]
            call(program, *options, "--out", out, *(word for word in words if word not in options), objects)
            rows += json.loads(out.read_text())["benchmarks"]
    return rows


def run(program, names, repetitions, min_time):
    pattern = "^(" + "|".join(re.escape(name) for name in names) + ")$"
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.json"
        call(program, f"--benchmark_filter={pattern}", "--benchmark_enable_random_interleaving=true",
             f"--benchmark_repetitions={repetitions}", f"--benchmark_min_time={min_time}", f"--benchmark_out={out}",
             "--benchmark_out_format=json")
        return json.loads(out.read_text())


def quartiles(values):
    return [float(f"{v:.5g}") for v in statistics.quantiles(values, n=4, method="inclusive")]


def benchmark_entry(runs):
    first = runs[0]
    entry = {"ns": quartiles([run["ns_per_object"] for run in runs]), "kept": round(first["kept"], 7),
             "objects": int(first["objects"])}
    per_object = first["bytes_per_second"] * first["ns_per_object"] * 1e-9
    return entry | ({"bytes": round(per_object)} if per_object >= 0.5 else {})


def processor():
    fields = {}
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        fields.setdefault(key.strip(), value.strip())
    return (f"{fields.get('model name', 'unknown')} (family {fields.get('cpu family', '?')}, "
            f"model {fields.get('model', '?')}, stepping {fields.get('stepping', '?')})")


def commit():
    def git(*words):
        return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False).stdout.strip()
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+changes" if git("status", "--porcelain", "--", ":/", ":!/bench/results") else "")


def record_of(measured, chosen):
    runs = {}
    for entry in measured["benchmarks"]:
        if entry.get("error_occurred"):
            raise Failure(f"{entry['name']}: {entry['error_message']}")
        if entry["run_type"] == "iteration":
            runs.setdefault(entry["run_name"].removesuffix("/iterations:1"), []).append(entry)
    clock = quartiles([entry["GHz"] for entry in runs.pop("clock")])
    steps = {name: {key: round(entries[0][key], 5) for key in STEP_KEYS}
             for name, entries in runs.items() if name.startswith("steps/")}
    return {"format": FORMAT, "processor": processor(), "cores": os.cpu_count(), "commit": commit(),
            "compiler": measured["context"].get("compiler"), "load": list(os.getloadavg()),
            "repetitions": chosen.repetitions, "min_time": chosen.min_time, "quick": chosen.quick,
            "parts": chosen.parts, "clock_GHz": clock,
            "benchmarks": {name: benchmark_entry(entries) for name, entries in runs.items() if name not in steps},
            "steps": steps}
