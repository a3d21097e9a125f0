"""Parts of dates, one Python object at a time."""

import datetime as dt

EPOCH = dt.datetime(1970, 1, 1)


def parts_of_date(value):
    """Return day, month, weekday and hour."""
    if not isinstance(value, dt.datetime):
        value = dt.datetime(value.year, value.month, value.day)
    if value.tzinfo is not None:
        value = value.astimezone(dt.UTC).replace(tzinfo=None)
    midnight = dt.datetime(value.year, value.month, value.day)
    rest = (value - midnight) / dt.timedelta(microseconds=1)
    return [
        (midnight - EPOCH).days + rest / 86_400_000_000,
        float(value.month),
        float(value.weekday()),
        rest / 3_600_000_000,
    ]


def hours_of_time(value):
    return (
        value.hour * 3_600_000_000 + value.minute * 60_000_000 + value.second * 1_000_000 + value.microsecond
    ) / 3.6e9
