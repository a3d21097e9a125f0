"""Settings for all tests."""

from hypothesis import HealthCheck, settings

# A busy machine is no defect: examples may take their time, and every run tries the same ones.
settings.register_profile(
    "steady", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")
