"""Facts of notebook 05: what ranking metrics depend on, ties, empty samples, contradictions."""

from fractions import Fraction as F
from itertools import chain, combinations, pairwise, permutations, product
from math import isclose

import numpy as np
import pytest
import sklearn.metrics as skm
from facts import always

from mlm_course.documents import RANKING as DOC
from mlm_helpers import conventions
from mlm_helpers.ranking import average_precision, coverage, one_error, ranking_loss

FOUR = coverage, one_error, ranking_loss, average_precision
ONE_SAMPLE = ((1, 2), (1, 3))


def values_by_hand(places, n_labels):
    """The metrics of FOUR for a list without ties, from its relevant labels' ranks, ascending."""
    n_pairs = len(places) * (n_labels - len(places))
    # Of the labels down to a place, those that are not relevant are above the relevant label there.
    n_misordered_pairs = sum(place - n_relevant for n_relevant, place in enumerate(places, 1))
    precisions = [F(n_relevant, place) for n_relevant, place in enumerate(places, 1)]
    is_error = int(places[0] > 1)
    return places[-1], is_error, F(n_misordered_pairs, n_pairs), sum(precisions) / len(places)


def values(y_true, y_score, **options):
    return [metric(y_true, y_score, **options) for metric in FOUR]


def places_of_relevant(n_labels):
    """For each number of relevant labels below n_labels, all places that they can have."""
    for n_relevant in range(1, n_labels):
        yield [*combinations(range(1, n_labels + 1), n_relevant)]


# ---------------------------------------------------------------------------- the order alone


def test_ranking_metrics_depend_on_the_order_alone():
    always(
        lambda y_true, y_score: values(y_true, y_score) == values(y_true, np.exp(y_score) - 9),
        ((1, 2), (2, 2)),
    )


def test_all_four_are_read_off_the_places_of_the_relevant_labels():
    for n_labels in (2, 3, 4, 5):
        for places in chain(*places_of_relevant(n_labels)):
            truth = [[int(place in places) for place in range(1, n_labels + 1)]]
            computed = values(truth, [[-place for place in range(n_labels)]])
            assert computed == pytest.approx([*map(float, values_by_hand(places, n_labels))])


def test_a_threshold_above_0_35_and_up_to_0_4_gives_the_documents_labels():
    """In steps of a thousandth. At a threshold of 0.5, entertainment alone is predicted."""
    matching = [
        t
        for t in range(1001)
        if all([1000 * s >= t for s in scores] == DOC.y_pred[0] for scores in DOC.scores.values())
    ]
    assert matching == [*range(351, 401)]


def test_ndcg_of_the_first_label_alone_is_one_minus_one_error():
    def are_complements(y_true, y_score):
        if len({*y_score[0]}) < y_score.size or not y_true.any():
            return True  # with ties, or without relevant labels
        return skm.ndcg_score(y_true, y_score, k=1) == 1 - one_error(y_true, y_score)

    always(are_complements, ONE_SAMPLE)


@pytest.mark.parametrize(
    "metric, part_of",
    [(one_error, lambda row: row[0]), (coverage, lambda row: max(np.flatnonzero(row)))],
)
def test_one_error_reads_the_top_and_coverage_the_lowest_relevant_label(metric, part_of):
    values_of_part = {}
    for row in product((0, 1), repeat=4):
        if any(row):
            values_of_part.setdefault(part_of(row), set()).add(metric([row], [[4, 3, 2, 1]]))
    assert len(values_of_part) > 1 and {len(v) for v in values_of_part.values()} == {1}


def softmax(logits):
    powers = np.exp(np.array(logits) - max(logits))
    return powers / powers.sum()


def test_at_one_half_softmax_predicts_at_most_one_label_unless_two_tie():
    """A lower threshold predicts the labels that sigmoids predict, those of the positive logits."""
    rng = np.random.default_rng(5)
    for logits in (spread * rng.normal(size=n) for n in (2, 3, 9) for spread in (0.1, 1, 9) * 50):
        scores, positive = softmax(logits), 1 / (1 + np.exp(-logits)) >= 0.5
        assert (scores >= 0.5).sum() <= 1 and np.allclose(softmax(logits - 99), scores)
        assert ((scores >= min(scores[positive], default=2)) == positive).all()
    assert softmax([3, 3]).tolist() == [0.5, 0.5]


def test_one_threshold_for_softmax_does_not_serve_every_text():
    """If it predicts the label of logit 1 in the first text, then that of -2 in the second."""
    assert softmax([9, 1, -3, -3, -3])[1] < softmax([0.5, 1, 2, -3, -2])[4]


# ---------------------------------------------------------------------------- conventions


def test_tools_take_the_mean_over_samples():
    means = {"ranking loss": (1 / 6 + 1 / 3) / 2, "average precision": (5 / 6 + 3 / 4) / 2}
    for tool, (name, value) in product(conventions.TOOLS.values(), means.items()):
        if name in tool.metrics:
            two_texts = DOC.y_true * 2, [*DOC.scores.values()]
            assert isclose(conventions.number(tool.name, name, *two_texts), value)


