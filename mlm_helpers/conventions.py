"""Same predictions, two numbers: what other tools compute, said in the options of this package.

`TOOLS` holds fifteen tools, and per tool the metrics that it has: under which name, and the options
of ours that return its number. What no option can say is a `Departure`, in words and as a rule, with
the smallest input that shows it. The numbers that the tools gave on the recorded inputs are in
`recorded`; tests hold every one of them against this table.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, counts, example_based, hamming, inputs, label_based, ranking
from mlm_helpers.board import Board, Sentence, Step, Table

Options = Mapping[str, Any]
Matrix = NDArray[Any]

# ---------------------------------------------------------------------------- what is known of a tool


@dataclass(frozen=True)
class Departure:
    """What a tool does that no option of ours can say.

    Attributes
    ----------
    says : str
        In words.
    y_true, y_other : nested lists
        The smallest input that shows it; predictions, or scores for a ranking metric.
    shows : str
        What the tool gives on it.
    number : callable or None
        ``number(y_true, y_other, options)`` is the tool's number, or the error that it raises as
        ``"raises NameOfError"``, where it departs, and None elsewhere. None where the number depends on
        more than the data, such as the cut into batches.
    """

    says: str
    y_true: list[list[int]]
    y_other: Sequence[Sequence[float]]
    shows: str
    number: Callable[[Matrix, Matrix, Options], float | str | None] | None = None


@dataclass(frozen=True)
class Translation:
    """One metric of a tool.

    Attributes
    ----------
    call : str
        What the tool calls it.
    options : mapping
        Our keyword arguments that return its number.
    departures : tuple of Departure
    settings : mapping of str to mapping
        What the tool can be asked for beside its default, and the options of ours that this changes.
    """

    call: str
    options: Options = field(default_factory=dict)
    departures: tuple[Departure, ...] = ()
    settings: Mapping[str, Options] = field(default_factory=dict)


@dataclass(frozen=True)
class Tool:
    """What is known about a tool.

    Attributes
    ----------
    name, version : str
    known : str
        "run" (``make peers`` runs it), "recorded run" (it was run once and its numbers were kept) or
        "read in source".
    metrics : mapping of str to Translation
        By the name that `catalogue.describe` gives our metric.
    settings : tuple of str
        What it can be asked for beside its default; a metric that does not listen stays as it is.
    notes : tuple of Departure
        What concerns all its metrics.
    """

    name: str
    version: str
    known: str
    metrics: Mapping[str, Translation]
    settings: tuple[str, ...] = ()
    notes: tuple[Departure, ...] = ()


def _translations(
    calls: Mapping[str, str],
    averages: Sequence[str] = (),
    departures: Mapping[str, Departure] | None = None,
    settings: Mapping[str, Options] | None = None,
    **options: Any,
) -> dict[str, Translation]:
    """One translation per name; ``{average}`` in a name and its call stands for each average."""
    table = {}
    for name, call in calls.items():
        for average in averages if "{average}" in name else [""]:
            ours = name.replace("{average}", average)
            departs = (departures or {}).get(ours)
            table[ours] = Translation(
                call.replace("{average}", average),
                options,
                (departs,) if departs else (),
                settings or {},
            )
    return table


# ---------------------------------------------------------------------------- what a number can be


def _label_wise_accuracy(y_true: Any, y_pred: Any) -> float:
    return 1 - float(hamming.hamming_loss(y_true, y_pred))


def _f1_of_means(family: Any, y_true: Any, y_pred: Any, zero_division: float | str = 0.0) -> float:
    """Harmonic mean of the mean precision and the mean recall: not the mean of the F1s."""
    p = float(family.precision(y_true, y_pred, zero_division=zero_division))
    r = float(family.recall(y_true, y_pred, zero_division=zero_division))
    return 2 * p * r / (p + r) if p + r else 0.0 * p


LABEL_WISE = "1 − Hamming loss"
DERIVED: dict[str, Callable[..., float]] = {
    LABEL_WISE: _label_wise_accuracy,
    "F1 of macro precision and macro recall": functools.partial(_f1_of_means, label_based),
    "F1 of samples precision and samples recall": functools.partial(_f1_of_means, example_based),
}
"""Numbers that go by a metric's name elsewhere and are made of metrics here."""


@functools.cache
def _readings() -> dict[str, Callable[..., Any]]:
    """Every number that a tool may print, by name: the catalogue's and the derived ones."""
    return catalogue.variants() | DERIVED


def _reading(name: str) -> Callable[..., Any]:
    if name not in _readings():
        raise ValueError(f"name is {name!r}: choose one of {_listed(_readings())}")
    return _readings()[name]


def _choices(name: str) -> dict[str, tuple[Any, ...]]:
    """The conventions of a reading, and the values that each can take."""
    taken = tuple(inspect.signature(_reading(name)).parameters)
    undefined = [0.0, 1.0, math.nan]
    for tool in TOOLS.values():
        translation = tool.metrics.get(name)
        value = translation.options.get("undefined", 0.0) if translation else 0.0
        undefined += [value] if not math.isnan(value) and value not in undefined else []
    values: dict[str, tuple[Any, ...]] = {
        "zero_division": (0.0, 1.0, math.nan, "agree"),
        "start": (1, 0),
        "ties": inputs.TIES,
        "undefined": tuple(undefined),
    }
    return {option: values[option] for option in values if option in taken}


@functools.cache
def _reads_scores(name: str) -> bool:
    return name not in DERIVED and catalogue.of(_reading(name)).reads == "y_score"


def _read(y_true: Any, y_other: Any, *, scores: bool) -> tuple[Matrix, Matrix]:
    """Both matrices, through the gate; dense, and labels as booleans."""
    read = inputs.label_scores if scores else inputs.label_sets
    truth, other, _ = read(y_true, y_other)
    if not isinstance(truth, np.ndarray):
        truth, other = truth.toarray(), other.toarray()
    return truth.astype(bool), other if scores else other.astype(bool)


# ---------------------------------------------------------------------------- departures


def _spoils(metric: Callable[..., Any]) -> Departure:
    """Spark's samples metrics: one 0/0 makes the mean nan."""

    def number(truth: Matrix, other: Matrix, asked: Options) -> float | None:
        values = metric(truth, other, zero_division=math.nan, per_sample=True)
        return math.nan if np.isnan(values).any() else None

    return Departure(
        "a sample with 0/0 makes the whole mean nan", [[1], [0]], [[1], [0]], "nan", number
    )


def _wrong_labels(truth: Matrix, other: Matrix) -> int:
    return int((truth != (other > 0)).sum())


def _spark_hamming(truth: Matrix, other: Matrix, asked: Options) -> float | None:
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(
            np.divide(
                _wrong_labels(truth, other), truth.size / truth.shape[1] * truth.any(axis=0).sum()
            )
        )


def _undivided_hamming(truth: Matrix, other: Matrix, asked: Options) -> float:
    return _wrong_labels(truth, other) / len(truth)


def _no_support(value: float) -> Callable[[Matrix, Matrix, Options], float | None]:
    return lambda truth, other, asked: None if truth.any() else value


def _refuses_nan(truth: Matrix, other: Matrix, asked: Options) -> str | None:
    refused = math.isnan(asked["zero_division"])
    return "raises InvalidParameterError" if refused else None


