"""The tools' rules once more in plain Python, their records, and every way to get a number."""

import functools
import itertools
import math
import tracemalloc
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest
import throwaway
import worlds
from scipy import sparse
from sklearn import metrics as sklearn_metrics

from mlm_helpers import (
    catalogue,
    curves,
    exact_match,
    example_based,
    hamming,
    label_based,
    ranking,
)
from mlm_helpers.conventions import (
    LABEL_WISE,
    TOOLS,
    compare,
    expressible,
    identify,
    names,
    number,
    options,
    recorded,
    report,
    same,
)
from mlm_helpers.conventions.quantities import quantities
from mlm_helpers.conventions.tool import NO_RULE, close
from mlm_helpers.conventions.translate import departed, read

QUANTITIES = quantities()
KEY_OF = {r.general: r.name for r in reversed(QUANTITIES.values())}  # F2 for Fβ, at 1 for at k
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
    return QUANTITIES[name].reads == "y_score"


def ours(key, name, y_true, other):
    """Our function with the options that the table gives for a tool with its setting."""
    tool, _, setting = key.partition(", ")
    chosen = TOOLS[tool].metrics[QUANTITIES[name].general].asked(setting)
    return QUANTITIES[name].function(y_true, other, **chosen)


# ---------------------------------------------------------------------------- the record


def test_every_recorded_number_is_what_the_table_says():
    wrong = [
        (case.name, metric, tool)
        for case, metric, tool, value in RECORDED
        if not same(number(tool, metric, case.y_true, case.other(metric)), value)
    ]
    assert wrong == []
    assert len(RECORDED) == 2443


def test_our_functions_with_the_options_give_the_recorded_number_or_the_table_says_so():
    departed = Counter()
    for case, metric, tool, value in RECORDED:
        data = case.y_true, case.other(metric)
        assert expressible(tool, metric, *data) == same(ours(tool, metric, *data), value)
        departed[tool, metric] += not same(ours(tool, metric, *data), value)
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
        **OF_CURVES_AND_TOP_K,
    }
    assert departed.total() == 92 + 38  # of 2443: an option says the other 2313


OF_CURVES_AND_TOP_K = {
    ("keras", "macro AP"): 6,  # bins, and what lies between them
    ("keras", "micro AP"): 6,
    ("keras", "macro AUROC"): 1,
    ("keras", "micro AUROC"): 1,
    ("keras", "recall at 2"): 1,  # pooled
    ("keras", "recall at 3"): 1,
    ("torchmetrics, thresholds=5", "macro AP"): 3,
    ("torchmetrics, thresholds=5", "micro AP"): 1,
    ("torchmetrics, thresholds=5", "weighted AP"): 1,
    ("torchmetrics, thresholds=5", "macro AUROC"): 4,
    ("torchmetrics, thresholds=5", "micro AUROC"): 2,
    ("torchmetrics, thresholds=5", "weighted AUROC"): 2,
    ("torchmetrics, empty_target_action='pos'", "precision at 2"): 1,
    ("torchmetrics, empty_target_action='skip'", "precision at 2"): 1,
    **dict.fromkeys([("ML-GCN", "macro AP"), ("Query2Label", "macro AP"), ("MEKA", "macro AP")], 1),
    **{(tool, "macro AUROC"): 1 for tool in ("scikit-learn", "MEKA", "MULAN")},
    ("Annif", "precision at 3"): 1,  # of those predicted
}
JACCARDS = ("samples accuracy (Jaccard)", "macro Jaccard", "micro Jaccard", "weighted Jaccard")


# ---------------------------------------------------------------------------- the table


def test_the_tools():
    assert len(TOOLS) == 23
    assert {name: tool.known for name, tool in TOOLS.items()} == {
        **dict.fromkeys(
            ("scikit-learn", "torchmetrics", "Spark MLlib", "keras", "torcheval", "ignite"), "run"
        ),
        **dict.fromkeys(("river", "napkinXC", "xCOLUMNs"), "run"),
        **dict.fromkeys(("MULAN", "MEKA", "pyxclib", "ML-GCN", "ASL"), "recorded run"),
        **dict.fromkeys(("Query2Label", "mmpretrain", "pycocotools"), "recorded run"),
        **dict.fromkeys(("Annif", "ranx"), "recorded run"),
        **dict.fromkeys(("LAMDA MATLAB", "mldr", "utiml", "VOC devkit"), "read in source"),
    }
    assert all(tool.name == name and tool.version for name, tool in TOOLS.items())
    recorded_tools = {tool.partition(", ")[0] for *_, tool, _ in RECORDED}
    assert recorded_tools == set(TOOLS) - {"mldr", "utiml"}


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_names_and_options_of_a_tool_are_ours(tool):
    for general, translation in tool.metrics.items():
        quantity = QUANTITIES[KEY_OF[general]]
        assert translation.call
        assert set(translation.settings) <= set(tool.settings)
        other = [[0.2, 0.1]] if quantity.reads == "y_score" else [[1, 0]]
        for setting in ("", *translation.settings):
            value = quantity.function([[1, 0]], other, **translation.asked(setting))
            assert isinstance(value, float)
        # Nothing is left to a default of ours: every convention of the metric is named.
        assert set(translation.options) == (set(quantity.choices))


