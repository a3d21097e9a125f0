"""Downloads, from a server of our own on this machine."""

import dataclasses
import hashlib
import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from s2auc.experiments.datasets import download as download_module
from s2auc.experiments.datasets.download import DownloadError, download
from s2auc.experiments.datasets.load import load_dataset
from s2auc.experiments.datasets.table import DATASETS

CONTENT = np.random.default_rng(0).bytes(50_000)
HALF = len(CONTENT) // 2


class Handler(BaseHTTPRequestHandler):
    """Answer as the next manner of the server's list says; the last one stays."""

    def do_GET(self):
        manners = self.server.manners
        manner = manners.pop(0) if len(manners) > 1 else manners[0]
        wanted = self.headers.get("Range")
        self.server.ranges.append(wanted)
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
        getattr(self, f"answer_{manner}")(self.server.content, start)

    def send(self, status, body, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def answer_well(self, content, start):
        if start >= len(content) > 0:
            self.send(416, b"", Content_Range=f"bytes */{len(content)}", Content_Length=0)
        elif start:
            span = f"bytes {start}-{len(content) - 1}/{len(content)}"
            self.send(206, content[start:], Content_Range=span, Content_Length=len(content) - start)
        else:
            self.send(200, content, Content_Length=len(content))

    def answer_ignoring_range(self, content, start):
        self.send(200, content, Content_Length=len(content))

    def answer_without_length(self, content, start):
        self.send(200, content)

    def answer_half(self, content, start):
        self.send(200, content[:HALF], Content_Length=len(content))

    def answer_other_range(self, content, start):
        self.send(206, content, Content_Range=f"bytes 0-{len(content) - 1}/{len(content)}")

    def answer_missing(self, content, start):
        self.send(404, b"<html>no such file</html>")

    def answer_busy(self, content, start):
        self.send(503, b"")

    def log_message(self, *args):
        pass


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(download_module, "_CHUNK", 4096)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.content, server.manners, server.ranges = CONTENT, ["well"], []
        server.url = f"http://127.0.0.1:{server.server_address[1]}/data.bin"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def target(tmp_path):
    return tmp_path / "new folder" / "data.bin"


def part_of(target):
    return target.with_name("data.bin.part")


def fetch(server, target, **options):
    return download(server.url, target, **({"wait": 0.0, "timeout": 600.0} | options))


def names(target):
    return sorted(path.name for path in target.parent.iterdir())


def test_a_file_arrives_whole(server, target):
    assert fetch(server, target, sha256=hashlib.sha256(CONTENT).hexdigest()) == target
    assert target.read_bytes() == CONTENT
    assert names(target) == ["data.bin"]
    assert server.ranges == [None]


@pytest.mark.parametrize("manner", ["without_length", "ignoring_range"])
def test_other_kinds_of_servers(server, target, manner):
    server.manners = [manner]
    assert fetch(server, target).read_bytes() == CONTENT


def test_a_dropped_connection_is_resumed(server, target):
    server.manners = ["half", "well"]
    assert fetch(server, target).read_bytes() == CONTENT
    assert server.ranges == [None, f"bytes={HALF}-"]
    assert names(target) == ["data.bin"]


def test_a_later_call_resumes(server, target):
    server.manners = ["half"]
    with pytest.raises(DownloadError, match=r"25,000 of 50,000 bytes arrived; .* kept in .*data.bin.part"):
        fetch(server, target, retries=0)
    assert names(target) == ["data.bin.part"]
    server.manners = ["well"]
    assert fetch(server, target).read_bytes() == CONTENT
    assert server.ranges == [None, f"bytes={HALF}-"]


def test_a_server_that_ignores_the_range_restarts(server, target):
    server.manners = ["half", "ignoring_range"]
    assert fetch(server, target).read_bytes() == CONTENT
    assert server.ranges == [None, f"bytes={HALF}-"]


def test_a_wrong_range_restarts(server, target):
    server.manners = ["half", "other_range", "well"]
    assert fetch(server, target).read_bytes() == CONTENT
    assert server.ranges == [None, f"bytes={HALF}-", None]


def test_truncation_is_an_error_after_the_last_try(server, target):
    server.manners = ["half"]
    with pytest.raises(DownloadError, match="bytes arrived"):
        fetch(server, target, retries=2)
    assert len(server.ranges) == 3
    assert part_of(target).read_bytes() == CONTENT[:HALF]
    assert not target.exists()


def test_a_complete_part_is_taken(server, target):
    target.parent.mkdir()
    part_of(target).write_bytes(CONTENT)
    assert fetch(server, target).read_bytes() == CONTENT
    assert server.ranges == [f"bytes={len(CONTENT)}-"]
    assert names(target) == ["data.bin"]


def test_a_part_that_is_too_long_restarts(server, target):
    target.parent.mkdir()
    part_of(target).write_bytes(CONTENT + b"more")
    assert fetch(server, target).read_bytes() == CONTENT
    assert server.ranges == [f"bytes={len(CONTENT) + 4}-", None]


def test_a_wrong_digest_deletes_the_file(server, target):
    with pytest.raises(DownloadError) as raised:
        fetch(server, target, sha256="0" * 64)
    assert "0" * 64 in str(raised.value)
    assert hashlib.sha256(CONTENT).hexdigest() in str(raised.value)
    assert names(target) == []


def test_a_part_of_another_file_is_found_out(server, target):
    target.parent.mkdir()
    part_of(target).write_bytes(b"x" * HALF)
    with pytest.raises(DownloadError, match="SHA-256"):
        fetch(server, target, sha256=hashlib.sha256(CONTENT).hexdigest())
    assert names(target) == []


def test_a_missing_file_is_asked_for_once(server, target):
    server.manners = ["missing"]
    with pytest.raises(DownloadError, match=r"Could not download http://127.0.0.1.*404"):
        fetch(server, target)
    assert len(server.ranges) == 1
    assert names(target) == []


def test_a_busy_server_is_asked_again(server, target):
    server.manners = ["busy", "busy", "well"]
    assert fetch(server, target).read_bytes() == CONTENT


def test_no_server(target, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with pytest.raises(DownloadError, match="fetch the file by other means"):
        download("http://127.0.0.1:9/data.bin", target, retries=1, wait=0.0, timeout=600.0)


def test_an_existing_file_survives_a_failure(server, target):
    target.parent.mkdir()
    target.write_bytes(b"old")
    server.manners = ["half"]
    with pytest.raises(DownloadError):
        fetch(server, target, retries=0)
    assert target.read_bytes() == b"old"


def test_an_interrupt_leaves_only_the_part(server, target, monkeypatch):
    reads = []
    read = http.client.HTTPResponse.read

    def interrupted(self, amount=None):
        reads.append(amount)
        if len(reads) == 3:
            raise KeyboardInterrupt
        return read(self, amount)

    with monkeypatch.context() as patch:
        patch.setattr(http.client.HTTPResponse, "read", interrupted)
        with pytest.raises(KeyboardInterrupt):
            fetch(server, target)
    assert names(target) == ["data.bin.part"]
    assert part_of(target).read_bytes() == CONTENT[: 2 * 4096]
    assert fetch(server, target).read_bytes() == CONTENT
    assert server.ranges[-1] == f"bytes={2 * 4096}-"


def test_waits_grow(server, target, monkeypatch):
    waits = []
    monkeypatch.setattr(download_module.time, "sleep", waits.append)
    server.manners = ["busy"]
    with pytest.raises(DownloadError, match="503"):
        fetch(server, target, retries=3, wait=0.5)
    assert waits == [0.5, 1.0, 2.0]


@pytest.fixture
def published(server, monkeypatch):
    """Let the server offer the two published files of skin."""
    entry = DATASETS["skin"]
    files = tuple(dataclasses.replace(f, url=f"{server.url}/{f.name}") for f in entry.files)
    table = {"skin": dataclasses.replace(entry, files=files)}
    monkeypatch.setattr("s2auc.experiments.datasets.table.DATASETS", table)
    server.content = b"1\t2\t3\t1\n4\t5\t6\t2\n"
    return server


def test_load_dataset_downloads_once(published, tmp_path):
    for _ in range(2):
        dataset = load_dataset("skin", data_home=tmp_path, download=True)
        assert dataset.X.tolist() == [[1, 2, 3], [4, 5, 6]]
        assert dataset.y.tolist() == [True, False]
    assert len(published.ranges) == 1
    assert (tmp_path / "s2auc" / "Skin_NonSkin.txt").exists()
    assert load_dataset("skin", data_home=tmp_path).source.endswith("from Skin_NonSkin.txt")


def test_the_second_address_stands_in(published, tmp_path):
    published.manners = ["missing", "well"]
    published.content = b"1 1:7\n2 2:8\n"
    dataset = load_dataset("skin", data_home=tmp_path, download=True)
    assert dataset.X.tolist() == [[7, 0, 0], [0, 8, 0]]
    assert dataset.source.endswith("from skin_nonskin")


def test_all_addresses_dead(published, tmp_path):
    published.manners = ["missing"]
    with pytest.raises(DownloadError, match=r"No address of skin works: .*Skin_NonSkin.txt.*skin_nonskin"):
        load_dataset("skin", data_home=tmp_path, download=True)


def test_nothing_is_downloaded_unasked(published, tmp_path):
    with pytest.raises(FileNotFoundError):
        load_dataset("skin", data_home=tmp_path)
    assert published.ranges == []
