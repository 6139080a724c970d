"""Facts of notebook 07: labels below rank k, ties, empty samples, rare labels, another k."""

from fractions import Fraction as F
from itertools import permutations, product
from math import log, log2, nan

import numpy as np
import pytest
from facts import always
from sklearn.metrics import ndcg_score

from mlm_helpers import conventions, curves, example_based, ranking, thresholds, top_k

THREE = top_k.precision, top_k.recall, top_k.ndcg
ONE_SAMPLE = ((1, 3),)


def by_hand(truth, score, k):
    """Precision, recall and nDCG at k of one sample with a true label, without ties."""
    order = sorted(range(len(score)), key=lambda j: -score[j])
    discounts = [1 / log2(rank + 1) for rank in range(1, k + 1)]
    hits = [truth[j] for j in order[:k]]
    dcg = sum(discount for discount, hit in zip(discounts, hits, strict=False) if hit)
    return F(sum(hits), k), F(sum(hits), sum(truth)), dcg / sum(discounts[: sum(truth)])


def test_without_ties_top_k_is_as_counted_by_hand():
    def is_as_by_hand(y_true, y_score):
        (truth,), (score,) = y_true.tolist(), y_score.tolist()
        has_ties = len({*score}) < len(score)
        if not any(truth) or has_ties:
            return True
        expected = [by_hand(truth, score, k) for k in (1, 2, 3)]
        values = [[metric(y_true, y_score, k=k) for metric in THREE] for k in (1, 2, 3)]
        return np.allclose(values, np.array(expected, dtype=float), rtol=0, atol=1e-9)

    always(is_as_by_hand, ONE_SAMPLE)


def test_top_k_reads_the_window_and_coverage_down_to_the_lowest_relevant_label():
    truth, score_a, score_b = [[1, 0, 0, 0, 1]], [[5, 4, 3, 2, 1]], [[5, 4, 3, 1, 2]]
    relevant_on_top = [[1, 1, 0, 0, 0]]  # The two orders differ below the lowest relevant label.
    assert ranking.coverage(relevant_on_top, score_a) == 2
    assert ranking.coverage(relevant_on_top, score_b) == 2
    for metric in (ranking.coverage, ranking.ranking_loss, ranking.average_precision):
        assert metric(truth, score_a) != metric(truth, score_b)
    for metric in THREE:
        assert metric(truth, score_a, k=3) == metric(truth, score_b, k=3)


def test_precision_at_1_is_1_minus_one_error_without_ties():
    def is_complement(y_true, y_score):
        has_ties = any(len({*row}) < len(row) for row in y_score.tolist())
        return has_ties or np.isclose(
            top_k.precision(y_true, y_score, k=1), 1 - ranking.one_error(y_true, y_score)
        )

    always(is_complement, ((2, 2), (1, 3)))


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


def test_scikit_learn_ignoring_ties_lets_the_last_of_three_labels_win():
    for truth in np.eye(3, dtype=int)[:, None]:
        value = ndcg_score(truth, [[0.5] * 3], k=1, ignore_ties=True)
        assert value == top_k.precision(truth, [[0.5] * 3], k=1, ties="last") == truth[0, -1]


def test_where_nothing_is_predicted_precision_at_k_is_the_share_of_true_labels():
    for truth, k in product(product((0, 1), repeat=3), (1, 2, 3)):
        assert top_k.precision([truth], [[0] * 3], k=k) == pytest.approx(sum(truth) / 3)


def test_a_label_seen_once_counts_the_logarithm_of_the_number_of_samples():
    y_train = np.arange(10)[:, None] < [8, 4, 4, 1, 0]
    for a, b in ((0, 0.4), (0.3, 1.5), (2, 7)):
        assert top_k.inverse_propensities(y_train, a=a, b=b)[3] == pytest.approx(log(10))


# ---------------------------------------------------------------------------- metrics of challenges


def test_r_precision_is_precision_and_recall_of_as_many_labels_as_are_true():
    def is_both(y_true, y_score):
        if not y_true.any():
            return True
        y_pred = thresholds.top(y_score, int(y_true.sum()))
        values = example_based.precision(y_true, y_pred), example_based.recall(y_true, y_pred)
        return values == pytest.approx([top_k.r_precision(y_true, y_score, ties="first")] * 2)

    always(is_both, ONE_SAMPLE)


