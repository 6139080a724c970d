"""One record per metric: what it is called, what it needs, which way is better.

Whatever lists metrics (the README, the notebooks, the tests, the map) reads these records.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mlm_helpers import exact_match, example_based, hamming, label_based, ranking

FAMILIES = ("exact match", "example-based", "Hamming", "label-based", "ranking")


@dataclass(frozen=True)
class Metric:
    r"""What is known about a metric.

    Attributes
    ----------
    name : str
        The field's usual English name.
    function : callable
        The public function.
    family : str
        One of `FAMILIES`.
    latex : str
        The formula for one sample, or for one label, without the averaging.
    range : tuple of float or str
        Lowest and highest value; "L" stands for the number of labels.
    higher_is_better : bool
    sklearn : str
        The scikit-learn expression of the same number, on ``y_true`` and ``y_pred`` or ``y_score``
        (and ``average`` or ``beta`` where it takes them); empty where it has none.
    names : mapping of str to str
        What tools and documents call it.
    """

    name: str
    function: Callable[..., Any]
    family: str
    latex: str
    range: tuple[float | str, float | str]
    higher_is_better: bool
    sklearn: str
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Module and function, such as ``example_based.f1``."""
        return f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"

    @property
    def direction(self) -> str:
        """In words, which way is better."""
        return "higher is better" if self.higher_is_better else "lower is better"

    @property
    def reads(self) -> str:
        """What it needs beside the truth: ``y_pred`` or ``y_score``."""
        return list(inspect.signature(self.function).parameters)[1]

    @property
    def options(self) -> tuple[str, ...]:
        """The keyword arguments it takes."""
        return tuple(list(inspect.signature(self.function).parameters)[2:])


