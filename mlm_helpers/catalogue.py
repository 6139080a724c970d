"""The records of all metrics: what other modules need to know to list, solve, draw or add up metrics.

`METRICS` holds them all; what the course shows is `taught`, a choice that no new metric changes.
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
from mlm_helpers._core import counts, inputs, losses, ordering
from mlm_helpers._core.inputs import Data, FloatArray
from mlm_helpers._core.inputs.kinds import is_number, is_real

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
    """An option that belongs to the formula of a metric."""

    #: Refuses a bad value. For an option per label it also takes the number of labels, and returns the
    #: checked option.
    check: Callable[..., object]
    #: The values that searches try; the first also stands for a missing default. For an option per
    #: label each is a function of the number of labels, which metrics accept too.
    values: tuple[Any, ...]
    symbol: str = ""  #: the sign at the end of the metric's name that a value replaces, as β in Fβ
    further_values: tuple[
        Any, ...
    ] = ()  #: further values that people report, which `conventions` tries too
    per_label: bool = False  #: whether it has an entry for each label, such as the label's parents

    def resolve(self, value: Any, n_labels: int) -> Any:
        """A value, checked; for an option per label what ``check`` makes of it."""
        if self.per_label:
            return self.check(value, n_labels)
        self.check(value)
        return value


_signature = cache(inspect.signature)


@dataclass(frozen=True, eq=False, repr=False)  # a record equals itself alone, and can be a key
class Metric:
    """The record of a metric."""

    name: str  #: the field's usual English name
    function: MetricFunction  #: the public function
    #: The formula as ``(part, whole)`` of `counts.Counts`, or of an `ordering.RankedRows` where it reads
    #: scores, and of those of its `parameters` that it takes. The whole is 0 exactly where there is no
    #: value. Where it reads probabilities, a cell's loss, of its truth and probability. None without one.
    parts: Any
    formula_in_words: str  #: the same formula in words, such as "hits ÷ predicted labels"
    #: The formula for one sample or label, without the averaging, of the true labels Y and the predicted Z
    #: out of L, or of r(j), the rank of label j, and r_Y(j), that within Y, and the first k labels T; of
    #: one label, Y are the samples that have it, out of n, and r(i) is the rank of sample i.
    latex: str
    family: str  #: one of `FAMILIES`
    higher_is_better: bool
    undefined_where: str = ""  #: when it has no value, as "nothing is predicted for a sample"
    #: Whether it needs label sets, scores whose order counts, or probabilities beside the truth.
    reads: Literal["y_pred", "y_score", "y_prob"] = "y_pred"
    #: What has a value of its own, a sample (then their mean), a label (then an average), or only the whole
    #: data set, whose samples' parts and wholes are added up before they are divided.
    unit: Literal["sample", "label", "all"] = "sample"
    range: tuple[float | str, float | str] = (0, 1)  #: lowest and highest value; "L" is n_labels
    #: Options of this metric, beside those that its family shares.
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    #: A step before the formula, such as adding ancestors, from data and all options to data to count.
    prepare: Callable[[Data, Mapping[str, Any]], Data] | None = None
    prefix: str = ""  #: the word before the name where there is no average, as "samples"
    #: The scikit-learn expression of the same number, of ``y_true``, what it reads and its options.
    sklearn: str = ""
    sklearn_differs: tuple[str | None, ...] = ()  #: averages under which that is another number
    names: Mapping[str, str] = field(default_factory=dict)  #: the documents' names
    keeps_sparse: bool = False  #: whether only stored cells of a sparse matrix have a score, or all
    reads_tn: bool = False  #: whether a formula of sets reads true negatives
    linear: bool = False  #: whether part and whole of a label are sums over cells, as a root is not
    is_share_of_cells: bool = False  #: whether a sample weighs as much as its known cells
    over_tie_orders: bool = False  #: whether it reads all orders of tied labels, and no ranks
    taught: str | None = None  #: the notebook that teaches the metric; the course shows no other

    def __repr__(self) -> str:
        """Text with the function alone: ``Metric(label_based.f1)``."""
        return f"Metric({self.id})"

    @property
    def id(self) -> str:
        """Module and function, such as ``example_based.f1``."""
        return f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"

    @property
    def averages(self) -> tuple[str | None, ...]:
        """The values of its ``average``; empty where it takes none."""
        if "average" in self.parameters:
            return self.parameters["average"].values + (None,) * (self.unit == "label")
        return inputs.AVERAGES if self.unit == "label" else ()

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The metric's keyword arguments with their defaults, or ``inspect.Parameter.empty``."""
        taken = list(_signature(self.function).parameters.values())[2:]
        return {parameter.name: parameter.default for parameter in taken}

    @cached_property
    def required(self) -> dict[str, Any]:
        """The parameters without a default, each with the value that tables show."""
        return {
            name: parameter.values[0]
            for name, parameter in self.parameters.items()
            if self.defaults[name] is inspect.Parameter.empty
        }

    @cached_property
    def required_per_label(self) -> tuple[str, ...]:
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
            taken[name] = self.parameters[name].resolve(taken[name], n_labels)
        return partial(self.parts, **taken)

    def read_data(
        self, y_true: Any, y_pred: Any, sample_weight: Any = None, *, name: str | None = None
    ) -> Data:
        """The data, checked as the metric checks them; messages call ``y_pred`` ``name``."""
        given, called = (y_true, y_pred, sample_weight), name or self.reads
        if self.reads == "y_score":
            return inputs.read_label_scores(*given, keep_sparse=self.keeps_sparse, name=called)
        gate = inputs.read_label_sets if self.reads == "y_pred" else inputs.read_probabilities
        return gate(*given, name=called)

    def sample_weights(self, data: Data) -> FloatArray:
        """The weight of each sample in the mean over samples."""
        weight = (data.weighted_by_known() if self.is_share_of_cells else data).weight
        return np.ones(data.shape[0]) if weight is None else weight

    def sklearn_call(self, average: str | None = None) -> str:
        """The scikit-learn expression without what everybody passes, such as ``precision_score``.

        Under an average ``precision_score(average='macro')``; empty where it is another number.
        """
        name, _, rest = self.sklearn.removesuffix(")").partition("(")
        passed = {"y_true", self.reads, *(f"{option}={option}" for option in self.defaults)}
        kept = [each for each in rest.split(", ") if each not in passed]
        if average and "average=average" in rest:
            kept.append(f"average={average!r}")
        if average in self.sklearn_differs:
            return ""
        return f"{name}({', '.join(kept)})" if any(kept) else name

    @property
    def is_additive(self) -> bool:
        """Whether the metric follows from sums and counts of batches, so that scorecards have it."""
        return self.parts is not None and self.prepare is None

    @property
    def reads_label_counts(self) -> bool:
        """Whether every average follows from the four counts of the labels as they are given."""
        return (self.unit, self.reads) == ("label", "y_pred") and not self.prepare

    @property
    def shifts_when_masked(self) -> bool:
        """Whether a share of unknown cells shifts the value, even at random: it reads a row as a whole."""
        return self.unit != "label" and not self.is_share_of_cells

    def odds_factor(self, chosen: Mapping[str, Any], n_labels: int = 1) -> float:
        """The weight of a cell of the part, where the value is a share of cells and others weigh 1; else 0.

        The odds are those of a proportion times the weight: F1, where a hit weighs 2, has twice Jaccard's.
        """
        if not (self.reads_label_counts and self.linear):
            return 0.0
        one_cell = counts.Counts(*np.eye(4)[..., None])  # of each kind
        part, whole = np.broadcast_arrays(*self.formula(chosen, n_labels)(one_cell))
        weights = {*part[part > 0].tolist()}
        is_share = np.array_equal(whole, np.where(part > 0, part, whole > 0))
        return weights.pop() if is_share and len(weights) == 1 else 0.0


