"""Every metric in containers, dtypes, weights and options, in every room: one number, or one sentence.

Metrics are known by their records alone. The number is that of the worked fractions. In `make test` all metrics
together meet every container, dtype, weight and option; `make exhaustive` takes some five times as many.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import cycle, islice, product
from math import inf, isnan, nan

import numpy as np
import pandas as pd
import pytest
from drawing import examples
from scipy import sparse
from sklearn.metrics import make_scorer
from sklearn.neighbors import KNeighborsClassifier

from mlm_helpers import catalogue, thresholds, uncertainty, worked
from mlm_helpers._core import inputs
from mlm_helpers.scorecard import Scorecard

RECORDS = catalogue.METRICS
# A sample without true labels, one with all; a label that nobody has, and one that is never predicted.
Y_TRUE = np.array([[1, 0, 1, 0], [0, 0, 0, 0], [1, 1, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0]])
Y_PRED = np.array([[1, 0, 0, 0], [0, 0, 0, 0], [1, 0, 1, 0], [0, 0, 1, 1], [1, 0, 1, 0]])
Y_SCORE = np.array([[5, 2, 2, 1], [3, 3, 1, 2], [4, 1, 5, 2], [1, 4, 4, 3], [2, 5, 2, 1]])
WEIGHTS = (None, [1, 2, 3, 1, 2], [0.1, 0.7, 1.25, 3, 0.2], [0, 2, 1, 0, 1])

CONTAINERS = {
    "list": np.ndarray.tolist,
    "columns first": np.asfortranarray,
    "every second": lambda cells: np.repeat(cells, 2, axis=1)[:, ::2],
    "frame": pd.DataFrame,
    "csr": sparse.csr_array,
    "csc": sparse.csc_matrix,
    "coo": sparse.coo_array,
}
LABEL_TYPES = ["?", "i1", "u8", "f4"]
SCORE_TYPES = ["i1", "u8", "f4", "f8", "f2", "g"]  # the last two are not for sparse ones

each_record = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.id)


def made(cells, container, dtype):
    """Cells in a container; of what a sparse matrix cannot hold, or a list has not, doubles."""
    if container == "list" or (container in ("csr", "csc", "coo") and dtype in ("f2", "g")):
        dtype = "f8"
    return CONTAINERS[container](cells.astype(dtype))


def options_of(record):
    """Every choice of its options together, an average per label or a value per sample aside."""
    choices = {
        "average": [average for average in record.averages if average],
        "zero_division": (0.0, 1.0, nan, "agree"),
        "ties": inputs.TIES,
        "undefined": (0.0, 1.0, nan),
    }
    choices = {name: some for name, some in choices.items() if name in record.defaults}
    choices |= {name: examples(one, 4) for name, one in record.parameters.items()}
    return [dict(zip(choices, some, strict=True)) for some in product(*choices.values())]


def read(record):
    return {"y_pred": Y_PRED, "y_score": Y_SCORE, "y_prob": Y_SCORE / 8}[record.reads]


def types_of(record):
    return {"y_pred": LABEL_TYPES, "y_score": SCORE_TYPES, "y_prob": SCORE_TYPES[2:]}[record.reads]


@cache
def number(record, which, i):
    """By hand, in fractions: under the weights and the options of these numbers."""
    options = options_of(record)[i] | {"sample_weight": WEIGHTS[which]}
    return float(worked.solve(record.function, Y_TRUE, read(record), **options))


@pytest.fixture(params=["some", pytest.param("more", marks=pytest.mark.exhaustive)])
def combinations(request):
    """Of all combinations each so many'th: a step that divides no number of them comes by every one in turn."""

    def taken(record, step, types=None):
        step = step if request.param == "some" else step // 6 | 1
        return islice(every_combination(record, types), RECORDS.index(record) % step, None, step)

    return taken


