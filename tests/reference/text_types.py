"""What text stands for, one value at a time."""

import datetime as dt
import re

MISSING = {"", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "-NaN", "-nan", "null", "NULL", "Null", "None", "<NA>", "NaT"}
ORDERS = ["%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d"]


def present(values):
    return [value.strip() for value in values if value.strip() not in MISSING]


def is_date(value, spelling):
    try:
        dt.datetime.strptime(value, spelling)
    except ValueError:
        return False
    return True


def kind_of_texts(values):
    """Return "booleans", "whole numbers", "numbers", "dates", "text", or None."""
    values = present(values)
    if not values:
        return None
    if all(value.lower() in ("true", "false") for value in values):
        return "booleans"
    has_codes = any(re.match(r"[+-]?0[0-9]", value) for value in values)
    if not has_codes and all(re.fullmatch(r"-?[0-9]+", value) and abs(int(value)) < 2**63 for value in values):
        return "whole numbers"
    if not has_codes and all(
        re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?inf", value) for value in values
    ):
        return "numbers"
    if all(re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value) and is_date(value, "%Y-%m-%d") for value in values):
        return "dates"
    fitting = [order for order in ORDERS if all(is_date(value, order) for value in values)]
    return "dates" if len(fitting) == 1 else "text"