def test_the_document_and_scikit_learn_count_ranks_from_1_and_mulan_from_0():
    assert min(DOC.printed_ranks["model one"]) == skm.coverage_error([[1, 0]], [[2, 1]]) == 1
    assert conventions.options("MULAN", coverage)["start"] == 0


def test_when_ranks_start_at_1_only_an_empty_sample_has_coverage_0():
    always(lambda y_true, y_score: (coverage(y_true, y_score) > 0) == y_true.any(), ONE_SAMPLE)
    assert coverage([[1, 0]], [[2, 1]], start=0) == 0


def test_ranking_loss_and_one_error_of_tied_labels_are_values_over_all_orders():
    """The worst, the mean and the best.

    Coverage can differ from the mean, and so can average precision.
    """

    def are_over_orders(y_true, y_score):
        orders = [np.array(order) / 9 for order in permutations(range(y_score.size))]
        over = np.array([values(y_true, y_score + order)[1:3] for order in orders])
        rules = [values(y_true, y_score, ties=t)[1:3] for t in ("max", "average", "min")]
        return np.allclose(rules, [over.max(axis=0), over.mean(axis=0), over.min(axis=0)])

    always(are_over_orders, ONE_SAMPLE)
    assert coverage([[1, 1]], [[5, 5]], ties="average") == 3 / 2  # and 2 in both orders


def test_coverage_of_tied_labels_reads_mean_ranks_and_not_all_orders():
    """Of three, two relevant: 2.

    In one order of three the last relevant label is second, else third.
    """
    assert coverage([[1, 1, 0]], [[5, 5, 5]], ties="average") == 2
    orders = [coverage([[1, 1, 0]], [order]) for order in permutations(range(3))]
    assert np.sort(orders).tolist() == [2, 2, 3, 3, 3, 3]


def test_under_first_and_last_swapping_two_columns_can_change_each_metric():
    for rule in ("first", "last"):
        swapped = [values([truth], [[0.5, 0.5]], ties=rule) for truth in ([1, 0], [0, 1])]
        assert all(a != b for a, b in zip(*swapped, strict=True))


def test_in_scikit_learn_ties_share_the_largest_rank_in_mulan_the_last_label_wins():
    """test_all_small.py compares with scikit-learn on every order with ties."""
    tied = [[1, 0]], [[0.5, 0.5]]
    assert skm.coverage_error(*tied) == 2
    assert skm.label_ranking_loss(*tied) == 1
    assert skm.label_ranking_average_precision_score(*tied) == 1 / 2
    assert {conventions.options("MULAN", metric)["ties"] for metric in FOUR} == {"last"}
    assert conventions.options("torchmetrics", ranking_loss)["ties"] == "last"


def test_without_a_relevant_label_some_metrics_are_perfect_and_one_error_is_worst():
    """If all labels are relevant, only ranking loss is undefined: there are no pairs."""
    for order in permutations(range(3)):
        assert values([[0, 0, 0]], [order]) == [0, 1, 0, 1]
        assert values([[1, 1, 1]], [order], undefined=7) == [3, 0, 7, 1]


def test_where_all_scores_are_tied_average_precision_is_the_share_of_relevant_labels():
    for truth in product((0, 1), repeat=4):
        share = sum(truth) / 4
        if 0 < share < 1:
            assert values([truth], [[0.5] * 4]) == [4, 1, 1, share]


def test_lwlrap_is_the_mean_over_all_relevant_labels():
    """Each relevant label has the precision of the labels that score at least as high."""

    def is_mean(y_true, y_score):
        if not y_true.any():
            return True
        precisions = [
            truth[score >= relevant_score].mean()
            for truth, score in zip(y_true, y_score, strict=True)
            for relevant_score in score[truth > 0]
        ]
        weighted = average_precision(y_true, y_score, sample_weight=y_true.sum(axis=1))
        equal = np.ptp(y_true.sum(axis=1)) or isclose(weighted, average_precision(y_true, y_score))
        return equal and isclose(weighted, np.mean(precisions))

    always(is_mean, ((2, 2), (1, 3)))


# ---------------------------------------------------------------------------- where it misleads


def test_coverage_contradicts_average_precision_from_four_labels_on_and_ranking_loss_from_five():
    """For one sample without ties, in two lists with equally many relevant labels."""
    for loss, fewest_labels in ((coverage, 4), (ranking_loss, 5)):
        i = FOUR.index(loss)
        contradicting = set()
        for n_labels in range(2, 8):
            for lists in places_of_relevant(n_labels):
                pairs = combinations([values_by_hand(places, n_labels) for places in lists], 2)
                # Average precision is the last of FOUR. A lower loss is better.
                if any((a[i] - b[i]) * (a[-1] - b[-1]) > 0 for a, b in pairs):
                    contradicting.add(n_labels)
        assert contradicting == {*range(fewest_labels, 8)}


def test_average_precision_rewards_the_top_and_ranking_loss_counts_each_place_alike():
    *_, losses, precisions = zip(*(values_by_hand((i,), 5) for i in range(1, 6)), strict=True)
    assert {b - a for a, b in pairwise(losses)} == {F(1, 4)}
    assert precisions == (1, F(1, 2), F(1, 3), F(1, 4), F(1, 5))