METRICS = (
    Metric(
        "subset accuracy", exact_match.subset_accuracy, "exact match",
        r"[Z = Y]", (0, 1), True, "accuracy_score(y_true, y_pred)",
        {"scikit-learn": "accuracy_score", "torchmetrics": "MultilabelExactMatch",
         "Spark": "subsetAccuracy", "MULAN": "Subset Accuracy", "MEKA": "Exact match",
         "sklearn_guide": "绝对匹配率（Exact Match Ratio）", "formulas": "Subset Accuracy"},
    ),
    Metric(
        "zero-one loss", exact_match.zero_one_loss, "exact match",
        r"[Z \neq Y]", (0, 1), False, "zero_one_loss(y_true, y_pred)",
        {"scikit-learn": "zero_one_loss", "MEKA": "ZeroOne loss", "sklearn_guide": "0-1损失"},
    ),
    Metric(
        "accuracy (Jaccard)", example_based.accuracy, "example-based",
        r"\frac{|Y \cap Z|}{|Y \cup Z|}", (0, 1), True,
        "jaccard_score(y_true, y_pred, average='samples')",
        {"scikit-learn": "jaccard_score(average='samples')", "Spark": "accuracy",
         "MULAN": "Example-Based Accuracy", "MEKA": "Accuracy",
         "partial_credit": "準確率 Accuracy", "sklearn_guide": "Hamming Score"},
    ),
    Metric(
        "precision", example_based.precision, "example-based",
        r"\frac{|Y \cap Z|}{|Z|}", (0, 1), True,
        "precision_score(y_true, y_pred, average='samples')",
        {"scikit-learn": "precision_score(average='samples')", "Spark": "precision",
         "MULAN": "Example-Based Precision", "partial_credit": "精確率 Precision",
         "sklearn_guide": "精确率", "macro_micro": "samples avg"},
    ),
    Metric(
        "recall", example_based.recall, "example-based",
        r"\frac{|Y \cap Z|}{|Y|}", (0, 1), True,
        "recall_score(y_true, y_pred, average='samples')",
        {"scikit-learn": "recall_score(average='samples')", "Spark": "recall",
         "MULAN": "Example-Based Recall", "partial_credit": "召回率 Recall",
         "sklearn_guide": "召回率", "macro_micro": "samples avg"},
    ),
    Metric(
        "F1", example_based.f1, "example-based",
        r"\frac{2\,|Y \cap Z|}{|Y| + |Z|}", (0, 1), True,
        "f1_score(y_true, y_pred, average='samples')",
        {"scikit-learn": "f1_score(average='samples')", "Spark": "f1Measure",
         "MULAN": "Example-Based F Measure", "MEKA": "F1 (macro averaged by example)",
         "partial_credit": "F1-score", "sklearn_guide": "F1值", "macro_micro": "samples avg"},
    ),
    Metric(
        "Fβ", example_based.fbeta, "example-based",
        r"\frac{(1 + \beta^2)\,|Y \cap Z|}{\beta^2 |Y| + |Z|}", (0, 1), True,
        "fbeta_score(y_true, y_pred, beta=beta, average='samples')",
        {"scikit-learn": "fbeta_score(average='samples')", "MULAN": "Example-Based F Measure"},
    ),
    Metric(
        "Hamming loss", hamming.hamming_loss, "Hamming",
        r"\frac{|Y \mathbin{\triangle} Z|}{L}", (0, 1), False, "hamming_loss(y_true, y_pred)",
        {"scikit-learn": "hamming_loss", "torchmetrics": "MultilabelHammingDistance",
         "Spark": "hammingLoss", "MULAN": "Hamming Loss", "MEKA": "Hamming loss",
         "sklearn_guide": "海明距离（Hamming Loss）", "formulas": "汉明损失", "ranking": "汉明损失"},
    ),
    Metric(
        "precision", label_based.precision, "label-based",
        r"\frac{TP}{TP + FP}", (0, 1), True, "precision_score(y_true, y_pred, average=average)",
        {"scikit-learn": "precision_score", "torchmetrics": "MultilabelPrecision",
         "macro_micro": "precision", "formulas": "宏观精确度, 微观精确度"},
    ),
    Metric(
        "recall", label_based.recall, "label-based",
        r"\frac{TP}{TP + FN}", (0, 1), True, "recall_score(y_true, y_pred, average=average)",
        {"scikit-learn": "recall_score", "torchmetrics": "MultilabelRecall",
         "macro_micro": "recall", "formulas": "宏观召回率, 微观召回率"},
    ),
    Metric(
        "F1", label_based.f1, "label-based",
        r"\frac{2\,TP}{2\,TP + FN + FP}", (0, 1), True,
        "f1_score(y_true, y_pred, average=average)",
        {"scikit-learn": "f1_score", "torchmetrics": "MultilabelF1Score",
         "macro_micro": "macro-F1, micro-F1", "formulas": "宏观 F1 分数, 微观 F1 分数"},
    ),
    Metric(
        "Fβ", label_based.fbeta, "label-based",
        r"\frac{(1 + \beta^2)\,TP}{(1 + \beta^2)\,TP + \beta^2 FN + FP}", (0, 1), True,
        "fbeta_score(y_true, y_pred, beta=beta, average=average)",
        {"scikit-learn": "fbeta_score", "torchmetrics": "MultilabelFBetaScore"},
    ),
    Metric(
        "Jaccard", label_based.jaccard, "label-based",
        r"\frac{TP}{TP + FP + FN}", (0, 1), True,
        "jaccard_score(y_true, y_pred, average=average)",
        {"scikit-learn": "jaccard_score", "torchmetrics": "MultilabelJaccardIndex"},
    ),
    Metric(
        "coverage", ranking.coverage, "ranking",
        r"\max_{j \in Y} \mathrm{rank}(j)", (0, "L"), False, "coverage_error(y_true, y_score)",
        {"scikit-learn": "coverage_error", "torchmetrics": "MultilabelCoverageError",
         "MULAN": "Coverage", "ranking": "覆盖率 (Coverage)"},
    ),
    Metric(
        "one-error", ranking.one_error, "ranking",
        r"[\mathrm{top\ label} \notin Y]", (0, 1), False, "",
        {"MULAN": "OneError", "MEKA": "One error", "ranking": "1-错误率 (One Error)"},
    ),
    Metric(
        "ranking loss", ranking.ranking_loss, "ranking",
        r"\frac{\mathrm{misordered\ pairs}}{|Y|\,(L - |Y|)}", (0, 1), False,
        "label_ranking_loss(y_true, y_score)",
        {"scikit-learn": "label_ranking_loss", "torchmetrics": "MultilabelRankingLoss",
         "MULAN": "Ranking Loss", "MEKA": "Rank loss", "ranking": "排序损失 (Ranking Loss)"},
    ),
    Metric(
        "average precision", ranking.average_precision, "ranking",
        r"\frac{1}{|Y|} \sum_{j \in Y} \frac{\mathrm{rank\ within\ } Y}{\mathrm{rank}}",
        (0, 1), True, "label_ranking_average_precision_score(y_true, y_score)",
        {"scikit-learn": "label_ranking_average_precision_score",
         "torchmetrics": "MultilabelRankingAveragePrecision", "MULAN": "Average Precision",
         "MEKA": "Avg precision", "ranking": "平均精确率 (Average Precision)"},
    ),
)  # fmt: skip


