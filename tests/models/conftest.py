"""Settings for the tests of models and their files."""

import pytest


@pytest.fixture(autouse=True, scope="module")
def _no_waiting_for_the_disk():
    """Files of tests need not outlive a power cut: thousands are written, and each would wait for the disk."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("os.fsync", lambda descriptor: None)
        yield
