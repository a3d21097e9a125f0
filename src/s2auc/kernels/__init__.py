"""Kernels, their frequencies, and sums of cosines at the speed of the processor.

In the order data flows:

- `shift_invariant`: kernels, exact and by their spectral samplers.
- `bandwidth`: how wide, from data.
- `frequencies`, `frequency_stream`: frequencies from seeds, a promise for years; kept while they fit in memory.
- `fourier`: the two operations on (rows, frequencies), by `fourier_native` (the compiled extension `_cosines`, from
  `src/native`) or `fourier_numpy`, on `tiles` of rows; `instruction_sets` says which and why.
- `versions`: what this installation consists of.

From outside, use `KERNELS`, `Bandwidth`, `FrequencyStream` and `fourier`. A new kernel is an entry of `KERNELS`.
"""

from s2auc.kernels.bandwidth import BANDWIDTHS, Bandwidth
from s2auc.kernels.fourier import evaluate, features
from s2auc.kernels.frequencies import FREQUENCY_VERSION, draw_frequencies
from s2auc.kernels.frequency_stream import FrequencyStream
from s2auc.kernels.shift_invariant import KERNELS, Kernel

__all__ = [
    "BANDWIDTHS",
    "FREQUENCY_VERSION",
    "KERNELS",
    "Bandwidth",
    "FrequencyStream",
    "Kernel",
    "draw_frequencies",
    "evaluate",
    "features",
]
