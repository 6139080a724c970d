"""Every published value, twice: through its metric, and from its formula in plain fractions."""

from __future__ import annotations

import math
import re
import unicodedata
from fractions import Fraction as F
from importlib import import_module

import pytest

from mlm_helpers.course import documents
from mlm_helpers.course.documents import DOCUMENTS

BY_ID = {document.id: document for document in DOCUMENTS}
PUBLISHED = [(document, value) for document in DOCUMENTS for value in document.published]


def name_of(case):
    document, value = case
    return f"{document.id}, {value.data}, {value.of}: {value.printed}"


each_published = pytest.mark.parametrize("case", PUBLISHED, ids=map(name_of, PUBLISHED))

# ---------------------------------------------------------------------------- the formulas, in plain Python


def mean(values):
    return sum(values, F(0)) / len(values)


def ratio(name, true, predicted):
    """Of two sets; every document's data spare us 0/0."""
    shared = len(true & predicted)
    return {
        "accuracy": lambda: F(shared, len(true | predicted)),
        "precision": lambda: F(shared, len(predicted)),
        "recall": lambda: F(shared, len(true)),
        "f1": lambda: F(2 * shared, len(true) + len(predicted)),
        "subset_accuracy": lambda: F(true == predicted),
        "zero_one_loss": lambda: F(true != predicted),
    }[name]()


def sets(rows):
    return [{j for j, cell in enumerate(row) if cell} for row in rows]


def by_label(name, example, average, label):
    true, predicted = sets(zip(*example.y_true)), sets(zip(*example.y_pred))  # noqa: B905
    each = [ratio(name, t, p) for t, p in zip(true, predicted, strict=True)]
    if label is not None:
        return each[label]
    if average == "micro":
        cells = [{(i, j) for i, one in enumerate(s) for j in one} for s in (true, predicted)]
        return ratio(name, *cells)
    weights = [len(t) for t in true] if average == "weighted" else [1] * len(each)
    return sum(v * w for v, w in zip(each, weights, strict=True)) / F(sum(weights))


def by_rank(name, example):
    (relevant,) = sets(example.y_true)
    (score,) = example.y_score
    rank = {j: 1 + sum(other > s for other in score) for j, s in enumerate(score)}
    others = set(rank) - relevant
    return {
        "coverage": F(max(rank[j] for j in relevant)),
        "one_error": F(min(rank, key=rank.get) not in relevant),
        "ranking_loss": F(
            sum(rank[j] > rank[k] for j in relevant for k in others), len(relevant) * len(others)
        ),
        "average_precision": mean(
            [F(sum(rank[k] <= rank[j] for k in relevant), rank[j]) for j in relevant]
        ),
    }[name]


def by_formula(value, example):
    module, _, name = value.metric.partition(".")
    if module == "label_based":
        return by_label(name, example, value.options.get("average", "macro"), value.label)
    if module == "ranking":
        return by_rank(name, example)
    true, predicted = sets(example.y_true), sets(example.y_pred)
    if module == "hamming":
        n_labels = len(example.y_true[0])
        return mean([F(len(t ^ p), n_labels) for t, p in zip(true, predicted, strict=True)])
    return mean([ratio(name, t, p) for t, p in zip(true, predicted, strict=True)])


def example_of(document, value):
    return document.examples[value.data]


@each_published
def test_value_by_its_metric_and_by_its_formula(case):
    document, value = case
    if not value.metric:
        return
    example = example_of(document, value)
    assert by_formula(value, example) == value.value
    module, _, name = value.metric.partition(".")
    other = example.y_score if module == "ranking" else example.y_pred
    result = getattr(import_module(f"mlm_helpers.{module}"), name)(
        example.y_true, other, **value.options
    )
    result = result if value.label is None else result[value.label]
    assert result == pytest.approx(float(value.value), rel=1e-15)


@pytest.mark.parametrize(
    "of, count",
    [
        ("true positives of all labels", lambda t, p: t and p),
        ("false positives of all labels", lambda t, p: p and not t),
        ("false negatives of all labels", lambda t, p: t and not p),
        ("true negatives of all labels", lambda t, p: not t and not p),
    ],
)
def test_plain_counts(of, count):
    document = BY_ID["macro_micro"]
    (value,) = (v.value for v in document.published if v.of == of)
    pairs = [
        cell
        for rows in zip(document.y_true, document.y_pred, strict=True)
        for cell in zip(*rows, strict=True)
    ]
    assert value == sum(bool(count(t, p)) for t, p in pairs)


