"""A number is traced to the metric and convention of which it is, and to no wrong one."""

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
from mlm_helpers.conventions.translate import read_cached

QUANTITIES = [quantity for quantity in quantities().values() if quantity.reads != "y_prob"]
F1 = "samples F1"
PERFECT = [[1, 0, 0], [0, 0, 0]]  # with a sample that has no label
ABSENT = [[1, 0, 0], [0, 1, 0]]  # and the last label never occurs


def of_metric(matches, metric):
    return [match for match in matches if match.metric == metric]


# ---------------------------------------------------------------------------- kinds of match

SEVEN_NINTHS = {
    "exactly": [7 / 9, 0.7777777777],
    "rounded": [0.778, 0.8, np.float32(0.78), np.float32(7 / 9)],  # the last is printed 0.7777778
    "truncated": [0.7777777, 0.77],
    "in single precision": [float(np.float32(7 / 9))],  # 0.7777777910232544
    "": [0.776, 0.779, np.float32(0.77779), 0.7777791023, -0.77],
}


def fits(value, candidate, decimals=None):
    """The kind of match between a printed value and a candidate, such as "rounded"."""
    return match_kind(parse_target(value, decimals), candidate)


@pytest.mark.parametrize(("kind", "values"), SEVEN_NINTHS.items())
def test_how_values_fit_seven_ninths(kind, values):
    assert {fits(value, 7 / 9) for value in values} == {kind}


def test_how_other_numbers_fit():
    assert (fits(0.6, 5 / 9), fits(0.6, 0.549)) == ("rounded", "")
    # With the number of decimals that were printed
    assert (fits(0.8, 7 / 9, 2), fits(1, 7 / 9, 0)) == ("", "rounded")
    assert fits(np.float64(0.78), 7 / 9, np.int64(2)) == "rounded"
    assert (fits(0.0, 2.5e-7, 6), fits(0.0, 2.5e-7, 7)) == ("rounded", "")
    # A negative value is truncated towards 0
    assert (fits(-0.66, -2 / 3), fits(-0.65, -2 / 3)) == ("truncated", "")
    # 189.4 is 189.39999389648438 in single precision, and 1/3 is printed 0.33333334
    assert fits(np.float32(189.4), 189.4) == "rounded"
    assert fits(189.39999389648438, 189.4) == fits(0.33333334, 1 / 3) == "in single precision"


TRUTH, PREDICTION = [[1, 1, 0], [0, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 1, 1], [0, 0, 1]]
# F1 of the samples 2/3, 2/3, 1: 7/9; columns: F1 1, 2/3, 2/3, which is 7/9 too; micro 6/8.


def test_a_percentage():
    """A whole number was rounded; 78.0 was not."""
    for value, decimals in ((77.78, None), (77, 0), (78, None)):
        (match,) = of_metric(identify(value, TRUTH, PREDICTION, decimals=decimals).matches, F1)
        assert match.fit == "as a percentage"
    for value in (78.0, 177.78):
        assert not of_metric(identify(value, TRUTH, PREDICTION).matches, F1)
    # Percentages are tried only if nothing else fits
    matches = identify(2.0, [[0, 1, 0]], [[0, 1, 0]], [[0.9, 0.8, 0.1]]).matches
    assert {(match.metric, match.fit) for match in matches} == {("coverage", "exactly")}


def test_small_numbers_are_told_apart():
    """One wrong cell of four million: 2.5e-7, which is not 2.6e-7, nor napkinXC's 5e-4."""
    truth = sparse.csr_array((2000, 2000))
    prediction = sparse.csr_array(([1], ([0], [0])), shape=truth.shape)
    (match,) = of_metric(identify(2.5e-7, truth, prediction).matches, "Hamming loss")
    assert (match.fit, match.value) == ("exactly", 2.5e-7)
    assert "scikit-learn" in match.tools and "napkinXC" not in match.tools
    assert not match_kind(parse_target(2.6e-7, None), 2.5e-7)
    assert not is_close(number("Spark MLlib", "Hamming loss", truth, prediction), 2.5e-7)
    assert "Hamming loss = 2.5e-07:" in report([hamming.hamming_loss], truth, prediction)


def test_a_value_of_undefined_that_only_one_tool_has():
    """For LAMDA a sample without labels has coverage -1: the three have 0, -1 and -1."""
    truth, scores = [[1, 0], [0, 0], [0, 0]], [[0.9, 0.1]] * 3
    (match,) = of_metric(identify(-0.66, truth, None, scores).matches, "coverage")
    assert (match.fit, match.tools) == ("truncated", ("LAMDA MATLAB",))
    assert dict(match.options) == {"start": 0, "undefined": -1.0}


