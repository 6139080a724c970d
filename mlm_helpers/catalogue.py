"""One record per metric, and it is enough: everything that any room needs to know about it.

Whatever lists, tests, solves, draws or adds up metrics reads these records.
"""

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mlm_helpers import (
    counts,
    curves,
    exact_match,
    example_based,
    hamming,
    inputs,
    label_based,
    ordering,
    ranking,
    top_k,
)

FAMILIES = {
    "exact match": "each row: all right, or not",
    "example-based": "each row: a ratio; then their mean",
    "Hamming": "every cell: right, or wrong",
    "label-based": "each column: a ratio; or all pooled",
    "ranking": "each row: its labels by score",
    "curves": "each column: its samples by score",
    "top k": "each row: its first k labels",
}
"""The families in the order of the course, and how each counts."""


@dataclass(frozen=True)
class Parameter:
    """An option that belongs to the formula of a metric.

    Attributes
    ----------
    check : callable
        Refuses a value in one sentence.
    values : tuple
        What searches try. Tables show the first where the metric has no default.
    symbol : str
        Its sign at the end of the metric's name, which a value replaces: β in Fβ.
    also : tuple
        Further values that people report, under which `conventions` knows and seeks a number.
    """

    check: Callable[[Any], object]
    values: tuple[Any, ...]
    symbol: str = ""
    also: tuple[Any, ...] = ()


_signature = functools.cache(inspect.signature)


@dataclass(frozen=True, eq=False)  # one is itself alone, so that what is made of it can be kept
class Metric:
    """What is known about a metric.

    Attributes
    ----------
    name, function, family
        The field's usual English name; the public function; one of `FAMILIES`.
    latex : str
        The formula for one sample, or for one label, without the averaging: of the true labels Y
        and the predicted Z out of L, or of r(j), the rank of label j, and r_Y(j), that within Y, and
        the first k labels T; of one label, Y are the samples that have it, out of n, and r(i) the
        rank of sample i.
    parts : callable, or None
        The formula as ``(part, whole)``: of `counts.Counts`, or of an `ordering.Order` where it
        reads scores, and of its `parameters`. None where there is none: `left_out` then says why.
    reads : "y_pred" or "y_score"
        What it needs beside the truth.
    along : "sample" or "label"
        What has a value of its own: samples, then their mean; or labels, then an average.
    range : tuple of float or str
        Lowest and highest value; "L" stands for the number of labels.
    parameters : mapping of str to Parameter
        Options of its own, beside the conventions that the family shares.
    prefix : str
        What stands before the name where families meet; the average does where there is one.
    sklearn : str
        The scikit-learn expression of the same number, on ``y_true`` and ``y_pred`` or ``y_score``
        (and ``average`` or ``beta`` where it takes them); empty where it has none.
    names : mapping of str to str
        What the documents call it; what tools call it is in `conventions.TOOLS`.
    left_out : str
        Why batches of it do not add up; empty where they do.
    keeps_sparse : bool
        Whether of sparse scores only what is stored is one; else, what is not stored is 0.
    """

    name: str
    function: Callable[..., Any]
    family: str
    latex: str
    higher_is_better: bool
    parts: Any
    reads: str = "y_pred"
    along: str = "sample"
    range: tuple[float | str, float | str] = (0, 1)
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    prefix: str = ""
    sklearn: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    left_out: str = ""
    keeps_sparse: bool = False

    @property
    def id(self) -> str:
        """Module and function, such as ``example_based.f1``."""
        return f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"

    @property
    def direction(self) -> str:
        """In words, which way is better."""
        return "higher is better" if self.higher_is_better else "lower is better"

    @property
    def options(self) -> tuple[str, ...]:
        """The keyword arguments it takes."""
        return tuple(self.defaults)

    @property
    def defaults(self) -> dict[str, Any]:
        """The keyword arguments it takes, with their defaults, or ``inspect.Parameter.empty``."""
        taken = list(_signature(self.function).parameters.values())[2:]
        return {parameter.name: parameter.default for parameter in taken}

    @property
    def required(self) -> dict[str, Any]:
        """The parameters without a default, as tables show them."""
        return {
            name: parameter.values[0]
            for name, parameter in self.parameters.items()
            if self.defaults[name] is inspect.Parameter.empty
        }

    def bounds(self, n_labels: int, chosen: Mapping[str, Any]) -> tuple[float, float]:
        """Lowest and highest value of a sample or a label that has one."""
        first = chosen["start"] - 1 if "start" in self.parameters else 0
        low, high = (n_labels if end == "L" else float(end) for end in self.range)
        return low + first, high + first

    @property
    def sklearn_name(self) -> str:
        """The scikit-learn expression without what everybody passes: ``precision_score``."""
        function, _, rest = self.sklearn.removesuffix(")").partition("(")
        pairs = [argument.split("=") for argument in rest.split(", ") if "=" in argument]
        kept = [f"{name}={value}" for name, value in pairs if name != value]
        return f"{function}({', '.join(kept)})" if kept else function


