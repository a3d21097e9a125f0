"""The scikit-learn classifiers: check what is given, open the data, run, keep what was fitted. No mathematics.

The public names are those of `s2auc` itself.
"""
