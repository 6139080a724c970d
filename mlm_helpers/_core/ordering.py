"""Ranks of the labels of a sample, by their scores and a tie rule, and the formulas that read them.

Rank 1 is the highest score. Coverage, ranking loss and average precision read two ranks of each
relevant label: among all labels of its sample, and among the relevant ones. One-error reads the
labels at the top. A top-k metric reads the first k labels; in sparse scores a label that is not
stored is never among them. Curve metrics rank the samples of a label, in `ranked_list`.

A formula takes the ranked labels of some samples and returns a numerator and a denominator for each
sample. Where the arrays are flat, they have an entry per label, and the array ``sample`` says of
which sample each label is.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.blocks import row_blocks
from mlm_helpers._core.counts import Formula, Ratio, mean_or_values, safe_divide
from mlm_helpers._core.inputs.data import Data, FloatArray, ScoreArray
from mlm_helpers._core.inputs.options import TieRule, Ties, check_options, read_k

Numbers: TypeAlias = NDArray[Any]  # integers or floats


class RankedRows:
    """Some samples with the ranks of their relevant labels.

    Ranks are computed when a formula first reads them. Their arrays are flat, with an entry for
    each relevant label, sample by sample.
    """

    def __init__(self, data: Data, ties: TieRule) -> None:
        score = data.prediction
        if data.known is not None:  # Unknown labels, none of them relevant, are ranked last.
            score = np.where(data.known, score, -np.inf)
        self.relevant = np.ascontiguousarray(data.truth, dtype=bool)
        self._score = np.ascontiguousarray(score)
        self.ties = ties
        self.shape = data.shape
        self.n_known = data.n_known
        self.n_relevant = np.count_nonzero(self.relevant, axis=1)

    @cached_property
    def score(self) -> ScoreArray:
        """The scores; where ties are broken by index, positions 0, 1, … from the lowest score."""
        if self.ties in ("first", "last"):
            return untied_positions(self._score, self.ties)
        return self._score

    def candidates(self, k: int) -> tuple[Numbers, ...]:
        """Sample, label, score and relevance of the labels that can be among the first k.

        These are the labels that score at least as high as the k-th highest, ties included, so they
        can be more than k. The four arrays are flat.
        """
        score = self._score  # not ``self.score``, because `TopK` breaks ties itself
        n_labels = self.shape[1]
        # A column, which is compared with rows of scores.
        kth_highest = np.partition(score, n_labels - k, axis=1)[:, n_labels - k, None]
        cells = np.flatnonzero(score >= kth_highest)
        sample, label = np.divmod(cells, n_labels)
        return sample, label, score.ravel()[cells], self.relevant.ravel()[cells]

    @cached_property
    def _relevant_scores(self) -> tuple[Numbers, ScoreArray]:
        """Sample and score of each relevant label, as flat arrays, sample by sample."""
        cells = np.flatnonzero(self.relevant)
        return cells // self.shape[1], self.score.ravel()[cells]

    @cached_property
    def rank(self) -> Numbers:
        """Rank of each relevant label among all labels of its sample.

        Rows are sorted and searched. To rank all labels by argsort is shorter, but takes 1.5 to 7
        times as long (100 to 20,000 samples of 10 to 2,000 labels, 3 or 30 % of them relevant).
        """
        sample, score = self._relevant_scores
        ascending = np.sort(self.score, axis=1)
        return rank_under_ties(self.ties, partial(_n_higher_in_rows, ascending, sample, score))

    @cached_property
    def rank_among_relevant(self) -> Numbers:
        """Rank of each relevant label among the relevant labels of its sample."""
        sample, _ = self._relevant_scores
        # The relevant labels of all samples are ranked in one list, in which every label of an
        # earlier sample is higher. So the number of relevant labels of earlier samples, which is
        # ``np.searchsorted(sample, sample)``, is taken off again.
        height = -(sample * self.shape[1] + self.rank)
        rank_in_list = rank_under_ties(self.ties, partial(n_higher, np.sort(height), height))
        return rank_in_list - np.searchsorted(sample, sample)

    @property
    def largest_rank(self) -> Numbers:
        """Largest rank of a relevant label, per sample; any number for a sample without one.

        It is the rank of the lowest score of a relevant label.
        """
        sample, score = self._relevant_scores
        # The lowest score of a relevant label, in a column that is compared with rows of scores.
        lowest = np.full((self.shape[0], 1), score.max(initial=0), dtype=score.dtype)
        np.minimum.at(lowest[:, 0], sample, score)

        def n_above(with_ties: bool) -> Numbers:
            is_above = self.score >= lowest if with_ties else self.score > lowest
            return np.asarray(np.count_nonzero(is_above, axis=1))

        return rank_under_ties(self.ties, n_above)

    def sum_per_sample(self, values: Numbers) -> FloatArray:
        """Sum over each sample's relevant labels; ``values`` has an entry for each of these."""
        return _sum_per_sample(self._relevant_scores[0], values, self.shape[0])