_REFUSES_NAN = Departure(
    "jaccard_score refuses zero_division=nan",
    [[1]], [[1]], "InvalidParameterError with zero_division=nan", _refuses_nan,
)  # fmt: skip

# ---------------------------------------------------------------------------- the tools

_SKLEARN_SET = {
    "samples accuracy (Jaccard)": "jaccard_score(average='samples')",
    "samples precision": "precision_score(average='samples')",
    "samples recall": "recall_score(average='samples')",
    "samples F1": "f1_score(average='samples')",
    "samples Fβ": "fbeta_score(average='samples')",
    "{average} precision": "precision_score(average='{average}')",
    "{average} recall": "recall_score(average='{average}')",
    "{average} F1": "f1_score(average='{average}')",
    "{average} Fβ": "fbeta_score(average='{average}')",
    "{average} Jaccard": "jaccard_score(average='{average}')",
}
_ALL_AVERAGES = ("macro", "micro", "weighted")
_ONE = {"zero_division=1": {"zero_division": 1.0}}
_LEFT_OUT = {"zero_division=nan": {"zero_division": math.nan}}

_SKLEARN = Tool(
    "scikit-learn", "1.9.1", "run",
    {
        "subset accuracy": Translation("accuracy_score"),
        "zero-one loss": Translation("zero_one_loss"),
        "Hamming loss": Translation("hamming_loss"),
        **_translations(
            _SKLEARN_SET, _ALL_AVERAGES,
            dict.fromkeys(("samples accuracy (Jaccard)", "macro Jaccard", "micro Jaccard", "weighted Jaccard"), _REFUSES_NAN),
            _ONE | _LEFT_OUT,
            zero_division=0.0,
        ),
        "coverage": Translation("coverage_error", {"start": 1, "ties": "worst", "undefined": 0.0}),
        "ranking loss": Translation("label_ranking_loss", {"ties": "worst", "undefined": 0.0}),
        "one-error": Translation("1 - ndcg_score(k=1)", {"ties": "average", "undefined": 1.0}),
        "average precision": Translation(
            "label_ranking_average_precision_score", {"ties": "worst", "undefined": 1.0}
        ),
    },
    tuple(_ONE | _LEFT_OUT),
)  # fmt: skip

_BATCHES = Departure(
    "the number depends on how the data are cut into batches: a batch whose samples all lack a value"
    " counts as one sample",
    [[1, 0], [0, 0], [0, 0], [0, 0], [0, 0]], [[0.1, 0.9]] * 5,
    "0.2 in one update, 0.5 in two (the first sample, then the rest)",
)  # fmt: skip
_SEVENTEEN = Departure(
    "from 17 labels on, ties are broken by a sort that is not stable: no rule holds",
    [[1] + [0] * 16], [[0.5] * 17], "anything from 0 to 1",
)  # fmt: skip
_SATURATED = Departure(
    "scores outside 0 to 1 pass through a sigmoid in single precision, which is exactly 1 from about 17"
    " on: large scores tie",
    [[0, 1]], [[20, 30]], "coverage 2",
)  # fmt: skip
_SQUASHED = Departure(
    "as soon as one score of a batch lies outside 0 to 1, all its scores pass through a sigmoid before"
    " the threshold, so that every score above 0 is a yes",
    [[1, 0]], [[1.01, 0.1]],
    "Hamming distance 0.5; with 1.0 for 1.01 it is 0",
)  # fmt: skip
_ABOVE_HALF = Departure(
    "a score of exactly 0.5 is a no: the threshold is score > 0.5", [[1]], [[0.5]], "predicted 0"
)
_FROM_HALF = Departure(
    "a score of exactly 0.5 is a yes: the threshold is score >= 0.5", [[1]], [[0.5]], "predicted 1"
)

_TORCHMETRICS = Tool(
    "torchmetrics", "1.9.0", "run",
    {
        "subset accuracy": Translation("MultilabelExactMatch"),
        "Hamming loss": Translation("MultilabelHammingDistance"),
        LABEL_WISE: Translation("MultilabelAccuracy"),
        **_translations(
            {
                "samples precision": "precision(task='multilabel', multidim_average='samplewise')",
                "samples recall": "recall(…, multidim_average='samplewise')",
                "samples F1": "f1_score(…, multidim_average='samplewise')",
                "samples Fβ": "fbeta_score(…, multidim_average='samplewise')",
                "{average} precision": "MultilabelPrecision(average='{average}')",
                "{average} recall": "MultilabelRecall(average='{average}')",
                "{average} F1": "MultilabelF1Score(average='{average}')",
                "{average} Fβ": "MultilabelFBetaScore(average='{average}')",
                "{average} Jaccard": "MultilabelJaccardIndex(average='{average}')",
            },
            _ALL_AVERAGES,
            {
                "weighted precision": Departure(
                    "where no sample has any label, the weighted mean is 0 whatever zero_division",
                    [[0]], [[0]], "0 with zero_division=1", _no_support(0.0),
                ),
                "weighted Jaccard": Departure(
                    "where no sample has any label, the weighted mean is nan",
                    [[0]], [[0]], "nan", _no_support(math.nan),
                ),
            },
            _ONE,
            zero_division=0.0,
        ),
        # A label without true samples weighs 0, so that zero_division never counts.
        **_translations(
            {
                "weighted recall": "MultilabelRecall(average='weighted')",
                "weighted F1": "MultilabelF1Score(average='weighted')",
                "weighted Fβ": "MultilabelFBetaScore(average='weighted')",
            },
            settings={"zero_division=1": {"zero_division": 0.0}},
            zero_division=0.0,
        ),
        "coverage": Translation(
            "MultilabelCoverageError", {"start": 1, "ties": "worst", "undefined": 0.0}
        ),
        "ranking loss": Translation(
            "MultilabelRankingLoss", {"ties": "last", "undefined": 0.0}, (_BATCHES, _SEVENTEEN)
        ),
        "average precision": Translation(
            "MultilabelRankingAveragePrecision", {"ties": "worst", "undefined": 1.0}
        ),
    },
    tuple(_ONE),
    (_ABOVE_HALF, _SQUASHED, _SATURATED),
)  # fmt: skip

_SPARK = Tool(
    "Spark MLlib", "4.3.0", "run",
    {
        "subset accuracy": Translation("subsetAccuracy"),
        "Hamming loss": Translation("hammingLoss", {}, (Departure(
            "the wrong labels are divided by the number of samples times the number of labels that occur in"
            " the truth, which can be 0",
            [[0]], [[1]], "inf", _spark_hamming,
        ),)),
        "samples accuracy (Jaccard)": Translation("accuracy", {"zero_division": math.nan}, (
            _spoils(example_based.accuracy),)),
        "samples precision": Translation("precision", {"zero_division": 0.0}),
        "samples recall": Translation("recall", {"zero_division": math.nan}, (
            _spoils(example_based.recall),)),
        "samples F1": Translation("f1Measure", {"zero_division": math.nan}, (
            _spoils(example_based.f1),)),
        **_translations(
            {"micro precision": "microPrecision", "micro recall": "microRecall",
             "micro F1": "microF1Measure"},
            zero_division=math.nan,
        ),
    },
    notes=(Departure(
        "label sets are arrays, compared in order: list the labels of both sides in one order",
        [[1, 0, 1]], [[1, 0, 1]], "subset accuracy 0 if the prediction is given as [2, 0], the truth as [0, 2]",
    ),),
)  # fmt: skip

