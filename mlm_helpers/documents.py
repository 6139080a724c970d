"""The five documents that the course recreates: their data, and every value they publish.

Facts and figures only: the documents' sentences and code are their authors'. Each is cited by its
title. Where a document errs, the value it prints carries a ``slip`` that says how.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    id, title, language : str
    labels, labels_original : tuple of str
        The labels' names in English and in the document's language.
    examples : mapping of str to Example
        The data; the first one is what the document computes with unless it says otherwise.
    published : tuple of Published
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
        Published("0.4444444444444444", Fraction(4, 9), "accuracy", "example_based.accuracy"),
        Published("0.7222222222222222", Fraction(13, 18), "precision", "example_based.precision"),
        Published("0.611111111111111", Fraction(11, 18), "recall", "example_based.recall"),
        Published(
            "0.6", Fraction(3, 5), "F1", "example_based.f1", slip="printed under the name “recall”"
        ),
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
        Published("0.33333333", Fraction(1, 3), "exact match ratio", "exact_match.subset_accuracy"),
        Published("0.66666", Fraction(2, 3), "zero-one loss", "exact_match.zero_one_loss"),
        Published(
            "⅓(½+2/2+½)", Fraction(2, 3), "precision, written out", "example_based.precision"
        ),
        Published("0.666", Fraction(2, 3), "precision", "example_based.precision"),
        Published("0.6666", Fraction(2, 3), "precision, in code", "example_based.precision"),
        Published("⅓(½+2/2+⅓)", Fraction(11, 18), "recall, written out", "example_based.recall"),
        Published("0.611", Fraction(11, 18), "recall", "example_based.recall"),
        Published("0.6111", Fraction(11, 18), "recall, in code", "example_based.recall"),
        Published("⅔(¼+½+⅕)", Fraction(19, 30), "F1, written out", "example_based.f1"),
        Published("0.633", Fraction(19, 30), "F1", "example_based.f1"),
        Published("0.6333", Fraction(19, 30), "F1, in code", "example_based.f1"),
        Published(
            "⅓(⅓+2/2+¼)", Fraction(19, 36), "Hamming score, written out", "example_based.accuracy"
        ),
        Published("0.5278", Fraction(19, 36), "Hamming score", "example_based.accuracy"),
        Published("0.5277", Fraction(19, 36), "Hamming score, in code", "example_based.accuracy"),
        Published("5/12", Fraction(5, 12), "Hamming loss, written out", "hamming.hamming_loss"),
        Published("0.4166", Fraction(5, 12), "Hamming loss", "hamming.hamming_loss"),
        Published(
            "1/2", Fraction(1, 2), "precision", "example_based.precision", data="first sample"
        ),
        Published("1/3", Fraction(1, 3), "accuracy", "example_based.accuracy", data="first sample"),
        Published(
            "0.5", Fraction(1, 2), "exact match", "exact_match.subset_accuracy", data="all ones"
        ),
        Published("0.75", Fraction(3, 4), "Hamming loss", "hamming.hamming_loss", data="all zeros"),
    ),
)

# ---------------------------------------------------------------------------- macro_micro

_REPORT = {  # precision, recall, F1 and support of each row, with 6 digits; and the exact values
    "label 0": ("1.000000", "1.000000", "1.000000", "3"),
    "label 1": ("1.000000", "1.000000", "1.000000", "2"),
    "label 2": ("0.500000", "1.000000", "0.666667", "1"),
    "label 3": ("1.000000", "1.000000", "1.000000", "1"),
    "micro avg": ("0.875000", "1.000000", "0.933333", "7"),
    "macro avg": ("0.875000", "1.000000", "0.916667", "7"),
    "weighted avg": ("0.928571", "1.000000", "0.952381", "7"),
    "samples avg": ("0.888889", "1.000000", "0.933333", "7"),
}
_REPORT_SHORT = {  # the same report with its default of 2 digits
    "label 0": ("1.00", "1.00", "1.00", "3"),
    "label 1": ("1.00", "1.00", "1.00", "2"),
    "label 2": ("0.50", "1.00", "0.67", "1"),
    "label 3": ("1.00", "1.00", "1.00", "1"),
    "micro avg": ("0.88", "1.00", "0.93", "7"),
    "macro avg": ("0.88", "1.00", "0.92", "7"),
    "weighted avg": ("0.93", "1.00", "0.95", "7"),
    "samples avg": ("0.89", "1.00", "0.93", "7"),
}
_REPORT_EXACT = {
    "label 0": (Fraction(1), Fraction(1), Fraction(1), Fraction(3)),
    "label 1": (Fraction(1), Fraction(1), Fraction(1), Fraction(2)),
    "label 2": (Fraction(1, 2), Fraction(1), Fraction(2, 3), Fraction(1)),
    "label 3": (Fraction(1), Fraction(1), Fraction(1), Fraction(1)),
    "micro avg": (Fraction(7, 8), Fraction(1), Fraction(14, 15), Fraction(7)),
    "macro avg": (Fraction(7, 8), Fraction(1), Fraction(11, 12), Fraction(7)),
    "weighted avg": (Fraction(13, 14), Fraction(1), Fraction(20, 21), Fraction(7)),
    "samples avg": (Fraction(8, 9), Fraction(1), Fraction(14, 15), Fraction(7)),
}


def _report(report: Mapping[str, tuple[str, ...]]) -> list[Published]:
    published = []
    for row, cells in report.items():
        word, which = row.split()
        for column, printed, value in zip(
            ("precision", "recall", "f1", "support"), cells, _REPORT_EXACT[row], strict=True
        ):
            of = f"report, {row}, {column}"
            if column == "support":
                published.append(Published(printed, value, of))
            elif word == "samples":
                published.append(Published(printed, value, of, f"example_based.{column}"))
            else:
                average, label = (None, int(which)) if word == "label" else (word, None)
                options = {"average": average}
                metric = f"label_based.{column}"
                published.append(Published(printed, value, of, metric, options, label))
    return published


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
        Published(
            "1/2",
            Fraction(1, 2),
            "precision of the third label",
            "label_based.precision",
            {"average": None},
            2,
        ),
        Published(
            "1",
            Fraction(1),
            "recall of the third label",
            "label_based.recall",
            {"average": None},
            2,
        ),
        Published(
            "2/3", Fraction(2, 3), "F1 of the third label", "label_based.f1", {"average": None}, 2
        ),
        Published("(1+1+1+2/3)/4", Fraction(11, 12), "macro-F1, written out", "label_based.f1"),
        Published("11/12", Fraction(11, 12), "macro-F1", "label_based.f1"),
        Published("0.916666", Fraction(11, 12), "macro-F1", "label_based.f1"),
        Published("1.0", Fraction(1), "macro recall, in code", "label_based.recall"),
        Published(
            "0.875",
            Fraction(7, 8),
            "macro precision, in code",
            "label_based.precision",
            slip="labelled “mean of recall”",
        ),
        Published("0.9166666666666666", Fraction(11, 12), "macro-F1, in code", "label_based.f1"),
        Published("7", Fraction(7), "true positives of all labels"),
        Published("1", Fraction(1), "false positives of all labels"),
        Published("0", Fraction(0), "false negatives of all labels"),
        Published("4", Fraction(4), "true negatives of all labels"),
        Published(
            "1",
            Fraction(7, 8),
            "micro precision, by hand",
            "label_based.precision",
            {"average": "micro"},
            slip="its table swaps FP and FN",
        ),
        Published(
            "7/8",
            Fraction(1),
            "micro recall, by hand",
            "label_based.recall",
            {"average": "micro"},
            slip="its table swaps FP and FN",
        ),
        Published(
            "0.93333", Fraction(14, 15), "micro-F1, by hand", "label_based.f1", {"average": "micro"}
        ),
        Published(
            "1.0", Fraction(1), "micro recall, in code", "label_based.recall", {"average": "micro"}
        ),
        Published(
            "0.875",
            Fraction(7, 8),
            "micro precision, in code",
            "label_based.precision",
            {"average": "micro"},
            slip="labelled “mean of recall”",
        ),
        Published(
            "0.9333333333333333",
            Fraction(14, 15),
            "micro-F1, in code",
            "label_based.f1",
            {"average": "micro"},
            slip="labelled “macro-F1”",
        ),
        *_report(_REPORT_SHORT),
        *_report(_REPORT),
    ),
)

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

_SPORT_AND_ENTERTAINMENT = [[1, 0, 1, 0, 0]]
_ABOVE_THRESHOLD = [[0, 1, 1, 0, 0]]

RANKING = Document(
    id="ranking",
    title="多标签分类评价指标介绍（一）",
    language="zh-CN",
    labels=("sport", "geography", "entertainment", "military", "technology"),
    labels_original=("体育", "地理", "娱乐", "军事", "科技"),
    examples={
        "model one": Example(
            _SPORT_AND_ENTERTAINMENT, _ABOVE_THRESHOLD, [[0.3, 0.4, 0.5, 0.1, 0.15]]
        ),
        "model two": Example(
            _SPORT_AND_ENTERTAINMENT, _ABOVE_THRESHOLD, [[0.3, 0.4, 0.6, 0.1, 0.35]]
        ),
        "sentiment": Example([[1, 0]], [[1, 0]], [[0.6, 0.4]]),
    },
    printed_ranks={"model one": (3, 2, 1, 4, 5), "model two": (4, 2, 1, 5, 3)},
    published=tuple(
        Published(printed, value, of, metric, data=model)
        for model, of, metric, printed, value in (
            ("model one", "Hamming loss", "hamming.hamming_loss", "2/5", Fraction(2, 5)),
            ("model one", "Hamming loss", "hamming.hamming_loss", "0.4", Fraction(2, 5)),
            ("model one", "coverage", "ranking.coverage", "3", Fraction(3)),
            ("model one", "one-error", "ranking.one_error", "0", Fraction(0)),
            ("model one", "ranking loss", "ranking.ranking_loss", "1/6", Fraction(1, 6)),
            ("model one", "ranking loss", "ranking.ranking_loss", "0.1667", Fraction(1, 6)),
            (
                "model one",
                "average precision, written out",
                "ranking.average_precision",
                "½(2/3+1)",
                Fraction(5, 6),
            ),
            (
                "model one",
                "average precision",
                "ranking.average_precision",
                "0.8333",
                Fraction(5, 6),
            ),
            ("model two", "Hamming loss", "hamming.hamming_loss", "2/5", Fraction(2, 5)),
            ("model two", "Hamming loss", "hamming.hamming_loss", "0.4", Fraction(2, 5)),
            ("model two", "coverage", "ranking.coverage", "4", Fraction(4)),
            ("model two", "one-error", "ranking.one_error", "0", Fraction(0)),
            ("model two", "ranking loss", "ranking.ranking_loss", "2/6", Fraction(1, 3)),
            ("model two", "ranking loss", "ranking.ranking_loss", "0.3333", Fraction(1, 3)),
            (
                "model two",
                "average precision, written out",
                "ranking.average_precision",
                "½(2/4+1)",
                Fraction(3, 4),
            ),
            ("model two", "average precision", "ranking.average_precision", "0.75", Fraction(3, 4)),
        )
    ),
)

DOCUMENTS = (PARTIAL_CREDIT, SKLEARN_GUIDE, MACRO_MICRO, FORMULAS, RANKING)
