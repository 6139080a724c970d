"""Every number leads back to the metric and the convention that it came from, and to no wrong one."""

from math import exp, inf, log, nan

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score

from mlm_helpers import hamming, label_based
from mlm_helpers.conventions import TOOLS, identify, number, report
from mlm_helpers.conventions.identify import match_kind, parse_target
from mlm_helpers.conventions.quantities import RARE, option_combinations, quantities
from mlm_helpers.conventions.tool import is_close
from mlm_helpers.conventions.translate import numbers_of, read_cached

QUANTITIES = {n: q for n, q in quantities().items() if q.reads != "y_prob"}
F1 = "samples F1"
PERFECT = [[1, 0, 0], [0, 0, 0]]  # with a sample that has no label
ABSENT = [[1, 0, 0], [0, 1, 0]]  # and the last label never occurs


def found_by(matches, metric):
    return [match for match in matches if match.metric == metric]


# ---------------------------------------------------------------------------- how a number fits

SEVEN_NINTHS = {
    "exactly": [7 / 9, 0.7777777777],
    "rounded": [0.778, 0.8, np.float32(0.78), np.float32(7 / 9)],  # the last is printed 0.7777778
    "truncated": [0.7777777, 0.77],
    "in single precision": [float(np.float32(7 / 9))],  # 0.7777777910232544
    "": [0.776, 0.779, np.float32(0.77779), 0.7777791023, -0.77],
}


@pytest.mark.parametrize(("fits", "values"), SEVEN_NINTHS.items())
def test_seven_ninths(fits, values):
    assert [match_kind(parse_target(value, None), 7 / 9) for value in values] == [fits] * len(
        values
    )


def test_how_other_numbers_fit():
    def fits(value, candidate, decimals=None):
        return match_kind(parse_target(value, decimals), candidate)

    assert (fits(0.6, 5 / 9), fits(0.6, 0.549)) == ("rounded", "")
    # The decimals that were printed
    assert (fits(0.8, 7 / 9, 2), fits(1, 7 / 9, 0)) == ("", "rounded")
    assert fits(np.float64(0.78), 7 / 9, np.int64(2)) == "rounded"
    assert (fits(0.0, 2.5e-7, 6), fits(0.0, 2.5e-7, 7)) == ("rounded", "")
    # A negative value is cut towards 0
    assert (fits(-0.66, -2 / 3), fits(-0.65, -2 / 3)) == ("truncated", "")
    # 189.4 is 189.39999389648438 in single precision, and 1/3 is printed 0.33333334
    assert fits(np.float32(189.4), 189.4) == "rounded"
    assert fits(189.39999389648438, 189.4) == fits(0.33333334, 1 / 3) == "in single precision"


TRUTH, PREDICTION = [[1, 1, 0], [0, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 1, 1], [0, 0, 1]]
# F1 of the samples 2/3, 2/3, 1: 7/9; columns: F1 1, 2/3, 2/3, which is 7/9 too; micro 6/8.


def test_a_percentage():
    """A whole number was rounded; 78.0 was not."""
    for value, decimals in ((77.78, None), (77, 0), (78, None)):
        (match,) = found_by(identify(value, TRUTH, PREDICTION, decimals=decimals).matches, F1)
        assert match.fit == "as a percentage"
    for value in (78.0, 177.78):
        assert not found_by(identify(value, TRUTH, PREDICTION).matches, F1)
    # It is sought only where nothing else fits
    found = identify(2.0, [[0, 1, 0]], [[0, 1, 0]], [[0.9, 0.8, 0.1]])
    assert {(match.metric, match.fit) for match in found.matches} == {("coverage", "exactly")}


def test_small_numbers_are_told_apart():
    """One wrong cell of four million: 2.5e-7, to which 2.6e-7 is not equal, nor 5e-4 of napkinXC."""
    truth = sparse.csr_array((2000, 2000))
    prediction = sparse.csr_array(([1], ([0], [0])), shape=truth.shape)
    (match,) = found_by(identify(2.5e-7, truth, prediction).matches, "Hamming loss")
    assert (match.fit, match.value) == ("exactly", 2.5e-7)
    assert "scikit-learn" in match.tools and "napkinXC" not in match.tools
    assert not match_kind(parse_target(2.6e-7, None), 2.5e-7)
    assert not is_close(*numbers_of("Spark MLlib", "Hamming loss", truth, prediction))
    assert "Hamming loss = 2.5e-07:" in report([hamming.hamming_loss], truth, prediction)


def test_a_value_that_only_a_tool_counts():
    """LAMDA counts a sample without labels -1: coverages 0, -1 and -1."""
    truth, scores = [[1, 0], [0, 0], [0, 0]], [[0.9, 0.1]] * 3
    (match,) = found_by(identify(-0.66, truth, None, scores).matches, "coverage")
    assert (match.fit, match.tools) == ("truncated", ("LAMDA MATLAB",))
    assert dict(match.options) == {"start": 0, "undefined": -1.0}