class SparseRows:
    """Samples in CSR arrays, for top-k metrics: only labels that are stored have a score.

    The attributes and methods are those of `RankedRows` that top-k metrics read.
    """

    def __init__(self, data: Data, ties: TieRule) -> None:
        self.relevant: Any = data.truth
        self.score: Any = data.prediction
        self.ties = ties
        self.shape = data.shape

    @property
    def n_relevant(self) -> Numbers:
        """Number of relevant labels per sample."""
        return np.diff(self.relevant.indptr)

    def candidates(self, k: int) -> tuple[Numbers, ...]:
        """Sample, label, score and relevance of every label that has a score, as flat arrays.

        ``k`` is only here because `RankedRows.candidates` needs it: so few labels are stored that
        `TopK` can sort all of them.
        """
        scored, relevant = _flat_indices(self.score), _flat_indices(self.relevant)
        sample, label = np.divmod(scored, self.shape[1])
        return sample, label, self.score.data, np.isin(scored, relevant, assume_unique=True)


Rows: TypeAlias = RankedRows | SparseRows


class TopK:
    """Labels that can be among the first k of their samples, in rank order, with their gains.

    A gain is what a label adds to the metric: 0 where it is not relevant. Of all orders of tied
    labels, the one by rising gains has the smallest sum of gains among the first k ("worst"), and
    the one by falling gains the largest ("best"). In the mean over all orders ("average"), each of
    a group of tied labels has the group's mean gain (McSherry & Najork, 2008).
    """

    def __init__(
        self, n_samples: int, ties: TieRule, sample: Numbers, score: Numbers, gain: Numbers
    ) -> None:
        """Sort the labels, which are given sample by sample, and in each sample by index.

        ``sample``, ``score`` and ``gain`` are flat arrays with an entry per label. Afterwards,
        ``gain``, ``place`` and ``group`` are those of the labels in rank order.
        """
        index = np.arange(len(sample))
        tie_keys = {"worst": [-gain], "best": [gain], "first": [-index], "last": [index]}
        # np.lexsort sorts upwards, and its last key decides first. Reversed, its order has rising
        # samples, falling scores and, among tied labels, falling tie keys: under "worst" the
        # smallest gain first. Under "average" the order of tied labels does not matter.
        order = np.lexsort((*tie_keys.get(ties, []), score, -sample))[::-1]
        score = score[order]
        self.gain = gain[order]
        self.sample = sample  # already in this order
        self.n_samples = n_samples
        n_labels = np.bincount(sample, minlength=n_samples)
        n_before = np.cumsum(n_labels) - n_labels  # labels of earlier samples
        self.place = index - n_before[sample]  # 0, 1, … in each sample
        # Under "average" a group is all labels of one tie; under other rules a single label.
        starts_group = np.ones(len(index), dtype=bool)
        if ties == "average":
            starts_group[1:] = (sample[1:] != sample[:-1]) | (score[1:] != score[:-1])
        self.group = np.cumsum(starts_group) - 1  # the number of each label's group, from 0
        self.sample_of_group = sample[starts_group]

    def gain_of_first(self, k: Any) -> FloatArray:
        """Sum of the gains of the first k labels, per sample.

        ``k`` is a number, or an array with one for each sample. Of a group that is only partly
        among the first k, that part of the gain counts.
        """
        is_inside = self.place < (k[self.sample] if np.ndim(k) else k)
        gain = np.bincount(self.group, self.gain)  # the sum of each group
        n_inside = np.bincount(self.group, is_inside)
        # The division comes last, so that a whole number stays exact.
        gain_inside = gain * n_inside / np.bincount(self.group)
        return _sum_per_sample(self.sample_of_group, gain_inside, self.n_samples)

    def discounted_gain(self, discount: FloatArray) -> FloatArray:
        """Sum of the gains of the first labels, each times its place's discount, per sample.

        The first labels are as many as there are discounts.
        """
        mean_of_group = np.bincount(self.group, self.gain) / np.bincount(self.group)
        is_inside = self.place < len(discount)
        gain = mean_of_group[self.group[is_inside]]
        discounted = gain * discount[self.place[is_inside]]
        return _sum_per_sample(self.sample[is_inside], discounted, self.n_samples)