def test_what_has_no_metric_is_a_count_a_support_or_a_point_of_a_curve():
    supports = {f"label {j}": n for j, n in enumerate((3, 2, 1, 1))}
    for document, value in PUBLISHED:
        if value.metric:
            continue
        if value.of.endswith("support"):
            row = value.of.split(", ")[1]
            assert (value.value, value.printed) == (supports.get(row, 7), str(supports.get(row, 7)))
        elif document.id == "formulas":
            _, name, epoch = re.fullmatch("(micro-F1), (.*), epoch ([1-8])", value.of).groups()
            assert float(value.value) == document.curves[name][int(epoch) - 1]
        else:
            assert value.of.endswith("tives of all labels")


# ---------------------------------------------------------------------------- what is printed


def evaluated(printed):
    """The exact value of a number or a sum as it is printed, such as ⅓(½+2/2+½)."""

    def number(match):
        text = match.group()
        exact = F(text) if text.isascii() else F(unicodedata.numeric(text)).limit_denominator(100)
        return f"F('{exact}')"

    code = re.sub(r"[¼-¾⅐-⅞]|\d+(?:\.\d+)?", number, printed)
    return eval(code.replace(")(", ")*("), {"F": F})


def test_evaluated():
    assert evaluated("⅓(½+2/2+¼)") == F(7, 12)
    assert evaluated("0.125") == F(1, 8)


def printed_ways(value, printed):
    """The value rounded and truncated at the digits that are printed."""
    digits = len(printed.partition(".")[2])
    scaled = value * 10**digits
    return {F(round(scaled), 10**digits), F(math.floor(scaled), 10**digits)}


@each_published
def test_printed_is_the_value_at_its_digits(case):
    _, value = case
    if value.slip == "its table swaps FP and FN":
        assert evaluated(value.printed) != value.value
    elif "." in value.printed:
        assert F(value.printed) in printed_ways(value.value, value.printed)
    else:
        assert evaluated(value.printed) == value.value


def test_the_swapped_table_prints_precision_as_recall_and_recall_as_precision():
    swapped = {
        value.metric: value
        for value in BY_ID["macro_micro"].published
        if value.slip == "its table swaps FP and FN"
    }
    precision, recall = swapped["label_based.precision"], swapped["label_based.recall"]
    assert len(swapped) == 2
    assert evaluated(precision.printed) == recall.value == 1
    assert evaluated(recall.printed) == precision.value == F(7, 8)


# ---------------------------------------------------------------------------- all that READING.md lists

REPORT_SHORT = """1.00 1.00 1.00 3  1.00 1.00 1.00 2  0.50 1.00 0.67 1  1.00 1.00 1.00 1
    0.88 1.00 0.93 7  0.88 1.00 0.92 7  0.93 1.00 0.95 7  0.89 1.00 0.93 7"""
REPORT = """1.000000 1.000000 1.000000 3  1.000000 1.000000 1.000000 2  0.500000 1.000000 0.666667 1
    1.000000 1.000000 1.000000 1  0.875000 1.000000 0.933333 7  0.875000 1.000000 0.916667 7
    0.928571 1.000000 0.952381 7  0.888889 1.000000 0.933333 7"""
