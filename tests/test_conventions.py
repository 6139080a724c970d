"""The tools' rules once more in plain Python, their records, and every way to get a number."""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections import Counter
from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest
import worlds
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import metrics as sklearn_metrics

from mlm_helpers import (
    catalogue,
    conventions,
    exact_match,
    example_based,
    hamming,
    label_based,
    ranking,
)
from mlm_helpers.board import Board, Sentence, Table
from mlm_helpers.conventions import (
    DERIVED,
    LABEL_WISE,
    TOOLS,
    compare,
    expressible,
    identify,
    number,
    options,
    recorded,
    report,
)
from mlm_helpers.documents import DOCUMENTS

VARIANTS = catalogue.variants()
READINGS = VARIANTS | DERIVED
RECORDED = [
    (case, metric, tool, value)
    for case in recorded()
    for metric, values in case.numbers.items()
    for tool, value in values.items()
]
KEYS = [
    f"{tool.name}, {setting}" if setting else tool.name
    for tool in TOOLS.values()
    for setting in ("", *tool.settings)
]
F1 = "samples F1"
PERFECT = [[1, 0, 0], [0, 0, 0]]  # with a sample that has no label
ABSENT = [[1, 0, 0], [0, 1, 0]]  # and the last label never occurs


def reads_scores(name):
    return name in VARIANTS and catalogue.of(VARIANTS[name]).reads == "y_score"


def of_beta_2(name):
    return name.replace("Fβ", "F2")


def same(a, b, tolerance=1e-6):
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    a, b = float(a), float(b)
    return a == b or abs(a - b) <= tolerance or (math.isnan(a) and math.isnan(b))


def nested(matrix):
    return [list(row) for row in matrix]


# ---------------------------------------------------------------------------- the record


def test_every_recorded_number_is_what_the_table_says():
    wrong = [
        (case.name, metric, tool)
        for case, metric, tool, value in RECORDED
        if not same(number(tool, metric, case.y_true, case.other(metric)), value)
    ]
    assert wrong == []
    assert len(RECORDED) == 2082


def test_our_functions_with_the_options_give_the_recorded_number_or_the_table_says_so():
    departed = Counter()
    for case, metric, tool, value in RECORDED:
        y_true, other = case.y_true, case.other(metric)
        reading = READINGS[metric]
        ours = reading(y_true, other, **(options(tool, reading) if metric in VARIANTS else {}))
        assert expressible(tool, metric, y_true, other) == same(ours, value)
        departed[tool, metric] += not same(ours, value)
    assert +departed == {
        **{("scikit-learn, zero_division=nan", jaccard): 11 for jaccard in JACCARDS},
        ("torchmetrics", "weighted Jaccard"): 3,
        ("torchmetrics, zero_division=1", "weighted Jaccard"): 3,
        ("torchmetrics, zero_division=1", "weighted precision"): 3,
        ("Spark MLlib", "Hamming loss"): 8,
        ("Spark MLlib", "samples accuracy (Jaccard)"): 4,
        ("Spark MLlib", "samples recall"): 3,
        ("Spark MLlib", "samples F1"): 4,
        ("LAMDA MATLAB", "one-error"): 1,
        ("napkinXC", "Hamming loss"): 8,
        ("napkinXC", "macro F1"): 9,
        ("napkinXC", "micro F1"): 1,
        ("xCOLUMNs", "macro F2"): 1,
    }
    assert departed.total() == 92  # of 2082: an option says the other 1990


JACCARDS = ("samples accuracy (Jaccard)", "macro Jaccard", "micro Jaccard", "weighted Jaccard")


def test_scikit_learn_as_installed_gives_the_recorded_numbers():
    """By the calls that the table writes; jaccard_score refuses nan, so that it is no number."""
    checked = Counter()
    for case, metric, key, value in RECORDED:
        tool, _, setting = key.partition(", ")
        if tool != "scikit-learn":
            continue
        translation = TOOLS[tool].metrics[metric.replace("F2", "Fβ")]
        function, _, arguments = translation.call.partition("(")
        given = dict(re.findall(r"(\w+)='(\w+)'", arguments))
        if metric.endswith("F2"):
            given["beta"] = 2
        if "zero_division" in translation.options:
            given["zero_division"] = float(setting.partition("=")[2] or 0)
        run = functools.partial(getattr(sklearn_metrics, function), **given)
        if value == "raises InvalidParameterError":
            with pytest.raises(ValueError, match="zero_division") as error:
                run(case.y_true, case.other(metric))
            assert type(error.value).__name__ == "InvalidParameterError"
            assert (setting, metric in JACCARDS) == ("zero_division=nan", True)
        else:
            assert same(run(case.y_true, case.other(metric)), value), (case.name, metric, key)
        checked[isinstance(value, str)] += 1
    # Three settings of 19 set metrics on 8 inputs, and with F2 of 23 on 3; 3 ranking metrics on 10.
    assert checked == {True: 4 * 11, False: 3 * 19 * 8 + 3 * 23 * 3 - 4 * 11 + 3 * 10}


def test_what_was_run_last():
    found = conventions.last_run()
    assert set(found["versions"]) == {tool.name for tool in TOOLS.values() if tool.known == "run"}


# ---------------------------------------------------------------------------- the table


def test_fifteen_tools():
    assert {name: tool.known for name, tool in TOOLS.items()} == {
        **dict.fromkeys(
            ("scikit-learn", "torchmetrics", "Spark MLlib", "keras", "torcheval", "ignite"), "run"
        ),
        **dict.fromkeys(("river", "napkinXC", "xCOLUMNs"), "run"),
        **dict.fromkeys(("MULAN", "MEKA", "pyxclib"), "recorded run"),
        **dict.fromkeys(("LAMDA MATLAB", "mldr", "utiml"), "read in source"),
    }
    assert all(tool.name == name and tool.version for name, tool in TOOLS.items())
    recorded_tools = {tool.partition(", ")[0] for *_, tool, _ in RECORDED}
    assert recorded_tools == set(TOOLS) - {"mldr", "utiml"}


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_names_and_options_of_a_tool_are_ours(tool):
    for name, translation in tool.metrics.items():
        reading = READINGS[of_beta_2(name)]
        assert name == of_beta_2(name).replace("F2", "Fβ")
        assert translation.call
        assert set(translation.settings) <= set(tool.settings)
        other = [[0.2, 0.1]] if reads_scores(name) else [[1, 0]]
        for changed in ({}, *translation.settings.values()):
            chosen = {**translation.options, **changed}
            assert isinstance(reading([[1, 0]], other, **chosen), float)
        # Nothing is left to a default of ours: every convention of the metric is named.
        record = None if name in DERIVED else catalogue.of(reading)
        conventional = {"zero_division", "start", "ties", "undefined"}
        assert set(translation.options) == conventional & set(record.options if record else ())


SHOWN = {
    **{
        ("scikit-learn", name): ("scikit-learn, zero_division=nan", "raises InvalidParameterError")
        for name in JACCARDS
    },
    ("torchmetrics", "weighted precision"): ("torchmetrics, zero_division=1", 0),
    ("torchmetrics", "weighted Jaccard"): ("torchmetrics", nan),
    ("Spark MLlib", "Hamming loss"): ("Spark MLlib", inf),
    ("Spark MLlib", "samples accuracy (Jaccard)"): ("Spark MLlib", nan),
    ("Spark MLlib", "samples recall"): ("Spark MLlib", nan),
    ("Spark MLlib", "samples F1"): ("Spark MLlib", nan),
    ("LAMDA MATLAB", "one-error"): ("LAMDA MATLAB", nan),
    ("LAMDA MATLAB", "average precision"): ("LAMDA MATLAB", nan),
    ("mldr", "average precision"): ("mldr, ties_method='min'", 2),
    **{
        ("utiml", name): ("utiml", 0 if name == "Hamming loss" else 1)
        for name in TOOLS["utiml"].metrics
        if not reads_scores(name)
    },
    ("utiml", "coverage"): ("utiml", "raises error"),
    ("utiml", "average precision"): ("utiml", "raises error"),
    ("napkinXC", "Hamming loss"): ("napkinXC", 1),
    ("napkinXC", "macro F1"): ("napkinXC", "raises ValueError"),
    ("napkinXC", "micro F1"): ("napkinXC", "raises ZeroDivisionError"),
    ("xCOLUMNs", "samples Fβ"): ("xCOLUMNs", Fraction(5, 9)),
    ("xCOLUMNs", "macro Fβ"): ("xCOLUMNs", Fraction(5, 9)),
    ("xCOLUMNs", "micro Fβ"): ("xCOLUMNs", Fraction(5, 9)),
}  # fmt: skip
IN_WORDS_ALONE = [
    ("torchmetrics", "ranking loss"),
    ("torchmetrics", "ranking loss"),
    ("MEKA", "ranking loss"),
    ("napkinXC", "samples F1"),
    ("napkinXC", "one-error"),
    ("pyxclib", "one-error"),
]
DEPARTURES = [
    ((tool.name, name), departure)
    for tool in TOOLS.values()
    for name, translation in tool.metrics.items()
    for departure in translation.departures
]
COMPUTED = {at: departure for at, departure in DEPARTURES if departure.number}


