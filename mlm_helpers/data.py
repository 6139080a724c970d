"""Preparing data: matrices from tags, unknown cells and bounds, a description, and folds."""

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue
from mlm_helpers._core.averages import averaging_of
from mlm_helpers._core.blocks import row_blocks
from mlm_helpers._core.inputs import kinds, refuse, tags
from mlm_helpers._core.inputs.data import FloatArray, LabelMatrix, dense
from mlm_helpers._core.inputs.kinds import is_sparse
from mlm_helpers._core.inputs.options import check_choice, read_int, resolve_names
from mlm_helpers._core.inputs.read import (
    as_array,
    read_groups,
    read_label_sets,
    read_labels,
    read_truth,
)
from mlm_helpers._core.named import as_frame_like, masked_truth
from mlm_helpers.catalogue.arguments import resolve_scalar_options
from mlm_helpers.catalogue.metric import MetricFunction
from mlm_helpers.tables import Display, Value, table

__all__ = ["Description", "Tags", "bounds", "describe", "folds", "from_tags", "unknown"]

_MAX_ROWS = 20  # labels in the table of a description


def unknown(y_true: LabelMatrix, value: float | Sequence[float | None] | None = -1) -> Any:
    """The truth as a masked array, in which the cells that nobody annotated are masked.

    Every metric takes this array as ``y_true``. If cells are unknown at random, values of metrics
    that read cells or columns (label-based ones, Hamming loss, curves, probability) stay
    comparable. Values of metrics that read a row as a whole (example-based, exact match, ranking,
    top k, hierarchy) shift with the share of unknown cells: for a tree model of the notebook
    14_your_own_data, with a fifth of the cells unknown at random, micro F1 is 0.604 instead of
    0.607, but samples F1 is 0.430 instead of 0.526.

    Parameters
    ----------
    y_true : matrix of 0, 1 and the value, shape (n_samples, n_labels)
        Nested lists, a NumPy array or a pandas DataFrame. Masked cells stay masked.
    value : -1, nan or None, or a list of them
        The values of cells that nobody annotated. nan stands for nan, None and pandas' NA, and so
        does None.

    Returns
    -------
    numpy.ma.MaskedArray of 0 and 1, shape (n_samples, n_labels)
        With the columns and the index of a DataFrame, which metrics compare with the prediction's.

    Raises
    ------
    TypeError, ValueError
        For a cell that holds neither 0, 1 nor ``value``.

    Examples
    --------
    >>> print(unknown([[1, 0, -1], [0, -1, 1]]))
    [[1 0 --]
     [0 -- 1]]

    Metrics leave the masked cells out: one of the four known ones is wrong.

    >>> from mlm_helpers import hamming
    >>> hamming.hamming_loss(unknown([[1, 0, -1], [0, -1, 1]]), [[1, 1, 1], [0, 0, 1]])
    0.25
    """
    markers: Any = value if isinstance(value, (list, tuple)) else [value]
    refuse.check_not_sparse(y_true, "y_true")
    cells = as_array(y_true)
    mask = np.zeros(cells.shape, bool) | np.ma.getmask(y_true)
    for marker in markers:
        check_choice(marker, (-1, math.nan, None), "value")
        mask |= _mask_of_marker(cells, marker)
    for marker in (-1, math.nan):  # refuse these usual markers where ``value`` lacks them
        for position in np.argwhere(_mask_of_marker(cells, marker) & ~mask)[:1]:  # the first
            problem = f"y_true holds {marker} at {refuse.position_text(*position)}"
            remedy = "if nobody annotated it, pass value=[-1, np.nan]; if it means no, write 0"
            raise ValueError(f"{problem}: {remedy}")
    truth, _ = read_truth(np.ma.MaskedArray(cells, mask) if mask.any() else y_true)
    return masked_truth(truth, mask, like=y_true)


def _mask_of_marker(cells: Any, marker: float | None) -> Any:
    """Mask of the cells that hold the marker: -1, or for nan and None any missing value."""
    if cells.dtype != object:
        return cells == -1 if marker == -1 else cells != cells  # only nan differs from itself

    def holds_marker(cell: Any) -> bool:
        if marker == -1:
            return kinds.is_number(cell) and cell == -1
        return kinds.is_missing(cell)

    return np.array(list(map(holds_marker, cells.flat)), bool).reshape(cells.shape)


