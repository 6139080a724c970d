"""Facts of notebook 07: what the window hides, ties and empty samples, rare labels, and another k."""

from fractions import Fraction as F
from itertools import permutations, product
from math import log, log2, nan

import numpy as np
import pytest
from facts import always, cell_table, decimal
from scipy import sparse
from sklearn.metrics import ndcg_score

from mlm_helpers import conventions, example_based, ranking, thresholds, top_k

THREE = top_k.precision, top_k.recall, top_k.ndcg
ONE_SAMPLE = ((1, 3),)


def by_hand(truth, score, k):
    """Precision, recall and nDCG of one sample with a true label, without ties."""
    order = sorted(range(len(score)), key=lambda j: -score[j])
    gains = [1 / log2(place + 1) for place in range(1, k + 1)]
    hits = [truth[j] for j in order[:k]]
    reached = sum(gain for gain, hit in zip(gains, hits, strict=False) if hit)
    return F(sum(hits), k), F(sum(hits), sum(truth)), reached / sum(gains[: sum(truth)])


def test_without_ties_top_k_is_as_counted_by_hand():
    def holds(y_true, y_score):
        if not y_true.any() or len({*y_score[0]}) < 3:
            return True
        counted = [by_hand(*y_true.tolist(), *y_score.tolist(), k) for k in (1, 2, 3)]
        found = [[metric(y_true, y_score, k=k) for metric in THREE] for k in (1, 2, 3)]
        return np.allclose(found, np.array(counted, dtype=float), rtol=0, atol=1e-9)

    always(holds, ONE_SAMPLE)


def test_top_k_reads_the_window_and_coverage_down_to_the_lowest_relevant_label():
    truth, one, other = [[1, 0, 0, 0, 1]], [[5, 4, 3, 2, 1]], [[5, 4, 3, 1, 2]]
    below = [[1, 1, 0, 0, 0]]  # the two lists differ below the lowest
    assert ranking.coverage(below, one) == ranking.coverage(below, other) == 2
    for whole in (ranking.coverage, ranking.ranking_loss, ranking.average_precision):
        assert whole(truth, one) != whole(truth, other)
    for metric in THREE:
        assert metric(truth, one, k=3) == metric(truth, other, k=3)


def test_precision_at_1_is_1_minus_one_error_without_ties():
    def holds(y_true, y_score):
        untied = all(len({*row}) == len(row) for row in y_score.tolist())
        return not untied or np.isclose(
            top_k.precision(y_true, y_score, k=1), 1 - ranking.one_error(y_true, y_score)
        )

    always(holds, ((2, 2), (1, 3)))


def test_precision_at_k_reaches_1_only_with_k_true_labels_and_ndcg_with_any():
    for truth in ([1, 0, 0], [1, 1, 0], [1, 1, 1]):
        orders = [([truth], [order]) for order in permutations(range(3))]
        best = [max(metric(*order, k=2) for order in orders) for metric in THREE]
        assert best == pytest.approx([min(sum(truth), 2) / 2, min(1, 2 / sum(truth)), 1])


def test_scikit_learns_ndcg_averages_ties_and_counts_an_empty_sample_0():
    always(
        lambda y_true, y_score: np.isclose(
            ndcg_score(y_true, y_score, k=2), top_k.ndcg(y_true, y_score, k=2)
        ),
        ONE_SAMPLE,
    )


def test_scikit_learn_ignoring_ties_and_pyxclib_order_them_as_last_and_napkinxc_as_first():
    """What the two others gave in November 2026, of the last and of the first of three being true."""
    tied = [[0.5] * 3]
    last_true, first_true = [[0, 0, 1]], [[1, 0, 0]]
    for ties, gave in (("last", [1, 0]), ("first", [0, 1])):
        assert [top_k.precision(t, tied, k=1, ties=ties) for t in (last_true, first_true)] == gave
    assert [ndcg_score(t, tied, k=1, ignore_ties=True) for t in (last_true, first_true)] == [1, 0]


def test_where_nothing_is_predicted_precision_at_k_is_the_share_of_true_labels():
    for truth, k in product(product((0, 1), repeat=3), (1, 2, 3)):
        assert top_k.precision([truth], [[0] * 3], k=k) == pytest.approx(sum(truth) / 3)


def test_a_label_seen_once_counts_the_logarithm_of_the_number_of_samples():
    y_train = np.arange(10)[:, None] < [8, 4, 4, 1, 0]
    for a, b in ((0, 0.4), (0.3, 1.5), (2, 7)):
        assert top_k.inverse_propensities(y_train, a=a, b=b)[3] == pytest.approx(log(10))


def test_07_half_a_million_labels():
    """Row by row, of what is stored: no other label is ever shown."""
    scores = sparse.random_array((2_000, 500_000), density=2e-5, format="csr", rng=7)
    true = (np.random.default_rng(8).random(scores.nnz) < scores.data).astype(int)
    each = []
    for row in map(slice, scores.indptr, scores.indptr[1:]):
        truth, score = true[row].tolist(), scores.data[row].tolist()
        each.append(by_hand(truth, score, 5) if any(truth) else (0, 0, 0))
    means = np.array(each, dtype=float).mean(axis=0)
    wanted = dict(zip(("precision", "recall", "ndcg"), map(decimal, means), strict=True))
    assert cell_table("07_top_k", "07-45") == {name: {"": value} for name, value in wanted.items()}


# ---------------------------------------------------------------------------- what challenges score with


def test_r_precision_is_precision_and_recall_of_as_many_labels_as_are_true():
    def is_both(y_true, y_score):
        if not y_true.any():
            return True
        window = thresholds.top(y_score, int(y_true.sum()))
        measured = example_based.precision(y_true, window), example_based.recall(y_true, window)
        return measured == pytest.approx([top_k.r_precision(y_true, y_score, ties="first")] * 2)

    always(is_both, ONE_SAMPLE)


def test_rp_at_k_is_the_larger_of_precision_and_recall():
    def is_larger(y_true, y_score):
        three = top_k.precision, top_k.recall, top_k.rp
        each = [[metric(y_true, y_score, k=k) for metric in three] for k in (1, 2, 3)]
        return all(rp == pytest.approx(max(shares)) for *shares, rp in each)

    always(is_larger, ONE_SAMPLE)


def test_a_sample_without_labels_counts_0_in_libmultilabel_and_here():
    """As recorded: the second of two samples is perfect, the first has no label."""
    (case,) = (one for one in conventions.recorded_cases() if one.name == "top_two_empty")
    given = case.y_true, case.y_score
    assert case.numbers["R-precision at 2"]["LibMultiLabel"] == 0.5
    assert top_k.rp(*given, k=2) == top_k.r_precision(*given) == 0.5
    assert top_k.rp(*given, k=2, undefined=nan) == top_k.r_precision(*given, undefined=nan) == 1


# ---------------------------------------------------------------------------- where they mislead


def test_precision_and_recall_at_k_are_blind_to_the_order_in_the_window_and_ndcg_is_not():
    windows = [[[*order, -1]] for order in permutations((1, 2, 3))]
    seen = [{metric([[1, 1, 0, 0]], window, k=3) for window in windows} for metric in THREE]
    assert [len(values) > 1 for values in seen] == [False, False, True]


def test_another_k_can_make_another_model_win():
    truth, one, other = [[1, 1, 0, 0]], [[4, 1, 3, 2]], [[3, 2, 4, 1]]
    for metric in (top_k.precision, top_k.recall):
        assert metric(truth, one, k=1) > metric(truth, other, k=1)
        assert metric(truth, one, k=3) < metric(truth, other, k=3)
