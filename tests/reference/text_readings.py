"""What the cells of a text column stand for, one cell at a time."""

import datetime as dt
import math
import unicodedata

MISSING = {"", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "-NaN", "-nan", "null", "NULL", "Null", "None", "<NA>", "NaT"}
PLACEHOLDERS = {"-", "--", "?", ".", "na", "n/a", "n.a.", "none", "unknown", "missing", "not available", "nil", "#n/a"}
BLANKS = " \u00a0\u2009\u202f"
MIN_DOT_GROUPS = 50
DAYS = {"day first, dots": "%d.%m.%Y", "day first": "%d/%m/%Y", "month first": "%m/%d/%Y", "year first": "%Y/%m/%d"}
SPELLINGS = {
    **{f"dates, {order}{clock}": days + clock for order, days in DAYS.items() for clock in ("", " %H:%M", " %H:%M:%S")},
    "times": "%H:%M",
    "times with seconds": "%H:%M:%S",
    "times with dots": "%H.%M.%S",
}
STYLES = {"numbers": (",", "."), "numbers with decimal commas": (".", ",")}


def present(cell):
    """Return a cell without blanks around it, None where it is missing."""
    return None if cell is None or cell.strip() in MISSING else cell.strip()


def is_placeholder(cell):
    return cell.lower() in PLACEHOLDERS


def boolean(cell):
    return {"true": True, "false": False}.get(cell.lower())


def is_digits(text):
    return text != "" and all(letter in "0123456789" for letter in text)


def without_symbols(cell):
    """Return a number without currency and percent signs, brackets as a minus."""
    if len(cell) > 2 and cell[0] == "(" and cell[-1] == ")":
        cell = "-" + cell[1:-1]
    cell = cell.replace("−", "-")
    for _ in range(2):
        sign = cell[:1] if cell[:1] in ("+", "-") else ""
        rest = cell[len(sign) :].lstrip(BLANKS)
        if rest and unicodedata.category(rest[0]) == "Sc":
            cell = sign + rest[1:].lstrip(BLANKS)
        if cell and (cell[-1] == "%" or unicodedata.category(cell[-1]) == "Sc"):
            cell = cell[:-1].rstrip(BLANKS)
    return cell


def number(cell, style):
    """Return the number that a cell spells, None if it spells none."""
    thousands, point = STYLES[style]
    text = without_symbols(cell)
    factor = -1.0 if text.startswith("-") else 1.0
    text = text[1:] if text[:1] in ("+", "-") else text
    if style == "numbers" and text.lower() in ("inf", "infinity", "nan"):
        return factor * float(text)
    mantissa, exponent = text, "0"
    for letter in "eE":
        if letter in text:
            mantissa, _, exponent = text.partition(letter)
            unsigned = exponent[1:] if exponent[:1] in ("+", "-") else exponent
            if not is_digits(unsigned):
                return None
            break
    whole, has_point, decimals = mantissa.partition(point)
    if decimals != "" and not is_digits(decimals):
        return None
    if whole != "" and not is_digits(whole):
        groups = [""]
        for letter in whole:
            if letter == thousands or letter in BLANKS + "'’":
                groups.append("")
            else:
                groups[-1] += letter
        if not all(map(is_digits, groups)) or not 1 <= len(groups[0]) <= 3 or groups[0][0] == "0":
            return None
        if any(len(group) != 3 for group in groups[1:]):
            return None
        whole = "".join(groups)
    if whole == "" and not (has_point and decimals):
        return None
    return factor * float(f"{whole or 0}.{decimals or 0}e{exponent}")


def is_code(cell):
    unsigned = cell[1:] if cell[:1] in ("+", "-") else cell
    return (unsigned[:1] == "0" and is_digits(unsigned[1:2])) or (len(unsigned) >= 16 and is_digits(unsigned))


