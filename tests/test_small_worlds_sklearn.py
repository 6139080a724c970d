"""The package against scikit-learn, through the expressions of the catalogue.

scikit-learn takes most of a millisecond for an answer. So it is asked about one world of each kind
(what reordering samples or labels can't tell apart is one kind), once for precision, recall and
F-score together, and about zero_division only where fractions by hand say that something is 0/0.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import product
from math import isnan, nan

import by_hand
import numpy as np
import pytest
import sklearn
import sklearn.metrics
import worlds

from mlm_helpers.catalogue import METRICS

# What these files run is covered by the others; tracing it would double their time.
pytestmark = pytest.mark.no_cover

KNOWN = [record for record in METRICS if record.sklearn]
PLAIN = [r for r in KNOWN if r.reads == "y_pred" and "zero_division" not in r.options]
RANKING_METRICS = [r for r in KNOWN if r.reads == "y_score"]
RATIOS = {r.id: r for r in KNOWN if "zero_division" in r.options}
REFUSES_NAN = ("example_based.accuracy", "label_based.jaccard")
PRECISION_RECALL_F = [name for name in RATIOS if name not in REFUSES_NAN]


def by_id(records):
    return pytest.mark.parametrize("record", records, ids=lambda record: record.id)


shapes = pytest.mark.parametrize("shape", worlds.SHAPES, ids=str)


@pytest.fixture(autouse=True)
def without_checking_its_own_arguments():
    with sklearn.config_context(skip_parameter_validation=True, assume_finite=True):
        yield


def ask(record, functions=None, **arguments):
    """Evaluate what the catalogue says scikit-learn calls this metric."""
    return eval(record.sklearn, (functions or vars(sklearn.metrics)) | arguments)


@cache
def three_at_once(world, zero_division, beta, average):
    """Precision, recall and F-score of one call, which costs as much as one of them."""
    return sklearn.metrics.precision_recall_fscore_support(
        np.array(world.y_true),
        np.array(world.y_pred),
        beta=beta,
        average=average,
        zero_division=zero_division,
    )


def functions(world, zero_division, beta):
    """The names that the catalogue's expressions use, each with this zero_division."""

    def score(index, y_true, y_pred, *, average, beta=beta):
        return three_at_once(world, zero_division, beta, average)[index]

    return {
        "precision_score": partial(score, 0),
        "recall_score": partial(score, 1),
        "f1_score": partial(score, 2),
        "fbeta_score": partial(score, 2),
        "jaccard_score": partial(sklearn.metrics.jaccard_score, zero_division=zero_division),
    }


def close(value, expected):
    return np.allclose(value, expected, rtol=0, atol=1e-12, equal_nan=True)


def anything_undefined(names, world, average):
    """Whether fractions by hand find a 0/0 among what is averaged."""
    for name in names:
        each = {"per_sample": True} if name.startswith("example") else {"average": average}
        if average in ("macro", "weighted"):
            each = {"average": None}
        values = by_hand.METRICS[name](*world, **each, zero_division=nan)
        if any(map(isnan, values if isinstance(values, list) else [values])):
            return True
    return False


