"""Solvers: from rows and an objective to coefficients.

A new solver is a class as `job.Solver` describes, and an entry of `table.SOLVERS`.
"""
