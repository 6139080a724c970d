"""The package against scikit-learn, through the expressions of the catalogue.

scikit-learn takes most of a millisecond for an answer. So it is asked about one world of each kind
(what reordering samples or labels can't tell apart is one kind), and of the larger shapes only in
`make exhaustive` about more than a few.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from math import nan

import numpy as np
import pytest
import sklearn
import sklearn.metrics
import worlds

from mlm_helpers import label_based
from mlm_helpers.catalogue import METRICS

# What these files run is covered by the others; tracing it would double their time.
pytestmark = pytest.mark.no_cover

exhaustive = pytest.mark.exhaustive
KNOWN = [record for record in METRICS if record.sklearn]
SET_METRICS = [record for record in KNOWN if record.reads == "y_pred"]
RANKING_METRICS = [r for r in KNOWN if r.reads == "y_score" and r.along == "sample"]
CURVE_METRICS = [r for r in KNOWN if r.reads == "y_score" and r.along == "label"]


def by_id(records):
    return pytest.mark.parametrize("record", records, ids=lambda record: record.id)


@pytest.fixture(autouse=True)
def without_checking_its_own_arguments():
    with sklearn.config_context(skip_parameter_validation=True, assume_finite=True):
        yield


def every_option(record, averages=("macro", "micro", "weighted")):
    """All options that both take; of Jaccard's zero_division, scikit-learn refuses nan."""
    zero_divisions = (0.0, 1.0) if "jaccard" in record.sklearn else (0.0, 1.0, nan)
    choices = {"average": averages, "zero_division": zero_divisions, "beta": worlds.BETAS}
    choices |= {"k": (1, 2)}
    taken = {name: values for name, values in choices.items() if name in record.options}
    return [dict(zip(taken, values, strict=True)) for values in product(*taken.values())]


def meet(record, y_true, y_other, sample_weight=None, **options):
    """The function, and what the catalogue says scikit-learn calls it."""
    y_true, y_other = np.array(y_true), np.array(y_other)
    passed_on = {"sample_weight": sample_weight}
    names = vars(sklearn.metrics) | options | {"y_true": y_true, record.reads: y_other}
    called = record.sklearn.partition("(")[0]
    if "zero_division" in options:
        passed_on["zero_division"] = options["zero_division"]
    theirs = eval(record.sklearn, names | {called: partial(names[called], **passed_on)})
    ours = record.function(y_true, y_other, sample_weight=sample_weight, **options)
    assert np.allclose(ours, theirs, rtol=0, atol=1e-12, equal_nan=True), (y_true, y_other, options)


def meet_on(record, some_worlds):
    for world, chosen in worlds.in_turns(record, every_option(record), some_worlds):
        meet(record, *world, **chosen)


def test_what_scikit_learn_lacks():
    assert [record.id for record in METRICS if not record.sklearn] == [
        "ranking.one_error", "top_k.precision", "top_k.recall",
    ]  # fmt: skip


# ---------------------------------------------------------------------------- label sets


@by_id(SET_METRICS)
def test_every_kind_of_two_samples_and_two_labels(record):
    meet_on(record, worlds.representatives(2, 2))


@pytest.mark.parametrize("shape", worlds.SHAPES[1:], ids=str)
@by_id(SET_METRICS)
def test_some_kinds_of_larger_worlds(record, shape):
    """The options take turns."""
    options = every_option(record)
    for number, world in enumerate(worlds.representatives(*shape)[::9]):
        meet(record, *world, **options[number % len(options)])


@exhaustive
@pytest.mark.parametrize("shape", worlds.SHAPES, ids=str)
@by_id(SET_METRICS)
def test_every_option_on_every_kind(record, shape):
    meet_on(record, worlds.representatives(*shape))


SIX = np.array(list(product((0, 1), repeat=6)))


@pytest.mark.parametrize("weight", [None, (0.5, 0.0, 3.0)], ids=["unweighted", "weighted"])
@by_id([record for record in SET_METRICS if record.along == "label"])
def test_every_label_that_three_samples_can_have(record, weight):
    for options in every_option(record, worlds.AVERAGES):
        meet(record, SIX.T[:3], SIX.T[3:], weight, **options)


