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
# have more ink than most, whatever digit it is? A digit's nearest images mostly show the same digit,
# but some are written with a thin pen and some with a thick one.

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
# Here somebody insists on neighbours: single fits with more and more weight on them, for five draws
# of 60 labels. The AUC is that of the images without a label.

weights = [0, 1, 10, 100]
draws = [np.random.default_rng(draw).permutation(len(X))[:60] for draw in range(5)]
aucs = {question: np.empty((4, 5)) for question in questions}
for question, truth in questions.items():
    for column, labelled in enumerate(draws):
        y = np.full(len(X), -1)
        y[labelled] = truth[labelled]
        for row, weight in enumerate(weights):
            ranker = S2AUCClassifier(
                solver="exact",
                scaling="common",
                alpha=1e-3,
                labeled_weight=1,
                neighbor_weight=weight,
                random_state=0,
            )
            aucs[question][row, column] = ranker.fit(X, y).score(X[y == -1], truth[y == -1])
    means = ", ".join(
        f"{mean:.3f} with {weight}"
        for mean, weight in zip(aucs[question].mean(axis=1), weights, strict=True)
    )
    print(f"{question:32s} mean AUC {means}")

# %%
# Search

searches = {}
for question, truth in questions.items():
    y = np.full(len(X), -1)
    y[draws[0]] = truth[draws[0]]
    search = S2AUCClassifierCV(members=["kernels"], scalings=["common"], random_state=0).fit(X, y)
    searches[question] = search.score(X[y == -1], truth[y == -1])
    has_neighbours = [settings["neighbor_weight"] > 0 for settings in search.chosen_params_]
    print(question)
    print(f"  share of settings with neighbours: {np.dot(search.chosen_shares_, has_neighbours):.2f}")
    print(f"  AUC of the images without a label: {searches[question]:.3f}")
    print(f"  {search.did_unlabeled_help_}")
