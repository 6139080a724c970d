"""What notebook 07 says of the first few places, and what its cells show, counted by a pencil."""

from fractions import Fraction as F
from itertools import permutations, product
from math import log, log2, nan
from statistics import mean

import numpy as np
import pytest
from facts import always, rows, said, shown
from scipy import sparse
from sklearn.metrics import ndcg_score

from mlm_helpers import conventions, curves, example_based, ranking, thresholds, top_k

NOTEBOOK = "07_top_k"
LABELS = ["dog", "sea", "sun", "boat", "rain"]
PHOTOS = ["photo one", "photo two"]
TRUE = [1, 0, 0, 0, 0], [0, 1, 1, 1, 0]
SCORES = [0.9, 0.8, 0.7, 0.2, 0.1], [0.1, 0.9, 0.5, 0.4, 0.8]
SEEN = [8, 4, 4, 1, 0]  # in ten photos
THREE = top_k.precision, top_k.recall, top_k.ndcg


def in_order(truth, score):
    """Whether each label is relevant, from the top down."""
    return [truth[j] for j in sorted(range(len(score)), key=lambda j: -score[j])]


def precision(truth, score, k):
    return F(sum(in_order(truth, score)[:k]), k)


def recall(truth, score, k):
    return F(sum(in_order(truth, score)[:k]), sum(truth))


def ndcg(truth, score, k):
    gains = [1 / log2(place + 1) for place in range(1, k + 1)]
    reached = sum(gain for gain, hit in zip(gains, in_order(truth, score), strict=False) if hit)
    return reached / sum(gains[: sum(truth)])


BY_HAND = {top_k.precision: precision, top_k.recall: recall, top_k.ndcg: ndcg}


def of_both(read, k=3):
    """The values of the two photos."""
    return [float(read(*photo, k)) for photo in zip(TRUE, SCORES, strict=True)]


def orders(truth, metric, **options):
    """The value under every order of one sample's labels."""
    return [metric([truth], [order], **options) for order in permutations(range(len(truth)))]


def counts(a=0.55, b=1.5):
    """What a hit of each label counts: 1 + (ln N − 1)(B + 1)^A (n + B)^−A."""
    return [1 + (log(10) - 1) * (b + 1) ** a * (n + b) ** -a for n in SEEN]


# ---------------------------------------------------------------------------- facts


@pytest.mark.parametrize("metric", THREE)
def test_without_ties_top_k_is_what_a_pencil_counts(metric):
    def holds(y_true, y_score):
        truth, score = y_true[0].tolist(), y_score[0].tolist()
        return (
            not any(truth)
            or len({*score}) < 3
            or all(
                abs(metric(y_true, y_score, k=k) - BY_HAND[metric](truth, score, k)) < 1e-9
                for k in (1, 2, 3)
            )
        )

    always(holds, ((1, 3),))


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

    always(holds)


def test_precision_at_k_reaches_1_only_with_k_true_labels_and_ndcg_with_any():
    for truth in ([1, 0, 0], [1, 1, 0], [1, 1, 1]):
        best = [max(orders(truth, metric, k=2)) for metric in (top_k.precision, top_k.ndcg)]
        assert best == [min(sum(truth), 2) / 2, 1]
        assert max(orders(truth, top_k.recall, k=2)) == pytest.approx(min(1, 2 / sum(truth)))


def test_scikit_learns_ndcg_averages_ties_and_counts_an_empty_sample_0():
    always(
        lambda y_true, y_score: np.isclose(
            ndcg_score(y_true, y_score, k=2), top_k.ndcg(y_true, y_score, k=2)
        ),
        ((1, 3), (2, 2)),
    )


def test_ignoring_ties_scikit_learn_and_pyxclib_let_the_last_label_win_and_napkinxc_the_first():
    """What the two others gave in November 2026, of the last and of the first of three being true."""
    tied = [[0.5] * 3]
    last_true, first_true = [[0, 0, 1]], [[1, 0, 0]]
    for ties, gave in (("last", [1, 0]), ("first", [0, 1])):
        assert [top_k.precision(t, tied, k=1, ties=ties) for t in (last_true, first_true)] == gave
    assert [ndcg_score(t, tied, k=1, ignore_ties=True) for t in (last_true, first_true)] == [1, 0]


def test_a_label_seen_once_counts_the_logarithm_of_the_number_of_samples():
    y_train = np.arange(10)[:, None] < SEEN
    for a, b in ((0, 0.4), (0.3, 1.5), (2, 7)):
        assert top_k.inverse_propensities(y_train, a=a, b=b)[3] == pytest.approx(log(10))


