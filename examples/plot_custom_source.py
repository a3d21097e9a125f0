"""
A source of rows of one's own
=============================

Unlabelled rows may come from anywhere: a simulator, a database, a format that s2auc does not know.
A class of four methods is enough. This one simulates rows when they are asked for, so that a pool
of a billion rows takes no memory, and it counts how many of them a fit wants to see.
"""

# %%
# A source says how many rows it has and what its columns are: here two, without names or
# categories. It gives rows by their numbers, and maps work over all rows in order, some at a time.
# A row must be the same whenever it is asked for, so here the number makes the row: fractional
# parts of multiples of square roots serve as random numbers. Rows lie on two moons, as those of
# ``make_moons`` do.

import tracemalloc
from time import process_time

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import ndtri
from sklearn.datasets import make_moons

from s2auc import S2AUCClassifier
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.source import RowSource


class SimulatedMoons(RowSource):
    """Two half circles with noise, whose rows are made when they are asked for."""

    def __init__(self, size):
        self.size, self.n_made = size, 0

    @property
    def n_rows(self):
        return self.size

    @property
    def schema(self):
        return Schema(2, {})

    def gather(self, numbers):
        self.n_made += len(numbers)
        random = np.outer(numbers + 1, np.sqrt([2, 3, 5, 7])) % 1
        angle = np.pi * random[:, :1]
        rows = np.hstack([np.cos(angle), np.sin(angle)])
        rows = np.where(random[:, 1:2] < 0.5, rows, [1, 0.5] - rows)
        return rows + 0.2 * ndtri(random[:, 2:])

    def map_chunks(self, work, chunk_rows):
        for first in range(0, self.size, chunk_rows):
            last = min(first + chunk_rows, self.size)
            yield work(self.gather(np.arange(first, last)), first)


# %%
# The labelled rows are an array as usual, and the pool is the third argument of ``fit``. Every size
# is fitted twice: once for the clock of the processor, and once with ``tracemalloc``, which sees
# the memory that Python and NumPy ask for. One fit before all others loads what is loaded once.

X, truth = make_moons(2000, noise=0.2, random_state=0)
ranker = S2AUCClassifier(random_state=0).fit(X[:40], truth[:40], SimulatedMoons(1000))
sizes = [10**power for power in range(3, 10)]
n_made, seconds, megabytes = [], [], []
for size in sizes:
    pool = SimulatedMoons(size)
    started = process_time()
    ranker.fit(X[:40], truth[:40], pool)
    seconds.append(process_time() - started)
    n_made.append(pool.n_made)

    tracemalloc.start()
    ranker.fit(X[:40], truth[:40], pool)
    megabytes.append(tracemalloc.get_traced_memory()[1] / 1e6)
    tracemalloc.stop()

    auc = ranker.score(X[40:], truth[40:])
    print(f"{size:>13,} rows: {n_made[-1]:>6,} made, {seconds[-1]:.2f} s,", end=" ")
    print(f"{megabytes[-1]:>4.1f} MB at most, test AUC {auc:.3f}")

# %%
# A fit draws ``max_iter`` times ``batch_size`` unlabelled rows, 25,600 by default, and 20,000 more
# to settle the scaling of columns and the width of the kernel. It draws their numbers first, and
# then asks for these rows only. Of a small pool it takes all, so rows and memory grow up to a pool
# of a hundred thousand or so, and hardly from there on. Nor does the test AUC grow: here a thousand
# unlabelled rows say as much as a billion.
#
# Estimators take a source wherever they take rows. Scoring reads all rows, through ``map_chunks``,
# so it takes the longer the more there are.

scores = ranker.decision_function(SimulatedMoons(10_000))
print(f"{len(scores):,} scores, {np.mean(scores > 0):.0%} of them above zero")

figure, panels = plt.subplots(1, 3, figsize=(12, 4.4), layout="constrained")
panels[0].plot(sizes, n_made, "o-", color="#0072B2", label="rows that the fit asks for")
panels[0].plot(sizes, sizes, "--", color="#000000", label="all rows")
panels[0].set(title="Rows", ylabel="Rows", yscale="log")
panels[1].plot(sizes, megabytes, "s-", color="#D55E00", label="peak of the fit")
array_megabytes = [size * 2 * 8 / 1e6 for size in sizes]
panels[1].plot(sizes, array_megabytes, "--", color="#000000", label="all rows as an array")
panels[1].set(title="Memory", ylabel="Megabytes", yscale="log")
panels[2].plot(sizes, seconds, "^-", color="#009E73", label="one fit")
panels[2].set(title="Time", ylabel="Processor seconds", ylim=(0, 2 * max(seconds)))
for axes in panels:
    axes.set(xscale="log", xlabel="Unlabelled rows in the pool")
    axes.legend(loc="upper left", frameon=False)
figure.suptitle("A fit with a billion unlabelled rows costs what one with a hundred thousand does")
plt.show()
