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
    """A value as a document prints it."""

    printed: str  # the number to its last printed digit, or the sum that is printed
    value: Fraction  # what the document's own formula has on the document's own data
    of: str  # what it is a value of, in words
    metric: str = ""  # the public function that computes it, module.function; "" for a plain count
    options: Mapping[str, Any] = field(default_factory=dict)  # its keyword arguments
    label: int | None = None  # whose value is meant, where the function returns one per label
    data: str = "main"  # the example of the document that it belongs to
    slip: str = ""  # what is wrong with the printed value


@dataclass(frozen=True)
class Document:
    """One document: how to cite it, what it computes with, and what it prints."""

    id: str
    title: str
    language: str
    labels: tuple[str, ...] = ()  # names in English
    labels_original: tuple[str, ...] = ()  # and in the document's language, where they are words
    examples: Mapping[str, Example] = field(default_factory=dict)
    published: tuple[Published, ...] = ()
    epochs: tuple[int, ...] = ()  # of the training curves
    curves: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    printed_ranks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # rows, by model

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


def _values(value: str, of: str, metric: str, *printed: str, **more: Any) -> Iterator[Published]:
    """One value as it is printed: as a sum, in the text, in the code."""
    for each in printed:
        yield Published(each, Fraction(value), of, metric, **more)


_ACCURACY = "example_based.accuracy"
_FOUR = ("label 1", "label 2", "label 3", "label 4")

PARTIAL_CREDIT = Document(
    id="partial_credit",
    title="多標籤分類的評估指標筆記",
    language="zh-TW",
    labels=_FOUR,
    examples={
        "main": Example(
            y_true=[[1, 0, 1, 1], [1, 1, 0, 0], [1, 0, 1, 0]],
            y_pred=[[1, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 0]],
        )
    },
    published=(
        *_values("4/9", "accuracy", _ACCURACY, "0.4444444444444444"),
        *_values("13/18", "precision", "example_based.precision", "0.7222222222222222"),
        *_values("11/18", "recall", "example_based.recall", "0.611111111111111"),
        *_values("3/5", "F1", "example_based.f1", "0.6", slip="printed under the name “recall”"),
    ),
)

SKLEARN_GUIDE = Document(
    id="sklearn_guide",
    title="sklearn中多标签分类场景下的常见的模型评估指标",
    language="zh-CN",
    labels=_FOUR,
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
        *_values("1/3", "exact match ratio", "exact_match.subset_accuracy", "0.33333333"),
        *_values("2/3", "zero-one loss", "exact_match.zero_one_loss", "0.66666"),
        *_values("2/3", "precision", "example_based.precision", "⅓(½+2/2+½)", "0.666", "0.6666"),
        *_values("11/18", "recall", "example_based.recall", "⅓(½+2/2+⅓)", "0.611", "0.6111"),
        *_values("19/30", "F1", "example_based.f1", "⅔(¼+½+⅕)", "0.633", "0.6333"),
        *_values("19/36", "Hamming score", _ACCURACY, "⅓(⅓+2/2+¼)", "0.5278", "0.5277"),
        *_values("5/12", "Hamming loss", "hamming.hamming_loss", "5/12", "0.4166"),
        *_values("1/2", "precision", "example_based.precision", "1/2", data="first sample"),
        *_values("1/3", "accuracy", _ACCURACY, "1/3", data="first sample"),
        *_values("1/2", "exact match", "exact_match.subset_accuracy", "0.5", data="all ones"),
        *_values("3/4", "Hamming loss", "hamming.hamming_loss", "0.75", data="all zeros"),
    ),
)

_REPORT = {  # precision, recall, F1 and support of each row; it is printed with 2 digits, and with 6
    "label 0": "1 1 1 3",
    "label 1": "1 1 1 2",
    "label 2": "1/2 1 2/3 1",
    "label 3": "1 1 1 1",
    "micro avg": "7/8 1 14/15 7",
    "macro avg": "7/8 1 11/12 7",
    "weighted avg": "13/14 1 20/21 7",
    "samples avg": "8/9 1 14/15 7",
}