@functools.cache
def small_worlds(n_samples, n_labels, scores):
    """Truth, and predictions or scores with every tie; of the orders of the samples only one."""
    rows = worlds.weak_orderings(n_labels) if scores else worlds.rows(n_labels)
    samples = itertools.product(worlds.rows(n_labels), rows)
    return [
        tuple(nested(matrix) for matrix in zip(*world, strict=True))
        for world in itertools.combinations_with_replacement(samples, n_samples)
    ]


def test_departures_that_are_computed():
    assert sorted(at for at, departure in DEPARTURES if departure.number) == sorted(SHOWN)
    assert [at for at, departure in DEPARTURES if not departure.number] == IN_WORDS_ALONE


@pytest.mark.parametrize("at", SHOWN, ids=" | ".join)
def test_smallest_input_shows_the_departure_and_no_smaller_one_does(at):
    departure, name = COMPUTED[at], of_beta_2(at[1])
    key, expected = SHOWN[at]
    data = departure.y_true, departure.y_other
    assert same(number(key, name, *data), expected, 1e-9)
    assert not expressible(key, name, *data)
    ours = READINGS[name](*data, **(options(key, READINGS[name]) if name in VARIANTS else {}))
    assert not same(ours, expected)
    text = str(expected).replace("raises ", "an " if expected == "raises error" else "")
    assert departure.shows.startswith(text)

    n_samples, n_labels = np.shape(departure.y_true)
    smaller = [
        shape
        for shape in ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1))
        if math.prod(shape) < n_samples * n_labels
    ]
    for shape in smaller:
        for world in small_worlds(*shape, reads_scores(name)):
            assert all(
                expressible(other, name, *world)
                for other in KEYS
                if other.partition(", ")[0] == at[0]
            )


def test_departures_in_words_by_hand():
    """The number that the words call ours, and the other by its rule."""

    in_words = [(at, d.shows, d.y_true, d.y_other) for at, d in DEPARTURES if not d.number]
    (_, batches, *data), (_, seventeen, *tied) = in_words[:2]
    each = ranking.ranking_loss(*data, per_sample=True).tolist()
    assert each == [1, 0, 0, 0, 0]  # so 1/5; and of two batches (1 + 0) / (1 + 1)
    assert batches.startswith("0.2 in one update, 0.5 in two")
    found = {ranking.ranking_loss(*tied, ties=ties) for ties in ("first", "last")}
    assert (found, seventeen) == ({0.0, 1.0}, "anything from 0 to 1")
    (at, meka, *tied), (_, napkin, *_) = in_words[2:4]
    assert number(*at, *tied) == 0.5  # the last first: 1, then the relevant 0, then 2
    assert meka == "0 by the text of that sort, where the last label first gives 0.5"
    assert napkin == "1 with zero_division=1"
    for _, unstable, *tied in in_words[4:]:
        found = {ranking.one_error(*tied, ties=ties) for ties in ("first", "last")}
        assert (found, unstable) == ({0.0, 1.0}, "0 or 1")


# ---------------------------------------------------------------------------- the tools' rules, in plain Python


def divided(part, whole, nothing=nan):
    return part / whole if whole else nothing


def mean(values):
    return divided(sum(values), len(values))


def fill(rows):
    """What utiml does to a row without predictions."""
    return [row if any(row) else [1, *row[1:]] for row in rows]


def label_sets(rows):
    return [{j for j, cell in enumerate(row) if cell} for row in rows]


def counted(kind, truth, other):
    """TP, FP and FN of each sample, of each label, or of everything."""
    if kind == "macro" or kind == "weighted":
        truth, other = zip(*truth, strict=True), zip(*other, strict=True)
    each = [
        (len(t & p), len(p - t), len(t - p))
        for t, p in zip(label_sets(truth), label_sets(other), strict=True)
    ]
    return [tuple(map(sum, zip(*each, strict=True)))] if kind == "micro" else each


PART_AND_WHOLE = {
    "precision": lambda tp, fp, fn: (tp, tp + fp),
    "recall": lambda tp, fp, fn: (tp, tp + fn),
    "F1": lambda tp, fp, fn: (2 * tp, 2 * tp + fp + fn),
    "F2": lambda tp, fp, fn: (5 * tp, 5 * tp + 4 * fn + fp),
    "accuracy (Jaccard)": lambda tp, fp, fn: (tp, tp + fp + fn),
    "Jaccard": lambda tp, fp, fn: (tp, tp + fp + fn),
}


def averaged(name, value_of):
    """The mean of a ratio over samples or labels, each by the tool's own rule."""
    kind, ratio = name.split(" ", 1)
    return lambda truth, other: mean([value_of(ratio, *c) for c in counted(kind, truth, other)])


def constant(nothing):
    return lambda ratio, *counts: divided(*PART_AND_WHOLE[ratio](*counts), nothing)


def mulan(ratio, tp, fp, fn):
    """No label on either side is a success; else 0/0 is a failure."""
    if tp + fp + fn == 0:
        return 1.0
    return divided(*PART_AND_WHOLE[ratio](tp, fp, fn), 0.0)


def spark(ratio, tp, fp, fn):
    """Only precision asks whether its divisor is 0."""
    return divided(*PART_AND_WHOLE[ratio](tp, fp, fn), 0.0 if ratio == "precision" else nan)


def xcolumns(ratio, tp, fp, fn, beta=2):
    """With epsilon to 0; beta stands at the predicted labels."""
    if ratio == "F2":
        return divided((1 + beta**2) * tp, beta**2 * (tp + fp) + tp + fn, 0.0)
    return divided(*PART_AND_WHOLE[ratio](tp, fp, fn), 0.0)


def weighted(ratio, nothing, no_support):
    """torchmetrics: the sum of the weighted values by the sum of the weights."""

    def value(truth, other):
        counts = counted("weighted", truth, other)
        values = [divided(*PART_AND_WHOLE[ratio](*c), nothing) for c in counts]
        support = [tp + fn for tp, fp, fn in counts]
        products = [v * w for v, w in zip(values, support, strict=True)]
        return divided(sum(products), sum(support), no_support)

    return value


def wrong_cells(truth, other):
    pairs = zip(itertools.chain(*truth), itertools.chain(*other), strict=True)
    return sum(t != p for t, p in pairs)


def spark_hamming(truth, other):
    seen = set().union(*label_sets(truth))
    wrong, cells = wrong_cells(truth, other), len(truth) * len(seen)
    return divided(wrong, cells, inf if wrong else nan)


def napkin_micro(truth, other):
    ((tp, fp, fn),) = counted("micro", truth, other)
    return divided(2 * tp, 2 * tp + fp + fn, "raises ZeroDivisionError")


def napkin_macro(truth, other):
    counts = counted("macro", truth, other)
    if not all(map(sum, zip(*counts, strict=True))):
        return "raises ValueError"
    while not any(counts[-1]):
        counts.pop()
    return mean([divided(2 * tp, 2 * tp + fp + fn, 0.0) for tp, fp, fn in counts])


