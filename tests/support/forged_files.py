"""Model files written by hand: damaged, or with a correct digest over contents that nobody would write."""

import hashlib
import json

from hypothesis import strategies as st

from model_samples import RECORD
from s2auc.kernels.frequencies import FREQUENCY_VERSION
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.parts.kinds import PARTS
from s2auc.models.record import check_record


def read_by_hand(data):
    """Return header and arrays of a model file, by the letter of the format."""
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    return header, data[8 + length :]


def write_by_hand(header, payload=b""):
    """Return a file with this header (JSON text or a value) and a correct digest, so that later checks are reached."""
    text = header if isinstance(header, str) else json.dumps(header, separators=(",", ":"))
    return sign(len(text.encode()).to_bytes(8, "little") + text.encode() + payload)


def sign(data):
    start = data.index(b'"sha256":"') + 10
    unsigned = data[:start] + b"0" * 64 + data[start + 64 :]
    return data[:start] + hashlib.sha256(unsigned).hexdigest().encode() + data[start + 64 :]


def mutate(data, random):
    changed = bytearray(data)
    for _ in range(random.randint(1, 3)):
        first, length = random.randrange(len(changed)), random.choice([1, 1, 2, 8, 64])
        piece = slice(first, first + length)
        match random.randrange(6):
            case 0:
                changed[first] ^= 1 << random.randrange(8)
            case 1:
                changed[first:first] = random.randbytes(length)
            case 2:
                del changed[piece]
            case 3:
                changed[piece] = random.randbytes(len(changed[piece]))
            case 4:
                changed[first:first] = changed[piece]
            case 5:
                changed += bytes(changed[piece])
        changed = changed or bytearray(b"?")
    return bytes(changed)


def unpack(data):
    """Return header and arrays of a model file, the description in it parsed as well."""
    header, payload = read_by_hand(data)
    header["__metadata__"]["model"] = json.loads(header["__metadata__"]["model"])
    return header, payload


def pack(header, payload):
    if "model" in header["__metadata__"]:
        header["__metadata__"]["model"] = json.dumps(header["__metadata__"]["model"])
    return write_by_hand(header, payload)


def edited(data, edit):
    """Return the file after `edit(header)`, which may return other arrays, with a correct digest."""
    header, payload = unpack(data)
    other = edit(header)
    return pack(header, payload if other is None else other)


def put(*place, value):
    def edit(header):
        inside = header
        for step in place[:-1]:
            inside = inside[step]
        inside[place[-1]] = value

    return edit


def in_metadata(key, value):
    return put("__metadata__", key, value=value)


def in_model(key, value):
    return put("__metadata__", "model", key, value=value)


def in_part(key, value):
    return put("__metadata__", "model", "parts", 0, key, value=value)


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.floats().map(float.hex),
    st.text(max_size=5),
    st.sampled_from([*KERNELS, *PARTS, FREQUENCY_VERSION, "<U3", "|b1", "<i8", "<f8", "F64", "F32", "BOOL"]),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
_KEYS = st.sampled_from(
    [*RECORD, "value", "low", "high", "level", "sentence", "answer", "column", "p_value", "positive"]
)
ODD_RECORDS = st.dictionaries(st.text(max_size=5), VALUES).flatmap(
    lambda others: st.sets(st.sampled_from(sorted(RECORD))).flatmap(
        lambda names: st.dictionaries(_KEYS, VALUES | st.integers(10**15, 10**16), max_size=1).map(
            lambda changes: others | {name: RECORD[name] for name in names} | changes
        )
    )
)
"""Records that lack entries, have others, or hold something else in their place."""


def is_sound(record):
    """Return whether a record may be in a file."""
    try:
        check_record(record)
    except ValueError:
        return False
    return True


def places(value, here=()):
    """Return the path to everything inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [here] * bool(here) + [place for key, item in inner for place in places(item, (*here, key))]


KEPT = {("__metadata__",), ("__metadata__", "sha256"), ("__metadata__", "format")}
"""Without these a file is not taken for a model file at all."""


@st.composite
def altered_files(draw, data):
    """Return a file some of whose values, anywhere in its header, are replaced, removed or added to."""
    header, payload = unpack(data)
    for _ in range(draw(st.integers(1, 2))):
        options = [place for place in places(header) if place not in KEPT]
        # Most places are the arrays', where the format's own rules refuse nearly all changes: half go elsewhere.
        deeper = [place for place in options if place[1:2] == ("model",) and len(place) > 2]
        options = deeper if deeper and draw(st.booleans()) else options
        *outer, key = draw(st.sampled_from(options))
        inside = header
        for step in outer:
            inside = inside[step]
        match draw(st.integers(0, 5)):
            case 0:
                del inside[key]
            case 1 if isinstance(inside, dict):
                inside[draw(st.text(max_size=5))] = draw(VALUES)
            case 1 if isinstance(inside, list):
                inside.append(draw(VALUES))
            case _:
                inside[key] = draw(VALUES)
    payload = draw(st.one_of(st.just(payload), st.binary(min_size=len(payload), max_size=len(payload))))
    return pack(header, payload)