_BETA = {"beta": Parameter(inputs.beta, (2.0,), "β")}
_START = {"start": Parameter(inputs.start, (1, 0))}
_SAMPLES: Any = {"family": "example-based", "higher_is_better": True, "prefix": "samples"}
_LABELS: Any = {"family": "label-based", "higher_is_better": True, "along": "label"}
_RANKS: Any = {"family": "ranking", "reads": "y_score"}
_CURVES: Any = {
    "family": "curves", "reads": "y_score", "higher_is_better": True, "along": "label", "parts": None,
    "left_out": "it needs all scores of a label at once, and between cuts it is bounded",
}  # fmt: skip
_FIRST: Any = {
    "family": "top k", "reads": "y_score", "keeps_sparse": True, "higher_is_better": True,
    "parameters": {"k": Parameter(inputs.k, (1, 2), "k", (3, 5))},
}  # fmt: skip

METRICS = (
    Metric(
        name="subset accuracy", function=exact_match.subset_accuracy, parts=counts.all_right,
        latex=r"[Z = Y]", family="exact match", higher_is_better=True,
        sklearn="accuracy_score(y_true, y_pred)",
        names={"sklearn_guide": "绝对匹配率（Exact Match Ratio）", "formulas": "Subset Accuracy"},
    ),
    Metric(
        name="zero-one loss", function=exact_match.zero_one_loss, parts=counts.any_wrong,
        latex=r"[Z \neq Y]", family="exact match", higher_is_better=False,
        sklearn="zero_one_loss(y_true, y_pred)",
        names={"sklearn_guide": "0-1损失"},
    ),
    Metric(
        name="accuracy (Jaccard)", function=example_based.accuracy, parts=counts.jaccard,
        latex=r"\frac{|Y \cap Z|}{|Y \cup Z|}", **_SAMPLES,
        sklearn="jaccard_score(y_true, y_pred, average='samples')",
        names={"partial_credit": "準確率 Accuracy", "sklearn_guide": "Hamming Score"},
    ),
    Metric(
        name="precision", function=example_based.precision, parts=counts.precision,
        latex=r"\frac{|Y \cap Z|}{|Z|}", **_SAMPLES,
        sklearn="precision_score(y_true, y_pred, average='samples')",
        names={"partial_credit": "精確率 Precision", "sklearn_guide": "精确率",
               "macro_micro": "samples avg"},
    ),
    Metric(
        name="recall", function=example_based.recall, parts=counts.recall,
        latex=r"\frac{|Y \cap Z|}{|Y|}", **_SAMPLES,
        sklearn="recall_score(y_true, y_pred, average='samples')",
        names={"partial_credit": "召回率 Recall", "sklearn_guide": "召回率",
               "macro_micro": "samples avg"},
    ),
    Metric(
        name="F1", function=example_based.f1, parts=counts.f1,
        latex=r"\frac{2\,|Y \cap Z|}{|Y| + |Z|}", **_SAMPLES,
        sklearn="f1_score(y_true, y_pred, average='samples')",
        names={"partial_credit": "F1-score", "sklearn_guide": "F1值", "macro_micro": "samples avg"},
    ),
    Metric(
        name="Fβ", function=example_based.fbeta, parts=counts.fbeta,
        latex=r"\frac{(1 + \beta^2)\,|Y \cap Z|}{\beta^2 |Y| + |Z|}", **_SAMPLES,
        parameters=_BETA, sklearn="fbeta_score(y_true, y_pred, beta=beta, average='samples')",
    ),
    Metric(
        name="Hamming loss", function=hamming.hamming_loss, parts=counts.wrong,
        latex=r"\frac{|Y \mathbin{\triangle} Z|}{L}", family="Hamming", higher_is_better=False,
        sklearn="hamming_loss(y_true, y_pred)",
        names={"sklearn_guide": "海明距离（Hamming Loss）", "formulas": "汉明损失", "ranking": "汉明损失"},
    ),
    Metric(
        name="precision", function=label_based.precision, parts=counts.precision,
        latex=r"\frac{TP}{TP + FP}", **_LABELS,
        sklearn="precision_score(y_true, y_pred, average=average)",
        names={"macro_micro": "precision", "formulas": "宏观精确度, 微观精确度"},
    ),
    Metric(
        name="recall", function=label_based.recall, parts=counts.recall,
        latex=r"\frac{TP}{TP + FN}", **_LABELS,
        sklearn="recall_score(y_true, y_pred, average=average)",
        names={"macro_micro": "recall", "formulas": "宏观召回率, 微观召回率"},
    ),
    Metric(
        name="F1", function=label_based.f1, parts=counts.f1,
        latex=r"\frac{2\,TP}{2\,TP + FN + FP}", **_LABELS,
        sklearn="f1_score(y_true, y_pred, average=average)",
        names={"macro_micro": "macro-F1, micro-F1", "formulas": "宏观 F1 分数, 微观 F1 分数"},
    ),
    Metric(
        name="Fβ", function=label_based.fbeta, parts=counts.fbeta,
        latex=r"\frac{(1 + \beta^2)\,TP}{(1 + \beta^2)\,TP + \beta^2 FN + FP}", **_LABELS,
        parameters=_BETA, sklearn="fbeta_score(y_true, y_pred, beta=beta, average=average)",
    ),
    Metric(
        name="Jaccard", function=label_based.jaccard, parts=counts.jaccard,
        latex=r"\frac{TP}{TP + FP + FN}", **_LABELS,
        sklearn="jaccard_score(y_true, y_pred, average=average)",
    ),
    Metric(
        name="coverage", function=ranking.coverage, parts=ordering.coverage, **_RANKS,
        latex=r"\max_{j \in Y} r(j)", higher_is_better=False,
        parameters=_START, range=(1, "L"), sklearn="coverage_error(y_true, y_score)",
        names={"ranking": "覆盖率 (Coverage)"},
    ),
    Metric(
        name="one-error", function=ranking.one_error, parts=ordering.one_error, **_RANKS,
        latex=r"[\mathrm{top\ label} \notin Y]", higher_is_better=False,
        names={"ranking": "1-错误率 (One Error)"},
    ),
    Metric(
        name="ranking loss", function=ranking.ranking_loss, parts=ordering.ranking_loss, **_RANKS,
        latex=r"\frac{\sum_{j \in Y} (r(j) - r_Y(j))}{|Y|\,(L - |Y|)}", higher_is_better=False,
        sklearn="label_ranking_loss(y_true, y_score)",
        names={"ranking": "排序损失 (Ranking Loss)"},
    ),
    Metric(
        name="average precision", function=ranking.average_precision,
        parts=ordering.average_precision, **_RANKS, higher_is_better=True,
        latex=r"\frac{1}{|Y|} \sum_{j \in Y} \frac{r_Y(j)}{r(j)}",
        sklearn="label_ranking_average_precision_score(y_true, y_score)",
        names={"ranking": "平均精确率 (Average Precision)"},
    ),
    Metric(
        name="AP", function=curves.average_precision, **_CURVES,
        latex=r"\frac{1}{|Y|} \sum_{i \in Y} \frac{r_Y(i)}{r(i)}",
        parameters={"interpolation": Parameter(inputs.interpolation, inputs.INTERPOLATIONS)},
        sklearn="average_precision_score(y_true, y_score, average=average)",
    ),
    Metric(
        name="AUROC", function=curves.roc_auc, **_CURVES,
        latex=r"1 - \frac{\sum_{i \in Y} (r(i) - r_Y(i))}{|Y|\,(n - |Y|)}",
        sklearn="roc_auc_score(y_true, y_score, average=average)",
    ),
    Metric(
        name="precision at k", function=top_k.precision, parts=ordering.precision_at, **_FIRST,
        latex=r"\frac{|Y \cap T|}{k}",
    ),
    Metric(
        name="recall at k", function=top_k.recall, parts=ordering.recall_at, **_FIRST,
        latex=r"\frac{|Y \cap T|}{|Y|}",
    ),
    Metric(
        name="nDCG at k", function=top_k.ndcg, parts=ordering.ndcg_at, **_FIRST,
        latex=r"\frac{\sum_{j \in Y \cap T} \frac{1}{\log_2(r(j) + 1)}}"
        r"{\sum_{j = 1}^{\min(k, |Y|)} \frac{1}{\log_2(j + 1)}}",
        sklearn="ndcg_score(y_true, y_score, k=k)",
    ),
)  # fmt: skip


