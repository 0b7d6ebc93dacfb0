#!/usr/bin/env python3
"""How a bake or a sweep scales over the ranks of an mpirun, by simulation: bench/report/ranks.py [OPTION...]

The coordinator serves one message after the other; a worker has two bundles, so that the next one is there when one is
done; how long cells take varies. What a cell and a message take is measured: `lanecull bake` prints both under mpirun.
Prints, for ranks and cells a bundle, which part of the workers' time is work, and which part of the coordinator's.
"""
import argparse
import heapq
import random

parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
parser.add_argument("--cells", type=int, default=1_000_000, help="of the whole bake (%(default)s)")
parser.add_argument("--cell-ms", type=float, default=28.0, help="what a cell takes a worker (%(default)s)")
parser.add_argument("--bundle-us", type=float, default=10.0, help="what a bundle takes the coordinator (%(default)s)")
parser.add_argument("--set-us", type=float, default=12.0, help="and each cell's set in it (%(default)s)")
parser.add_argument("--network-us", type=float, default=50.0, help="a message's way (%(default)s)")
parser.add_argument("--spread", type=float, default=0.5, help="of cells' times: standard deviation over mean (%(default)s)")
parser.add_argument("--ranks", type=int, nargs="+", default=[10, 100, 300, 1000, 2000, 4000])
parser.add_argument("--bundles", type=int, nargs="+", default=[1, 4, 16, 64, 256])
options = parser.parse_args()


def simulate(ranks, bundle):
    """The workers' and the coordinator's shares of work, until the last result is there."""
    chance = random.Random(1)
    left = -(-options.cells // bundle)
    serve = 1e-6 * (options.bundle_us + options.set_us * bundle)
    way = 1e-6 * options.network_us
    queue = []  # when a bundle was asked for, by whom
    done_at = [0.0] * ranks  # when a worker has done all that it has
    worked = served = free = end = 0.0
    for worker in range(ranks):
        heapq.heappush(queue, (0.0, worker))
        heapq.heappush(queue, (0.0, worker))
    while left > 0:
        asked, worker = heapq.heappop(queue)
        free = max(free, asked) + serve
        served += serve
        left -= 1
        mean = 1e-3 * options.cell_ms * bundle
        took = max(0.1 * mean, chance.gauss(mean, options.spread * mean / bundle ** 0.5))
        done_at[worker] = max(done_at[worker], free + way) + took
        worked += took
        end = max(end, done_at[worker] + way + serve)
        heapq.heappush(queue, (done_at[worker] + way, worker))
    return worked / (ranks * end), served / end


print(f"{options.cells:,} cells of {options.cell_ms} ms; % of the workers' time (% of the coordinator's)")
print("ranks  " + "".join(f"{f'bundles of {bundle}':>18}" for bundle in options.bundles))
for count in options.ranks:
    row = [simulate(count - 1, bundle) for bundle in options.bundles]
    print(f"{count:5}  " + "".join(f"{f'{100 * work:.1f} ({100 * leader:.1f})':>18}" for work, leader in row))