def iso_date(cell, has_zone):
    """Return a date as ISO 8601 spells it, in UTC where it has a zone."""
    day, clock = cell[:10], cell[11:]
    if len(day) != 10 or (cell[10:] and (cell[10] not in " T" or not clock)):
        return None
    zone = dt.timedelta()
    if has_zone:
        if not clock:
            return None
        if clock.endswith("Z"):
            clock = clock[:-1]
        else:
            place = max(clock.rfind("+"), clock.rfind("-"))
            digits = clock[place + 1 :].replace(":", "")
            if place < 0 or not is_digits(digits) or len(digits) not in (2, 4):
                return None
            sign = -1 if clock[place] == "-" else 1
            zone = sign * dt.timedelta(hours=int(digits[:2]), minutes=int(digits[2:] or 0))
            clock = clock[:place]
    try:
        date = dt.datetime.strptime(day, "%Y-%m-%d")
    except ValueError:
        return None
    if not clock:
        return date
    seconds, point, fraction = clock.partition(".")
    if point and (not is_digits(fraction) or len(fraction) > 6 or len(seconds) != 8):
        return None
    for length, spelling in ((2, "%H"), (5, "%H:%M"), (8, "%H:%M:%S")):
        if len(seconds) == length:
            try:
                moment = dt.datetime.strptime(seconds, spelling)
            except ValueError:
                return None
            since = moment - moment.replace(hour=0, minute=0, second=0)
            return date + since + dt.timedelta(microseconds=int((fraction or "0").ljust(6, "0"))) - zone
    return None


def spelled_moment(cell, spelling):
    year = spelling.find("%Y")
    try:
        moment = dt.datetime.strptime(cell, spelling)
    except ValueError:
        return None
    if year >= 0:
        parts = cell.split(" ")[0].replace("/", ".").split(".")
        return moment if len(parts[0 if year == 0 else 2]) == 4 else None
    return moment.time()


def value(cell, reading):
    """Return what a cell that is present stands for by a reading, None if it cannot be read."""
    if reading == "booleans":
        return boolean(cell)
    if reading in STYLES:
        return number(cell, reading)
    if reading in ("dates", "dates with time zones"):
        return iso_date(cell, reading == "dates with time zones")
    return spelled_moment(cell, SPELLINGS[reading])


ORDER = ["booleans", *STYLES, "dates", "dates with time zones", *SPELLINGS]


def reading_of(cells):
    """Return the reading of a column, None if it stays text."""
    there = [cell for cell in map(present, cells) if cell is not None and not is_placeholder(cell)]
    if not there:
        return None
    has_codes = any(map(is_code, there))
    fitting = [
        reading
        for reading in ORDER
        if not (reading in STYLES and has_codes) and all(value(cell, reading) is not None for cell in there)
    ]
    if len([reading for reading in fitting if "day first" in reading or "month first" in reading]) > 1:
        return None
    if "numbers" in fitting and "numbers with decimal commas" in fitting:
        return "numbers with decimal commas" if has_decimal_commas(there) else "numbers"
    return fitting[0] if fitting else None


def has_decimal_commas(there):
    """Decide between thousands and decimals where all cells could be either."""
    bare = [without_symbols(cell).lstrip("+-") for cell in there]
    has_long = any(is_digits(cell[:4]) and len(cell) >= 4 for cell in bare)
    has_short = any(is_digits(cell) and len(cell) <= 3 for cell in bare)
    if any(is_group(cell, ",") for cell in bare):
        return has_long
    return sum(is_group(cell, ".") for cell in bare) >= MIN_DOT_GROUPS and has_short and not has_long


def is_group(cell, separator):
    """Return whether a number is like 1.234 or 1,234."""
    first, found, last = cell.partition(separator)
    is_first = is_digits(first) and len(first) <= 3 and first[0] != "0"
    return bool(found) and is_first and is_digits(last) and len(last) == 3


def read(cells, reading):
    """Return the values of a column by a reading, None where missing, and whether each cell cannot be read."""
    values, unreadable = [], []
    for cell in map(present, cells):
        is_there = cell is not None and not is_placeholder(cell)
        found = value(cell, reading) if is_there else None
        values.append(found)
        unreadable.append(is_there and found is None)
    return values, unreadable


def same(found, expected):
    """Return whether two values are the same, NaN being itself."""
    if isinstance(found, float) and isinstance(expected, float) and math.isnan(found):
        return math.isnan(expected)
    return found == expected