def bounds(metric: MetricFunction, y_true: LabelMatrix, y_pred: LabelMatrix) -> tuple[float, float]:
    """The lowest and highest value of a metric over all ways to fill in the unknown labels.

    One bound is the value if every unknown cell is as predicted, the other the value if none is,
    since a cell that becomes right never makes these metrics worse. Filling in all zeros or all
    ones need not give either bound. The bounds show how far the unknown labels could move the
    metric; a confidence interval shows how far other samples could.

    Parameters
    ----------
    metric : public metric function of label sets, or a ``functools.partial`` of it
        Exact match, Hamming loss, precision, recall, F1, Fβ or Jaccard, such as
        ``partial(label_based.f1, average="micro")``; ``sample_weight`` may be bound.
    y_true : masked array of 0 and 1, shape (n_samples, n_labels)
        The result of `unknown`. Without masked cells both bounds are the value of the metric.
    y_pred : matrix of 0 and 1, same shape

    Raises
    ------
    TypeError, ValueError
        For invalid input; and for metrics that these two fillings do not bound: averages weighted
        by support, metrics of scores or with ancestors, rates of true negatives, and
        ``zero_division=nan``.

    References
    ----------
    Manski, "Partial Identification of Probability Distributions", 2003, bounds quantities in this
    way.

    Examples
    --------
    >>> from mlm_helpers import hamming
    >>> y_true, y_pred = unknown([[1, 0, -1], [1, -1, 0]]), [[1, 1, 0], [1, 0, 0]]
    >>> low, high = bounds(hamming.hamming_loss, y_true, y_pred)
    >>> round(low, 3), round(high, 3)
    (0.167, 0.5)
    """
    record, options = catalogue.record_of(metric), resolve_scalar_options(metric)
    averaging = averaging_of(record.unit, options)
    objections = {  # why the two fillings would not bound a metric, and whether that applies
        "reads scores or ancestors": record.reads != "y_pred" or record.prepare is not None,
        "reads true negatives": record.reads_tn and not record.is_share_of_cells,
        "is weighted by support": averaging.weighs_support,
        "is not a mean of values": averaging.combine is not None,
        "leaves out undefined values": options.get("zero_division") not in (0, 1, "agree", None),
    }
    if reasons := [reason for reason, applies in objections.items() if applies]:
        remedy = 'bounds takes metrics such as functools.partial(label_based.f1, average="micro")'
        raise ValueError(f"metric is {catalogue.full_name(metric)}, which {reasons[0]}: {remedy}")
    data = read_label_sets(y_true, y_pred).dense()
    known = ~np.ma.getmaskarray(data.y_true)
    fillings = data.prediction != 0, data.prediction == 0  # as predicted, and the opposite
    values = [metric(np.where(known, data.truth, filling), y_pred) for filling in fillings]
    return float(min(values)), float(max(values))


class Tags(NamedTuple):
    """Truth and prediction as matrices with one column per label.

    Attributes
    ----------
    y_true, y_pred : array of 0 and 1, shape (n_samples, n_labels)
        DataFrames with the labels as columns if the tags were a pandas Series.
    labels : tuple of str
        The names of the columns.
    others : dict
        The tags that were dropped, or added to the given labels, with their numbers of occurrences.
    """

    y_true: Any
    y_pred: Any
    labels: tuple[str, ...]
    others: dict[str, int]


