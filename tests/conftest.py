"""Settings for all tests."""

import pytest
from hypothesis import HealthCheck, settings

from s2auc.kernels.instruction_sets import available_instruction_sets

# A busy machine is no defect: examples may take their time, and every run tries the same ones.
settings.register_profile(
    "steady", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")


@pytest.fixture(params=available_instruction_sets())
def kernel(request, monkeypatch):
    """Each kernel that this installation has, made the active one."""
    monkeypatch.setenv("S2AUC_KERNEL", request.param)
    return request.param
