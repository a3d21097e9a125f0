"""Rows of the harness, compared."""

VARIES = (
    "load_seconds",
    "fit_seconds",
    "processor_seconds",
    "score_seconds",
    "peak_memory_bytes",
    "fit_memory_bytes",
    "started_at",
)


def lasting(rows):
    """Return what must not differ from run to run."""
    return [{name: value for name, value in row.items() if name not in VARIES} for row in rows]
