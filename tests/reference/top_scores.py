"""The highest scores by sorting all of them."""


def top_rows(scores, most):
    """Return the numbers of the rows with the highest scores, from the highest down, equal ones in order."""
    return sorted(range(len(scores)), key=lambda row: (-scores[row], row))[:most]