def from_tags(
    true_tags: Any,
    predicted_tags: Any,
    *,
    labels: Any = None,
    others: Literal["refuse", "drop", "add"] = "refuse",
    separator: str | None = None,
    normalize: tags.Normalize | None = None,
) -> Tags:
    """Truth and prediction as matrices of 0 and 1, made from lists of tags.

    Macro averages depend on the list of labels. The macro F1 of truth [{a}, {b}] and prediction
    [{a, x}, {b}] is 1 over the labels of the truth (a and b: the false x is left out), 2/3 over the
    labels that occur (a, b and x), and 1/2 over a, b, c and x (c never occurs, and counts 0).

    Parameters
    ----------
    true_tags, predicted_tags : for each sample a list, tuple, set or array of names; or a text
        The true and the predicted tags: lists, arrays or pandas Series, whose indices must agree.
        An empty list (with a separator, an empty text) is a sample without labels. ``true_tags``
        may also be a DataFrame with a column per label, of 0 and 1 (and unknown cells, for
        `unknown`).
    labels : list of names, optional
        The labels in their order. By default all tags in truth or prediction: first those of digits
        alone, 9 before 10, then the others; if ``true_tags`` is a DataFrame, its columns. For the
        tags of the truth alone, pass ``from_tags(true, true).labels``.
    others : "refuse", "drop" or "add"
        Tags that ``labels`` does not name, such as those that a language model invented: raise a
        ValueError that names them, leave them out, or make them further labels, sorted.
    separator : str, optional
        The text between two tags, such as ";" or "; ".
    normalize : function of a tag, optional
        Applied to every tag and to ``labels``, such as ``str.casefold`` or ``str.strip``.

    Raises
    ------
    TypeError, ValueError
        For a text without a separator, a list written as text, a missing list, a tag that is empty,
        is not text or has blanks around it, and two names that differ only in case, blanks or
        invisible characters, unless ``labels`` has both.

    Examples
    --------
    >>> y_true, y_pred, labels, *_ = from_tags([["a"], ["b"]], [["a", "x"], ["b"]])
    >>> labels
    ('a', 'b', 'x')
    >>> y_pred
    array([[1, 0, 1],
           [0, 1, 0]], dtype=int8)
    >>> from_tags(["a", "b; a"], ["A; x", ""], separator="; ", normalize=str.casefold).labels
    ('a', 'b', 'x')
    >>> from_tags([["a"], ["b"]], [["a", "x"], ["b"]], labels=["b", "a"], others="drop").others
    {'x': 1}
    """
    check_choice(others, ("refuse", "drop", "add"), "others")
    tagged = tags.read_tag_pair(true_tags, predicted_tags, separator, normalize)
    if separator is not None:
        tags.check_all_are_split(tagged, separator)
    truth_is_frame = len(tagged) == 1  # the truth is a matrix, and only the prediction has tags
    if truth_is_frame:
        if labels is not None:
            raise ValueError("labels is given beside a DataFrame with labels: leave labels out")
        labels = list(true_tags.columns)
    unlisted = Counter(name for column in tagged for name in column.names)  # labels go below
    all_tags = sorted(unlisted, key=tags.natural_key)
    if labels is None:
        tags.check_no_near_duplicates(tagged, normalize=normalize)
        listed = all_tags
    else:
        listed = tags.read_label_names(labels, normalize)
        tags.check_no_near_duplicates(tagged, listed, others, normalize)
    for name in listed:
        del unlisted[name]  # which a Counter allows for a name that it lacks
    if unlisted and others == "refuse":
        _refuse_unlisted(unlisted, tagged)
    names = [*listed]
    if others == "add":
        names += [name for name in all_tags if name in unlisted]
    if not names:
        raise ValueError("labels is empty, and no sample has a tag: give the names of the labels")
    like = true_tags if hasattr(true_tags, "iloc") else predicted_tags
    matrices = [as_frame_like(column.matrix(names), like, names) for column in tagged]
    if truth_is_frame:
        truth = true_tags.set_axis(listed, axis=1)  # its columns, normalized
        matrices.insert(0, truth.reindex(columns=names, fill_value=0))  # 0 for added labels
    y_true, y_pred = matrices
    return Tags(y_true, y_pred, tuple(names), dict(unlisted.most_common()))


def _refuse_unlisted(counts: Counter[str], columns: Sequence[tags.SampleTags]) -> None:
    """Refuse tags that are not among the labels, and name the place of the first one.

    ``counts`` has the number of occurrences of each of these tags, and ``columns`` all tags.
    """
    first = next(iter(counts))
    column = next(column for column in columns if first in column.names)
    position = column.position_text(column.names.index(first))
    unlisted = refuse.first_three(counts.most_common(), lambda item: f"{item[0]!r} ({item[1]}×)")
    remedy = "pass others='drop' to leave them out or others='add' to keep them"
    raise ValueError(f"{position}, which is not in labels (unlisted: {unlisted}): {remedy}")


@dataclass(frozen=True, repr=False, eq=False)
class Description(Display):
    """The measures of a label matrix, displayed as two tables: the measures, and the labels.

    Attributes
    ----------
    samples : int
    labels : tuple of str
    positives : array of int, shape (n_labels,)
        Number of samples with each label.
    cardinality, density : float
        Mean number of labels per sample; the same divided by ``n_labels``.
    label_sets : int
        Number of different label sets.
    most_frequent_share : float
        Share of the samples that have the most frequent label set.
    imbalance : array of shape (n_labels,)
        IRLbl: the positives of the most frequent label ÷ those of this one; 0 without a positive.
    mean_imbalance : float
        MeanIR: the mean of ``imbalance`` over all labels.
    scumble : float
        How far rare labels occur together with frequent ones, from 0 to 1: the mean over the
        samples of 1 − geometric mean ÷ mean of the imbalance of their labels, 0 for a sample
        without labels.
    """

    samples: int
    labels: tuple[str, ...]
    positives: NDArray[np.int64]
    imbalance: FloatArray
    cardinality: float
    density: float
    label_sets: int
    most_frequent_share: float
    mean_imbalance: float
    scumble: float


