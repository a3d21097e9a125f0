"""The client whose workers take the tasks, and whether these can do them."""

import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from weakref import WeakSet

import dask
from distributed import Client, LocalCluster, get_client
from distributed.comm import CommClosedError

from s2auc.common.storage.files import ScratchFolder
from s2auc.common.threads import n_threads

LOCAL = "local"
"""In the place of an address: workers on this machine."""

CONNECT_SECONDS = 10
"""How long a scheduler may take to answer."""

WORKER_SECONDS = 60
"""How long to wait for the first worker."""

_PACKAGE = "s2auc"
_SETUP = "s2auc.distributed.worker_setup"

_checked: WeakSet[Client] = WeakSet()


def current_client() -> Client:
    """Return the client of this process, once its workers are known to have this version of the library.

    Raises
    ------
    ValueError
        If there is none, or a worker has another version or none.
    TimeoutError
        If no worker comes.
    ConnectionError
        If the scheduler goes away meanwhile.
    """
    try:
        client = get_client()
    except ValueError as error:
        raise ValueError(
            "Collections of Dask must have a client whose workers read them. Got none; start one first, such as "
            "distributed.Client() for this machine."
        ) from error
    if client not in _checked:
        with connection_to(client):
            check_workers(client)
        _checked.add(client)
    return client


@contextmanager
def connection_to(client: Any) -> Iterator[None]:
    """Raise a ConnectionError in one sentence if the scheduler goes away while the block waits for it."""
    try:
        yield
    except (CancelledError, CommClosedError) as error:
        raise ConnectionError(
            f"The scheduler must run until its tasks are done. Lost the connection to {client.scheduler.address}, or "
            "the tasks were cancelled; start it again if it has ended, then repeat the work."
        ) from error


def check_workers(client: Any) -> None:
    """Raise an error in one sentence unless there are workers, all of which have this version of the library."""
    where = client.scheduler.address
    try:
        client.wait_for_workers(1, timeout=WORKER_SECONDS)
    except TimeoutError as error:
        raise TimeoutError(
            f"A scheduler must have workers. Got none at {where} within {WORKER_SECONDS} s; start some, such as with "
            f"'dask worker {where}'."
        ) from error
    own = version(_PACKAGE)
    # A function of Python itself: one of this library could not even be sent to a worker without it.
    for worker, found in client.run(version, _PACKAGE, on_error="return").items():
        # Other errors are those of workers that are about to go.
        if isinstance(found, str | PackageNotFoundError) and found != own:
            has = found if isinstance(found, str) else "none"
            raise ValueError(
                f"Every worker must have s2auc {own}, as the client has. Got {has} on {worker}; install it there, "
                f"pip install 's2auc[dask]=={own}'."
            )


@contextmanager
def local_client(n_workers: int) -> Iterator[Client]:
    """Hold a client of so many worker processes on this machine.

    One thread each: what Python does while it reads and encodes rows would make threads wait for each other.

    Whoever can connect to a scheduler or a worker can run code there, and other users of the machine can reach its
    ports. So all of them require a TLS certificate that is made for this cluster and kept in memory. Workers spill
    pickles to a folder that only this user can enter.
    """
    scratch = ScratchFolder()
    # Nannies tell workers to give back memory at once, and those that need it again at once work half as fast.
    with (
        dask.config.set({"distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None}),
        LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            security=True,
            local_directory=str(scratch.path),
            preload=[_SETUP],
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def client_of(address: str) -> AbstractContextManager[Client]:
    """Return a client of a scheduler, to hold, by its address; "local" starts a worker process a core on this machine.

    Raises
    ------
    ConnectionError
        If no scheduler answers.
    ValueError
        If it is no address.
    """
    if address == LOCAL:
        return local_client(n_threads())
    if "://" not in address:
        raise ValueError(
            f"A scheduler must be 'local' or an address such as tcp://scheduler:8786. Got {address!r}; write it in "
            "full."
        )
    # Errors tell of a lost connection in one sentence; Dask would log tracebacks before it.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    logging.getLogger("distributed.batched").setLevel(logging.CRITICAL)
    try:
        connected: AbstractContextManager[Client] = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise ConnectionError(
            f"A scheduler must answer at its address. Got no answer from {address!r} within {CONNECT_SECONDS} s; "
            "start one there with 'dask scheduler', correct the address, or use 'local'."
        ) from error
    return connected
