"""Metrics on all small data sets, against worked solutions in fractions and scikit-learn.

Each comparison takes most of a millisecond. So `make test` compares some data sets, and `make
exhaustive` one of each kind, where data sets of a kind differ only in the order of samples and
labels.
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
except ImportError:  # test_release.py runs this file with NumPy and tqdm alone
    sklearn = None

pytestmark = [
    pytest.mark.no_cover,  # Other files cover the same code, and tracing would double the time.
    pytest.mark.filterwarnings("ignore:.* ill-defined"),
    pytest.mark.filterwarnings("ignore:Only one class is present"),
    pytest.mark.filterwarnings("ignore:No positive class found"),
]


@pytest.fixture(autouse=True, scope="module")
def _unchecked_scikit_learn():
    if sklearn is None:
        yield
        return
    with sklearn.config_context(skip_parameter_validation=True, assume_finite=True):
        yield


def worked_value(record, y_true, y_pred, **options):
    return solve(record.function, y_true, y_pred, **options).value


def scikit_learn_value(record, y_true, y_pred, sample_weight=None, zero_division=None, **options):
    """The value of the record's scikit-learn expression, with weights and the rule for 0/0."""
    keywords = {"sample_weight": sample_weight}
    if zero_division is not None:
        keywords["zero_division"] = zero_division
    if record.reads == "y_score":
        y_pred = y_pred.astype(float)
    names = vars(sklearn.metrics) | options | {"y_true": y_true, record.reads: y_pred}
    function = record.sklearn.partition("(")[0]
    return eval(record.sklearn, names | {function: partial(names[function], **keywords)})


def all_options(reference, record, **fixed):
    """All combinations of the options of the record's function that the reference takes, too."""
    choices = {"average": record.averages, "beta": all_small.BETAS, "zero_division": (0.0, 1.0)}
    if "jaccard" not in record.sklearn:  # scikit-learn refuses nan for the Jaccard index.
        choices["zero_division"] += (nan,)
    if reference is worked_value:
        choices |= {"zero_division": all_small.ZERO_DIVISIONS, "ties": record.tie_rules}
        choices |= {"undefined": (1.0, nan)}
    parameters = {name: parameter.values for name, parameter in record.parameters.items()}
    if reference is scikit_learn_value:
        parameters = {name: v for name, v in parameters.items() if name in record.sklearn}
        averages = choices["average"]
        choices["average"] = tuple(a for a in averages if a not in record.sklearn_differs)
    values_of = {name: v for name, v in (parameters | choices).items() if name in record.defaults}
    values_of |= {name: [value] for name, value in fixed.items()}
    return [dict(zip(values_of, values, strict=True)) for values in product(*values_of.values())]


def compare(reference, record, y_true, y_pred, **options):
    """Assert that the metric has the value, and the shape, of the reference."""
    y_true, y_pred = np.array(y_true), np.array(y_pred)
    value = record.function(y_true, y_pred, **options)
    expected = np.array(reference(record, y_true, y_pred, **options), dtype=float)
    assert np.shape(value) == expected.shape and agree(value, expected), (y_true, y_pred, options)


def references_and_records(*kinds):
    """Parameters of a test: each reference with each record of these kinds that it can value."""
    references = [worked_value, scikit_learn_value][: 2 if sklearn else 1]
    cases = [
        pytest.param(reference, record, id=f"{record.id} {reference.__name__}")
        for reference, record in product(references, METRICS)
        if (record.reads, record.unit) in kinds and (record.sklearn or reference is worked_value)
    ]
    return pytest.mark.parametrize(("reference", "record"), cases)


set_metrics = references_and_records(("y_pred", "sample"), ("y_pred", "label"))
ranking_metrics = references_and_records(("y_score", "sample"))
curve_metrics = references_and_records(("y_score", "label"))
every_seventh = pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.exhaustive)])

# ---------------------------------------------------------------------------- label sets


def compare_in_turn(reference, record, options, data_sets):
    """Compare each data set under one of the options, which take turns."""
    for i, data in enumerate(data_sets):
        compare(reference, record, *data, **options[i % len(options)])