def test_f1_of_mean_precision_and_mean_recall():
    """P and R are 3/4, and so their F1, but the F1s of both samples 2/3."""
    of_means, data = (
        "F1 of samples precision and samples recall",
        ([[1, 1], [1, 0]], [[1, 0], [1, 1]]),
    )
    for value, metric, other in ((0.75, of_means, F1), (2 / 3, F1, of_means)):
        found = identify(value, *data).matches
        assert found_by(found, metric) and not found_by(found, other)


def test_columns_alone():
    """Column 1 has a hit and a miss, column 2 a hit and a false alarm: F1 2/3, and 2 of 3 cells are right."""
    matches = [m for m in identify(2 / 3, TRUTH, PREDICTION).matches if m.column is not None]
    assert {(m.metric, m.column) for m in matches} == {
        ("F1 of column 1 alone", 1), ("F1 of column 2 alone", 2),
        ("accuracy of column 1 alone", 1), ("accuracy of column 2 alone", 2),
    }  # fmt: skip
    assert all(m.convention == "any" and m.tools == () for m in matches)


def test_a_column_without_labels_is_worth_its_zero_division():
    for worth in (0.0, 1.0, nan):
        (match,) = found_by(identify(worth, ABSENT, ABSENT).matches, "F1 of column 2 alone")
        assert match.convention == f"zero_division={worth}"


# ---------------------------------------------------------------------------- other code