_MULAN = Tool(
    "MULAN", "git 43f6389 (2022-09), Weka 3.9.7", "recorded run",
    {
        "subset accuracy": Translation("Subset Accuracy"),
        "Hamming loss": Translation("Hamming Loss"),
        **_translations(
            {
                "samples accuracy (Jaccard)": "Example-Based Accuracy",
                "samples precision": "Example-Based Precision",
                "samples recall": "Example-Based Recall",
                "samples F1": "Example-Based F Measure",
                "samples Fβ": "Example-Based F Measure (with beta)",
                "micro precision": "Micro-averaged Precision",
                "micro recall": "Micro-averaged Recall",
                "micro F1": "Micro-averaged F-Measure",
                "micro Fβ": "Micro-averaged F-Measure (with beta)",
                "macro precision": "Macro-averaged Precision",
                "macro recall": "Macro-averaged Recall",
                "macro F1": "Macro-averaged F-Measure",
                "macro Fβ": "Macro-averaged F-Measure (with beta)",
            },
            zero_division="agree",
        ),
        "coverage": Translation("Coverage", {"start": 0, "ties": "last", "undefined": 0.0}),
        "one-error": Translation("OneError", {"ties": "last", "undefined": 1.0}),
        "ranking loss": Translation("Ranking Loss", {"ties": "last", "undefined": 0.0}),
        "average precision": Translation("Average Precision", {"ties": "last", "undefined": math.nan}),
    },
    notes=(
        _FROM_HALF,
        Departure(
            "scores that differ by less than 0.000001 are tied",
            [[1, 0]], [[0.5000005, 0.5]], "coverage 1, by the text of its sort",
        ),
    ),
)  # fmt: skip

_MEKA = Tool(
    "MEKA", "git f9ffe23 (1.9.10-SNAPSHOT), Weka 3.9.7", "recorded run",
    {
        "subset accuracy": Translation("Exact match"),
        "zero-one loss": Translation("ZeroOne loss"),
        "Hamming loss": Translation("Hamming loss"),
        LABEL_WISE: Translation("Hamming score"),
        "samples accuracy (Jaccard)": Translation("Accuracy", {"zero_division": "agree"}),
        **_translations(
            {
                "samples F1": "F1 (macro averaged by example)",
                "macro precision": "Macro Precision", "macro recall": "Macro Recall",
                "macro F1": "F1 (macro averaged by label)",
                "micro precision": "Micro Precision", "micro recall": "Micro Recall",
                "micro F1": "F1 (micro averaged)",
            },
            zero_division=0.0,
        ),
        "one-error": Translation("One error", {"ties": "first", "undefined": 1.0}),
        "ranking loss": Translation("Rank loss", {"ties": "last", "undefined": 0.0}, (Departure(
            "ties are broken by a sort that is not stable: from three labels on no rule holds",
            [[1, 0, 0]], [[0.5, 0.5, 0.1]], "0 by the text of that sort, where the last label first gives 0.5",
        ),)),
        "average precision": Translation("Avg precision", {"ties": "worst", "undefined": 1.0}),
    },
    notes=(_FROM_HALF,),
)  # fmt: skip


def _without_full_samples(
    metric: Callable[..., Any],
) -> Callable[[Matrix, Matrix, Options], float | None]:
    def number(truth: Matrix, other: Matrix, asked: Options) -> float | None:
        rest = ~truth.all(axis=1)
        if rest.all():
            return None
        return float(metric(truth[rest], other[rest], **asked)) if rest.any() else math.nan

    return number


def _leaves_full_out(metric: Callable[..., Any]) -> Departure:
    return Departure(
        "samples whose labels are all relevant are left out too, and nothing may be left",
        [[1]], [[0.5]], "nan", _without_full_samples(metric),
    )  # fmt: skip


_LAMDA = Tool(
    "LAMDA MATLAB", "the files that circulate with ML-kNN", "read in source",
    {
        "Hamming loss": Translation("Hamming_loss"),
        "coverage": Translation("coverage", {"start": 0, "ties": "last", "undefined": -1.0}),
        "one-error": Translation("One_error", {"ties": "best", "undefined": math.nan}, (
            _leaves_full_out(ranking.one_error),)),
        "ranking loss": Translation("Ranking_loss", {"ties": "worst", "undefined": math.nan}),
        "average precision": Translation(
            "Average_precision", {"ties": "last", "undefined": math.nan},
            (_leaves_full_out(ranking.average_precision),)),
    },
    notes=(Departure(
        "truth and prediction are matrices of -1 and 1, labels as rows; with 0 for -1 its tests for empty"
        " samples fail in silence",
        [[1, 0]], [[1, 0]], "Hamming loss 0.5 where one side is written with 0",
    ),),
)  # fmt: skip

_UNDEFINED_VALUE = {
    "undefined_value=0": {"zero_division": 0.0},
    "undefined_value=1": {"zero_division": 1.0},
    "undefined_value='ignore'": {"zero_division": math.nan},
}
_TIES_METHOD = {
    "ties_method='first'": {"ties": "first"},
    "ties_method='max'": {"ties": "worst"},
    "ties_method='min'": {"ties": "best"},
    "ties_method='average'": {"ties": "average"},
}


def _mldr_average_precision(truth: Matrix, other: Matrix, asked: Options) -> float | None:
    """All tied relevant labels are counted as above, whatever rank the tie is given."""
    if asked["ties"] not in ("best", "average"):
        return None
    rank = ranking.ranks(other, ties=asked["ties"])
    among_relevant = ranking.ranks(np.where(truth, -rank, -rank.shape[1] - 1))
    shares = np.where(truth, among_relevant / rank, 0).sum(axis=1)
    relevant = truth.sum(axis=1)
    return float(np.where(relevant, shares / np.maximum(relevant, 1), asked["undefined"]).mean())


_MLDR = Tool(
    "mldr", "0.4.x", "read in source",
    {
        "subset accuracy": Translation("subset_accuracy"),
        "Hamming loss": Translation("hamming_loss"),
        **_translations(
            {
                "samples precision": "precision", "samples recall": "recall",
                "macro precision": "macro_precision", "macro recall": "macro_recall",
                "micro precision": "micro_precision", "micro recall": "micro_recall",
            },
            settings=_UNDEFINED_VALUE,
            zero_division="agree",
        ),
        # These take undefined_value too, and ignore it.
        **_translations(
            {
                "samples accuracy (Jaccard)": "accuracy", "samples F1": "fmeasure",
                "macro F1": "macro_fmeasure", "micro F1": "micro_fmeasure",
            },
            zero_division="agree",
        ),
        "coverage": Translation(
            "coverage", {"start": 0, "ties": "last", "undefined": 0.0}, settings=_TIES_METHOD
        ),
        "one-error": Translation("one_error", {"ties": "first", "undefined": 1.0}),
        "ranking loss": Translation("ranking_loss", {"ties": "worst", "undefined": 0.0}),
        "average precision": Translation(
            "average_precision", {"ties": "last", "undefined": 1.0},
            (Departure(
                "with ties_method='min' or 'average' it counts tied relevant labels above by more than"
                " their rank, and can exceed 1",
                [[1, 1]], [[0.5, 0.5]], "2 with ties_method='min'", _mldr_average_precision,
            ),),
            _TIES_METHOD,
        ),
    },
    (*_UNDEFINED_VALUE, *_TIES_METHOD),
    (
        _FROM_HALF,
        Departure(
            "up to 0.4.0 accuracy is label-wise and F the harmonic mean of mean precision and mean recall",
            [[1, 0]], [[1, 1]], "accuracy 0.5 for another reason than since 0.4.1",
        ),
    ),
)  # fmt: skip