def test_scikit_learn_answers_as_our_defaults_do():
    """The course's promise: options are scikit-learn's answers where it has one."""
    for general, translation in TOOLS["scikit-learn"].metrics.items():
        record = catalogue.of(QUANTITIES[KEY_OF[general]].function)
        if record.sklearn:
            assert translation.call.partition("(")[0] == record.sklearn.partition("(")[0]
            assert options("scikit-learn", record.function) == {
                option: record.defaults[option] for option in translation.options
            }
    assert TOOLS["scikit-learn"].metrics["macro Fβ"].call == "fbeta_score(average='macro')"
    assert len(TOOLS["scikit-learn"].metrics) == len(list(TOOLS["scikit-learn"].metrics)) == 34
    assert "ndcg_score" in {t.call for t in TOOLS["scikit-learn"].metrics.values()}


SHOWN = [
    *(
        ("scikit-learn, zero_division=nan", name, "raises InvalidParameterError")
        for name in JACCARDS
    ),
    ("scikit-learn", "macro AUROC", nan),
    ("scikit-learn", "weighted AUROC", 0),
    ("torchmetrics, zero_division=1", "weighted precision", 0),
    ("torchmetrics", "weighted Jaccard", nan),
    ("torchmetrics", "coverage", 2),
    ("torchmetrics", "average precision", Fraction(1, 2)),
    ("torchmetrics", "ranking loss", NO_RULE),
    ("Spark MLlib", "Hamming loss", inf),
    ("Spark MLlib", "samples accuracy (Jaccard)", nan),
    ("Spark MLlib", "samples recall", nan),
    ("Spark MLlib", "samples F1", nan),
    ("MULAN", "coverage", 1),
    ("MULAN", "one-error", 1),
    ("MULAN", "ranking loss", 1),
    ("MULAN", "average precision", Fraction(1, 2)),
    ("MEKA", "ranking loss", NO_RULE),
    ("LAMDA MATLAB", "one-error", nan),
    ("LAMDA MATLAB", "average precision", nan),
    ("mldr, ties_method='min'", "average precision", 2),
    *(
        ("utiml", KEY_OF[general], 0 if general == "Hamming loss" else 1)
        for general in TOOLS["utiml"].metrics
        if not reads_scores(KEY_OF[general])
    ),
    ("utiml", "coverage", "raises error"),
    ("utiml", "average precision", "raises error"),
    ("napkinXC", "Hamming loss", 1),
    ("napkinXC", "macro F1", "raises ValueError"),
    ("napkinXC", "micro F1", "raises ZeroDivisionError"),
    ("napkinXC", "one-error", NO_RULE),
    ("pyxclib", "one-error", NO_RULE),
    ("xCOLUMNs", "samples F2", Fraction(5, 9)),
    ("xCOLUMNs", "macro F2", Fraction(5, 9)),
    ("xCOLUMNs", "micro F2", Fraction(5, 9)),
    ("scikit-learn, ignore_ties=True", "nDCG at 1", NO_RULE),
    *(
        (f"torchmetrics, thresholds={n}", f"{average} {area}", 0.5)
        for n in (5, 200)
        for average in ("macro", "micro", "weighted")
        for area in ("AP", "AUROC")
    ),
    *(("torchmetrics", name, NO_RULE) for name in ("precision at 1", "recall at 1")),
    ("torchmetrics, empty_target_action='pos'", "precision at 1", 1),
    ("torchmetrics, empty_target_action='skip'", "precision at 1", 1),
    ("torchmetrics, empty_target_action='skip'", "recall at 1", 0),
    ("torchmetrics, empty_target_action='skip'", "nDCG at 1", 0),
    ("MULAN", "macro AUROC", nan),
    ("MEKA", "macro AP", nan),
    ("MEKA", "macro AUROC", nan),
    *(("keras", f"{average} AP", 1 - math.log(2)) for average in ("macro", "micro")),
    *(("keras", f"{average} AUROC", 0.5) for average in ("macro", "micro")),
    *(("keras", name, NO_RULE) for name in ("precision at 1", "recall at 1")),
    ("keras", "recall at 1", 1),
    *(
        (tool, f"{name} at 1", NO_RULE)
        for tool in ("napkinXC", "pyxclib", "ranx")
        for name in ("precision", "recall", "nDCG")
    ),
    ("xCOLUMNs", "precision at 1", "raises ValueError"),
    ("xCOLUMNs", "precision at 1", NO_RULE),
    ("ML-GCN", "macro AP", "raises ZeroDivisionError"),
    ("ML-GCN", "macro recall", nan),
    *(("ML-GCN", "F1 of macro precision and macro recall", nan) for _ in range(2)),
    ("ML-GCN", "micro precision", 0.5),
    ("ML-GCN", "micro F1", Fraction(2, 3)),
    ("ML-GCN", "micro F1", nan),
    ("ASL", "micro F1", nan),
    ("Query2Label", "macro AP", nan),
    ("pycocotools", "macro AP", -1),
    *(("Annif", name, NO_RULE) for name in ("precision at 1", "nDCG at 1")),
    *(("Annif", name, 0) for name in ("precision at 1", "nDCG at 1")),
]
DEPARTURES = [
    (tool.name, KEY_OF[general], departure)
    for tool in TOOLS.values()
    for general, translation in tool.metrics.items()
    for departure in translation.departures
]


