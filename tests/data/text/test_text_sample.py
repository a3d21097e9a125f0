"""The sample of the texts of a column."""

from hashlib import blake2b

from hypothesis import given
from hypothesis import strategies as st

from s2auc.data.text.text_sample import TextSample
from s2auc.data.text.tokens import MAX_TEXT

SIZES = {"max_texts": 5, "max_characters": 40}
TEXTS = st.lists(st.text("abcé😀\x00 ", max_size=18), max_size=40)


def sampled(texts, **sizes):
    sample = TextSample(**sizes)
    sample.update(texts)
    return sample.texts()


def slow_sample(texts, max_texts, max_characters):
    """Return the texts of the smallest hashes, one after the other, until one does not fit."""
    kept, n_characters = [], 0
    for text in sorted(set(texts), key=lambda text: (blake2b(text.encode(), digest_size=8).digest(), text)):
        if kept and (len(kept) == max_texts or n_characters + len(text) > max_characters):
            break
        kept.append(text)
        n_characters += len(text)
    return kept


@given(TEXTS, st.randoms())
def test_samples_depend_on_the_texts_alone(texts, random):
    expected = slow_sample(texts, **SIZES)
    assert sampled(texts, **SIZES) == expected
    assert sampled(random.sample(texts * 2, 2 * len(texts)), **SIZES) == expected
    batched = TextSample(**SIZES)
    for text in texts:
        batched.update([text])
        assert batched.n_texts <= SIZES["max_texts"]  # trimmed at any time
    assert batched.texts() == expected
    parts = [TextSample(**SIZES) for _ in range(3)]
    for text in texts:
        random.choice(parts).update([text])
    first, *others = random.sample(parts, 3)
    for other in others:
        first.join(other)
    assert first.texts() == expected
    first.update(texts)
    assert first.texts() == expected


def test_memory_is_bounded_while_texts_come():
    sample = TextSample(max_texts=10, max_characters=100)
    for number in range(5000):
        sample.update([f"text {number}"])
        assert len(sample._kept) < 20
        assert sum(map(len, sample._kept)) < 200 + len("text 4999")


def test_long_texts_are_cut_and_the_same_beginning_counts_once():
    assert sampled(["a" * (MAX_TEXT + 1), "a" * MAX_TEXT]) == ["a" * MAX_TEXT]
    assert sampled(["\ud800 lone"]) == ["\ud800 lone"]
