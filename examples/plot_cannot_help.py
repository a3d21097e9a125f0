"""
When unlabelled rows cannot help
================================

Neighbours help if rows that are near each other are of one class. Whether they are is a matter of
the question, not of the rows. This example asks two questions about the same images with the same
unlabelled rows: one that neighbours answer, and one that they blur. The search tries both ways and
is not led astray.
"""

# %%
# The images are handwritten digits. The first question: is it a five or above? The second: does it
# have more ink than most, whatever digit it is? A digit's nearest images mostly show the same
# digit, but some are written with a thin pen and some with a thick one.

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle
from sklearn.datasets import load_digits
from sklearn.neighbors import NearestNeighbors

from s2auc import S2AUCClassifier, S2AUCClassifierCV

X, digit = load_digits(return_X_y=True)
ink = X.sum(axis=1)
questions = {
    "Is it five or above?": (digit >= 5).astype(int),
    "Is there more ink than in most?": (ink > np.median(ink)).astype(int),
}
nearest = NearestNeighbors(n_neighbors=11).fit(X).kneighbors(X, return_distance=False)[:, 1:]
for question, truth in questions.items():
    alike = np.mean(truth[nearest] == truth[:, np.newaxis])
    print(f"{question:32s} {alike:.0%} of the ten nearest images have the same answer")

# %%
# Now somebody insists on neighbours: single fits with more and more weight on them, for three draws
# of 60 labels. The AUC is that of the images without a label.

weights = [0, 1, 10, 100]
draws = [np.random.default_rng(draw).permutation(len(X))[:60] for draw in range(3)]
common = {"solver": "exact", "scaling": "common", "alpha": 1e-3, "labeled_weight": 1}
aucs = {question: np.empty((4, 3)) for question in questions}
for question, truth in questions.items():
    for column, labelled in enumerate(draws):
        y = np.full(len(X), -1)
        y[labelled] = truth[labelled]
        for row, weight in enumerate(weights):
            ranker = S2AUCClassifier(neighbor_weight=weight, random_state=0, **common).fit(X, y)
            aucs[question][row, column] = ranker.score(X[y == -1], truth[y == -1])
    print(question)
    for weight, auc in zip(weights, aucs[question].mean(axis=1), strict=True):
        print(f"  neighbour weight {weight:3d}: mean AUC {auc:.3f}")

# %%
# Neighbours lift the AUC of the first question, and ruin that of the second: the stronger, the
# worse.
#
# Nobody has to know this beforehand. ``S2AUCClassifierCV`` tries settings with and without
# unlabelled rows, and rows that were held out decide. It is restricted here to kernels on common
# units, to be comparable with the fits above.

searched = {}
options = {"members": ["kernels"], "scalings": ["common"], "random_state": 0}
labelled_only = {"labeled_weights": [1], "neighbor_weights": [0], "judge": False}
for question, truth in questions.items():
    y = np.full(len(X), -1)
    y[draws[0]] = truth[draws[0]]
    search = S2AUCClassifierCV(**options).fit(X, y)
    searched[question] = search.score(X[y == -1], truth[y == -1])
    without = S2AUCClassifierCV(**options, **labelled_only).fit(X, y)
    has_neighbours = [settings["neighbor_weight"] > 0 for settings in search.chosen_params_]
    print(question)
    share = np.dot(search.chosen_shares_, has_neighbours)
    print(f"  share of neighbours in the model: {share:.2f}")
    print(f"  AUC of the search: {searched[question]:.3f}", end=", ")
    print(f"with labelled rows only: {without.score(X[y == -1], truth[y == -1]):.3f}")
    print(f"  {search.did_unlabeled_help_}")

# %%
# For the first question most of the model uses neighbours, and ``did_unlabeled_help_`` says yes. It
# is right about the direction. About the size it knows little: the gain on the images without a
# label is far smaller than the one on held-out rows, and even a little below its interval, which
# takes models as given and rests on 60 labels.
#
# For the second question the search falls back on labelled rows: no setting with neighbours has a
# share, and the AUC is that of the search with labelled rows only. Both choices are the same, so
# the difference is zero. The answer is "cannot tell" rather than "no", as 60 labels allow no more.
#
# The left and middle panels show ten images and their nine nearest. Frames mark neighbours whose
# answer is not that of the image in the first column. In the right panel, lines are the first draw
# of labels, bands the range of three draws.

figure = plt.figure(figsize=(11.5, 4.5), layout="constrained")
figure.get_layout_engine().set(wspace=0.04)
*pictures, curve = figure.subplots(1, 3, width_ratios=[1, 1, 1.15])
for axes, (question, truth) in zip(pictures, questions.items(), strict=True):
    shown = np.column_stack([np.arange(10), nearest[:10, :9]])
    tiles = np.pad(X[shown].reshape(10, 10, 8, 8), ((0, 0), (0, 0), (1, 1), (1, 1)))
    axes.imshow(tiles.swapaxes(1, 2).reshape(100, 100), cmap="gray_r", interpolation="nearest")
    for row, column in np.argwhere(truth[shown] != truth[shown[:, :1]]):
        corner = 10 * column - 0.2, 10 * row - 0.2
        axes.add_patch(Rectangle(corner, 9.4, 9.4, fill=False, color="#D55E00", linewidth=2))
    axes.axvline(9.5, color="#000000", linewidth=1)
    axes.set(title=question, xticks=[4.5, 54.5], yticks=[])
    axes.set_xticklabels(["image", "its nearest images"])
    axes.tick_params(length=0)
styles = {"#0072B2": ("o", "-"), "#D55E00": ("s", "--")}
for question, (colour, (marker, dashes)) in zip(questions, styles.items(), strict=True):
    auc = aucs[question]
    curve.fill_between(range(4), auc.min(axis=1), auc.max(axis=1), color=colour, alpha=0.15, lw=0)
    curve.plot(range(4), auc[:, 0], color=colour, marker=marker, linestyle=dashes, label=question)
    curve.plot([4], [searched[question]], color=colour, marker=marker, markersize=9)
curve.axvline(3.5, color="0.8")
curve.set_xticks(range(5), [*weights, "search"])
curve.set(xlabel="Weight of neighbours", ylabel="AUC of images without a label", ylim=(0.5, 1.01))
curve.set_title("Insisting on neighbours, or searching")
curve.spines[["top", "right"]].set_visible(False)
curve.legend(frameon=False, loc="lower left")
figure.suptitle("The same rows, two questions: neighbours that disagree cannot help")
plt.show()