def departs(key, name, data):
    """In which way a tool departs on data, if that makes a difference, and its number."""
    tool, _, setting = key.partition(", ")
    translation = TOOLS[tool].metrics[QUANTITIES[name].general]
    metric = functools.partial(QUANTITIES[name].function, **translation.asked(setting))
    truth, other = read(QUANTITIES[name], *data)
    found = departed(TOOLS[tool], translation.departing(setting), metric, truth, other)
    return found if found and not close(found[1], float(metric(truth, other))) else (None, None)


def departures_of(key, name, expected):
    """Those whose own input gives the number."""
    mine = [d for t, n, d in DEPARTURES if (t, n) == (key.partition(", ")[0], name)]
    shown = [(d, departs(key, name, (d.y_true, d.y_other))) for d in mine]
    return [d for d, (way, value) in shown if way is d and close(value, expected)]


def departure_of(key, name, expected=NO_RULE):
    return departures_of(key, name, expected)[0]


def test_every_departure_is_shown_or_depends_on_more_than_data():
    shown = [(key.partition(",")[0], name, d) for key, name, expected in SHOWN
             for d in departures_of(key, name, expected)]  # fmt: skip
    unshown = [at for at in DEPARTURES if at[2].number and at not in shown]
    # Of scores beyond 0 and 1, see below; and the nan of a weighted AUROC, which needs other data.
    assert {(tool, d.shows) for tool, _, d in unshown} == {
        ("torchmetrics", "coverage 2"), ("scikit-learn", "nan"),
    }  # fmt: skip
    in_words = [(tool, name, d.shows) for tool, name, d in DEPARTURES if not d.number]
    # Of batches; and of a setting that is not in the table.
    assert in_words == [
        ("torchmetrics", "ranking loss", "0.2 in one update, 0.5 in two (the first sample, then the rest)"),
        ("napkinXC", "samples F1", "1 with zero_division=1"),
    ]  # fmt: skip


@pytest.mark.parametrize(("key", "name", "expected"), SHOWN, ids=str)
def test_smallest_input_shows_the_departure_and_no_smaller_one_does(key, name, expected):
    tool = key.partition(", ")[0]
    departures = departures_of(key, name, expected)
    assert departures
    for departure in departures:
        data = departure.y_true, departure.y_other
        assert close(number(key, name, *data), expected)
        assert not expressible(key, name, *data)
        assert not close(ours(key, name, *data), expected)
        if expected == NO_RULE:
            assert departure.shows.startswith(("0 or 1", "anything from 0 to 1", "0 by the text"))
        elif (tool, name) not in (("torchmetrics", "average precision"), *MULAN_TIES):
            text = expected if isinstance(expected, str) else shown(float(expected))
            text = text.replace("raises ", "an " if expected == "raises error" else "")
            text = str(expected) if isinstance(expected, Fraction) else text
            said = departure.shows.removeprefix("coverage ")
            assert said.startswith(text) or f"({name} {text})" in said

        smaller = [
            shape
            for shape in ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1))
            if math.prod(shape) < np.size(departure.y_true)
        ]
        keys = [k for k in KEYS if k.partition(", ")[0] == tool]
        for shape in smaller:
            for world in worlds.pairs(*shape, reads_scores(name)):
                assert not any(departs(k, name, world)[0] is departure for k in keys)


MULAN_TIES = [("MULAN", name) for name in ("one-error", "ranking loss", "average precision")]