def on_filled(rule):
    return lambda truth, other: rule(truth, fill(other))


def hamming_of(truth, other):
    return wrong_cells(truth, other) / (len(truth) * len(truth[0]))


def exact_of(truth, other):
    return mean([t == p for t, p in zip(truth, other, strict=True)])


def names(kinds, ratios):
    return [f"{kind} {ratio}" for kind in kinds.split() for ratio in ratios.split()]


P_R_F = "precision recall F1"
MULAN_SET = ["samples accuracy (Jaccard)", *names("samples macro micro", f"{P_R_F} F2")]
MLDR_SET = ["samples accuracy (Jaccard)", *names("samples macro micro", P_R_F)]
PLAIN_SET = {
    **{("MULAN", name): averaged(name, mulan) for name in MULAN_SET},
    **{("mldr", name): averaged(name, mulan) for name in MLDR_SET},
    **{
        (f"mldr, undefined_value={said}", name): averaged(name, constant(nothing))
        for said, nothing in (("0", 0.0), ("1", 1.0))
        for name in names("samples macro micro", "precision recall")
    },
    # These are deaf to undefined_value.
    ("mldr, undefined_value=0", "samples F1"): averaged("samples F1", constant(1.0)),
    ("mldr, undefined_value='ignore'", "micro F1"): averaged("micro F1", constant(1.0)),
    **{("utiml", name): on_filled(averaged(name, constant(0.0))) for name in MLDR_SET},
    ("utiml", "Hamming loss"): on_filled(hamming_of),
    ("utiml", LABEL_WISE): on_filled(lambda truth, other: 1 - hamming_of(truth, other)),
    ("utiml", "subset accuracy"): on_filled(exact_of),
    **{
        ("Spark MLlib", name): averaged(name, spark)
        for name in ("samples accuracy (Jaccard)", *names("samples", P_R_F))
    },
    **{
        ("Spark MLlib", name): averaged(name, constant(nan))
        for name in names("micro", P_R_F)
    },
    ("Spark MLlib", "Hamming loss"): spark_hamming,
    ("Spark MLlib", "subset accuracy"): exact_of,
    ("MEKA", "samples accuracy (Jaccard)"): averaged("samples Jaccard", constant(1.0)),
    **{("MEKA", name): averaged(name, constant(0.0)) for name in ("samples F1", "macro F1")},
    **{
        ("xCOLUMNs", name): averaged(name, xcolumns)
        for name in ("samples accuracy (Jaccard)", *names("samples macro micro", f"{P_R_F} F2"))
    },
    ("napkinXC", "Hamming loss"): lambda truth, other: wrong_cells(truth, other) / len(truth),
    ("napkinXC", "micro F1"): napkin_micro,
    ("napkinXC", "macro F1"): napkin_macro,
    ("napkinXC", "samples F1"): averaged("samples F1", constant(0.0)),
    ("pyxclib", "samples accuracy (Jaccard)"): averaged("samples Jaccard", constant(0.0)),
    **{
        (key, f"weighted {ratio}"): weighted(ratio, worth, 0.0)
        for key, worth in (("torchmetrics", 0.0), ("torchmetrics, zero_division=1", 1.0))
        for ratio in ("precision", "recall", "F1", "F2")
    },
    ("torchmetrics", "weighted Jaccard"): weighted("Jaccard", 0.0, nan),
    ("torchmetrics", LABEL_WISE): lambda truth, other: 1 - hamming_of(truth, other),
}  # fmt: skip


@pytest.mark.no_cover
@pytest.mark.parametrize("at", PLAIN_SET, ids=" | ".join)
def test_rule_of_a_tool_on_every_small_world(at):
    for shape in ((1, 2), (2, 2)):
        for truth, other in small_worlds(*shape, False):
            assert same(number(*at, truth, other), PLAIN_SET[at](truth, other)), (truth, other)


@pytest.mark.no_cover
def test_macro_f1_of_napkinxc_ends_at_the_last_label_seen():
    """Truth 100 and 010, prediction 100 and 100: F1 2/3 and 0, and no third label."""
    at = ("napkinXC", "macro F1")
    y_true, y_pred = [[1, 0, 0], [0, 1, 0]], [[1, 0, 0], [1, 0, 0]]
    assert number(*at, y_true, y_pred) == pytest.approx(1 / 3)
    assert not expressible(*at, y_true, y_pred)  # ours is 2/9
    for truth, other in small_worlds(3, 2, False):
        assert same(number(*at, truth, other), napkin_macro(truth, other)), (truth, other)


# ---------------------------------------------------------------------------- the same for ranks


def relevant_and_not(row):
    return [j for j, cell in enumerate(row) if cell], [j for j, cell in enumerate(row) if not cell]


def each_row(rule):
    """Per row: the relevant labels, the others, and the scores; None is left out of the mean."""

    def value(truth, scores):
        values = [rule(*relevant_and_not(row), s) for row, s in zip(truth, scores, strict=True)]
        return mean([value for value in values if value is not None])

    return value


def ordered(scores, last):
    """Labels from the top; of tied ones the highest index first, or the lowest."""
    return sorted(range(len(scores)), key=lambda j: (-scores[j], -j if last else j))


def depth(last, empty):
    def rule(relevant, rest, scores):
        return max(map(ordered(scores, last).index, relevant), default=empty)

    return each_row(rule)


def top_is_wrong(last):
    return each_row(lambda relevant, rest, scores: ordered(scores, last)[0] not in relevant)


def pairs_by_order(last):
    def rule(relevant, rest, scores):
        place = ordered(scores, last).index
        wrong = sum(place(j) > place(k) for j in relevant for k in rest)
        return divided(wrong, len(relevant) * len(rest), 0.0)

    return each_row(rule)


def precision_by_order(last, empty):
    def rule(relevant, rest, scores):
        place = ordered(scores, last).index
        at = sorted(place(j) + 1 for j in relevant)
        return mean([hits / depth for hits, depth in enumerate(at, 1)]) if at else empty

    return each_row(rule)


def lamda_coverage(relevant, rest, scores):
    """Ascending order; the lowest relevant place, counted from the end, less 1; none is above all."""
    ascending = sorted(range(len(scores)), key=lambda j: scores[j])
    lowest = min((ascending.index(j) + 1 for j in relevant), default=len(scores) + 1)
    return len(scores) - lowest + 1 - 1


def lamda_one_error(relevant, rest, scores):
    if not relevant or not rest:
        return None
    return not any(scores[j] == max(scores) for j in relevant)


def lamda_ranking_loss(relevant, rest, scores):
    if not relevant or not rest:
        return None
    return mean([scores[j] <= scores[k] for j in relevant for k in rest])


def lamda_average_precision(relevant, rest, scores):
    if not relevant or not rest:
        return None
    ascending = sorted(range(len(scores)), key=lambda j: scores[j])
    from_the_end = {j: len(scores) - ascending.index(j) for j in relevant}
    return mean(
        [sum(at <= mine for at in from_the_end.values()) / mine for mine in from_the_end.values()]
    )


def r_ranks(scores, ties_method):
    """rank(-scores, ties.method) of R."""
    ranks = []
    for j, s in enumerate(scores):
        above = sum(other > s for other in scores)
        tied = [k for k, other in enumerate(scores) if other == s]
        ranks.append(
            {
                "min": above + 1,
                "max": above + len(tied),
                "average": above + (1 + len(tied)) / 2,
                "first": above + 1 + tied.index(j),
                "last": above + len(tied) - tied.index(j),
            }[ties_method]
        )
    return ranks


def mldr_coverage(ties_method):
    def rule(relevant, rest, scores):
        return max((r_ranks(scores, ties_method)[j] for j in relevant), default=1) - 1

    return each_row(rule)


def mldr_average_precision(ties_method):
    def rule(relevant, rest, scores):
        mine = [r_ranks(scores, ties_method)[j] for j in relevant]
        return mean([sum(other <= r for other in mine) / r for r in mine]) if mine else 1.0

    return each_row(rule)


