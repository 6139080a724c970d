"""Three metrics that the package does not have: each a function, its record and its worked steps, here alone.

Whatever lists, solves, adds up or names metrics must take them as they are: `installed` puts them into
the catalogue, and nothing else is touched.
"""

from __future__ import annotations

from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from unittest import mock

import numpy as np

from mlm_helpers import catalogue, counts, inputs, ordering, worked
from mlm_helpers.board import Ratio, Sentence, Table
from mlm_helpers.catalogue import Metric, Parameter
from mlm_helpers.worked import rank_steps as ranks
from mlm_helpers.worked import set_steps as sets
from mlm_helpers.worked.average import Term, mean, over_labels
from mlm_helpers.worked.problem import label_set

DOCUMENTED = """

    {formula}

    Range 0 to 1, higher is better. Bad input raises a TypeError or a ValueError.

    Parameters
    ----------
    {parameters}

    Returns
    -------
    float

    References
    ----------
    None: nobody needs it.

    Examples
    --------
    >>> {name}([[1, 0], [0, 1]], [[1, 0], [0, 1]]{options})
    1.0
    """

# ------------------------------------------------------- a value per sample, from counts


def rejected(c):
    return c.tn, c.tn + c.fp


def specificity(y_true, y_pred, *, zero_division=0.0, sample_weight=None, per_sample=False):
    data = inputs.label_sets(y_true, y_pred, sample_weight)
    return counts.mean_over_samples(rejected, data, zero_division, per_sample)


SPECIFICITY = Metric(
    name="specificity", function=specificity, parts=rejected, family="example-based", prefix="samples",
    latex=r"\frac{L - |Y \cup Z|}{L - |Y|}", higher_is_better=True,
)  # fmt: skip
REJECTED = sets.SetRatio(lambda c: Ratio(c.tn, c.tn + c.fp), "TN / (TN + ✗)")

# ------------------------------------------------------- a value per sample, from ranks, with a required option


def check_depth(depth):
    inputs.whole(depth, "depth", 1)


def any_found(order, depth):
    if depth > order.score.shape[1]:
        raise ValueError(f"depth is {depth} of {order.score.shape[1]} labels: give a smaller one")
    return order.sum(order.rank <= depth) > 0, np.ones(len(order.score))


def hit_rate(y_true, y_score, *, depth, ties="worst", sample_weight=None, per_sample=False):
    check_depth(depth)
    data = inputs.label_scores(y_true, y_score, sample_weight)
    return ordering.mean_over_samples(partial(any_found, depth=depth), data, ties, 0.0, per_sample)


HIT_RATE = Metric(
    name="hit rate at d", function=hit_rate, parts=any_found, family="ranking", reads="y_score",
    latex=r"[Y \cap T \neq \emptyset]", higher_is_better=True,
    parameters={"depth": Parameter(check_depth, (1, 2), "d")},
)  # fmt: skip


def read_any_found(labels, settings):
    found = [label.name for label in labels if label.relevant and label.rank <= settings["depth"]]
    said = f"Relevant down to rank {settings['depth']}: {', '.join(found) or 'none'}."
    return [Sentence(said)], Ratio(Fraction(bool(found)), Fraction(1))


# ------------------------------------------------------- a value per label, from scores, that does not add up


def column(truth, score, weight):
    """Weighted average precision of one list of samples; tied ones are found together."""
    found, steps = truth * weight, 0.0
    for threshold in np.unique(score[found > 0]):
        above = score >= threshold
        precision = found[above].sum() / weight[above].sum()
        steps += found[score == threshold].sum() * precision
    return steps / found.sum() if found.sum() else np.nan


def label_ap(y_true, y_score, *, average="macro", undefined=0.0, sample_weight=None):
    inputs.CHECKS["average"](average)
    inputs.undefined(undefined)
    data = inputs.label_scores(y_true, y_score, sample_weight)
    weight = np.ones(len(data.truth)) if data.weight is None else data.weight
    truth, score = data.truth.astype(float), data.other
    if average == "micro":
        weights = np.repeat(weight, truth.shape[1])
        value = column(truth.ravel(), score.ravel(), weights)
        return float(undefined if np.isnan(value) else value)
    values = np.array([column(t, s, weight) for t, s in zip(truth.T, score.T, strict=True)])
    values[np.isnan(values)] = undefined
    support = weight @ truth
    if average is None:
        return values
    by_support = average == "weighted" and support[~np.isnan(values)].any()
    return counts.mean(values, support if by_support else None)


LABEL_AP = Metric(
    name="AP of a label", function=label_ap, parts=None, family="ranking", reads="y_score",
    latex=r"\sum_n (R_n - R_{n-1}) P_n", higher_is_better=True, along="label",
    left_out="it needs all scores of a label at once",
)  # fmt: skip


def steps_of_label_ap(problem):
    weight = problem.weight or [Fraction(1)] * len(problem.samples)
    rows = list(zip(problem.truth, problem.other, weight, strict=True))
    columns = [[(t[j], s[j], w) for t, s, w in rows] for j in range(len(problem.labels))]
    if problem.settings["average"] == "micro":
        columns = [[cell for cells in columns for cell in cells]]
    terms = [term(cells, problem.settings["undefined"]) for cells in columns]
    shown = tuple(
        (sample, label_set(problem.labels, truth), " ".join(written))
        for sample, truth, written in zip(
            problem.samples, problem.truth, problem.written, strict=True
        )
    )
    data = Table("The data", ("sample", "true labels", "scores"), shown)
    if problem.settings["average"] == "micro":
        return mean([data], terms, None, "label")
    supports = [sum((w for t, _, w in cells if t), Fraction(0)) for cells in columns]
    return over_labels(problem, [data], terms, supports)


def term(cells, undefined):
    support = sum((w for t, _, w in cells if t), Fraction(0))
    if not support:
        value = undefined if undefined != undefined else Fraction(str(float(undefined)))
        return Term(str(value), value, str(value))
    total = Fraction(0)
    for truth, score, weight in cells:
        if truth:
            above = [(t, w) for t, s, w in cells if s >= score]
            hits = sum((w for t, w in above if t), Fraction(0))
            if weight:
                total += weight * hits / sum(w for _, w in above)
    return Term(str(total / support), total / support, str(total / support))


# ------------------------------------------------------- into the catalogue

RECORDS = (SPECIFICITY, HIT_RATE, LABEL_AP)
STEPS = {
    SPECIFICITY.id: partial(sets.per_sample, REJECTED),
    HIT_RATE.id: partial(ranks.per_sample, read_any_found),
    LABEL_AP.id: steps_of_label_ap,
}
for record in RECORDS:
    options = "".join(f", {name}={value}" for name, value in record.required.items())
    record.function.__doc__ = f"{record.name}." + DOCUMENTED.format(
        formula=f".. math:: {record.latex}",
        parameters=", ".join(["y_true", record.reads, *record.options]) + " : as elsewhere",
        name=record.function.__name__,
        options=options,
    )


@contextmanager
def installed():
    with catalogue.added(*RECORDS), mock.patch.dict(worked.STEPS, STEPS):
        yield
