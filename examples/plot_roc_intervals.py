"""
ROC curves with intervals
=========================

One model has an AUC of 0.82, another one of 0.83. Is it better, or were the test rows kind to it?
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
from s2auc.ranking.intervals import delong_difference, delong_interval
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
# Three things to take from these numbers:
#
# - Intervals that overlap do not mean that there is no difference. On 300 rows those of s2auc and
#   logistic regression overlap, yet that of their difference stays above zero. Both models rank the
#   same rows, and what is hard for both drops out of the difference.
# - An interval that holds zero means that these rows cannot tell, not that the models are equal.
#   How far it reaches says what could have been missed: 300 rows leave room for 0.047 in favour of
#   the forest, 4,000 rows for 0.015.
# - All of it is about these three models, not about methods. The interval knows that test rows were
#   drawn. It does not know that the 100 labels were drawn, too. So here are eight other draws.

for seed in range(8):
    again = scores_after(np.random.default_rng(seed).permutation(2000)[:100])
    for other in others:
        differences[seed, other] = delong_difference(truth_test, again["s2auc"], again[other])

for other in others:
    found = [differences[seed, other] for seed in range(8)]
    values = [difference.value for difference in found]
    n_ahead = sum(difference.low > 0 for difference in found)
    n_behind = sum(difference.high < 0 for difference in found)
    print(f"s2auc minus {other}: {min(values):.3f} to {max(values):.3f},", end=" ")
    print(f"interval above zero in {n_ahead} of 8 draws, below zero in {n_behind}")

# %%
# Against logistic regression the answer stays the same, whatever rows are labelled. Against the
# forest it depends on them: five draws are in favour of s2auc, one is in favour of the forest, all
# six by an interval without zero, and two cannot tell. To compare methods, draw labels more than
# once.
#
# Bands of the ROC curves are pointwise: at any one share of negative rows the curve lies within its
# band with a confidence of 95 %, not at all of them at once.

figure, (small, large, right) = plt.subplots(1, 3, figsize=(12.5, 5.6), layout="constrained")
below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.13), "frameon": False}
styles = {
    "logistic regression": ("#D55E00", ":"),
    "s2auc": ("#0072B2", "-"),
    "random forest": ("#009E73", "--"),
}
for axes, n_rows in ((small, 300), (large, 4000)):
    for name, (color, dashes) in styles.items():
        auc = delong_interval(truth_test[:n_rows], scores[name][:n_rows])
        band = roc_band(truth_test[:n_rows], scores[name][:n_rows])
        label = f"{name}, {auc.value:.3f} ({auc.low:.3f} to {auc.high:.3f})"
        axes.plot(band.false_rate, band.true_rate, dashes, color=color, label=label)
        axes.fill_between(band.grid, band.low, band.high, color=color, alpha=0.15, linewidth=0)
    axes.set(title=f"{n_rows:,} test rows", xlabel="Share of negative rows above the cut")
    axes.set_ylabel("Share of positive rows above the cut")
    axes.legend(title="AUC, 95 % interval", **below)

for other, beside in (("logistic regression", -0.15), ("random forest", 0.15)):
    found = [differences[key, other] for key in (300, 4000, *range(8))]
    values, lows, highs = np.array([(one.value, one.low, one.high) for one in found]).T
    look = {"color": styles[other][0], "fmt": "s" if beside > 0 else "o", "capsize": 3}
    places, reaches = np.arange(10) + beside, [values - lows, highs - values]
    right.errorbar(values, places, xerr=reaches, label=f"s2auc minus {other}", **look)
right.axvline(0, color="#000000", linewidth=0.8)
names = ["300 rows", "4,000 rows", *(f"other labels {number}" for number in range(1, 9))]
right.set_yticks(range(10), names)
right.set(title="Differences", xlabel="Difference of AUCs", xticks=[-0.05, 0, 0.05, 0.1])
right.invert_yaxis()
right.legend(title="Difference of AUCs, 95 % interval", **below)
figure.suptitle("Intervals know the luck of the test rows, not the luck of the labels")
plt.show()