def _fills_empty_rows(name: str) -> Departure:
    """Of the all equal zeros of a row without predictions, the first counts as the top label."""

    def number(truth: Matrix, other: Matrix, asked: Options) -> float | None:
        empty = ~other.any(axis=1)
        filled = other.copy()
        filled[empty, 0] = True
        return float(_reading(name)(truth, filled, **asked)) if empty.any() else None

    return Departure(
        "a sample for which nothing is predicted gets its top label predicted, unless"
        " utiml.empty.prediction is TRUE",
        [[1]], [[0]], "0" if name == "Hamming loss" else "1", number,
    )  # fmt: skip


def _single_row(truth: Matrix, other: Matrix, asked: Options) -> str | None:
    return "raises error" if truth.any(axis=1).sum() == 1 else None


_SINGLE_ROW = Departure(
    "it stops where exactly one sample has a true label, since R then drops the matrix to a vector",
    [[1]], [[0.5]], "an error", _single_row,
)  # fmt: skip

_UTIML_SET = {
    "subset accuracy": Translation("subset-accuracy"),
    "Hamming loss": Translation("hamming-loss"),
    LABEL_WISE: Translation("macro-accuracy, micro-accuracy"),
    **_translations(
        {
            "samples accuracy (Jaccard)": "accuracy", "samples precision": "precision",
            "samples recall": "recall", "samples F1": "F1",
            "{average} precision": "{average}-precision", "{average} recall": "{average}-recall",
            "{average} F1": "{average}-F1",
        },
        ("macro", "micro"),
        zero_division=0.0,
    ),
}  # fmt: skip
_UTIML = Tool(
    "utiml", "0.1.4 and later", "read in source",
    {
        **{
            name: replace(translation, departures=(_fills_empty_rows(name),))
            for name, translation in _UTIML_SET.items()
        },
        "coverage": Translation(
            "coverage", {"start": 0, "ties": "first", "undefined": math.nan}, (_SINGLE_ROW,)
        ),
        "one-error": Translation("one-error", {"ties": "first", "undefined": 1.0}),
        "ranking loss": Translation("ranking-loss", {"ties": "first", "undefined": 0.0}),
        "average precision": Translation(
            "average-precision", {"ties": "first", "undefined": math.nan}, (_SINGLE_ROW,)
        ),
    },
    notes=(_FROM_HALF,),
)  # fmt: skip

_KERAS = Tool(
    "keras", "3.15.1", "run",
    {
        LABEL_WISE: Translation("BinaryAccuracy"),
        **_translations(
            {
                "{average} F1": "F1Score(average='{average}', threshold=0.5)",
                "{average} Fβ": "FBetaScore(average='{average}', threshold=0.5)",
            },
            _ALL_AVERAGES,
            zero_division=0.0,
        ),
        "micro precision": Translation("Precision", {"zero_division": 0.0}),
        "micro recall": Translation("Recall", {"zero_division": 0.0}),
    },
    ("no threshold",),
    (
        _ABOVE_HALF,
        Departure(
            "without a threshold, F1Score and FBetaScore count only each sample's largest score as a yes",
            [[1, 1]], [[0.9, 0.8]], "macro F1 0.5 where a threshold of 0.5 gives 1",
        ),
    ),
)  # fmt: skip

_TORCHEVAL = Tool(
    "torcheval", "0.0.7", "run",
    {
        "subset accuracy": Translation("multilabel_accuracy"),
        LABEL_WISE: Translation("multilabel_accuracy(criteria='hamming')"),
        "Hamming loss": Translation("1 - multilabel_accuracy(criteria='hamming')"),
    },
    notes=(_FROM_HALF,),
)  # fmt: skip

_PRECISION_RECALL = {
    "samples precision": "Precision(average='samples')",
    "samples recall": "Recall(average='samples')",
    "{average} precision": "Precision(average='{average}')",
    "{average} recall": "Recall(average='{average}')",
}
_IGNITE = Tool(
    "ignite", "0.5.5", "run",
    {
        "subset accuracy": Translation("Accuracy(is_multilabel=True)"),
        **_translations(_PRECISION_RECALL, _ALL_AVERAGES, zero_division=0.0),
        **_translations({"macro F1": "Fbeta(1)", "macro Fβ": "Fbeta(beta)"}, zero_division=0.0),
    },
)  # fmt: skip

_RIVER = Tool(
    "river", "0.26.1", "run",
    {
        "subset accuracy": Translation("multioutput.ExactMatch"),
        LABEL_WISE: Translation("multioutput.MicroAverage(Accuracy)"),
        **_translations(
            {
                "samples accuracy (Jaccard)": "multioutput.SampleAverage(Jaccard)",
                "samples precision": "multioutput.SampleAverage(Precision)",
                "samples recall": "multioutput.SampleAverage(Recall)",
                "samples F1": "multioutput.SampleAverage(F1)",
                "samples Fβ": "multioutput.SampleAverage(FBeta)",
                "macro precision": "multioutput.MacroAverage(Precision)",
                "macro recall": "multioutput.MacroAverage(Recall)",
                "macro F1": "multioutput.MacroAverage(F1)",
                "macro Fβ": "multioutput.MacroAverage(FBeta)",
                "macro Jaccard": "multioutput.MacroAverage(Jaccard)",
                "micro precision": "multioutput.MicroAverage(Precision)",
                "micro recall": "multioutput.MicroAverage(Recall)",
                "micro F1": "multioutput.MicroAverage(F1)",
                "micro Fβ": "multioutput.MicroAverage(FBeta)",
                "micro Jaccard": "multioutput.MicroAverage(Jaccard)",
            },
            zero_division=0.0,
        ),
    },
)  # fmt: skip


def _napkin_macro_f1(truth: Matrix, other: Matrix, asked: Options) -> float | str | None:
    predicted = other > 0
    cells = (truth & predicted, ~truth & predicted, truth & ~predicted)
    if not all(kind.any() for kind in cells):
        return "raises ValueError"
    seen = int(np.flatnonzero((truth | predicted).any(axis=0))[-1]) + 1
    return float(label_based.f1(truth[:, :seen], predicted[:, :seen]))


def _napkin_micro_f1(truth: Matrix, other: Matrix, asked: Options) -> str | None:
    return None if truth.any() or other.any() else "raises ZeroDivisionError"


_UNSTABLE = Departure(
    "ties are broken by a sort that is not stable: from four labels on the winner depends on the processor",
    [[0, 0, 0, 1]], [[0, 0, 0.25, 0.25]], "0 or 1",
)  # fmt: skip

