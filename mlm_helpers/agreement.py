"""Krippendorff's alpha: how far annotators, of whom none is the truth, agree beyond chance."""

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
        By default a cell is a unit. Otherwise a sample is one, and label sets with a masked cell
        are left out. Equal sets, also empty ones, have distance 0; others 1 ("exact"), 1 − J
        ("jaccard") or 1 − M × J ("masi"), where J is intersection ÷ union, and M is 2/3 if one set
        contains the other, else 1/3.

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
    """Alpha of each column, from each cell's number of annotators and how many gave it a 1."""
    m, ones = ((n_values > 1) * counts for counts in (n_values, n_ones))
    n, n_ones = m.sum(axis=0, dtype=float), ones.sum(axis=0, dtype=float)
    observed = (n - 1) * (ones * (m - ones) / np.maximum(m - 1, 1)).sum(axis=0)
    expected = n_ones * (n - n_ones)  # 0 exactly where all values are equal
    return np.divide(expected - observed, expected, out=np.full(len(n), nan), where=expected > 0)


def _alpha_of_sets(y: NDArray[np.bool_], is_known: Any, distance: Distance) -> float:
    """Alpha of label sets, one per annotator and sample; sets with a masked cell are left out."""
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
        observed += 2 * (distances / (m[rows] - 1)).sum()
    expected = _sum_of_distances(sets.astype(np.float32), counts, distance)
    return float(1 - (counts.sum() - 1) * observed / expected)


def _sum_of_distances(sets: Any, counts: NDArray[Any], distance: Distance) -> float:
    """The sum of the distances of all ordered pairs of sets; each set occurs ``counts`` times."""
    if distance == "exact":
        return float(counts.sum() ** 2 - (counts**2).sum())
    size, total = sets.sum(axis=1, dtype=float), 0.0
    blocks = [slice(i, i + 256) for i in range(0, len(sets), 256)]  # pairs of sets fit a cache
    for rows, columns in progress([*combinations_with_replacement(blocks, 2)]):
        n_shared = sets[rows] @ sets[columns].T
        distances = _distances(n_shared, size[rows, None], size[columns], distance)
        total += (counts[rows] @ distances @ counts[columns]) * (1 + (rows != columns))
    return total


def _distances(n_shared: Any, size: Any, other_size: Any, distance: Distance) -> Any:
    """The distances of pairs of sets, given the sizes of their intersections, and of the sets."""
    union = size + other_size - n_shared
    jaccard = (union - n_shared) / np.maximum(union, 1)
    if distance == "jaccard":
        return jaccard
    n_within = np.add(n_shared == size, n_shared == other_size, dtype=np.int8)  # 2 for equal sets
    return n_within < 2 if distance == "exact" else 1 - (1 - jaccard) * (1 + n_within) / 3
