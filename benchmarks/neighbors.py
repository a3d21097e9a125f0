"""Draw when neighbours help and when they cannot: the pictures of docs/guide/unlabeled-rows.md, from nothing but seeds.

python benchmarks/neighbors.py
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.datasets import make_moons

from s2auc import S2AUCClassifier
from s2auc.common.figure_style import figure_bytes
from s2auc.common.storage.files import write_file
from s2auc.experiments.datasets.load import load_dataset
from s2auc.experiments.datasets.split import semi_supervised_split
from s2auc.experiments.methods.table import METHODS
from s2auc.ranking.metrics import auc

N_ROWS, N_LABELED = 1000, 8
DIGIT_LABELS, N_DRAWS, SHOWN_DRAW = (10, 20, 40, 80, 160), 10, 3
WEIGHTS = {0.0: "labelled rows only", 10.0: "with neighbours"}
BLUE, VERMILION = "#0072B2", "#D55E00"
LINES = {"labelled rows only": (VERMILION, "--", "s"), "with neighbours": (BLUE, "-", "o")}
SPREADING = "label spreading"


def main() -> None:
    """Draw both pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    images = Path(__file__).parents[1] / "docs" / "images"
    parser.add_argument("--output", type=Path, default=images, help="folder that the pictures go to")
    output = parser.parse_args().output
    for name, figure in {"neighbors_plane.png": plane_figure(), "neighbors_digits.png": digits_figure()}.items():
        write_file(output / name, figure_bytes(figure))
        print(f"Written: {name}")


def moons(n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two moons with a gap between them, where neighbours are of one class."""
    X, is_positive = make_moons(n_rows, noise=0.08, random_state=seed)
    return X, is_positive == 1


def noisy_moons(n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the same with twenty columns of noise, which decide who is near whom."""
    X, is_positive = moons(n_rows, seed)
    return np.hstack([X, np.random.default_rng(seed).normal(0.0, 0.5, (n_rows, 20))]), is_positive


def plane_figure() -> Figure:
    """Return the scores of the unlabelled rows, without and with the term, where it helps and where it cannot."""
    figure = Figure(figsize=(8.6, 6.2), layout="constrained")
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    kinds = ((moons, "Two moons"), (noisy_moons, "Two moons and 20 columns of noise"))
    for row, (make, name) in zip(panels, kinds, strict=True):
        for axes, weight in zip(row, WEIGHTS, strict=True):
            draw_plane(axes, make, weight)
            axes.set_title(f"{name}: {WEIGHTS[weight]}\n{describe_auc(make, weight)}", fontsize=10)
    return figure


def draw_plane(axes: Axes, make: Callable[[int, int], tuple[np.ndarray, np.ndarray]], weight: float) -> None:
    """Draw the labelled rows of one draw, and the others by the order that was learnt from them."""
    X, truth = make(N_ROWS, 0)
    split = semi_supervised_split(truth, n_labeled=N_LABELED, seed=SHOWN_DRAW)
    ranker = plain_fit(weight).fit(X[split.labeled], truth[split.labeled], X[split.unlabeled])
    order = np.argsort(np.argsort(ranker.decision_function(X[split.unlabeled])))
    axes.scatter(*X[split.unlabeled, :2].T, s=6, c=order, cmap="RdBu", linewidths=0)
    for wanted, marker in ((True, "^"), (False, "v")):
        chosen = split.labeled[truth[split.labeled] == wanted]
        colour = BLUE if wanted else VERMILION
        axes.scatter(*X[chosen, :2].T, s=90, marker=marker, color=colour, edgecolors="black", zorder=3)
    axes.set(xticks=[], yticks=[])


def describe_auc(make: Callable[[int, int], tuple[np.ndarray, np.ndarray]], weight: float) -> str:
    """Return the test AUC over several draws of labels, in words."""
    (X, truth), (X_test, is_positive) = make(N_ROWS, 0), make(5000, 1)
    aucs = []
    for draw in range(N_DRAWS):
        split = semi_supervised_split(truth, n_labeled=N_LABELED, seed=draw)
        ranker = plain_fit(weight).fit(X[split.labeled], truth[split.labeled], X[split.unlabeled])
        aucs.append(auc(is_positive, ranker.decision_function(X_test)))
    error = np.std(aucs, ddof=1) / np.sqrt(N_DRAWS)
    return f"test AUC {np.mean(aucs):.2f} ± {error:.2f}, mean of {N_DRAWS} draws of {N_LABELED} labels"


def plain_fit(weight: float) -> S2AUCClassifier:
    """Return the same single fit, with or without the term."""
    return S2AUCClassifier(
        solver="exact",
        labeled_weight=1.0,
        neighbor_weight=weight,
        alpha=1e-3,
        scaling="common",
        n_frequencies=1000,
        random_state=0,
    )


def digits_figure() -> Figure:
    """Return the test AUC on handwritten digits against the number of labels."""
    aucs = digit_aucs()
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axes = figure.subplots()
    for name, (colour, dashes, marker) in {**LINES, SPREADING: ("#009E73", ":", "^")}.items():
        mean, error = aucs[name].mean(axis=1), aucs[name].std(axis=1, ddof=1) / np.sqrt(N_DRAWS)
        axes.errorbar(
            DIGIT_LABELS, mean, yerr=error, color=colour, linestyle=dashes, marker=marker, capsize=3, label=name
        )
    axes.set_xscale("log")
    axes.set_xticks(DIGIT_LABELS, map(str, DIGIT_LABELS))
    axes.minorticks_off()
    axes.set(
        xlabel="Labelled rows",
        ylabel="Test AUC",
        title=f"Digits, five or above against below\nmean of {N_DRAWS} draws of labels, ± standard error",
    )
    axes.grid(color="0.93")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower right")
    return figure


def digit_aucs() -> dict[str, np.ndarray]:
    """Return test AUCs by name, (numbers of labels, draws)."""
    dataset = load_dataset("digits")
    aucs = {name: np.empty((len(DIGIT_LABELS), N_DRAWS)) for name in (*WEIGHTS.values(), SPREADING)}
    for place, n_labeled in enumerate(DIGIT_LABELS):
        for draw in range(N_DRAWS):
            split = semi_supervised_split(dataset.y, n_labeled=n_labeled, n_test=600, seed=draw)
            rows = dataset.X[split.labeled], dataset.y[split.labeled], dataset.X[split.unlabeled]
            X_test, is_positive = dataset.X[split.test], dataset.y[split.test]
            for weight, name in WEIGHTS.items():
                aucs[name][place, draw] = auc(is_positive, plain_fit(weight).fit(*rows).decision_function(X_test))
            spreading = METHODS["label_spreading"].build(draw, **METHODS["label_spreading"].parameters)
            spreading.fit(*rows)
            aucs[SPREADING][place, draw] = auc(is_positive, spreading.scores(X_test))
    return aucs


if __name__ == "__main__":
    main()