def of(metric: Callable[..., Any]) -> Metric:
    """Find the record of a public function, or of a ``functools.partial`` of it.

    Raises
    ------
    ValueError
        If it is not a metric of this package, or has arguments bound by position.

    Examples
    --------
    >>> of(hamming.hamming_loss).direction
    'lower is better'
    """
    function = metric
    if isinstance(metric, functools.partial):
        function = metric.func
        if metric.args:
            raise ValueError(
                f"metric has {metric.args[0]!r} bound by position: bind options by name alone"
            )
    for record in METRICS:
        if record.function is function:
            return record
    name = getattr(function, "__name__", f"of type {type(function).__name__}")
    raise ValueError(
        f"metric is {name}, which the catalogue does not hold:"
        " pass a public metric function of mlm_helpers or a functools.partial of it"
    )


def describe(metric: Callable[..., Any]) -> str:
    """Name a metric with its average and the options bound to it.

    Examples
    --------
    >>> describe(functools.partial(label_based.f1, average="micro"))
    'micro F1'
    >>> describe(functools.partial(ranking.coverage, start=0))
    'coverage, start=0'
    """
    record = of(metric)
    bound = dict(metric.keywords) if isinstance(metric, functools.partial) else {}
    name = record.name
    if "beta" in bound:
        name = "F" + str(bound.pop("beta")).removesuffix(".0")
    if record.family == "label-based":
        name = f"{bound.pop('average', 'macro')} {name}"
    if record.family == "example-based":
        name = f"samples {name}"
    return ", ".join([name, *(f"{option}={value!r}" for option, value in bound.items())])


def variants() -> dict[str, Callable[..., Any]]:
    """Every metric that gives one number, by name: each average apart, Fβ with β = 2.

    Examples
    --------
    >>> list(variants())[:4]
    ['subset accuracy', 'zero-one loss', 'samples accuracy (Jaccard)', 'samples precision']
    """
    metrics: list[Callable[..., Any]] = []
    for record in METRICS:
        bound: dict[str, Any] = {"beta": 2} if "beta" in record.options else {}
        if "average" in record.options:
            averages = ("macro", "micro", "weighted")
            metrics += [functools.partial(record.function, average=a, **bound) for a in averages]
        else:
            metrics.append(
                functools.partial(record.function, **bound) if bound else record.function
            )
    return {describe(metric): metric for metric in metrics}


def markdown_table() -> str:
    """Write the metrics as a Markdown table, one row each."""
    rows = [
        "| metric | function | better | formula per sample or label | scikit-learn |",
        "|---|---|---|---|---|",
    ]
    for record in METRICS:
        arrow = "↑" if record.higher_is_better else "↓"
        tool = f"`{record.names['scikit-learn']}`" if record.sklearn else "none"
        latex = record.latex.replace("|", r"\vert ")  # a bar would end the cell
        rows.append(f"| {record.name} | `{record.id}` | {arrow} | ${latex}$ | {tool} |")
    return "\n".join(rows)
