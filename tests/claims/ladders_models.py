"""The ladders of notebooks 09 and 10."""

import contextlib
import io
import math
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from claims import claim
from mlm_helpers import catalogue, label_based, ranking, uncertainty

# --- 09


@claim("The neighbours win on split 0, the trees on three of five.")
def _(by_split, result):
    gaps = [
        row["subset accuracy"]["trees"] - row["subset accuracy"]["neighbours"] for row in by_split
    ]
    shown = result["subset accuracy", "neighbours", "trees"]
    return gaps[0] < 0 and sum(gap > 0 for gap in gaps) == 3 and shown == "2 : 3"


@claim("A miss weighs four times as much as a false alarm here.")
def _(asked):
    """F2 is 5 hits ÷ (5 hits + 4 misses + false alarms)."""
    hits, alarms, misses, _ = (
        cells.sum() for cells in label_based.confusion(asked.y_true, asked.y_pred)
    )
    return np.isclose(float(asked.solution()), 5 * hits / (5 * hits + 4 * misses + alarms))


def leaders(values, lower):
    """How often each model leads, where lower is better for some metrics."""
    sorts = {
        name: sorted(row, key=row.get, reverse=name not in lower) for name, row in values.items()
    }
    return Counter(order[0] for order in sorts.values())


@claim("By this script even the fools lead under some metrics.")
def _(values, printed):
    """As if no metric were a loss."""
    found = leaders(values, {})
    return {"nothing", "frequent"} < {*found} and all(
        f"{model} {n}" in " ".join(printed.split()) for model, n in found.items()
    )


@claim(
    "Of a loss, max takes the worst: “nothing” leads by ranking loss.",
    "Five metrics are better when lower.",
    "Ask min of them, and the trees lead under 28, the neighbours under 4, no fool anywhere.",
)
def _(values, metrics, leaders):
    lower = {name for name, metric in metrics.items() if not catalogue.of(metric).higher_is_better}
    losses = values["ranking loss"]
    first = {
        name: sorted(row, key=row.get, reverse=name not in lower)[0] for name, row in values.items()
    }
    return (
        max(losses, key=losses.get) == "nothing"
        and len(lower) == 5
        and Counter(first.values()) == leaders == {"trees": 28, "neighbours": 4}
    )


@claim(
    "One clerk deletes each wrong keyword of a set; another reads the ranked list until all true"
    " keywords are found.",
    "The first clerk takes the neighbours, by micro precision: 0.543 to 0.235.",
    "The second takes the linear model, by coverage: about 32 keywords to read, not 51.",
)
def _(splits):
    """What the one needn't delete, and how far down the other reads, worst places for ties."""
    duel = "neighbours", "linear"
    kept = [[(t * said[m]).sum() / said[m].sum() for m in duel] for t, _, said in splits]
    read = [
        [(ranking.ranks(score[m], ties="worst") * t).max(axis=1).mean() for m in duel]
        for t, score, _ in splits
    ]
    return (
        np.round(kept[0], 3).tolist() == [0.543, 0.235]
        and np.round(read[0]).tolist() == [51, 32]
        and all(one > other for one, other in kept + read)
        and len(splits) == 5
    )


@claim(
    "Save them as said.csv and the truth as truth.csv beside this notebook: a row per sample, a column"
    " per label, their names in front.",
    "Without them the cell takes the trees.",
    "Other names, or another order, are refused.",
)
def _(code, printed, y_true, y_pred, data, micro_f1):
    """With the neighbours in the files their number is printed, and without files that of the trees."""
    rows = [f"picture {i}" for i in range(len(y_true))]
    true, said = (pd.DataFrame(m, rows, data.labels) for m in (y_true, y_pred["neighbours"]))

    def printed_of(*tables):
        given = {"data": data, "y_true": y_true, "y_pred": y_pred, "micro_f1": micro_f1}
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for name, table in zip(("truth.csv", "said.csv"), tables, strict=False):
                table.to_csv(Path(name))
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(code, given)
        return out.getvalue()

    for other in (said[said.columns[::-1]], said.rename(columns={"face": "faces"}), said[::-1]):
        with pytest.raises(ValueError, match=r"y_other .* y_true"):
            printed_of(true, other)
    return (
        printed_of() in printed
        and "183 of 786 samples" in printed_of(true, said)
        and f"micro F1 = {micro_f1(y_true, y_pred['trees']):.6f}" in printed_of(true)
        and f"micro F1 = {micro_f1(y_true, y_pred['neighbours']):.6f}" in printed_of(true, said)
    )


