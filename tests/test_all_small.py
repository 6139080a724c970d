"""The functions against two other roads on worlds small enough to have them all: worked solutions in
fractions, and scikit-learn through the expressions of the catalogue.

Either takes most of a millisecond. So `make test` asks about some worlds, and `make exhaustive` about one of each
kind: what reordering samples or labels can't tell apart is one kind.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from math import nan

import all_small
import numpy as np
import pytest
from random_inputs import agree

from mlm_helpers.catalogue import METRICS
from mlm_helpers.worked import solve

try:
    import sklearn.metrics
except ImportError:  # the package promises to need NumPy and tqdm alone: tests/test_release.py
    sklearn = None

pytestmark = [
    pytest.mark.no_cover,  # what this file runs is covered by others; tracing it would double its time
    pytest.mark.filterwarnings("ignore:.* ill-defined"),
    pytest.mark.filterwarnings("ignore:Only one class is present"),
    pytest.mark.filterwarnings("ignore:No positive class found"),
]


@pytest.fixture(autouse=True, scope="module")
def _without_checking_its_own_arguments():
    if sklearn is None:
        yield
        return
    with sklearn.config_context(skip_parameter_validation=True, assume_finite=True):
        yield


def by_hand(record, y_true, y_pred, **options):
    return solve(record.function, y_true, y_pred, **options).value


def by_scikit_learn(record, y_true, y_pred, sample_weight=None, zero_division=None, **options):
    """What the catalogue says that scikit-learn calls it."""
    passed_on = {"sample_weight": sample_weight}
    if zero_division is not None:
        passed_on["zero_division"] = zero_division
    if record.reads == "y_score":
        y_pred = y_pred.astype(float)
    names = vars(sklearn.metrics) | options | {"y_true": y_true, record.reads: y_pred}
    called = record.sklearn.partition("(")[0]
    return eval(record.sklearn, names | {called: partial(names[called], **passed_on)})


def every_option(road, record, **fixed):
    """All combinations of the options that both take; of Jaccard's, scikit-learn refuses nan for 0/0."""
    choices = {"average": record.averages, "beta": all_small.BETAS, "zero_division": (0.0, 1.0)}
    if "jaccard" not in record.sklearn:
        choices["zero_division"] += (nan,)
    if road is by_hand:
        choices |= {"zero_division": all_small.ZERO_DIVISIONS, "ties": all_small.TIES}
        choices |= {"undefined": (1.0, nan)}
    own = {name: parameter.values for name, parameter in record.parameters.items()}
    if road is by_scikit_learn:
        own = {name: values for name, values in own.items() if name in record.sklearn}
        but = record.sklearn_differs
        choices["average"] = tuple(one for one in choices["average"] if one not in but)
    taken = {name: v for name, v in (own | choices).items() if name in record.defaults}
    taken |= {name: [value] for name, value in fixed.items()}
    return [dict(zip(taken, values, strict=True)) for values in product(*taken.values())]


def meet(road, record, y_true, y_pred, **options):
    y_true, y_pred = np.array(y_true), np.array(y_pred)
    value, theirs = (
        record.function(y_true, y_pred, **options),
        road(record, y_true, y_pred, **options),
    )
    theirs = np.array(theirs, dtype=float)
    assert np.shape(value) == theirs.shape and agree(value, theirs), (y_true, y_pred, options)


def each(*kinds):
    """Each road, with the metrics of some kinds that it knows."""
    cases = [
        pytest.param(road, record, id=f"{record.id} {road.__name__}")
        for road, record in product([by_hand, by_scikit_learn][: 2 if sklearn else 1], METRICS)
        if (record.reads, record.unit) in kinds and (record.sklearn or road is by_hand)
    ]
    return pytest.mark.parametrize(("road", "record"), cases)


of_sets = each(("y_pred", "sample"), ("y_pred", "label"))
of_rankings, of_curves = each(("y_score", "sample")), each(("y_score", "label"))
part = pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.exhaustive)])

# ---------------------------------------------------------------------------- label sets