def select_top_k(rows: Rows, k: int, gains: FloatArray | None = None) -> TopK:
    """Labels that can be among the first k; a relevant one has the gain 1, or that in ``gains``.

    ``gains`` has an entry for each column.
    """
    read_k(k, rows.shape[1])  # refuses k above the number of labels
    sample, label, score, relevant = rows.candidates(k)
    # `TopK` negates gains, which NumPy refuses for booleans.
    gain = relevant.astype(np.int8) if gains is None else relevant * gains[label]
    return TopK(rows.shape[0], rows.ties, sample, score, gain)


# ---------------------------------------------------------------------------- formulas


def coverage(rows: RankedRows, start: int) -> Ratio:
    """The largest rank of a relevant label, counted from ``start``, and 1, or 0 without one."""
    return rows.largest_rank - 1 + start, rows.n_relevant > 0


def one_error(rows: RankedRows) -> Ratio:
    """Irrelevant share of the labels tied at the top, and 1, or 0 without a relevant label.

    Under "max" the share is rounded up, so that one irrelevant label is an error; under "min" it is
    rounded down.
    """
    is_top = rows.score == rows.score.max(axis=1, keepdims=True)
    n_top = np.count_nonzero(is_top, axis=1)
    n_wrong = np.count_nonzero(is_top & ~rows.relevant, axis=1)
    round_share = {"max": np.ceil, "min": np.floor}.get(rows.ties, np.asarray)  # or as it is
    return round_share(n_wrong / n_top), rows.n_relevant > 0


def ranking_loss(rows: RankedRows) -> Ratio:
    """Number of (relevant, irrelevant) pairs in the wrong order, and number of all such pairs."""
    n_irrelevant = rows.n_known - rows.n_relevant
    return rows.sum_per_sample(rows.rank - rows.rank_among_relevant), rows.n_relevant * n_irrelevant


def average_precision(rows: RankedRows) -> Ratio:
    """Sum of the precisions at the ranks of the relevant labels, and number of relevant labels."""
    return rows.sum_per_sample(rows.rank_among_relevant / rows.rank), rows.n_relevant


def precision_at(rows: Rows, k: int) -> Ratio:
    """Number of relevant labels among the first k, and k."""
    hits = select_top_k(rows, k).gain_of_first(k)
    return hits, np.full_like(hits, k)


def recall_at(rows: Rows, k: int) -> Ratio:
    """Number of relevant labels among the first k, and number of relevant labels.

    A relevant label has the gain 1, so the gain of the first k is their number. Labels beyond k are
    selected too if they are tied with the last of them.
    """
    return select_top_k(rows, k).gain_of_first(k), rows.n_relevant


def r_precision(rows: Rows) -> Ratio:
    """Number of relevant labels among the first R, and R, the sample's number of relevant labels.

    Labels are selected for the largest R of all samples.
    """
    n_relevant = rows.n_relevant
    largest = int(n_relevant.max(initial=1))
    return select_top_k(rows, largest).gain_of_first(n_relevant), n_relevant


def r_precision_at(rows: Rows, k: int) -> Ratio:
    """Number of relevant labels among the first k, and the largest possible number."""
    return select_top_k(rows, k).gain_of_first(k), np.minimum(rows.n_relevant, k)


def ndcg_at(rows: Rows, k: int) -> Ratio:
    """DCG of the first k labels, and DCG of the best order (the ideal DCG)."""
    discount = discounts(k)
    ideal_dcg = np.append(0, np.cumsum(discount))  # for 0, 1, …, k relevant labels
    dcg = select_top_k(rows, k).discounted_gain(discount)
    return dcg, ideal_dcg[np.minimum(rows.n_relevant, k)]


def discounts(k: int) -> FloatArray:
    """Discount 1 / log2(rank + 1) of a hit at each of the ranks 1 to k."""
    return 1 / np.log2(np.arange(2, k + 2))


def propensity_scored_at(
    rows: Rows, k: int, inverse_propensities: FloatArray, normalize: bool, weigh: Any = np.ones
) -> Ratio:
    """Sum of the inverse propensities of the hits among the first k, and the largest possible sum.

    Each inverse propensity is multiplied by the weight of its rank. ``weigh(k)`` returns the
    weights of the ranks 1 to k: `discounts` for nDCG, ones for precision. If not ``normalize``, the
    denominator is the sum of these weights.
    """
    discount = weigh(k)
    gain = select_top_k(rows, k, inverse_propensities).discounted_gain(discount)
    if not normalize:
        return gain, np.full_like(gain, discount.sum())
    # The best order ranks the relevant labels by their gains; tied ones gain the same, so that any
    # tie rule would do.
    sample, label = np.divmod(_flat_indices(rows.relevant), rows.shape[1])
    gains = inverse_propensities[label]
    best_order = TopK(rows.shape[0], "first", sample, score=gains, gain=gains)
    return gain, best_order.discounted_gain(discount)


