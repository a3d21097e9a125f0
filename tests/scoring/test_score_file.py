"""Files of scores are whole or absent: full disks, interruptions, two writers, folders that may not be written."""

import errno
import multiprocessing
import os
import re
import resource

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
from pyarrow import parquet  # noqa: E402

from s2auc.scoring.score_file import FORMATS, score_file  # noqa: E402

SCHEMA = pa.schema([("score", pa.float64())])


def batch_of(numbers):
    return pa.record_batch([pa.array(np.asarray(numbers, dtype=float))], schema=SCHEMA)


def write_all(path, batches):
    with score_file(path, SCHEMA) as file:
        for batch in batches:
            file.write(batch)


class FullDisk:
    """A file that takes no more than so many bytes."""

    def __init__(self, file, room):
        self._file, self._room = file, room

    def write(self, data):
        if self._room < len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._room -= len(data)
        return self._file.write(data)

    def __getattr__(self, name):
        return getattr(self._file, name)


@pytest.fixture(params=[None, b"what was there"])
def before(request):
    return request.param


def prepare(path, before):
    if before is not None:
        path.write_bytes(before)


def check_untouched(path, before):
    found = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    assert found == ({} if before is None else {path.name: before})


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("room", [0, 3, 1000, 20_000])
def test_a_full_disk(ending, room, before, tmp_path, monkeypatch):
    from s2auc.scoring import score_file as module

    path = tmp_path / f"scores{ending}"
    prepare(path, before)
    usual = module._Sink
    monkeypatch.setattr(module, "_Sink", lambda file, target: usual(FullDisk(file, room), target))
    random = np.random.default_rng(0)
    batches = [batch_of(random.normal(size=1000)) for _ in range(20)]
    with pytest.raises(
        OSError, match=r"^Cannot write the scores to '.*': No space left on device; make room"
    ) as caught:
        write_all(path, batches)
    assert caught.value.errno == errno.ENOSPC
    check_untouched(path, before)


@pytest.mark.parametrize("step", ["os.fsync", "os.replace"])
def test_a_disk_that_is_full_at_the_end(step, before, tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "scores.parquet"
    prepare(path, before)
    monkeypatch.setattr(step, fail)
    with pytest.raises(OSError, match="No space left"), score_file(path, SCHEMA) as file:
        file.write(batch_of([1.0]))
    check_untouched(path, before)


def write_within_limit(path, answers):
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    try:
        write_all(path, [batch_of(np.random.default_rng(seed).normal(size=10_000)) for seed in range(20)])
    except OSError as error:
        answers.put(str(error))


def test_the_size_that_the_system_allows(tmp_path):
    """A limit of the system that is real: no file of the process may have more than so many bytes."""
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    writer = context.Process(target=write_within_limit, args=(tmp_path / "scores.parquet", answers))
    writer.start()
    writer.join(timeout=60)
    assert not answers.empty()
    assert re.match(r"Cannot write the scores to '.*': File too large; make room there", answers.get())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("odd row"), OSError("cannot read X")])
def test_an_interruption_or_an_error_of_somebody_else(ending, error, before, tmp_path):
    path = tmp_path / f"scores{ending}"
    prepare(path, before)

    def batches():
        yield batch_of(range(1000))
        assert len(list(tmp_path.glob(".s2auc-*.tmp"))) == 1
        raise error

    with pytest.raises(type(error)) as caught:
        write_all(path, batches())
    assert caught.value is error
    check_untouched(path, before)


def test_a_folder_that_may_not_be_written(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("os.open", refuse)
    with pytest.raises(OSError, match="Read-only file system; make room there or choose another path"):
        score_file(tmp_path / "scores.csv", SCHEMA).__enter__()
    assert not list(tmp_path.iterdir())


def write_slowly(path, number, n_batches, started):
    with score_file(path, SCHEMA) as file:
        for _ in range(n_batches):
            file.write(batch_of(np.full(1000, number)))
            started.wait(timeout=60)


def test_of_two_writers_the_last_one_wins(tmp_path):
    path, context = tmp_path / "scores.parquet", multiprocessing.get_context("fork")
    meeting = context.Barrier(2)
    writers = [context.Process(target=write_slowly, args=(path, number, 20, meeting)) for number in (1, 2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(timeout=60)
    assert [writer.exitcode for writer in writers] == [0, 0]
    scores = parquet.read_table(path)["score"].to_numpy()
    assert scores.tolist() in ([1.0] * 20_000, [2.0] * 20_000)
    assert list(tmp_path.iterdir()) == [path]


def test_equal_scores_give_equal_files(tmp_path):
    for ending in FORMATS:
        for name in ("one", "two"):
            with score_file(tmp_path / f"{name}{ending}", SCHEMA) as file:
                file.write(batch_of(range(100)))
        assert (tmp_path / f"one{ending}").read_bytes() == (tmp_path / f"two{ending}").read_bytes()
