"""What a fit tells while it runs: its history, its log, scikit-learn's callbacks."""

import logging

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score
from threadpoolctl import threadpool_limits

from s2auc import QSG, S2AUCClassifier
from s2auc.common.threads import n_threads
from s2auc.solvers.qsg.history import History, shown_progress
from s2auc.solvers.qsg.panels import Followed, Panel

try:
    from sklearn import callback as sklearn_callback
except ImportError:
    sklearn_callback = None

needs_callbacks = pytest.mark.skipif(sklearn_callback is None, reason="callbacks came with scikit-learn 1.9")

COLUMNS = ["iteration", "step", "risk", "labeled_auc", "seconds"]
N_ROWS, N_LABELED = 300, 40


def make_rows(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, 2))
    truth = (X[:, 0] > X[:, 1] ** 2 - 0.7).astype(int)
    return X, np.where(np.arange(N_ROWS) < N_LABELED, truth, -1)


@pytest.fixture(autouse=True)
def short_panels(monkeypatch):
    """Panels of four iterations, so that a short fit has several."""
    monkeypatch.setattr("s2auc.solvers.qsg.panels.MAX_PANEL", 4)


def fast(**changes):
    return S2AUCClassifier(**{"max_iter": 10, "n_frequencies": 8, "batch_size": 16, "random_state": 1} | changes)


# History --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("average", [True, False])
def test_history_has_a_line_an_iteration(average):
    X, y = make_rows()
    model = fast(max_iter=30, solver=QSG(average=average)).fit(X, y)
    history = model.history_
    assert list(history) == COLUMNS
    assert {column.shape for column in history.values()} == {(30,)}
    np.testing.assert_array_equal(history["iteration"], np.arange(1, 31))
    assert np.all(np.diff(history["seconds"]) >= 0)
    assert history["seconds"][0] > 0
    assert np.all(np.diff(history["step"]) < 0)
    theta = 1.0 / model.alpha
    np.testing.assert_allclose(history["step"], theta / (history["iteration"] + theta * model.curvature_))
    assert history["risk"][-10:].mean() < history["risk"][0]
    # The last line is about the model that is kept, up to the rounding of another order of sums.
    labels = y[:N_LABELED]
    area = roc_auc_score(labels, model.decision_function(X[:N_LABELED]))
    assert history["labeled_auc"][-1] == pytest.approx(area, abs=1e-2)
    assert model.stop_reason_ == "max_iter"


def panel_of(first, scores, sizes=(0.1,)):
    scores = np.asarray(scores, dtype=float)[:, :, None]
    followed = Followed(first + len(scores), scores[-1], scores[-1])
    return Panel(first, np.reshape(sizes, (-1, 1)), np.full((len(scores), 1), 0.25), scores, followed)


def test_history_goes_on_from_an_earlier_one():
    is_positive = np.array([True, False])
    earlier = History(is_positive)
    earlier.add(panel_of(0, [[1, 0], [0, 1]], [0.5, 0.4]), 1)
    # A third followed row, which has no label, does not count.
    earlier.add(panel_of(2, [[1, 1, 7]], [0.3]), 1)
    later = History(is_positive, earlier.as_arrays())
    later.add(panel_of(0, [[2, 1]], [0.2]), 4)
    arrays = later.as_arrays()
    assert arrays["iteration"].tolist() == [1, 2, 3, 4]
    assert arrays["step"].tolist() == [0.5, 0.4, 0.3, 0.2]
    assert arrays["labeled_auc"].tolist() == [1.0, 0.0, 0.5, 1.0]
    assert arrays["seconds"][3] > arrays["seconds"][2]


@pytest.mark.parametrize("is_positive", [[True, True], [False, False], []])
def test_one_class_has_no_auc(is_positive):
    history = History(np.array(is_positive, dtype=bool))
    history.add(panel_of(0, [np.zeros(len(is_positive))]), 1)
    assert np.isnan(history.as_arrays()["labeled_auc"]).all()


# Log ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "verbose", "starts"),
    [
        (None, 0, []),
        (None, 1, ["s2auc: iteration 4: step ", "s2auc: iteration 8: step "]),
        ({"format": "mine %(name)s"}, 1, ["mine s2auc", "mine s2auc"]),
        ({"level": "INFO"}, 0, []),
        ({"level": "INFO", "handlers": [logging.NullHandler()]}, True, []),
    ],
    ids=["silent", "standard error", "configured", "configured but silent", "configured elsewhere"],
)
def test_verbose_shows_progress_once(setup, verbose, starts, capsys, monkeypatch):
    # Logging as in a fresh interpreter: pytest adds handlers for the time of the call.
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    monkeypatch.setattr(logging.getLogger(), "level", logging.WARNING)
    if setup is not None:
        logging.basicConfig(**setup)
    X, y = make_rows()
    fast(max_iter=4, verbose=verbose).fit(X, y).partial_fit(X, y)
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.splitlines()
    assert len(lines) == len(starts), lines
    assert all(line.startswith(start) for line, start in zip(lines, starts, strict=True))
    assert logging.getLogger("s2auc").handlers == []
    assert logging.getLogger("s2auc").level == logging.NOTSET


