"""Nobody but the client of a local cluster can connect to its scheduler, its workers or their nannies."""

import socket
import ssl
import stat
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from distributed import Client, Security

from dask_runs import WAIT_SECONDS

ROLES = "scheduler", "worker", "nanny"


def address_of(client, role):
    """Return the address of the scheduler, or of some worker or nanny."""
    if role == "scheduler":
        return client.scheduler.address
    address, facts = next(iter(client.scheduler_info()["workers"].items()))
    return address if role == "worker" else facts["nanny"]


def context_of(certificate):
    """Return a TLS context that takes any server, with a certificate of a stranger or with none."""
    context = Security.temporary().get_connection_args("client")["ssl_context"]
    if certificate == "none":
        context = ssl.create_default_context()
        context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@pytest.mark.parametrize("certificate", ["none", "a stranger's"])
@pytest.mark.parametrize("role", ROLES)
def test_strangers_are_refused(client, role, certificate):
    place = urlsplit(address_of(client, role))
    assert place.scheme == "tls"
    with (
        socket.create_connection((place.hostname, place.port), WAIT_SECONDS) as plain,
        pytest.raises(ssl.SSLError, match="ALERT"),
        context_of(certificate).wrap_socket(plain) as secured,
    ):
        secured.recv(1)  # a server that lets strangers in speaks first


def test_clients_without_tls_are_refused(client):
    with pytest.raises(OSError, match="closed"):
        Client(address_of(client, "scheduler").replace("tls://", "tcp://"), timeout=WAIT_SECONDS)


def test_no_other_user_can_reach_what_workers_spill(client):
    for facts in client.scheduler_info()["workers"].values():
        folder = Path(facts["local_directory"])
        shielding = [place for place in folder.parents if place.name.startswith("s2auc-")]
        assert stat.S_IMODE(shielding[-1].stat().st_mode) == 0o700