_NAPKINXC = Tool(
    "napkinXC", "0.7.2", "run",
    {
        "Hamming loss": Translation("hamming_loss", {}, (Departure(
            "the mean number of wrong labels a sample, not divided by the number of labels",
            [[1, 0]], [[0, 0]], "1", _undivided_hamming,
        ),)),
        "samples F1": Translation("samples_f1_measure", {"zero_division": 0.0}, (Departure(
            "with zero_division=1 every sample with true labels and no hit counts 1, and two empty sets 0",
            [[1]], [[0]], "1 with zero_division=1",
        ),)),
        "macro F1": Translation("macro_f1_measure", {"zero_division": 0.0}, (Departure(
            "it raises where there is no hit, no false alarm or no miss in all the data, and averages over the"
            " labels up to the last one that occurs",
            [[1]], [[1]], "ValueError", _napkin_macro_f1,
        ),)),
        "micro F1": Translation("micro_f1_measure", {"zero_division": 0.0}, (Departure(
            "it raises where nothing is true and nothing predicted",
            [[0]], [[0]], "ZeroDivisionError", _napkin_micro_f1,
        ),)),
        "one-error": Translation(
            "1 - precision_at_k(k=1)", {"ties": "first", "undefined": 1.0}, (_UNSTABLE,)
        ),
    },
)  # fmt: skip

_PYXCLIB = Tool(
    "pyxclib", "git 5d13086", "recorded run",
    {
        "samples accuracy (Jaccard)": Translation("jaccard_similarity", {"zero_division": 0.0}),
        "one-error": Translation(
            "1 - precision(k=1)", {"ties": "last", "undefined": 1.0}, (_UNSTABLE,)
        ),
    },
)  # fmt: skip


def _swapped_beta(fbeta: Callable[..., Any], truth: Matrix, other: Matrix, asked: Options) -> float:
    return float(fbeta(truth, other, beta=1 / 2, **asked))  # the readings hold F2


_XCOLUMNS = Tool(
    "xCOLUMNs", "0.0.2", "run",
    {
        "Hamming loss": Translation("hamming_loss"),
        LABEL_WISE: Translation("hamming_score"),
        **_translations(
            {
                "samples accuracy (Jaccard)": "macro_jaccard_score of the transposed matrices",
                "samples precision": "macro_precision of the transposed matrices",
                "samples recall": "macro_recall of the transposed matrices",
                "samples F1": "macro_f1_score of the transposed matrices",
                "samples Fβ": "macro_fbeta_score of the transposed matrices",
                "{average} precision": "{average}_precision",
                "{average} recall": "{average}_recall",
                "{average} F1": "{average}_f1_score",
                "{average} Fβ": "{average}_fbeta_score",
                "{average} Jaccard": "{average}_jaccard_score",
            },
            ("macro", "micro"),
            {
                f"{average} Fβ": Departure(
                    "β stands on the wrong side: its Fβ is F with 1/β",
                    y_true, y_pred, "5/9 for β = 2, where F2 is 5/6",
                    functools.partial(_swapped_beta, function),
                )
                for average, function, y_true, y_pred in (
                    ("samples", example_based.fbeta, [[1, 0]], [[1, 1]]),
                    ("macro", functools.partial(label_based.fbeta, average="macro"),
                     [[1], [0]], [[1], [1]]),
                    ("micro", functools.partial(label_based.fbeta, average="micro"),
                     [[1], [0]], [[1], [1]]),
                )
            },
            zero_division=0.0,
        ),
    },
    notes=(Departure(
        "epsilon is added after the counts were divided by the number of samples: with many samples it"
        " weighs on rare labels",
        [[1]], [[1]], "recall 0.5 for a label found in its only occurrence among a million samples",
    ),),
)  # fmt: skip

TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        _SKLEARN, _TORCHMETRICS, _SPARK, _MULAN, _MEKA, _LAMDA, _MLDR, _UTIML, _KERAS, _TORCHEVAL,
        _IGNITE, _RIVER, _NAPKINXC, _PYXCLIB, _XCOLUMNS,
    )
}  # fmt: skip
"""Fifteen tools by name: what each computes, in our options."""


# ---------------------------------------------------------------------------- translate


def options(tool: str, metric: Callable[..., Any]) -> dict[str, Any]:
    """Keyword arguments with which our function returns a tool's number.

    Parameters
    ----------
    tool : str
        A key of `TOOLS`; for another answer than the tool's default, the setting behind a comma, as
        in ``"scikit-learn, zero_division=1"``.
    metric : public metric function, or a ``functools.partial`` of it
        A label-based metric is meant with its average, "macro" if none is bound.

    Returns
    -------
    dict
        Options of ours. Where the tool departs from every option, its record in `TOOLS` says so.

    Raises
    ------
    ValueError
        If there is no such tool or setting, or the tool lacks the metric; the sentence names what
        there is.

    References
    ----------
    The tools themselves, see `TOOLS`.

    Examples
    --------
    >>> from mlm_helpers import example_based, ranking
    >>> options("MULAN", ranking.coverage)
    {'start': 0, 'ties': 'last', 'undefined': 0.0}
    >>> example_based.f1([[1, 0], [0, 0]], [[1, 0], [0, 0]], **options("MULAN", example_based.f1))
    1.0
    """
    return _options(*_tool(tool), _name_of(metric))


def _name_of(metric: Callable[..., Any]) -> str:
    """The name of a metric with its average alone: Fβ whatever β."""
    record = catalogue.of(metric)
    bound = metric.keywords if isinstance(metric, functools.partial) else {}
    average = {}
    if "average" in record.options and "average" in bound:
        inputs.one_of(bound["average"], inputs.AVERAGES, "average")
        average = {"average": bound["average"] or "macro"}
    return catalogue.describe(functools.partial(record.function, **average))


def _tool(tool: str) -> tuple[Tool, str]:
    """The tool, and the setting behind the comma."""
    name, _, setting = str(tool).partition(", ")
    if name not in TOOLS:
        raise ValueError(f"tool is {tool!r}: choose one of {_listed(TOOLS)}")
    return TOOLS[name], setting


def _translation(tool: Tool, name: str) -> Translation:
    key = _any_beta(name)
    if key not in tool.metrics:
        have = [other.name for other in TOOLS.values() if key in other.metrics]
        who = f"ask for {_listed(have)}, which have it" if have else "no tool here has it"
        raise ValueError(f"{tool.name} has no {name}: {who}")
    return tool.metrics[key]


def _any_beta(name: str) -> str:
    return name.replace(" F2", " Fβ")


def _options(tool: Tool, setting: str, name: str) -> dict[str, Any]:
    if setting and setting not in tool.settings:
        settings = _listed(tool.settings) if tool.settings else "its default alone"
        raise ValueError(f"{tool.name} has no setting {setting!r}: choose {settings}")
    translation = _translation(tool, name)
    return {**translation.options, **translation.settings.get(setting, {})}


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)


def number(tool: str, name: str, y_true: Any, y_other: Any) -> float | str:
    """Say what a tool gives on data: our function with its options, or its departure.

    Parameters
    ----------
    tool : str
        As for `options`.
    name : str
        A metric as `catalogue.describe` names it, or one of `DERIVED`.
    y_true, y_other : matrix of shape (n_samples, n_labels)
        Truth, and predictions or (for a ranking metric) scores.

    Returns
    -------
    float, or the error that the tool raises, as ``"raises NameOfError"``

    Examples
    --------
    >>> number("Spark MLlib", "samples recall", [[1, 0], [0, 0]], [[1, 0], [0, 0]])
    nan
    """
    departed = _departed(tool, name, y_true, y_other)
    return _ours(tool, name, y_true, y_other) if departed is None else departed


