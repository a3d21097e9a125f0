"""The check that all others of models and their files are made of."""


def require(holds: bool, sentence: str) -> None:
    """Raise a ValueError with a sentence unless something holds.

    Examples
    --------
    >>> require(1 > 2, "its offset must be above 2, got 1")
    Traceback (most recent call last):
    ...
    ValueError: its offset must be above 2, got 1
    """
    if not holds:
        raise ValueError(sentence)