@pytest.mark.parametrize("key", ["torchmetrics", "MEKA", "napkinXC", "pyxclib"])
def test_where_no_rule_holds_ties_reach_from_worst_to_best(key):
    """And the number of torchmetrics in one update is ours."""
    name = "ranking loss" if key in ("torchmetrics", "MEKA") else "one-error"
    departure = departure_of(key, name)
    data = departure.y_true, departure.y_other
    reached = {QUANTITIES[name].function(*data, ties=ties) for ties in ("first", "last")}
    assert reached == ({0.0, 0.5} if key == "MEKA" else {0.0, 1.0})
    untied = [[score - j / 100 for j, score in enumerate(row)] for row in departure.y_other]
    assert expressible(key, name, departure.y_true, untied)
    tied_alike = [[1] * len(departure.y_true[0])]  # all are relevant: whoever wins, all is well
    assert expressible(key, name, tied_alike, departure.y_other)


def test_batches_of_torchmetrics_by_hand():
    departure = next(d for tool, _, d in DEPARTURES if tool == "torchmetrics" and not d.number)
    each = ranking.ranking_loss(departure.y_true, departure.y_other, per_sample=True).tolist()
    assert each == [1, 0, 0, 0, 0]  # so 1/5; and of two batches (1 + 0) / (1 + 1)


@pytest.mark.parametrize(
    ("tool", "name", "y_true", "y_score", "expected"),
    [
        # sigmoid(20) and sigmoid(30) are both 1 in single precision; sigmoid(-3) is not.
        ("torchmetrics", "coverage", [[0, 1]], [[20, 30]], 2),
        ("torchmetrics", "coverage", [[0, 1, 0]], [[-3, 40, 18]], 2),
        ("torchmetrics", "average precision", [[0, 1]], [[20, 30]], Fraction(1, 2)),
        ("torchmetrics", "coverage", [[0, 1]], [[2, 3]], 1),
        ("torchmetrics", "ranking loss", [[1] + [0] * 16], [[30] * 16 + [20]], NO_RULE),
        ("torchmetrics", "ranking loss", [[1] + [0] * 16], [[30] * 16 + [2]], NO_RULE),
        ("torchmetrics", "ranking loss", [[1] + [0] * 15], [[30] + [20] * 15], 1),
        # The second is less than a millionth above the third, the first is not.
        ("MULAN", "coverage", [[1, 0, 0]], [[0.5000012, 0.5000005, 0.5]], 0),
        ("MULAN", "coverage", [[0, 1, 0]], [[0.5000012, 0.5000005, 0.5]], 2),
        ("MULAN", "coverage", [[0, 0, 1]], [[0.5000012, 0.5000005, 0.5]], 1),
        ("MULAN", "coverage", [[1, 0]], [[0.500002, 0.5]], 0),
        ("MEKA", "ranking loss", [[1, 0, 0]], [[0.5, 0.5, 0.1]], NO_RULE),
        ("MEKA", "ranking loss", [[1, 0, 0]], [[0.5, 0.1, 0.1]], 0),
    ],
)
def test_what_tools_do_with_close_and_with_large_scores(tool, name, y_true, y_score, expected):
    assert close(number(tool, name, y_true, y_score), expected)


def test_epsilon_of_xcolumns_weighs_on_a_label_found_once_among_a_million():
    """1 / 10⁶ over (1 / 10⁶ + 10⁻⁶); of 40 samples 1 / (1 + 0.00004), which four places do not show."""
    y_true = np.zeros((10**6, 1), dtype=bool)
    y_true[0] = True
    assert close(number("xCOLUMNs", "macro recall", y_true, y_true), 0.5)
    assert not expressible("xCOLUMNs", "macro recall", y_true, y_true)
    # F2 of xCOLUMNs: 5 TP over 5 TP and epsilon; of a sample its labels are counted
    assert close(number("xCOLUMNs", "macro F2", y_true, y_true), Fraction(5, 6))
    assert close(number("xCOLUMNs", "samples recall", y_true.T, y_true.T), 0.5)
    assert close(number("xCOLUMNs", "micro F1", y_true, y_true), Fraction(2, 3))
    assert expressible("xCOLUMNs", "macro recall", y_true[:40], y_true[:40])
    assert expressible("xCOLUMNs", "Hamming loss", y_true, y_true)


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


def named(kinds, ratios):
    return [f"{kind} {ratio}" for kind in kinds.split() for ratio in ratios.split()]