CURVES = {
    "w/o ATM, w/o APP": [0.52, 0.54, 0.56, 0.58, 0.60, 0.61, 0.62, 0.63],
    "w/ ATM, w/o APP": [0.53, 0.55, 0.57, 0.59, 0.61, 0.62, 0.63, 0.64],
    "w/o ATM, w/ APP": [0.54, 0.56, 0.58, 0.59, 0.61, 0.64, 0.63, 0.65],
    "w/ ATM, w/ APP": [0.55, 0.57, 0.58, 0.56, 0.62, 0.63, 0.64, 0.66],
}
READING = {  # document and example: what is printed, and its exact value where READING.md has it
    ("partial_credit", "main"): {
        "accuracy": ("0.4444444444444444", F(4, 9)),
        "precision": ("0.7222222222222222", F(13, 18)),
        "recall": ("0.611111111111111", F(11, 18)),
        "F1": ("0.6", F(3, 5)),
    },
    ("sklearn_guide", "main"): {
        "exact match ratio": ("0.33333333", F(1, 3)),
        "zero-one loss": ("0.66666", F(2, 3)),
        "precision, written out": ("⅓(½+2/2+½)", F(2, 3)),
        "precision": ("0.666", F(2, 3)),
        "precision, in code": ("0.6666", F(2, 3)),
        "recall, written out": ("⅓(½+2/2+⅓)", F(11, 18)),
        "recall": ("0.611", F(11, 18)),
        "recall, in code": ("0.6111", F(11, 18)),
        "F1, written out": ("⅔(¼+½+⅕)", F(19, 30)),
        "F1": ("0.633", F(19, 30)),
        "F1, in code": ("0.6333", F(19, 30)),
        "Hamming score, written out": ("⅓(⅓+2/2+¼)", F(19, 36)),
        "Hamming score": ("0.5278", F(19, 36)),
        "Hamming score, in code": ("0.5277", F(19, 36)),
        "Hamming loss": ("0.4166", F(5, 12)),
    },
    ("sklearn_guide", "first sample"): {
        "precision": ("1/2", F(1, 2)),
        "accuracy": ("1/3", F(1, 3)),
    },
    ("sklearn_guide", "all ones"): {"exact match": ("0.5", F(1, 2))},
    ("sklearn_guide", "all zeros"): {"Hamming loss": ("0.75", F(3, 4))},
    ("macro_micro", "main"): {
        "precision of the third label": ("1/2", F(1, 2)),
        "recall of the third label": ("1", F(1)),
        "F1 of the third label": ("2/3", F(2, 3)),
        "macro-F1, written out": ("(1+1+1+2/3)/4", F(11, 12)),
        "macro-F1": ("11/12", F(11, 12)),
        "macro recall, in code": ("1.0", F(1)),
        "macro precision, in code": ("0.875", F(7, 8)),
        "macro-F1, in code": ("0.9166666666666666", F(11, 12)),
        "true positives of all labels": ("7", F(7)),
        "false positives of all labels": ("1", F(1)),
        "false negatives of all labels": ("0", F(0)),
        "true negatives of all labels": ("4", F(4)),
        "micro precision, by hand": ("1", F(7, 8)),
        "micro recall, by hand": ("7/8", F(1)),
        "micro recall, in code": ("1.0", F(1)),
        "micro precision, in code": ("0.875", F(7, 8)),
        "micro-F1, in code": ("0.9333333333333333", F(14, 15)),
    },
    ("ranking", "model one"): {
        "Hamming loss": ("0.4", F(2, 5)),
        "coverage": ("3", F(3)),
        "one-error": ("0", F(0)),
        "ranking loss": ("0.1667", F(1, 6)),
        "average precision, written out": ("½(2/3+1)", F(5, 6)),
        "average precision": ("0.8333", F(5, 6)),
    },
    ("ranking", "model two"): {
        "Hamming loss": ("0.4", F(2, 5)),
        "coverage": ("4", F(4)),
        "one-error": ("0", F(0)),
        "ranking loss": ("0.3333", F(1, 3)),
        "average precision, written out": ("½(2/4+1)", F(3, 4)),
        "average precision": ("0.75", F(3, 4)),
    },
}


@pytest.mark.parametrize("key", READING, ids=map(", ".join, READING))
def test_every_number_of_the_reading_is_there(key):
    document, data = key
    published = {(v.of, v.printed, v.value) for v in BY_ID[document].published if v.data == data}
    assert {(of, *rest) for of, rest in READING[key].items()} <= published


@pytest.mark.parametrize(
    "document, data, printed",
    [
        ("sklearn_guide", "main", "5/12"),  # (2 + 0 + 3) / (3 · 4)
        ("ranking", "model one", "2/5"), ("ranking", "model two", "2/5"),
        ("ranking", "model one", "1/6"), ("ranking", "model two", "2/6"),
    ],
)  # fmt: skip
def test_fractions_beside_the_decimals(document, data, printed):
    values = [v for v in BY_ID[document].published if v.data == data and v.printed == printed]
    assert len(values) == 1


def test_the_classification_report():
    cells = [v.printed for v in BY_ID["macro_micro"].published if v.of.startswith("report")]
    assert cells == f"{REPORT_SHORT} {REPORT}".split()


def test_the_training_curves():
    formulas = BY_ID["formulas"]
    assert {name: list(values) for name, values in formulas.curves.items()} == CURVES
    assert list(formulas.epochs) == [1, 2, 3, 4, 5, 6, 7, 8]
    printed = [F(v.printed) for v in formulas.published]
    assert printed == [F(str(x)) for values in CURVES.values() for x in values]


# ---------------------------------------------------------------------------- data, titles and names

