"""Model files that were written once and for all: they are read, and written again, as they were."""

from pathlib import Path

import numpy as np
import pytest

from model_samples import (
    frame_of,
    make_golden_committee,
    make_golden_model,
    make_golden_projection,
    same,
    save_and_read,
)
from s2auc.models.files.file import load_model, save_model
from s2auc.models.parts.cosine import CosinePart
from s2auc.models.parts.kernel import KernelPart
from s2auc.models.parts.kinds import PARTS, ProjectedPart
from s2auc.models.parts.linear import LinearPart
from s2auc.models.parts.trees.part import TreePart

GOLDEN = Path(__file__).parent / "golden"
GOLDEN_VERSION = "0.1.0"
GOLDEN_FILES = {
    "model_version_3.safetensors": (
        make_golden_model,
        {CosinePart, KernelPart},
        [0.913553074424, 1.69761040296, 3.17241528504, 3.210952511, 1.28074565312, 2.96891196973],
        [0.773375891052, 0.917098251817, 0.990202340585, 0.990747552253, 0.855482043434, 0.986751198214],
    ),
    "committee_version_3.safetensors": (
        make_golden_committee,
        {CosinePart, LinearPart, TreePart},
        [2.91825894418, 1.56953521736, 2.44687658036, 0.900971862747, 1.89455384376, 2.42428205804],
        [0.832295858861, 0.716593150709, 0.796780965625, 0.644131833986, 0.74840696603, 0.794945566914],
    ),
    "projection_version_3.safetensors": (
        make_golden_projection,
        {LinearPart, ProjectedPart},
        [0.652916268029, 1.29863657473, 0.61076090567, -0.930679337755, 0.976396433543, -2.27902960331],
        [0.645838926216, 0.747455734306, 0.638574356118, 0.357346823172, 0.699182586112, 0.168238784652],
    ),
}
"""Of each file: what made it, kinds of its parts, scores and probabilities."""


def write_golden_file(name):
    """Write a golden file: only ever for a new format version or a new kind of part, beside the files of older ones.

    `PYTHONPATH=src:tests:tests/models python -c "import test_golden_files as files; files.write_golden_file('...')"`
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("s2auc.models.files.bytes.version", lambda name: GOLDEN_VERSION)
        save_model(GOLDEN_FILES[name][0](), GOLDEN / name)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.safetensors"


@pytest.mark.parametrize("name", GOLDEN_FILES)
def test_golden_files_of_version_3(name, path, monkeypatch):
    # If this fails, models that users saved are lost: keep reading version 3, and write a version 4 instead.
    make, kinds, scores, probabilities = GOLDEN_FILES[name]
    data = (GOLDEN / name).read_bytes()
    model = load_model(GOLDEN / name)
    assert same(model, make())
    assert {type(part) for part in model.parts} == kinds
    rows = frame_of(model)
    np.testing.assert_allclose(model.decision_function(rows), scores, rtol=1e-6)
    np.testing.assert_allclose(model.predict_proba(rows)[:, 1], probabilities, rtol=1e-6)
    monkeypatch.setattr("s2auc.models.files.bytes.version", lambda name: GOLDEN_VERSION)
    assert save_and_read(model, path) == data


def test_every_kind_of_part_is_in_a_golden_file():
    assert set().union(*(kinds for _, kinds, _, _ in GOLDEN_FILES.values())) == set(PARTS.values())