def mldr_ranking_loss(relevant, rest, scores):
    wrong = sum(scores[k] >= scores[j] for j in relevant for k in rest)
    return divided(wrong, len(relevant) * len(rest), 0.0)


def utiml(rule):
    """Error where one row is left of a matrix, which is then a vector."""

    def value(truth, scores):
        rows = sum(map(any, truth))
        return "raises error" if rows == 1 else rule(truth, scores)

    return value


def torchmetrics_ranking_loss(relevant, rest, scores):
    """The sum of the relevant ranks, less the least that it can be."""
    ascending = sorted(range(len(scores)), key=lambda j: scores[j])
    ranks = [len(scores) - ascending.index(j) for j in relevant]
    least = len(relevant) * (len(relevant) + 1) / 2
    return divided(sum(ranks) - least, len(relevant) * len(rest), 0.0)


def meka_average_precision(relevant, rest, scores):
    """The labels that score as much as mine or more: the relevant ones among all of them."""
    shares = [
        sum(scores[k] >= scores[j] for k in relevant) / sum(s >= scores[j] for s in scores)
        for j in relevant
    ]
    return mean(shares) if shares else 1.0


def mldr_key(ties_method):
    return "mldr" if ties_method == "last" else f"mldr, ties_method='{ties_method}'"


R_TIES = ("last", "first", "max", "min", "average")
PLAIN_RANKS = {
    ("MULAN", "coverage"): depth(last=True, empty=0),
    ("MULAN", "one-error"): top_is_wrong(last=True),
    ("MULAN", "ranking loss"): pairs_by_order(last=True),
    ("MULAN", "average precision"): precision_by_order(last=True, empty=None),
    ("utiml", "coverage"): utiml(depth(last=False, empty=None)),
    ("utiml", "one-error"): top_is_wrong(last=False),
    ("utiml", "ranking loss"): pairs_by_order(last=False),
    ("utiml", "average precision"): utiml(precision_by_order(last=False, empty=None)),
    ("LAMDA MATLAB", "coverage"): each_row(lamda_coverage),
    ("LAMDA MATLAB", "one-error"): each_row(lamda_one_error),
    ("LAMDA MATLAB", "ranking loss"): each_row(lamda_ranking_loss),
    ("LAMDA MATLAB", "average precision"): each_row(lamda_average_precision),
    **{(mldr_key(ties), "coverage"): mldr_coverage(ties) for ties in R_TIES},
    **{(mldr_key(ties), "average precision"): mldr_average_precision(ties) for ties in R_TIES},
    ("mldr, ties_method='max'", "one-error"): top_is_wrong(last=False),
    ("mldr", "ranking loss"): each_row(mldr_ranking_loss),
    ("MEKA", "one-error"): top_is_wrong(last=False),
    ("MEKA", "average precision"): each_row(meka_average_precision),
    ("torchmetrics", "ranking loss"): each_row(torchmetrics_ranking_loss),
    ("pyxclib", "one-error"): top_is_wrong(last=True),
    ("napkinXC", "one-error"): top_is_wrong(last=False),
    ("scikit-learn", "one-error"): lambda truth, scores: (
        1 - sklearn_metrics.ndcg_score(truth, scores, k=1)
    ),
    ("scikit-learn", "coverage"): sklearn_metrics.coverage_error,
    ("scikit-learn", "ranking loss"): sklearn_metrics.label_ranking_loss,
    (
        "scikit-learn",
        "average precision",
    ): sklearn_metrics.label_ranking_average_precision_score,
}


@pytest.mark.no_cover
@pytest.mark.parametrize("at", PLAIN_RANKS, ids=" | ".join)
def test_ranks_of_a_tool_on_every_small_world(at):
    for shape in ((1, 3), (2, 2)):
        for truth, scores in small_worlds(*shape, True):
            assert same(number(*at, truth, scores), PLAIN_RANKS[at](truth, scores)), (truth, scores)


# ---------------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("tool", "metric", "expected"),
    [
        ("MULAN", exact_match.subset_accuracy, {}),
        ("napkinXC", hamming.hamming_loss, {}),
        ("MULAN", example_based.f1, {"zero_division": "agree"}),
        ("MEKA", example_based.accuracy, {"zero_division": "agree"}),
        ("scikit-learn", example_based.fbeta, {"zero_division": 0.0}),
        ("scikit-learn", functools.partial(example_based.fbeta, beta=0.3), {"zero_division": 0.0}),
        ("scikit-learn, zero_division=1", label_based.recall, {"zero_division": 1.0}),
        ("scikit-learn, zero_division=1", hamming.hamming_loss, {}),
        (
            "scikit-learn, zero_division=1",
            ranking.coverage,
            {"start": 1, "ties": "worst", "undefined": 0.0},
        ),
        ("ignite", functools.partial(label_based.fbeta, beta=7), {"zero_division": 0.0}),
        ("ignite", functools.partial(label_based.f1, average=None), {"zero_division": 0.0}),
        (
            "keras",
            functools.partial(label_based.fbeta, beta=2, average="weighted", zero_division=1.0),
            {"zero_division": 0.0},
        ),
        ("LAMDA MATLAB", ranking.coverage, {"start": 0, "ties": "last", "undefined": -1.0}),
        ("LAMDA MATLAB", functools.partial(ranking.ranking_loss, ties="best"), {"ties": "worst"}),
        ("mldr, ties_method='min'", ranking.average_precision, {"ties": "best", "undefined": 1.0}),
        ("mldr, ties_method='min'", ranking.one_error, {"ties": "first", "undefined": 1.0}),
        ("mldr, undefined_value='ignore'", example_based.precision, {}),
        ("mldr, undefined_value=0", example_based.f1, {"zero_division": "agree"}),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_options(tool, metric, expected):
    found = options(tool, metric)
    for name in ("undefined", "zero_division"):
        if math.isnan(found.get(name, 0.0) if found.get(name) != "agree" else 0.0):
            assert name not in expected
            del found[name]
    assert found == expected


def test_options_are_a_dict_of_ones_own():
    options("MULAN", ranking.coverage)["start"] = 7
    assert options("MULAN", ranking.coverage)["start"] == 0


def all_tools():
    return ", ".join(map(repr, TOOLS))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: options("mulan", example_based.f1), "tool is 'mulan': choose one of {tools}"),
        (lambda: options(None, example_based.f1), "tool is None: choose one of {tools}"),
        (
            lambda: options("keras, loud", label_based.f1),
            "keras has no setting 'loud': choose 'no threshold'",
        ),
        (
            lambda: options("MULAN, loud", label_based.f1),
            "MULAN has no setting 'loud': choose its default alone",
        ),
        (
            lambda: options("ignite", ranking.one_error),
            "ignite has no one-error: ask for 'scikit-learn', 'MULAN', 'MEKA', 'LAMDA MATLAB', 'mldr', 'utiml',"
            " 'napkinXC', 'pyxclib', which have it",
        ),
        (
            lambda: options("MULAN", functools.partial(label_based.fbeta, average="weighted")),
            "MULAN has no weighted Fβ: ask for 'scikit-learn', 'torchmetrics', 'keras',"
            " which have it",
        ),
        (
            lambda: options("MULAN", functools.partial(label_based.f1, average="samples")),
            "average is 'samples': choose one of 'macro', 'micro', 'weighted', None",
        ),
        (
            lambda: number("MULAN", "F1 of macro precision and macro recall", PERFECT, PERFECT),
            "MULAN has no F1 of macro precision and macro recall: no tool here has it",
        ),
        (
            lambda: number("MULAN", "F1", PERFECT, PERFECT),
            "name is 'F1': choose one of {names}",
        ),
        (lambda: number("MULAN", "samples Fβ", PERFECT, PERFECT), "name is 'samples Fβ': {any}"),
        (lambda: expressible("Mulan", F1, PERFECT, PERFECT), "tool is 'Mulan': {any}"),
        (lambda: compare("F1", "both_empty"), "name is 'F1': choose one of {names}"),
        (
            lambda: compare("F1 of samples precision and samples recall", "both_empty"),
            "name is 'F1 of samples precision and samples recall': no tool here has it",
        ),
        (
            lambda: compare(F1, "some_case"),
            "case is 'some_case': choose one of 'both_empty', 'truth_empty', {any}",
        ),
    ],
)  # fmt: skip
def test_what_does_not_exist_gets_one_sentence(call, sentence):
    with pytest.raises(ValueError) as error:
        call()
    start, _, _ = sentence.partition("{any}")
    text = str(error.value)
    assert text.startswith(start.format(tools=all_tools(), names=", ".join(map(repr, READINGS))))
    assert "{any}" in sentence or text == sentence.format(
        tools=all_tools(), names=", ".join(map(repr, READINGS))
    )
    assert "\n" not in text


