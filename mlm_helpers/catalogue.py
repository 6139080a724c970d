"""One record per metric: what other modules read in order to list, solve, draw or add up metrics.

`METRICS` holds all records; `taught_records` are those of the metrics that the course teaches.
"""

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
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
from mlm_helpers._core import counts, losses, ordering
from mlm_helpers._core.inputs.ancestry import align_to_labels, read_parents
from mlm_helpers._core.inputs.data import Data, FloatArray
from mlm_helpers._core.inputs.kinds import is_number, is_real
from mlm_helpers._core.inputs.options import AVERAGES, CHECKS, INTERPOLATIONS, read_k
from mlm_helpers._core.inputs.read import (
    read_label_scores,
    read_label_sets,
    read_per_label,
    read_probabilities,
)
from mlm_helpers._core.inputs.refuse import short_repr

MetricFunction: TypeAlias = Callable[..., Any]
"""A metric as an argument: a public function, or a ``functools.partial`` of it."""
_signature = cache(inspect.signature)

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
    """An option in the formula of a metric, such as β or k."""

    #: Raises an error for a bad value. For an option per label it also takes the number of labels,
    #: and returns the values as an array or list.
    check: Callable[..., object]
    #: The values that searches try; examples use the first where the option has no default. For an
    #: option per label each is a function of the number of labels, which metrics accept too.
    values: tuple[Any, ...]
    symbol: str = ""  #: the end of the metric's name that a value replaces, as β in Fβ
    further_values: tuple[Any, ...] = ()  #: of tools and papers; `conventions` tries them too
    per_label: bool = False  #: whether it has an entry for each label, such as the label's parents

    def resolve(self, value: Any, n_labels: int) -> Any:
        """The checked value; for an option per label in the form that ``check`` returns."""
        if self.per_label:
            return self.check(value, n_labels)
        self.check(value)
        return value


