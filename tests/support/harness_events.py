"""Waiting for events: tests must not mind how busy the machine is."""

import time

SAFETY_SECONDS = 600.0
"""No event takes so long on any machine; a test that waits longer has met a defect."""


def wait_until(happened):
    """Return when `happened()` is true."""
    deadline = time.monotonic() + SAFETY_SECONDS
    while not happened():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)