def test_rp_at_k_is_the_larger_of_precision_and_recall():
    def rp_is_the_larger(y_true, y_score):
        metrics = top_k.precision, top_k.recall, top_k.rp
        values = [[metric(y_true, y_score, k=k) for metric in metrics] for k in (1, 2, 3)]
        return all(rp == pytest.approx(max(p, r)) for p, r, rp in values)

    always(rp_is_the_larger, ONE_SAMPLE)


def test_a_sample_without_labels_counts_0_in_libmultilabel_and_here():
    """In the recorded case the first of two samples has no label, and the second is perfect."""
    (case,) = (case for case in conventions.recorded_cases() if case.name == "top_two_empty")
    data = case.y_true, case.y_score
    assert case.numbers["R-precision at 2"]["LibMultiLabel"] == 0.5
    assert top_k.rp(*data, k=2) == top_k.r_precision(*data) == 0.5
    assert top_k.rp(*data, k=2, undefined=nan) == top_k.r_precision(*data, undefined=nan) == 1


def precisions_at_hits(in_order, k):
    """The precision at each hit among the first k labels, which are in the order of scores."""
    return [F(sum(in_order[:place]), place) for place in range(1, k + 1) if in_order[place - 1]]


def test_ap_at_k_by_the_smaller_of_r_and_k_is_precision_at_1_and_average_precision_at_the_end():
    for n_labels in (2, 3, 6):
        for truth in product((0, 1), repeat=n_labels):
            data, r = ([truth], [range(n_labels, 0, -1)]), max(sum(truth), 1)
            at_1, at_end = (sum(precisions_at_hits(truth, k)) for k in (1, n_labels))
            assert at_1 == top_k.precision(*data, k=1)
            assert float(at_end / r) == pytest.approx(ranking.average_precision(*data, undefined=0))


def test_ap_at_k_of_the_best_order_is_1_for_each_r_by_the_smaller_of_r_and_k_alone():
    for r, k in product(range(1, 7), repeat=2):
        best = sum(precisions_at_hits([1] * r + [0] * (6 - r), k))
        assert best / min(r, k) == 1
        assert (best / r == 1, best / k == 1) == (r <= k, r >= k)


def test_the_chance_level_of_ap_at_k_for_one_true_label():
    for n_labels, k in product((2, 5, 9), (1, 2, 5)):
        orders = np.eye(n_labels, dtype=int).tolist()
        mean = F(sum(sum(precisions_at_hits(o, min(k, n_labels))) for o in orders), n_labels)
        assert mean == sum(F(1, place) for place in range(1, min(k, n_labels) + 1)) / n_labels


# ---------------------------------------------------------------------------- where they mislead


def test_precision_and_recall_at_k_are_blind_to_the_order_in_the_window_and_ndcg_is_not():
    scores = [[[*order, -1]] for order in permutations((1, 2, 3))]
    values = [{metric([[1, 1, 0, 0]], score, k=3) for score in scores} for metric in THREE]
    assert [len(values_of_metric) > 1 for values_of_metric in values] == [False, False, True]


def test_another_k_can_make_another_model_win():
    truth, score_a, score_b = [[1, 1, 0, 0]], [[4, 1, 3, 2]], [[3, 2, 4, 1]]
    for metric in (top_k.precision, top_k.recall):
        assert metric(truth, score_a, k=1) > metric(truth, score_b, k=1)
        assert metric(truth, score_a, k=3) < metric(truth, score_b, k=3)


@pytest.mark.parametrize("n", [5, 10, 50])
def test_gap_is_high_and_map_is_low_where_rare_labels_are_never_found(n):
    y_true, y_score = np.eye(200, n, k=1, dtype=int), np.ones((200, n))
    y_true[:, 0], y_score[:, 0], y_true[:, 1] = 1, 2, 0  # label 1 is true nowhere
    y_score[:, 1:] -= y_true[:, 1:]
    gap, values = (curves.average_precision(y_true, y_score, average=a) for a in ("micro", None))
    assert top_k.precision(y_true, y_score, k=1) == 1 and gap > 0.8 and np.nansum(values) < n / 4
