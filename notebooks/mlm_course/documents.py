"""The five documents that the course recreates: their data, and every value they publish.

Only facts and figures are repeated here; the documents' sentences and code belong to their authors.
Each document is cited by its title. A value that a document prints wrongly has a ``slip``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

# Nested lists, since scikit-learn reads a tuple of three as the parts of a sparse matrix.
Matrix = list[list[int]]
Scores = list[list[float]]


class Example(NamedTuple):
    """Truth, predicted label sets and scores (empty where there are none)."""

    y_true: Matrix
    y_pred: Matrix
    y_score: Scores


@dataclass(frozen=True)
class Published:
    """A value as a document prints it."""

    printed: str  # the number to its last printed digit, or the sum that is printed
    value: Fraction  # exact value of the document's formula on the document's data
    quantity: str  # name of the quantity
    metric: str = ""  # public function that computes it, module.function; "" for a plain count
    options: Mapping[str, Any] = field(default_factory=dict)  # keyword arguments of the function
    label: int | None = None  # index into the result, if the function returns a value per label
    example: str = "main"  # name of the document's example
    slip: str = ""  # the error in the printed value, in words


@dataclass(frozen=True)
class Document:
    """One document: its title, its data and the values that it prints."""

    id: str
    title: str
    labels: tuple[str, ...] = ()  # names in English
    examples: Mapping[str, Example] = field(default_factory=dict)
    published: tuple[Published, ...] = ()
    epochs: tuple[int, ...] = ()  # of the training curves
    curves: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    printed_ranks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # by model

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
        """Scores of each model for the document's only sample, if it compares models."""
        examples = self.examples.items()
        return {name: data.y_score[0] for name, data in examples if name.startswith("model")}


def _example(y_true: str, y_pred: str, *scores: float) -> Example:
    """An example from two matrices, each written as rows of digits: "1011 1100"."""
    truth, prediction = ([[*map(int, row)] for row in rows.split()] for rows in (y_true, y_pred))
    return Example(truth, prediction, [[*scores]] if scores else [])


def _published(text: str) -> tuple[Published, ...]:
    """Published values, from lines "value | quantity | metric[average or label] | printed | slip".

    A line without bars names the example of the lines below it.
    """
    example, published = "main", []
    for line in text.strip().splitlines():
        if "|" not in line:
            example = line.strip()
            continue
        value, quantity, metric, forms, *slip = (part.strip() for part in line.split("|"))
        function, _, index = metric.rstrip("]").partition("[")  # label_based.f1[micro], or f1[2]
        label = int(index) if index.isdigit() else None
        average = index if label is None else None  # None: an array, of which label is an index
        options = {"average": average} if index else {}
        fields: Any = Fraction(value), quantity, function, options, label, example, *slip
        published += [Published(printed, *fields) for printed in forms.split()]
    return tuple(published)


_FOUR = ("label 1", "label 2", "label 3", "label 4")

PARTIAL_CREDIT = Document(
    id="partial_credit",
    title="多標籤分類的評估指標筆記",
    labels=_FOUR,
    examples={"main": _example("1011 1100 1010", "1000 0101 1110")},
    published=_published("""
        4/9   | accuracy  | example_based.accuracy  | 0.4444444444444444
        13/18 | precision | example_based.precision | 0.7222222222222222
        11/18 | recall    | example_based.recall    | 0.611111111111111
        3/5   | F1        | example_based.f1        | 0.6 | printed under the name “recall”
    """),
)

SKLEARN_GUIDE = Document(
    id="sklearn_guide",
    title="sklearn中多标签分类场景下的常见的模型评估指标",
    labels=_FOUR,
    examples={
        "main": _example("0101 0110 1011", "0110 0110 0101"),
        "first sample": _example("0101", "0110"),
        "all ones": _example("01 11", "11 11"),
        "all zeros": _example("01 11", "00 00"),
        "partly right": _example("1001", "1010"),
    },
    published=_published("""
            1/3   | exact match ratio | exact_match.subset_accuracy | 0.33333333
            2/3   | zero-one loss     | exact_match.zero_one_loss   | 0.66666
            2/3   | precision         | example_based.precision     | ⅓(½+2/2+½)  0.666  0.6666
            11/18 | recall            | example_based.recall        | ⅓(½+2/2+⅓)  0.611  0.6111
            19/30 | F1                | example_based.f1            | ⅔(¼+½+⅕)    0.633  0.6333
            19/36 | Hamming score     | example_based.accuracy      | ⅓(⅓+2/2+¼)  0.5278 0.5277
            5/12  | Hamming loss      | hamming.hamming_loss        | 5/12        0.4166
        first sample
            1/2   | precision         | example_based.precision     | 1/2
            1/3   | accuracy          | example_based.accuracy      | 1/3
        all ones
            1/2   | exact match       | exact_match.subset_accuracy | 0.5
        all zeros
            3/4   | Hamming loss      | hamming.hamming_loss        | 0.75
    """),
)

