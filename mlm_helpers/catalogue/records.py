"""The record of each metric, in the order of the course."""

import math
from functools import partial
from typing import Any

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
from mlm_helpers._core.inputs.ancestry import read_parents
from mlm_helpers._core.inputs.options import (
    CHECKS,
    INTERPOLATIONS,
    TOP_K_TIES,
    check_top_k_ties,
    read_k,
)
from mlm_helpers._core.inputs.read import read_per_label
from mlm_helpers.catalogue.metric import Metric, MetricFunction, Parameter, Teaching


def _record(
    name: str,
    function: MetricFunction,
    formula: Any,
    words: str,
    *,
    latex: str,
    undefined_where: str = "",
    notebook: str | None = None,
    **fields: Any,
) -> Metric:
    """A record; the four fields of its `Teaching` are arguments like its own fields."""
    teaching = Teaching(latex, words, undefined_where, notebook)
    return Metric(name, function, formula, teaching, **fields)  # fmt: skip


_BETA = {"beta": Parameter(CHECKS["beta"], (2.0,), "β")}
_MACRO = {"average": Parameter(counts.check_macro_or_none, ("macro",))}
_TOP_K_TIES = {"ties": Parameter(check_top_k_ties, TOP_K_TIES)}
_K = {"k": Parameter(read_k, (1, 2), "k", (3, 5)), **_TOP_K_TIES}
# Options per label: each value is a function of the number of labels, see `Parameter.values`.
_INVERSE_PROPENSITIES = Parameter(
    partial(read_per_label, name="inverse_propensities"),
    (lambda n_labels: [*range(1, n_labels + 1)], lambda n_labels: [1.5] + [1] * (n_labels - 1)),
    per_label=True,
)
# A tree in which each label has at most two children; a path. Label 0 is the root: it has an empty
# list of parents, as ``* (j > 0)`` empties its list.
_PARENTS = Parameter(
    read_parents,
    (lambda n_labels: [[(j - 1) // 2] * (j > 0) for j in range(n_labels)],
     lambda n_labels: [[j - 1] * (j > 0) for j in range(n_labels)]),
    per_label=True,
)  # fmt: skip
_PRICES = {
    name: Parameter(partial(label_based.read_prices, name=name), prices, per_label=True)
    for name, prices in (
        ("miss", (lambda n_labels: [5] * n_labels, lambda n_labels: [*range(1, n_labels + 1)])),
        ("false_alarm",
            (lambda n_labels: [1] * n_labels, lambda n_labels: [0.5] + [2] * (n_labels - 1))),
    )
}  # fmt: skip

_PRECISION = counts.precision, "hits ÷ predicted labels"
_RECALL = counts.recall, "hits ÷ true labels"
_JACCARD = counts.jaccard, "hits ÷ labels true or predicted"
_F1 = counts.f1, "2 × hits ÷ (true labels + predicted labels)"
_FBETA = counts.fbeta, "(1 + β²) × hits ÷ (β² × true labels + predicted labels)"

# The fields that the records of a family share; a record can override them.
_exact_match: Any = partial(_record, family="exact match", notebook="01_exact_match")
_example_based: Any = partial(
    _record, family="example-based", higher_is_better=True, prefix="samples",
    undefined_where="a sample has neither true nor predicted labels", notebook="02_example_based",
)  # fmt: skip
_label_based: Any = partial(
    _record, family="label-based", higher_is_better=True, unit="label", linear=True,
    undefined_where="a label is neither true nor predicted anywhere",
)  # fmt: skip
_ranking: Any = partial(
    _record, family="ranking", reads="y_score", higher_is_better=False,
    undefined_where="a sample has no relevant label", notebook="05_ranking",
)  # fmt: skip
_curve: Any = partial(
    _record, family="curves", reads="y_score", higher_is_better=True, unit="label",
    notebook="06_curves",
)  # fmt: skip
_top_k: Any = partial(
    _record, family="top k", reads="y_score", keeps_sparse=True, higher_is_better=True,
    over_tie_orders=True, parameters=_K, undefined_where="a sample has no relevant label",
)  # fmt: skip
_propensity_scored: Any = partial(
    _top_k, unit="all", undefined_where="no sample has a relevant label", range=(0, math.inf),
    parameters={"inverse_propensities": _INVERSE_PROPENSITIES, **_K,
                "normalize": Parameter(CHECKS["normalize"], (True, False))},
)  # fmt: skip
_probability: Any = partial(
    _record, family="probability", reads="y_prob", higher_is_better=False, unit="label",
    parameters=_MACRO,
)  # fmt: skip
_hierarchical: Any = partial(
    _record, family="hierarchy", higher_is_better=True, unit="all",
    prepare=lambda data, options: hierarchy.closed_data(
        data, hierarchy.closing_function(options["parents"], data.truth, options["root"])
    ),
    parameters={
        "parents": _PARENTS,
        "average": Parameter(hierarchy.check_micro_or_samples, ("micro", "samples")),
        "root": Parameter(CHECKS["root"], (True, False)),
    },
)  # fmt: skip

METRICS: list[Metric] = [
    _exact_match("subset accuracy", exact_match.subset_accuracy, counts.exact_match,
        "1 where all is right", latex="[Z = Y]", higher_is_better=True,
        sklearn="accuracy_score(y_true, y_pred)"),
    _exact_match("zero-one loss", exact_match.zero_one_loss, counts.zero_one_loss,
        "1 where anything is wrong", latex=r"[Z \neq Y]", higher_is_better=False,
        sklearn="zero_one_loss(y_true, y_pred)"),
    _example_based("accuracy (Jaccard)", example_based.accuracy, *_JACCARD,
        latex=r"\frac{|Y \cap Z|}{|Y \cup Z|}",
        sklearn="jaccard_score(y_true, y_pred, average='samples')"),
    _example_based("precision", example_based.precision, *_PRECISION,
        latex=r"\frac{|Y \cap Z|}{|Z|}", undefined_where="nothing is predicted for a sample",
        sklearn="precision_score(y_true, y_pred, average='samples')"),
    _example_based("recall", example_based.recall, *_RECALL, latex=r"\frac{|Y \cap Z|}{|Y|}",
        undefined_where="a sample has no true label",
        sklearn="recall_score(y_true, y_pred, average='samples')"),
    _example_based("F1", example_based.f1, *_F1, latex=r"\frac{2\,|Y \cap Z|}{|Y| + |Z|}",
        sklearn="f1_score(y_true, y_pred, average='samples')"),
    _example_based("Fβ", example_based.fbeta, *_FBETA, parameters=_BETA,
        latex=r"\frac{(1 + \beta^2)\,|Y \cap Z|}{\beta^2 |Y| + |Z|}",
        sklearn="fbeta_score(y_true, y_pred, beta=beta, average='samples')"),
    _record("Hamming loss", hamming.hamming_loss, counts.hamming_loss, "wrong cells ÷ all cells",
        latex=r"\frac{|Y \mathbin{\triangle} Z|}{L}", family="Hamming", higher_is_better=False,
        reads_tn=True, is_share_of_cells=True, sklearn="hamming_loss(y_true, y_pred)",
        notebook="03_hamming_loss"),
    _label_based("precision", label_based.precision, *_PRECISION, latex=r"\frac{TP}{TP + FP}",
        undefined_where="a label is never predicted", notebook="04_label_based",
        sklearn="precision_score(y_true, y_pred, average=average)", odds_factor=1),
    _label_based("recall", label_based.recall, *_RECALL, latex=r"\frac{TP}{TP + FN}",
        undefined_where="no sample has the label", notebook="04_label_based",
        sklearn="recall_score(y_true, y_pred, average=average)", odds_factor=1),
    _label_based("F1", label_based.f1, *_F1, latex=r"\frac{2\,TP}{2\,TP + FN + FP}",
        sklearn="f1_score(y_true, y_pred, average=average)", notebook="04_label_based",
        odds_factor=2),
    _label_based("Fβ", label_based.fbeta, *_FBETA, parameters=_BETA,
        latex=r"\frac{(1 + \beta^2)\,TP}{(1 + \beta^2)\,TP + \beta^2 FN + FP}",
        sklearn="fbeta_score(y_true, y_pred, beta=beta, average=average)",
        notebook="04_label_based"),
    _label_based("Jaccard", label_based.jaccard, *_JACCARD, latex=r"\frac{TP}{TP + FP + FN}",
        sklearn="jaccard_score(y_true, y_pred, average=average)", notebook="04_label_based",
        odds_factor=1),
    _label_based("accuracy", label_based.accuracy, counts.accuracy, "right cells ÷ all cells",
        latex=r"\frac{TP + TN}{TP + FP + FN + TN}", undefined_where="", reads_tn=True,
        odds_factor=1),
    _label_based("cost", label_based.cost, counts.cost,
        "(misses × their price + false alarms × their price) ÷ all cells",
        latex=r"\frac{\mathrm{miss} \cdot FN + \mathrm{false\ alarm} \cdot FP}{TP + FP + FN + TN}",
        higher_is_better=False, undefined_where="", range=(0, math.inf), reads_tn=True,
        parameters=_MACRO | _PRICES),
    _label_based("specificity", label_based.specificity, counts.specificity,
        "rightly left out ÷ samples without the label", latex=r"\frac{TN}{TN + FP}",
        undefined_where="every sample has the label", reads_tn=True,
        sklearn="recall_score(1 - y_true, 1 - y_pred, average=average)",
        sklearn_differs=("weighted",), odds_factor=1),
    _label_based("negative predictive value", label_based.negative_predictive_value,
        counts.negative_predictive_value, "rightly left out ÷ samples predicted without the label",
        latex=r"\frac{TN}{TN + FN}", undefined_where="a label is predicted for every sample",
        reads_tn=True, sklearn="precision_score(1 - y_true, 1 - y_pred, average=average)",
        sklearn_differs=("weighted",), odds_factor=1),
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
        parameters={"start": Parameter(CHECKS["start"], (1, 0))}),
    _ranking("one-error", ranking.one_error, ordering.one_error,
        "1 where the label at the top is irrelevant", over_tie_orders=True,
        latex=r"[\mathrm{top\ label} \notin Y]"),
    _ranking("ranking loss", ranking.ranking_loss, ordering.ranking_loss,
        "pairs in the wrong order ÷ pairs of a relevant and an irrelevant label",
        latex=r"\frac{\sum_{j \in Y} (r(j) - r_Y(j))}{|Y|\,(L - |Y|)}", over_tie_orders=True,
        undefined_where="a sample has no relevant or no irrelevant label",
        sklearn="label_ranking_loss(y_true, y_score)"),
    _ranking("average precision", ranking.average_precision, ordering.average_precision,
        "at each relevant label, the relevant ones down to it ÷ all down to it",
        latex=r"\frac{1}{|Y|} \sum_{j \in Y} \frac{r_Y(j)}{r(j)}", higher_is_better=True,
        sklearn="label_ranking_average_precision_score(y_true, y_score)"),
    _curve("AP", curves.average_precision, None,
        "at each positive, the positives down to it ÷ all down to it",
        latex=r"\frac{1}{|Y|} \sum_{i \in Y} \frac{r_Y(i)}{r(i)}",
        undefined_where="a label has no positive",
        parameters={"interpolation": Parameter(CHECKS["interpolation"], INTERPOLATIONS)},
        sklearn="average_precision_score(y_true, y_score, average=average)"),
    _curve("AUROC", curves.roc_auc, None,
        "pairs in the right order ÷ pairs of a positive and a negative",
        latex=r"1 - \frac{\sum_{i \in Y} (r(i) - r_Y(i))}{|Y|\,(n - |Y|)}",
        undefined_where="a label has no positive or no negative",
        sklearn="roc_auc_score(y_true, y_score, average=average)"),
    _top_k("precision at k", top_k.precision, ordering.precision_at, "hits among the first k ÷ k",
        latex=r"\frac{|Y \cap T|}{k}", undefined_where="", notebook="07_top_k"),
    _top_k("recall at k", top_k.recall, ordering.recall_at,
        "hits among the first k ÷ relevant labels", latex=r"\frac{|Y \cap T|}{|Y|}",
        notebook="07_top_k"),
    _top_k("R-precision", top_k.r_precision, ordering.r_precision,
        "hits among as many labels as are relevant ÷ relevant labels",
        latex=r"\frac{\sum_{j \in Y} [r(j) \leq |Y|]}{|Y|}", parameters=_TOP_K_TIES),
    _top_k("R-precision at k", top_k.rp, ordering.r_precision_at,
        "hits among the first k ÷ k, or ÷ relevant labels if these are fewer",
        latex=r"\frac{|Y \cap T|}{\min(k, |Y|)}"),
    _top_k("nDCG at k", top_k.ndcg, ordering.ndcg_at,
        "hits among the first k, each ÷ log2(place + 1), ÷ the same of the best order",
        latex=r"\frac{\sum_{j \in Y \cap T} \frac{1}{\log_2(r(j) + 1)}}"
        r"{\sum_{j = 1}^{\min(k, |Y|)} \frac{1}{\log_2(j + 1)}}",
        sklearn="ndcg_score(y_true, y_score, k=k)", notebook="07_top_k"),
    _propensity_scored("propensity-scored precision at k", top_k.propensity_scored_precision,
        ordering.propensity_scored_at,
        "inverse propensities of the hits among the first k ÷ the greatest possible sum",
        latex=r"\frac{\sum_{j \in Y \cap T} w_j}{\sum_{j = 1}^{\min(k, |Y|)} v_j}"),
    _propensity_scored("propensity-scored nDCG at k", top_k.propensity_scored_ndcg,
        partial(ordering.propensity_scored_at, weigh=ordering.discounts),
        "inverse propensities of the hits among the first k, each ÷ log2(place + 1),"
        " ÷ the best sum",
        latex=r"\frac{\sum_{j \in Y \cap T} \frac{w_j}{\log_2(r(j) + 1)}}"
        r"{\sum_{j = 1}^{\min(k, |Y|)} \frac{v_j}{\log_2(j + 1)}}"),
    _probability("log loss", probability.log_loss, losses.binary_cross_entropy,
        "−ln of the probability given to what is true", range=(0, math.inf),
        latex=r"-\frac{1}{n} \sum_i (y_i \ln p_i + (1 - y_i) \ln(1 - p_i))",
        parameters=_probability.keywords["parameters"] | {
            "clip": Parameter(CHECKS["clip"], (None, 1e-7), further_values=(math.exp(-100),))
        },
        sklearn="log_loss(y_true.ravel(), y_prob.ravel(), labels=[0, 1])", sklearn_differs=(None,)),
    _probability("Brier score", probability.brier, losses.squared_error,
        "the square of probability − truth", latex=r"\frac{1}{n} \sum_i (p_i - y_i)^2",
        sklearn="brier_score_loss(y_true.ravel(), y_prob.ravel(), labels=[0, 1])",
        sklearn_differs=(None,)),
    _probability("calibration error", probability.calibration_error, None,
        "in each bin, mean probability − share of positives, without sign",
        latex=r"\sum_b \frac{|B_b|}{n} \, \lvert \bar{p}_b - \bar{y}_b \rvert",
        parameters={
            "average": Parameter(probability.check_macro_micro_or_none, ("macro", "micro")),
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
    return tuple(record for record in METRICS if record.teaching.notebook)