_BETA = {"beta": Parameter(inputs.CHECKS["beta"], (2.0,), "β")}
_MACRO = {"average": Parameter(counts.check_macro_or_none, ("macro",))}
_K = {"k": Parameter(inputs.read_k, (1, 2), "k", (3, 5))}
_WORTH = Parameter(
    partial(inputs.read_per_label, name="inverse_propensities"),
    (lambda n_labels: [*range(1, n_labels + 1)], lambda n_labels: [1.5] + [1] * (n_labels - 1)),
    per_label=True,
)
_PARENTS = Parameter(  # a tree in which each label has at most two children; a path
    inputs.read_parents,
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

# What the records of a family have in common; a record may say otherwise.
_exact: Any = partial(Metric, family="exact match", taught="01_exact_match")
_samples: Any = partial(
    Metric, family="example-based", higher_is_better=True, prefix="samples",
    undefined_where="a sample has neither true nor predicted labels", taught="02_example_based",
)  # fmt: skip
_labels: Any = partial(
    Metric, family="label-based", higher_is_better=True, unit="label", linear=True,
    undefined_where="a label is neither true nor predicted anywhere",
)  # fmt: skip
_ranks: Any = partial(
    Metric, family="ranking", reads="y_score", higher_is_better=False,
    undefined_where="a sample has no relevant label", taught="05_ranking",
)  # fmt: skip
_curve: Any = partial(
    Metric, parts=None, family="curves", reads="y_score", higher_is_better=True, unit="label",
    taught="06_curves",
)  # fmt: skip
_first: Any = partial(
    Metric, family="top k", reads="y_score", keeps_sparse=True, higher_is_better=True,
    over_tie_orders=True, parameters=_K, undefined_where="a sample has no relevant label",
)  # fmt: skip
_worth: Any = partial(
    _first, unit="all", undefined_where="no sample has a relevant label",
    parameters={"inverse_propensities": _WORTH, **_K},
)  # fmt: skip
_losses: Any = partial(
    Metric, family="probability", reads="y_prob", higher_is_better=False, unit="label",
    parameters=_MACRO,
)  # fmt: skip
_closed: Any = partial(
    Metric, family="hierarchy", higher_is_better=True, unit="all",
    prepare=lambda data, options: hierarchy.closed_data(data, options["parents"], options["root"]),
    parameters={
        "parents": _PARENTS,
        "average": Parameter(hierarchy.check_average, hierarchy.AVERAGES),
        "root": Parameter(inputs.CHECKS["root"], (True, False)),
    },
)  # fmt: skip

METRICS: list[Metric] = [
    _exact("subset accuracy", exact_match.subset_accuracy, counts.exact_match, "1 where all is right",
        latex="[Z = Y]", higher_is_better=True, sklearn="accuracy_score(y_true, y_pred)",
        names={"sklearn_guide": "绝对匹配率（Exact Match Ratio）", "formulas": "Subset Accuracy"}),
    _exact("zero-one loss", exact_match.zero_one_loss, counts.zero_one_loss,
        "1 where anything is wrong", latex=r"[Z \neq Y]", higher_is_better=False,
        sklearn="zero_one_loss(y_true, y_pred)", names={"sklearn_guide": "0-1损失"}),
    _samples("accuracy (Jaccard)", example_based.accuracy, *_JACCARD,
        latex=r"\frac{|Y \cap Z|}{|Y \cup Z|}",
        sklearn="jaccard_score(y_true, y_pred, average='samples')",
        names={"partial_credit": "準確率 Accuracy", "sklearn_guide": "Hamming Score"}),
    _samples("precision", example_based.precision, *_PRECISION, latex=r"\frac{|Y \cap Z|}{|Z|}",
        undefined_where="nothing is predicted for a sample",
        sklearn="precision_score(y_true, y_pred, average='samples')",
        names={"partial_credit": "精確率 Precision", "sklearn_guide": "精确率",
               "macro_micro": "samples avg"}),
    _samples("recall", example_based.recall, *_RECALL, latex=r"\frac{|Y \cap Z|}{|Y|}",
        undefined_where="a sample has no true label",
        sklearn="recall_score(y_true, y_pred, average='samples')",
        names={"partial_credit": "召回率 Recall", "sklearn_guide": "召回率",
               "macro_micro": "samples avg"}),
    _samples("F1", example_based.f1, *_F1, latex=r"\frac{2\,|Y \cap Z|}{|Y| + |Z|}",
        sklearn="f1_score(y_true, y_pred, average='samples')",
        names={"partial_credit": "F1-score", "sklearn_guide": "F1值", "macro_micro": "samples avg"}),
    _samples("Fβ", example_based.fbeta, *_FBETA, parameters=_BETA,
        latex=r"\frac{(1 + \beta^2)\,|Y \cap Z|}{\beta^2 |Y| + |Z|}",
        sklearn="fbeta_score(y_true, y_pred, beta=beta, average='samples')"),
    Metric("Hamming loss", hamming.hamming_loss, counts.hamming_loss, "wrong cells ÷ all cells",
        latex=r"\frac{|Y \mathbin{\triangle} Z|}{L}", family="Hamming", higher_is_better=False,
        reads_tn=True, is_share_of_cells=True, sklearn="hamming_loss(y_true, y_pred)", taught="03_hamming_loss",
        names={"sklearn_guide": "海明距离（Hamming Loss）", "formulas": "汉明损失", "ranking": "汉明损失"}),
    _labels("precision", label_based.precision, *_PRECISION, latex=r"\frac{TP}{TP + FP}",
        undefined_where="a label is never predicted", taught="04_label_based",
        sklearn="precision_score(y_true, y_pred, average=average)",
        names={"macro_micro": "precision", "formulas": "宏观精确度, 微观精确度"}),
    _labels("recall", label_based.recall, *_RECALL, latex=r"\frac{TP}{TP + FN}",
        undefined_where="no sample has the label", taught="04_label_based",
        sklearn="recall_score(y_true, y_pred, average=average)",
        names={"macro_micro": "recall", "formulas": "宏观召回率, 微观召回率"}),
    _labels("F1", label_based.f1, *_F1, latex=r"\frac{2\,TP}{2\,TP + FN + FP}",
        sklearn="f1_score(y_true, y_pred, average=average)", taught="04_label_based",
        names={"macro_micro": "macro-F1, micro-F1", "formulas": "宏观 F1 分数, 微观 F1 分数"}),
    _labels("Fβ", label_based.fbeta, *_FBETA, parameters=_BETA,
        latex=r"\frac{(1 + \beta^2)\,TP}{(1 + \beta^2)\,TP + \beta^2 FN + FP}",
        sklearn="fbeta_score(y_true, y_pred, beta=beta, average=average)", taught="04_label_based"),
    _labels("Jaccard", label_based.jaccard, *_JACCARD, latex=r"\frac{TP}{TP + FP + FN}",
        sklearn="jaccard_score(y_true, y_pred, average=average)", taught="04_label_based"),
    _labels("accuracy", label_based.accuracy, counts.accuracy, "right cells ÷ all cells",
        latex=r"\frac{TP + TN}{TP + FP + FN + TN}", undefined_where="", reads_tn=True),
    _labels("cost", label_based.cost, counts.cost,
        "(misses × their price + false alarms × their price) ÷ all cells",
        latex=r"\frac{c_{\mathrm{miss}}\,FN + c_{\mathrm{alarm}}\,FP}{TP + FP + FN + TN}",
        higher_is_better=False, undefined_where="", range=(0, math.inf), reads_tn=True,
        parameters=_MACRO | _PRICES),
    _labels("specificity", label_based.specificity, counts.specificity,
        "rightly left out ÷ samples without the label", latex=r"\frac{TN}{TN + FP}",
        undefined_where="every sample has the label", reads_tn=True,
        sklearn="recall_score(1 - y_true, 1 - y_pred, average=average)", sklearn_differs=("weighted",)),
    _labels("negative predictive value", label_based.negative_predictive_value,
        counts.negative_predictive_value, "rightly left out ÷ samples predicted without the label",
        latex=r"\frac{TN}{TN + FN}", undefined_where="a label is predicted for every sample",
        reads_tn=True,
        sklearn="precision_score(1 - y_true, 1 - y_pred, average=average)",
        sklearn_differs=("weighted",)),
    _labels("balanced accuracy", label_based.balanced_accuracy, counts.balanced_accuracy,
        "mean of recall and specificity", reads_tn=True, linear=False,
        latex=r"\frac{1}{2} \left( \frac{TP}{TP + FN} + \frac{TN}{TN + FP} \right)",
        undefined_where="no sample has the label, or every sample has it"),
    _labels("Matthews correlation", label_based.matthews_correlation, counts.matthews_correlation,
        "correlation of truth and prediction", range=(-1, 1), reads_tn=True, linear=False,
        latex=r"\frac{TP \cdot TN - FP \cdot FN}{\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}",
        undefined_where="no sample or every sample has the label, or is predicted to have it"),
    _labels("kappa", label_based.kappa, counts.kappa,
        "(right − right by chance) ÷ (1 − right by chance), of shares of the samples",
        latex=r"\frac{2\,(TP \cdot TN - FP \cdot FN)}{(TP + FP)(TN + FP) + (TP + FN)(TN + FN)}",
        undefined_where="no sample has the label or is predicted to, or every sample has it and is",
        range=(-1, 1), reads_tn=True, linear=False),
    _ranks("coverage", ranking.coverage, ordering.coverage, "the rank of the last relevant label",
        latex=r"\max_{j \in Y} r(j)", range=(1, "L"), sklearn="coverage_error(y_true, y_score)",
        parameters={"start": Parameter(inputs.CHECKS["start"], (1, 0))},
        names={"ranking": "覆盖率 (Coverage)"}),
    _ranks("one-error", ranking.one_error, ordering.one_error,
        "1 where the label at the top is irrelevant", over_tie_orders=True, latex=r"[\mathrm{top\ label} \notin Y]",
        names={"ranking": "1-错误率 (One Error)"}),
    _ranks("ranking loss", ranking.ranking_loss, ordering.ranking_loss,
        "pairs in the wrong order ÷ pairs of a relevant and an irrelevant label",
        latex=r"\frac{\sum_{j \in Y} (r(j) - r_Y(j))}{|Y|\,(L - |Y|)}", over_tie_orders=True,
        undefined_where="a sample has no relevant or no irrelevant label",
        sklearn="label_ranking_loss(y_true, y_score)",
        names={"ranking": "排序损失 (Ranking Loss)"}),
    _ranks("average precision", ranking.average_precision, ordering.average_precision,
        "at each relevant label, the relevant ones down to it ÷ all down to it",
        latex=r"\frac{1}{|Y|} \sum_{j \in Y} \frac{r_Y(j)}{r(j)}", higher_is_better=True,
        sklearn="label_ranking_average_precision_score(y_true, y_score)",
        names={"ranking": "平均精确率 (Average Precision)"}),
    _curve("AP", curves.average_precision,
        formula_in_words="at each positive, the positives down to it ÷ all down to it",
        latex=r"\frac{1}{|Y|} \sum_{i \in Y} \frac{r_Y(i)}{r(i)}",
        undefined_where="a label has no positive",
        parameters={"interpolation": Parameter(inputs.CHECKS["interpolation"], inputs.INTERPOLATIONS)},
        sklearn="average_precision_score(y_true, y_score, average=average)"),
    _curve("AUROC", curves.roc_auc,
        formula_in_words="pairs in the right order ÷ pairs of a positive and a negative",
        latex=r"1 - \frac{\sum_{i \in Y} (r(i) - r_Y(i))}{|Y|\,(n - |Y|)}",
        undefined_where="a label has no positive or no negative",
        sklearn="roc_auc_score(y_true, y_score, average=average)"),
    _first("precision at k", top_k.precision, ordering.precision_at, "hits among the first k ÷ k",
        latex=r"\frac{|Y \cap T|}{k}", undefined_where="", taught="07_top_k"),
    _first("recall at k", top_k.recall, ordering.recall_at,
        "hits among the first k ÷ relevant labels",
        latex=r"\frac{|Y \cap T|}{|Y|}", taught="07_top_k"),
    _first("R-precision", top_k.r_precision, ordering.r_precision,
        "hits among as many labels as are relevant ÷ relevant labels",
        latex=r"\frac{\sum_{j \in Y} [r(j) \leq |Y|]}{|Y|}", parameters={}),
    _first("R-precision at k", top_k.rp, ordering.r_precision_at,
        "hits among the first k ÷ k, or ÷ relevant labels if these are fewer",
        latex=r"\frac{|Y \cap T|}{\min(k, |Y|)}"),
    _first("nDCG at k", top_k.ndcg, ordering.ndcg_at,
        "hits among the first k, each ÷ log2(place + 1), ÷ the same of the best order",
        latex=r"\frac{\sum_{j \in Y \cap T} \frac{1}{\log_2(r(j) + 1)}}"
        r"{\sum_{j = 1}^{\min(k, |Y|)} \frac{1}{\log_2(j + 1)}}",
        sklearn="ndcg_score(y_true, y_score, k=k)", taught="07_top_k"),
    _worth("propensity-scored precision at k", top_k.propensity_scored_precision,
        ordering.propensity_scored_precision_at,
        "worth of the hits among the first k ÷ the most that k labels can be worth",
        latex=r"\frac{\sum_{j \in Y \cap T} w_j}{\max_{|S| \leq k} \sum_{j \in Y \cap S} w_j}"),
    _worth("propensity-scored nDCG at k", top_k.propensity_scored_ndcg,
        ordering.propensity_scored_ndcg_at,
        "worth of the hits among the first k, each ÷ log2(place + 1), ÷ the same of the best order",
        latex=r"\frac{\sum_{j \in Y \cap T} \frac{w_j}{\log_2(r(j) + 1)}}"
        r"{\max_s \sum_{j \in Y \cap T_s} \frac{w_j}{\log_2(s(j) + 1)}}"),
    _losses("log loss", probability.log_loss, losses.binary_cross_entropy,
        "−ln of the probability given to what is true", range=(0, 52 * math.log(2)),
        latex=r"-\frac{1}{n} \sum_i (y_i \ln p_i + (1 - y_i) \ln(1 - p_i))",
        parameters=_losses.keywords["parameters"] | {"clip": Parameter(inputs.CHECKS["clip"], (None, 1e-7), further_values=(math.exp(-100),))},
        sklearn="log_loss(y_true.ravel(), y_prob.ravel(), labels=[0, 1])", sklearn_differs=(None,)),
    _losses("Brier score", probability.brier, losses.squared_error,
        "the square of probability − truth", latex=r"\frac{1}{n} \sum_i (p_i - y_i)^2",
        sklearn="brier_score_loss(y_true.ravel(), y_prob.ravel(), labels=[0, 1])",
        sklearn_differs=(None,)),
    _losses("calibration error", probability.calibration_error, None,
        "in each bin, mean probability − share of positives, without sign",
        latex=r"\sum_b \frac{n_b}{n} \, \vert \bar{p}_b - \bar{y}_b \vert",
        parameters={
            "average": Parameter(probability.check_average, ("macro", "micro")),
            "bins": Parameter(inputs.CHECKS["bins"], (10, 2), further_values=(15,)),
            "norm": Parameter(inputs.CHECKS["norm"], ("l1", "l2", "max")),
        }),
    _closed("hierarchical precision", hierarchy.precision, counts.precision,
        "hits ÷ predicted labels, each with its ancestors",
        latex=r"\frac{|\hat Y \cap \hat Z|}{|\hat Z|}",
        undefined_where="nothing is predicted for any sample"),
    _closed("hierarchical recall", hierarchy.recall, counts.recall,
        "hits ÷ true labels, each with its ancestors",
        latex=r"\frac{|\hat Y \cap \hat Z|}{|\hat Y|}",
        undefined_where="no sample has a true label"),
    _closed("hierarchical F1", hierarchy.f1, counts.f1,
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
    raise ValueError(
        f"metric is {function_name(metric)}, which the catalogue does not hold:"
        " pass a public metric function of mlm_helpers or a functools.partial of it"
    )


def as_list_of_metrics(metrics: Any) -> list[Any]:
    """Read the metrics of a table."""
    if not isinstance(metrics, Iterable) or isinstance(metrics, str):
        raise TypeError(f"metrics is {inputs.short_repr(metrics)}: give a list, such as [f1]")
    return [*metrics]


def find_record(metric: Callable[..., Any]) -> Metric | None:
    """The metric's record; None of any other function."""
    if not callable(metric):
        raise TypeError(f"metric is {inputs.short_repr(metric)}: give a function")
    function = getattr(metric, "func", metric)
    return next((record for record in METRICS if record.function is function), None)


def function_name(function: Callable[..., Any]) -> str:
    """The name of any function, or of one with bound options; of another callable its type."""
    function = getattr(function, "func", function)
    return str(getattr(function, "__name__", type(function).__name__))


def read_metric_value(value: Any) -> float:
    """What any function of truth and prediction returned, refused unless it is finite or nan."""
    if np.ndim(value) or not is_real(np.asarray(value).item()) or math.isinf(value):
        what = f"metric returned {inputs.short_repr(value)}"
        raise TypeError(f"{what}: give one that returns one finite number, or nan")
    return float(value)


def resolve_options(metric: MetricFunction, **given: Any) -> dict[str, Any]:
    """Every option of a metric: given here, bound by the partial, or its default; all checked."""
    record, bound = record_of(metric), getattr(metric, "keywords", {}) | given
    # Of an option per label the metric itself knows the labels.
    checks = inputs.CHECKS | {n: p.check for n, p in record.parameters.items() if not p.per_label}
    if not record.required.keys() <= bound.keys() <= record.defaults.keys():
        what = f"metric is {function_name(metric)}, whose options are {', '.join(record.defaults)}"
        raise TypeError(f"{what}: bind {', '.join(record.required) or 'only these'} with partial()")
    chosen = record.defaults | bound
    for option in checks.keys() & chosen.keys():
        checks[option](chosen[option])
    return chosen


def align_options(metric: MetricFunction, y_true: Any, y_pred: Any) -> MetricFunction:
    """The metric with its options per label in the order of the labels, and without their names."""
    record, bound = find_record(metric), getattr(metric, "keywords", {})
    own = (name for name, one in record.parameters.items() if one.per_label) if record else ()
    read = {
        n: inputs.align_to_labels(bound[n], n, y_true=y_true, y_pred=y_pred)
        for n in own
        if n in bound
    }
    return partial(metric, **read) if read else metric


def resolve_scalar_options(metric: MetricFunction) -> dict[str, Any]:
    """Every option of a metric; refused are bound options under which it returns several numbers."""
    chosen = resolve_options(metric)
    if chosen.get("average", "none") is None:
        raise ValueError("average is None, a value per label: bind macro, micro or weighted")
    if chosen.get("per_sample"):
        raise ValueError("per_sample is True, a value per sample: leave it out")
    return chosen


def undefined_mask(metric: MetricFunction, y_true: Any, y_pred: Any) -> NDArray[np.bool_]:
    """Which of the values that a metric averages do not exist: of samples, of labels, or of all cells.

    Samples and labels of which nothing is known are left out of the mean, and count as having a value.
    """
    metric = align_options(metric, y_true, y_pred)
    record, chosen = record_of(metric), resolve_options(metric)
    along = "sample" if chosen.get("average") == "samples" else record.unit
    if along == record.unit:
        each: Any = dict.fromkeys({"zero_division", "undefined"} & chosen.keys(), math.nan)
        if along == "sample":
            each["per_sample"] = True
        elif along == "label" and chosen["average"] != "micro":
            each["average"] = None
        missing = np.asarray(np.isnan(partial(metric, **each)(y_true, y_pred)))
    else:  # the mean over samples of a metric that has no option per_sample
        data = inputs.read_label_sets(y_true, y_pred)
        data = record.prepare(data, chosen) if record.prepare else data
        formula = record.formula(chosen, data.shape[1])
        missing = formula(counts.count(data, axis=1))[1] == 0
    if missing.ndim and np.ma.is_masked(y_true):
        missing = missing & ~np.ma.getmaskarray(y_true).all(axis=0 if along == "label" else 1)
    return missing


def full_name(metric: MetricFunction) -> str:
    """The name of a metric with its bound options: "micro F1", "coverage, start=0"."""
    record = record_of(metric)
    bound = dict(metric.keywords) if isinstance(metric, partial) else {}
    name, prefix = record.name, record.prefix
    for option, parameter in record.parameters.items():
        if parameter.symbol and option in bound:
            value = inputs.short_repr(bound.pop(option)).removesuffix(".0")
            name = name.removesuffix(parameter.symbol) + value
        elif parameter.per_label and not is_number(bound.get(option)):  # too long for a name
            bound.pop(option, None)
    if record.averages:
        prefix = bound.pop("average", record.defaults["average"]) or ""
    said = [f"{prefix} {name}" if prefix else name]
    return ", ".join(said + [f"{option}={inputs.short_repr(bound[option])}" for option in bound])


def variants(records: Iterable[Metric] = METRICS) -> dict[str, MetricFunction]:
    """All metrics by name, each average apart, and each with one number: Fβ stands with β = 2.

    Examples
    --------
    >>> list(variants())[:4]
    ['subset accuracy', 'zero-one loss', 'samples accuracy (Jaccard)', 'samples precision']
    """
    found: dict[str, MetricFunction] = {}
    for record in records:
        for choice in [{"average": average} for average in record.averages if average] or [{}]:
            bound = record.required | choice
            metric = partial(record.function, **bound) if bound else record.function
            found[full_name(metric)] = metric
    return found


def general_name(metric: MetricFunction) -> str:
    """The name of a metric with its average, without its other options: F2 is an Fβ."""
    chosen = resolve_options(metric, **record_of(metric).required)
    average = {"average": chosen["average"]} if chosen.get("average") else {}
    return full_name(partial(record_of(metric).function, **average))