def expressible(tool: str, name: str, y_true: Any, y_other: Any) -> bool:
    """Whether our function with the tool's options gives the tool's number on these data."""
    departed = _departed(tool, name, y_true, y_other)
    return departed is None or same(departed, _ours(tool, name, y_true, y_other))


def _ours(tool: str, name: str, y_true: Any, y_other: Any) -> float:
    return float(_reading(name)(y_true, y_other, **_options(*_tool(tool), name)))


def _departed(tool: str, name: str, y_true: Any, y_other: Any) -> float | str | None:
    scores = _reads_scores(name)
    record, setting = _tool(tool)
    asked = _options(record, setting, name)
    for departure in _translation(record, name).departures:
        if departure.number is not None:
            departed = departure.number(*_read(y_true, y_other, scores=scores), asked)
            if departed is not None:
                return departed
    return None


def same(a: float | str, b: float | str) -> bool:
    """Whether two numbers are one to 1e-6, nan included, or two refusals the same.

    Single precision leaves no more of a tool's number, and some tools divide by x + 1e-9.
    """
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return a == b or abs(a - b) <= 1e-6 or (math.isnan(a) and math.isnan(b))


@dataclass(frozen=True)
class Recorded:
    """An input, and what the tools gave on it: ``numbers[metric][tool]``, the tool with its setting."""

    name: str
    why: str
    y_true: list[list[int]]
    y_pred: list[list[int]]
    y_score: list[list[float]]
    numbers: Mapping[str, Mapping[str, float | str]]

    def other(self, metric: str) -> list[list[float]] | list[list[int]]:
        """What the metric reads beside the truth."""
        return self.y_score if _reads_scores(metric) else self.y_pred


@functools.cache
def recorded() -> tuple[Recorded, ...]:
    """Inputs and tools' numbers as they were recorded.

    Examples
    --------
    >>> recorded()[0].numbers["samples F1"]["MULAN"]
    1.0
    """
    return tuple(
        Recorded(
            **case
            | {
                "numbers": {
                    metric: {
                        tool: value if str(value).startswith("raises") else float(value)
                        for tool, value in values.items()
                    }
                    for metric, values in case["numbers"].items()
                }
            }
        )
        for case in _file("field.json")["inputs"]
    )


def last_run() -> dict[str, Any]:
    """What ``make peers`` found when it last ran the tools: date, versions and counts."""
    return _file("peers.json")


def _file(name: str) -> dict[str, Any]:
    text = resources.files("mlm_helpers").joinpath("records", name).read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


# ---------------------------------------------------------------------------- identify


@dataclass(frozen=True)
class Match:
    """One way to get a number.

    Attributes
    ----------
    metric : str
    options : mapping
        The conventions that matter on these data; any value of the others gives the same number.
    value : float or str
    fit : str
        "exactly" (to 1e-6), "rounded", "truncated", "as a percentage", or "" for a near miss.
    tools : tuple of str
        Who prints it: tools that do so by default first.
    says : str
        What a tool does there that no option can say.
    """

    metric: str
    options: Options
    value: float | str
    fit: str
    tools: tuple[str, ...] = ()
    says: str = ""

    @property
    def convention(self) -> str:
        """The options that matter, in words for a table."""
        return self.says or ", ".join(_way(self.options)) or "any"


@dataclass(frozen=True, repr=False)
class Identification(Board):
    """Which metrics and conventions give a number.

    Attributes
    ----------
    title : str
    steps : tuple
        What is shown, see `worked.Board`.
    matches : tuple of Match
        All that fit, exact ones first, then most tools first; empty where nothing fits.
    nearest : tuple of Match
        Where nothing fits: the nearest candidates.
    """

    matches: tuple[Match, ...]
    nearest: tuple[Match, ...]


def identify(
    value: float,
    y_true: Any,
    y_pred: Any = None,
    y_score: Any = None,
    *,
    decimals: int | None = None,
) -> Identification:
    """Find every metric and convention that gives a number on these data.

    Parameters
    ----------
    value : float
        The number from a paper, a colleague or a log; nan and inf are numbers too.
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    y_pred : matrix of 0 and 1, same shape, optional
        Needed for set metrics.
    y_score : matrix of finite numbers, same shape, optional
        Needed for ranking metrics.
    decimals : int, optional
        How many decimals were printed, if not those of ``value``: pass 2 for 0.50.

    Returns
    -------
    Identification
        ``matches``, most usual first, with the tools that print the number; where there are none,
        ``nearest``. It shows itself as a table, in text and in a notebook. A number fits exactly,
        rounded or truncated to its decimals, or, where nothing else fits, as a percentage. Single
        labels are tried too, up to 50 of them.

    Raises
    ------
    TypeError, ValueError
        One sentence that names the argument, the first offending value and the remedy.

    References
    ----------
    The tools themselves, see `TOOLS`.

    Examples
    --------
    >>> found = identify(0.5, [[1, 0, 0], [0, 0, 0]], [[1, 0, 0], [0, 0, 0]])
    >>> found.matches[1].metric, found.matches[1].options
    ('samples F1', {'zero_division': 0.0})
    """
    value, digits = _value(value, decimals)
    if y_pred is None and y_score is None:
        raise ValueError("y_pred and y_score are both missing: give the data behind the number")
    candidates = [
        *(_candidates(y_true, y_pred, scores=False) if y_pred is not None else ()),
        *(_candidates(y_true, y_score, scores=True) if y_score is not None else ()),
    ]
    matches = _fitting(candidates, value, digits)
    if not matches and 1 < value <= 100:
        found = _fitting(candidates, value / 100, digits + 2)
        matches = [replace(match, fit="as a percentage") for match in found]
    nearest = [] if matches else _nearest(candidates, value)
    title, steps = _told(value, matches, nearest, y_pred is None, y_score is None)
    return Identification(title, steps, tuple(matches), tuple(nearest))


def _value(value: Any, decimals: Any) -> tuple[float, int]:
    if isinstance(value, (bool, np.bool_)) or not isinstance(
        value, (int, float, np.integer, np.floating)
    ):
        raise TypeError(f"value is {value!r}: give it as a float, such as 0.5")
    if decimals is None:
        exponent = Decimal(repr(float(value))).as_tuple().exponent
        return float(value), max(1, -exponent if isinstance(exponent, int) else 1)
    if isinstance(decimals, bool) or not isinstance(decimals, (int, np.integer)) or decimals < 0:
        raise ValueError(f"decimals is {decimals!r}: give a whole number of 0 or more")
    return float(value), int(decimals)


def _candidates(y_true: Any, y_other: Any, *, scores: bool) -> list[list[Match]]:
    """Per reading, its value under each convention and each departure of a tool, with the tools."""
    truth, other = _read(y_true, y_other, scores=scores)
    untied = scores and not (np.diff(np.sort(other, axis=1), axis=1) == 0).any()
    found = []
    for name, reading in _readings().items():
        if _reads_scores(name) == scores:
            choices = _choices(name)
            if untied:
                del choices["ties"]
            undefined = choices.pop("undefined", ())
            matches = []
            for values in itertools.product(*choices.values()):
                way = dict(zip(choices, values, strict=True))
                if scores:
                    matches += _worth_of_undefined(name, way, undefined, truth, other)
                else:
                    matches.append(Match(name, way, float(reading(truth, other, **way)), ""))
            found.append(_with_tools(name, matches, truth, other))
    return found if scores else found + _single_labels(truth, other)