P_R_F = "precision recall F1"
MULAN_SET = ["samples accuracy (Jaccard)", *named("samples macro micro", f"{P_R_F} F2")]
MLDR_SET = ["samples accuracy (Jaccard)", *named("samples macro micro", P_R_F)]
PLAIN_SET = {
    **{("MULAN", name): averaged(name, mulan) for name in MULAN_SET},
    **{("mldr", name): averaged(name, mulan) for name in MLDR_SET},
    **{
        (f"mldr, undefined_value={said}", name): averaged(name, constant(nothing))
        for said, nothing in (("0", 0.0), ("1", 1.0))
        for name in named("samples macro micro", "precision recall")
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
        for name in ("samples accuracy (Jaccard)", *named("samples", P_R_F))
    },
    **{
        ("Spark MLlib", name): averaged(name, constant(nan))
        for name in named("micro", P_R_F)
    },
    ("Spark MLlib", "Hamming loss"): spark_hamming,
    ("Spark MLlib", "subset accuracy"): exact_of,
    ("MEKA", "samples accuracy (Jaccard)"): averaged("samples Jaccard", constant(1.0)),
    **{("MEKA", name): averaged(name, constant(0.0)) for name in ("samples F1", "macro F1")},
    **{
        ("xCOLUMNs", name): averaged(name, xcolumns)
        for name in ("samples accuracy (Jaccard)", *named("samples macro micro", f"{P_R_F} F2"))
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
        for truth, other in worlds.pairs(*shape, False):
            assert same(number(*at, truth, other), PLAIN_SET[at](truth, other)), (truth, other)


@pytest.mark.no_cover
def test_macro_f1_of_napkinxc_ends_at_the_last_label_seen():
    """Truth 100 and 010, prediction 100 and 100: F1 2/3 and 0, and no third label."""
    at = ("napkinXC", "macro F1")
    y_true, y_pred = [[1, 0, 0], [0, 1, 0]], [[1, 0, 0], [1, 0, 0]]
    assert number(*at, y_true, y_pred) == pytest.approx(1 / 3)
    assert not expressible(*at, y_true, y_pred)  # ours is 2/9
    for truth, other in worlds.pairs(3, 2, False):
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


def both(rule):
    """LAMDA: a sample all of whose labels are relevant, or none, is left out."""
    return lambda relevant, rest, scores: (
        rule(relevant, scores, rest) if relevant and rest else None
    )


def lamda_coverage(relevant, rest, scores):
    """Ascending order; the lowest relevant place, counted from the end, less 1; none is above all."""
    ascending = sorted(range(len(scores)), key=lambda j: scores[j])
    lowest = min((ascending.index(j) + 1 for j in relevant), default=len(scores) + 1)
    return len(scores) - lowest + 1 - 1


def lamda_average_precision(relevant, scores, rest):
    ascending = sorted(range(len(scores)), key=lambda j: scores[j])
    from_the_end = [len(scores) - ascending.index(j) for j in relevant]
    return mean([sum(at <= mine for at in from_the_end) / mine for mine in from_the_end])


LAMDA = {
    "coverage": lamda_coverage,
    "one-error": both(lambda relevant, scores, _: max(scores) not in [scores[j] for j in relevant]),
    "ranking loss": both(
        lambda relevant, scores, rest: mean(
            [scores[j] <= scores[k] for j in relevant for k in rest]
        )
    ),
    "average precision": both(lamda_average_precision),
}


def r_ranks(scores, ties_method):
    """rank(-scores, ties.method) of R."""
    ranks = []
    for j, s in enumerate(scores):
        above = sum(other > s for other in scores)
        tied = [k for k, other in enumerate(scores) if other == s]
        n, at = len(tied), tied.index(j)
        of_the_tie = {"min": 1, "max": n, "average": (1 + n) / 2, "first": 1 + at, "last": n - at}
        ranks.append(above + of_the_tie[ties_method])
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
    **{("LAMDA MATLAB", name): each_row(rule) for name, rule in LAMDA.items()},
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
}


@pytest.mark.no_cover
@pytest.mark.parametrize("at", PLAIN_RANKS, ids=" | ".join)
def test_ranks_of_a_tool_on_every_small_world(at):
    for shape in ((1, 3), (2, 2)):
        for truth, scores in worlds.pairs(*shape, True):
            assert same(number(*at, truth, scores), PLAIN_RANKS[at](truth, scores)), (truth, scores)


# ---------------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("tool", "metric", "expected"),
    [
        ("MULAN", example_based.f1, {"zero_division": "agree"}),
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
        (lambda: options("keras, loud", label_based.f1),
         "keras has no setting 'loud': choose 'no threshold'"),
        (lambda: options("MULAN, loud", label_based.f1),
         "MULAN has no setting 'loud': choose 'MacroAUCPR'"),
        (lambda: options("MEKA, loud", label_based.f1),
         "MEKA has no setting 'loud': choose its default alone"),
        (lambda: options("ignite", ranking.one_error),
         "ignite has no one-error: ask for 'scikit-learn', 'MULAN', 'MEKA', 'LAMDA MATLAB', 'mldr', 'utiml',"
         " 'napkinXC', 'pyxclib', which have it"),
        (lambda: options("MULAN", functools.partial(label_based.fbeta, average="weighted")),
         "MULAN has no weighted Fβ: ask for 'scikit-learn', 'torchmetrics', 'keras',"
         " which have it"),
        (lambda: options("MULAN", functools.partial(label_based.f1, average="samples")),
         "average is 'samples': choose one of 'macro', 'micro', 'weighted', None"),
        (lambda: number("MULAN", "F1 of macro precision and macro recall", PERFECT, PERFECT),
         "MULAN has no F1 of macro precision and macro recall: ask for 'ML-GCN', which have it"),
        (lambda: options("ASL", "CF1"),
         "ASL has no F1 of macro precision and macro recall: ask for 'ML-GCN', which have it"),
        (lambda: number("MULAN", "F1", PERFECT, PERFECT), "name is 'F1': choose one of {names}"),
        (lambda: number("MULAN", "samples Fβ", PERFECT, PERFECT), "name is 'samples Fβ': {any}"),
        (lambda: expressible("Mulan", F1, PERFECT, PERFECT), "tool is 'Mulan': {any}"),
        (lambda: compare("F1", "both_empty"), "name is 'F1': choose one of {names}"),
        (lambda: compare("F1 of samples precision and samples recall", "both_empty"),
         "name is 'F1 of samples precision and samples recall': no tool here has it"),
        (lambda: compare(F1, "some_case"),
         "case is 'some_case': choose one of 'both_empty', 'truth_empty', {any}"),
        (lambda: compare(["x"], "both_empty"), "name is ['x']: choose one of {names}"),
        (lambda: compare(F1, ["x"]), "case is ['x']: choose one of 'both_empty', {any}"),
    ],
)  # fmt: skip
def test_what_does_not_exist_gets_one_sentence(call, sentence):
    with pytest.raises(ValueError) as error:
        call()
    start, _, _ = sentence.partition("{any}")
    text = str(error.value)
    assert text.startswith(start.format(tools=all_tools(), names=", ".join(map(repr, QUANTITIES))))
    assert "{any}" in sentence or text == sentence.format(
        tools=all_tools(), names=", ".join(map(repr, QUANTITIES))
    )
    assert "\n" not in text


