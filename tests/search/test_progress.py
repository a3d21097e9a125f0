"""What a search tells while it runs: its log, how long it thinks is left, scikit-learn's callbacks."""

import logging
import re
from time import sleep

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from s2auc import S2AUCClassifierCV
from s2auc.common.groups import PositiveFirst
from s2auc.common.threads import n_threads
from s2auc.search.grids.make_grid import GridSpec, make_grid
from s2auc.search.progress import SearchProgress, kind_of, name_of, seconds_left
from s2auc.solvers.exact.exact import Exact

try:
    from sklearn import callback as sklearn_callback
except ImportError:
    sklearn_callback = None

needs_callbacks = pytest.mark.skipif(sklearn_callback is None, reason="callbacks came with scikit-learn 1.9")

WANTED = {"kernels": ["gaussian"], "kernel_gammas": ["0.1 median", "median"], "alphas": [0.1], "scalings": ["standard"]}
WANTED |= {"column_weightings": ["none", "auc"], "neighbor_weights": [0, 1]}
NAMES = [
    "standard gaussian 0.1 median",
    "standard gaussian median",
    "standard gaussian 0.1 median, neighbours",
    "standard gaussian median, neighbours",
    "standard gaussian 0.1 median, columns by auc",
    "standard gaussian median, columns by auc",
    "standard linear",
    "sqrt forest",
    "0.5 forest",
]


def make_entries():
    return make_grid(GridSpec(**WANTED), Exact(), PositiveFirst(20, 20), n_unlabeled=100).entries


def make_rows():
    X = np.random.default_rng(0).normal(size=(120, 2))
    return X, np.where(np.arange(120) < 40, X[:, 0] > 0, -1)


def small(**changes):
    return S2AUCClassifierCV(**WANTED, members=["kernels", "linear"], random_state=0, **changes)


def test_entries_have_names_in_the_words_of_users():
    assert list(map(name_of, make_entries())) == NAMES


def test_what_is_left_is_estimated_kind_by_kind():
    entries = make_entries()
    kinds = [kind_of(entry) for entry in entries]
    cost = dict(zip(dict.fromkeys(kinds), (1.0, 5.0, 2.0, 0.5, 20.0), strict=True))
    seconds = [cost[kind] for kind in kinds]
    # Two at a time: half as long as all by themselves.
    assert seconds_left(entries, seconds[:8], sum(seconds[:8]) / 2) == pytest.approx(20.0 / 2)
    assert seconds_left(entries, seconds[:5], sum(seconds[:5])) == pytest.approx(2.0 + 3 * np.mean(seconds[:5]))
    assert seconds_left(entries, seconds, 9.0) == 0.0
    assert seconds_left(entries, [0.0], 0.0) == 0.0


class Clock:
    """Seconds that pass when told to."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.mark.parametrize(("verbose", "expected"), [(0, []), (1, [3, 5, 9]), (2, list(range(1, 10)))])
def test_lines_are_few_unless_all_are_wanted(verbose, expected, caplog):
    clock, entries = Clock(), make_entries()
    progress = SearchProgress(verbose, clock=clock)
    with caplog.at_level(logging.INFO, logger="s2auc"):
        for number in range(1, 10):
            clock.now += {3: 2.5, 5: 2.5}.get(number, 0.1)
            assert not progress.entry_done(entries, [0.1] * number)
    lines = [record.getMessage() for record in caplog.records]
    assert [int(re.match(r"search: (\d+) of 9 entries", line)[1]) for line in lines] == expected
    if verbose == 1:
        assert lines[0] == f"search: 3 of 9 entries, the last {NAMES[2]}, 2.7 s, about 5 s left"


def test_a_search_tells_its_stages(caplog):
    X, y = make_rows()
    small(verbose=2).fit(X, y)
    lines = [record.getMessage() for record in caplog.records]
    assert re.fullmatch(r"rows: \d+ positive, \d+ negative, 80 unlabelled, [\d.]+ s", lines[0])
    assert re.fullmatch(r"columns: 2 in 1 scalings, [\d.]+ s", lines[1])
    for number, (name, line) in enumerate(zip(NAMES[:7], lines[2:9], strict=True), start=1):
        assert line.startswith(f"search: {number} of 7 entries, the last {name}, ")
    assert re.fullmatch(r"judging: \d+ settings of 12, [\d.]+ s", lines[9])
    assert re.fullmatch(r"done: held-out AUC [01]\.\d+ .*, [\d.]+ s", lines[10])
    assert len(lines) == 11
    assert {(record.name, record.levelname) for record in caplog.records} == {("s2auc", "INFO")}


def test_a_quiet_search_tells_nothing(caplog):
    small(judge=False).fit(*make_rows())
    assert caplog.records == []


class Recorder:
    """Notes every hook, and asks to stop (or fails) after some entries."""

    def __init__(self, stop_after=None, error=None):
        self.stop_after, self.error, self.events, self.fitted = stop_after, error, [], []

    def setup(self, estimator, context):
        self.events.append("setup")

    def teardown(self, estimator, context):
        self.events.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.events.append(f"begin {context.task_name}")

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
        self.events.append(f"end {context.task_name}")
        self.fitted.append(fitted_estimator)
        is_due = self.events.count("end entry") == self.stop_after
        if self.error is not None and is_due:
            raise self.error
        return is_due


@needs_callbacks
def test_callbacks_see_every_entry():
    X, y = make_rows()
    recorder = Recorder()
    model = small(judge=False).set_callbacks(recorder).fit(X, y)
    assert recorder.events == ["setup", "begin fit", *["begin entry", "end entry"] * 7, "end fit", "teardown"]
    assert recorder.fitted[:-1] == [None] * 7
    np.testing.assert_array_equal(recorder.fitted[-1].decision_function(X), model.decision_function(X))
    small(judge=False).set_callbacks(sklearn_callback.ProgressBar()).fit(X, y)


@needs_callbacks
def test_a_stopped_search_chooses_among_what_is_trained(caplog):
    X, y = make_rows()
    model = small(judge=False, verbose=1).set_callbacks(Recorder(stop_after=2)).fit(X, y)
    assert "search: stopped by a callback after 2 of 7 entries" in caplog.text
    assert {(row["kernel"], row["kernel_gamma"]) for row in model.cv_results_["params"]} == {
        ("gaussian", "0.1 median"),
        ("gaussian", "median"),
    }
    alone = S2AUCClassifierCV(**WANTED | {"neighbor_weights": [0], "column_weightings": ["none"]}, random_state=0)
    alone.set_params(members=["kernels"], judge=False).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), alone.decision_function(X))


@needs_callbacks
def test_a_failing_callback_leaves_nothing_behind():
    X, y = make_rows()
    model = small(judge=False)
    recorder = Recorder(stop_after=2, error=KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt) as caught:
        model.set_callbacks(recorder).fit(X, y)
    assert caught.tb is not None
    with threadpool_limits(1):
        # Entries that other threads have begun end by themselves.
        waited = 0.0
        while n_threads() != 1 and waited < 10.0:
            sleep(0.05)
            waited += 0.05
        assert n_threads() == 1, "the traceback keeps the limit on threads that entries had"
    assert recorder.events[-1] == "teardown"
    model.set_callbacks()
    assert set(vars(model)) == set(model.get_params())