def test_progress_reaches_handlers_that_are_set_up(caplog):
    X, y = make_rows()
    fast(verbose=1).fit(X, y)
    assert [record.getMessage().split(":")[0] for record in caplog.records] == [
        "iteration 4",
        "iteration 8",
        "iteration 10",
    ]
    assert {(record.name, record.levelname) for record in caplog.records} == {("s2auc", "INFO")}


def test_a_level_that_was_set_for_the_logger_wins(caplog):
    X, y = make_rows()
    with caplog.at_level(logging.ERROR, logger="s2auc"):
        fast(verbose=1).fit(X, y)
    assert caplog.records == []


def test_logging_is_put_back_after_an_error():
    logger = logging.getLogger("s2auc")
    before = logger.level, list(logger.handlers)
    with pytest.raises(KeyError), shown_progress(1):
        raise KeyError
    assert (logger.level, list(logger.handlers)) == before


# Callbacks ------------------------------------------------------------------------------------------------------------


class Recorder:
    """Notes every hook, and asks to stop (or fails) after some panels."""

    def __init__(self, stop_after=None, error=None):
        self.stop_after, self.error = stop_after, error
        self.events, self.seen = [], []

    def setup(self, estimator, context):
        self.events.append("setup")

    def teardown(self, estimator, context):
        self.events.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.events.append(f"begin {context.task_name}")

    def on_fit_task_end(self, estimator, context, *, X=None, y=None, fitted_estimator=None):
        self.events.append(f"end {context.task_name}")
        self.seen.append((X, y, fitted_estimator))
        n_panels = self.events.count("end panel")
        if self.error is not None and n_panels == self.stop_after:
            raise self.error
        return n_panels == self.stop_after


@needs_callbacks
def test_callbacks_see_every_panel():
    X, y = make_rows()
    recorder = Recorder()
    table = pd.DataFrame(X, columns=["a", "b"])
    # Steps that do not depend on how many there are.
    settings = {"alpha": 1.0, "solver": QSG(schedule="printed", step_scale=1.0)}
    model = fast(**settings).set_callbacks(recorder).fit(table, y)
    panels = ["begin panel", "end panel"] * 3
    assert recorder.events == ["setup", "begin fit", *panels, "end fit", "teardown"]
    assert all(seen_X is table and seen_y is y for seen_X, seen_y, _ in recorder.seen)
    scores = [fitted.decision_function(table) for *_, fitted in recorder.seen]
    np.testing.assert_array_equal(scores[0], fast(max_iter=4, **settings).fit(table, y).decision_function(table))
    assert not np.array_equal(scores[0], scores[1])
    for final in scores[-2:]:
        np.testing.assert_array_equal(final, model.decision_function(table))
    for *_, fitted in recorder.seen:
        assert fitted.offset_ == fitted.model_.offset
        assert set(fitted.predict(table)) == {0, 1}


@needs_callbacks
@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_callbacks_can_stop_a_fit(method):
    X, y = make_rows()
    model = fast().set_callbacks(Recorder(stop_after=2))
    getattr(model, method)(X, y)
    assert model.stop_reason_ == "callback"
    assert model.n_iter_ == 8
    assert len(model.history_["iteration"]) == 8
    model.set_callbacks().partial_fit(X, y)
    assert model.stop_reason_ == "max_iter"
    np.testing.assert_array_equal(model.history_["iteration"], np.arange(1, 19))


@needs_callbacks
@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_a_failing_callback_leaves_the_model_as_it_was(method):
    X, y = make_rows()
    model = fast().fit(X, y)
    before, names = model.decision_function(X), set(vars(model))
    recorder = Recorder(stop_after=2, error=KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt) as caught:
        getattr(model.set_callbacks(recorder), method)(X + 1, y)
    assert caught.tb is not None
    with threadpool_limits(1):
        assert n_threads() == 1, "the traceback keeps the limit on threads that steps had"
    assert recorder.events[-1] == "teardown"
    model.set_callbacks()
    assert set(vars(model)) == names
    assert (model.n_iter_, model.stop_reason_) == (10, "max_iter")
    np.testing.assert_array_equal(model.decision_function(X), before)


@needs_callbacks
def test_callbacks_see_the_closed_form_as_one_task():
    X, y = make_rows()
    recorder = Recorder()
    model = fast(solver="exact").set_callbacks(recorder).fit(X, y)
    assert recorder.events == ["setup", "begin fit", "end fit", "teardown"]
    np.testing.assert_array_equal(recorder.seen[0][2].decision_function(X), model.decision_function(X))


@needs_callbacks
def test_scoring_monitor_follows_the_auc():
    X, y = make_rows()
    monitor = sklearn_callback.ScoringMonitor(scoring={"auc": lambda model, X, y: model.score(X, y)})
    model = fast().set_callbacks(monitor).fit(pd.DataFrame(X, columns=["a", "b"]), y)
    lines = monitor.get_logs().data
    scores = [line["auc"] for line in lines if line["task_name"] == "panel"]
    assert len(scores) == 3
    assert scores[-1] == model.score(pd.DataFrame(X, columns=["a", "b"]), y)


@needs_callbacks
def test_progress_bar_runs(capsys):
    pytest.importorskip("rich")
    X, y = make_rows()
    model = fast().set_callbacks(sklearn_callback.ProgressBar()).fit(X, y)
    assert model.n_iter_ == 10
    assert "S2AUCClassifier" in capsys.readouterr().out