def test_a_function_that_is_no_metric_is_refused():
    with pytest.raises(ValueError, match="metric is print"):
        options("MULAN", print)


@pytest.mark.parametrize("tool", ["MULAN", "MEKA", "torchmetrics"])
def test_ties_of_twenty_labels_are_credited_to_whom_has_a_rule_for_them(tool):
    """MULAN's sort is made stable, the last label first; the others' is not."""
    y_true, y_score = [[1] * 3 + [0] * 17], [[0.5] * 20]
    lost = ranking.ranking_loss(y_true, y_score, ties="last")
    matches = found_by(identify(lost, y_true, None, y_score).matches, "ranking loss")
    assert any(tool in match.tools for match in matches) == (tool == "MULAN")


def test_names_of_an_average_are_its_own():
    """Documents that tell averages apart name macro first, then micro."""
    f1 = {
        a: names(functools.partial(label_based.f1, average=a))
        for a in ("macro", "micro", "weighted")
    }
    assert (f1["macro"]["macro_micro"], f1["micro"]["macro_micro"]) == ("macro-F1", "micro-F1")
    assert "macro_micro" not in f1["weighted"]
    assert f1["micro"]["MULAN"] == "Micro-averaged F-Measure"
    assert "Spark MLlib" not in f1["macro"]
    f2 = names(functools.partial(example_based.fbeta, beta=2))
    assert f2["MULAN"] == "Example-Based F Measure (with beta)"
    assert list(names(exact_match.subset_accuracy).values())[-1] == "Subset Accuracy"


def test_what_is_recorded_is_ones_own():
    recorded()[0].y_true[0][0] = 7
    recorded()[0].numbers["samples F1"]["MULAN"] = 7
    assert recorded()[0].y_true == [[0, 0, 0]]
    assert recorded()[0].numbers["samples F1"]["MULAN"] == 1.0


def test_sparse_matrices_stay_sparse():
    """Dense, these are 50 million cells."""
    ones = np.arange(10_000)
    truth = sparse.csr_array((np.ones(10_000, bool), (ones, ones % 5000)), shape=(10_000, 5000))
    prediction = sparse.csr_array(
        (np.ones(5000, bool), (ones[:5000], ones[:5000])), shape=truth.shape
    )
    tracemalloc.start()
    try:
        found = identify(0.5, truth, prediction)
        text = report([label_based.f1], truth, prediction)
        assert tracemalloc.get_traced_memory()[1] < 10 * 2**20
    finally:
        tracemalloc.stop()
    assert "scikit-learn" in found_by(found.matches, "subset accuracy")[0].tools
    assert "macro F1 = 0.666667:" in text  # of each label one of two samples


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


# ---------------------------------------------------------------------------- side by side


def rows_of(board):
    (table,) = board.steps
    return {row[0]: row[1:] for row in table.rows}


def shown(value):
    return value if isinstance(value, str) else f"{value:.6f}".rstrip("0").rstrip(".")


