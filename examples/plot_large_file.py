"""
Scoring a large file
====================

A table of claims lies in a file. A thousand claims were checked, all others wait. This example
learns from the file without loading it, scores every claim, writes those that should be looked at
first to another file, and counts how much fraud they hold.
"""

# %%
# First a file to work with: 400,000 claims, one in twenty of them fraud. The column ``fraud`` is
# empty but for 1,000 claims that were checked at random.

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pyarrow as pa
from pyarrow import csv, parquet

from s2auc import S2AUCClassifier, open_table, score_table

random = np.random.default_rng(0)
n_claims = 400_000
is_fraud = random.random(n_claims) < 0.05
is_checked = random.permutation(n_claims) < 1000
claims = pa.table(
    {
        "claim_id": random.permutation(n_claims) + 1_000_000,
        "amount": random.lognormal(5 + is_fraud, 1),
        "days_insured": random.gamma(2, 500 - 300 * is_fraud),
        "hour": (random.normal(13 + 8 * is_fraud, 4, n_claims) % 24).astype(int),
        "city": random.choice(["Lima", "Oslo", "Rome"], n_claims),
        "fraud": pa.array(is_fraud.astype(int), mask=~is_checked),
    }
)
temporary = tempfile.TemporaryDirectory()
folder = Path(temporary.name)
parquet.write_table(claims, folder / "claims.parquet")

# %%
# ``open_table`` looks at the file, says what it understood of the columns, and reads rows when they
# are needed. A claim's number says nothing about fraud, so it is dropped.

table = open_table(folder / "claims.parquet", label="fraud", drop=["claim_id"])
print(*str(table).splitlines()[1:], sep="\n")

# %%
# A fit takes the labelled rows and a random sample of the others. The closed form is chosen because
# many rows will be scored: its model has 500 frequencies, that of the default solver 6,400, and the
# time that a score takes grows with their number.
#
# ``score_table`` reads, scores and writes some rows at a time. With ``top`` it writes the rows with
# the highest scores only, from the highest down: the columns to keep, the row's number, its score.

ranker = S2AUCClassifier(solver="exact", random_state=0).fit(table.X, table.y)
done = score_table(ranker, table, folder / "top.csv", keep=["claim_id", "amount"], top=1000)
print(f"{done.n_scored:,} rows scored and {done.n_written:,} written in {done.seconds:.2f} s")
print(f"{done.n_scored / done.seconds:,.0f} rows a second")
top = csv.read_csv(done)
for name in top.column_names:
    print(f"{name}: {top[name].to_pylist()[:3]} ...")

# %%
# The table is generated, so the truth is known, and the list can be judged. The claims that were
# checked are part of it, but hardly any of them is among the highest.

rows = top["row"].to_numpy()
print(f"fraud: {is_fraud[rows].mean():.1%} of the top, {is_fraud.mean():.1%} of all claims")
print(f"checked before: {is_checked[rows].sum()} of the top")

# %%
# For the picture, all scores go to a file, in the order of the table. The left panel shows how many
# claims get which score; its axis is logarithmic, since honest claims are nineteen times as many.
# Only towards the right end fraud outnumbers them, and there the cut of the top lies. The right
# panel shows what lists of other lengths would bring: the longer the list, the more of the
# fraud is in it, and the more of the list is honest.

done = score_table(ranker, table, folder / "scores.parquet")
scores = parquet.read_table(done)["score"].to_numpy()
temporary.cleanup()

n_found = np.cumsum(is_fraud[np.argsort(-scores)])
for length in (1000, 10_000, 40_000):
    found = n_found[length - 1]
    print(f"top {length:,}: {found / length:.0%} of the list is fraud,", end=" ")
    print(f"{found / is_fraud.sum():.0%} of all fraud is in the list")

lengths = np.geomspace(20, n_claims, 200).astype(int)
precision = n_found[lengths - 1] / lengths
recall = n_found[lengths - 1] / is_fraud.sum()
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5.2), layout="constrained")
bins = np.linspace(scores.min(), scores.max(), 60)
cut = top["score"].to_numpy().min()
left.hist(scores[~is_fraud], bins, color="#56B4E9", label="honest")
left.hist(scores[is_fraud], bins, histtype="step", color="#D55E00", linewidth=2, label="fraud")
left.axvline(cut, color="#000000", linestyle="--", label="cut of the top 1,000")
left.set(title="All scores", xlabel="Score", ylabel="Claims", yscale="log")

right.plot(lengths, precision, color="#0072B2", label="share of the list that is fraud")
right.plot(lengths, recall, "-.", color="#009E73", label="share of all fraud in the list")
right.axvline(1000, color="#000000", linestyle="--", label="top 1,000")
right.axhline(is_fraud.mean(), color="#000000", linestyle=":", label="share of fraud, random list")
right.set(title="Lists of other lengths", xlabel="Claims in the list", ylabel="Share", xscale="log")
for axes, columns in ((left, 3), (right, 2)):
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=columns, frameon=False)
figure.suptitle("The top 1,000 of 400,000 claims: nine in ten are fraud, at random one in twenty")
plt.show()
