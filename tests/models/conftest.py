"""Where a model is saved, and a small file."""

import pytest

from model_files import make_model, make_part, save_and_read


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.safetensors"


@pytest.fixture
def small(path):
    """Return the bytes of a small file."""
    return save_and_read(make_model(parts=(make_part(n_columns=2, n_frequencies=3),)), path)