def test_a_function_that_is_no_metric_is_refused():
    with pytest.raises(ValueError, match="metric is print"):
        options("MULAN", print)


def test_sparse_matrices_give_the_same():
    truth, prediction = sparse.csr_array(PERFECT), sparse.csr_array(ABSENT)
    for name in ("Hamming loss", "samples recall", "macro F1"):
        for tool in ("Spark MLlib", "napkinXC", "utiml"):
            if name in TOOLS[tool].metrics:
                assert same(
                    number(tool, name, truth, prediction), number(tool, name, PERFECT, ABSENT)
                )
    assert identify(0.5, truth, prediction).matches == identify(0.5, PERFECT, ABSENT).matches
    assert report([example_based.f1], truth, prediction) == report(
        [example_based.f1], PERFECT, ABSENT
    )


# ---------------------------------------------------------------------------- identify: the documents

PUBLISHED = [
    (document, value)
    for document in DOCUMENTS
    for value in document.published
    if value.metric and "swaps" not in value.slip
]


def name_of(value):
    module = value.metric.partition(".")[0]
    record = next(r for r in catalogue.METRICS if r.id == value.metric)
    if value.label is not None:
        return f"{record.name} of column {value.label} alone"
    kind = {"example_based": "samples ", "label_based": value.options.get("average", "macro")}
    return f"{kind.get(module, '')} {record.name}".replace("  ", " ").strip()


@pytest.mark.parametrize(
    "case", PUBLISHED, ids=lambda case: f"{case[0].id}, {case[1].of}: {case[1].printed}"
)
def test_every_value_that_a_document_prints_is_identified(case):
    document, value = case
    example = document.examples[value.data]
    printed = float(value.value)
    decimals = None
    if re.fullmatch(r"\d+\.\d+", value.printed):
        printed, decimals = float(value.printed), len(value.printed.partition(".")[2])
    others = (None, example.y_score) if value.metric.startswith("ranking") else (example.y_pred,)
    found = identify(printed, example.y_true, *others, decimals=decimals)
    matches = [match for match in found.matches if match.metric == name_of(value)]
    # Our defaults are the documents' conventions: 0/0 is 0, the top rank is 1.
    defaults = {"zero_division": 0.0, "start": 1, "ties": "worst"}
    (match,) = (
        m
        for m in matches
        if all(defaults.get(o, setting) == setting for o, setting in m.options.items())
        and not m.says
    )
    assert abs(match.value - float(value.value)) < 1e-9
    off = abs(Fraction(str(printed)) - value.value)
    half = Fraction(1, 2 * 10**decimals) if decimals else Fraction(0)
    by_hand = "exactly" if off <= Fraction(1, 10**6) else "rounded" if off <= half else "truncated"
    assert match.fit == by_hand
    if by_hand == "truncated":
        assert math.floor(value.value * 10**decimals) == round(printed * 10**decimals)


def test_the_documents_print_all_three_kinds():
    """A guard of the test above: 0.4166, 0.5277, 0.666 and 0.6666 are cut."""
    cut = {v.printed for _, v in PUBLISHED} & {"0.4166", "0.5277", "0.666", "0.6666", "0.66666"}
    assert len(cut) == 5
    assert (
        len(PUBLISHED)
        == sum(bool(v.metric) for document in DOCUMENTS for v in document.published) - 2
    )


# ---------------------------------------------------------------------------- identify: by hand


def found_by(matches, metric):
    return [match for match in matches if match.metric == metric]


def test_half_a_perfect_prediction():
    """F1 of the sample without labels is 0/0: 0.5 where that is 0."""
    found = identify(0.5, PERFECT, PERFECT)
    (match,) = found_by(found.matches, F1)
    assert dict(match.options) == {"zero_division": 0.0}
    assert match.convention == "zero_division=0.0"
    assert match.fit == "exactly"
    assert {"scikit-learn", "torchmetrics", "river", "MEKA"} <= set(match.tools)
    assert not {"MULAN", "Spark MLlib"} & set(match.tools)
    assert found.nearest == ()

    (match,) = found_by(identify(1.0, PERFECT, PERFECT).matches, "subset accuracy")
    assert (dict(match.options), match.convention) == ({}, "any")


def test_one_and_agree_are_told_apart_only_where_they_differ():
    """Truth 1, prediction 0: precision is 0/0; nothing right, so that "agree" says 0."""
    ways = {
        m.convention: m for m in found_by(identify(0, [[1]], [[0]]).matches, "samples precision")
    }
    assert set(ways) == {"zero_division=0.0", "zero_division='agree'"}
    assert "MULAN" in ways["zero_division='agree'"].tools
    assert "scikit-learn" in ways["zero_division=0.0"].tools
    utiml, one = found_by(identify(1, [[1]], [[0]]).matches, "samples precision")
    assert utiml.tools == ("utiml",)  # which predicts the label
    assert one.convention == "zero_division=1.0"
    assert set(one.tools) == {
        "scikit-learn, zero_division=1",
        "torchmetrics, zero_division=1",
        "mldr, undefined_value=1",
    }


def test_macro_f1_of_mulan_with_an_absent_label():
    perfect = identify(1.0, ABSENT, ABSENT)
    ways = {match.convention: match.tools for match in found_by(perfect.matches, "macro F1")}
    assert set(ways) == {"zero_division=1.0", "zero_division=nan", "zero_division='agree'"}
    assert {"MULAN", "mldr"} <= set(ways["zero_division='agree'"])
    two_thirds = identify(0.667, ABSENT, ABSENT)
    (match,) = found_by(two_thirds.matches, "macro F1")
    assert (match.convention, match.fit) == ("zero_division=0.0", "rounded")
    assert {"scikit-learn", "torchmetrics", "keras", "MEKA"} <= set(match.tools)


def test_nan_of_spark():
    matches = found_by(identify(nan, PERFECT, PERFECT).matches, "samples recall")
    (match,) = matches
    assert match.tools == ("Spark MLlib",)
    assert match.says == match.convention == "a sample with 0/0 makes the whole mean nan"
    assert (dict(match.options), math.isnan(match.value)) == ({}, True)


def test_inf_of_spark():
    (match,) = identify(inf, [[0]], [[1]]).matches
    assert (match.metric, match.tools, match.value) == ("Hamming loss", ("Spark MLlib",), inf)


def test_tools_that_raise_give_no_number():
    """napkinXC raises on a perfect prediction: it prints no 1."""
    found = identify(1.0, ABSENT, ABSENT)
    assert all("napkinXC" not in match.tools for match in found_by(found.matches, "macro F1"))


def test_a_tool_needs_no_setting_for_what_it_does_by_default():
    for match in identify(1.0, [[1, 0]], [[1, 0]]).matches:
        named = {tool for tool in match.tools if "," not in tool}
        assert not any(tool.partition(",")[0] in named for tool in match.tools if "," in tool)

    matches = identify(0.5, PERFECT, PERFECT).matches
    (match,) = found_by(matches, "samples recall")
    assert match.tools == (
        *("scikit-learn", "torchmetrics", "utiml", "ignite", "river", "xCOLUMNs"),
        "mldr, undefined_value=0",  # only if asked to
    )


TRUTH, PREDICTION = [[1, 1, 0], [0, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 1, 1], [0, 0, 1]]
# F1 of the samples 2/3, 2/3, 1: 7/9; columns: F1 1, 2/3, 2/3, which is 7/9 too; micro 6/8.