@dataclass(frozen=True, eq=False, repr=False)  # a record equals itself alone, and can be a key
class Metric:
    """The record of a metric."""

    name: str  #: the usual English name, without the average
    function: MetricFunction  #: the public function
    #: The formula: a function of `counts.Counts`, or for scores of `ordering.RankedRows`, and of
    #: options, that returns ``(numerator, denominator)``; the denominator is 0 exactly where the
    #: value is undefined. For probabilities it returns a cell's loss from its truth and
    #: probability. None: no formula per unit.
    parts: Any
    formula_in_words: str  #: the same formula in words, such as "hits ÷ predicted labels"
    #: The formula of one value, before averaging. Of one sample: Y are its true and Z its predicted
    #: labels out of L, T its first k labels, r(j) the rank of label j, and r_Y(j) its rank within
    #: Y. Of one label: Y are the samples out of n that have it, and r(i) the rank of sample i.
    latex: str
    family: str  #: one of `FAMILIES`
    higher_is_better: bool
    undefined_where: str = ""  #: when a value is undefined: "nothing is predicted for a sample"
    #: The argument beside the truth: label sets, scores whose order counts, or probabilities.
    reads: Literal["y_pred", "y_score", "y_prob"] = "y_pred"
    #: What has a value of its own: each sample (the metric is their mean), each label (their
    #: average), or only the whole data set, as numerators and denominators of samples are added up
    #: before dividing.
    unit: Literal["sample", "label", "all"] = "sample"
    range: tuple[float | str, float | str] = (0, 1)  #: lowest and highest value; "L" is n_labels
    #: Options of this metric, besides those that its family shares.
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    #: A step before the formula, such as adding ancestors: from the data and all options to data.
    prepare: Callable[[Data, Mapping[str, Any]], Data] | None = None
    prefix: str = ""  #: the word before the name if there is no average: "samples"
    #: A scikit-learn expression with the same value, of ``y_true``, the argument `reads` and the
    #: options.
    sklearn: str = ""
    sklearn_differs: tuple[str | None, ...] = ()  #: averages under which its value is another one
    names: Mapping[str, str] = field(default_factory=dict)  #: its names in the course's documents
    keeps_sparse: bool = False  #: whether cells that a sparse matrix does not store have no score
    reads_tn: bool = False  #: whether the formula of a set metric reads true negatives
    linear: bool = False  #: whether numerator and denominator of a label are sums over its cells
    is_share_of_cells: bool = False  #: as a sample's value, which then weighs as its known cells
    over_tie_orders: bool = False  #: whether ``ties`` picks among the values of all orders of ties
    taught: str | None = None  #: the notebook that teaches the metric; None: not in the course

    def __repr__(self) -> str:
        """Text with the function alone: ``Metric(label_based.f1)``."""
        return f"Metric({self.id})"

    @property
    def id(self) -> str:
        """Module and function, such as ``example_based.f1``."""
        return f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"

    @property
    def averages(self) -> tuple[str | None, ...]:
        """The values that its option ``average`` takes; empty without this option."""
        if "average" in self.parameters:
            return self.parameters["average"].values + (None,) * (self.unit == "label")
        return AVERAGES if self.unit == "label" else ()

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The metric's keyword arguments with their defaults, or ``inspect.Parameter.empty``."""
        options = list(_signature(self.function).parameters.values())[2:]
        return {option.name: option.default for option in options}

    @cached_property
    def required(self) -> dict[str, Any]:
        """The options without a default, each with the value that tables and examples use."""
        return {
            name: parameter.values[0]
            for name, parameter in self.parameters.items()
            if self.defaults[name] is inspect.Parameter.empty
        }

    @cached_property
    def required_per_label(self) -> tuple[str, ...]:
        """The required options with an entry for each label, which only the user can choose."""
        return tuple(name for name in self.required if self.parameters[name].per_label)

    def bounds(self, n_labels: int, options: Mapping[str, Any]) -> tuple[float, float]:
        """Lowest and highest value of a sample or label under the options."""
        shift = options["start"] - 1 if "start" in self.parameters else 0  # ranks can start at 0
        low, high = (n_labels if end == "L" else float(end) for end in self.range)
        return low + shift, high + shift

    def resolve_per_label(self, options: Mapping[str, Any], n_labels: int) -> dict[str, Any]:
        """The options, of which those with an entry for each label are checked arrays or lists."""
        names = self.required_per_label
        return {**options} | {o: self.parameters[o].resolve(options[o], n_labels) for o in names}

    def options_of_label(self, options: Mapping[str, Any], j: int) -> dict[str, Any]:
        """The options, of which the arrays with an entry for each label have that of label j alone."""
        return {**options} | {name: options[name][[j]] for name in self.required_per_label}

    def formula(self, options: Mapping[str, Any], n_labels: int = 1) -> Callable[..., counts.Parts]:
        """The function `parts` with the options that it takes bound, and checked for ``n_labels`` labels."""
        bound = {o: options[o] for o in _signature(self.parts).parameters if o in options}
        for option in bound.keys() & self.parameters:
            bound[option] = self.parameters[option].resolve(bound[option], n_labels)
        return partial(self.parts, **bound)

    def read_data(
        self, y_true: Any, y_pred: Any, sample_weight: Any = None, *, name: str | None = None
    ) -> Data:
        """The data, checked as the metric checks them; error messages call the second matrix ``name``."""
        arguments = y_true, y_pred, sample_weight
        name = name or self.reads
        if self.reads == "y_score":
            return read_label_scores(*arguments, keep_sparse=self.keeps_sparse, name=name)
        read = read_label_sets if self.reads == "y_pred" else read_probabilities
        return read(*arguments, name=name)

    def sample_weights(self, data: Data) -> FloatArray:
        """The weight of each sample in the mean over samples, shape (n_samples,)."""
        weight = (data.weighted_by_known() if self.is_share_of_cells else data).weight
        return np.ones(data.shape[0]) if weight is None else weight

    def sklearn_call(self, average: str | None = None) -> str:
        """The name of the scikit-learn function, with its arguments other than data and options.

        ``precision_score``, or ``precision_score(average='macro')`` for that average; empty where
        scikit-learn has another value.
        """
        if average in self.sklearn_differs:
            return ""
        name, _, arguments = self.sklearn.removesuffix(")").partition("(")  # f(y_true, y_pred)
        left_out = {"", "y_true", self.reads, *(f"{option}={option}" for option in self.defaults)}
        others = [argument for argument in arguments.split(", ") if argument not in left_out]
        if average and "average=average" in arguments:
            others.append(f"average={average!r}")
        return f"{name}({', '.join(others)})" if others else name

    @property
    def is_additive(self) -> bool:
        """Whether the value follows from sums over batches, so that a scorecard can add it up."""
        return self.parts is not None and self.prepare is None

    @property
    def reads_label_counts(self) -> bool:
        """Whether every average follows from TP, FP, FN and TN of the labels."""
        return (self.unit, self.reads) == ("label", "y_pred") and not self.prepare

    @property
    def shifts_when_masked(self) -> bool:
        """Whether cells that are unknown at random shift the value, since it reads a row as a whole."""
        return self.unit != "label" and not self.is_share_of_cells

    @property
    def nan_if_undefined(self) -> dict[str, float]:
        """The option under which undefined values are nan, as keyword arguments."""
        return dict.fromkeys({"zero_division", "undefined"} & self.defaults.keys(), math.nan)

    def odds_factor(self, options: Mapping[str, Any], n_labels: int = 1) -> float:
        """The factor w of a metric w·a ÷ (w·a + b), where a and b are numbers of cells; 0 for any other.

        The odds of such a metric are w times those of the proportion a ÷ (a + b): with hits a and
        wrong cells b, w is 1 for Jaccard and 2 for F1.
        """
        if not (self.reads_label_counts and self.linear):
            return 0.0
        single_cells = counts.Counts(*np.eye(4)[..., None])  # a data set each of a TP, FP, FN, TN
        numerator, denominator = np.broadcast_arrays(*self.formula(options, n_labels)(single_cells))
        # A cell that counts in a has the parts w and w, in b 0 and 1, and in neither 0 and 0.
        is_a, is_b = numerator > 0, (numerator == 0) & (denominator > 0)
        factors = {*numerator[is_a].tolist()}
        is_of_this_form = np.array_equal(denominator, np.where(is_a, numerator, is_b))
        return factors.pop() if is_of_this_form and len(factors) == 1 else 0.0


