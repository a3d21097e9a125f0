"""
Only positive rows are labelled
===============================

Fraud that was found is on record. What was never looked at may be honest or not, and nobody labels
the honest cases. This example ranks from positive and unlabelled rows, makes probabilities of the
scores, and asks how far an estimated share of positive rows can be trusted.
"""

# %%
# The rows are generated, so that the truth is known: eight columns, of which the first is higher by
# ``gap`` for positive rows. There are 150 labelled positive rows. Of 2,000 unlabelled ones a share is
# positive, the *class prior*.

import matplotlib.pyplot as plt
import numpy as np

from s2auc import S2AUCClassifierCV, evaluate_model


def draw_rows(n_rows, prior, gap, seed):
    """Return rows and which of them are positive."""
    random = np.random.default_rng(seed)
    is_positive = random.random(n_rows) < prior
    X = random.normal(size=(n_rows, 4))
    X[:, 0] += gap * is_positive
    return X, is_positive


X_fraud, _ = draw_rows(150, prior=1, gap=1.5, seed=0)
X_unlabeled, _ = draw_rows(2000, prior=0.2, gap=1.5, seed=1)
X_test, is_fraud = draw_rows(5000, prior=0.2, gap=1.5, seed=2)
y_test = np.where(is_fraud, "fraud", "honest")

# %%
# ``pos_label`` says which class is the positive one; the labels then need not hold any other. Few
# settings are tried here, to keep the example short.

few = {"kernels": ["gaussian"], "kernel_gammas": ["median"], "scalings": ["standard"], "judge": False}
few |= {"neighbor_weights": [0], "column_weightings": ["none"], "alphas": [0.01, 0.1], "random_state": 0}
ranker = S2AUCClassifierCV(pos_label="fraud", **few).fit(X_fraud, ["fraud"] * 150, X_unlabeled)
print(f"test AUC {ranker.score(X_test, y_test):.3f}")

try:
    ranker.predict_proba(X_test)
except AttributeError as error:
    print(error)

# %%
# Probabilities

for class_prior in (0.2, "estimate"):
    ranker = S2AUCClassifierCV(pos_label="fraud", class_prior=class_prior, **few)
    ranker.fit(X_fraud, ["fraud"] * 150, X_unlabeled)
    found = evaluate_model(ranker, X_test, y_test)
    print(f"{class_prior}: {ranker.class_prior_:.2f}, {found.auc}, brier {found.calibration.brier:.4f}, mean {found.calibration.mean_probability:.3f}")
    print([(round(b.mean_probability,2), round(b.share_positive,2)) for b in found.calibration.bins])
    for gap in (1.5,3):
        for prior in (.1,.3,.5,.7):
            o=[];q=[];m=[]
            for seed in range(5):
                A,_=draw_rows(150,1,gap,10*seed); B,b=draw_rows(2000,prior,gap,10*seed+1); C,_=draw_rows(150,0,gap,10*seed+2); T,tt=draw_rows(2000,.5,gap,10*seed+3)
                r=S2AUCClassifierCV(pos_label="fraud", class_prior="estimate", **few).fit(A, ["fraud"] * 150, B)
                o.append(round(r.class_prior_-b.mean(),2)); q.append(r.score(T,np.where(tt,"fraud","honest")))
                r=S2AUCClassifierCV(pos_label="fraud", members=["kernels"],**few).fit(np.concatenate([A,C]), ["fraud"] * 150+["honest"]*150, B)
                m.append(r.score(T,np.where(tt,"fraud","honest")))
            print(gap,prior,o,np.mean(q).round(4),np.mean(m).round(4))
    
plt.show()
