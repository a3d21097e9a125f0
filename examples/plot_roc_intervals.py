"""
ROC curves with intervals
=========================

One model has an AUC of 0.82, another one of 0.84. Is it better, or were the test rows kind to it?
This example draws ROC curves with bands, puts intervals to AUCs and to their differences, and shows
what such an interval does not know.
"""

# %%
# Three models learn from the same 100 labelled rows; s2auc sees 1,900 unlabelled ones as well. They
# rank 4,000 test rows, of which the first 300 serve as a small test set.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from s2auc import S2AUCClassifier, evaluate_model
from s2auc.ranking import delong_difference, delong_interval
from s2auc.ranking.roc_band import roc_band

columns = {"n_features": 12, "n_informative": 5, "class_sep": 0.7, "flip_y": 0.05}
X, truth = make_classification(6000, **columns, random_state=1)
X_train, truth_train, X_test, truth_test = X[:2000], truth[:2000], X[2000:], truth[2000:]
ranker = S2AUCClassifier(random_state=0)
forest = RandomForestClassifier(random_state=0)
linear = LogisticRegression()


def scores_after(rows):
    """Return the test scores of every model, fitted with the labels of these rows."""
    y = np.full(2000, -1)
    y[rows] = truth_train[rows]
    return {
        "logistic regression": linear.fit(X_train[rows], y[rows]).decision_function(X_test),
        "s2auc": ranker.fit(X_train, y).decision_function(X_test),
        "random forest": forest.fit(X_train[rows], y[rows]).predict_proba(X_test)[:, 1],
    }


scores = scores_after(np.arange(100))
print(evaluate_model(ranker, X_test, truth_test))

# %%
# ``evaluate_model`` judges models of this library. What it does is open to any scores:
# ``delong_interval`` gives the AUC with its interval, ``delong_difference`` the difference of two
# AUCs on the same rows.

others = ["logistic regression", "random forest"]
differences = {}
for n_rows in (300, 4000):
    is_positive = truth_test[:n_rows]
    print(f"{n_rows:,} test rows")
    for name in scores:
        print(f"    {name}: {delong_interval(is_positive, scores[name][:n_rows])}")
    for other in others:
        found = delong_difference(is_positive, scores["s2auc"][:n_rows], scores[other][:n_rows])
        differences[n_rows, other] = found
        print(f"    s2auc minus {other}: {found}")

# %%
# **Intervals that overlap do not mean that there is no difference.** On 300 rows those of s2auc and
# logistic regression overlap, but that of the difference does not reach zero. Both rank the same
# rows: what makes a row hard is hard for both, and drops out of the difference.
#
# **An interval that holds zero does not mean that there is none either.** On 300 rows the difference to
# the forest may be either way. 4,000 rows find it: the forest is a little better.
#
# **And all of this is about these models, not about methods.** Test rows were drawn, and the interval
# knows. The 100 labels were drawn as well, and it does not know that. So here are eight other draws
# of labels.

for seed in range(8):
    rows = np.random.default_rng(seed).permutation(2000)[:100]
    again = scores_after(rows)
    for other in others:
        found = delong_difference(truth_test, again["s2auc"], again[other])
        differences[seed, other] = found
for other in others:
    values = np.array([differences[seed, other].value for seed in range(8)])
    n_ahead = sum(differences[seed, other].low > 0 for seed in range(8))
    n_behind = sum(differences[seed, other].high < 0 for seed in range(8))
    print(f"s2auc minus {other}: from {values.min():.3f} to {values.max():.3f},", end=" ")
    print(f"interval above zero in {n_ahead} draws, below in {n_behind}")
plt.show()
