"""What local workers do before they take tasks; Dask runs it in each of them."""

import logging
import signal


def dask_setup(worker: object) -> None:  # noqa: ARG001 Dask's own signature
    """Leave Ctrl-C to the process that started the workers, and that ends them: a terminal sends it to all."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # That tasks under way are given up then is no news.
    logging.getLogger("distributed.worker.state_machine").setLevel(logging.ERROR)