@pytest.mark.parametrize("metric", QUANTITIES)
def test_rows_are_the_tools_that_have_the_metric_and_numbers_are_the_recorded(metric):
    general = QUANTITIES[metric].general
    having = [name for name, tool in TOOLS.items() if general in tool.metrics]
    if not having:
        assert metric == "F1 of samples precision and samples recall"
        return
    k = QUANTITIES[metric].bound.get("k", 1)
    for case in (case for case in recorded()[::7] if len(case.y_true[0]) >= k):
        rows = rows_of(compare(metric, case.name))
        assert list(rows) == having
        for tool, (theirs, call, _, ours) in rows.items():
            assert call == TOOLS[tool].metrics[general].call
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
        (with_options(example_based.f1, zero_division=nan),
         f"samples F1 = 0.75: {A_MEAN}; 0/0 is left out (1 of 3 samples)."),
        (with_options(example_based.f1, zero_division=1.0),
         f"samples F1 = 0.833333: {A_MEAN}; 0/0 counts 1 (1 of 3 samples)."),
        (with_options(example_based.fbeta, beta=2, zero_division="agree"),
         f"samples F2 = 0.833333: {A_MEAN}; 0/0 counts 1 where truth and prediction are both"
         " empty, else 0 (1 of 3 samples)."),
        (
            with_options(example_based.f1, sample_weight=[3, 1, 0]),  # (3/2 + 1) / 4
            f"samples F1 = 0.625: {A_MEAN}; 0/0 counts 0 (1 of 3 samples); samples are weighted.",
        ),
        # precision of the labels: 1/1, 1/2 and 0/0
        (label_based.precision, "macro precision = 0.5: a value per label, then their mean;"
         " 0/0 counts 0 (1 of 3 labels)."),
        (with_options(label_based.recall, average="micro"),
         "micro recall = 0.666667: one ratio over all cells; 0/0 counts 0 (it is not)."),
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
        (ranking.coverage,
         f"coverage = 1.333333: {A_MEAN}; a sample without a value counts 0 (1 of 3 samples);"
         " the top label has rank 1; tied labels share their largest rank."),
        (
            with_options(ranking.coverage, start=0, ties="best", undefined=nan),  # 1 and 0
            f"coverage = 0.5: {A_MEAN}; a sample without a value is left out (1 of 3 samples);"
            " the top label has rank 0; tied labels share their smallest rank.",
        ),
        (with_options(ranking.one_error, undefined=0.25, ties="first"),
         f"one-error = 0.083333: {A_MEAN}; a sample without a value counts 0.25"
         " (1 of 3 samples); of tied labels the lowest index ranks first."),
        (
            with_options(ranking.ranking_loss, ties="average"),  # half a pair of two, 0 and 0
            f"ranking loss = 0.083333: {A_MEAN}; a sample without a value counts 0"
            " (1 of 3 samples); tied labels share their mean rank.",
        ),
        # of the columns: first, and the one with two tied above it; none undefined, as each is true once
        (with_options(curves.average_precision, ties="first", interpolation=11),
         "macro AP = 1: a value per label, then their mean; a label without a value counts 0"
         " (0 of 3 labels); of tied samples the lowest index ranks first; precision is the best at this"
         " recall or beyond, read at 11 recalls."),
        (with_options(curves.average_precision, average="micro", interpolation="all"),
         "micro AP = 0.916667: one ratio over all cells; a label without a value counts 0 (it is not);"
         " tied cells share their largest rank; precision is the best at this recall or beyond, read at"
         " every recall."),
        (with_options(ranking.average_precision, ties="last"),
         f"average precision = 1: {A_MEAN}; a sample without a value counts 1"
         " (1 of 3 samples); of tied labels the highest index ranks first."),
    ],
)  # fmt: skip
def test_report(metric, sentence):
    assert report([metric], Y_TRUE, Y_PRED, Y_SCORE) == f"{DATA} {sentence}"


