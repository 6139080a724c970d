"""The records of all metrics: a record holds all that other modules need to know about a metric.

Whatever lists, tests, solves, draws or adds up metrics reads these records. `METRICS` holds them all;
what the course shows is `taught`, a fixed choice: a new metric changes nothing there.
"""

import functools
import inspect
import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import (
    curves,
    exact_match,
    example_based,
    hamming,
    hierarchy,
    label_based,
    probability,
    ranking,
    top_k,
)
from mlm_helpers._core import counts, inputs, losses, ordering
from mlm_helpers._core.inputs import Data, FloatArray

MetricFunction: TypeAlias = Callable[..., Any]
"""A metric as an argument: a public function, or a ``functools.partial`` of it."""

FAMILIES = {
    "exact match": "each row: all right, or not",
    "example-based": "each row: a ratio; then their mean",
    "Hamming": "every cell: right, or wrong",
    "label-based": "each column: a ratio; or all pooled",
    "ranking": "each row: its labels by score",
    "curves": "each column: its samples by score",
    "top k": "each row: its first k labels",
    "probability": "each cell, or each bin of a column: the probability against the truth",
    "hierarchy": "each label brings those above it; then as before",
}
"""The families in the order of the course, and how each counts."""


@dataclass(frozen=True)
class Parameter:
    """An option that belongs to the formula of a metric.

    Attributes
    ----------
    check : callable
        Refuses a bad value in one sentence. For an option per label it also takes the number of labels,
        and returns the checked option.
    values : tuple
        The values that searches try. Tables show the first where the metric has no default. For an
        option per label each value is a function of the number of labels, which metrics accept too.
    symbol : str
        The sign at the end of the metric's name that a value replaces: β in Fβ.
    also : tuple
        Further values that people report, which `conventions` tries too.
    per_label : bool
        Whether the option has an entry for each label, such as its inverse propensity or its parents.
    """

    check: Callable[..., object]
    values: tuple[Any, ...]
    symbol: str = ""
    also: tuple[Any, ...] = ()
    per_label: bool = False

    def read(self, value: Any, n_labels: int) -> Any:
        """A value, checked; for an option per label what ``check`` makes of it."""
        if self.per_label:
            return self.check(value, n_labels)
        self.check(value)
        return value

    def examples(self, n_labels: int) -> tuple[Any, ...]:
        """The values that searches try on data of ``n_labels`` labels."""
        return tuple(value(n_labels) for value in self.values) if self.per_label else self.values


_signature = functools.cache(inspect.signature)