def test_rounded_truncated_and_a_percentage():
    def fits(value, **how):
        matches = identify(value, TRUTH, PREDICTION, **how).matches
        return {match.fit for match in found_by(matches, F1)}

    assert fits(7 / 9) == {"exactly"}
    assert fits(0.7777777) == {"exactly"}
    assert fits(0.778) == {"rounded"}
    assert fits(0.77) == {"truncated"}
    assert fits(0.776) == set()
    assert fits(0.779) == set()
    assert fits(77.78) == {"as a percentage"}
    assert fits(77.7) == fits(78, decimals=0) == fits(77, decimals=0) == {"as a percentage"}
    assert fits(78) == fits(77.9) == fits(177.78) == set()  # 78.0
    # The decimals that were printed
    assert fits(0.8) == {"rounded"}
    assert fits(0.8, decimals=2) == set()
    assert fits(0.7) == {"truncated"}
    assert fits(1, decimals=0) == {"rounded"}
    assert fits(np.float64(0.78), decimals=np.int64(2)) == {"rounded"}


def test_a_percentage_is_sought_only_where_nothing_else_fits():
    scores = [[0.9, 0.8, 0.1]]
    found = identify(2.0, [[0, 1, 0]], [[0, 1, 0]], scores)
    assert {match.metric for match in found.matches} == {"coverage"}
    assert {match.fit for match in found.matches} == {"exactly"}


def test_a_negative_value_is_cut_towards_zero():
    """LAMDA counts a sample without labels -1: coverages 0, -1 and -1."""
    truth, scores = [[1, 0], [0, 0], [0, 0]], [[0.9, 0.1]] * 3
    (match,) = found_by(identify(-0.66, truth, None, scores).matches, "coverage")
    assert (match.fit, match.tools) == ("truncated", ("LAMDA MATLAB",))
    assert dict(match.options) == {"start": 0, "undefined": -1.0}
    assert identify(-0.65, truth, None, scores).matches == ()
    assert identify(0.66, truth, None, scores, decimals=2).matches[0].value == pytest.approx(2 / 3)


def test_nothing_fits_and_the_nearest_are_told():
    """0.7: nearest are 2/3 (subset accuracy is 1/3), 3/4 (micro F1), then others further off."""
    found = identify(0.7, TRUTH, PREDICTION, decimals=4)
    assert found.matches == ()
    assert found.title == "0.7: no metric gives it here, under no convention"
    assert [round(match.value, 6) for match in found.nearest] == [0.666667] * 3
    assert all((match.fit, match.convention) == ("", "any") for match in found.nearest)
    (table,) = (step for step in found.steps if isinstance(step, Table))
    assert (table.caption, table.rows[0][2:4]) == ("The nearest", ("0.666667", "no"))

    values = [m.value for m in identify(0.97, [[1, 0]], [[0, 1]], [[0.1, 0.9]], decimals=3).nearest]
    assert values == sorted(values, key=lambda value: abs(value - 0.97))
    assert identify(inf, TRUTH, PREDICTION).nearest == ()


def test_nearest_is_the_nearest_of_its_reading():
    """Coverage is 1 or 2 by its start, one label tied with none."""
    found = identify(1.9, [[0, 1]], None, [[0.9, 0.1]], decimals=3)
    first = found.nearest[0]
    assert (first.metric, first.value, dict(first.options)) == ("coverage", 2.0, {"start": 1})


def test_f1_of_mean_precision_and_mean_recall():
    """Truth 11, prediction 10: P 1 and R 1/2, so 2/3. Of two rows 2/3 too, where P and R are 3/4."""
    of_samples = "F1 of samples precision and samples recall"
    assert found_by(identify(2 / 3, [[1, 1]], [[1, 0]]).matches, of_samples)
    y_true, y_pred = [[1, 1], [1, 0]], [[1, 0], [1, 1]]
    assert found_by(identify(0.75, y_true, y_pred).matches, of_samples)
    assert found_by(identify(2 / 3, y_true, y_pred).matches, F1)
    assert not found_by(identify(2 / 3, y_true, y_pred).matches, of_samples)
    # Labels 4 and 1 times true, 1 and 4 times predicted, each hit once: P and R are 5/8, the F1s 2/5.
    (case,) = (case for case in recorded() if case.name == "macroF1_definition")
    for value, metric in ((0.625, "F1 of macro precision and macro recall"), (0.4, "macro F1")):
        assert found_by(identify(value, case.y_true, case.y_pred).matches, metric)


def test_columns_alone():
    """Column 1 of the truth holds 2, the prediction 1 of them: precision 1, recall 1/2, F1 2/3."""
    matches = identify(2 / 3, TRUTH, PREDICTION).matches
    assert {m.metric for m in matches if "alone" in m.metric} == {
        "F1 of column 1 alone",
        "F1 of column 2 alone",
    }
    assert all(m.convention == "any" and m.tools == () for m in matches if "alone" in m.metric)


@pytest.mark.parametrize("worth", [0.0, 1.0, nan])
def test_a_column_without_labels_is_worth_its_zero_division(worth):
    matches = identify(worth, ABSENT, ABSENT).matches
    (match,) = found_by(matches, "F1 of column 2 alone")
    assert match.convention == f"zero_division={worth}"


def test_columns_past_fifty_are_left_alone():
    truth = np.eye(60, dtype=int)
    prediction = truth.copy()
    prediction[49, 49] = prediction[50, 50] = 0
    alone = {
        match.metric
        for match in identify(0.0, truth, prediction).matches
        if match.metric.startswith("recall of column")
    }
    assert alone == {"recall of column 49 alone"}


def test_most_usual_first():
    for found in (
        identify(0.5, PERFECT, PERFECT),
        identify(0.7, TRUTH, PREDICTION, [[0.9, 0.2, 0.1]] * 3),
        identify(1.0, ABSENT, ABSENT, ABSENT),
    ):
        keys = [
            (
                match.fit != "exactly",
                -len([tool for tool in match.tools if ", " not in tool]),
                -len(match.tools),
            )
            for match in found.matches
        ]
        assert keys == sorted(keys)
    assert found.matches[0].tools[0] == "scikit-learn"


def test_renderings_hold_the_rows():
    found = identify(0.5, PERFECT, PERFECT)
    assert isinstance(found, Board)
    for text in (str(found), found.to_text(), found._repr_html_()):
        assert f"0.5: {len(found.matches)} ways to get it" in text
        for match in found.matches[:20]:
            assert match.metric in text
        assert "Ranking metrics were not tried: they need y_score." in text
    assert "mldr (undefined_value=0)" in str(found)
    (table,) = (step for step in found.steps if isinstance(step, Table))
    assert table.header == ("metric", "convention", "value", "fits", "tools")
    assert len(table.rows) == len(found.matches) <= 20
    assert table.rows[-1][-1] == "–"  # single labels, which no tool prints
    assert identify(inf, [[0]], [[1]]).title == "inf: 1 way to get it"


def test_a_rule_of_its_own_is_told_below_the_table():
    found = identify(inf, [[0]], [[1]])
    (table,) = (step for step in found.steps if isinstance(step, Table))
    assert table.rows == (("Hamming loss", "its own rule", "inf", "exactly", "Spark MLlib"),)
    told = [step.text for step in found.steps if isinstance(step, Sentence)]
    assert told[0] == f"Spark MLlib, Hamming loss: {found.matches[0].says}."


def test_more_than_twenty_rows_are_said():
    found = identify(1.0, ABSENT, ABSENT, ABSENT)
    (table,) = (step for step in found.steps if isinstance(step, Table))
    assert len(table.rows) == 20
    more = f"{len(found.matches) - 20} more, less usual, are in .matches."
    assert [step.text for step in found.steps if isinstance(step, Sentence)] == [more]
    assert "were not tried" not in str(found)


def test_without_predictions_only_ranks_are_tried():
    found = identify(1.0, [[1, 0]], None, [[0.9, 0.1]])
    assert "Set metrics were not tried: they need y_pred." in str(found)
    assert all(reads_scores(match.metric) for match in found.matches)