def _worth_of_undefined(
    name: str, way: Options, undefined: Iterable[float], truth: Matrix, score: Matrix
) -> list[Match]:
    """One match per worth of the samples without a value; a single one where all have a value."""
    each = _reading(name)(truth, score, **way, undefined=math.nan, per_sample=True)
    lacks = np.isnan(each)
    if not lacks.any():
        return [Match(name, way, counts.mean(each), "")]
    return [
        Match(name, {**way, "undefined": worth}, counts.mean(np.where(lacks, worth, each)), "")
        for worth in undefined
    ]


def _single_labels(truth: Any, other: Any) -> list[list[Match]]:
    """The label-based metrics of each label alone."""
    found = []
    for record in catalogue.METRICS:
        if record.family == "label-based" and "beta" not in record.options:
            ways = [{"zero_division": value} for value in (0.0, 1.0, math.nan)]
            columns = [record.function(truth, other, average=None, **way) for way in ways]
            for j in range(min(truth.shape[1], 50)):
                name = f"{record.name} of column {j} alone"
                found.append(
                    [
                        Match(name, way, float(column[j]), "")
                        for way, column in zip(ways, columns, strict=True)
                    ]
                )
    return found


def _with_tools(name: str, matches: list[Match], truth: Any, other: Any) -> list[Match]:
    """The matches with the tools that use each, and those of tools that depart."""
    users: list[list[str]] = [[] for _ in matches]
    departed = []
    for tool in TOOLS.values():
        for setting in ("", *tool.settings):
            translation = tool.metrics.get(_any_beta(name))
            if translation is None or (setting and setting not in translation.settings):
                continue
            label = f"{tool.name}, {setting}" if setting else tool.name
            asked = _options(tool, setting, name)
            (i,) = (
                i
                for i, match in enumerate(matches)
                if all(_is_same_option(match.options[o], asked[o]) for o in match.options)
            )
            theirs = _departed(label, name, truth, other)
            if theirs is None or same(theirs, matches[i].value):
                users[i].append(label)
            else:
                departures = [d.says for d in translation.departures if d.number is not None]
                departed.append(Match(name, {}, theirs, "", (label,), departures[0]))
    return [
        *(replace(m, tools=tuple(u)) for m, u in zip(matches, users, strict=True)),
        *departed,
    ]


def _is_same_option(a: Any, b: Any) -> bool:
    return a is b or a == b or (a != a and b != b)


def _fitting(candidates: list[list[Match]], value: float, decimals: int) -> list[Match]:
    """The candidates that fit, the conventions of each told as shortly as they can be."""
    found = []
    for matches in candidates:
        fits = [replace(match, fit=_fit(value, match.value, decimals)) for match in matches]
        fitting = [match for match in fits if match.fit]
        for one in {_decimal(match.value): match for match in fitting}.values():
            equal = [match for match in fitting if _decimal(match.value) == _decimal(one.value)]
            found += _without_idle_options([match for match in equal if not match.says], fits)
            found += [match for match in equal if match.says]
    return sorted(found, key=_unusual)


def _fit(value: float, candidate: float | str, decimals: int) -> str:
    if isinstance(candidate, str):
        return ""
    if same(value, candidate):
        return "exactly"
    step = 10.0**-decimals
    if abs(candidate - value) <= step / 2 + 1e-9:
        return "rounded"
    if candidate * value >= 0 and -1e-9 <= abs(candidate) - abs(value) < step - 1e-9:
        return "truncated"
    return ""


def _without_idle_options(equal: list[Match], tried: list[Match]) -> list[Match]:
    """Leave out the options that make no difference, and join what is then the same."""
    for option in list(equal[0].options) if equal else []:
        ways = {_way(match.options) for match in equal}
        values = [match.options[option] for match in tried if option in match.options]
        if all(_way({**m.options, option: v}) in ways for m in equal for v in values):
            equal = [
                replace(m, options={o: v for o, v in m.options.items() if o != option})
                for m in equal
            ]
    joined: dict[tuple[str, ...], Match] = {}
    for match in equal:
        earlier = joined.get(_way(match.options), replace(match, tools=()))
        tools = dict.fromkeys((*earlier.tools, *match.tools))
        # A tool that does so by default needs no setting named.
        named = [tool for tool in tools if tool in TOOLS or tool.partition(", ")[0] not in tools]
        named.sort(key=lambda tool: tool not in TOOLS)
        joined[_way(match.options)] = replace(earlier, tools=tuple(named))
    return list(joined.values())


def _way(options: Options) -> tuple[str, ...]:
    """Options as something to compare: unlike nan, it equals itself."""
    return tuple(f"{option}={value!r}" for option, value in options.items())


def _unusual(match: Match) -> tuple[Any, ...]:
    """Sorts exact before rounded, then by how many tools print it without being asked to."""
    by_default = sum("," not in tool for tool in match.tools)
    return (match.fit != "exactly", -by_default, -len(match.tools), "alone" in match.metric)


def _nearest(candidates: list[list[Match]], value: float) -> list[Match]:
    """The readings nearest to the value, one match each, at most three."""

    def distance(match: Match) -> float:
        near = abs(match.value - value) if isinstance(match.value, float) else math.inf
        return math.inf if math.isnan(near) else near

    near = []
    for matches in candidates:
        best = min(matches, key=distance)
        equal = [m for m in matches if _decimal(m.value) == _decimal(best.value)]
        told = _without_idle_options([m for m in equal if not m.says], matches)
        near.append(min([*told, *(m for m in equal if m.says)], key=_unusual))
    near = [match for match in near if distance(match) < math.inf]
    return sorted(near, key=lambda m: (distance(m), _unusual(m)))[:3]


_SHOWN = 20  # rows of a table that one still reads


def _told(
    value: float,
    matches: list[Match],
    nearest: list[Match],
    without_pred: bool,
    without_score: bool,
) -> tuple[str, tuple[Step, ...]]:
    """The title and the tables of an identification."""
    ways = f"{len(matches)} way{'s' if len(matches) != 1 else ''} to get it"
    title = f"{value!r}: {ways if matches else 'no metric gives it here, under no convention'}"
    steps: list[Step] = []
    for caption, rows in (("What fits, most usual first", matches), ("The nearest", nearest)):
        if rows:
            header = ("metric", "convention", "value", "fits", "tools")
            cells = [
                (
                    m.metric,
                    "its own rule" if m.says else m.convention,
                    _decimal(m.value),
                    m.fit or "no",
                    ", ".join(map(_brief, m.tools)) or "–",
                )
                for m in rows[:_SHOWN]
            ]
            steps.append(Table(caption, header, tuple(cells)))
            for rule in dict.fromkeys(
                f"{_brief(m.tools[0])}, {m.metric}: {m.says}." for m in rows[:_SHOWN] if m.says
            ):
                steps.append(Sentence(rule))
    if len(matches) > _SHOWN:
        steps.append(Sentence(f"{len(matches) - _SHOWN} more, less usual, are in .matches."))
    if without_pred:
        steps.append(Sentence("Set metrics were not tried: they need y_pred."))
    if without_score:
        steps.append(Sentence("Ranking metrics were not tried: they need y_score."))
    return title, tuple(steps)


def _brief(tool: str) -> str:
    """A tool with its setting in brackets."""
    name, _, setting = tool.partition(", ")
    return f"{name} ({setting})" if setting else name