def test_the_default_constants_are_half_way_between_wikipedia_and_amazon():
    y_train = np.arange(10)[:, None] < SEEN
    halfway = {"a": (0.5 + 0.6) / 2, "b": (0.4 + 2.6) / 2}
    default, stated = (top_k.inverse_propensities(y_train, **o) for o in ({}, halfway))
    assert default == pytest.approx(stated) == counts()


def test_precision_and_recall_at_k_are_blind_to_the_order_in_the_window_and_ndcg_is_not():
    windows = [[[*order, -1]] for order in permutations((1, 2, 3))]
    seen = [{metric([[1, 1, 0, 0]], window, k=3) for window in windows} for metric in THREE]
    assert [len(values) > 1 for values in seen] == [False, False, True]


def test_another_k_can_make_another_model_win():
    truth, one, other = [1, 1, 0, 0], [4, 1, 3, 2], [3, 2, 4, 1]
    for read in (precision, recall):
        assert read(truth, one, 1) > read(truth, other, 1)
        assert read(truth, one, 3) < read(truth, other, 3)


# ---------------------------------------------------------------------------- what the cells show


def test_the_photos_and_their_windows():
    lines = [(f"{name}: true", *truth) for name, truth in zip(PHOTOS, TRUE, strict=True)]
    lines += [(f"{name}: score", *score) for name, score in zip(PHOTOS, SCORES, strict=True)]
    assert shown(NOTEBOOK, "07-03") == rows(LABELS, *lines)
    hits = [sum(in_order(*photo)[:3]) for photo in zip(TRUE, SCORES, strict=True)]
    windows = [", ".join(in_order(LABELS, score)[:3]) for score in SCORES]
    lines = [(*line, F(line[2], 3)) for line in zip(PHOTOS, windows, hits, strict=True)]
    assert shown(NOTEBOOK, "07-08") == rows(("shown", "hits", "hits ÷ k"), *lines)
    assert said(NOTEBOOK, "07-09") == f"{sum(F(h, 3) for h in hits) / 2} = 0.5\n"


def test_the_picture_of_the_window():
    words = said(NOTEBOOK, "07-05").replace("Mean:", "Photo Mean:").split("Photo ")[1:]
    assert "hit dog 0.9, false alarm sea 0.8, false alarm sun 0.7; below, boat 0.2" in words[0]
    assert "hit sea 0.9, false alarm rain 0.8, hit sun 0.5; below, miss boat 0.4" in words[1]
    assert "precision at 3 = 2/3 ≈ 0.667, recall at 3 = 2/3 ≈ 0.667, nDCG at 3 ≈ 0.704" in words[1]
    assert "precision at 3 = 1/2 = 0.5, recall at 3 = 5/6 ≈ 0.833, nDCG at 3 ≈ 0.852" in words[2]
    assert "½(1 + 0.704) ≈ 0.852" in said(NOTEBOOK, "07-21")  # worked: the same photos, the same k


def test_the_best_precision_and_two_recalls():
    """Photo one has one true tag for three places; hits are 1 of 1 and 2 of 3, together 3 of 4."""
    best = [1 / 3, 1.0, 2 / 3]
    assert shown(NOTEBOOK, "07-11") == rows((*PHOTOS, "mean"), ("the best P@3", *best))
    heads = *PHOTOS, "mean of the photos", "all hits ÷ all true tags"
    line = "R@3", 1, F(2, 3), (1 + F(2, 3)) / 2, F(1 + 2, 1 + 3)
    assert shown(NOTEBOOK, "07-14") == rows(heads, line)


def test_the_discounts_and_ndcg():
    gains = [1.0, 1 / log2(3), 1 / log2(4)]
    assert shown(NOTEBOOK, "07-17") == rows("123", ("1 ÷ log2(place + 1)", *gains))
    line = "photo two", gains[0] + gains[2], sum(gains), (gains[0] + gains[2]) / sum(gains)
    assert shown(NOTEBOOK, "07-19") == rows(("DCG", "best DCG", "nDCG"), line)
    means = [mean(of_both(read)) for read in BY_HAND.values()]
    theirs = "–", "–", ndcg_score(TRUE, SCORES, k=3)
    lines = zip(("precision", "recall", "ndcg"), means, theirs, strict=True)
    assert shown(NOTEBOOK, "07-23") == rows(("helper", "scikit-learn"), *lines, places=4)


