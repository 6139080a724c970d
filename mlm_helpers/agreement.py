"""Krippendorff's alpha: how far annotators, of whom none is the truth, agree beyond chance.

A unit is what annotators give a value to: a cell, with the value 0 or 1, or a sample, with a set.
"""

from itertools import combinations, combinations_with_replacement
from math import nan
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.documented import documented
from mlm_helpers._core.inputs.options import check_average, check_choice
from mlm_helpers._core.inputs.read import read_annotations
from mlm_helpers._core.progress import progress

__all__ = ["alpha"]

Average: TypeAlias = Literal["micro"] | None
Distance: TypeAlias = Literal["exact", "jaccard", "masi"] | None


@documented
def alpha(annotations: Any, *, average: Average = None, distance: Distance = None) -> Any:
    r"""Krippendorff's alpha: 1 − observed disagreement ÷ disagreement expected by chance.

    .. math:: 1 - \frac{D_o}{D_e}, \qquad
        D_o = \frac{1}{n} \sum_u \frac{1}{m_u - 1} \sum_{i \ne j} d(v_{ui}, v_{uj}), \qquad
        D_e = \frac{1}{n (n - 1)} \sum_{v \ne w} d(v, w)

    Unit u has the values :math:`v_{u1}, v_{u2}, \dots` of :math:`m_u` annotators, and d is a
    distance. Units with fewer than two values are left out; n counts the values of all others, and
    :math:`D_e` compares all their pairs.

    Range up to 1, higher is better: 1 is complete agreement, about 0 is chance, below 0 is more
    disagreement than by chance. It is 0 if only one value differs from the others, nan if all are
    equal or none are left.

    Parameters
    ----------
    annotations : list of two or more matrices of 0 and 1, shape (n_samples, n_labels)
        One per annotator, or an array (n_annotators, n_samples, n_labels); cells may be masked, see
        `data.unknown`.
    average : "micro" or None
        Alpha of all cells together, which rewards knowing only how frequent each label is, or of
        each label.
    distance : "exact", "jaccard", "masi" or None
        By default each cell is a unit. With a distance each sample is a unit, and label sets with a
        masked cell are left out. Equal sets, also empty ones, have the distance 0. Different sets
        have 1 ("exact"), 1 − J ("jaccard") or 1 − M × J ("masi"), where J is intersection ÷ union,
        and M is 2/3 if one set contains the other, else 1/3.

    References
    ----------
    Hayes and Krippendorff, "Answering the call for a standard reliability measure for coding data",
    2007; Passonneau, "Measuring agreement on set-valued items (MASI) for semantic and pragmatic
    annotation", 2006.

    Examples
    --------
    >>> ann, ben, cleo = [[1, 1, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 0]], [[1, 1, 1], [0, 1, 0]]
    >>> alpha([ann, ben, cleo])
    array([ 1.  ,  0.  , -0.25])
    >>> alpha([ann, ben, cleo], average="micro")
    0.3625
    """
    check_average(average, (None, "micro"))
    check_choice(distance, (None, "exact", "jaccard", "masi"), "distance")
    if average and distance:
        raise ValueError(f"average is {average!r}, but sets have one alpha: leave average out")
    y, known = read_annotations(annotations)
    if distance:
        return _alpha_of_sets(y, known.all(axis=2), distance)
    if average:  # all cells are one column
        y, known = y.reshape(len(y), -1, 1), known.reshape(len(y), -1, 1)
    per_label = _alpha_of_cells(known.sum(axis=0), y.sum(axis=0))
    return float(per_label[0]) if average else per_label


def _alpha_of_cells(n_values: NDArray[Any], n_ones: NDArray[Any]) -> Any:
    """Alpha of each column, from each cell's number of annotators and how many gave it a 1.

    A cell with ``ones`` ones among m values has ones × (m − ones) pairs of different values, whose
    distance is 1. Here both disagreements, D_o and D_e of `alpha`, are multiplied by n (n − 1) / 2.
    """
    is_paired = n_values > 1
    m, ones = n_values * is_paired, n_ones * is_paired
    n, total_ones = m.sum(axis=0, dtype=float), ones.sum(axis=0, dtype=float)
    # m - 1 is at least 1 where there is a pair; elsewhere the numerator is 0
    observed = (n - 1) * (ones * (m - ones) / np.maximum(m - 1, 1)).sum(axis=0)
    expected = total_ones * (n - total_ones)  # 0 exactly where all values are equal
    return np.divide(expected - observed, expected, out=np.full(len(n), nan), where=expected > 0)


def _alpha_of_sets(y: NDArray[np.bool_], is_known: Any, distance: Distance) -> float:
    """Alpha of the label sets in y, shape (n_annotators, n_samples, n_labels).

    ``is_known``, shape (n_annotators, n_samples), is False for the sets with a masked cell, which
    are left out.
    """
    m, size = is_known.sum(axis=0), y.sum(axis=2)
    is_paired = is_known & (m > 1)
    sets, counts = np.unique(y[is_paired], axis=0, return_counts=True)
    if len(sets) < 2:  # no pair, or all sets are equal
        return nan
    observed = 0.0
    for i, j in combinations(range(len(y)), 2):
        rows = is_paired[i] & is_paired[j]
        n_shared = (y[i, rows] & y[j, rows]).sum(axis=1)
        distances = _distances(n_shared, size[i, rows], size[j, rows], distance)
        observed += 2 * (distances / (m[rows] - 1)).sum()  # 2: the pairs (i, j) and (j, i)
    expected = _sum_of_distances(sets.astype(np.float32), counts, distance)
    n = counts.sum()  # observed is n D_o, expected is n (n - 1) D_e
    return float(1 - (n - 1) * observed / expected)


def _sum_of_distances(sets: Any, counts: NDArray[Any], distance: Distance) -> float:
    """The sum of the distances of all ordered pairs of sets; each set occurs ``counts`` times."""
    if distance == "exact":  # the number of pairs of different sets: all pairs less the equal ones
        return float(counts.sum() ** 2 - (counts**2).sum())
    size = sets.sum(axis=1, dtype=float)
    total = 0.0
    # blocks so small that the distances of all pairs of sets of two blocks fit a cache
    blocks = [slice(i, i + 256) for i in range(0, len(sets), 256)]
    for rows, columns in progress([*combinations_with_replacement(blocks, 2)]):
        n_shared = sets[rows] @ sets[columns].T
        distances = _distances(n_shared, size[rows, None], size[columns], distance)
        n_orders = 1 if rows == columns else 2  # two blocks come once, for both orders
        total += n_orders * (counts[rows] @ distances @ counts[columns])
    return total


def _distances(n_shared: Any, size: Any, other_size: Any, distance: Distance) -> Any:
    """The distances of pairs of sets, from the sizes of both sets and of their intersection."""
    union = size + other_size - n_shared
    jaccard = (union - n_shared) / np.maximum(union, 1)  # two empty sets: 0 / 1
    if distance == "jaccard":
        return jaccard
    # how many of the two sets lie within the other one: 2 if they are equal
    n_within = np.add(n_shared == size, n_shared == other_size, dtype=np.int8)
    if distance == "exact":
        return n_within < 2
    return 1 - (1 - jaccard) * (1 + n_within) / 3  # (1 + n_within) / 3 is M, or 1 for equal sets
