"""
Only positive rows are labelled
===============================

Fraud that was found is on record. What was never looked at may be honest or not, and nobody labels
honest cases. This example ranks from positive and unlabelled rows, turns scores into probabilities,
and asks how far an estimated share of positive rows can be trusted.
"""

# %%
# The rows are generated, so that the truth is known: four columns, the first of which is higher for
# fraud, by ``gap`` standard deviations. There are 150 labelled rows, all of them fraud, and 2,000
# unlabelled ones. The share of fraud among these is called the class prior; here it is 0.2.

import matplotlib.pyplot as plt
import numpy as np

from s2auc import S2AUCClassifierCV, evaluate_model


def draw_rows(n_rows, prior, gap, seed):
    """Return rows, and the class of each."""
    random = np.random.default_rng(seed)
    is_fraud = random.random(n_rows) < prior
    X = random.normal(size=(n_rows, 4))
    X[:, 0] += gap * is_fraud
    return X, np.where(is_fraud, "fraud", "honest")


X_fraud, y_fraud = draw_rows(150, prior=1, gap=1.5, seed=0)
X_unlabeled, _ = draw_rows(2000, prior=0.2, gap=1.5, seed=1)
X_test, y_test = draw_rows(5000, prior=0.2, gap=1.5, seed=2)

# %%
# ``pos_label`` names the positive class; ``y`` need not hold any other then. To keep the example
# short few settings are tried: leave them out to have the usual search.
#
# Ranking needs no more than that. Probabilities do: a high score means less where fraud is rare. So
# there are none until somebody says what the class prior is.

settings = {
    "members": ["kernels"],
    "kernels": ["gaussian"],
    "kernel_gammas": ["median"],
    "alphas": [0.01, 0.1],
    "scalings": ["standard"],
    "column_weightings": ["none"],
    "neighbor_weights": [0],
    "judge": False,
    "random_state": 0,
    "pos_label": "fraud",
}
ranker = S2AUCClassifierCV(**settings).fit(X_fraud, y_fraud, X_unlabeled)
print(f"test AUC {ranker.score(X_test, y_test):.3f}")
try:
    ranker.predict_proba(X_test)
except AttributeError as error:
    print(error)

# %%
# The class prior may be known, from an audit or from other years. Else ``class_prior="estimate"``
# takes it from the scores: the largest share of fraud that the unlabelled rows leave room for.

evaluations = {}
for class_prior in (0.2, "estimate"):
    ranker = S2AUCClassifierCV(class_prior=class_prior, **settings)
    ranker.fit(X_fraud, y_fraud, X_unlabeled)
    found = evaluations[class_prior] = evaluate_model(ranker, X_test, y_test)
    print(f"class_prior={class_prior!r}: prior {ranker.class_prior_:.2f},", end=" ")
    print(f"AUC {found.auc.value:.3f}, Brier score {found.calibration.brier:.3f},", end=" ")
    print(f"mean probability {found.calibration.mean_probability:.2f}")
print(f"share of fraud among the test rows: {found.calibration.share_positive:.2f}")

# %%
# The order is the same, and so is the AUC. With the true class prior, probabilities come true,
# or nearly so: their mean is the share of fraud. With the estimate, which is too high, they are too
# high as well.
#
# How good are ranking and estimate in general? Here class priors vary, the classes overlap much (a
# gap of 1.5) or little (a gap of 3), and everything is drawn five times. Where they overlap much, a
# second model ranks the same test rows. It has 150 labelled honest rows as well.

priors, gaps = [0.1, 0.3, 0.5, 0.7], [1.5, 3]
estimates = {gap: np.zeros((4, 5)) for gap in gaps}
aucs = {name: np.zeros((4, 5)) for name in ("fraud only", "both classes")}
for place, prior in enumerate(priors):
    for draw in range(5):
        seeds = range(100 * draw, 100 * draw + 4)
        for gap in gaps:
            X_fraud, y_fraud = draw_rows(150, 1, gap, seeds[0])
            X_unlabeled, _ = draw_rows(2000, prior, gap, seeds[1])
            X_test, y_test = draw_rows(2000, 0.5, gap, seeds[2])
            ranker = S2AUCClassifierCV(class_prior="estimate", **settings)
            ranker.fit(X_fraud, y_fraud, X_unlabeled)
            estimates[gap][place, draw] = ranker.class_prior_
            if gap == 1.5:
                aucs["fraud only"][place, draw] = ranker.score(X_test, y_test)
                X_honest, y_honest = draw_rows(150, 0, gap, seeds[3])
                X, y = np.vstack([X_fraud, X_honest]), np.hstack([y_fraud, y_honest])
                ranker = S2AUCClassifierCV(**settings).fit(X, y, X_unlabeled)
                aucs["both classes"][place, draw] = ranker.score(X_test, y_test)

print(f"class priors {priors}")
for name, found in aucs.items():
    print(f"mean test AUC, labels of {name}: {found.mean(axis=1).round(3)}")
for gap, found in estimates.items():
    errors = found - np.array(priors)[:, None]
    print(f"gap {gap}: mean estimate {found.mean(axis=1).round(2)},", end=" ")
    print(f"largest error {np.abs(errors).max(axis=1).round(2)}")

# %%
# Unlabelled rows stand in for honest ones, and do so well while fraud is rare among them: up to a
# class prior of 0.3, labels of honest rows bring less than 0.005. The more fraud there is among the
# unlabelled rows, the more such labels are missed.
#
# The estimate is another matter. Where the classes overlap much it is too high on average, since
# some honest rows cannot be told from fraud. Where they overlap little it is within 0.1 of the
# truth up to a class prior of 0.5, but may be far off at 0.7. If probabilities matter, check a
# random sample of unlabelled rows by hand, and pass the share of fraud that you find.

figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12.5, 4.9), layout="constrained")
mean_aucs = {name: found.mean(axis=1) for name, found in aucs.items()}
left.plot(priors, mean_aucs["both classes"], "s--", color="#000000", label="both classes labelled")
left.plot(priors, mean_aucs["fraud only"], "o-", color="#0072B2", label="only fraud labelled")
left.set(title="Ranking, much overlap", xlabel="True class prior", ylabel="Mean test AUC")
left.set(xlim=(0, 0.8), ylim=(0.75, 0.86))
left.legend(loc="lower left", frameon=False)

middle.plot([0, 1], [0, 1], ":", color="#000000", label="estimate = truth")
styles = {1.5: ("#D55E00", "^", "much overlap"), 3: ("#009E73", "o", "little overlap")}
for gap, (color, marker, label) in styles.items():
    beside = -0.012 if gap == 1.5 else 0.012
    places = np.repeat(priors, 5) + beside
    middle.plot(places, estimates[gap].ravel(), marker, color=color, alpha=0.8, label=label)
middle.set(title="Estimated class prior", xlabel="True class prior", ylabel="Estimates")

right.plot([0, 1], [0, 1], ":", color="#000000", label="probabilities that come true")
styles = {0.2: ("#0072B2", "s-", "true class prior"), "estimate": ("#D55E00", "^--", "estimate")}
for class_prior, (color, style, label) in styles.items():
    bins = evaluations[class_prior].calibration.bins
    probabilities = [part.mean_probability for part in bins]
    shares = [part.share_positive for part in bins]
    right.plot(probabilities, shares, style, color=color, label=label)
right.set(title="Probabilities, much overlap", xlabel="Probability", ylabel="Share of fraud")
for axes in (middle, right):
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.legend(loc="upper left", frameon=False)
figure.suptitle("Positive labels suffice to rank; probabilities need a class prior that is right")
plt.show()