def test_a_photo_without_tags():
    lines = [(str(rule), *[float(np.nanmean([rule, 1]))] * 2) for rule in (0.0, 1.0, nan)]
    assert shown(NOTEBOOK, "07-26") == rows(("R@2", "nDCG@2"), *lines)
    assert said(NOTEBOOK, "07-27") == f"scikit-learn: {(0 + 1) / 2} P@2: {(0 + 1 / 2) / 2}\n"


def test_a_tie_at_the_edge():
    """Of three tied tags the last is true; one is shown."""
    line = "helper", 0, 1, 1 / 3, 0, 1
    assert shown(NOTEBOOK, "07-30") == rows(("worst", "best", "average", "first", "last"), line)
    averaged, last = said(NOTEBOOK, "07-31").splitlines()
    assert (averaged[-5:], last[-3:]) == ("0.333", "1.0")


def test_fewer_scores_than_places():
    """Photo one has a score for dog, photo two for sea and rain; zeros fill the rest, in every order."""
    dense = [0.9, 0, 0, 0, 0], [0, 0.9, 0, 0, 0.8]
    each = []
    for truth, score in zip(TRUE, dense, strict=True):
        given = [j for j in range(5) if score[j]]
        zeros = [j for j in range(5) if not score[j]]
        windows = [[*given, *order][:3] for order in permutations(zeros)]
        each.append([F(sum(truth[j] for j in window), 3) for window in windows])
    names = "made dense, ties=worst", "made dense, ties=average", "made dense, ties=best"
    lines = [
        (name, float(mean(map(how, each))))
        for name, how in zip(names, (min, mean, max), strict=True)
    ]
    stored = float(mean([F(1, 3), F(1, 3)]))
    assert shown(NOTEBOOK, "07-34") == rows(("P@3",), ("sparse", stored), *lines)


def test_what_a_hit_counts():
    lines = ("seen", *SEEN), ("a hit counts", *counts())
    assert shown(NOTEBOOK, "07-37") == rows(LABELS, *lines)
    fits = {"Wikipedia": (0.5, 0.4), "Amazon": (0.6, 2.6), "default": (0.55, 1.5)}
    lines = [(name, *fit, *counts(*fit)) for name, fit in fits.items()]
    assert shown(NOTEBOOK, "07-41") == rows(("A", "B", *LABELS), *lines)


def test_reached_and_reachable():
    q = dict(zip(LABELS, counts(), strict=True))
    reached = q["dog"] + q["sea"] + q["sun"]
    lines = [("reached", reached), ("reachable", reached + q["boat"])]
    lines += [(name, reached / (reached + q["boat"])) for name in ("PSP@3", "helper")]
    lines += [("helper, all labels alike", 3 / 4)]
    assert shown(NOTEBOOK, "07-39") == rows(("",), *lines)
    assert said(NOTEBOOK, "07-42") == f"divided by k: {(q['dog'] + q['sea']) / 2:.3f}\n"
    lines = ("predicts dog", 1, q["dog"] / q["boat"]), ("predicts boat", 1, 1)
    assert shown(NOTEBOOK, "07-69") == rows(("P@1", "PSP@1"), *lines)


def test_07_half_a_million_labels():
    """Row by row, of what is stored: no other label is ever shown."""
    scores = sparse.random_array((2_000, 500_000), density=2e-5, format="csr", rng=7)
    true = (np.random.default_rng(8).random(scores.nnz) < scores.data).astype(int)
    values = []
    for start, end in zip(scores.indptr, scores.indptr[1:], strict=False):
        truth = true[start:end].tolist()
        sample = truth, scores.data[start:end].tolist(), 5
        values.append([read(*sample) if any(truth) else 0 for read in (precision, recall, ndcg)])
    means = np.array(values, dtype=float).mean(axis=0).tolist()
    lines = zip(("precision", "recall", "ndcg"), means, strict=True)
    assert shown(NOTEBOOK, "07-45") == rows(("",), *lines)
    sizes = ("stored", 20_000), ("in a dense matrix", 2_000 * 500_000)
    assert shown(NOTEBOOK, "07-46") == rows(("how many",), *sizes)


def test_the_order_in_the_window():
    lines = []
    for places in ((1, 2), (2, 3), (1, 4)):
        sample = [int(place in places) for place in range(1, 5)], [4, 3, 2, 1]
        lines.append((str(places), *(precision(*sample, k) for k in (1, 2, 3)), ndcg(*sample, 3)))
    assert shown(NOTEBOOK, "07-49") == rows(("P@1", "P@2", "P@3", "nDCG@3"), *lines)