def in_turn(road, record, options, some_worlds):
    """The options take turns."""
    for number, world in enumerate(some_worlds):
        meet(road, record, *world, **options[number % len(options)])


def shapes(*steps, exhaustive):
    """Of each shape every so many'th world."""
    full = [pytest.param(one, exhaustive, marks=pytest.mark.exhaustive) for one in all_small.SHAPES]
    some = [*zip(all_small.SHAPES, steps, strict=True), *full]
    return pytest.mark.parametrize(("shape", "step"), some, ids=str)


@shapes(5, 61, 61, exhaustive=1)
@of_sets
def test_representatives_of_all_small_data_sets(road, record, shape, step):
    in_turn(road, record, every_option(road, record), all_small.representatives(*shape)[::step])


@shapes(31, 301, 211, exhaustive=41)
@of_sets
def test_weighted_small_data_sets(road, record, shape, step):
    options = every_option(road, record, sample_weight=all_small.WEIGHTS[shape[0]])
    in_turn(road, record, options, all_small.data_sets_up_to_label_order(*shape)[::step])


SIX = np.array(list(product((0, 1), repeat=6)))


@pytest.mark.parametrize("weighted", [False, True])
@part
@of_sets
def test_every_label_of_three_samples_or_sample_of_three_labels(road, record, weighted, step):
    for some in (SIX[:32], SIX[32:]):  # a worked solution takes 50 of them
        truth, other, weight = some[:, :3], some[:, 3:], np.arange(32) % 5 / 2
        if record.unit == "label":
            truth, other, weight = truth.T, other.T, (0.5, 0.0, 3.0)
        options = every_option(road, record, sample_weight=weight if weighted else None)
        for chosen in options[::step]:
            meet(road, record, truth, other, **chosen)


# ---------------------------------------------------------------------------- scores


def cases(n_labels):
    """Every truth with every tie pattern, as two arrays."""
    pairs = product(all_small.rows(n_labels), all_small.weak_orderings(n_labels))
    return [np.array(part) for part in zip(*pairs, strict=True)]


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.exhaustive)])
@of_rankings
def test_every_tie_pattern_of_four_labels(road, record, step):
    """The options take turns. Of fewer labels, under every option: test_worked.py."""
    y_true, y_score = cases(4)
    options = every_option(road, record, sample_weight=np.arange(50) % 3)
    for begin in range(0, 24, step):  # a worked solution takes 50 samples
        chosen = options[begin % len(options)]
        meet(road, record, y_true[begin::24], y_score[begin::24], **chosen)


@pytest.mark.parametrize("weight", [None, all_small.WEIGHTS[2]], ids=str)
@part
@each(("y_score", "sample"), ("y_score", "label"))
def test_every_pair_of_samples_or_columns(road, record, weight, step):
    """The options take turns. Where one of two columns has no AUROC, so has scikit-learn's mean."""
    (y_true, y_score), options = cases(2), every_option(road, record, sample_weight=weight)
    both = road is by_hand or "roc" not in record.sklearn
    for number, pair in enumerate([*product(range(len(y_true)), repeat=2)][::step]):
        chosen, matrices = options[number % len(options)], (y_true[[*pair]], y_score[[*pair]])
        if record.unit == "label":
            matrices = [matrix.T for matrix in matrices]
        mixed = (y_true[[*pair]].sum(axis=1) == 1).all()
        if both or mixed or chosen["average"] == "micro":
            meet(road, record, *matrices, **chosen)


@pytest.mark.parametrize("weight", [None, (0.5, 0.25, 3.0)], ids=["unweighted", "weighted"])
@part
@of_curves
def test_every_column_that_three_samples_can_have(road, record, weight, step):
    """As labels side by side."""
    y_true, y_score = (part.T for part in cases(3))
    for begin in range(0, y_true.shape[1], 50):
        some = slice(begin, begin + 50)
        for options in every_option(road, record, average=None, sample_weight=weight)[::step]:
            meet(road, record, y_true[:, some], y_score[:, some], **options)