@dataclass(frozen=True, eq=False, repr=False)  # a record equals itself alone, and can be a key
class Metric:
    """The record of a metric.

    Attributes
    ----------
    name, function, family
        The field's usual English name; the public function; one of `FAMILIES`.
    latex : str
        The formula for one sample, or for one label, without the averaging: of the true labels Y
        and the predicted Z out of L, or of r(j), the rank of label j, and r_Y(j), that within Y, and
        the first k labels T; of one label, Y are the samples that have it, out of n, and r(i) the
        rank of sample i.
    words : str
        The same formula in words, which every metric's exercises show: "hits ÷ predicted labels".
    parts : callable, or None
        The formula as ``(part, whole)``: of `counts.Counts`, or of an `ordering.RankedRows` where it
        reads scores, and of those of its `parameters` that it takes. The whole is 0 exactly where
        there is no value, and never below. Where it reads probabilities, of the truth and the
        probability of a cell: the cell's loss. None where there is no such formula.
    undefined_where : str
        When the metric has no value, as words after "where": "nothing is predicted for a sample". Empty
        if it always has one.
    reads : "y_pred", "y_score" or "y_prob"
        What the metric needs beside the truth: label sets, scores whose order counts, or probabilities.
    along : "sample", "label" or "all"
        What has a value of its own: samples, then their mean; labels, then an average; or nothing
        but the whole data set, whose samples' parts and wholes are added up before they are divided.
    range : tuple of float or str
        Lowest and highest value; "L" stands for the number of labels.
    parameters : mapping of str to Parameter
        Options of this metric, beside those that its family shares.
    prepare : callable, optional
        A step before the formula, such as adding the ancestors of labels: a function of `inputs.Data`
        and all options that returns the data to count, with their ``known`` cells.
    prefix : str
        The word before the name in tables of several families; a metric with averages has none.
    sklearn : str
        The scikit-learn expression of the same number, on ``y_true`` and ``y_pred`` or ``y_score``
        (and ``average`` or ``beta`` where it takes them); empty where it has none.
    sklearn_but : tuple
        The averages under which that expression is another number: "weighted".
    names : mapping of str to str
        The documents' names of the metric; those of tools are in `conventions.TOOLS`.
    keeps_sparse : bool
        Whether only stored cells of a sparse matrix have a score; else the other cells have the score 0.
    taught : str, or None
        The notebook that teaches the metric. Without one the metric is in no table, picture, quiz or
        explorer of the course; assignments may ask for it.
    """

    name: str
    function: MetricFunction
    family: str
    latex: str
    higher_is_better: bool
    parts: Any
    words: str = ""
    undefined_where: str = ""
    reads: Literal["y_pred", "y_score", "y_prob"] = "y_pred"
    along: Literal["sample", "label", "all"] = "sample"
    range: tuple[float | str, float | str] = (0, 1)
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    prepare: Callable[[Data, Mapping[str, Any]], Data] | None = None
    prefix: str = ""
    sklearn: str = ""
    sklearn_but: tuple[str | None, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    keeps_sparse: bool = False
    taught: str | None = None

    def __repr__(self) -> str:
        """Text with the function alone: ``Metric(label_based.f1)``."""
        return f"Metric({self.id})"

    @property
    def id(self) -> str:
        """Module and function, such as ``example_based.f1``."""
        return f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"

    @property
    def direction(self) -> str:
        """The better direction in words: ``higher is better`` or ``lower is better``."""
        return "higher is better" if self.higher_is_better else "lower is better"

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the metric's keyword arguments."""
        return tuple(self.defaults)

    @property
    def averages(self) -> tuple[str | None, ...]:
        """The values of its ``average``; empty where it takes none."""
        each = self.along == "label"
        if "average" in self.parameters:
            return self.parameters["average"].values + (None,) * each
        return inputs.AVERAGES if each else ()

    def averaged_along(self, chosen: Mapping[str, Any]) -> str:
        """What is averaged under these options: samples, labels, or nothing ("all")."""
        return "sample" if chosen.get("average") == "samples" else self.along

    @functools.cached_property
    def defaults(self) -> dict[str, Any]:
        """The metric's keyword arguments with their defaults, or ``inspect.Parameter.empty``."""
        taken = list(_signature(self.function).parameters.values())[2:]
        return {parameter.name: parameter.default for parameter in taken}

    @functools.cached_property
    def required(self) -> dict[str, Any]:
        """The parameters without a default, each with the value that tables show."""
        return {
            name: parameter.values[0]
            for name, parameter in self.parameters.items()
            if self.defaults[name] is inspect.Parameter.empty
        }

    @functools.cached_property
    def asks_per_label(self) -> tuple[str, ...]:
        """The required options with an entry for each label, which only a user can know."""
        return tuple(name for name in self.required if self.parameters[name].per_label)

    def bounds(self, n_labels: int, chosen: Mapping[str, Any]) -> tuple[float, float]:
        """Lowest and highest value of a sample or a label that has one."""
        first = chosen["start"] - 1 if "start" in self.parameters else 0
        low, high = (n_labels if end == "L" else float(end) for end in self.range)
        return low + first, high + first

    def formula(self, chosen: Mapping[str, Any], n_labels: int = 1) -> Callable[..., counts.Parts]:
        """The function `parts` with those of the chosen options that it takes, on data of so many labels."""
        taken = {name: chosen[name] for name in _signature(self.parts).parameters if name in chosen}
        for name in taken.keys() & self.parameters:
            taken[name] = self.parameters[name].read(taken[name], n_labels)
        return partial(self.parts, **taken)

    def read(
        self, y_true: Any, y_other: Any, sample_weight: Any = None, *, name: str | None = None
    ) -> Data:
        """The data, checked as the metric checks them; messages call ``y_other`` ``name``."""
        given, called = (y_true, y_other, sample_weight), name or self.reads
        if self.reads == "y_score":
            return inputs.label_scores(*given, keep_sparse=self.keeps_sparse, name=called)
        gate = inputs.label_sets if self.reads == "y_pred" else inputs.probabilities
        return gate(*given, name=called)

    def votes(self, data: Data) -> FloatArray:
        """The weight of each sample in the mean over samples."""
        weight = (data.pooled() if self.of_cells else data).weight
        return np.ones(data.shape[0]) if weight is None else weight

    def of_samples(self, data: Data, chosen: Mapping[str, Any]) -> counts.Parts:
        """Part and whole of each sample, under all options."""
        if self.prepare is not None:
            data = self.prepare(data, chosen)
        formula = self.formula(chosen, data.shape[1])
        if self.reads == "y_pred":
            return formula(counts.count(data, axis=1))
        if self.reads == "y_prob":
            loss: Any = formula
            return losses.over_samples(loss, data)
        part, whole = ordering.read([formula], data, chosen["ties"])[0]
        return part, whole

    @property
    def sklearn_name(self) -> str:
        """The scikit-learn expression without what everybody passes: ``precision_score``."""
        function, _, rest = self.sklearn.removesuffix(")").partition("(")
        plain = ("y_true", self.reads, *(f"{name}={name}" for name in self.options))
        kept = [argument for argument in rest.split(", ") if argument not in plain]
        return f"{function}({', '.join(kept)})" if any(kept) else function

    def sklearn_call(self, average: str | None) -> str:
        """That expression under an average; all cells at once have none. Empty where it is another number."""
        name = "" if average in self.sklearn_but else self.sklearn_name
        if not (name and average) or ".ravel()" in name:
            return name
        # behind matrices such as 1 - y_true
        return f"{name.removesuffix(')')}{', ' if name.endswith(')') else '('}average={average!r})"

    # ------------------------------------------------------------------ what the formula itself says

    @functools.cached_property
    def reads_tn(self) -> bool:
        """Whether the formula reads true negatives."""
        if self.reads != "y_pred":
            return False
        cells = np.array([c for c in itertools.product(range(3), repeat=4) if any(c)]).T
        parts = (self._parts(each) for each in (cells, [*cells[:3], cells[3] + 3]))
        before, after = (counts.divided(part, whole, np.nan) for part, whole in parts)
        return not np.allclose(before, after, equal_nan=True)

    @functools.cached_property
    def reads_orders(self) -> bool:
        """Whether tied labels have the worst, best or mean value over all their orders, and share no rank."""
        if "ties" not in self.options or self.along == "label":
            return False
        metric = functools.partial(self.function, **self.required)
        orders = [metric([[1, 1, 0, 0]], [order]) for order in itertools.permutations(range(4))]
        tied = metric([[1, 1, 0, 0]], [[1, 1, 1, 1]], ties="average")
        return math.isclose(tied, sum(orders) / len(orders))

    @functools.cached_property
    def linear(self) -> bool:
        """Whether part and whole of a set metric are sums over cells; a root is not."""
        if self.reads != "y_pred":
            return False
        cells = np.array(list(itertools.product(range(3), repeat=8))).T
        one, other, both = (
            self._parts(each) for each in (cells[:4], cells[4:], cells[:4] + cells[4:])
        )
        return all(np.allclose(a + b, c) for a, b, c in zip(one, other, both, strict=True))

    @property
    def adds_up(self) -> bool:
        """Whether the metric follows from sums and counts of batches, so that scorecards have it."""
        return self.parts is not None and not (self.along == "all" and self.averages)

    @property
    def of_label_counts(self) -> bool:
        """Whether every average follows from the four counts of the labels as they are given."""
        return (self.along, self.reads) == ("label", "y_pred") and not self.prepare

    @functools.cached_property
    def of_cells(self) -> bool:
        """Whether the metric is a share of all cells, so that a sample weighs as much as it has known cells."""
        if self.along != "sample" or not self.linear:
            return False
        _, whole = self._parts(np.eye(4))  # a cell of each kind
        return bool((whole == whole[0]).all())

    def _parts(self, cells: Any) -> counts.Parts:
        """Part and whole of columns of four counts, under the first value of each option."""
        chosen = {name: one.values[0] for name, one in self.parameters.items()}
        parts = self.formula(chosen)(counts.Counts(*np.asarray(cells)))
        part, whole = np.broadcast_arrays(*(np.asarray(one, dtype=float) for one in parts))
        return part, whole


_BETA = {"beta": Parameter(inputs.beta, (2.0,), "β")}
_START = {"start": Parameter(inputs.start, (1, 0))}
_K = {"k": Parameter(inputs.k, (1, 2), "k", (3, 5))}

_EXACT: Any = {"family": "exact match"}
_SAMPLES: Any = {"family": "example-based", "higher_is_better": True, "prefix": "samples"}
_LABELS: Any = {"family": "label-based", "higher_is_better": True, "along": "label"}
_RANKS: Any = {"family": "ranking", "reads": "y_score"}
_CURVES: Any = {
    "family": "curves", "reads": "y_score", "higher_is_better": True, "along": "label", "parts": None,
}  # fmt: skip
_FIRST: Any = {
    "family": "top k", "reads": "y_score", "keeps_sparse": True, "higher_is_better": True, "parameters": _K,
}  # fmt: skip
_WORTH = Parameter(
    partial(inputs.per_label, name="inverse_propensities"),
    (lambda n_labels: [*range(1, n_labels + 1)], lambda n_labels: [1.5] + [1] * (n_labels - 1)),
    per_label=True,
)
_RARE: Any = _FIRST | {
    "along": "all", "undefined_where": "no sample has a relevant label",
    "parameters": {"inverse_propensities": _WORTH, **_K},
}  # fmt: skip

_CHANCES: Any = {
    "family": "probability", "reads": "y_prob", "along": "label", "higher_is_better": False,
    "parameters": {"average": Parameter(probability.macro_or_each, ("macro",))},
}  # fmt: skip


_PARENTS = Parameter(  # a tree in which each label has at most two children; a path
    inputs.parents,
    (lambda n_labels: [[(j - 1) // 2] * (j > 0) for j in range(n_labels)],
     lambda n_labels: [[j - 1] * (j > 0) for j in range(n_labels)]),
    per_label=True,
)  # fmt: skip
_CLOSED: Any = {
    "family": "hierarchy", "higher_is_better": True, "along": "all", "prepare": lambda data, options: hierarchy.closed(data, options["parents"]),
    "parameters": {
        "parents": _PARENTS,
        "average": Parameter(hierarchy.check_average, hierarchy.AVERAGES),
    },
}  # fmt: skip

_PRECISION: Any = {"parts": counts.precision, "words": "hits ÷ predicted labels"}
_RECALL: Any = {"parts": counts.recall, "words": "hits ÷ true labels"}
_JACCARD: Any = {"parts": counts.jaccard, "words": "hits ÷ labels true or predicted"}
_F1: Any = {"parts": counts.f1, "words": "2 × hits ÷ (true labels + predicted labels)"}
_FBETA: Any = {
    "parts": counts.fbeta, "words": "(1 + β²) × hits ÷ (β² × true labels + predicted labels)",
    "parameters": _BETA,
}  # fmt: skip

METRICS: list[Metric] = [
    Metric(
        name="subset accuracy", function=exact_match.subset_accuracy, parts=counts.all_right,
        words="1 where all is right",
        latex=r"[Z = Y]", **_EXACT, higher_is_better=True,
        sklearn="accuracy_score(y_true, y_pred)",
        names={"sklearn_guide": "绝对匹配率（Exact Match Ratio）", "formulas": "Subset Accuracy"},
        taught="01_exact_match",
    ),
    Metric(
        name="zero-one loss", function=exact_match.zero_one_loss, parts=counts.any_wrong,
        words="1 where anything is wrong",
        latex=r"[Z \neq Y]", **_EXACT, higher_is_better=False,
        sklearn="zero_one_loss(y_true, y_pred)",
        names={"sklearn_guide": "0-1损失"},
        taught="01_exact_match",
    ),
    Metric(
        name="accuracy (Jaccard)", function=example_based.accuracy, **_JACCARD,
        undefined_where="a sample has neither true nor predicted labels",
        latex=r"\frac{|Y \cap Z|}{|Y \cup Z|}", **_SAMPLES,
        sklearn="jaccard_score(y_true, y_pred, average='samples')",
        names={"partial_credit": "準確率 Accuracy", "sklearn_guide": "Hamming Score"},
        taught="02_example_based",
    ),
    Metric(
        name="precision", function=example_based.precision, **_PRECISION,
        undefined_where="nothing is predicted for a sample",
        latex=r"\frac{|Y \cap Z|}{|Z|}", **_SAMPLES,
        sklearn="precision_score(y_true, y_pred, average='samples')",
        names={"partial_credit": "精確率 Precision", "sklearn_guide": "精确率",
               "macro_micro": "samples avg"},
        taught="02_example_based",
    ),
    Metric(
        name="recall", function=example_based.recall, **_RECALL,
        undefined_where="a sample has no true label",
        latex=r"\frac{|Y \cap Z|}{|Y|}", **_SAMPLES,
        sklearn="recall_score(y_true, y_pred, average='samples')",
        names={"partial_credit": "召回率 Recall", "sklearn_guide": "召回率",
               "macro_micro": "samples avg"},
        taught="02_example_based",
    ),
    Metric(
        name="F1", function=example_based.f1, **_F1,
        undefined_where="a sample has neither true nor predicted labels",
        latex=r"\frac{2\,|Y \cap Z|}{|Y| + |Z|}", **_SAMPLES,
        sklearn="f1_score(y_true, y_pred, average='samples')",
        names={"partial_credit": "F1-score", "sklearn_guide": "F1值", "macro_micro": "samples avg"},
        taught="02_example_based",
    ),
    Metric(
        name="Fβ", function=example_based.fbeta, **_FBETA,
        undefined_where="a sample has neither true nor predicted labels",
        latex=r"\frac{(1 + \beta^2)\,|Y \cap Z|}{\beta^2 |Y| + |Z|}", **_SAMPLES,
        sklearn="fbeta_score(y_true, y_pred, beta=beta, average='samples')",
        taught="02_example_based",
    ),
    Metric(
        name="Hamming loss", function=hamming.hamming_loss, parts=counts.wrong,
        words="wrong cells ÷ all cells",
        latex=r"\frac{|Y \mathbin{\triangle} Z|}{L}", family="Hamming", higher_is_better=False,
        taught="03_hamming_loss",
        sklearn="hamming_loss(y_true, y_pred)",
        names={"sklearn_guide": "海明距离（Hamming Loss）", "formulas": "汉明损失", "ranking": "汉明损失"},
    ),
    Metric(
        name="precision", function=label_based.precision, **_PRECISION,
        undefined_where="a label is never predicted",
        latex=r"\frac{TP}{TP + FP}", **_LABELS,
        sklearn="precision_score(y_true, y_pred, average=average)",
        names={"macro_micro": "precision", "formulas": "宏观精确度, 微观精确度"},
        taught="04_label_based",
    ),
    Metric(
        name="recall", function=label_based.recall, **_RECALL,
        undefined_where="no sample has the label",
        latex=r"\frac{TP}{TP + FN}", **_LABELS,
        sklearn="recall_score(y_true, y_pred, average=average)",
        names={"macro_micro": "recall", "formulas": "宏观召回率, 微观召回率"},
        taught="04_label_based",
    ),
    Metric(
        name="F1", function=label_based.f1, **_F1,
        undefined_where="a label is neither true nor predicted anywhere",
        latex=r"\frac{2\,TP}{2\,TP + FN + FP}", **_LABELS,
        sklearn="f1_score(y_true, y_pred, average=average)",
        names={"macro_micro": "macro-F1, micro-F1", "formulas": "宏观 F1 分数, 微观 F1 分数"},
        taught="04_label_based",
    ),
    Metric(
        name="Fβ", function=label_based.fbeta, **_FBETA,
        undefined_where="a label is neither true nor predicted anywhere",
        latex=r"\frac{(1 + \beta^2)\,TP}{(1 + \beta^2)\,TP + \beta^2 FN + FP}", **_LABELS,
        sklearn="fbeta_score(y_true, y_pred, beta=beta, average=average)",
        taught="04_label_based",
    ),
    Metric(
        name="Jaccard", function=label_based.jaccard, **_JACCARD,
        undefined_where="a label is neither true nor predicted anywhere",
        latex=r"\frac{TP}{TP + FP + FN}", **_LABELS,
        sklearn="jaccard_score(y_true, y_pred, average=average)",
        taught="04_label_based",
    ),
    Metric(
        name="specificity", function=label_based.specificity, parts=counts.specificity,
        words="rightly left out ÷ samples without the label",
        undefined_where="every sample has the label",
        latex=r"\frac{TN}{TN + FP}", **_LABELS,
        sklearn="recall_score(1 - y_true, 1 - y_pred, average=average)", sklearn_but=("weighted",),
    ),
    Metric(
        name="negative predictive value", function=label_based.negative_predictive_value,
        parts=counts.negative_predictive_value,
        words="rightly left out ÷ samples predicted without the label",
        undefined_where="a label is predicted for every sample",
        latex=r"\frac{TN}{TN + FN}", **_LABELS,
        sklearn="precision_score(1 - y_true, 1 - y_pred, average=average)", sklearn_but=("weighted",),
    ),
    Metric(
        name="balanced accuracy", function=label_based.balanced_accuracy,
        parts=counts.balanced_accuracy, words="mean of recall and specificity",
        undefined_where="no sample has the label, or every sample has it",
        latex=r"\frac{1}{2} \left( \frac{TP}{TP + FN} + \frac{TN}{TN + FP} \right)", **_LABELS,
    ),
    Metric(
        name="Matthews correlation", function=label_based.matthews_correlation,
        parts=counts.matthews_correlation, words="correlation of truth and prediction",
        undefined_where="no sample or every sample has the label, or is predicted to have it",
        latex=r"\frac{TP \cdot TN - FP \cdot FN}{\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}",
        **_LABELS, range=(-1, 1),
    ),
    Metric(
        name="kappa", function=label_based.kappa, parts=counts.kappa,
        words="(right − right by chance) ÷ (1 − right by chance), of shares of the samples",
        undefined_where="no sample has the label or is predicted to, or every sample has it and is",
        latex=r"\frac{2\,(TP \cdot TN - FP \cdot FN)}{(TP + FP)(TN + FP) + (TP + FN)(TN + FN)}",
        **_LABELS, range=(-1, 1),
    ),
    Metric(
        name="coverage", function=ranking.coverage, parts=ordering.coverage, **_RANKS,
        words="the rank of the last relevant label",
        undefined_where="a sample has no relevant label",
        latex=r"\max_{j \in Y} r(j)", higher_is_better=False,
        parameters=_START, range=(1, "L"), sklearn="coverage_error(y_true, y_score)",
        names={"ranking": "覆盖率 (Coverage)"},
        taught="05_ranking",
    ),
    Metric(
        name="one-error", function=ranking.one_error, parts=ordering.one_error, **_RANKS,
        words="1 where the label at the top is irrelevant",
        undefined_where="a sample has no relevant label",
        latex=r"[\mathrm{top\ label} \notin Y]", higher_is_better=False,
        names={"ranking": "1-错误率 (One Error)"},
        taught="05_ranking",
    ),
    Metric(
        name="ranking loss", function=ranking.ranking_loss, parts=ordering.ranking_loss, **_RANKS,
        words="pairs in the wrong order ÷ pairs of a relevant and an irrelevant label",
        undefined_where="a sample has no relevant or no irrelevant label",
        latex=r"\frac{\sum_{j \in Y} (r(j) - r_Y(j))}{|Y|\,(L - |Y|)}", higher_is_better=False,
        sklearn="label_ranking_loss(y_true, y_score)",
        names={"ranking": "排序损失 (Ranking Loss)"},
        taught="05_ranking",
    ),
    Metric(
        name="average precision", function=ranking.average_precision,
        parts=ordering.average_precision, **_RANKS, higher_is_better=True,
        words="at each relevant label, the relevant ones down to it ÷ all down to it",
        undefined_where="a sample has no relevant label",
        latex=r"\frac{1}{|Y|} \sum_{j \in Y} \frac{r_Y(j)}{r(j)}",
        sklearn="label_ranking_average_precision_score(y_true, y_score)",
        names={"ranking": "平均精确率 (Average Precision)"},
        taught="05_ranking",
    ),
    Metric(
        name="AP", function=curves.average_precision, **_CURVES,
        words="at each positive, the positives down to it ÷ all down to it",
        undefined_where="a label has no positive",
        latex=r"\frac{1}{|Y|} \sum_{i \in Y} \frac{r_Y(i)}{r(i)}",
        parameters={"interpolation": Parameter(inputs.interpolation, inputs.INTERPOLATIONS)},
        sklearn="average_precision_score(y_true, y_score, average=average)",
        taught="06_curves",
    ),
    Metric(
        name="AUROC", function=curves.roc_auc, **_CURVES,
        words="pairs in the right order ÷ pairs of a positive and a negative",
        undefined_where="a label has no positive or no negative",
        latex=r"1 - \frac{\sum_{i \in Y} (r(i) - r_Y(i))}{|Y|\,(n - |Y|)}",
        sklearn="roc_auc_score(y_true, y_score, average=average)",
        taught="06_curves",
    ),
    Metric(
        name="precision at k", function=top_k.precision, parts=ordering.precision_at, **_FIRST,
        words="hits among the first k ÷ k",
        latex=r"\frac{|Y \cap T|}{k}",
        taught="07_top_k",
    ),
    Metric(
        name="recall at k", function=top_k.recall, parts=ordering.recall_at, **_FIRST,
        words="hits among the first k ÷ relevant labels",
        undefined_where="a sample has no relevant label",
        latex=r"\frac{|Y \cap T|}{|Y|}",
        taught="07_top_k",
    ),
    Metric(
        name="R-precision", function=top_k.r_precision, parts=ordering.r_precision,
        **_FIRST | {"parameters": {}},
        words="hits among as many labels as are relevant ÷ relevant labels",
        undefined_where="a sample has no relevant label",
        latex=r"\frac{\sum_{j \in Y} [r(j) \leq |Y|]}{|Y|}",
    ),
    Metric(
        name="R-precision at k", function=top_k.rp, parts=ordering.r_precision_at, **_FIRST,
        words="hits among the first k ÷ k, or ÷ relevant labels if these are fewer",
        undefined_where="a sample has no relevant label",
        latex=r"\frac{|Y \cap T|}{\min(k, |Y|)}",
    ),
    Metric(
        name="nDCG at k", function=top_k.ndcg, parts=ordering.ndcg_at, **_FIRST,
        words="hits among the first k, each ÷ log2(place + 1), ÷ the same of the best order",
        undefined_where="a sample has no relevant label",
        latex=r"\frac{\sum_{j \in Y \cap T} \frac{1}{\log_2(r(j) + 1)}}"
        r"{\sum_{j = 1}^{\min(k, |Y|)} \frac{1}{\log_2(j + 1)}}",
        sklearn="ndcg_score(y_true, y_score, k=k)",
        taught="07_top_k",
    ),
    Metric(
        name="propensity-scored precision at k", function=top_k.propensity_scored_precision,
        parts=ordering.propensity_scored_precision_at, **_RARE,
        words="worth of the hits among the first k ÷ the most that k labels can be worth",
        latex=r"\frac{\sum_{j \in Y \cap T} w_j}{\max_{|S| \leq k} \sum_{j \in Y \cap S} w_j}",
    ),
    Metric(
        name="propensity-scored nDCG at k", function=top_k.propensity_scored_ndcg,
        parts=ordering.propensity_scored_ndcg_at, **_RARE,
        words="worth of the hits among the first k, each ÷ log2(place + 1), ÷ the same of the best order",
        latex=r"\frac{\sum_{j \in Y \cap T} \frac{w_j}{\log_2(r(j) + 1)}}"
        r"{\max_s \sum_{j \in Y \cap T_s} \frac{w_j}{\log_2(s(j) + 1)}}",
    ),
    Metric(
        name="log loss", function=probability.log_loss, parts=losses.surprise,
        **_CHANCES | {"parameters": {
            **_CHANCES["parameters"], "clip": Parameter(inputs.clip, (None, 1e-7))
        }},
        words="−ln of the probability given to what is true",
        latex=r"-\frac{1}{n} \sum_i (y_i \ln p_i + (1 - y_i) \ln(1 - p_i))",
        range=(0, 52 * math.log(2)),
        sklearn="log_loss(y_true.ravel(), y_prob.ravel(), labels=[0, 1])", sklearn_but=(None,),
    ),
    Metric(
        name="Brier score", function=probability.brier, parts=losses.squared_error, **_CHANCES,
        words="the square of probability − truth",
        latex=r"\frac{1}{n} \sum_i (p_i - y_i)^2",
        sklearn="brier_score_loss(y_true.ravel(), y_prob.ravel(), labels=[0, 1])", sklearn_but=(None,),
    ),
    Metric(
        name="calibration error", function=probability.calibration_error, parts=None,
        **_CHANCES | {"parameters": {
            "average": Parameter(probability.macro_micro_or_each, ("macro", "micro")),
            "bins": Parameter(inputs.bins, (10, 2), also=(15,)),
            "norm": Parameter(inputs.norm, ("l1", "l2", "max")),
        }},
        words="in each bin, mean probability − share of positives, without sign",
        latex=r"\sum_b \frac{n_b}{n} \, \vert \bar{p}_b - \bar{y}_b \vert",
    ),
    Metric(
        name="hierarchical precision", function=hierarchy.precision, parts=counts.precision, **_CLOSED,
        words="hits ÷ predicted labels, each with its ancestors",
        undefined_where="nothing is predicted for any sample",
        latex=r"\frac{|\hat Y \cap \hat Z|}{|\hat Z|}",
    ),
    Metric(
        name="hierarchical recall", function=hierarchy.recall, parts=counts.recall, **_CLOSED,
        words="hits ÷ true labels, each with its ancestors",
        undefined_where="no sample has a true label",
        latex=r"\frac{|\hat Y \cap \hat Z|}{|\hat Y|}",
    ),
    Metric(
        name="hierarchical F1", function=hierarchy.f1, parts=counts.f1, **_CLOSED,
        words="2 × hits ÷ (true labels + predicted labels), each with its ancestors",
        undefined_where="no sample has a true or a predicted label",
        latex=r"\frac{2\,|\hat Y \cap \hat Z|}{|\hat Y| + |\hat Z|}",
    ),
]  # fmt: skip
"""All records, in the order of the course."""


def taught() -> tuple[Metric, ...]:
    """The records of the metrics that the course teaches."""
    return tuple(record for record in METRICS if record.taught)


def of(metric: MetricFunction) -> Metric:
    """The record of a public metric function, or of a ``functools.partial`` with options by name.

    Examples
    --------
    >>> of(hamming.hamming_loss).direction
    'lower is better'
    """
    function: Any = metric
    if isinstance(metric, partial):
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


def settings(metric: MetricFunction, **given: Any) -> dict[str, Any]:
    """Every option of a metric: given here, bound by the partial, or its default; all checked."""
    record = of(metric)
    defaults = record.defaults
    bound = metric.keywords if isinstance(metric, partial) else {}
    chosen = defaults | bound | given
    for option, value in chosen.items():
        if option not in defaults:
            raise TypeError(
                f"{option} is not an option of {record.id}: it takes {', '.join(defaults)}"
            )
        if value is inspect.Parameter.empty:
            example = f"{option}={inputs.shown(record.parameters[option].examples(3)[0])}"
            raise TypeError(f"{option} is missing: {record.id} needs it, for example {example}")
        parameter = record.parameters.get(option)
        if parameter is None and option in inputs.CHECKS:
            inputs.CHECKS[option](value)
        elif parameter is not None and not parameter.per_label:  # the metric knows the labels
            parameter.check(value)
    return chosen


def check_one_value(metric: MetricFunction, *, any_samples: bool = False) -> dict[str, Any]:
    """Every option of a metric; refused are bound options under which it returns several numbers.

    With ``any_samples``, bound sample weights are refused too, since they belong to certain samples.
    """
    chosen = settings(metric)
    if chosen.get("average", "none") is None:
        raise ValueError("average is None, a value per label: bind macro, micro or weighted")
    if chosen.get("per_sample"):
        raise ValueError("per_sample is True, a value per sample: leave it out")
    if any_samples and chosen.get("sample_weight") is not None:
        raise ValueError("sample_weight is bound, and the samples are made here: leave it out")
    return chosen


def without_value(metric: MetricFunction, y_true: Any, y_other: Any) -> NDArray[np.bool_]:
    """Which of the values that a metric averages do not exist: of samples, of labels, or of all cells.

    Samples and labels of which nothing is known are left out of the mean, and count as having a value.
    """
    record, chosen = of(metric), settings(metric)
    along = record.averaged_along(chosen)
    if along == record.along:
        each: dict[str, Any] = {
            name: math.nan for name in ("zero_division", "undefined") if name in chosen
        }
        if along == "sample":
            each["per_sample"] = True
        elif along == "label" and chosen["average"] != "micro":
            each["average"] = None
        missing = np.asarray(np.isnan(partial(metric, **each)(y_true, y_other)))
    else:  # the mean over samples of a metric that has no option per_sample
        missing = record.of_samples(inputs.label_sets(y_true, y_other), chosen)[1] == 0
    if missing.ndim and np.ma.is_masked(y_true):
        missing = missing & ~np.ma.getmaskarray(y_true).all(axis=0 if along == "label" else 1)
    return missing


def describe(metric: MetricFunction) -> str:
    """The name of a metric with its bound options: "micro F1", "coverage, start=0"."""
    record = of(metric)
    bound = dict(metric.keywords) if isinstance(metric, partial) else {}
    name, prefix = record.name, record.prefix
    for option, parameter in record.parameters.items():
        if parameter.symbol and option in bound:
            value = inputs.shown(bound.pop(option)).removesuffix(".0")
            name = name.removesuffix(parameter.symbol) + value
        elif parameter.per_label:  # too long for a name
            bound.pop(option, None)
    if record.averages:
        prefix = bound.pop("average", record.defaults["average"]) or ""
    said = [f"{prefix} {name}" if prefix else name]
    return ", ".join(said + [f"{option}={inputs.shown(bound[option])}" for option in bound])


def variants(records: Iterable[Metric] = METRICS) -> dict[str, MetricFunction]:
    """All metrics by name, each average apart, and each with one number: Fβ stands with β = 2.

    Examples
    --------
    >>> list(variants())[:4]
    ['subset accuracy', 'zero-one loss', 'samples accuracy (Jaccard)', 'samples precision']
    """
    found: dict[str, MetricFunction] = {}
    for record in records:
        averages = [average for average in record.averages if average]
        for choice in [{"average": average} for average in averages] or [{}]:
            bound = record.required | choice
            metric = partial(record.function, **bound) if bound else record.function
            found[describe(metric)] = metric
    return found


def general(metric: MetricFunction) -> str:
    """The name of a metric with its average, without its other options: F2 is an Fβ."""
    record = of(metric)
    if not record.averages:
        return describe(record.function)
    average = settings(metric, **record.required)["average"] or record.defaults["average"]
    return describe(partial(record.function, average=average))