def test_07_the_ladder():
    second = TRUE[1], SCORES[1], 2
    lines = [f"precision at 2: {precision(*second)}", f"recall at 2: {recall(*second)}"]
    assert said(NOTEBOOK, "07-57").splitlines() == lines
    right = of_both(ndcg)
    all_hits = sum(1 / log2(place + 1) for place in (1, 2, 3))
    wrong = [1 / all_hits, 1.5 / all_hits]
    for cell, name, values in (("07-65", "the script", wrong), ("07-67", "the helper", right)):
        assert shown(NOTEBOOK, cell) == rows((*PHOTOS, "mean"), (name, *values, mean(values)))


# ---------------------------------------------------------------------------- what challenges score with

TAGGED, VIDEOS = ([1, 0, 1], [0, 1, 0]), ([0.9, 0.8, 0.1], [0.7, 0.6, 0.5])
MANY = ((1, 2), (1, 3), (2, 2))


def test_r_precision_of_two_videos():
    """Of video one two labels are true, and one of the first two; of video two one, the second."""
    assert shown(NOTEBOOK, "07-72") == rows(
        ("video one", "video two", "mean"),
        ("R-precision", 0.5, 0.0, 0.25),
        ("P@2", 0.5, 0.5, 0.5),
        ("R@2", 0.5, 1.0, 0.75),
        ("RP@2", 0.5, 1.0, 0.75),
    )


def test_r_precision_is_precision_and_recall_of_as_many_labels_as_are_true():
    def is_both(y_true, y_score):
        k = int(y_true.sum())
        if not k:
            return True
        window = thresholds.top(y_score, k)
        measured = example_based.precision(y_true, window), example_based.recall(y_true, window)
        perr = top_k.r_precision(y_true, y_score, ties="first")
        return perr == pytest.approx(measured[0]) == pytest.approx(measured[1])

    always(is_both, ((1, 2), (1, 3), (1, 4)))


def test_rp_at_k_is_the_larger_of_precision_and_recall():
    def is_larger(y_true, y_score):
        for k in range(1, y_true.shape[1] + 1):
            rp, *each = (
                metric(y_true, y_score, k=k, per_sample=True)
                for metric in (top_k.rp, top_k.precision, top_k.recall)
            )
            if not np.allclose(rp, np.maximum(*each)):
                return False
        return True

    always(is_larger, MANY)


def test_a_sample_without_labels_counts_0_in_libmultilabel_and_here():
    """As recorded: the second of two samples is perfect, the first has no label."""
    (case,) = (one for one in conventions.recorded() if one.name == "top_two_empty")
    given = case.y_true, case.y_score
    assert case.numbers["R-precision at 2"]["LibMultiLabel"] == 0.5
    assert top_k.rp(*given, k=2) == top_k.r_precision(*given) == 0.5
    assert top_k.rp(*given, k=2, undefined=nan) == top_k.r_precision(*given, undefined=nan) == 1


def gap(y_true, y_score, k):
    """Places of the windows of all samples in one list, by a pencil; no two scores are tied."""
    listed = [pair for truth, score in zip(y_true, y_score, strict=True)
              for pair in sorted(zip(score, truth, strict=True), reverse=True)[:k]]  # fmt: skip
    found = [hit for _, hit in sorted(listed, reverse=True)]
    shares = [F(sum(found[:place]), place) for place, hit in enumerate(found, 1) if hit]
    return sum(shares) / sum(map(sum, y_true))


def test_gap_of_two_videos():
    gaps = [gap(TAGGED, VIDEOS, k) for k in (1, 2, 3)]
    assert gaps == [F(1, 3), F(1, 2), F(2, 3)]
    columns = ("GAP@1", "GAP@2", "GAP@3", "micro AP")
    assert shown(NOTEBOOK, "07-74") == rows(columns, ("both videos", *gaps, F(2, 3)))


def test_gap_of_all_labels_is_micro_ap():
    """Of two samples of two labels, under every truth and every order of four scores."""
    for order in permutations((0.9, 0.8, 0.7, 0.6)):
        for truth in product((0, 1), repeat=4):
            y_true, y_score = (np.reshape(m, (2, 2)) for m in (truth, order))
            if y_true.any():
                whole = curves.average_precision(y_true, y_score, average="micro")
                assert float(gap(y_true.tolist(), y_score, 2)) == pytest.approx(whole)


def test_where_nothing_is_predicted_precision_at_k_is_the_share_of_true_labels():
    def is_share(y_true, y_pred):
        n_labels, silent = y_true.shape[1], y_pred * 0
        found = [top_k.precision(y_true, silent, k=k) for k in range(1, n_labels + 1)]
        return found == pytest.approx([y_true.mean()] * n_labels)

    always(is_share)
