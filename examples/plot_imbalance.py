"""
Fraud-like imbalance: who stands at the top of the list
=======================================================

One case in a hundred is fraud. Twenty frauds are known, 380 other cases were checked and found
harmless, and nobody has looked at the remaining 19,600. Of the next 20,000 cases somebody can look
at a few hundred: which ones? This example ranks them by s2auc and by two methods that many people
would try first.
"""

# %%
# The cases are generated. Each class is made of three clouds, six of the twelve columns are skewed
# as amounts of money are, and some columns say nothing. The labels hold a larger share of frauds
# than the cases do, as known frauds were collected. A ranking does not mind: it compares frauds
# with harmless cases, however many there are of each.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from s2auc import S2AUCClassifierCV

X, fraud = make_classification(
    n_samples=40_000,
    n_features=12,
    n_informative=6,
    n_clusters_per_class=3,
    weights=[0.99],
    flip_y=0,
    random_state=0,
)
X[:, :6] = np.exp(X[:, :6])
X_train, X_next, fraud_train, fraud_next = X[:20_000], X[20_000:], fraud[:20_000], fraud[20_000:]

random = np.random.default_rng(0)
checked = np.concatenate(
    [
        random.choice(np.flatnonzero(fraud_train == 1), 20, replace=False),
        random.choice(np.flatnonzero(fraud_train == 0), 380, replace=False),
    ]
)
y = np.full(20_000, -1)
y[checked] = fraud_train[checked]
for name, value in {"frauds": 1, "harmless cases": 0, "unlabelled cases": -1}.items():
    print(f"{np.sum(y == value)} {name}")
print(f"{fraud_next.sum()} frauds among the next {len(fraud_next)} cases")

# %%
# ``S2AUCClassifierCV`` gets all rows and chooses its settings by itself. ``judge=False`` leaves out
# its own judgement of how good it is, as the next cases judge here. The others get the rows with
# labels.

ranker = S2AUCClassifierCV(judge=False, random_state=0).fit(X_train, y)
forest = RandomForestClassifier(n_estimators=300, random_state=0)
forest.fit(X_train[checked], y[checked])
logistic = make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced"))
logistic.fit(X_train[checked], y[checked])

scores = {
    "s2auc": ranker.decision_function(X_next),
    "random forest": forest.predict_proba(X_next)[:, 1],
    "logistic regression": logistic.decision_function(X_next),
}
found = {}
for name, score in scores.items():
    found[name] = np.cumsum(fraud_next[np.argsort(-score, kind="stable")])
    first = "  ".join(f"{found[name][k - 1]:3d} in the first {k}" for k in (100, 300, 1000))
    print(f"{name:20s} AUC {roc_auc_score(fraud_next, score):.3f}  frauds: {first}")

# %%
# On these cases s2auc finds about twice as many frauds in the first hundred as either of the
# others. Do not read more into it than one table and one draw of twenty frauds can say: clouds suit
# kernels, and other tables suit trees.
#
# What is that ranking made of? It is an average of settings, each with a share. Unlabelled rows may
# enter what a setting minimises in two ways, as pairs and as neighbours.

shares, chosen = ranker.chosen_shares_, ranker.chosen_params_
on_ranks = [settings.get("scaling") == "rank" for settings in chosen]
are_forests = ["max_features" in settings for settings in chosen]
have_pairs = [settings.get("labeled_weight", 1) < 1 for settings in chosen]
have_neighbours = [settings.get("neighbor_weight", 0) > 0 for settings in chosen]
print(f"kernels on ranks of columns: {np.dot(shares, on_ranks):.2f}")
print(f"forests: {np.dot(shares, are_forests):.2f}")
print(f"pairs with unlabelled rows: {np.dot(shares, have_pairs):.2f}")
print(f"neighbours: {np.dot(shares, have_neighbours):.2f}")

# %%
# The search tried settings with unlabelled rows, and took none of them. Unlabelled rows still say
# how each column is distributed, which turns skewed columns into ranks, and how wide the kernels
# should be.
#
# In the picture, the left panel is for whoever looks at cases: how many of those at the top are
# worth it. The right panel is for whoever answers for the losses: how many frauds are found at all.
# The AUC is the area under a curve much like the right one. It counts all places in the list alike,
# so look at the top by itself where only the top is looked at.

looked_at = np.arange(1, len(X_next) + 1)
styles = {
    "s2auc": ("#0072B2", "-"),
    "random forest": ("#009E73", "--"),
    "logistic regression": ("#D55E00", "-."),
}
figure, (precision, recall) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
for name, (colour, dashes) in styles.items():
    line = {"color": colour, "linestyle": dashes, "label": name, "linewidth": 2}
    precision.plot(looked_at[29:2000], (found[name] / looked_at)[29:2000], **line)
    recall.plot(looked_at, found[name] / fraud_next.sum(), **line)
by_chance = {"color": "#000000", "linestyle": ":", "label": "by chance"}
precision.axhline(fraud_next.mean(), **by_chance)
recall.plot(looked_at, looked_at / len(looked_at), **by_chance)
precision.set(xscale="log", ylabel="Share of them that are fraud")
precision.set_xticks([30, 100, 300, 1000, 2000], ["30", "100", "300", "1,000", "2,000"])
precision.minorticks_off()
recall.set(ylabel="Share of all frauds that are among them")
recall.set_xticks([0, 5_000, 10_000, 15_000, 20_000], ["0", "5,000", "10,000", "15,000", "20,000"])
for axes in (precision, recall):
    axes.set(xlabel="Cases looked at, from the top of the list", ylim=(0, None))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="0.93")
recall.legend(frameon=False, loc="lower right")
counts = ", ".join(f"{found[name][99]} by {name}" for name in styles)
figure.suptitle(f"Frauds among the first hundred: {counts}")
plt.show()