@pytest.mark.parametrize("value", [True, np.True_, "0.5", None, Fraction(1, 2), [0.5], 1j])
def test_a_value_that_is_no_float(value):
    with pytest.raises(TypeError) as error:
        identify(value, PERFECT, PERFECT)
    assert str(error.value) == f"value is {value!r}: give it as a float, such as 0.5"


@pytest.mark.parametrize("decimals", [-1, True, 1.5, "2"])
def test_decimals_that_are_none(decimals):
    with pytest.raises(ValueError) as error:
        identify(0.5, PERFECT, PERFECT, decimals=decimals)
    assert str(error.value) == f"decimals is {decimals!r}: give a whole number of 0 or more"


def test_without_data():
    with pytest.raises(ValueError) as error:
        identify(0.5, PERFECT)
    assert str(error.value) == (
        "y_pred and y_score are both missing: give the data behind the number"
    )


@pytest.mark.parametrize(
    ("y_true", "y_pred", "y_score", "sentence"),
    [
        ([[2]], [[1]], None, "y_true holds 2 at row 0, column 0"),
        ([[1]], [[0.3]], None, "y_pred holds the score 0.3 at row 0, column 0"),
        ([[1, 0]], [[1]], None, "y_pred has shape"),
        ([[1]], None, [[nan]], "y_score holds"),
        ([[1]], [[1]], [[0.1, 0.2]], "y_score has shape"),
    ],
)
def test_bad_matrices_get_the_sentence_of_the_gate(y_true, y_pred, y_score, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        identify(0.5, y_true, y_pred, y_score)


# ---------------------------------------------------------------------------- identify: whatever the data

CHOICES = {
    "zero_division": worlds.ZERO_DIVISIONS,
    "start": (0, 1),
    "ties": worlds.TIES,
    "undefined": (0.0, 1.0, nan),
}


def conventions_of(name):
    record = None if name in DERIVED else catalogue.of(VARIANTS[name])
    takes = record.options if record else ("zero_division",) if name != LABEL_WISE else ()
    values = {option: CHOICES[option] for option in CHOICES if option in takes}
    return [dict(zip(values, way, strict=True)) for way in itertools.product(*values.values())]


def agrees(way, match):
    return all(same_setting(way[option], setting) for option, setting in match.options.items())


def same_setting(a, b):
    return repr(a) == repr(b)


def value_of(metric, way, y_true, other):
    alone = re.fullmatch(r"(precision|recall|F1|Jaccard) of column (\d+) alone", metric)
    if alone:
        function = getattr(label_based, alone[1].lower())
        if way.get("zero_division") == "agree":
            return None  # of a single label, "agree" is always one of the others
        return function(y_true, other, average=None, **way)[int(alone[2])]
    return READINGS[metric](y_true, other, **way)


def check_matches(found, value, decimals, y_true, y_pred, y_score):
    """No match is wrong: each completion of its options and each of its tools gives the number."""
    exact = [match.fit == "exactly" for match in found.matches]
    assert exact == sorted(exact, reverse=True)
    for match in found.matches:
        other = y_score if reads_scores(match.metric) else y_pred
        asked = value / 100 if match.fit == "as a percentage" else value
        digits = decimals + 2 if match.fit == "as a percentage" else decimals
        if not same(asked, match.value):
            assert abs(asked - match.value) < 10**-digits + 1e-9
        for tool in match.tools:
            assert same(number(tool, match.metric, y_true, other), match.value)
        if match.says:
            assert match.tools
            assert not any(expressible(t, match.metric, y_true, other) for t in match.tools)
            continue
        name = "macro F1" if "alone" in match.metric else match.metric
        ways = [way for way in conventions_of(name) if agrees(way, match)]
        assert ways or match.options["undefined"] == -1.0
        for way in ways or [match.options]:
            again = value_of(match.metric, way, y_true, other)
            assert again is None or same(again, match.value)


def check_tools(found, y_true, y_pred, y_score):
    """No tool is forgotten: whoever prints the number of a match is named, or else its default is."""
    exact = [match for match in found.matches if match.fit == "exactly"]
    for metric in {match.metric for match in exact if "alone" not in match.metric}:
        named = {tool for match in found_by(exact, metric) for tool in match.tools}
        other = y_score if reads_scores(metric) else y_pred
        for tool in TOOLS.values():
            if metric.replace("F2", "Fβ") not in tool.metrics:
                continue
            theirs = number(tool.name, metric, y_true, other)
            prints = any(same(theirs, match.value) for match in found_by(exact, metric))
            assert prints == (tool.name in named)


@st.composite
def problems(draw):
    shape = draw(st.integers(1, 3)), draw(st.integers(1, 3))

    def matrix(cell):
        return [[draw(cell) for _ in range(shape[1])] for _ in range(shape[0])]

    bit = st.integers(0, 1)
    return matrix(bit), matrix(bit), matrix(st.sampled_from([0.1, 0.5, 0.7]))


@pytest.mark.no_cover
@settings(derandomize=True, deadline=None, max_examples=25)
@given(problem=problems(), data=st.data())
def test_a_number_leads_back_to_where_it_came_from(problem, data):
    y_true, y_pred, y_score = problem
    name = data.draw(st.sampled_from(sorted(READINGS)))
    way = data.draw(st.sampled_from(conventions_of(name)))
    value = value_of(name, way, y_true, y_score if reads_scores(name) else y_pred)
    found = identify(value, *problem)
    (_,) = (
        m
        for m in found_by(found.matches, name)
        if agrees(way, m) and m.fit == "exactly" and not m.says and same(m.value, value)
    )
    decimals = max(1, len(repr(value).partition(".")[2])) if "e" not in repr(value) else 17
    check_matches(found, value, decimals, *problem)
    check_tools(found, *problem)


@pytest.mark.no_cover
@settings(derandomize=True, deadline=None, max_examples=15)
@given(
    problem=problems(),
    percent=st.sampled_from([0, 12, 33, 50, 58, 66, 67, 75, 83, 100, 150, 200, 250]),
    decimals=st.integers(0, 3),
)
def test_no_match_of_any_number_is_wrong(problem, percent, decimals):
    found = identify(percent / 100, *problem, decimals=decimals)
    check_matches(found, percent / 100, decimals, *problem)
    check_tools(found, *problem)
    assert bool(found.matches) != bool(found.nearest)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("shape", "scores"), [((1, 1), False), ((1, 2), False), ((2, 1), False), ((1, 2), True)]
)
def test_what_is_left_out_makes_no_difference(shape, scores):
    """A way to compute fits one match if it gives the number, and else none."""
    for y_true, other in small_worlds(*shape, scores):
        given = {
            name: [(way, value_of(name, way, y_true, other)) for way in conventions_of(name)]
            for name in READINGS
            if reads_scores(name) == scores
        }
        for value in (0.0, 0.5, 1.0, nan):
            found = identify(value, y_true, *((None, other) if scores else (other,)))
            for name, ways in given.items():
                matches = [
                    match
                    for match in found_by(found.matches, name)
                    if match.fit == "exactly" and not match.says
                ]
                for way, result in ways:
                    fitting = sum(agrees(way, match) for match in matches)
                    assert fitting == same(result, value), (name, way, y_true, other, value)
                if all(same(result, value) for _, result in ways):
                    assert [dict(match.options) for match in matches] == [{}]


# ---------------------------------------------------------------------------- side by side


def rows_of(board):
    (table,) = board.steps
    return {row[0]: row[1:] for row in table.rows}


def shown(value):
    return value if isinstance(value, str) else f"{value:.6f}".rstrip("0").rstrip(".")


@pytest.mark.parametrize("metric", READINGS)
def test_rows_are_the_tools_that_have_the_metric_and_numbers_are_the_recorded(metric):
    having = [name for name, tool in TOOLS.items() if metric.replace("F2", "Fβ") in tool.metrics]
    if not having:
        assert metric.startswith("F1 of ")
        return
    for case in recorded()[::7]:
        rows = rows_of(compare(metric, case.name))
        assert list(rows) == having
        for tool, (theirs, call, _, ours) in rows.items():
            assert call == TOOLS[tool].metrics[metric.replace("F2", "Fβ")].call
            on_record = case.numbers.get(metric, {}).get(tool)
            if on_record is not None:
                assert theirs == shown(on_record)
            assert ours in (theirs, "no option says it")