def shapes(*steps, exhaustive):
    """Parameters of a test: each shape, with a step that says how many data sets to go on."""
    full = [pytest.param(s, exhaustive, marks=pytest.mark.exhaustive) for s in all_small.SHAPES]
    cases = [*zip(all_small.SHAPES, steps, strict=True), *full]
    return pytest.mark.parametrize(("shape", "step"), cases, ids=str)


@shapes(5, 61, 61, exhaustive=1)
@set_metrics
def test_representatives_of_all_small_data_sets(reference, record, shape, step):
    compare_in_turn(
        reference, record, all_options(reference, record), all_small.representatives(*shape)[::step]
    )


@shapes(31, 301, 211, exhaustive=41)
@set_metrics
def test_weighted_small_data_sets(reference, record, shape, step):
    options = all_options(reference, record, sample_weight=all_small.WEIGHTS[shape[0]])
    compare_in_turn(
        reference, record, options, all_small.data_sets_up_to_label_order(*shape)[::step]
    )


SIX_CELLS = np.array(list(product((0, 1), repeat=6)))


@pytest.mark.parametrize("weighted", [False, True])
@every_seventh
@set_metrics
def test_every_label_of_three_samples_or_sample_of_three_labels(reference, record, weighted, step):
    for half in np.split(SIX_CELLS, 2):  # A worked solution takes at most 50 samples or labels.
        truth, prediction, weight = half[:, :3], half[:, 3:], np.arange(32) % 5 / 2
        if record.unit == "label":
            truth, prediction, weight = truth.T, prediction.T, (0.5, 0.0, 3.0)
        options = all_options(reference, record, sample_weight=weight if weighted else None)
        for chosen in options[::step]:
            compare(reference, record, truth, prediction, **chosen)


# ---------------------------------------------------------------------------- scores


def cases(n_labels):
    """Every truth of a sample with every tie pattern of its scores, a row per case."""
    pairs = product(all_small.rows(n_labels), all_small.weak_orderings(n_labels))
    return [np.array(matrix) for matrix in zip(*pairs, strict=True)]


@every_seventh
@ranking_metrics
def test_every_tie_pattern_of_four_labels(reference, record, step):
    """The options take turns."""
    y_true, y_score = cases(4)
    options = all_options(reference, record, sample_weight=np.arange(50) % 3)
    for start in range(0, 24, step):  # A worked solution takes at most 50 samples.
        chosen = options[start % len(options)]
        compare(reference, record, y_true[start::24], y_score[start::24], **chosen)


@pytest.mark.parametrize("weight", [None, all_small.WEIGHTS[2]], ids=str)
@every_seventh
@references_and_records(("y_score", "sample"), ("y_score", "label"))
def test_every_pair_of_samples_or_columns(reference, record, weight, step):
    """The options take turns.

    If AUROC is undefined for a label, scikit-learn's mean is undefined, too.
    """
    (y_true, y_score), options = cases(2), all_options(reference, record, sample_weight=weight)
    leaves_out_undefined = reference is worked_value or "roc" not in record.sklearn
    for number, pair in enumerate([*product(range(len(y_true)), repeat=2)][::step]):
        chosen = options[number % len(options)]
        matrices = y_true[[*pair]], y_score[[*pair]]
        if record.unit == "label":
            matrices = [matrix.T for matrix in matrices]
        is_defined = (y_true[[*pair]].sum(axis=1) == 1).all()
        if leaves_out_undefined or is_defined or chosen["average"] == "micro":
            compare(reference, record, *matrices, **chosen)


@pytest.mark.parametrize("weight", [None, (0.5, 0.25, 3.0)], ids=["unweighted", "weighted"])
@every_seventh
@curve_metrics
def test_every_column_that_three_samples_can_have(reference, record, weight, step):
    """The columns are labels side by side, of which a worked solution takes 50."""
    y_true, y_score = (matrix.T for matrix in cases(3))
    for start in range(0, y_true.shape[1], 50):
        labels = slice(start, start + 50)
        for options in all_options(reference, record, average=None, sample_weight=weight)[::step]:
            compare(reference, record, y_true[:, labels], y_score[:, labels], **options)