def compare(names, shape, average, zero_divisions, betas=(1,), take_turns=False):
    names = [name for name in names if name.startswith("example") == (average == "samples")]
    for number, world in enumerate(worlds.representatives(*shape)):
        y_true, y_pred = np.array(world.y_true), np.array(world.y_pred)
        beta = betas[number % len(betas)]
        turn = zero_divisions[number // len(betas) % len(zero_divisions)]
        matters = not take_turns and anything_undefined(names, world, average)
        for zero_division, name in product(zero_divisions if matters else [turn], names):
            record = RATIOS[name]
            options = {"zero_division": zero_division}
            options |= {"average": average} if "average" in record.options else {}
            options |= {"beta": beta} if "beta" in record.options else {}
            theirs = ask(
                record,
                functions(world, zero_division, beta),
                y_true=y_true,
                y_pred=y_pred,
                average=average,
                beta=beta,
            )
            assert close(record.function(y_true, y_pred, **options), theirs), (name, options, world)


def test_one_world_of_each_kind():
    assert [len(worlds.representatives(*shape)) for shape in worlds.SHAPES] == [76, 430, 430]


def test_nobody_is_left_out():
    asked = [*PLAIN, *RANKING_METRICS, *RATIOS.values()]
    assert sorted(record.id for record in asked) == sorted(record.id for record in KNOWN)
    assert [record.id for record in METRICS if not record.sklearn] == ["ranking.one_error"]


@shapes
@by_id(PLAIN)
def test_exact_match_and_hamming(record, shape):
    for world in worlds.representatives(*shape):
        y_true, y_pred = np.array(world.y_true), np.array(world.y_pred)
        theirs = ask(record, y_true=y_true, y_pred=y_pred)
        assert close(record.function(y_true, y_pred), theirs), world


@shapes
@pytest.mark.parametrize("average", ["samples", "macro", "micro", "weighted"])
def test_precision_recall_f1(average, shape):
    names = [name for name in PRECISION_RECALL_F if not name.endswith("fbeta")]
    compare(names, shape, average, (0.0, 1.0, nan))


@shapes
@pytest.mark.parametrize("average", ["samples", "macro", "micro", "weighted"])
def test_fbeta(average, shape):
    """Betas and values of zero_division take turns; all of them together are asked about below."""
    names = [name for name in PRECISION_RECALL_F if name.endswith("fbeta")]
    compare(names, shape, average, (0.0, 1.0, nan), betas=(0, 0.5, 2), take_turns=True)


@shapes
@pytest.mark.parametrize("average", ["samples", "macro", "micro", "weighted"])
def test_jaccard(average, shape):
    compare(REFUSES_NAN, shape, average, (0.0, 1.0))


def with_zero_division(records):
    return pytest.mark.parametrize(
        ("record", "zero_division"),
        [
            (record, zero_division)
            for record in records
            for zero_division in (0.0, 1.0, *([] if record.id in REFUSES_NAN else [nan]))
        ],
        ids=lambda value: getattr(value, "id", None),
    )


def compare_options(record, y_true, y_pred, *, averages, weight, zero_division):
    common = {"zero_division": zero_division, "sample_weight": weight}
    names = ("precision_score", "recall_score", "f1_score", "fbeta_score", "jaccard_score")
    theirs = {name: partial(getattr(sklearn.metrics, name), **common) for name in names}
    betas = [{"beta": b} for b in worlds.BETAS] if "beta" in record.options else [{}]
    for average, beta in product(averages, betas):
        options = average | beta
        expected = ask(record, theirs, y_true=y_true, y_pred=y_pred, **options)
        assert close(record.function(y_true, y_pred, **options, **common), expected), options


@pytest.mark.parametrize("weight", [None, (0.5, 0.0, 3.0)], ids=["unweighted", "weighted"])
@with_zero_division([r for r in RATIOS.values() if "average" in r.options])
def test_every_label_that_three_samples_can_have(record, zero_division, weight):
    columns = np.array(list(product((0, 1), repeat=6))).T
    averages = [{"average": average} for average in worlds.AVERAGES]
    compare_options(
        record,
        columns[:3],
        columns[3:],
        averages=averages,
        weight=weight,
        zero_division=zero_division,
    )


@pytest.mark.parametrize("weight", [None, np.arange(64) % 5 / 2], ids=["unweighted", "weighted"])
@with_zero_division([r for r in RATIOS.values() if "average" not in r.options])
def test_every_sample_that_three_labels_can_make(record, zero_division, weight):
    both = np.array(list(product((0, 1), repeat=6)))
    compare_options(
        record,
        both[:, :3],
        both[:, 3:],
        averages=[{}],
        weight=weight,
        zero_division=zero_division,
    )


def test_jaccard_refuses_nan():
    with (
        sklearn.config_context(skip_parameter_validation=False),
        pytest.raises(ValueError, match="zero_division"),
    ):
        sklearn.metrics.jaccard_score([[0, 1]], [[0, 1]], average="macro", zero_division=nan)


# ---------------------------------------------------------------------------- ranking


@pytest.mark.parametrize("n_labels", [2, 3])
@by_id(RANKING_METRICS)
def test_ranking_metric_on_every_tie_pattern(record, n_labels):
    for truth, scores in product(worlds.rows(n_labels), worlds.weak_orderings(n_labels)):
        y_true, y_score = np.array([truth]), np.array([scores], dtype=float)
        theirs = ask(record, y_true=y_true, y_score=y_score)
        assert close(record.function(y_true, y_score), theirs), (truth, scores)


@by_id(RANKING_METRICS)
def test_ranking_metric_on_every_pair_of_samples(record):
    samples = list(product(worlds.rows(2), worlds.weak_orderings(2)))
    for pair in product(samples, repeat=2):
        y_true, y_score = map(np.array, zip(*pair, strict=True))
        theirs = ask(record, y_true=y_true, y_score=y_score.astype(float))
        assert close(record.function(y_true, y_score), theirs), pair


@by_id(RANKING_METRICS)
def test_ranking_metric_on_all_samples_of_four_labels(record):
    samples = product(worlds.rows(4), worlds.weak_orderings(4))
    y_true, y_score = map(np.array, zip(*samples, strict=True))
    weight = np.arange(len(y_true)) % 3
    expression = record.sklearn.replace(")", ", sample_weight=sample_weight)")
    for some in (None, weight):
        theirs = eval(
            expression,
            vars(sklearn.metrics)
            | {"y_true": y_true, "y_score": y_score.astype(float), "sample_weight": some},
        )
        assert close(record.function(y_true, y_score, sample_weight=some), theirs)


@pytest.mark.parametrize("truth", [[[0]], [[1]]], ids=str)
def test_ranking_a_single_label(truth):
    """scikit-learn reads one column as binary and refuses it, but for average precision."""
    one = np.array(truth)
    for record in RANKING_METRICS:
        if record.id == "ranking.average_precision":
            assert close(record.function(one, [[0.5]]), ask(record, y_true=one, y_score=[[0.5]]))
        else:
            with pytest.raises(ValueError, match="binary format is not supported"):
                ask(record, y_true=one, y_score=np.array([[0.5]]))