_BETA = {"beta": Parameter(CHECKS["beta"], (2.0,), "β")}
_MACRO = {"average": Parameter(counts.check_macro_or_none, ("macro",))}
_K = {"k": Parameter(read_k, (1, 2), "k", (3, 5))}
_INVERSE_PROPENSITIES = Parameter(
    partial(read_per_label, name="inverse_propensities"),
    (lambda n_labels: [*range(1, n_labels + 1)], lambda n_labels: [1.5] + [1] * (n_labels - 1)),
    per_label=True,
)
_PARENTS = Parameter(  # a tree in which each label has at most two children; a path
    read_parents,
    (lambda n_labels: [[(j - 1) // 2] * (j > 0) for j in range(n_labels)],
     lambda n_labels: [[j - 1] * (j > 0) for j in range(n_labels)]),
    per_label=True,
)  # fmt: skip
_PRICES = {
    name: Parameter(partial(label_based.read_prices, name=name), prices, per_label=True)
    for name, prices in (
        ("miss", (lambda n_labels: [5] * n_labels, lambda n_labels: [*range(1, n_labels + 1)])),
        ("false_alarm", (lambda n_labels: [1] * n_labels, lambda n_labels: [0.5] + [2] * (n_labels - 1))),
    )
}  # fmt: skip

_PRECISION = counts.precision, "hits ÷ predicted labels"
_RECALL = counts.recall, "hits ÷ true labels"
_JACCARD = counts.jaccard, "hits ÷ labels true or predicted"
_F1 = counts.f1, "2 × hits ÷ (true labels + predicted labels)"
_FBETA = counts.fbeta, "(1 + β²) × hits ÷ (β² × true labels + predicted labels)"

# The fields that the records of a family share; a record can override them.
_exact_match: Any = partial(Metric, family="exact match", taught="01_exact_match")
_example_based: Any = partial(
    Metric, family="example-based", higher_is_better=True, prefix="samples",
    undefined_where="a sample has neither true nor predicted labels", taught="02_example_based",
)  # fmt: skip
_label_based: Any = partial(
    Metric, family="label-based", higher_is_better=True, unit="label", linear=True,
    undefined_where="a label is neither true nor predicted anywhere",
)  # fmt: skip
_ranking: Any = partial(
    Metric, family="ranking", reads="y_score", higher_is_better=False,
    undefined_where="a sample has no relevant label", taught="05_ranking",
)  # fmt: skip
_curve: Any = partial(
    Metric, parts=None, family="curves", reads="y_score", higher_is_better=True, unit="label",
    taught="06_curves",
)  # fmt: skip
_top_k: Any = partial(
    Metric, family="top k", reads="y_score", keeps_sparse=True, higher_is_better=True,
    over_tie_orders=True, parameters=_K, undefined_where="a sample has no relevant label",
)  # fmt: skip
_propensity_scored: Any = partial(
    _top_k, unit="all", undefined_where="no sample has a relevant label",
    parameters={"inverse_propensities": _INVERSE_PROPENSITIES, **_K},
)  # fmt: skip
_probability: Any = partial(
    Metric, family="probability", reads="y_prob", higher_is_better=False, unit="label",
    parameters=_MACRO,
)  # fmt: skip
_hierarchical: Any = partial(
    Metric, family="hierarchy", higher_is_better=True, unit="all",
    prepare=lambda data, options: hierarchy.closed_data(data, options["parents"], options["root"]),
    parameters={
        "parents": _PARENTS,
        "average": Parameter(hierarchy.check_average, hierarchy.AVERAGES),
        "root": Parameter(CHECKS["root"], (True, False)),
    },
)  # fmt: skip

METRICS: list[Metric] = [
    _exact_match("subset accuracy", exact_match.subset_accuracy, counts.exact_match,
        "1 where all is right", latex="[Z = Y]", higher_is_better=True,
        sklearn="accuracy_score(y_true, y_pred)",
        names={"sklearn_guide": "绝对匹配率（Exact Match Ratio）", "formulas": "Subset Accuracy"}),
    _exact_match("zero-one loss", exact_match.zero_one_loss, counts.zero_one_loss,
        "1 where anything is wrong", latex=r"[Z \neq Y]", higher_is_better=False,
        sklearn="zero_one_loss(y_true, y_pred)", names={"sklearn_guide": "0-1损失"}),
    _example_based("accuracy (Jaccard)", example_based.accuracy, *_JACCARD,
        latex=r"\frac{|Y \cap Z|}{|Y \cup Z|}",
        sklearn="jaccard_score(y_true, y_pred, average='samples')",
        names={"partial_credit": "準確率 Accuracy", "sklearn_guide": "Hamming Score"}),
    _example_based("precision", example_based.precision, *_PRECISION,
        latex=r"\frac{|Y \cap Z|}{|Z|}", undefined_where="nothing is predicted for a sample",
        sklearn="precision_score(y_true, y_pred, average='samples')",
        names={"partial_credit": "精確率 Precision", "sklearn_guide": "精确率",
               "macro_micro": "samples avg"}),
    _example_based("recall", example_based.recall, *_RECALL, latex=r"\frac{|Y \cap Z|}{|Y|}",
        undefined_where="a sample has no true label",
        sklearn="recall_score(y_true, y_pred, average='samples')",
        names={"partial_credit": "召回率 Recall", "sklearn_guide": "召回率",
               "macro_micro": "samples avg"}),
    _example_based("F1", example_based.f1, *_F1, latex=r"\frac{2\,|Y \cap Z|}{|Y| + |Z|}",
        sklearn="f1_score(y_true, y_pred, average='samples')",
        names={"partial_credit": "F1-score", "sklearn_guide": "F1值", "macro_micro": "samples avg"}),
    _example_based("Fβ", example_based.fbeta, *_FBETA, parameters=_BETA,
        latex=r"\frac{(1 + \beta^2)\,|Y \cap Z|}{\beta^2 |Y| + |Z|}",
        sklearn="fbeta_score(y_true, y_pred, beta=beta, average='samples')"),
    Metric("Hamming loss", hamming.hamming_loss, counts.hamming_loss, "wrong cells ÷ all cells",
        latex=r"\frac{|Y \mathbin{\triangle} Z|}{L}", family="Hamming", higher_is_better=False,
        reads_tn=True, is_share_of_cells=True, sklearn="hamming_loss(y_true, y_pred)",
        taught="03_hamming_loss",
        names={"sklearn_guide": "海明距离（Hamming Loss）", "formulas": "汉明损失", "ranking": "汉明损失"}),
    _label_based("precision", label_based.precision, *_PRECISION, latex=r"\frac{TP}{TP + FP}",
        undefined_where="a label is never predicted", taught="04_label_based",
        sklearn="precision_score(y_true, y_pred, average=average)",
        names={"macro_micro": "precision", "formulas": "宏观精确度, 微观精确度"}),
    _label_based("recall", label_based.recall, *_RECALL, latex=r"\frac{TP}{TP + FN}",
        undefined_where="no sample has the label", taught="04_label_based",
        sklearn="recall_score(y_true, y_pred, average=average)",
        names={"macro_micro": "recall", "formulas": "宏观召回率, 微观召回率"}),
    _label_based("F1", label_based.f1, *_F1, latex=r"\frac{2\,TP}{2\,TP + FN + FP}",
        sklearn="f1_score(y_true, y_pred, average=average)", taught="04_label_based",
        names={"macro_micro": "macro-F1, micro-F1", "formulas": "宏观 F1 分数, 微观 F1 分数"}),
    _label_based("Fβ", label_based.fbeta, *_FBETA, parameters=_BETA,
        latex=r"\frac{(1 + \beta^2)\,TP}{(1 + \beta^2)\,TP + \beta^2 FN + FP}",
        sklearn="fbeta_score(y_true, y_pred, beta=beta, average=average)", taught="04_label_based"),
    _label_based("Jaccard", label_based.jaccard, *_JACCARD, latex=r"\frac{TP}{TP + FP + FN}",
        sklearn="jaccard_score(y_true, y_pred, average=average)", taught="04_label_based"),
    _label_based("accuracy", label_based.accuracy, counts.accuracy, "right cells ÷ all cells",
        latex=r"\frac{TP + TN}{TP + FP + FN + TN}", undefined_where="", reads_tn=True),
    _label_based("cost", label_based.cost, counts.cost,
        "(misses × their price + false alarms × their price) ÷ all cells",
        latex=r"\frac{c_{\mathrm{miss}}\,FN + c_{\mathrm{alarm}}\,FP}{TP + FP + FN + TN}",
        higher_is_better=False, undefined_where="", range=(0, math.inf), reads_tn=True,
        parameters=_MACRO | _PRICES),
    _label_based("specificity", label_based.specificity, counts.specificity,
        "rightly left out ÷ samples without the label", latex=r"\frac{TN}{TN + FP}",
        undefined_where="every sample has the label", reads_tn=True,
        sklearn="recall_score(1 - y_true, 1 - y_pred, average=average)",
        sklearn_differs=("weighted",)),
    _label_based("negative predictive value", label_based.negative_predictive_value,
        counts.negative_predictive_value, "rightly left out ÷ samples predicted without the label",
        latex=r"\frac{TN}{TN + FN}", undefined_where="a label is predicted for every sample",
        reads_tn=True, sklearn="precision_score(1 - y_true, 1 - y_pred, average=average)",
        sklearn_differs=("weighted",)),
    _label_based("balanced accuracy", label_based.balanced_accuracy, counts.balanced_accuracy,
        "mean of recall and specificity", reads_tn=True, linear=False,
        latex=r"\frac{1}{2} \left( \frac{TP}{TP + FN} + \frac{TN}{TN + FP} \right)",
        undefined_where="no sample has the label, or every sample has it"),
    _label_based("Matthews correlation", label_based.matthews_correlation,
        counts.matthews_correlation, "correlation of truth and prediction", range=(-1, 1),
        reads_tn=True, linear=False,
        latex=r"\frac{TP \cdot TN - FP \cdot FN}{\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}",
        undefined_where="no sample or every sample has the label, or is predicted to have it"),
    _label_based("kappa", label_based.kappa, counts.kappa,
        "(right − right by chance) ÷ (1 − right by chance), of shares of the samples",
        latex=r"\frac{2\,(TP \cdot TN - FP \cdot FN)}{(TP + FP)(TN + FP) + (TP + FN)(TN + FN)}",
        undefined_where="no sample has the label or is predicted to, or every sample has it and is",
        range=(-1, 1), reads_tn=True, linear=False),
    _ranking("coverage", ranking.coverage, ordering.coverage, "the rank of the last relevant label",
        latex=r"\max_{j \in Y} r(j)", range=(1, "L"), sklearn="coverage_error(y_true, y_score)",
        parameters={"start": Parameter(CHECKS["start"], (1, 0))},
        names={"ranking": "覆盖率 (Coverage)"}),
    _ranking("one-error", ranking.one_error, ordering.one_error,
        "1 where the label at the top is irrelevant", over_tie_orders=True,
        latex=r"[\mathrm{top\ label} \notin Y]", names={"ranking": "1-错误率 (One Error)"}),
    _ranking("ranking loss", ranking.ranking_loss, ordering.ranking_loss,
        "pairs in the wrong order ÷ pairs of a relevant and an irrelevant label",
        latex=r"\frac{\sum_{j \in Y} (r(j) - r_Y(j))}{|Y|\,(L - |Y|)}", over_tie_orders=True,
        undefined_where="a sample has no relevant or no irrelevant label",
        sklearn="label_ranking_loss(y_true, y_score)", names={"ranking": "排序损失 (Ranking Loss)"}),
    _ranking("average precision", ranking.average_precision, ordering.average_precision,
        "at each relevant label, the relevant ones down to it ÷ all down to it",
        latex=r"\frac{1}{|Y|} \sum_{j \in Y} \frac{r_Y(j)}{r(j)}", higher_is_better=True,
        sklearn="label_ranking_average_precision_score(y_true, y_score)",
        names={"ranking": "平均精确率 (Average Precision)"}),
    _curve("AP", curves.average_precision,
        formula_in_words="at each positive, the positives down to it ÷ all down to it",
        latex=r"\frac{1}{|Y|} \sum_{i \in Y} \frac{r_Y(i)}{r(i)}",
        undefined_where="a label has no positive",
        parameters={"interpolation": Parameter(CHECKS["interpolation"], INTERPOLATIONS)},
        sklearn="average_precision_score(y_true, y_score, average=average)"),
    _curve("AUROC", curves.roc_auc,
        formula_in_words="pairs in the right order ÷ pairs of a positive and a negative",
        latex=r"1 - \frac{\sum_{i \in Y} (r(i) - r_Y(i))}{|Y|\,(n - |Y|)}",
        undefined_where="a label has no positive or no negative",
        sklearn="roc_auc_score(y_true, y_score, average=average)"),
    _top_k("precision at k", top_k.precision, ordering.precision_at, "hits among the first k ÷ k",
        latex=r"\frac{|Y \cap T|}{k}", undefined_where="", taught="07_top_k"),
    _top_k("recall at k", top_k.recall, ordering.recall_at,
        "hits among the first k ÷ relevant labels", latex=r"\frac{|Y \cap T|}{|Y|}",
        taught="07_top_k"),
    _top_k("R-precision", top_k.r_precision, ordering.r_precision,
        "hits among as many labels as are relevant ÷ relevant labels",
        latex=r"\frac{\sum_{j \in Y} [r(j) \leq |Y|]}{|Y|}", parameters={}),
    _top_k("R-precision at k", top_k.rp, ordering.r_precision_at,
        "hits among the first k ÷ k, or ÷ relevant labels if these are fewer",
        latex=r"\frac{|Y \cap T|}{\min(k, |Y|)}"),
    _top_k("nDCG at k", top_k.ndcg, ordering.ndcg_at,
        "hits among the first k, each ÷ log2(place + 1), ÷ the same of the best order",
        latex=r"\frac{\sum_{j \in Y \cap T} \frac{1}{\log_2(r(j) + 1)}}"
        r"{\sum_{j = 1}^{\min(k, |Y|)} \frac{1}{\log_2(j + 1)}}",
        sklearn="ndcg_score(y_true, y_score, k=k)", taught="07_top_k"),
    _propensity_scored("propensity-scored precision at k", top_k.propensity_scored_precision,
        ordering.propensity_scored_at,
        "inverse propensities of the hits among the first k ÷ the greatest possible sum",
        latex=r"\frac{\sum_{j \in Y \cap T} w_j}{\max_{|S| \leq k} \sum_{j \in Y \cap S} w_j}"),
    _propensity_scored("propensity-scored nDCG at k", top_k.propensity_scored_ndcg,
        partial(ordering.propensity_scored_at, weigh=ordering.discounts),
        "inverse propensities of the hits among the first k, each ÷ log2(place + 1), ÷ the best sum",
        latex=r"\frac{\sum_{j \in Y \cap T} \frac{w_j}{\log_2(r(j) + 1)}}"
        r"{\max_s \sum_{j \in Y \cap T_s} \frac{w_j}{\log_2(s(j) + 1)}}"),
    _probability("log loss", probability.log_loss, losses.binary_cross_entropy,
        "−ln of the probability given to what is true", range=(0, 52 * math.log(2)),
        latex=r"-\frac{1}{n} \sum_i (y_i \ln p_i + (1 - y_i) \ln(1 - p_i))",
        parameters=_probability.keywords["parameters"] | {"clip": Parameter(CHECKS["clip"], (None, 1e-7), further_values=(math.exp(-100),))},
        sklearn="log_loss(y_true.ravel(), y_prob.ravel(), labels=[0, 1])", sklearn_differs=(None,)),
    _probability("Brier score", probability.brier, losses.squared_error,
        "the square of probability − truth", latex=r"\frac{1}{n} \sum_i (p_i - y_i)^2",
        sklearn="brier_score_loss(y_true.ravel(), y_prob.ravel(), labels=[0, 1])",
        sklearn_differs=(None,)),
    _probability("calibration error", probability.calibration_error, None,
        "in each bin, mean probability − share of positives, without sign",
        latex=r"\sum_b \frac{n_b}{n} \, \vert \bar{p}_b - \bar{y}_b \vert",
        parameters={
            "average": Parameter(probability.check_average, ("macro", "micro")),
            "bins": Parameter(CHECKS["bins"], (10, 2), further_values=(15,)),
            "norm": Parameter(CHECKS["norm"], ("l1", "l2", "max")),
        }),
    _hierarchical("hierarchical precision", hierarchy.precision, counts.precision,
        "hits ÷ predicted labels, each with its ancestors",
        latex=r"\frac{|\hat Y \cap \hat Z|}{|\hat Z|}",
        undefined_where="nothing is predicted for any sample"),
    _hierarchical("hierarchical recall", hierarchy.recall, counts.recall,
        "hits ÷ true labels, each with its ancestors",
        latex=r"\frac{|\hat Y \cap \hat Z|}{|\hat Y|}",
        undefined_where="no sample has a true label"),
    _hierarchical("hierarchical F1", hierarchy.f1, counts.f1,
        "2 × hits ÷ (true labels + predicted labels), each with its ancestors",
        latex=r"\frac{2\,|\hat Y \cap \hat Z|}{|\hat Y| + |\hat Z|}",
        undefined_where="no sample has a true or a predicted label"),
]  # fmt: skip
"""All records, in the order of the course."""


def taught_records() -> tuple[Metric, ...]:
    """The records of the metrics that the course teaches."""
    return tuple(record for record in METRICS if record.taught)


def record_of(metric: MetricFunction) -> Metric:
    """The record of a public metric function, or of a ``functools.partial`` with options by name.

    Examples
    --------
    >>> record_of(hamming.hamming_loss).higher_is_better
    False
    """
    if record := find_record(metric):
        return record
    problem = f"metric is {function_name(metric)}, which the catalogue does not hold"
    remedy = "pass a public metric function of mlm_helpers or a functools.partial of it"
    raise ValueError(f"{problem}: {remedy}")


def as_list_of_metrics(metrics: Any) -> list[Any]:
    """The metrics as a list; a TypeError for anything else than a list of them."""
    if not isinstance(metrics, Iterable) or isinstance(metrics, str):
        raise TypeError(f"metrics is {short_repr(metrics)}: give a list, such as [f1]")
    return [*metrics]


def find_record(metric: Callable[..., Any]) -> Metric | None:
    """The record of a metric function or partial; None for any other function."""
    if not callable(metric):
        raise TypeError(f"metric is {short_repr(metric)}: give a function")
    function = getattr(metric, "func", metric)
    return next((record for record in METRICS if record.function is function), None)


def function_name(function: Callable[..., Any]) -> str:
    """The name of a function or of a partial's function; for any other callable the name of its type."""
    function = getattr(function, "func", function)
    return str(getattr(function, "__name__", type(function).__name__))


def read_metric_value(value: Any) -> float:
    """The value that a user's metric returned, as a float; a TypeError unless it is finite or nan."""
    if np.ndim(value) or not is_real(np.asarray(value).item()) or math.isinf(value):
        problem = f"metric returned {short_repr(value)}"
        raise TypeError(f"{problem}: give one that returns one finite number, or nan")
    return float(value)


def resolve_options(metric: MetricFunction, **options: Any) -> dict[str, Any]:
    """Every option of a metric, checked: as given here, else as bound by the partial, else its default."""
    record, bound = record_of(metric), getattr(metric, "keywords", {}) | options
    if not record.required.keys() <= bound.keys() <= record.defaults.keys():
        known, required = ", ".join(record.defaults), ", ".join(record.required) or "only these"
        problem = f"metric is {function_name(metric)}, whose options are {known}"
        raise TypeError(f"{problem}: bind {required} with partial()")
    resolved = record.defaults | bound
    # Options per label are left to the metric, which knows the labels.
    checks = CHECKS | {o: p.check for o, p in record.parameters.items() if not p.per_label}
    for option in checks.keys() & resolved.keys():
        checks[option](resolved[option])
    return resolved


def align_options(metric: MetricFunction, y_true: Any, y_pred: Any) -> MetricFunction:
    """The metric with its options per label as values in the order of the columns, not by label name."""
    record, bound = find_record(metric), getattr(metric, "keywords", {})
    parameters = record.parameters if record else {}
    per_label = [name for name, p in parameters.items() if p.per_label and name in bound]
    aligned = {
        name: align_to_labels(bound[name], name, y_true=y_true, y_pred=y_pred) for name in per_label
    }
    return partial(metric, **aligned) if aligned else metric


def resolve_scalar_options(metric: MetricFunction) -> dict[str, Any]:
    """Every option of a metric; a ValueError if it would return more than one number."""
    options = resolve_options(metric)
    if options.get("average", "none") is None:
        raise ValueError("average is None, a value per label: bind macro, micro or weighted")
    if options.get("per_sample"):
        raise ValueError("per_sample is True, a value per sample: leave it out")
    return options


def undefined_mask(metric: MetricFunction, y_true: Any, y_pred: Any) -> NDArray[np.bool_]:
    """Whether each value that a metric averages is undefined: shape (n_samples,), (n_labels,) or ().

    Samples and labels of which nothing is known are False: the mean leaves them out under every
    rule.
    """
    metric = align_options(metric, y_true, y_pred)
    record, options = record_of(metric), resolve_options(metric)
    unit = "sample" if options.get("average") == "samples" else record.unit
    if unit == record.unit:
        unaveraged: Any = record.nan_if_undefined
        unaveraged |= {"per_sample": True} if unit == "sample" else {}
        unaveraged |= {"average": None} if options.get("average", "micro") != "micro" else {}
        undefined = np.asarray(np.isnan(metric(y_true, y_pred, **unaveraged)))
    else:  # a hierarchical metric under average="samples", which has no option per_sample
        data = read_label_sets(y_true, y_pred)
        data = record.prepare(data, options) if record.prepare else data
        _, denominator = record.formula(options, data.shape[1])(counts.count(data, axis=1))
        undefined = denominator == 0
    if undefined.ndim and np.ma.is_masked(y_true):
        undefined &= ~np.ma.getmaskarray(y_true).all(axis=0 if unit == "label" else 1)
    return undefined


def full_name(metric: MetricFunction) -> str:
    """The name of a metric with its average and bound options: "micro F1", "coverage, start=0"."""
    record = record_of(metric)
    bound = dict(metric.keywords) if isinstance(metric, partial) else {}
    name, prefix = record.name, record.prefix
    for option, parameter in record.parameters.items():
        if parameter.symbol and option in bound:
            value = short_repr(bound.pop(option)).removesuffix(".0")
            name = name.removesuffix(parameter.symbol) + value
        elif parameter.per_label and not is_number(bound.get(option)):  # too long for a name
            bound.pop(option, None)
    if record.averages:
        prefix = bound.pop("average", record.defaults["average"]) or ""
    others = [f"{option}={short_repr(value)}" for option, value in bound.items()]
    return ", ".join([f"{prefix} {name}" if prefix else name, *others])


def variants(records: Iterable[Metric] = METRICS) -> dict[str, MetricFunction]:
    """Every metric under each of its averages, by full name; required options are bound, as β = 2.

    Examples
    --------
    >>> list(variants())[:4]
    ['subset accuracy', 'zero-one loss', 'samples accuracy (Jaccard)', 'samples precision']
    """
    metrics: dict[str, MetricFunction] = {}
    for record in records:
        for choice in [{"average": average} for average in record.averages if average] or [{}]:
            bound = record.required | choice
            metric = partial(record.function, **bound) if bound else record.function
            metrics[full_name(metric)] = metric
    return metrics


def general_name(metric: MetricFunction) -> str:
    """The name of a metric with its average but no other option: "macro Fβ" for F2."""
    record = record_of(metric)
    options = resolve_options(metric, **record.required)
    average = {"average": options["average"]} if options.get("average") else {}
    return full_name(partial(record.function, **average))