@pytest.mark.parametrize(
    ("metric", "data", "said"),
    [
        # Only the first sample counts, which has no label: 0/0.
        (with_options(label_based.recall, average="micro", sample_weight=[1, 0]),
         ([[0, 0], [1, 0]], [[0, 0], [1, 0]]), "micro recall = 0: one ratio over all cells; 0/0 counts 0 (it is)"),
        # Only the first sample counts, in which label 1 is neither true nor predicted.
        (with_options(label_based.f1, sample_weight=[1, 0]),
         ([[1, 0], [0, 1]], [[1, 0], [0, 1]]), "macro F1 = 0.5: a value per label, then their mean; 0/0 counts 0 (1 of 2 labels)"),
    ],
)  # fmt: skip
def test_report_counts_with_the_weights(metric, data, said):
    assert f"{said}; samples are weighted." in report([metric], *data)


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
        (with_options(label_based.f1, average=None), (Y_PRED,),
         "label_based.f1 gives one value per label or sample here: bind what gives one number"),
        (with_options(ranking.coverage, per_sample=True), (None, Y_SCORE),
         "ranking.coverage gives one value per label or sample here: bind what gives one number"),
        (example_based.f1, ([[1, 2, 0]] * 3,), "y_pred holds 2 at row 0, column 1"),
        (example_based.fbeta, (Y_PRED,), "beta is missing: example_based.fbeta needs it"),
    ],
)  # fmt: skip
def test_report_refuses(metric, data, sentence):
    with pytest.raises((TypeError, ValueError)) as error:
        report([metric], Y_TRUE, *data)
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize("metrics", [example_based.f1, None, "f1", 3])
def test_report_wants_a_list(metrics):
    with pytest.raises(TypeError, match=r"^metrics is of type .*: give a list of metrics, such as"):
        report(metrics, Y_TRUE, Y_PRED)


def found_by(matches, metric):
    return [match for match in matches if match.metric == metric]


# ---------------------------------------------------------------------------- a metric that nobody knows yet


@pytest.fixture
def newcomers():
    sklearn = {
        "specificity": "hamming_loss(y_true, y_pred)",
        "AP of a label": "average_precision_score(y_true, y_score, average=average)",
    }
    new = tuple(replace(r, sklearn=sklearn.get(r.name, "")) for r in throwaway.RECORDS)
    with catalogue.added(*new):
        yield


@pytest.mark.usefixtures("newcomers")
def test_a_new_metric_of_counts_is_known():
    """Truth 10, prediction 11: its one negative is a false alarm. Truth 11: 0/0."""
    y_true, y_pred = [[1, 0], [1, 1]], [[1, 1], [1, 1]]
    matches = found_by(identify(0.0, y_true, y_pred).matches, "samples specificity")
    by_default = next(m for m in matches if m.options["zero_division"] == 0.0)
    assert by_default.tools == ("scikit-learn",)
    assert report([throwaway.specificity], y_true, y_pred).endswith(
        f"samples specificity = 0: {A_MEAN}; 0/0 counts 0 (1 of 2 samples)."
    )
    (row,) = compare("samples specificity", "perfect+both_empty").steps[0].rows
    assert row == ("scikit-learn", "1", "hamming_loss", "zero_division=0.0", "1")
    assert options("scikit-learn", throwaway.specificity) == {"zero_division": 0.0}


@pytest.mark.usefixtures("newcomers")
def test_a_new_metric_of_ranks_with_a_required_option_is_known():
    """Of two samples one has a relevant label among the first two; one label has no first two."""
    y_true, y_score = [[0, 1, 0], [0, 0, 1]], [[0.9, 0.8, 0.1]] * 2
    matches = identify(0.5, y_true, None, y_score).matches
    assert {m.metric for m in matches if "hit" in m.metric} == {"hit rate at 2"}
    matches = identify(1.0, [[1]], None, [[0.5]]).matches
    assert {m.metric for m in matches if "hit" in m.metric} == {"hit rate at 1"}
    assert "k other than 1, 2, 3, 5, depth other than 1, 2" in str(
        identify(0.123, y_true, None, y_score)
    )
    text = report([functools.partial(throwaway.hit_rate, depth=2)], y_true, None, y_score)
    assert text.endswith(f"hit rate at 2 = 0.5: {A_MEAN}; tied labels share their largest rank.")
    with pytest.raises(TypeError, match=r"^depth is missing: .* needs it, for example depth=1$"):
        report([throwaway.hit_rate], y_true, None, y_score)
    with pytest.raises(ValueError, match="no tool here has it"):
        compare("hit rate at 2", "rank_plain")


@pytest.mark.usefixtures("newcomers")
def test_a_new_metric_of_labels_that_reads_scores_is_known():
    """Label 0 comes first in its column; label 1 is never true; label 2 comes second: 1, 0/0, 1/2."""
    data = [[1, 0, 0], [0, 0, 1]], None, [[0.9, 0.8, 0.7], [0.1, 0.2, 0.3]]
    (match,) = found_by(identify(5 / 6, *data).matches, "macro AP of a label")
    assert (dict(match.options), match.tools) == ({"undefined": 1.0}, ())
    (match,) = found_by(identify(0.5, *data).matches, "macro AP of a label")
    assert match.tools == ("scikit-learn",)
    assert found_by(identify(1.0, *data).matches, "AP of a label of column 0 alone")
    assert report([throwaway.label_ap], *data).endswith(
        "macro AP of a label = 0.5: a value per label, then their mean;"
        " a label without a value counts 0 (1 of 3 labels)."
    )
    rows = rows_of(compare("micro AP of a label", "rank_plain"))
    assert rows["scikit-learn"][1] == "average_precision_score(average='micro')"
