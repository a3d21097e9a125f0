"""
Kernels against trees, label by label
=====================================

Forests are what many people reach for when they have a table. This example draws learning curves on
two tables: one on which kernels rank better, and one that was made for trees. It also shows why
``S2AUCClassifierCV`` does not want you to choose between the two.
"""

# %%
# The first table is real: ten measurements of patients with diabetes, to be ranked by whether the
# disease progressed more than in most of them. The second is generated from a rule of the form that
# a tree is made of: a row is mostly positive if its first column is above 0.5 and its second above
# 0.4, or if its third is above 0.85. Seven more columns say nothing, and one label in ten
# contradicts the rule.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedShuffleSplit

from s2auc import S2AUCClassifierCV

X_diabetes, progression = load_diabetes(return_X_y=True)
random = np.random.default_rng(0)
X_rule = random.random((1000, 10))
rule = (X_rule[:, 0] > 0.5) & (X_rule[:, 1] > 0.4) | (X_rule[:, 2] > 0.85)
tables = {
    "Diabetes": (X_diabetes, (progression > np.median(progression)).astype(int)),
    "A rule with noise": (X_rule, np.where(random.random(1000) < 0.1, ~rule, rule).astype(int)),
}

# %%
# s2auc gets all rows, forests get the labelled ones. It is restricted to kernels at first, as it
# would otherwise average them with forests of its own; three folds, two scalings of columns and no
# neighbours keep the search short. The AUC is that of the unlabelled rows, for three draws of
# labels.

kernels = S2AUCClassifierCV(
    members=["kernels"],
    scalings=["standard", "rank"],
    column_weightings=["none"],
    neighbor_weights=[0],
    cv=3,
    judge=False,
    random_state=0,
)
forests = {
    "random forest": RandomForestClassifier(random_state=0),
    "extra trees": ExtraTreesClassifier(random_state=0),
}
numbers_of_labels = [20, 60, 180]
names = ["s2auc, kernels", *forests]
aucs = {table: {name: np.empty((3, 3)) for name in names} for table in tables}
for table, (X, truth) in tables.items():
    for row, n_labels in enumerate(numbers_of_labels):
        splitter = StratifiedShuffleSplit(n_splits=3, train_size=n_labels, random_state=0)
        for draw, (labelled, others) in enumerate(splitter.split(X, truth)):
            y = np.full(len(X), -1)
            y[labelled] = truth[labelled]
            auc = kernels.fit(X, y).score(X[others], truth[others])
            aucs[table]["s2auc, kernels"][row, draw] = auc
            for name, forest in forests.items():
                scores = forest.fit(X[labelled], y[labelled]).predict_proba(X[others])[:, 1]
                aucs[table][name][row, draw] = roc_auc_score(truth[others], scores)
    print(f"{table}: mean AUC with {', '.join(map(str, numbers_of_labels))} labels")
    for name, values in aucs[table].items():
        print(f"  {name:15s}", *(f"{mean:.3f}" for mean in values.mean(axis=1)))

# %%
# Kernels lead on the first table with any number of labels, and forests on the second; there the
# random forest leads by more the more labels there are. A rule is made of steps, which trees find
# and smooth functions blur.
#
# Who knows beforehand which kind of table it is? Held-out rows do. With trees among its members the
# same search weighs kernels and forests by their AUC on rows that were held out, and averages them.
# By default trees are among the members, and so are linear functions. Here 60 labels are tried.

both = clone(kernels).set_params(members=["kernels", "trees"])
splitter = StratifiedShuffleSplit(n_splits=3, train_size=60, random_state=0)
aucs_of_both = {table: [] for table in tables}
for table, (X, truth) in tables.items():
    for labelled, others in splitter.split(X, truth):
        y = np.full(len(X), -1)
        y[labelled] = truth[labelled]
        aucs_of_both[table].append(both.fit(X, y).score(X[others], truth[others]))
    print(f"{table}: mean AUC of kernels and trees {np.mean(aucs_of_both[table]):.3f}")

# %%
# The average lies between kernels and the random forest on both tables. On the first it is level
# with kernels alone, and on the second it makes up about half of what they lack. Where you know
# that a rule is behind your table, a random forest alone is the better choice. Lines are means of
# three draws of labels and bands their range: with 20 labels the draw matters more than the method.

styles = {
    "s2auc, kernels": ("#0072B2", "-", "o"),
    "random forest": ("#009E73", "--", "s"),
    "extra trees": ("#D55E00", ":", "^"),
}
figure, panels = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
for axes, table in zip(panels, tables, strict=True):
    for name, (colour, dashes, marker) in styles.items():
        auc = aucs[table][name]
        line = {"color": colour, "linestyle": dashes, "marker": marker, "label": name}
        axes.plot(numbers_of_labels, auc.mean(axis=1), **line)
        band = auc.min(axis=1), auc.max(axis=1)
        axes.fill_between(numbers_of_labels, *band, color=colour, alpha=0.12, linewidth=0)
    star = {"marker": "*", "markersize": 16, "color": "#CC79A7", "markeredgecolor": "#000000"}
    star |= {"linestyle": "none", "label": "s2auc, kernels and trees"}
    axes.plot([60], [np.mean(aucs_of_both[table])], **star)
    axes.set_xscale("log", base=3)
    axes.set_xticks(numbers_of_labels, numbers_of_labels)
    axes.minorticks_off()
    axes.set(title=table, xlabel="Labelled rows")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="0.93")
    axes.set_axisbelow(True)
panels[0].set_ylabel("AUC of unlabelled rows")
handles = panels[0].get_legend_handles_labels()
figure.legend(*handles, loc="outside lower center", ncols=4, frameon=False)
figure.suptitle("Kernels lead on one table, forests on the other; an average lies in between")
plt.show()
