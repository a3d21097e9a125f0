"""Scores that go to a stream: the bytes of the CSV file, and nothing after an error."""

import io
import os

import numpy as np
import pytest

from model_samples import make_model, make_part
from s2auc import score_table
from s2auc.data.schema.schema import Schema
from s2auc.ranking.calibration import PlattScaling
from s2auc.scoring import table_scores

pa = pytest.importorskip("pyarrow")

N_ROWS, KEPT = 500, ["id", "name"]
X = np.random.default_rng(0).normal(size=(N_ROWS, 3))
MODEL = make_model(
    parts=(make_part(n_frequencies=20),),
    schema=Schema(3, {}, ("x0", "x1", "x2")),
    probabilities=PlattScaling(slope=2.0, intercept=-0.5),
)
TABLE = pa.table(
    {f"x{column}": X[:, column] for column in range(3)}
    | {"id": np.arange(N_ROWS), "name": pa.array([None if row % 3 == 0 else f'"{row}",é' for row in range(N_ROWS)])}
)


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    monkeypatch.setattr(table_scores, "BLOCK_ROWS", 100)


@pytest.mark.parametrize("asked", [{}, {"top": 7}, {"top": 0.1, "probability": True}, {"probability": True}], ids=str)
def test_the_bytes_are_those_of_the_file(asked, tmp_path):
    stream = io.BytesIO()
    done = score_table(MODEL, TABLE, stream, keep=KEPT, **asked)
    file = score_table(MODEL, TABLE, tmp_path / "scores.csv", keep=KEPT, **asked)
    assert stream.getvalue() == (tmp_path / "scores.csv").read_bytes()
    assert not stream.closed
    assert (done.path, done.n_scored, done.n_written) == (None, N_ROWS, file.n_written)
    assert repr(done).endswith(": to a stream>")
    with pytest.raises(TypeError, match=r"Scores that went to a stream have no path"):
        os.fspath(done)


def test_rows_are_written_as_they_are_scored():
    sizes = []

    class Watched(io.BytesIO):
        def write(self, data):
            sizes.append(len(data))
            return super().write(data)

    score_table(MODEL, TABLE, Watched(), keep=KEPT)
    assert len(sizes) >= 5
    assert max(sizes) < sum(sizes) / 3


class Narrow(io.RawIOBase):
    """A raw stream that takes a few bytes at a time, and tells how many."""

    def __init__(self):
        super().__init__()
        self.taken = bytearray()

    def writable(self):
        return True

    def write(self, data):
        part = bytes(data[:1000])
        self.taken += part
        return len(part)


class Silent:
    """Something that is written to, and tells nothing."""

    def __init__(self):
        self.taken = bytearray()

    def write(self, data):
        self.taken += data


@pytest.mark.parametrize("kind", [Narrow, Silent])
def test_streams_that_take_little_or_tell_little_get_everything(kind):
    whole, stream = io.BytesIO(), kind()
    for target in (whole, stream):
        score_table(MODEL, TABLE, target, keep=KEPT)
    assert bytes(stream.taken) == whole.getvalue()


class Broken(io.BytesIO):
    """A stream whose reader goes away after some writes."""

    def __init__(self, n_writes, error):
        super().__init__()
        self.n_left, self.error = n_writes, error

    def write(self, data):
        if not self.n_left:
            raise self.error
        self.n_left -= 1
        return super().write(data)


@pytest.mark.parametrize("n_writes", [0, 1, 3])
@pytest.mark.parametrize("top", [None, 5])
def test_a_reader_that_goes_away_is_told_of_as_it_is(n_writes, top):
    error = BrokenPipeError(32, "Broken pipe")
    stream = Broken(n_writes if top is None else min(n_writes, 1), error)
    with pytest.raises(BrokenPipeError) as caught:
        score_table(MODEL, TABLE, stream, keep=KEPT, top=top)
    assert caught.value is error
    assert stream.n_left == 0


def test_after_an_error_nothing_more_is_written():
    whole, stream = io.BytesIO(), io.BytesIO()
    score_table(MODEL, TABLE, whole, keep=KEPT)
    rows = X.copy()
    rows[350, 1] = np.inf
    broken = TABLE.set_column(1, "x1", pa.array(rows[:, 1]))
    with pytest.raises(ValueError, match=r"'x1'"):
        score_table(MODEL, broken, stream, keep=KEPT)
    written = stream.getvalue()
    assert whole.getvalue().startswith(written)
    assert written.count(b"\n") <= 1 + 300
    assert not stream.closed


def test_what_is_wrong_is_said_before_anything_is_written():
    stream = io.BytesIO()
    for asked, sentence in (({"top": -1}, "'top'"), ({"keep": ["nowhere"]}, "keep must name a column of the table")):
        with pytest.raises(ValueError, match=sentence):
            score_table(MODEL, TABLE, stream, **asked)
    with pytest.raises(ValueError, match=r"Column 'list' must have a type that a \.csv file can hold"):
        score_table(MODEL, TABLE.append_column("list", pa.array([[1]] * N_ROWS)), stream, keep=[*KEPT, "list"])
    assert stream.getvalue() == b""
    with pytest.raises(TypeError, match=r"must be a path or a binary stream. Got 3; name a file"):
        score_table(MODEL, TABLE, 3)
