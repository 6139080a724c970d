"""The five documents that the course recreates: their data, and every value they publish.

Facts and figures only: the documents' sentences and code are their authors'. Each is cited by its
title. Where a document errs, the value it prints carries a ``slip`` that says how.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

# Nested lists, since scikit-learn reads a tuple of three as the parts of a sparse matrix.
Matrix = list[list[int]]
Scores = list[list[float]]


@dataclass(frozen=True)
class Example:
    """Truth, and the prediction or the scores beside it."""

    y_true: Matrix
    y_pred: Matrix = field(default_factory=list)
    y_score: Scores = field(default_factory=list)


@dataclass(frozen=True)
class Published:
    """A value as a document prints it.

    Attributes
    ----------
    printed : str
        The number to its last printed digit, or the sum that is printed.
    value : Fraction
        The exact value that the document's own formula has on the document's own data.
    of : str
        What it is a value of, in words.
    metric : str
        The public function that computes it, ``module.function``; empty for a plain count.
    options : mapping
        That function's keyword arguments.
    label : int or None
        Which label's value is meant, where the function returns one per label.
    data : str
        Which of the document's examples it belongs to.
    slip : str
        What is wrong with the printed value; empty where nothing is.
    """

    printed: str
    value: Fraction
    of: str
    metric: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    label: int | None = None
    data: str = "main"
    slip: str = ""


@dataclass(frozen=True)
class Document:
    """One document: how to cite it, what it computes with, and what it prints.

    Attributes
    ----------
    labels, labels_original : tuple of str
        The labels' names in English and in the document's language.
    examples : mapping of str to Example
        The data; the first one is what the document computes with unless it says otherwise.
    epochs, curves : tuple of int, mapping of str to tuple of float
        The training curves, where the document draws some.
    printed_ranks : mapping of str to tuple of int
        The rank rows that it prints for its models.
    """

    id: str
    title: str
    language: str
    labels: tuple[str, ...] = ()
    labels_original: tuple[str, ...] = ()
    examples: Mapping[str, Example] = field(default_factory=dict)
    published: tuple[Published, ...] = ()
    epochs: tuple[int, ...] = ()
    curves: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    printed_ranks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def y_true(self) -> Matrix:
        """Truth of the first example."""
        return next(iter(self.examples.values())).y_true

    @property
    def y_pred(self) -> Matrix:
        """Prediction of the first example."""
        return next(iter(self.examples.values())).y_pred

    @property
    def scores(self) -> dict[str, list[float]]:
        """Scores of each model for the one text, where the document has models."""
        return {
            name: example.y_score[0]
            for name, example in self.examples.items()
            if name.startswith("model")
        }


def _numbered(word: str, n_labels: int) -> tuple[str, ...]:
    return tuple(f"{word} {i}" for i in range(1, n_labels + 1))


def _value(printed: str, value: str, of: str, metric: str = "", **more: Any) -> Published:
    return Published(printed, Fraction(value), of, metric, **more)


# ---------------------------------------------------------------------------- partial_credit

PARTIAL_CREDIT = Document(
    id="partial_credit",
    title="多標籤分類的評估指標筆記",
    language="zh-TW",
    labels=_numbered("label", 4),
    labels_original=_numbered("標籤", 4),
    examples={
        "main": Example(
            y_true=[[1, 0, 1, 1], [1, 1, 0, 0], [1, 0, 1, 0]],
            y_pred=[[1, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 0]],
        )
    },
    published=(
        _value("0.4444444444444444", "4/9", "accuracy", "example_based.accuracy"),
        _value("0.7222222222222222", "13/18", "precision", "example_based.precision"),
        _value("0.611111111111111", "11/18", "recall", "example_based.recall"),
        _value("0.6", "3/5", "F1", "example_based.f1", slip="printed under the name “recall”"),
    ),
)

# ---------------------------------------------------------------------------- sklearn_guide

SKLEARN_GUIDE = Document(
    id="sklearn_guide",
    title="sklearn中多标签分类场景下的常见的模型评估指标",
    language="zh-CN",
    labels=_numbered("label", 4),
    labels_original=_numbered("标签", 4),
    examples={
        "main": Example(
            y_true=[[0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1]],
            y_pred=[[0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]],
        ),
        "first sample": Example(y_true=[[0, 1, 0, 1]], y_pred=[[0, 1, 1, 0]]),
        "all ones": Example(y_true=[[0, 1], [1, 1]], y_pred=[[1, 1], [1, 1]]),
        "all zeros": Example(y_true=[[0, 1], [1, 1]], y_pred=[[0, 0], [0, 0]]),
        "partly right": Example(y_true=[[1, 0, 0, 1]], y_pred=[[1, 0, 1, 0]]),
    },
    published=(
        _value("0.33333333", "1/3", "exact match ratio", "exact_match.subset_accuracy"),
        _value("0.66666", "2/3", "zero-one loss", "exact_match.zero_one_loss"),
        _value("⅓(½+2/2+½)", "2/3", "precision, written out", "example_based.precision"),
        _value("0.666", "2/3", "precision", "example_based.precision"),
        _value("0.6666", "2/3", "precision, in code", "example_based.precision"),
        _value("⅓(½+2/2+⅓)", "11/18", "recall, written out", "example_based.recall"),
        _value("0.611", "11/18", "recall", "example_based.recall"),
        _value("0.6111", "11/18", "recall, in code", "example_based.recall"),
        _value("⅔(¼+½+⅕)", "19/30", "F1, written out", "example_based.f1"),
        _value("0.633", "19/30", "F1", "example_based.f1"),
        _value("0.6333", "19/30", "F1, in code", "example_based.f1"),
        _value("⅓(⅓+2/2+¼)", "19/36", "Hamming score, written out", "example_based.accuracy"),
        _value("0.5278", "19/36", "Hamming score", "example_based.accuracy"),
        _value("0.5277", "19/36", "Hamming score, in code", "example_based.accuracy"),
        _value("5/12", "5/12", "Hamming loss, written out", "hamming.hamming_loss"),
        _value("0.4166", "5/12", "Hamming loss", "hamming.hamming_loss"),
        _value("1/2", "1/2", "precision", "example_based.precision", data="first sample"),
        _value("1/3", "1/3", "accuracy", "example_based.accuracy", data="first sample"),
        _value("0.5", "1/2", "exact match", "exact_match.subset_accuracy", data="all ones"),
        _value("0.75", "3/4", "Hamming loss", "hamming.hamming_loss", data="all zeros"),
    ),
)

# ---------------------------------------------------------------------------- macro_micro

_REPORT = {  # precision, recall, F1 and support of each row: with 2 digits, with 6, and exactly
    "label 0": ("1.00 1.00 1.00 3", "1.000000 1.000000 1.000000 3", "1 1 1 3"),
    "label 1": ("1.00 1.00 1.00 2", "1.000000 1.000000 1.000000 2", "1 1 1 2"),
    "label 2": ("0.50 1.00 0.67 1", "0.500000 1.000000 0.666667 1", "1/2 1 2/3 1"),
    "label 3": ("1.00 1.00 1.00 1", "1.000000 1.000000 1.000000 1", "1 1 1 1"),
    "micro avg": ("0.88 1.00 0.93 7", "0.875000 1.000000 0.933333 7", "7/8 1 14/15 7"),
    "macro avg": ("0.88 1.00 0.92 7", "0.875000 1.000000 0.916667 7", "7/8 1 11/12 7"),
    "weighted avg": ("0.93 1.00 0.95 7", "0.928571 1.000000 0.952381 7", "13/14 1 20/21 7"),
    "samples avg": ("0.89 1.00 0.93 7", "0.888889 1.000000 0.933333 7", "8/9 1 14/15 7"),
}


def _report(version: int) -> Iterator[Published]:
    """The report as it is printed with 2 digits (0), or with 6 (1)."""
    for row, versions in _REPORT.items():
        word, which = row.split()
        average, label = (None, int(which)) if word == "label" else (word, None)
        columns = ("precision", "recall", "f1", "support")
        cells = zip(columns, versions[version].split(), versions[-1].split(), strict=True)
        for column, printed, value in cells:
            of = f"report, {row}, {column}"
            if column == "support":
                yield _value(printed, value, of)
            elif word == "samples":
                yield _value(printed, value, of, f"example_based.{column}")
            else:
                more = {"options": {"average": average}, "label": label}
                yield _value(printed, value, of, f"label_based.{column}", **more)


_THIRD: Any = {"options": {"average": None}, "label": 2}
_MICRO: Any = {"options": {"average": "micro"}}
_SWAPPED: Any = _MICRO | {"slip": "its table swaps FP and FN"}

MACRO_MICRO = Document(
    id="macro_micro",
    title="多ラベル分類の評価指標について",
    language="ja",
    labels=_numbered("label", 4),
    labels_original=_numbered("ラベル", 4),
    examples={
        "main": Example(
            y_true=[[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]],
            y_pred=[[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]],
        )
    },
    published=(
        _value("1/2", "1/2", "precision of the third label", "label_based.precision", **_THIRD),
        _value("1", "1", "recall of the third label", "label_based.recall", **_THIRD),
        _value("2/3", "2/3", "F1 of the third label", "label_based.f1", **_THIRD),
        _value("(1+1+1+2/3)/4", "11/12", "macro-F1, written out", "label_based.f1"),
        _value("11/12", "11/12", "macro-F1", "label_based.f1"),
        _value("0.916666", "11/12", "macro-F1", "label_based.f1"),
        _value("1.0", "1", "macro recall, in code", "label_based.recall"),
        _value(
            "0.875", "7/8", "macro precision, in code", "label_based.precision",
            slip="labelled “mean of recall”",
        ),
        _value("0.9166666666666666", "11/12", "macro-F1, in code", "label_based.f1"),
        _value("7", "7", "true positives of all labels"),
        _value("1", "1", "false positives of all labels"),
        _value("0", "0", "false negatives of all labels"),
        _value("4", "4", "true negatives of all labels"),
        _value("1", "7/8", "micro precision, by hand", "label_based.precision", **_SWAPPED),
        _value("7/8", "1", "micro recall, by hand", "label_based.recall", **_SWAPPED),
        _value("0.93333", "14/15", "micro-F1, by hand", "label_based.f1", **_MICRO),
        _value("1.0", "1", "micro recall, in code", "label_based.recall", **_MICRO),
        _value(
            "0.875", "7/8", "micro precision, in code", "label_based.precision",
            **_MICRO, slip="labelled “mean of recall”",
        ),
        _value(
            "0.9333333333333333", "14/15", "micro-F1, in code", "label_based.f1",
            **_MICRO, slip="labelled “macro-F1”",
        ),
        *_report(0),
        *_report(1),
    ),
)  # fmt: skip

# ---------------------------------------------------------------------------- formulas

_CURVES = {
    "w/o ATM, w/o APP": ("0.52", "0.54", "0.56", "0.58", "0.60", "0.61", "0.62", "0.63"),
    "w/ ATM, w/o APP": ("0.53", "0.55", "0.57", "0.59", "0.61", "0.62", "0.63", "0.64"),
    "w/o ATM, w/ APP": ("0.54", "0.56", "0.58", "0.59", "0.61", "0.64", "0.63", "0.65"),
    "w/ ATM, w/ APP": ("0.55", "0.57", "0.58", "0.56", "0.62", "0.63", "0.64", "0.66"),
}

FORMULAS = Document(
    id="formulas",
    title="untitled note, zh-CN",
    language="zh-CN",
    epochs=tuple(range(1, 9)),
    curves={name: tuple(map(float, values)) for name, values in _CURVES.items()},
    published=tuple(
        Published(printed, Fraction(printed), f"micro-F1, {name}, epoch {epoch}")
        for name, values in _CURVES.items()
        for epoch, printed in enumerate(values, start=1)
    ),
)

# ---------------------------------------------------------------------------- ranking

_TRUE, _ABOVE_THRESHOLD = [[1, 0, 1, 0, 0]], [[0, 1, 1, 0, 0]]
_RANKED = {
    "model one": (
        ("2/5", "2/5", "Hamming loss", "hamming.hamming_loss"),
        ("0.4", "2/5", "Hamming loss", "hamming.hamming_loss"),
        ("3", "3", "coverage", "ranking.coverage"),
        ("0", "0", "one-error", "ranking.one_error"),
        ("1/6", "1/6", "ranking loss", "ranking.ranking_loss"),
        ("0.1667", "1/6", "ranking loss", "ranking.ranking_loss"),
        ("½(2/3+1)", "5/6", "average precision, written out", "ranking.average_precision"),
        ("0.8333", "5/6", "average precision", "ranking.average_precision"),
    ),
    "model two": (
        ("2/5", "2/5", "Hamming loss", "hamming.hamming_loss"),
        ("0.4", "2/5", "Hamming loss", "hamming.hamming_loss"),
        ("4", "4", "coverage", "ranking.coverage"),
        ("0", "0", "one-error", "ranking.one_error"),
        ("2/6", "1/3", "ranking loss", "ranking.ranking_loss"),
        ("0.3333", "1/3", "ranking loss", "ranking.ranking_loss"),
        ("½(2/4+1)", "3/4", "average precision, written out", "ranking.average_precision"),
        ("0.75", "3/4", "average precision", "ranking.average_precision"),
    ),
}

RANKING = Document(
    id="ranking",
    title="多标签分类评价指标介绍（一）",
    language="zh-CN",
    labels=("sport", "geography", "entertainment", "military", "technology"),
    labels_original=("体育", "地理", "娱乐", "军事", "科技"),
    examples={
        "model one": Example(_TRUE, _ABOVE_THRESHOLD, [[0.3, 0.4, 0.5, 0.1, 0.15]]),
        "model two": Example(_TRUE, _ABOVE_THRESHOLD, [[0.3, 0.4, 0.6, 0.1, 0.35]]),
        "sentiment": Example([[1, 0]], [[1, 0]], [[0.6, 0.4]]),
    },
    printed_ranks={"model one": (3, 2, 1, 4, 5), "model two": (4, 2, 1, 5, 3)},
    published=tuple(_value(*row, data=model) for model, rows in _RANKED.items() for row in rows),
)

DOCUMENTS = (PARTIAL_CREDIT, SKLEARN_GUIDE, MACRO_MICRO, FORMULAS, RANKING)