TITLES = {
    "partial_credit": ("多標籤分類的評估指標筆記", "zh-TW"),
    "sklearn_guide": ("sklearn中多标签分类场景下的常见的模型评估指标", "zh-CN"),
    "macro_micro": ("多ラベル分類の評価指標について", "ja"),
    "formulas": ("untitled note, zh-CN", "zh-CN"),
    "ranking": ("多标签分类评价指标介绍（一）", "zh-CN"),
}
DATA = {  # truth, prediction, scores
    ("partial_credit", "main"): (
        [[1, 0, 1, 1], [1, 1, 0, 0], [1, 0, 1, 0]], [[1, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 0]], [],
    ),
    ("sklearn_guide", "main"): (
        [[0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1]], [[0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]], [],
    ),
    ("sklearn_guide", "first sample"): ([[0, 1, 0, 1]], [[0, 1, 1, 0]], []),
    ("sklearn_guide", "all ones"): ([[0, 1], [1, 1]], [[1, 1], [1, 1]], []),
    ("sklearn_guide", "all zeros"): ([[0, 1], [1, 1]], [[0, 0], [0, 0]], []),
    ("sklearn_guide", "partly right"): ([[1, 0, 0, 1]], [[1, 0, 1, 0]], []),
    ("macro_micro", "main"): (
        [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]], [[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]], [],
    ),
    ("ranking", "model one"): ([[1, 0, 1, 0, 0]], [[0, 1, 1, 0, 0]], [[0.3, 0.4, 0.5, 0.1, 0.15]]),
    ("ranking", "model two"): ([[1, 0, 1, 0, 0]], [[0, 1, 1, 0, 0]], [[0.3, 0.4, 0.6, 0.1, 0.35]]),
}  # fmt: skip


def rows(matrix):
    return [list(row) for row in matrix]


def test_the_data():
    found = {
        (document.id, name): (rows(e.y_true), rows(e.y_pred), rows(e.y_score))
        for document in DOCUMENTS
        for name, e in document.examples.items()
    }
    # a two-label sentiment model beside it, whose probabilities sum to 1: negative .6, positive .4
    truth, prediction, score = found.pop(("ranking", "sentiment"))
    assert score == [[0.6, 0.4]]
    assert truth == prediction == [[1, 0]]
    assert found == DATA


def test_titles_and_languages():
    assert {d.id: (d.title, d.language) for d in DOCUMENTS} == TITLES


def test_label_names_in_both_languages():
    ranking = BY_ID["ranking"]
    assert list(ranking.labels) == ["sport", "geography", "entertainment", "military", "technology"]
    assert list(ranking.labels_original) == ["体育", "地理", "娱乐", "军事", "科技"]
    words = {"partial_credit": "標籤", "sklearn_guide": "标签", "macro_micro": "ラベル"}
    for name, word in words.items():
        assert list(BY_ID[name].labels) == [f"label {i}" for i in (1, 2, 3, 4)]
        assert list(BY_ID[name].labels_original) == [f"{word} {i}" for i in (1, 2, 3, 4)]
    for document in DOCUMENTS:
        assert len(document.labels) == len(document.labels_original)
        if document.examples:
            assert len(document.labels) == len(document.y_true[0])


def test_the_first_example_and_the_models():
    for document in DOCUMENTS:
        if document.examples:
            first = next(iter(document.examples.values()))
            assert (document.y_true, document.y_pred) == (first.y_true, first.y_pred)
    assert {name: list(row) for name, row in BY_ID["ranking"].scores.items()} == {
        "model one": [0.3, 0.4, 0.5, 0.1, 0.15],
        "model two": [0.3, 0.4, 0.6, 0.1, 0.35],
    }
    assert BY_ID["macro_micro"].scores == {}


def test_the_printed_ranks_and_their_slip():
    printed = {name: list(row) for name, row in BY_ID["ranking"].printed_ranks.items()}
    assert printed == {"model one": [3, 2, 1, 4, 5], "model two": [4, 2, 1, 5, 3]}
    for name, scores in BY_ID["ranking"].scores.items():
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        # model one's last two, .1 and .15, are ranked 5 and 4
        assert (ranks == printed[name]) == (name == "model two")


def test_thresholds_that_give_the_printed_predictions():
    for threshold in (0.351, 0.36, 0.4):
        for name, scores in BY_ID["ranking"].scores.items():
            (predicted,) = BY_ID["ranking"].examples[name].y_pred
            assert [int(score >= threshold) for score in scores] == list(predicted)


def test_slips_are_where_the_reading_says():
    slips = {(d.id, v.of): v.slip for d, v in PUBLISHED if v.slip}
    assert slips == {
        ("partial_credit", "F1"): "printed under the name “recall”",
        ("macro_micro", "macro precision, in code"): "labelled “mean of recall”",
        ("macro_micro", "micro precision, in code"): "labelled “mean of recall”",
        ("macro_micro", "micro-F1, in code"): "labelled “macro-F1”",
        ("macro_micro", "micro precision, by hand"): "its table swaps FP and FN",
        ("macro_micro", "micro recall, by hand"): "its table swaps FP and FN",
    }


def test_every_example_of_a_published_value_exists():
    assert tuple(BY_ID.values()) == documents.DOCUMENTS
    for document, value in PUBLISHED:
        assert not value.metric or value.data in document.examples
