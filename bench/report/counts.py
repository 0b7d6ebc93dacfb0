"""What a call consists of: its instructions by class, counted by stepping through one call of a benchmark; and its cycles.

A processor's own counters would be quicker, but rented machines often have none. Linux on x86-64, objdump, nm."""

import ctypes
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
from collections import Counter

TRACEME, PEEKTEXT, POKETEXT, CONT, STEP, GETREGS, SETREGS = 0, 1, 4, 7, 9, 12, 13
RIP, RSP, REGISTERS = 16, 19, 27  # places in user_regs_struct
STEPPED_CALL = 3  # the first ones wake caches and branch predictors


class Failure(Exception):
    pass


libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.restype = ctypes.c_long
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]

CULL = r" [tT] lanecull_cull$"
LOOPS = {"sphere": "spheres", "box": "boxes", "obb": "oriented_boxes"}


def library_calls():
    yield from (f"cull/{shape}/uniform/automatic/avx512/threads:1/10k" for shape in ("sphere", "box"))
    yield from (f"cull/{shape}/straddle/automatic/avx512/threads:1/10k" for shape in ("sphere", "box", "obb"))
    yield from (f"cull/{shape}/straddle/automatic/avx2/threads:1/10k" for shape in ("sphere", "box", "obb"))
    yield from (f"gjk/capsule/{isa}/10k" for isa in ("avx512", "avx2"))


def yardstick_calls():
    for shape in ("sphere", "box"):
        yield f"planes/{shape}/uniform/avx512/10k", rf"::Loops<xsimd::avx512.*>::{LOOPS[shape]}\("
    yield "exact/obb/straddle/avx512/10k", rf"::MaskedLoops<xsimd::avx512.*>::{LOOPS['obb']}\("


#: What is stepped through: benchmark, function. (10^4 to 10^5 steps a second: all of them take minutes.)
CALLS = [(name, CULL) for name in library_calls()] + list(yardstick_calls())


def trace(request, pid, address=0, data=0):
    ctypes.set_errno(0)
    result = libc.ptrace(request, pid, address, data)
    if result == -1 and ctypes.get_errno() != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


class Stepped:
    """A stopped process."""

    def __init__(self, command):
        self.pid = os.fork()
        if self.pid == 0:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1), os.dup2(null, 2)
            trace(TRACEME, 0)
            os.execv(command[0], command)
        os.waitpid(self.pid, 0)
        self.registers = (ctypes.c_ulonglong * REGISTERS)()

    def base(self, program):
        for line in pathlib.Path(f"/proc/{self.pid}/maps").read_text().splitlines():
            if line.endswith(str(program)):
                return int(line.split("-")[0], 16)
        raise Failure("where the program has been loaded is not told")

    def read_registers(self):
        trace(GETREGS, self.pid, 0, ctypes.addressof(self.registers))
        return self.registers

    def go(self, request):
        trace(request, self.pid)
        _, status = os.waitpid(self.pid, 0)
        if not os.WIFSTOPPED(status) or os.WSTOPSIG(status) != signal.SIGTRAP:
            raise Failure("the function was not called so often, or the program failed")

    def run_to(self, address):
        word = trace(PEEKTEXT, self.pid, address) & 0xffffffffffffffff
        trace(POKETEXT, self.pid, address, (word & ~0xff) | 0xcc)
        self.go(CONT)
        trace(POKETEXT, self.pid, address, word)
        self.read_registers()[RIP] = address
        trace(SETREGS, self.pid, 0, ctypes.addressof(self.registers))

    def step_through(self, base):
        """How often each address of the program was executed until the function has returned."""
        entry = self.read_registers()[RSP]
        counts = Counter()
        while self.read_registers()[RSP] <= entry:
            counts[self.registers[RIP] - base] += 1
            self.go(STEP)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return counts


def function_address(program, pattern):
    lines = subprocess.run(["nm", "-C", str(program)], capture_output=True, text=True, check=True).stdout.splitlines()
    found = [line for line in lines if re.search(pattern, line)]
    if len(found) != 1:
        raise Failure(f"{len(found)} functions match {pattern}")
    return int(found[0].split()[0], 16)


def disassembly(program):
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-M", "intel", str(program)], capture_output=True, text=True, check=True).stdout
    return {int(m[1], 16): m[2] for m in re.finditer(r"^ +([0-9a-f]+):\t(.*)$", text, re.M)}


def classes(instruction):
    name, _, operands = instruction.partition(" ")
    target, _, sources = operands.partition(",")
    if name.startswith("j") or name in ("call", "ret"):
        yield "branches"
    elif name.startswith("v") and re.search(r"[yz]mm", operands) and not re.match(r"vmov|vbroadcast|vzero", name):
        yield "vector arithmetic"
    if "[" in sources and name != "lea" or "[" in target and not sources and name not in ("nop", "jmp"):
        yield "vector loads" if re.search(r"[yz]mm", operands) else "other loads"


def timed(program, name):
    """Objects, and cycles each: median of short runs."""
    out = subprocess.run([program, f"--benchmark_filter=^({name}|clock)$", "--benchmark_min_time=0.02", "--benchmark_repetitions=7",
                          "--benchmark_enable_random_interleaving=true", "--benchmark_format=json"],
                         capture_output=True, text=True, check=True).stdout
    runs = [run for run in json.loads(out)["benchmarks"] if run["run_type"] == "iteration"]
    median = lambda key, which: statistics.median(run[key] for run in runs if run["run_name"] == which)
    return median("objects", name), median("ns_per_object", name) * median("GHz", "clock")


def count(program, name, pattern, code):
    stepped = Stepped([str(program), f"--benchmark_filter=^{name}$", "--benchmark_min_time=0.2"])
    base = stepped.base(program)
    address = base + function_address(program, pattern)
    for call in range(STEPPED_CALL):
        if call > 0:
            stepped.go(STEP)
        stepped.run_to(address)
    result = Counter()
    for place, times in stepped.step_through(base).items():
        result["instructions"] += times
        for kind in classes(code.get(place, "")):
            result[kind] += times
    return result


COLUMNS = ("instructions", "vector arithmetic", "vector loads", "other loads", "branches")


def print_counts(program):
    program = pathlib.Path(program).resolve()
    try:
        code = disassembly(program)
    except FileNotFoundError as missing:
        raise Failure(f"{missing.filename} is missing (Debian: binutils)") from missing
    print("| 16 objects | " + " | ".join(COLUMNS) + " | cycles |\n|---|" + "---:|" * (len(COLUMNS) + 1))
    for name, pattern in CALLS:
        objects, cycles = timed(program, name)
        counted = count(program, name, pattern, code)
        cells = [f"{16 * number:.1f}" for number in [*(counted[column] / objects for column in COLUMNS), cycles]]
        print(f"| `{name}` | " + " | ".join(cells) + " |", flush=True)