def every_combination(record, types):
    """Truth and the other matrix in containers and types of their own, weights and options of a metric."""
    every = product(CONTAINERS, types or types_of(record), range(4))
    others = zip(
        every, cycle(range(len(options_of(record)))), cycle(product(CONTAINERS, LABEL_TYPES))
    )
    for (container, dtype, which), i, truth in others:
        cells = Y_SCORE if types else read(record)
        pair = made(Y_TRUE, *truth), made(cells, container, dtype)
        yield pair, WEIGHTS[which], i, which, (truth, container, dtype)


def same(one, other):
    return one == pytest.approx(other, rel=1e-12, abs=1e-12, nan_ok=True)


@each_record
def test_the_function_and_its_worked_steps(record, combinations):
    for pair, weight, i, which, where in combinations(record, 13):
        options = options_of(record)[i] | {"sample_weight": weight}
        expected = number(record, which, i)
        assert same(record.function(*pair, **options), expected), (where, options)
        solution = worked.solve(record.function, *pair, **options)
        assert same(float(solution), expected), (where, options)


@each_record
def test_the_scorecard(record, combinations):
    """One batch has the value of the function; what does not add up is left out."""
    for pair, weight, i, which, where in combinations(record, 31):
        options = options_of(record)[i]
        idle = {"average", *(() if record.adds_up else record.parameters)}
        given = {name: value for name, value in options.items() if name not in idle}
        card = Scorecard.from_batch(
            pair[0], **{record.reads: pair[1]}, sample_weight=weight, **given
        )
        shown = {"average": options["average"]} if "average" in options else {}
        shown |= {name: options[name] for name in record.required}
        name = catalogue.describe(partial(record.function, **shown))
        assert (name in card.values()) == record.adds_up
        if record.adds_up:
            assert same(card.values()[name], number(record, which, i)), (where, weight, options)


@each_record
def test_the_interval(record, combinations):
    for pair, weight, i, which, where in combinations(record, 73):
        metric = partial(record.function, **options_of(record)[i], sample_weight=weight)
        found = uncertainty.interval(metric, *pair, n_resamples=40)
        assert same(found.value, number(record, which, i)), (where, weight, metric.keywords)
        assert isnan(found.low) or found.low <= found.high


@each_record
def test_as_a_scorer(record):
    """What scikit-learn passes on: matrices, options and weights; a loss turned round."""
    if record.reads != "y_pred" or record.asks_per_label:
        return
    x = np.arange(5.0)[:, None]
    model, sign = KNeighborsClassifier(1).fit(x, Y_PRED), 1 if record.higher_is_better else -1
    scorer = make_scorer(
        record.function, **record.required, greater_is_better=record.higher_is_better
    )
    value = record.function(Y_TRUE, Y_PRED, **record.required, sample_weight=WEIGHTS[1])
    assert same(scorer(model, x, Y_TRUE, sample_weight=WEIGHTS[1]), sign * value)


@each_record
def test_the_best_cut(record, combinations):
    """The same from every container and type; where 0/0 is left out, a sentence."""
    if record.reads != "y_pred":
        with pytest.raises(ValueError, match="it needs no cut"):
            thresholds.tune(partial(record.function, **record.required), Y_TRUE, Y_SCORE)
        return

    @cache
    def expected(which, i):
        metric = partial(record.function, **options_of(record)[i], sample_weight=WEIGHTS[which])
        sign = 1 if record.higher_is_better else -1
        values = {cut: sign * metric(Y_TRUE, (cut <= Y_SCORE) * 1) for cut in (inf, 5, 4, 3, 2, 1)}
        return next(cut for cut in values if values[cut] >= max(values.values()) - 1e-12)

    for pair, weight, i, which, where in combinations(record, 17, SCORE_TYPES):
        chosen = options_of(record)[i]
        ask = partial(thresholds.tune, partial(record.function, **chosen, sample_weight=weight))
        if isinstance(chosen.get("zero_division"), float) and isnan(chosen["zero_division"]):
            with pytest.raises(ValueError, match="zero_division is nan, under which a cut"):
                ask(*pair)
        else:
            assert ask(*pair) == expected(which, i), (where, weight, chosen)
