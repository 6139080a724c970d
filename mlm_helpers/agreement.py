"""How far annotators agree, beyond chance: Krippendorff's alpha of each label, of all cells, or of label sets.

An annotator can be a person or a model, and need not have looked at every cell. No annotator is the truth;
where one is, use a metric of another module, such as `label_based.f1`, for each pair.
"""

from collections.abc import Callable
from itertools import combinations
from math import nan
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core import inputs

_BLOCK_CELLS = 2**21  # distances in memory at once
_PROGRESS_DELAY = 3  # seconds after which a progress bar appears

Similarity: TypeAlias = Callable[[Any, Any, Any], Any]


def alpha(
    annotations: Any,
    *,
    average: Literal["micro"] | None = None,
    distance: Literal["exact", "jaccard", "masi"] | None = None,
) -> Any:
    r"""Krippendorff's alpha: 1 − observed ÷ expected disagreement of annotators.

    .. math:: \alpha = 1 - \frac{D_o}{D_e}, \qquad
        D_o = \frac{1}{n} \sum_u \frac{1}{m_u - 1} \sum_{i \ne j} d(v_{ui}, v_{uj}), \qquad
        D_e = \frac{1}{n (n - 1)} \sum_{v \ne w} d(v, w)

    where unit u has the values :math:`v_{u1}, v_{u2}, \dots` of :math:`m_u` annotators, d is the distance of
    two values, and n is the number of values of all units. Units with one value or none are left out. Without
    ``distance`` a unit is a cell, and its values 0 and 1 have distance 1. With it a unit is a sample, and
    its values are the label sets of those annotators who annotated all its labels.

    1 is complete agreement, 0 is what pairs of values drawn by chance have, and below 0 annotators disagree more
    than by chance. The lowest value depends on the data. Alpha is nan if all values are equal or there are none.

    Parameters
    ----------
    annotations : list of at least two matrices of 0 and 1, shape (n_samples, n_labels)
        One per annotator, in any container, with the same samples and labels in the same order. Masked cells
        were not annotated, see `data.unknown`. Or one array of shape (n_annotators, n_samples, n_labels).
    average : "micro" or None
        One value of all cells, or a value per label. With ``distance`` leave it out.
    distance : "exact", "jaccard", "masi" or None
        0 for equal sets and otherwise 1; 1 − intersection ÷ union; or 1 − intersection ÷ union × M, where M is 1
        for equal sets, 2/3 if one contains the other, and 1/3 else. Two empty sets are equal.

    Returns
    -------
    array of shape (n_labels,); float for ``average="micro"`` or with ``distance``

    Raises
    ------
    TypeError, ValueError
        For invalid input, such as a single matrix, or cells of -1 that are not masked.

    References
    ----------
    Hayes and Krippendorff, "Answering the call for a standard reliability measure for coding data", 2007;
    Passonneau, "Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation", 2006.

    Examples
    --------
    >>> ann, ben = [[1, 1, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 0]]
    >>> cleo = [[1, 1, 1], [0, 1, 0]]
    >>> alpha([ann, ben, cleo])
    array([ 1.  ,  0.  , -0.25])
    >>> alpha([ann, ben, cleo], average="micro")  # 29/80
    0.3625
    """
    inputs.check_choice(average, (None, "micro"), "average")
    inputs.check_choice(distance, (None, *_SIMILARITIES), "distance")
    if average and distance:
        problem = f"average is {average!r} and distance is {distance!r}, which gives one value"
        raise ValueError(f"{problem} of whole label sets: leave one of them out")
    y, known = inputs.read_annotations(annotations)
    if distance:
        return _alpha_of_sets(y, known.all(axis=2), _SIMILARITIES[distance])
    n_values, n_ones = known.sum(axis=0), y.sum(axis=0)
    if average is None:
        return _alpha_of_cells(n_values, n_ones)
    return float(_alpha_of_cells(n_values.reshape(-1, 1), n_ones.reshape(-1, 1))[0])


def _alpha_of_cells(n_values: NDArray[Any], n_ones: NDArray[Any]) -> Any:
    """Alpha of each column, given how many annotators looked at each cell, and how many of them gave it a 1."""
    m = np.where(n_values > 1, n_values, 0)
    ones = np.where(n_values > 1, n_ones, 0)
    unequal_pairs = (ones * (m - ones) / np.maximum(m - 1, 1)).sum(axis=0)  # weighted by unit
    n, total_ones = m.sum(axis=0), ones.sum(axis=0)
    by_chance = total_ones * (n - total_ones)  # 0 exactly where all values are equal
    difference = by_chance - (n - 1) * unequal_pairs
    undefined = np.full(len(n), nan)
    return np.divide(difference, by_chance, out=undefined, where=by_chance > 0)


def _alpha_of_sets(y: NDArray[np.bool_], is_whole: Any, similarity: Similarity) -> float:
    """Alpha of label sets, y[annotator, sample], where ``is_whole`` says whether an annotator saw all labels."""
    m = is_whole.sum(axis=0)
    is_paired = is_whole & (m > 1)
    bits = np.packbits(y, axis=2)[is_paired]
    different, inverse, counts = np.unique(bits, axis=0, return_inverse=True, return_counts=True)
    if len(different) < 2:
        return nan
    sets = np.unpackbits(different, axis=1, count=y.shape[2]).astype(np.float32)
    size = sets.sum(axis=1, dtype=float)
    set_of = np.zeros(is_paired.shape, int)
    set_of[is_paired] = inverse.reshape(-1)
    observed = 0.0
    for one, other in combinations(range(len(y)), 2):
        rows = is_paired[one] & is_paired[other]
        a, b = set_of[one, rows], set_of[other, rows]
        n_shared = np.einsum("ij,ij->i", sets[a], sets[b])
        observed += 2 * ((1 - similarity(n_shared, size[a], size[b])) / (m[rows] - 1)).sum()
    by_chance = _disagreement_by_chance(sets, size, counts, similarity)
    return float(1 - (len(bits) - 1) * observed / by_chance)


def _disagreement_by_chance(
    sets: NDArray[np.float32], size: Any, counts: Any, similarity: Similarity
) -> float:
    """The distances of all pairs of different sets, as often as both occur, in sum; computed in blocks."""
    from tqdm import tqdm

    total, step = 0.0, max(_BLOCK_CELLS // len(sets), 1)
    for first in tqdm(range(0, len(sets), step), leave=False, delay=_PROGRESS_DELAY):
        rows, later = slice(first, first + step), slice(first, None)
        distances = 1 - similarity(sets[rows] @ sets[later].T, size[rows, None], size[later])
        distances[:, step:] *= 2  # these pairs of sets come once, those within the block twice
        total += counts[rows] @ distances @ counts[later]
    return total


def _exact(n_shared: Any, size: Any, other_size: Any) -> Any:
    """1 for equal sets, otherwise 0."""
    return (n_shared == size) & (n_shared == other_size)


def _jaccard(n_shared: Any, size: Any, other_size: Any) -> Any:
    """Intersection ÷ union; 1 for two empty sets."""
    union = size + other_size - n_shared
    return np.divide(n_shared, union, out=np.ones(union.shape), where=union > 0)


def _masi(n_shared: Any, size: Any, other_size: Any) -> Any:
    """Jaccard × 1 for equal sets, 2/3 if one contains the other, and 1/3 if neither does."""
    n_contained = np.add(n_shared == size, n_shared == other_size, dtype=np.int8)
    return _jaccard(n_shared, size, other_size) * (1 + n_contained) / 3


_SIMILARITIES: dict[str, Similarity] = {"exact": _exact, "jaccard": _jaccard, "masi": _masi}