def _decimal(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.6f}".rstrip("0").rstrip(".")


# ---------------------------------------------------------------------------- side by side


def compare(name: str, case: str, *, settings: bool = False) -> Board:
    """Put the tools' numbers of one metric on one recorded input side by side with ours.

    Parameters
    ----------
    name : str
        The metric, as `catalogue.describe` names it.
    case : str
        The name of a recorded input.
    settings : bool
        Show also what tools give when asked for another answer than their default.

    Returns
    -------
    Board
        One row per number: the tools that give it, what they call the metric, our options and the number
        that our function gives with them. A tool that was only read in source has no recorded
        number; its row says what its rule gives.

    Raises
    ------
    ValueError
        If no tool has the metric, or no input has that name.

    Examples
    --------
    >>> print(compare("samples F1", "perfect+both_empty").steps[0].rows[0][:2])
    ('scikit-learn', '0.5')
    """
    found = {record.name: record for record in recorded()}
    if case not in found:
        raise ValueError(f"case is {case!r}: choose one of {_listed(found)}")
    record = found[case]
    other = record.other(name)
    rows = []
    for tool in TOOLS.values():
        translation = tool.metrics.get(_any_beta(name))
        for setting in ("", *(tool.settings if settings else ())):
            if translation is None or (setting and setting not in translation.settings):
                continue
            key = f"{tool.name}, {setting}" if setting else tool.name
            theirs = record.numbers.get(name, {}).get(key, number(key, name, record.y_true, other))
            ours = "no option says it"
            if expressible(key, name, record.y_true, other):
                ours = _decimal(_ours(key, name, record.y_true, other))
            said = ", ".join(_way(_options(tool, setting, name))) or "–"
            rows.append((_brief(key), _decimal(theirs), translation.call, said, ours))
    if not rows:
        raise ValueError(f"name is {name!r}: no tool here has it")
    header = ("tool", "its number", "its name for it", "our options", "ours")
    caption = f"truth {record.y_true}, {'scores' if _reads_scores(name) else 'predicted'} {other}"
    return Board(f"{name}: {record.why}", (Table(caption, header, tuple(rows)),))


# ---------------------------------------------------------------------------- what to write in a paper

_AVERAGED = {
    "samples": "a value per sample, then their mean",
    "macro": "a value per label, then their mean",
    "micro": "one ratio over all cells",
    "weighted": "a value per label, then their mean, weighted by the label's true samples",
}
_TIED = {
    "worst": "tied labels share their largest rank",
    "best": "tied labels share their smallest rank",
    "average": "tied labels share their mean rank",
    "first": "of tied labels the lowest index ranks first",
    "last": "of tied labels the highest index ranks first",
}


def report(
    metrics: Sequence[Callable[..., Any]],
    y_true: Any,
    y_pred: Any = None,
    y_score: Any = None,
    *,
    decision: str = "",
) -> str:
    """Write the paragraph that makes results unambiguous: data, metrics, conventions, undefined cases.

    Parameters
    ----------
    metrics : sequence of public metric functions, or of ``functools.partial`` of them
        Conventions other than the defaults are bound in the partial.
    y_true, y_pred : matrix of 0 and 1, shape (n_samples, n_labels)
    y_score : matrix of finite numbers, same shape
        Needed where a metric reads scores.
    decision : str, optional
        How scores became predictions, such as "score >= 0.5".

    Returns
    -------
    str
        One paragraph.

    Raises
    ------
    TypeError, ValueError
        One sentence that names the argument, the first offending value and the remedy.

    References
    ----------
    None: it says in words what the arguments are.

    Examples
    --------
    >>> print(report([example_based.f1], [[1, 0], [0, 0]], [[1, 0], [0, 0]]))
    2 samples, 2 labels, label cardinality (true labels a sample) 0.5; 1 of 2 samples and 1 of 2 \
labels have no true label. samples F1 = 0.5: a value per sample, then their mean; 0/0 counts 0 (1 of 2 samples).
    """
    truth, _ = _read(y_true, y_true, scores=False)
    n_samples, n_labels = truth.shape
    sentences = [
        f"{n_samples} samples, {n_labels} labels, label cardinality (true labels a sample)"
        f" {_decimal(truth.sum() / n_samples)}; {n_samples - truth.any(axis=1).sum()} of {n_samples} samples and"
        f" {n_labels - truth.any(axis=0).sum()} of {n_labels} labels have no true label."
    ]
    if decision:
        sentences.append(f"A label is predicted where {decision}.")
    for metric in metrics:
        reads = catalogue.of(metric).reads
        other = {"y_pred": y_pred, "y_score": y_score}[reads]
        if other is None:
            raise ValueError(f"{reads} is missing: {_name_of(metric)} reads it")
        sentences.append(_sentence(metric, y_true, other))
    return " ".join(sentences)


def _sentence(metric: Callable[..., Any], y_true: Any, y_other: Any) -> str:
    """One metric: its value, how it averages, its conventions, and how often they were needed."""
    record = catalogue.of(metric)
    parameters = inspect.signature(record.function).parameters
    bound = metric.keywords if isinstance(metric, functools.partial) else {}
    chosen = {name: parameters[name].default for name in record.options} | bound
    value = metric(y_true, y_other)
    if np.ndim(value):
        raise ValueError(
            f"{record.id} gives one value per label or sample here: bind what gives one number"
        )
    said = [_AVERAGED[chosen.get("average", "samples")]]
    undecided = _undecided(record, chosen, y_true, y_other)
    for option, words in (("zero_division", "0/0"), ("undefined", "a sample without a value")):
        if option in chosen:
            said.append(f"{words} {_worth(chosen[option])} ({undecided})")
    if "start" in chosen:
        said.append(f"the top label has rank {chosen['start']}")
    if "ties" in chosen:
        said.append(_TIED[chosen["ties"]])
    if chosen.get("sample_weight") is not None:
        said.append("samples are weighted")
    beta = {"beta": bound["beta"]} if "beta" in bound else {}
    average = {"average": chosen["average"]} if "average" in chosen else {}
    name = catalogue.describe(functools.partial(record.function, **average, **beta))
    return f"{name} = {_decimal(float(value))}: {'; '.join(said)}."


def _worth(value: float | str) -> str:
    if value == "agree":
        return "counts 1 where truth and prediction are both empty, else 0"
    return "is left out" if math.isnan(float(value)) else f"counts {_decimal(float(value))}"


def _undecided(record: catalogue.Metric, chosen: Options, y_true: Any, y_other: Any) -> str:
    """How many of the values that are averaged do not exist."""
    beta = {"beta": chosen["beta"]} if "beta" in chosen else {}
    if "zero_division" in chosen and "average" in chosen:
        average = "micro" if chosen["average"] == "micro" else None
        values = record.function(y_true, y_other, average=average, zero_division=math.nan, **beta)
        if average:
            return "it is" if math.isnan(values) else "it is not"
        of = f"{np.size(values)} labels"
    elif "zero_division" in chosen or "undefined" in chosen:
        option = "zero_division" if "zero_division" in chosen else "undefined"
        values = record.function(y_true, y_other, per_sample=True, **{option: math.nan}, **beta)
        of = f"{np.size(values)} samples"
    else:
        return ""
    return f"{np.isnan(values).sum()} of {of}"
