"""Every option of every public function changes the result.

In a table it changes each column that it should.
"""

import inspect
from importlib import import_module

import numpy as np
import pytest
from random_inputs import option_values

import mlm_helpers
from mlm_helpers import catalogue, example_based, label_based, probability, ranking
from mlm_helpers.tables import Display

MODULES = {room: import_module(f"mlm_helpers.{room}") for room in mlm_helpers.__all__}
FUNCTIONS = {
    f"{room}.{name}": function
    for room, module in MODULES.items()
    for name in module.__all__
    if inspect.isfunction(function := getattr(module, name))
}
RECORDS = {record.id: record for record in catalogue.METRICS}
RNG = np.random.default_rng(29)  # the first model is better, but not at every level


def with_errors(y, share):
    return y ^ (RNG.random(y.shape) < share)


def twice(y):
    """Each sample twice, one after the other."""
    return np.repeat(y, 2, axis=0)


Y_TRUE = (RNG.random((40, 4)) < (0.2, 0.3, 0.4, 0.5)).astype(int)
Y_TRUE[:5] = 0
FIRST, SECOND = with_errors(Y_TRUE, 0.2), with_errors(Y_TRUE, 0.27)
FIRST[:3] = 0
Y_SCORE = (0.5 * FIRST + 0.5 * RNG.random(FIRST.shape)).round(1)
N = 2 * len(Y_TRUE)
# The second label is always true and predicted, the first never.
CONSTANT = np.tile([[0, 1, 1, 0], [0, 1, 0, 1]], (len(Y_TRUE) // 2, 1))


def data(y_true, first, second):
    """Values of the required arguments, by name."""
    y_true, first, second, y_score = map(twice, (y_true, first, second, Y_SCORE))
    return {
        "y": y_true, "y_true": y_true, "y_train": y_true, "y_pred": first, "first": first,
        "second": second, "y_score": y_score, "y_prob": y_score, "y_pred_new": second,
        "y_pred_or_score": first, "predictions": {"a": (first, y_score), "b": (second, y_score)},
        "metric": label_based.f1, "metrics": [label_based.f1], "value": 0.5, "n_folds": 4,
        "parents": [[], [0], [0], []], "inverse_propensities": [1.5, 2.5, 3.5, 4.5],
        "by": np.arange(N) % 3, "annotations": [y_true, first, second],
        "true_tags": ["a", "b;C"], "predicted_tags": ["a", "a"], "k": 2,
        "columns": ["a", "b"], "rows": [[0.12345, 0.5]],
    }  # fmt: skip


DATA = data(Y_TRUE, FIRST, SECOND), data(CONSTANT, CONSTANT, FIRST)
# Values of each option, of which one changes the result. Those of a metric's own options are in its
# record.
VALUES = {
    "sample_weight": [np.arange(N)], "per_sample": [True], "zero_division": [1.0],
    "average": ["micro"], "ties": ["first"], "undefined": [0.5], "a": [0.6], "b": [2],
    "bins": [5], "inclusive": [False],
    "threshold": [0.3], "per_label": [True], "constraint": [(label_based.specificity, 0.9)],
    "higher_is_better": [False], "seed": [1, 2], "n_resamples": [77], "level": [0.99, 0.8],
    "groups": [np.arange(N) // 2], "labels": [["a", "b", "c", "d"]], "samples": [range(5, 5 + N)],
    "separator": [";"], "others": ["add"], "value": [0], "n": [3], "metric": [label_based.recall],
    "metrics": [[label_based.recall]], "most": [2], "decimals": [1], "sort": ["support"],
    "distance": ["jaccard"], "y_pred": [twice(SECOND)], "y_score": [twice(Y_SCORE)],
    "y_prob": [twice(Y_SCORE)], "decision": ["score >= 0.5"], "n_samples": [2, 3],
    "n_labels": [2, 3], "caption": ["a"], "fixed": [2], "is_per_label": [True],
}  # fmt: skip


def share_predicted(y_true, y_pred):
    return y_pred.mean()


# For these functions the option needs other values, or other arguments beside it.
OTHER_VALUES = {
    "thresholds.top:ties": ["last"],
    "data.from_tags:normalize": [str.casefold], "data.from_tags:separator": [","],
    "data.from_tags:labels": [["a", "C"]], "summary.compare_labels:sort": [None],
    "summary.subgroups:sort": ["samples"], "catalogue.variants:records": [catalogue.METRICS[:1]],
    "worked.solve:samples": [["x", "y", "z"]], "conventions.identify:decimals": [3],
}  # fmt: skip
BESIDE = {
    "conventions.identify": {"y_pred": twice(FIRST)},
    "conventions.report": {"y_pred": twice(FIRST)},
    "conventions.report:y_score": {"metrics": [ranking.coverage], "y_score": twice(1 - Y_SCORE)},
    "conventions.report:y_prob": {"metrics": [probability.brier], "y_prob": twice(1 - Y_SCORE)},
    "data.from_tags": {"separator": ";", "labels": ["a", "b"], "others": "drop"},
    "errors.worst_samples": {"metric": example_based.f1},
    "probability.reliability": {"y_true": twice(Y_TRUE[:, :1]), "y_prob": twice(Y_SCORE[:, :1])},
    "summary.models": {"metrics": [label_based.f1]},
    "thresholds.tune:higher_is_better": {"metric": share_predicted, "higher_is_better": True},
    "uncertainty.per_label": {"metric": label_based.kappa},
    "uncertainty.resample": {"predictions": {"a": twice(FIRST)}},
    "worked.solve": {"y_true": Y_TRUE[-3:], "y_pred_or_score": FIRST[-3:]},
    **{
        f"hierarchy.{name}:zero_division": {"average": "samples", "root": False}
        for name in ("precision", "recall", "f1")
    },
    **{f"{function}:groups": {"level": 0.95} for function in FUNCTIONS},
}


def options(function):
    parameters = inspect.signature(function).parameters.values()
    return [p for p in parameters if p.kind is p.KEYWORD_ONLY or p.default is not p.empty]


CASES = [f"{name}:{p.name}" for name, function in FUNCTIONS.items() for p in options(function)]
CASES.remove("data.unknown:value")  # the mark of an unknown cell: any other is refused


def trial_values(case):
    """Values of an option to try: of a metric's own option the first two of its record."""
    name, _, option = case.partition(":")
    if name in RECORDS and option == "average":
        return RECORDS[name].averages
    if name in RECORDS and option in RECORDS[name].parameters:
        return option_values(RECORDS[name].parameters[option])[:2]
    values = OTHER_VALUES.get(case) or VALUES.get(option)
    assert values, f"give values of {option}, an option of {name}, in VALUES of {__file__}"
    return values


def results(case, given):
    """Results of a function under an option's default, if it has one, and each of its values."""
    name, _, option = case.partition(":")
    function = FUNCTIONS[name]
    parameters = inspect.signature(function).parameters
    required = [p.name for p in options(function) if p.default is p.empty]
    named = {option: trial_values(f"{name}:{option}")[0] for option in required}
    named |= {n: given[n] for n, p in parameters.items() if n in given and p.default is p.empty}
    named.pop(option, None)
    named |= BESIDE.get(name, {}) | BESIDE.get(case, {})
    named = {n: value for n, value in named.items() if n in parameters}
    if option in named or parameters[option].default is not inspect.Parameter.empty:
        yield function(**named)
    for value in trial_values(case):
        yield function(**named | {option: value})


def as_text(result):
    """The text of a table, the numbers of arrays, of anything else its repr."""
    if isinstance(result, Display):
        return str(result)
    if isinstance(result, list | tuple):
        return repr([*map(as_text, result)])
    return repr(np.asarray(result).tolist())


@pytest.mark.parametrize("case", CASES)
def test_an_option_changes_the_result(case):
    texts = ([as_text(result) for result in results(case, given)] for given in DATA)
    assert any(len(set(found)) > 1 for found in texts)


# What the options of a table decide, beside the ends of the intervals.
DECIDED = {
    "models": {"level": {"best"}, "groups": {"best"}},
    "compare_labels": {"level": {"first is"}, "groups": {"first is", "p"}},
    "labels": {},
    "subgroups": {},
}


@pytest.mark.parametrize("option", ["level", "groups"])
@pytest.mark.parametrize("name", DECIDED)
def test_an_option_of_a_table_changes_all_columns_that_depend_on_it(name, option):
    *_, before, after = (table.frame() for table in results(f"summary.{name}:{option}", DATA[0]))
    changed = {column for column in after if not after[column].equals(before[column])}
    ends = {column for column in after if column.endswith((" low", " high"))}
    assert changed == DECIDED[name].get(option, set()) | ends