@claim(
    "Hand in the paragraph, with your metric and your cut.",
    "It must say:",
    "[ ] the metric, by its formula, and the average (per sample, macro, micro, weighted);",
    "[ ] what empty samples and labels are worth, and their number;",
    "[ ] the threshold, and how it was chosen; who wins a tie, and where ranks start;",
    "[ ] the interval, and what the two fools have.",
)
def _(printed, y_pred, code):
    """The printed paragraph says what of this its metric has, and the catalogue has the rest."""
    taken = {option for record in catalogue.METRICS for option in record.options}
    said = (
        "micro F1 =", "one ratio over all cells", "183 of 786 samples", "0/0 counts 0",
        "A label is predicted where", "Interval(",
    )  # fmt: skip
    return (
        all(part in printed for part in said)
        and "metric = " in code
        and "decision = " in code
        and {"average", "zero_division", "ties", "start"} <= taken
        and {"nothing", "frequent"} < {*y_pred}
    )


@claim("Then write beside each number what the open task below lists.")
def _(text):
    """Each thing there that a metric may leave open, below."""
    _, below = text.split("**Then write beside each number**")
    _, task = below.split("### An open task")
    return all(
        word in task for word in ("formula", "average", "empty", "threshold", "tie", "ranks start")
    )


# --- 10


@claim("0.368, which is 1 ÷ e.", "With one of 60 it was nearly the same.")
def _():
    chance = math.exp(1e6 * math.log1p(-1e-6))
    return (
        round(chance, 3) == 0.368 == round(1 / math.e, 3) and abs(chance - (59 / 60) ** 60) < 0.005
    )


def gap(metric, y_true, said, rows, others):
    return metric(y_true[rows], said["trees"][rows]) - metric(y_true[others], said["mix"][others])


@claim(
    "The script makes an interval of the difference in micro F1, and 0 lies inside.",
    "Above it lies outside.",
    "It draws twice, so each model is judged on pictures of its own, and what they share no longer"
    " drops out.",
    "Draw once for both: then the interval goes from 0.006 to 0.032.",
)
def _(micro_f1, y_true, said, differences, printed):
    """By draws of our own: one for both is near the printed ends, two are far apart."""
    n, rng = len(y_true), np.random.default_rng(7)
    twice = [gap(micro_f1, y_true, said, *rng.integers(n, size=(2, n))) for _ in range(500)]
    once = [gap(micro_f1, y_true, said, *[rng.integers(n, size=n)] * 2) for _ in range(500)]
    (low, _), (least, most) = (np.quantile(g, (0.025, 0.975)) for g in (twice, once))
    return (
        low < -0.01 < 0 < least
        and 0 < least < 0.01
        and 0.025 < most < 0.04
        and differences["micro F1"].low > 0
        and np.var(twice) > 3 * np.var(once)
        and "from and to: -0.0" in printed
        and "from and to: 0.006 0.032" in printed
    )


@claim(
    "You tag photos, and said beforehand that micro F1 decides.",
    "A colleague finds that by subset accuracy the neighbours are ahead of the trees.",
    "The trees: the interval of micro F1, from 0.0602 to 0.1156, leaves out 0.",
    "That of subset accuracy holds 0, so the neighbours' lead may be luck; and it was looked for"
    " afterwards.",
)
def _(metrics, y_true, said):
    two = said["trees"], said["neighbours"]
    f1, exact = (
        uncertainty.compare(metrics[name], y_true, *two).difference
        for name in ("micro F1", "subset accuracy")
    )
    entire = [(sets == y_true).all(axis=1).mean() for sets in two]
    return (
        (round(f1.low, 4), round(f1.high, 4)) == (0.0602, 0.1156)
        and exact.low < 0 < exact.high
        and np.isclose(entire[0] - entire[1], exact.value)
        and exact.value < 0
    )
