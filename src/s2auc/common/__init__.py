"""Tools that every package may use: array types, checks, seeds, threads, memory, files, warnings."""