@pytest.mark.parametrize("weight", [None, np.arange(64) % 5 / 2], ids=["unweighted", "weighted"])
@by_id([record for record in SET_METRICS if record.along == "sample"])
def test_every_sample_that_three_labels_can_make(record, weight):
    for options in every_option(record):
        meet(record, SIX[:, :3], SIX[:, 3:], weight, **options)


@pytest.mark.parametrize("weight", [None, (0.5, 0.0, 3.0)], ids=["unweighted", "weighted"])
def test_confusion_of_every_label_that_three_samples_can_have(weight):
    tp, fp, fn, tn = label_based.confusion(SIX.T[:3], SIX.T[3:], sample_weight=weight)
    theirs = sklearn.metrics.multilabel_confusion_matrix(SIX.T[:3], SIX.T[3:], sample_weight=weight)
    assert np.array_equal(np.array([[tn, fp], [fn, tp]]), theirs.transpose(1, 2, 0))


def test_jaccard_refuses_nan():
    with (
        sklearn.config_context(skip_parameter_validation=False),
        pytest.raises(ValueError, match="zero_division"),
    ):
        sklearn.metrics.jaccard_score([[0, 1]], [[0, 1]], average="macro", zero_division=nan)


# ---------------------------------------------------------------------------- scores


def cases(n_labels):
    return list(product(worlds.rows(n_labels), worlds.weak_orderings(n_labels)))


@pytest.mark.parametrize("n_labels", [2, 3])
@by_id(RANKING_METRICS)
def test_every_tie_pattern(record, n_labels):
    for (truth, scores), chosen in product(cases(n_labels), every_option(record)):
        meet(record, [truth], np.array([scores], dtype=float), **chosen)


@by_id(RANKING_METRICS)
def test_every_pair_of_samples(record):
    for pair, chosen in product(product(cases(2), repeat=2), every_option(record)):
        y_true, y_score = zip(*pair, strict=True)
        meet(record, y_true, np.array(y_score, dtype=float), **chosen)


@by_id(RANKING_METRICS)
def test_all_samples_of_four_labels(record):
    y_true, y_score = map(np.array, zip(*cases(4), strict=True))
    for weight, chosen in product((None, np.arange(len(y_true)) % 3), every_option(record)):
        meet(record, y_true, y_score.astype(float), weight, **chosen)


@pytest.mark.parametrize("truth", [[[0]], [[1]]], ids=str)
@by_id(RANKING_METRICS)
def test_a_single_label(record, truth):
    """scikit-learn reads one column as binary and refuses it, but for average precision."""
    if record.id == "ranking.average_precision":
        meet(record, truth, [[0.5]])
    else:
        with pytest.raises(
            ValueError, match=r"binary format is not supported|more than 1 document"
        ):
            meet(record, truth, [[0.5]], **record.required)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")  # theirs, of 0/0
@pytest.mark.filterwarnings("ignore:No positive class found")
@pytest.mark.parametrize(("n_samples", "weight"), [(2, None), (3, None), (3, (0.5, 0.25, 3.0))])
@by_id(CURVE_METRICS)
def test_every_column(record, n_samples, weight):
    """Side by side, and in pairs under each average. (Where one of two is nan, so is their mean.)"""
    columns = cases(n_samples)
    y_true, y_score = (np.array(part).T for part in zip(*columns, strict=True))
    meet(record, y_true, y_score.astype(float), weight, average=None)
    mixed = [0 < sum(truth) < n_samples for truth, _ in columns]
    for number, average in enumerate(("macro", "micro", "weighted")):
        for i in range(number, len(columns)):
            pair = [i, (5 * i + 7 * number) % len(columns)]
            if average == "micro" or record.id != "curves.roc_auc" or all(mixed[j] for j in pair):
                meet(
                    record, y_true[:, pair], y_score[:, pair].astype(float), weight, average=average
                )