def _report(digits: int) -> Iterator[Published]:
    """The report as it is printed with so many digits."""
    for row, values in _REPORT.items():
        word, which = row.split()
        average, label = (None, int(which)) if word == "label" else (word, None)
        module = "example_based" if word == "samples" else "label_based"
        more = {} if word == "samples" else {"options": {"average": average}, "label": label}
        *shares, support = values.split()
        for column, value in zip(("precision", "recall", "f1"), shares, strict=True):
            printed = f"{float(Fraction(value)):.{digits}f}"
            of = f"report, {row}, {column}"
            yield from _values(value, of, f"{module}.{column}", printed, **more)
        yield from _values(support, f"report, {row}, support", "", support)


_PRECISION, _RECALL, _F1 = "label_based.precision", "label_based.recall", "label_based.f1"
_THIRD: Any = {"options": {"average": None}, "label": 2}
_AS_RECALL: Any = {"slip": "labelled “mean of recall”"}
_AS_MACRO: Any = {"slip": "labelled “macro-F1”"}
_MICRO: Any = {"options": {"average": "micro"}}
_SWAPPED: Any = _MICRO | {"slip": "its table swaps FP and FN"}

MACRO_MICRO = Document(
    id="macro_micro",
    title="多ラベル分類の評価指標について",
    language="ja",
    labels=_FOUR,
    examples={
        "main": Example(
            y_true=[[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]],
            y_pred=[[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]],
        )
    },
    published=(
        *_values("1/2", "precision of the third label", _PRECISION, "1/2", **_THIRD),
        *_values("1", "recall of the third label", _RECALL, "1", **_THIRD),
        *_values("2/3", "F1 of the third label", _F1, "2/3", **_THIRD),
        *_values("11/12", "macro-F1", _F1, "(1+1+1+2/3)/4", "11/12", "0.916666"),
        *_values("11/12", "macro-F1, in code", _F1, "0.9166666666666666"),
        *_values("1", "macro recall, in code", _RECALL, "1.0"),
        *_values("7/8", "macro precision, in code", _PRECISION, "0.875", **_AS_RECALL),
        *_values("7", "true positives of all labels", "", "7"),
        *_values("1", "false positives of all labels", "", "1"),
        *_values("0", "false negatives of all labels", "", "0"),
        *_values("4", "true negatives of all labels", "", "4"),
        *_values("7/8", "micro precision, by hand", _PRECISION, "1", **_SWAPPED),
        *_values("1", "micro recall, by hand", _RECALL, "7/8", **_SWAPPED),
        *_values("14/15", "micro-F1, by hand", _F1, "0.93333", **_MICRO),
        *_values("1", "micro recall, in code", _RECALL, "1.0", **_MICRO),
        *_values("7/8", "micro precision, in code", _PRECISION, "0.875", **_MICRO, **_AS_RECALL),
        *_values("14/15", "micro-F1, in code", _F1, "0.9333333333333333", **_MICRO, **_AS_MACRO),
        *_report(2),
        *_report(6),
    ),
)

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

_TRUE, _ABOVE_THRESHOLD = [[1, 0, 1, 0, 0]], [[0, 1, 1, 0, 0]]
_RANKED = {
    "model one": (
        ("2/5", "Hamming loss", "hamming.hamming_loss", "2/5", "0.4"),
        ("3", "coverage", "ranking.coverage", "3"),
        ("0", "one-error", "ranking.one_error", "0"),
        ("1/6", "ranking loss", "ranking.ranking_loss", "1/6", "0.1667"),
        ("5/6", "average precision", "ranking.average_precision", "½(2/3+1)", "0.8333"),
    ),
    "model two": (
        ("2/5", "Hamming loss", "hamming.hamming_loss", "2/5", "0.4"),
        ("4", "coverage", "ranking.coverage", "4"),
        ("0", "one-error", "ranking.one_error", "0"),
        ("1/3", "ranking loss", "ranking.ranking_loss", "2/6", "0.3333"),
        ("3/4", "average precision", "ranking.average_precision", "½(2/4+1)", "0.75"),
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
    published=tuple(
        value
        for model, rows in _RANKED.items()
        for row in rows
        for value in _values(*row, data=model)
    ),
)

DOCUMENTS = (PARTIAL_CREDIT, SKLEARN_GUIDE, MACRO_MICRO, FORMULAS, RANKING)
