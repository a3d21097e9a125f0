"""
Watching the solver converge
============================

The stochastic solver makes one step after the other: each draws rows and fresh random frequencies,
and moves the scores a little. This example looks at a run from inside, asks how many steps are
enough, and shows why steps are not as long as the paper prints them.
"""

# %%
# Two moons that overlap: 3,000 rows, of which the first 60 have a label. A fit keeps what happened
# in ``history_``, one number a step: the risk over the rows that the step drew, the AUC over the
# labelled rows, and the size of the step.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from s2auc import QSG, S2AUCClassifier

X, truth = make_moons(3000, noise=0.35, random_state=0)
y = np.where(np.arange(3000) < 60, truth, -1)
X_test, truth_test = X[60:], truth[60:]

history = S2AUCClassifier(max_iter=300, random_state=0).fit(X, y).history_
for iteration in (1, 10, 100, 300):
    risk, auc, step = (history[name][iteration - 1] for name in ("risk", "labeled_auc", "step"))
    print(f"iteration {iteration}: risk {risk:.3f}, labelled AUC {auc:.3f}, step {step:.3f}")

# %%
# The risk falls fast, then trembles, since every step draws other rows. The labelled AUC is that of
# rows the model learns from, so it flatters. Neither says when to stop; rows that were held out do.
#
# A fit with few steps makes the first steps of a longer one, so fits with growing ``max_iter`` tell
# the test AUC by the number of steps. The model is an average of all iterates, later ones counting
# more; ``QSG(average=False)`` takes the last one instead. Both are tried with the default steps,
# and with steps that see little: four of the paper's triplets of rows, and two frequencies.

n_steps = np.geomspace(5, 300, 10).astype(int)
little = {"batch_size": 4, "n_frequencies": 2}
runs = {
    "default steps, average": (QSG(), {}),
    "default steps, last iterate": (QSG(average=False), {}),
    "steps that see little, average": (QSG(pairing="triplet"), little),
    "steps that see little, last iterate": (QSG(pairing="triplet", average=False), little),
}
test_aucs = {name: [] for name in runs}
for name, (solver, options) in runs.items():
    for number in n_steps:
        ranker = S2AUCClassifier(solver=solver, max_iter=number, random_state=0, **options)
        test_aucs[name].append(ranker.fit(X, y).score(X_test, truth_test))
    movement = np.abs(np.diff(ranker.history_["labeled_auc"])).sum()
    print(f"{name}: test AUC {test_aucs[name][-1]:.3f} at the end,", end=" ")
    print(f"all ups and downs of the labelled AUC {movement:.2f}")

exact = S2AUCClassifier(solver="exact", random_state=0).fit(X, y).score(X_test, truth_test)
print(f"closed form: test AUC {exact:.3f}")

# %%
# With the default steps the last iterate is ahead of the average, which still carries its
# beginnings, and both end level with the closed form. With steps that see little the last iterate
# moves up and down five times as much as the average, and a fit ends wherever it happens to stand.
# The average is steadier within a run, but not better here: over ten seeds, with the usual 200
# steps, the two are level.

for name in ("steps that see little, average", "steps that see little, last iterate"):
    solver, options = runs[name]
    ranker = S2AUCClassifier(solver=solver, **options)
    fits = (ranker.set_params(random_state=seed).fit(X, y) for seed in range(10))
    aucs = [fit.score(X_test, truth_test) for fit in fits]
    print(f"{name}: mean test AUC {np.mean(aucs):.4f}, standard deviation {np.std(aucs):.4f}")

# %%
# The size of step t is θ/(t + θL), where θ is 1/``alpha`` and L the curvature of the risk, measured
# before the first step. The paper prints θ/t, here ``QSG(schedule="printed")``. Its first step has
# the size 1/``alpha``, far too much where ``alpha`` is small. A run whose scores leave all bounds
# ends in an error that says what to do, never in a model.

alphas = [0.003, 0.01, 0.03, 0.1, 0.3, 1]
by_schedule = {"shifted": [], "printed": []}
for schedule, found in by_schedule.items():
    for alpha in alphas:
        ranker = S2AUCClassifier(solver=QSG(schedule=schedule), alpha=alpha, random_state=0)
        try:
            found.append(ranker.fit(X, y).score(X_test, truth_test))
        except RuntimeError as error:
            found.append(np.nan)
            print(f"{schedule}, alpha={alpha}: {type(error).__name__}: {error}")
    print(f"{schedule}: test AUC {np.round(found, 3)} for alphas {alphas}")

# %%
# An error is the kinder end: with ``alpha=0.1`` the printed steps bring a model, and a bad one.
# From 0.3 on both schedules agree, but the best models have a smaller ``alpha``.

figure = plt.figure(figsize=(11, 7.4), layout="constrained")
left, right = figure.subfigures(1, 2, width_ratios=[1, 1.35])
figure.suptitle("A few hundred steps reach the closed form, if none is too long", size="x-large")

inside = left.subplots(3, sharex=True)
for axes, name in zip(inside, ("risk", "labeled_auc", "step"), strict=True):
    axes.plot(history["iteration"], history[name], color="#0072B2")
inside[0].set(title="One run from inside", ylabel="Risk of the batch", xscale="log", yscale="log")
inside[0].set_yticks([0.3, 0.5, 1], labels=["0.3", "0.5", "1"], minor=False)
inside[0].minorticks_off()
inside[1].set(ylabel="AUC, labelled rows")
inside[2].set(ylabel="Size of the step", xlabel="Step", ylim=(0, None))

upper, lower = right.subplots(2, 1)
styles = [("#0072B2", "o-"), ("#56B4E9", "s--"), ("#D55E00", "^-"), ("#E69F00", "v--")]
for (name, aucs), (color, style) in zip(test_aucs.items(), styles, strict=True):
    upper.plot(n_steps, aucs, style, color=color, markersize=5, label=name)
upper.axhline(exact, color="#000000", linestyle=":", label="closed form")
upper.set(title="How many steps are enough", xscale="log", ylim=(0.862, 0.948))
upper.set(xlabel="Steps made", ylabel="Test AUC")
upper.legend(frameon=False, loc="lower right", fontsize="small")

diverged = np.array(alphas)[np.isnan(by_schedule["printed"])]
lower.plot(alphas, by_schedule["shifted"], "o-", color="#0072B2", label="θ/(t + θL), the default")
lower.plot(alphas, by_schedule["printed"], "s--", color="#D55E00", label="θ/t, as printed")
cross = {"color": "#D55E00", "markersize": 9, "markeredgewidth": 2}
lower.plot(diverged, np.full(len(diverged), 0.5), "x", label="θ/t, ended in an error", **cross)
lower.set(title="How long steps may be", xscale="log", xlabel="alpha", ylabel="Test AUC")
lower.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 0.1))
plt.show()
