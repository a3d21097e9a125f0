"""Which rows to label next, by plain loops."""


def uncertain_and_far(scores, places, n, most_doubted):
    """Return the rows to label: of those nearest to the threshold always the one farthest from those taken."""
    doubted = sorted(range(len(scores)), key=lambda row: (abs(scores[row]), row))[: most_doubted * n]
    chosen = []
    while len(chosen) < n and len(chosen) < len(doubted):
        best, best_distance = None, -1.0
        for row in doubted:
            if row in chosen:
                continue
            distance = min((squared_distance(places[row], places[other]) for other in chosen), default=float("inf"))
            if distance > best_distance:
                best, best_distance = row, distance
        chosen.append(best)
    return chosen


def squared_distance(one, other):
    total = 0.0
    for a, b in zip(one, other, strict=True):
        total += (a - b) ** 2
    return total