def test_single_columns():
    """Column 1 has a hit and a miss, column 2 a hit and a false alarm.

    So F1 is 2/3, and 2 of 3 cells are right.
    """
    matches = [m for m in identify(2 / 3, TRUTH, PREDICTION).matches if m.column is not None]
    assert {(m.metric, m.column) for m in matches} == {
        ("F1 of column 1 alone", 1), ("F1 of column 2 alone", 2),
        ("accuracy of column 1 alone", 1), ("accuracy of column 2 alone", 2),
    }  # fmt: skip
    assert all(m.convention == "any" and m.tools == () for m in matches)


def test_the_value_of_a_column_without_labels_is_its_zero_division():
    for value in (0.0, 1.0, nan):
        (match,) = of_metric(identify(value, ABSENT, ABSENT).matches, "F1 of column 2 alone")
        assert match.convention == f"zero_division={value}"


# ---------------------------------------------------------------------------- other code

RNG = np.random.default_rng(7)
SETS = RNG.integers(2, size=(2, 9, 5))  # every class and label occurs in both
OTHER_CODE = {  # views of the data, with a metric and code that computes it on them
    "truth and prediction exchanged": (
        "weighted F1", lambda t, p: f1_score(p, t, average="weighted"),
    ),
    "both matrices transposed": (
        "weighted F1", lambda t, p: f1_score(t.T, p.T, average="weighted"),
    ),
    "both classes of each label count": (
        "macro F1",
        lambda t, p: np.mean([f1_score(*y, average="macro") for y in zip(t.T, p.T, strict=True)]),
    ),
    "all cells in one list, both classes count": (
        "weighted F1", lambda t, p: f1_score(t.ravel(), p.ravel(), average="weighted"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("view", OTHER_CODE)
def test_a_number_of_other_code_is_matched_under_its_view_of_the_data(view):
    metric, compute = OTHER_CODE[view]
    identification = identify(compute(*SETS), *SETS)
    matches = identification.matches
    (expected,) = (match for match in matches if (match.metric, match.view) == (metric, view))
    assert expected.fit == "exactly" and expected.tools == () and view in str(identification)
    # No metric of the data as they are has this number, except by chance of a single column.
    assert all(match.view or match.column is not None for match in matches)


def test_the_class_that_occurs_is_the_mean_of_a_column_with_one_class():
    truth, prediction = SETS * [1, 1, 0, 1, 1]
    columns = zip(truth.T, prediction.T, strict=True)
    of_columns = [f1_score(*column, average="macro") for column in columns]
    assert of_columns[2] == 1
    matches = identify(np.mean(of_columns), truth, prediction).matches
    assert "both classes of each label count" in [m.view for m in of_metric(matches, "macro F1")]


def test_rare_numbers_and_views_are_not_tried_if_a_tool_prints_the_number():
    matches = identify(label_based.f1(*SETS), *SETS).matches
    assert matches and not any(match.view for match in matches)
    assert not {quantity.name for quantity in RARE} & {match.metric for match in matches}


def one_hot(classes):
    return np.eye(3, dtype=int)[classes]


@pytest.mark.parametrize(
    ("value", "metric", "data"),
    [  # P and R are 3/4, and so their F1, but the F1s of both samples 2/3
        (3 / 4, "F1 of samples precision and samples recall",
         ([[1, 1], [1, 0]], [[1, 0], [1, 1]])),
        # P of the labels 1, 2/3, 1 and R 1/2, 1, 1: means 8/9 and 5/6
        (5 * 8 / 9 * 5 / 6 / (4 * 8 / 9 + 5 / 6), "F2 of macro precision and macro recall",
         (one_hot([0, 0, 1, 1, 2, 2]), one_hot([0, 1, 1, 1, 2, 2]))),
        # weighted by 3, 2, 1: P (3 + 1 + 1/2) / 6, R (2 + 1 + 1) / 6, as in issue 874 of smile
        (2 * 3 / 4 * 2 / 3 / (3 / 4 + 2 / 3), "F1 of weighted precision and weighted recall",
         (one_hot([0, 0, 0, 1, 1, 2]), one_hot([0, 0, 1, 1, 2, 2]))),
    ],
)  # fmt: skip
def test_formulas_of_means_are_tried(value, metric, data):
    (match,) = of_metric(identify(value, *data).matches, metric)
    assert match.fit == "exactly"


def test_a_loss_that_clamps_its_logarithm_at_100():
    """torch.nn.BCELoss of an impossible cell and three of probability 1/2: (100 + 3 ln 2) / 4."""
    value = 25 + 0.75 * log(2)
    matches = identify(value, [[1, 0], [1, 0]], y_prob=[[0.0, 0.5], [0.5, 0.5]]).matches
    (match,) = of_metric(matches, "macro log loss")
    assert match.options["clip"] == exp(-100) and match.tools == ("PyTorch",)


# ---------------------------------------------------------------------------- cached data


@pytest.mark.parametrize("seed", range(6))
def test_values_of_cached_data_are_those_of_the_metric_itself(seed):
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 6, size=2)
    truth, sets = rng.integers(2, size=(2, *shape))
    scores = rng.choice([0.1, 0.2, 0.5, 0.7], shape) if seed % 2 else rng.random(shape)
    predictions = {"y_pred": sets, "y_score": scores, "y_prob": scores}
    if seed > 3:
        truth, predictions["y_pred"] = sparse.csr_array(truth), sparse.csr_array(sets)
    data = {}
    for quantity in (*quantities().values(), *RARE):
        if quantity.required.get("k", 1) <= shape[1]:
            y, metric = predictions[quantity.reads], quantity.function
            cached = data.setdefault(quantity.reads, read_cached(quantity, truth, y))
            for options in option_combinations(quantity.conventions)[seed % 5 :: 5]:
                value = float(metric(truth, y, **options))
                cached_value = quantity.value(cached, **options)
                assert is_close(cached_value, value), (quantity.name, options)


# ---------------------------------------------------------------------------- the displayed table


def test_without_a_match_the_nearest_are_shown(snapshot):
    """Nearest to 0.7 is 2/3, such as Jaccard, then 3/4, micro F1; all others are further off."""
    identification = identify(0.7, TRUTH, PREDICTION, decimals=4)
    assert (identification.matches, str(identification)) == ((), snapshot)
    assert [round(match.value, 6) for match in identification.nearest] == [0.666667] * 3
    nearest = identify(0.97, [[1, 0]], [[0, 1]], [[0.1, 0.9]], decimals=3).nearest
    values = [match.value for match in nearest]
    assert values == sorted(values, key=lambda value: abs(value - 0.97))
    assert identify(inf, TRUTH, PREDICTION).nearest == ()


def test_the_table_shows_twenty_matches_and_a_tool_s_own_rule_below(snapshot):
    half, infinite = identify(0.5, PERFECT, PERFECT), identify(inf, [[0]], [[1]])
    assert [row[0] for row in half.steps[0].rows] == [match.metric for match in half.matches]
    assert [str(half), str(infinite)] == snapshot
    perfect = identify(1.0, ABSENT, ABSENT, ABSENT, y_prob=ABSENT)
    table, n_more, not_tried = perfect.steps
    assert len(table.rows) == 20
    assert n_more.text == f"{len(perfect.matches) - 20} more, less usual, are in .matches."
    assert not_tried.text.startswith("Not tried")


# ---------------------------------------------------------------------------- random data


def has_options(match, options):
    """Whether the options include those of the match; by repr, since nan is not equal to nan."""
    return all(repr(options[option]) == repr(value) for option, value in match.options.items())


def check_matches(identification, value, y_true, y_pred, quantity, step):
    """Check the exact matches of a quantity: its options, then its tools.

    Each combination of options that gives the value fits one match, and no other combination fits
    any. A match names the tools that print the value, by default or else under a setting, and no
    others.
    """
    matches = [match for match in identification.matches if match.fit == "exactly"]
    matches = of_metric(matches, quantity.name)
    by_option = [match for match in matches if not match.says]
    for options in option_combinations(quantity.conventions)[::step]:
        is_value = is_close(quantity.function(y_true, y_pred, **options), value)
        n_matches = sum(has_options(match, options) for match in by_option)
        assert n_matches == is_value, (quantity.name, options)
    for match in matches:
        with_setting = {tool.partition(", ")[0] for tool in match.tools if ", " in tool}
        assert not with_setting & {*match.tools}
    named = {tool for match in matches for tool in match.tools}
    for tool in TOOLS.values():
        for setting, _ in tool.translations_of(quantity.general_name):
            key = tool.key(setting)
            prints = is_close(number(key, quantity.name, y_true, y_pred), value)
            assert (key in named) <= prints <= bool({tool.name, key} & named), key


@pytest.mark.no_cover
@pytest.mark.parametrize("n", [8, pytest.param(20, marks=pytest.mark.exhaustive)])
def test_a_number_leads_back_to_where_it_came_from_and_to_nothing_else(n):
    rng = np.random.default_rng(n)
    for i in range(n):
        shape = rng.integers(1, 4, size=2)
        y_true, y_pred = rng.integers(2, size=(2, *shape))
        data = {"y_pred": y_pred} if i % 2 else {"y_score": rng.choice([0.1, 0.5, 0.7], shape)}
        ((reads, y),) = data.items()
        readable = [quantity for quantity in QUANTITIES if quantity.reads == reads]
        readable = [q for q in readable if q.required.get("k", 1) <= shape[1]]
        source = rng.choice(np.arange(len(readable)))
        options = rng.choice(option_combinations(readable[source].conventions))
        value = float(readable[source].function(y_true, y, **options))
        identification = identify(value, y_true, **data)
        assert identification.matches and not identification.nearest
        is_exact = [match.fit == "exactly" for match in identification.matches]
        assert is_exact == sorted(is_exact, reverse=True)
        for j, quantity in enumerate(readable):
            step = 1 if j == source else 7
            check_matches(identification, value, y_true, y, quantity, step)
