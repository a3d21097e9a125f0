"""
Finding the eights among handwritten digits
===========================================

Somebody wants all eights out of a pile of scanned digits, and has looked at 40 of the 1,797 images.
Images that look alike mostly show the same digit, so the images without a label can help. This
example ranks the pile with and without them, and shows the top of both lists.
"""

# %%
# A row is an image of 8 × 8 pixels, and one in ten shows an eight. So few labels may be lucky or
# not, so they are drawn five times for each number of labels, always with a tenth of eights.

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedShuffleSplit

from s2auc import S2AUCClassifier

X, digit = load_digits(return_X_y=True)
is_eight = (digit == 8).astype(int)

# %%
# All pixels have one unit, which ``scaling="common"`` keeps. The two rankings differ in
# ``neighbor_weight`` only: with 10, rows that are near each other are asked to score alike, whether
# they have a label or not. ``labeled_weight=1`` leaves pairs with unlabelled rows out of both. The
# AUC is that of the images without a label.

common = {"solver": "exact", "scaling": "common", "alpha": 1e-3, "random_state": 0}
rankers = {
    "labelled rows only": S2AUCClassifier(labeled_weight=1, neighbor_weight=0, **common),
    "with neighbours": S2AUCClassifier(labeled_weight=1, neighbor_weight=10, **common),
}
numbers_of_labels = [20, 40, 80, 160]
aucs = {name: np.empty((4, 5)) for name in rankers}
for row, n_labels in enumerate(numbers_of_labels):
    splitter = StratifiedShuffleSplit(n_splits=5, train_size=n_labels, random_state=0)
    for draw, (labelled, others) in enumerate(splitter.split(X, is_eight)):
        y = np.full(len(X), -1)
        y[labelled] = is_eight[labelled]
        for name, ranker in rankers.items():
            aucs[name][row, draw] = ranker.fit(X, y).score(X[others], is_eight[others])
    means = ", ".join(f"{values[row].mean():.3f} {name}" for name, values in aucs.items())
    print(f"{n_labels:3d} labels: mean AUC {means}")

# %%
# Neighbours bring at least as much as twice the labels would: 40 labels with neighbours are level
# with 80 labels without. The more labels there are, the less is left to gain.
#
# An AUC is an abstract thing; here is what it means for the pile. The first draw of 40 labels ranks
# the other 1,757 images, and whoever wants eights looks at the first hundred. Frames mark images
# that show another digit.

splitter = StratifiedShuffleSplit(n_splits=5, train_size=40, random_state=0)
labelled, others = next(splitter.split(X, is_eight))
y = np.full(len(X), -1)
y[labelled] = is_eight[labelled]

figure = plt.figure(figsize=(11, 4.6), layout="constrained")
curve, *lists = figure.subplots(1, 3, width_ratios=[1.15, 1, 1])
styles = {"labelled rows only": ("#D55E00", "--", "s"), "with neighbours": ("#0072B2", "-", "o")}
for name, (colour, dashes, marker) in styles.items():
    mean, low, high = aucs[name].mean(axis=1), aucs[name].min(axis=1), aucs[name].max(axis=1)
    curve.plot(numbers_of_labels, mean, color=colour, linestyle=dashes, marker=marker, label=name)
    curve.fill_between(numbers_of_labels, low, high, color=colour, alpha=0.15, linewidth=0)
curve.set_xscale("log", base=2)
curve.set_xticks(numbers_of_labels, numbers_of_labels)
curve.set(xlabel="Labelled images", ylabel="AUC of the other images")
curve.set_title("Mean and range of five draws", fontsize=11)
curve.spines[["top", "right"]].set_visible(False)
curve.legend(loc="lower right", frameon=False)

for axes, (name, ranker) in zip(lists, rankers.items(), strict=True):
    scores = ranker.fit(X, y).decision_function(X[others])
    top = others[np.argsort(-scores)[:100]]
    tiles = np.pad(X[top].reshape(10, 10, 8, 8), ((0, 0), (0, 0), (1, 1), (1, 1)))
    axes.imshow(tiles.swapaxes(1, 2).reshape(100, 100), cmap="gray_r", interpolation="nearest")
    for place in np.flatnonzero(is_eight[top] == 0):
        corner = 10 * (place % 10) - 0.2, 10 * (place // 10) - 0.2
        axes.add_patch(Rectangle(corner, 9.4, 9.4, fill=False, color="#D55E00", linewidth=2))
    n_wrong = np.sum(is_eight[top] == 0)
    print(f"First hundred, {name}: {n_wrong} are not eights")
    axes.set(xticks=[], yticks=[])
    axes.set_title(f"First hundred, {name}:\n{n_wrong} are not eights (framed)", fontsize=11)
figure.suptitle("Eights from 40 labels: images without a label put more of them at the top")
plt.show()