def describe(y: LabelMatrix, *, labels: Any = None) -> Description:
    """Measures of a label matrix: labels per sample, rare labels, and rare beside frequent ones.

    The measures are those of the R package mldr. A label without a positive has the imbalance 0,
    which lowers the mean imbalance, although no label is rarer. The product in SCUMBLE runs over
    the labels that a sample has; over all labels, as in the paper, SCUMBLE would be 1 for every
    sample that lacks one. Invalid input, such as a masked matrix, raises a TypeError or a
    ValueError.

    Parameters
    ----------
    y : matrix of 0 and 1, shape (n_samples, n_labels)
        Dense or sparse.
    labels : n_labels names, optional
        By default the columns of a DataFrame, or numbers from 0.

    References
    ----------
    Charte & Charte, "Working with multilabel datasets in R: the mldr package", 2015; Charte et al.,
    "Dealing with difficult minority labels in imbalanced multilabel data sets", 2019, for SCUMBLE.

    Examples
    --------
    >>> describe([[1, 1], [1, 0], [0, 0]], labels=["sea", "sun"])
    measure                                     value
    samples                                     3
    labels                                      2
    labels per sample (cardinality)             1
    share of cells that are 1 (density)         0.5
    different label sets                        3
    share of the most frequent set              0.333
    mean imbalance of the labels                1.5
    rare labels beside frequent ones (SCUMBLE)  0.019
    <BLANKLINE>
    label  samples  share  imbalance
    sea    2        0.667  1
    sun    1        0.333  2
    """
    cells = read_labels(y, "y")
    n_samples, n_labels = cells.shape
    positives = np.asarray(cells.sum(axis=0, dtype=np.int64))
    imbalance = np.divide(positives.max(), positives, out=np.zeros(n_labels), where=positives > 0)
    set_counts: Counter[bytes] = Counter()
    sum_of_scumble = 0.0
    for rows in row_blocks(cells):
        set_counts.update(_label_sets(cells[rows]))
        sum_of_scumble += float(_scumble(cells[rows], imbalance).sum())
    cardinality = float(positives.sum() / n_samples)
    measures = {  # in the order of the last fields of a Description
        "labels per sample (cardinality)": cardinality,
        "share of cells that are 1 (density)": cardinality / n_labels,
        "different label sets": len(set_counts),
        "share of the most frequent set": max(set_counts.values()) / n_samples,
        "mean imbalance of the labels": float(imbalance.mean()),
        "rare labels beside frequent ones (SCUMBLE)": sum_of_scumble / n_samples,
    }
    names = resolve_names(labels, range(n_labels), "label", y)
    label_rows: list[tuple[Value, ...]] = [
        (names[j], positives[j], positives[j] / n_samples, imbalance[j])
        for j in np.argsort(-positives, kind="stable")
    ]
    if n_labels > _MAX_ROWS:  # show the most frequent labels and the rarest ones
        gap = (f"{n_labels - _MAX_ROWS} more", None, None, None)
        label_rows = [*label_rows[: _MAX_ROWS // 2], gap, *label_rows[-_MAX_ROWS // 2 :]]
    measure_rows = [("samples", n_samples), ("labels", n_labels), *measures.items()]
    steps = table(("measure", "value"), measure_rows).steps
    steps += table(("label", "samples", "share", "imbalance"), label_rows).steps
    fields: Any = measures.values()
    return Description("", steps, n_samples, tuple(names), positives, imbalance, *fields)


def _scumble(y: Any, imbalance: FloatArray) -> FloatArray:
    """1 − geometric mean ÷ mean of the imbalance of its labels, for each sample with labels.

    The matrix product of the samples and a number per label sums that number over each sample's
    labels.
    """
    log_imbalance = np.log(imbalance, out=np.zeros(len(imbalance)), where=imbalance > 0)
    n_labels = np.asarray(y.sum(axis=1, dtype=np.int64))  # of each sample
    has_labels = n_labels > 0
    size = n_labels[has_labels]
    geometric_mean = np.exp((y @ log_imbalance)[has_labels] / size)
    total = (y @ imbalance)[has_labels]
    return np.asarray((1 - geometric_mean * size / total).clip(0))  # no -1e-17 for equal ones


def _label_sets(y: Any) -> Iterator[bytes]:
    """The label set of each row as bytes: equal sets give equal bytes."""
    if is_sparse(y):  # the columns that a CSR array stores, split into its rows
        return (labels.tobytes() for labels in np.split(y.indices, y.indptr[1:-1]))
    return map(bytes, np.packbits(y != 0, axis=1))


def folds(y: LabelMatrix, n_folds: int, *, seed: int = 0, groups: Any = None) -> NDArray[np.int64]:
    """The fold of each sample, with each label's positives spread evenly over the folds.

    Iterative stratification distributes the samples with the rarest label first, then those with
    the rarest label among the remaining samples, and so on. Each sample goes to the fold with the
    fewest positives of that label; ties go to the fold with the fewest samples, and remaining ties
    are broken at random. Samples without labels come last. A group goes to one fold as a whole;
    groups with more positives of the label go first. Invalid input raises a TypeError or a
    ValueError.

    A fold may lack positives of a label: two positives in five folds leave three folds without one.
    Labels that occur together are distributed together, and large groups are distributed less
    evenly than samples.

    Parameters
    ----------
    y : matrix of 0 and 1, shape (n_samples, n_labels)
        Unknown (masked) cells count as not positive.
    n_folds : int, from 2 to the number of samples, or of groups
    seed : int
        Seed of the random choices; the same seed gives the same folds on every machine.
    groups : shape (n_samples,), optional
        The group of each sample, such as its patient, or a number that near-duplicates share.

    Returns
    -------
    array of int, shape (n_samples,)
        The fold of each sample, from 0 to ``n_folds - 1``.

    References
    ----------
    Sechidis et al., "On the stratification of multi-label data", 2011, Algorithm 1 with folds of
    equal size.

    Examples
    --------
    >>> y = np.array([[1, 0], [1, 1], [0, 1], [1, 0], [0, 0], [0, 0]])
    >>> fold = folds(y, 2)
    >>> fold
    array([0, 0, 1, 1, 0, 1])
    >>> [y[fold == i].sum(axis=0).tolist() for i in range(2)]  # positives of each label
    [[2, 1], [1, 1]]
    >>> folds(y, 2, groups=["Ann", "Ann", "Ann", "Bob", "Bob", "Cy"])
    array([0, 0, 0, 1, 1, 1])
    """
    known_positives = np.ma.filled(y, 0) if np.ma.isMaskedArray(y) else y
    cells = dense(read_labels(known_positives, "y")).astype(int)
    group = read_groups(groups, {"y": y}, len(cells))  # without groups, each sample is one
    rng = random.Random(read_int(seed, "seed"))
    n_groups = len(np.unique(group))
    if read_int(n_folds, "n_folds", 2) > n_groups:
        noun = "samples" if groups is None else "groups"
        raise ValueError(f"n_folds is {n_folds}, more than the {n_groups} {noun}: give fewer folds")
    with_ones = np.column_stack([cells, np.ones(len(cells), int)])  # a last column counts samples
    counts = np.zeros((n_groups, with_ones.shape[1]), int)
    np.add.at(counts, group, with_ones)
    return _folds_of_groups(counts, n_folds, rng)[group]


def _folds_of_groups(counts: NDArray[Any], n_folds: int, rng: random.Random) -> NDArray[np.int64]:
    """The fold of each group, by Algorithm 1 of Sechidis et al.

    Each row of ``counts`` has a group's numbers of positives of each label and, in the last column,
    its number of samples, which counts as the most frequent label and so comes last.
    """
    n_groups, n_columns = counts.shape
    fold_counts = np.zeros((n_folds, n_columns), int)
    fold_of_group = np.full(n_groups, -1)  # -1: in no fold yet
    order = np.array(sorted(range(n_groups), key=lambda _: rng.random()))
    remaining = counts.sum(axis=0)
    while remaining.any():
        rarest = np.argmin(np.where(remaining > 0, remaining, np.inf))  # label l of the paper
        candidates = order[(counts[order, rarest] > 0) & (fold_of_group[order] < 0)]
        by_positives = np.argsort(-counts[candidates, rarest], kind="stable")
        for i in candidates[by_positives]:
            # fewest positives of the label (M of the paper), then samples (M'), then by chance
            fold = min(
                range(n_folds),
                key=lambda f: (fold_counts[f, rarest], fold_counts[f, -1], rng.random()),
            )
            fold_of_group[i] = fold
            fold_counts[fold] += counts[i]
            remaining -= counts[i]
    return fold_of_group