def test_perfect_prediction_side_by_side():
    """As CONVENTIONS of the field has it: 0.5 in most tools, 1 in MULAN, nan in Spark."""
    board = compare(F1, "perfect+both_empty")
    assert board.title == "samples F1: perfect prediction, one row legitimately empty"
    assert board.steps[0].caption == f"truth {PERFECT}, predicted {PERFECT}"
    rows = rows_of(board)
    assert {tool: row[0] for tool, row in rows.items()} == {
        **dict.fromkeys(("scikit-learn", "torchmetrics", "river", "MEKA"), "0.5"),
        **dict.fromkeys(("napkinXC", "xCOLUMNs", "utiml"), "0.5"),
        **dict.fromkeys(("MULAN", "mldr"), "1"),
        "Spark MLlib": "nan",
    }
    assert rows["MULAN"][1:] == ("Example-Based F Measure", "zero_division='agree'", "1")
    assert rows["Spark MLlib"][1:] == ("f1Measure", "zero_division=nan", "no option says it")


def test_settings_side_by_side():
    rows = rows_of(compare(F1, "perfect+both_empty", settings=True))
    assert [key for key in rows if key.startswith("scikit-learn")] == [
        "scikit-learn",
        "scikit-learn (zero_division=1)",
        "scikit-learn (zero_division=nan)",
    ]
    assert rows["scikit-learn (zero_division=1)"][::2] == ("1", "zero_division=1.0")
    assert [key for key in rows if key.startswith("mldr")] == ["mldr"]  # its F1 does not listen


def test_ranks_side_by_side():
    board = compare("coverage", "rank_plain")
    assert board.steps[0].caption == "truth [[0, 1, 0]], scores [[0.9, 0.8, 0.1]]"
    rows = rows_of(board)
    assert {tool: row[0] for tool, row in rows.items()} == {
        "scikit-learn": "2",
        "torchmetrics": "2",
        "MULAN": "1",
        "LAMDA MATLAB": "1",
        "mldr": "1",
        "utiml": "raises error",
    }
    assert rows["LAMDA MATLAB"][2] == "start=0, ties='last', undefined=-1.0"
    assert rows_of(compare("subset accuracy", "disjoint"))["MULAN"][2] == "–"


# ---------------------------------------------------------------------------- what to write in a paper

Y_TRUE, Y_PRED = [[1, 0, 1], [0, 1, 0], [0, 0, 0]], [[1, 1, 0], [0, 1, 0], [0, 0, 0]]
Y_SCORE = [[0.9, 0.5, 0.5], [0.2, 0.8, 0.1], [0.3, 0.2, 0.1]]
DATA = (
    "3 samples, 3 labels, label cardinality (true labels a sample) 1;"
    " 1 of 3 samples and 0 of 3 labels have no true label."
)
A_MEAN = "a value per sample, then their mean"


def with_options(function, **chosen):
    return functools.partial(function, **chosen)


@pytest.mark.parametrize(
    ("metric", "sentence"),
    [
        (exact_match.subset_accuracy, f"subset accuracy = 0.666667: {A_MEAN}."),
        (hamming.hamming_loss, f"Hamming loss = 0.222222: {A_MEAN}."),  # 2 of 9 cells
        # F1 of the samples: 2/4, 1 and 0/0
        (example_based.f1, f"samples F1 = 0.5: {A_MEAN}; 0/0 counts 0 (1 of 3 samples)."),
        (
            with_options(example_based.f1, zero_division=nan),
            f"samples F1 = 0.75: {A_MEAN}; 0/0 is left out (1 of 3 samples).",
        ),
        (
            with_options(example_based.f1, zero_division=1.0),
            f"samples F1 = 0.833333: {A_MEAN}; 0/0 counts 1 (1 of 3 samples).",
        ),
        (
            with_options(example_based.fbeta, beta=2, zero_division="agree"),
            f"samples F2 = 0.833333: {A_MEAN}; 0/0 counts 1 where truth and prediction are both"
            " empty, else 0 (1 of 3 samples).",
        ),
        (
            with_options(example_based.f1, sample_weight=[3, 1, 0]),  # (3/2 + 1) / 4
            f"samples F1 = 0.625: {A_MEAN}; 0/0 counts 0 (1 of 3 samples); samples are weighted.",
        ),
        # precision of the labels: 1/1, 1/2 and 0/0
        (
            label_based.precision,
            "macro precision = 0.5: a value per label, then their mean;"
            " 0/0 counts 0 (1 of 3 labels).",
        ),
        (
            with_options(label_based.recall, average="micro"),
            "micro recall = 0.666667: one ratio over all cells; 0/0 counts 0 (it is not).",
        ),
        (
            with_options(label_based.jaccard, average="weighted"),  # 1, 1/2 and 0, support 1 each
            "weighted Jaccard = 0.5: a value per label, then their mean, weighted by the label's"
            " true samples; 0/0 counts 0 (0 of 3 labels).",
        ),
        (
            with_options(label_based.fbeta, beta=0.5, average="macro"),  # 1, (5/4)/(9/4), 0
            "macro F0.5 = 0.518519: a value per label, then their mean;"
            " 0/0 counts 0 (0 of 3 labels).",
        ),
        # depths: 3 where the tie is lost, 1, and none
        (
            ranking.coverage,
            f"coverage = 1.333333: {A_MEAN}; a sample without a value counts 0 (1 of 3 samples);"
            " the top label has rank 1; tied labels share their largest rank.",
        ),
        (
            with_options(ranking.coverage, start=0, ties="best", undefined=nan),  # 1 and 0
            f"coverage = 0.5: {A_MEAN}; a sample without a value is left out (1 of 3 samples);"
            " the top label has rank 0; tied labels share their smallest rank.",
        ),
        (
            with_options(ranking.one_error, undefined=0.25, ties="first"),
            f"one-error = 0.083333: {A_MEAN}; a sample without a value counts 0.25"
            " (1 of 3 samples); of tied labels the lowest index ranks first.",
        ),
        (
            with_options(ranking.ranking_loss, ties="average"),  # half a pair of two, 0 and 0
            f"ranking loss = 0.083333: {A_MEAN}; a sample without a value counts 0"
            " (1 of 3 samples); tied labels share their mean rank.",
        ),
        (
            with_options(ranking.average_precision, ties="last"),
            f"average precision = 1: {A_MEAN}; a sample without a value counts 1"
            " (1 of 3 samples); of tied labels the highest index ranks first.",
        ),
    ],
)  # fmt: skip
def test_report(metric, sentence):
    assert report([metric], Y_TRUE, Y_PRED, Y_SCORE) == f"{DATA} {sentence}"


def test_report_of_several_with_the_decision():
    text = report(
        [hamming.hamming_loss, exact_match.subset_accuracy], Y_TRUE, Y_PRED, decision="score >= 0.5"
    )
    assert text == (
        f"{DATA} A label is predicted where score >= 0.5."
        f" Hamming loss = 0.222222: {A_MEAN}. subset accuracy = 0.666667: {A_MEAN}."
    )
    assert report([], Y_TRUE) == DATA


@pytest.mark.parametrize(
    ("metric", "data", "sentence"),
    [
        (ranking.coverage, (Y_PRED,), "y_score is missing: coverage reads it"),
        (label_based.f1, (None, Y_SCORE), "y_pred is missing: macro F1 reads it"),
        (
            with_options(label_based.f1, average=None),
            (Y_PRED,),
            "label_based.f1 gives one value per label or sample here: bind what gives one number",
        ),
        (
            with_options(ranking.coverage, per_sample=True),
            (None, Y_SCORE),
            "ranking.coverage gives one value per label or sample here: bind what gives one number",
        ),
        (example_based.f1, ([[1, 2, 0]] * 3,), "y_pred holds 2 at row 0, column 1"),
    ],
)
def test_report_refuses(metric, data, sentence):
    with pytest.raises(ValueError) as error:
        report([metric], Y_TRUE, *data)
    assert str(error.value).startswith(sentence)
