"""Experiments: methods on datasets, trial by trial, each in a process of its own, and what comes out of them.

- `datasets`: where rows come from; `trial_rows`: how a trial cuts them.
- `learners`, `builders`, `margin_network`, `methods`: what is compared.
- `spec`, `specs`: what an experiment consists of, and those that come with the package.
- `cells`, `trial`, `worker`, `limits`, `memory`, `machine`, `store`, `runner`: one trial, and all of them.
- `summary`, `comparison`, `tables`, `report`, `report_figures`, `results_file`: what is told.
- `demo`, `figures`: the demonstration of the command line.
"""