def of(metric: Callable[..., Any]) -> Metric:
    """Find the record of a public function, or of a ``functools.partial`` with options by name.

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


def settings(metric: Callable[..., Any], **given: Any) -> dict[str, Any]:
    """Every option of a metric: given here, bound by the partial, or its default; all checked."""
    record = of(metric)
    defaults = record.defaults
    bound = metric.keywords if isinstance(metric, functools.partial) else {}
    chosen = defaults | bound | given
    for option, value in chosen.items():
        if option not in defaults:
            raise TypeError(
                f"{option} is not an option of {record.id}: it takes {', '.join(defaults)}"
            )
        if value is inspect.Parameter.empty:
            example = f"{option}={record.parameters[option].values[0]:g}"
            raise TypeError(f"{option} is missing: {record.id} needs it, for example {example}")
        if option in record.parameters:
            record.parameters[option].check(value)
        elif option in inputs.CHECKS:
            inputs.CHECKS[option](value)
    return chosen


def describe(metric: Callable[..., Any]) -> str:
    """Name a metric with its average and what else is bound: "micro F1", "coverage, start=0"."""
    record = of(metric)
    bound = dict(metric.keywords) if isinstance(metric, functools.partial) else {}
    name, prefix = record.name, record.prefix
    for option, parameter in record.parameters.items():
        if parameter.symbol and option in bound:
            value = inputs.shown(bound.pop(option)).removesuffix(".0")
            name = name.removesuffix(parameter.symbol) + value
    if record.along == "label":
        prefix = str(bound.pop("average", record.defaults["average"]))
    said = [f"{prefix} {name}" if prefix else name]
    return ", ".join(said + [f"{option}={inputs.shown(bound[option])}" for option in bound])


def variants() -> dict[str, Callable[..., Any]]:
    """Every metric that gives one number, by name: each average apart, Fβ with β = 2.

    Examples
    --------
    >>> list(variants())[:4]
    ['subset accuracy', 'zero-one loss', 'samples accuracy (Jaccard)', 'samples precision']
    """
    found: dict[str, Callable[..., Any]] = {}
    for record in METRICS:
        averages = inputs.AVERAGES[:-1] if record.along == "label" else ()
        for choice in [{"average": average} for average in averages] or [{}]:
            bound = record.required | choice
            metric = functools.partial(record.function, **bound) if bound else record.function
            found[describe(metric)] = metric
    return found


def general(metric: Callable[..., Any]) -> str:
    """Name a metric with its average, whatever its other options: F2 is an Fβ."""
    record = of(metric)
    if record.along != "label":
        return describe(record.function)
    average = settings(metric, **record.required)["average"] or record.defaults["average"]
    return describe(functools.partial(record.function, average=average))


def markdown_table() -> str:
    """Write the metrics as a Markdown table, one row each."""
    rows = [
        "| metric | function | better | formula per sample or label | scikit-learn |",
        "|---|---|---|---|---|",
    ]
    for record in METRICS:
        arrow = "↑" if record.higher_is_better else "↓"
        tool = f"`{record.sklearn_name}`" if record.sklearn else "none"
        latex = record.latex.replace("|", r"\vert ")  # a bar would end the cell
        rows.append(f"| {record.name} | `{record.id}` | {arrow} | ${latex}$ | {tool} |")
    return "\n".join(rows)
