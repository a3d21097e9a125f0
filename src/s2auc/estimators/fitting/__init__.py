"""The steps that all classifiers share: rows, rules of parameters, checkpoints, thresholds, records."""
