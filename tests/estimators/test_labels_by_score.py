"""Labels that were chosen by score: the stated AUC is that of the table, not that of the labels."""

import numpy as np
import pytest

from s2auc import S2AUCClassifierCV, load_model
from s2auc.search import procedure
from s2auc.search.label_sampling import LabelSampling, Sampling
from searches import SMALL, rare_rows


def fit_and_check(X, y, truth, n_checked=60, **options):
    """A first fit, and a second with the labels of the rows that scored highest."""
    first = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    scores = np.where(y < 0, first.decision_function(X), -np.inf)
    checked = y.copy()
    checked[np.argsort(-scores)[:n_checked]] = truth[np.argsort(-scores)[:n_checked]]
    return first, S2AUCClassifierCV(**SMALL | options, random_state=0).fit(X, checked)


def test_rows_checked_from_the_top_do_not_inflate_the_auc(tmp_path):
    errors = []
    for seed in range(3):
        X, y, truth = rare_rows(seed)
        first, second = fit_and_check(X, y, truth, threshold=("precision", 0.5), class_prior="estimate")
        assert first.label_sampling_.answer == "random"
        assert first.label_sampling_.unweighted_auc is None
        found = second.label_sampling_
        assert found.answer == "by score"
        is_new = np.arange(len(y)) >= 210
        errors.append(
            [auc.value - second.score(X[is_new], truth[is_new]) for auc in (found.unweighted_auc, second.held_out_auc_)]
        )
        # Among the labels the share of positive rows is twice as high.
        assert second.class_prior_ == pytest.approx(truth.mean(), abs=0.12)
        assert second.learning_curve_.points[-1].auc == second.held_out_auc_
    unweighted, weighted = np.mean(errors, axis=0)
    assert unweighted > 0.04
    assert abs(weighted) < 0.04
    second.save(tmp_path / "model.safetensors")
    kept = load_model(tmp_path / "model.safetensors").record["label_sampling"]
    assert (kept["answer"], kept["sentence"]) == ("by score", found.sentence)


def test_weights_of_users_are_left_alone():
    X, y, truth = rare_rows()
    checked = np.where(np.arange(len(y)) < 210, truth, -1)
    weights = np.random.default_rng(0).random(len(y))
    search = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, checked, sample_weight=weights)
    assert search.label_sampling_.answer == "not tested"


def test_an_auc_that_cannot_be_estimated_is_none(monkeypatch):
    """Where half of the table has no labelled row like it."""
    X, y, _ = rare_rows()
    found = LabelSampling(Sampling.UNCOVERED, 0.9, 0.02, 1e-30)
    monkeypatch.setattr(procedure, "find_label_sampling", lambda *_: found)
    with pytest.warns(UserWarning, match="no labelled row represents half of the table"):
        search = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    assert search.held_out_auc_ is None
    assert search.learning_curve_ is None
    assert "labels were chosen by score" in str(search.did_unlabeled_help_)
    assert search.label_sampling_.unweighted_auc is not None