_REPORT = {  # of each row the metric; precision, recall, F1 and support
    "label 0": ("label_based.{}[0]", "1 1 1 3"),
    "label 1": ("label_based.{}[1]", "1 1 1 2"),
    "label 2": ("label_based.{}[2]", "1/2 1 2/3 1"),
    "label 3": ("label_based.{}[3]", "1 1 1 1"),
    "micro avg": ("label_based.{}[micro]", "7/8 1 14/15 7"),
    "macro avg": ("label_based.{}[macro]", "7/8 1 11/12 7"),
    "weighted avg": ("label_based.{}[weighted]", "13/14 1 20/21 7"),
    "samples avg": ("example_based.{}", "8/9 1 14/15 7"),
}


def _report(digits: int) -> tuple[Published, ...]:
    """The classification report, printed with a number of digits."""
    lines = []
    for row, (metric, values) in _REPORT.items():
        *ratios, support = values.split()
        for column, value in zip(("precision", "recall", "f1"), ratios, strict=True):
            printed = f"{float(Fraction(value)):.{digits}f}"
            lines.append(f"{value} | report, {row}, {column} | {metric.format(column)} | {printed}")
        lines.append(f"{support} | report, {row}, support | | {support}")
    return _published("\n".join(lines))


_PRINTED_IN_MACRO_MICRO = """
1/2   | precision of the third label  | label_based.precision[2]     | 1/2
1     | recall of the third label     | label_based.recall[2]        | 1
2/3   | F1 of the third label         | label_based.f1[2]            | 2/3
11/12 | macro-F1                      | label_based.f1               | (1+1+1+2/3)/4 11/12 0.916666
11/12 | macro-F1, in code             | label_based.f1               | 0.9166666666666666
1     | macro recall, in code         | label_based.recall           | 1.0
7/8   | macro precision, in code      | label_based.precision | 0.875 | labelled “mean of recall”
7     | true positives of all labels  |                              | 7
1     | false positives of all labels |                              | 1
0     | false negatives of all labels |                              | 0
4     | true negatives of all labels  |                              | 4
7/8   | micro precision, by hand      | label_based.precision[micro] | 1 | its table swaps FP and FN
1     | micro recall, by hand         | label_based.recall[micro] | 7/8 | its table swaps FP and FN
14/15 | micro-F1, by hand             | label_based.f1[micro]        | 0.93333
1     | micro recall, in code         | label_based.recall[micro]    | 1.0
7/8   | micro precision, in code | label_based.precision[micro] | 0.875 | labelled “mean of recall”
14/15 | micro-F1, in code | label_based.f1[micro] | 0.9333333333333333 | labelled “macro-F1”
"""

MACRO_MICRO = Document(
    id="macro_micro",
    title="多ラベル分類の評価指標について",
    labels=_FOUR,
    examples={"main": _example("1000 1100 1111", "1000 1110 1111")},
    published=(
        *_published(_PRINTED_IN_MACRO_MICRO),
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
    epochs=tuple(range(1, 9)),
    curves={name: tuple(map(float, values)) for name, values in _CURVES.items()},
    published=tuple(
        Published(printed, Fraction(printed), f"micro-F1, {name}, epoch {epoch}")
        for name, values in _CURVES.items()
        for epoch, printed in enumerate(values, start=1)
    ),
)

RANKING = Document(
    id="ranking",
    title="多标签分类评价指标介绍（一）",
    labels=("sport", "geography", "entertainment", "military", "technology"),
    examples={
        "model one": _example("10100", "01100", 0.3, 0.4, 0.5, 0.1, 0.15),
        "model two": _example("10100", "01100", 0.3, 0.4, 0.6, 0.1, 0.35),
        "sentiment": _example("10", "10", 0.6, 0.4),
    },
    printed_ranks={"model one": (3, 2, 1, 4, 5), "model two": (4, 2, 1, 5, 3)},
    published=_published("""
        model one
            2/5 | Hamming loss      | hamming.hamming_loss      | 2/5 0.4
            3   | coverage          | ranking.coverage          | 3
            0   | one-error         | ranking.one_error         | 0
            1/6 | ranking loss      | ranking.ranking_loss      | 1/6 0.1667
            5/6 | average precision | ranking.average_precision | ½(2/3+1) 0.8333
        model two
            2/5 | Hamming loss      | hamming.hamming_loss      | 2/5 0.4
            4   | coverage          | ranking.coverage          | 4
            0   | one-error         | ranking.one_error         | 0
            1/3 | ranking loss      | ranking.ranking_loss      | 2/6 0.3333
            3/4 | average precision | ranking.average_precision | ½(2/4+1) 0.75
    """),
)

DOCUMENTS = (PARTIAL_CREDIT, SKLEARN_GUIDE, MACRO_MICRO, FORMULAS, RANKING)
