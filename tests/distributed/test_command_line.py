"""`s2auc fit` and `score` with `--dask`."""

import signal
from threading import Thread

import dask
import pandas as pd
import pytest

from command_runs import one_line
from dask_runs import scheduler_process
from harness_events import wait_until
from s2auc.__main__ import main
from s2auc.distributed import clients


@pytest.fixture
def scheduler(client):
    """The address of the cluster, whose certificate Dask's configuration holds."""
    security = client.security
    files = {"ca-file": security.tls_ca_file, "client.cert": security.tls_client_cert}
    files["client.key"] = security.tls_client_key
    with dask.config.set({f"distributed.comm.tls.{name}": text for name, text in files.items()}):
        yield client.scheduler.address


def test_fit_and_score(scheduler, folder, tmp_path, capsys):
    model, scores = tmp_path / "model.safetensors", tmp_path / "scores.parquet"
    assert main(["fit", str(folder), "--label", "fraud", "--no-tune", "-o", str(model), "--dask", scheduler]) == 0
    assert "10,000 rows, 6 columns" in capsys.readouterr().out
    assert main(["fit", str(folder), "--label", "fraud", "--no-tune", "-o", str(tmp_path / "own"), "--quiet"]) == 0
    assert model.read_bytes() == (tmp_path / "own").read_bytes()
    assert main(["score", str(model), str(folder), "-o", str(scores), "--keep", "city", "--dask", scheduler]) == 0
    assert "10,000 rows scored" in capsys.readouterr().out
    assert pd.read_parquet(scores).columns.tolist() == ["city", "score"]


def test_more_unlabelled_rows(scheduler, folder, tmp_path):
    given = ["fit", str(folder), "--label", "fraud", "--unlabeled", str(folder), "--no-tune", "--quiet", "-o"]
    assert main([*given, str(tmp_path / "there"), "--dask", scheduler]) == 0
    assert main([*given, str(tmp_path / "here")]) == 0
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()


@pytest.mark.parametrize(
    ("scheduler", "code", "told"),
    [
        ("tcp://127.0.0.1:9", 1, "A scheduler must answer at its address. Got no answer from 'tcp://127.0.0.1:9'"),
        ("nowhere", 2, "A scheduler must be 'local' or an address such as tcp://scheduler:8786. Got 'nowhere'"),
    ],
)
def test_schedulers_that_are_none(folder, monkeypatch, capsys, scheduler, code, told):
    monkeypatch.setattr(clients, "CONNECT_SECONDS", 0.3)
    assert main(["fit", str(folder), "--label", "fraud", "--dask", scheduler]) == code
    assert capsys.readouterr().err.startswith(f"Error: {told}")


def test_a_scheduler_that_is_killed(folder, monkeypatch, capsys):
    def kill_when_it_has_tasks():
        wait_until(lambda: any(client.futures for client in found))
        process.kill()

    found = []
    monkeypatch.setattr(clients, "check_workers", found.append)
    with scheduler_process() as (process, address):
        killer = Thread(target=kill_when_it_has_tasks)
        killer.start()
        assert main(["fit", str(folder), "--label", "fraud", "--no-tune", "--dask", address]) == 1
        killer.join()
    told = "Error: The scheduler must run until its tasks are done. Lost the connection to tcp://127.0.0.1:"
    assert one_line(capsys.readouterr().err).startswith(told)


def test_local_workers(folder, tmp_path):
    given = ["fit", str(folder), "--label", "fraud", "--no-tune", "--quiet", "--jobs", "1", "-o"]
    assert main([*given, str(tmp_path / "there"), "--dask", "local"]) == 0
    assert main([*given, str(tmp_path / "here")]) == 0
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()


def test_local_workers_leave_an_interrupt_to_the_client(client):
    answers = client.run(lambda: signal.getsignal(signal.SIGINT) == signal.SIG_IGN)
    assert len(answers) == 2
    assert all(answers.values())