def ratios_per_sample(formulas: Sequence[Formula], data: Data, ties: TieRule) -> FloatArray:
    """Numerators and denominators of formulas, shape (n_formulas, 2, n_samples).

    Both are nan for a sample without known labels.
    """
    ratios = np.empty((len(formulas), 2, data.shape[0]))
    rows_type = SparseRows if data.is_sparse else RankedRows
    for block in data.row_blocks():
        rows = rows_type(data.select_samples(block), ties)
        for i, formula in enumerate(formulas):
            ratios[i, :, block] = formula(rows)
    if data.known is not None:
        ratios[..., ~data.known.any(axis=1)] = np.nan
    return ratios


def mean_over_rankings(
    formula: Formula, data: Data, ties: TieRule, undefined: float, per_sample: bool
) -> float | FloatArray:
    """Mean over samples of a formula of ranked labels; or each sample's value if ``per_sample``."""
    check_options(undefined=undefined)
    ((numerator, denominator),) = ratios_per_sample([formula], data, ties)
    values = safe_divide(numerator, denominator, undefined)
    return mean_or_values(values, data.weight, per_sample)


def ranks(score: ScoreArray, ties: Ties) -> FloatArray:
    """The rank of every label, shape (n_samples, n_labels)."""
    out = np.empty(score.shape)
    for rows in row_blocks(score):
        all_relevant = np.ones(score[rows].shape, dtype=bool)  # only relevant labels get a rank
        rank = RankedRows(Data(all_relevant, score[rows]), ties).rank
        out[rows] = rank.reshape(all_relevant.shape)
    return out


def rank_under_ties(ties: TieRule, n_above: Callable[[bool], Numbers], weight: Any = 1) -> Numbers:
    """Rank of each item under a tie rule: the largest rank of its tie, the smallest, or the mean.

    ``n_above(False)`` is how many items score strictly higher than each item, or what they weigh;
    ``n_above(True)`` includes the items of its tie, also itself. ``weight`` is what the item itself
    adds to its smallest rank: 1, its weight, or 0 to count the others above it. Under "first" and
    "last", positions have replaced the scores, so that nothing is tied.
    """
    if ties == "min":
        return np.asarray(n_above(False) + weight)
    if ties == "average":
        return np.asarray((n_above(False) + weight + n_above(True)) / 2)
    return n_above(True)


def n_higher(ascending: Numbers, score: Numbers, with_ties: bool) -> Numbers:
    """For each score, how many in a sorted list are higher, or with ties at least as high."""
    return len(ascending) - np.searchsorted(ascending, score, "left" if with_ties else "right")


def _n_higher_in_rows(
    ascending: ScoreArray, row: Numbers, score: ScoreArray, with_ties: bool
) -> Numbers:
    """For each score, how many in its row of a sorted matrix are higher, or with ties as high.

    The row of ``score[i]`` is ``ascending[row[i]]``. At least n labels of a row are higher if its
    n-th highest is. The largest such n is found by binary search, for all scores at once: from 0
    up, in steps of …, 4, 2 and 1, each of which is taken if so many labels are higher.
    """
    n_labels = ascending.shape[1]
    end_of_row = (row + 1) * n_labels  # in the flattened matrix
    count = np.zeros_like(row)
    for exponent in reversed(range(n_labels.bit_length())):
        n = count + 2**exponent
        nth_highest = ascending.take(end_of_row - np.minimum(n, n_labels))
        is_higher = nth_highest >= score if with_ties else nth_highest > score
        count += 2**exponent * (is_higher & (n <= n_labels))
    return count


def untied_positions(score: ScoreArray, ties: TieRule) -> Numbers:
    """Positions 0, 1, … of the scores of each row, counted from the lowest score.

    Of tied scores, the one of lowest index has the highest position under "first", the one of
    highest index under "last".
    """
    # A stable sort keeps tied labels in the order of their index, or under "first" its reverse.
    direction = slice(None, None, -1 if ties == "first" else 1)
    order = np.argsort(score[:, direction], axis=1, kind="stable")
    positions = np.empty_like(order)
    np.put_along_axis(positions, order, np.arange(score.shape[1])[None, :], axis=1)
    return positions[:, direction]


def _sum_per_sample(sample: Numbers, values: Numbers, n_samples: int) -> FloatArray:
    """Sum of the values of each sample; ``values[i]`` belongs to ``sample[i]``."""
    # np.bincount returns integers if there are no values at all.
    return np.bincount(sample, values, minlength=n_samples).astype(float, copy=False)


def _flat_indices(matrix: Any) -> Numbers:
    """Indices in the flattened matrix of the cells that are not 0, or that a CSR array stores."""
    if isinstance(matrix, np.ndarray):
        return np.flatnonzero(matrix)
    row = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    return np.asarray(row * matrix.shape[1] + matrix.indices)
