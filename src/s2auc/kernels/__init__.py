"""Kernels, their frequencies, and sums of cosines at the speed of the processor.

A new kernel is an entry of `shift_invariant.KERNELS`. `fourier` has the two operations on rows and frequencies, by the
compiled extension (`src/native`) or by NumPy.
"""
