#!/usr/bin/env python3
"""What a call costs from Python, beside the same call by a loop in C: calls.py

Both call the same function of the same shared library with the same arguments, in turn. Needs a C compiler, numpy, and
the package `lanecull` with its library (tools/python/README.md). Prints medians of 101 rounds, in microseconds; the
quartiles are those of a round's difference, and the ratio is the median of the rounds' ratios.
"""

import ctypes
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "python"))

import lanecull
from lanecull import _native

ROUNDS = 101


def build_loops(folder):
    """The loops in C."""
    made = str(pathlib.Path(folder, "loop.so"))
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", f"-I{ROOT / 'include'}",
                    str(ROOT / "bench" / "python" / "loop.c"), "-o", made], check=True)
    loops = ctypes.CDLL(made)
    pointer = ctypes.c_void_p
    loops.time_calls.argtypes = [pointer, pointer, ctypes.c_uint32]
    loops.time_prepares.argtypes = [*[pointer] * 4, ctypes.c_uint32]
    loops.time_calls.restype = loops.time_prepares.restype = ctypes.c_double
    return loops


def time_python(call, repeats):
    """Seconds that a call takes."""
    began = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - began) / repeats


def median(values):
    return float(np.median(values))


def compare(name, call_c, call, repeats):
    """Prints a row: call_c(repeats) gives the seconds of a call in C, call() is a call in Python."""
    by_c, by_python = [], []
    for _ in range(ROUNDS):
        by_c.append(call_c(repeats) * 1e6)
        by_python.append(time_python(call, repeats) * 1e6)
    assert min(by_c) > 0
    more = np.subtract(by_python, by_c)
    low, high = np.percentile(more, [25, 75])
    print(f"{name:40} {median(by_c):9.2f} {median(by_python):9.2f} {median(more):9.2f}   {low:.2f} to {high:.2f}"
          f"   {median(np.divide(by_python, by_c)):.3f}")


def compare_cull(loops, name, cull, repeats):
    """The same of a Cull of one call of the library."""
    (arguments,) = cull._calls
    function = address_of(_native.library.lanecull_cull)
    compare(name, lambda n: loops.time_calls(function, ctypes.addressof(arguments), n), cull, repeats)


def address_of(function):
    return ctypes.cast(function, ctypes.c_void_p).value


def alone(name, call, repeats):
    """Prints a row for what C has no counterpart of."""
    print(f"{name:40} {'':9} {median([time_python(call, repeats) * 1e6 for _ in range(ROUNDS)]):9.2f}")


def boxes(count):
    random = np.random.default_rng(1)
    center = random.uniform(-500, 500, (3, count)).astype(np.float32)
    half = random.uniform(0.2, 3, (3, count)).astype(np.float32)
    return lanecull.Boxes(center - half, center + half)


def main():
    camera = lanecull.perspective(60, 16 / 9, 0.1, 1000) @ lanecull.look_at((0, 0, 0), (1, 0.3, 0))
    one = lanecull.Views.of(camera)
    many = lanecull.Views.of([camera] * 8)
    space = lanecull.ClipSpace()
    with tempfile.TemporaryDirectory() as folder:
        loops = build_loops(folder)
        print(f"Python {platform.python_version()}, numpy {np.__version__}, {lanecull.Isa.AUTOMATIC.resolved().title}")
        print(f"{'microseconds':40} {'C':>9} {'Python':>9} {'more':>9}   quartiles   Python / C")
        compare_cull(loops, "64 boxes, 1 view, bits and indices", lanecull.Cull(boxes(64), one), 200)
        compare_cull(loops, "64 boxes, 8 views, bits and indices", lanecull.Cull(boxes(64), many), 200)
        compare_cull(loops, "10^4 boxes, 1 view, bits and indices", lanecull.Cull(boxes(10**4), one), 20)
        compare_cull(loops, "10^6 boxes, 1 view, bits and indices", lanecull.Cull(boxes(10**6), one), 1)
        compare_cull(loops, "10^6 boxes, 1 view, bits", lanecull.Cull(boxes(10**6), one, indices=False), 1)
        prepare = address_of(_native.library.lanecull_prepare_view)
        at = camera.ctypes.data, ctypes.addressof(space._struct), ctypes.addressof(one._view(0))
        compare("Views.prepare(0, matrix)", lambda n: loops.time_prepares(prepare, *at, n),
                lambda: one.prepare(0, camera), 100)
    small = lanecull.cull(boxes(64), one)
    alone("Cull.indices()", small.indices, 200)
    alone("Cull.mask()", small.mask, 200)
    alone("making a Cull of 64 boxes", lambda: lanecull.Cull(small.batches, one), 20)


if __name__ == "__main__":
    main()