RNG = np.random.default_rng(7)
SETS = RNG.integers(2, size=(2, 9, 5))  # every class and label occurs in both
OTHER_CODE = {
    "truth and prediction exchanged": ("weighted F1", lambda t, p: f1_score(p, t, average="weighted")),
    "both matrices transposed": ("weighted F1", lambda t, p: f1_score(t.T, p.T, average="weighted")),
    "both classes of each label count": (
        "macro F1", lambda t, p: np.mean([f1_score(*both, average="macro") for both in zip(t.T, p.T, strict=True)]),
    ),
    "all cells in one list, both classes count": (
        "weighted F1", lambda t, p: f1_score(t.ravel(), p.ravel(), average="weighted"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("view", OTHER_CODE)
def test_data_that_other_code_takes_for_others_are_named_in_words(view):
    metric, code = OTHER_CODE[view]
    found = identify(code(*SETS), *SETS)
    (match,) = (one for one in found.matches if (one.metric, one.view) == (metric, view))
    assert match.fit == "exactly" and match.tools == () and view in str(found)
    assert all(one.view or one.column is not None for one in found.matches)


def test_one_class_is_the_mean_of_a_column_where_the_other_does_not_occur():
    truth, prediction = SETS * [1, 1, 0, 1, 1]
    of_columns = [
        f1_score(*both, average="macro") for both in zip(truth.T, prediction.T, strict=True)
    ]
    assert of_columns[2] == 1
    found = identify(np.mean(of_columns), truth, prediction).matches
    assert "both classes of each label count" in [m.view for m in found_by(found, "macro F1")]


def test_what_is_not_usual_is_not_told_beside_a_usual_match():
    usual = identify(label_based.f1(*SETS), *SETS).matches
    assert usual and not any(match.view for match in usual)
    rarer = {quantity.name for quantity in RARE}
    assert not rarer & {match.metric for match in usual}


def one_hot(classes):
    return np.eye(3, dtype=int)[classes]


@pytest.mark.parametrize(
    ("value", "metric", "data"),
    [  # P of the labels 1, 2/3, 1 and R 1/2, 1, 1: means 8/9 and 5/6
        (5 * 8 / 9 * 5 / 6 / (4 * 8 / 9 + 5 / 6), "F2 of macro precision and macro recall",
         (one_hot([0, 0, 1, 1, 2, 2]), one_hot([0, 1, 1, 1, 2, 2]))),
        # weighted by 3, 2, 1: P (3 + 1 + 1/2) / 6, R (2 + 1 + 1) / 6, as smile 874 has it
        (2 * 3 / 4 * 2 / 3 / (3 / 4 + 2 / 3), "F1 of weighted precision and weighted recall",
         (one_hot([0, 0, 0, 1, 1, 2]), one_hot([0, 0, 1, 1, 2, 2]))),
        # sed_eval 14: label 2 is true, never predicted; label 1 occurs nowhere: F1 4/5 and 2/3 are left
        ((4 / 5 + 2 / 3) / 2, "macro F1 of the labels that have a precision and a recall",
         ([[1, 0, 0, 0]] * 5 + [[0, 0, 1, 1]] + [[0, 0, 0, 1]] * 3,
          [[1, 0, 0, 0]] * 4 + [[0, 0, 0, 0], [1, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]])),
    ],
)  # fmt: skip
def test_rarer_means_are_tried(value, metric, data):
    (match,) = found_by(identify(value, *data).matches, metric)
    assert match.fit == "exactly"


def test_a_loss_that_clamps_its_logarithm_at_100():
    """torch.nn.BCELoss of one impossible cell in four and three of probability 1/2: (100 + 3 ln 2) / 4."""
    found = identify(25 + 0.75 * log(2), [[1, 0], [1, 0]], y_prob=[[0.0, 0.5], [0.5, 0.5]])
    (match,) = found_by(found.matches, "macro log loss")
    assert match.options["clip"] == exp(-100) and match.tools == ("PyTorch",)


# ---------------------------------------------------------------------------- each matrix is read once


@pytest.mark.parametrize("seed", range(6))
def test_values_of_data_that_are_read_once_are_those_of_the_metric_itself(seed):
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 6, size=2)
    truth, sets = rng.integers(2, size=(2, *shape))
    scores = rng.choice([0.1, 0.2, 0.5, 0.7], shape) if seed % 2 else rng.random(shape)
    given = {"y_pred": sets, "y_score": scores, "y_prob": scores}
    if seed > 3:
        truth, given["y_pred"] = sparse.csr_array(truth), sparse.csr_array(sets)
    kept = {}
    for quantity in (*quantities().values(), *RARE):
        if quantity.required.get("k", 1) <= shape[1]:
            other = given[quantity.reads]
            measured = kept.setdefault(quantity.reads, read_cached(quantity, truth, other))
            for way in option_combinations(quantity.conventions)[seed % 5 :: 5]:
                value = float(quantity.function(truth, other, **way))
                assert is_close(measured.value(quantity.function, **way), value), (
                    quantity.name,
                    way,
                )


# ---------------------------------------------------------------------------- what is shown


def test_nothing_fits_and_the_nearest_are_told(snapshot):
    """0.7: nearest are 2/3 (subset accuracy is 1/3), 3/4 (micro F1), then others further off."""
    found = identify(0.7, TRUTH, PREDICTION, decimals=4)
    assert (found.matches, str(found)) == ((), snapshot)
    assert [round(match.value, 6) for match in found.nearest] == [0.666667] * 3
    near = identify(0.97, [[1, 0]], [[0, 1]], [[0.1, 0.9]], decimals=3).nearest
    values = [match.value for match in near]
    assert values == sorted(values, key=lambda value: abs(value - 0.97))
    assert identify(inf, TRUTH, PREDICTION).nearest == ()


def test_the_table_shows_twenty_matches_and_a_tool_s_own_rule_below(snapshot):
    found, own = identify(0.5, PERFECT, PERFECT), identify(inf, [[0]], [[1]])
    assert [row[0] for row in found.steps[0].rows] == [match.metric for match in found.matches]
    assert [str(found), str(own)] == snapshot
    more = identify(1.0, ABSENT, ABSENT, ABSENT, y_prob=ABSENT)
    table, *told = more.steps
    assert len(table.rows) == 20
    assert told[0].text == f"{len(more.matches) - 20} more, less usual, are in .matches."
    assert [step.text[:9] for step in told[1:]] == ["Not tried"]  # here, too, where something fits


# ---------------------------------------------------------------------------- whatever the data


def agrees(way, match):
    return all(repr(way[option]) == repr(setting) for option, setting in match.options.items())


def check(found, value, y_true, y_pred, quantity, step):
    """Each way to compute fits one match if it gives the number, else none; who prints it is named, and no one else."""
    exact = [match for match in found.matches if match.fit == "exactly"]
    of_metric = found_by(exact, quantity.name)
    by_option = [match for match in of_metric if not match.says]
    for way in option_combinations(quantity.conventions)[::step]:
        fits = is_close(quantity.function(y_true, y_pred, **way), value)
        assert sum(agrees(way, match) for match in by_option) == fits, (quantity.name, way)
    for match in of_metric:  # a tool that does so by default needs no setting
        asked = {tool.partition(", ")[0] for tool in match.tools if ", " in tool}
        assert not asked & {*match.tools}
    named = {tool for match in of_metric for tool in match.tools}
    for tool in TOOLS.values():
        for key in (
            tool.key(setting) for setting, _ in tool.translations_of(quantity.general_name)
        ):
            prints = is_close(number(key, quantity.name, y_true, y_pred), value)
            assert (key in named) <= prints <= bool({tool.name, key} & named), key


def has_room(quantity, reads, n_labels):
    return quantity.reads == reads and quantity.required.get("k", 1) <= n_labels


@pytest.mark.no_cover
@pytest.mark.parametrize("n", [8, pytest.param(20, marks=pytest.mark.exhaustive)])
def test_a_number_leads_back_to_where_it_came_from_and_to_nothing_else(n):
    rng = np.random.default_rng(n)
    for i in range(n):
        shape = rng.integers(1, 4, size=2)
        y_true, y_pred = rng.integers(2, size=(2, *shape))
        data = {"y_pred": y_pred} if i % 2 else {"y_score": rng.choice([0.1, 0.5, 0.7], shape)}
        ((reads, other),) = data.items()
        tried = [one for one in QUANTITIES.values() if has_room(one, reads, shape[1])]
        source = rng.choice(np.arange(len(tried)))
        way = rng.choice(option_combinations(tried[source].conventions))
        value = float(tried[source].function(y_true, other, **way))
        found = identify(value, y_true, **data)
        assert found.matches and not found.nearest
        is_exact = [match.fit == "exactly" for match in found.matches]
        assert is_exact == sorted(is_exact, reverse=True)
        for j, quantity in enumerate(tried):
            check(found, value, y_true, other, quantity, step=1 if j == source else 7)
