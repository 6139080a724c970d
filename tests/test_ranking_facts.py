"""Facts of notebook 05: what each ranking metric reads, ties, samples without labels, and contradictions."""

from fractions import Fraction as F
from functools import partial
from itertools import combinations, pairwise, permutations, product
from math import isclose, nan

import facts
import numpy as np
import pytest
import sklearn.metrics as skm
from facts import always, rows

from mlm_course.documents import RANKING as DOC
from mlm_helpers import conventions
from mlm_helpers.ranking import average_precision, coverage, one_error, ranking_loss

shown, said = partial(facts.shown, "05_ranking"), partial(facts.said, "05_ranking")
FOUR = coverage, one_error, ranking_loss, average_precision
NAMES = ("coverage", "one_error", "ranking_loss", "average_precision")
LRAP = "label_ranking_average_precision_score"
TRUTH, (ONE, TWO) = DOC.y_true, DOC.scores.values()
ONE_SAMPLE = ((1, 2), (1, 3))


def read_off(places, n_labels):
    """The four metrics of a list without ties whose relevant labels stand at these places."""
    n = len(places)
    misordered = sum(place - among for among, place in enumerate(places, 1))
    shares = [F(among, place) for among, place in enumerate(places, 1)]
    return places[-1], int(places[0] > 1), F(misordered, n * (n_labels - n)), sum(shares) / n


def values(y_true, y_score, **options):
    return [metric(y_true, y_score, **options) for metric in FOUR]


def some_of_both(y_true):
    return 0 < y_true.sum() < y_true.size


def floats(line):
    return [*map(float, line)]


# ---------------------------------------------------------------------------- the order alone


def test_ranking_metrics_need_the_order_alone():
    always(
        lambda y_true, y_score: values(y_true, y_score) == values(y_true, np.exp(y_score) - 9),
        ONE_SAMPLE,
    )


def test_all_four_are_read_off_the_places_of_the_relevant_labels():
    for n_labels in (2, 3, 4, 5):
        for n_relevant in range(1, n_labels):
            for places in combinations(range(1, n_labels + 1), n_relevant):
                truth = [[int(place in places) for place in range(1, n_labels + 1)]]
                found = values(truth, [[-place for place in range(n_labels)]])
                assert found == pytest.approx(floats(read_off(places, n_labels)))


def test_two_lists_by_hand():
    """Sport and entertainment stand at 3 and 1 for model one, at 4 and 1 for model two."""
    one, two = read_off((1, 3), 5), read_off((1, 4), 5)
    assert (one, two) == ((3, 0, F(1, 6), F(5, 6)), (4, 0, F(2, 6), F(3, 4)))
    table = shown("05-03")
    assert [*table["technology"].values()] == ["科技", "0", "0.15", "0.35"]
    assert [*table["entertainment"].values()] == ["娱乐", "1", "0.5", "0.6"]
    assert "hit entertainment, false alarm geography, miss sport, 2/5" in said("05-05")
    assert "3 sport 0.3 (2/3 relevant), 4 technology 0.15, 5 military" in said("05-12")
    assert "coverage 4, ranking loss 2/6 = 1/3 ≈ 0.333, average precision 3/4" in said("05-12")
    labels = "sport", "geography", "entertainment", "military", "technology"
    table = shown("05-15")
    assert table["model one: ranks"] == dict(zip(labels, "32154", strict=True))
    assert table["model two: ranks"] == dict(zip(labels, "42153", strict=True))
    assert [*table["model two: scores"].values()] == ["0.3", "0.4", "0.6", "0.1", "0.35"]
    assert shown("05-17") == rows(
        ("rank among the relevant", "rank among all"),
        ("model one: entertainment", 1, 1),
        ("model one: sport", 2, 3),
        ("model two: entertainment", 1, 1),
        ("model two: sport", 2, 4),
    )
    assert shown("05-19") == rows(
        ("coverage", "one-error", "ranking loss", "average precision"),
        ("model one", 3, 0, "1/6", F(5, 6)),
        ("model two", 4, 0, "2/6", F(3, 4)),
    )
    theirs = ("coverage_error", "theirs_one_error", "label_ranking_loss", LRAP)
    lines = zip((*NAMES, *theirs), floats(one + one), floats(two + two), strict=True)
    assert shown("05-23") == rows(("model one", "model two"), *lines, places=4)
    assert [*shown("05-25", table=1)["sport"].values()] == ["2", "3", "2/3"]
    assert shown("05-explore")["sample 1"]["sport"] == "○ miss"
    assert shown("05-explore", table=1)["coverage"] == {"value": "3"}


def test_a_threshold_above_0_35_and_up_to_0_4_gives_the_documents_labels():
    """In steps of a thousandth; at the usual 0.5 entertainment alone is predicted."""
    fits = [
        t
        for t in range(1001)
        if all([int(1000 * s >= t) for s in scores] == DOC.y_pred[0] for scores in (ONE, TWO))
    ]
    assert fits == [*range(351, 401)]
    table = shown("05-08")
    heads = "model one", "model two", "loss of one", "loss of two", "the document's labels?"
    at_3 = "[1, 1, 1, 0, 0]", "[1, 1, 1, 0, 1]", "1/5", "2/5", "no"
    at_35 = "[0, 1, 1, 0, 0]", "[0, 1, 1, 0, 1]", "2/5", "3/5", "no"
    both = {name: table[name] for name in ("0.3", "0.35")}
    assert both == rows(heads, ("0.3", *at_3), ("0.35", *at_35))
    fitting = [
        threshold for threshold, row in table.items() if row["the document's labels?"] == "yes"
    ]
    assert fitting == ["0.351", "0.4"]
    assert table["0.5"]["model two"] == "[0, 0, 1, 0, 0]" and table["0.5"]["loss of two"] == "1/5"


def test_ndcg_of_the_first_label_alone_is_one_minus_one_error():
    def holds(y_true, y_score):
        if len({*y_score[0]}) < y_score.size or not y_true.any():
            return True  # a tie, or nothing relevant
        return skm.ndcg_score(y_true, y_score, k=1) == 1 - one_error(y_true, y_score)

    always(holds, ONE_SAMPLE)


# ---------------------------------------------------------------------------- what each reads


@pytest.mark.parametrize(
    "metric, reads",
    [(one_error, lambda row: row[0]), (coverage, lambda row: max(np.flatnonzero(row)))],
)
def test_one_error_reads_the_top_and_coverage_the_lowest_relevant_label(metric, reads):
    found = {}
    for row in product((0, 1), repeat=4):
        if any(row):
            found.setdefault(reads(row), set()).add(metric([row], [[4, 3, 2, 1]]))
    assert [len(v) for v in found.values()] == [1] * len(found) and len(found) > 1


def test_metrics_that_read_where_relevant_labels_stand_tell_the_models_apart():
    one, two = read_off((1, 3), 5), read_off((1, 4), 5)
    labels, places = "the predicted labels", "the place of each relevant label"
    assert shown("05-27") == rows(
        ("reads", "model one", "model two", "tells them apart?"),
        ("subset_accuracy", labels, 0, 0, "no"),
        ("hamming_loss", labels, F(2, 5), F(2, 5), "no"),
        ("f1", labels, F(1, 2), F(1, 2), "no"),
        ("one_error", "the top label", 0, 0, "no"),
        ("coverage", "the lowest relevant label", one[0], two[0], "yes"),
        ("ranking_loss", places, one[2], two[2], "yes"),
        ("average_precision", places, one[3], two[3], "yes"),
    )


# ---------------------------------------------------------------------------- sigmoid or softmax


def test_softmax_never_puts_two_labels_above_one_half():
    """Its scores share a total of 1; a sigmoid can put any set of labels there."""
    for signs in product((-3, 3), repeat=3):
        logits = np.array(signs) + np.arange(3) / 10
        softmax = np.exp(logits) / np.exp(logits).sum()
        assert isclose(softmax.sum(), 1) and (softmax > 0.5).sum() < 2
        assert ((1 / (1 + np.exp(-logits)) > 0.5) == (np.array(signs) > 0)).all()
    assert shown("05-30") == rows(
        ("sum of its scores",), ("model one", 1.45), ("model two", 1.75), ("sentiment", 1)
    )


def test_sigmoid_and_softmax_have_the_same_ranks_without_rounding():
    """Both rise with the logit: e⁰·⁵ of e⁰·⁵ + e + e² + e⁻³ + e⁻² is 0.138."""
    logits = dict(zip(DOC.labels, (0.5, 1.0, 2.0, -3.0, -2.0), strict=True))
    total = sum(np.exp(x) for x in logits.values())
    lines = [(name, x, 1 / (1 + np.exp(-x)), np.exp(x) / total) for name, x in logits.items()]
    assert shown("05-32") == rows(("logit", "sigmoid", "softmax"), *lines)
    single = 1 / (1 + np.exp(-np.array([16, 17], dtype=np.float32)))
    assert [*(single == 1)] == [False, True]  # rounding ties every logit from 17 on
    lines = zip(NAMES, *[floats(read_off((1, 3), 5))] * 2, strict=True)
    assert shown("05-33") == rows(("sigmoid", "softmax"), *lines)


# ---------------------------------------------------------------------------- what is left open


def test_tools_take_the_mean_over_samples():
    assert shown("05-36") == rows(
        ("text one", "text two", "their mean"), ("ranking loss", F(1, 6), F(1, 3), F(1, 4))
    )
    means = {"ranking loss": (1 / 6 + 1 / 3) / 2, "average precision": (5 / 6 + 3 / 4) / 2}
    for tool, (name, value) in product(conventions.TOOLS.values(), means.items()):
        if name in tool.metrics:
            assert isclose(conventions.number(tool.name, name, TRUTH * 2, [ONE, TWO]), value)


def test_the_document_and_scikit_learn_count_ranks_from_1_and_mulan_from_0():
    assert min(DOC.printed_ranks["model one"]) == skm.coverage_error([[1, 0]], [[2, 1]]) == 1
    assert conventions.options("MULAN", coverage)["start"] == 0
    lines = ("1", 3, 4), ("0", 2, 3)
    assert shown("05-38") == rows(("coverage of text one", "of text two"), *lines)


# ---------------------------------------------------------------------------- ties


def test_a_tied_pair_is_an_error_none_or_half_of_one_or_columns_decide():
    """Two labels with one score: first the first is relevant, then the second."""
    assert shown("05-41") == rows(
        ("ranks", "coverage", "one-error", "ranking loss", "average precision"),
        ("worst", "[2. 2.]", "2, 2", "1, 1", "1, 1", "1/2, 1/2"),
        ("best", "[1. 1.]", "1, 1", "0, 0", "0, 0", "1, 1"),
        ("average", "[1.5 1.5]", "3/2, 3/2", "1/2, 1/2", "1/2, 1/2", "2/3, 2/3"),
        ("first", "[1. 2.]", "1, 2", "0, 1", "0, 1", "1, 1/2"),
        ("last", "[2. 1.]", "2, 1", "1, 0", "1, 0", "1/2, 1"),
    )


def test_a_model_that_gives_every_label_one_score_is_worst_perfect_or_half_way():
    """Two of five relevant; all at rank 5: 2/5 read; at rank 3, the second of two: ½(1.5/3 + 1.5/3)."""
    assert shown("05-43") == rows(
        ("ranking loss", "average precision"),
        ("worst", 1, 2 / 5),
        ("average", 1 / 2, 1.5 / 3),
        ("best", 0, 1),
    )
    worst, perfect = (ranking_loss(TRUTH, [[sign * t for t in TRUTH[0]]]) for sign in (-1, 1))
    assert (worst, perfect) == (1, 0)


def test_scikit_learn_gives_ties_to_the_worst_mulan_and_torchmetrics_ranking_loss_to_the_last():
    def holds(y_true, y_score):
        theirs = skm.coverage_error(y_true, y_score), skm.label_ranking_loss(y_true, y_score)
        theirs += (skm.label_ranking_average_precision_score(y_true, y_score),)
        coverage, _, loss, precision = values(y_true, y_score, ties="worst")
        return not some_of_both(y_true) or np.allclose(theirs, (coverage, loss, precision))

    always(holds, ONE_SAMPLE)
    assert {conventions.options("MULAN", metric)["ties"] for metric in FOUR} == {"last"}
    assert conventions.options("torchmetrics", ranking_loss)["ties"] == "last"


# ---------------------------------------------------------------------------- no label, and all


def test_without_a_relevant_label_some_metrics_are_perfect_and_one_error_is_worst():
    """Where all are relevant ranking loss alone needs a convention: no pairs, 0/0."""
    for order in permutations(range(3)):
        assert values([[0, 0, 0]], [order]) == [0, 1, 0, 1]
        assert values([[1, 1, 1]], [order], undefined=7) == [3, 0, 7, 1]
    lines = zip(NAMES, (0, 1, 0, 1), (3, 0, 0, 1), strict=True)
    assert shown("05-46") == rows(("no label relevant", "all relevant"), *lines)


def test_mulan_leaves_samples_without_labels_out_of_average_precision_alone():
    left_out = [m for m in FOUR if np.isnan(conventions.options("MULAN", m)["undefined"])]
    assert left_out == [average_precision]


def test_a_sample_without_labels_counts_as_it_is_told_or_not_at_all():
    """Beside model two's 4, 0, 1/3 and 3/4 it counts 0, 1, 0 and 1."""
    alone = floats(read_off((1, 4), 5))
    lines = [
        (n, (v + empty) / 2, v) for n, v, empty in zip(NAMES, alone, (0, 1, 0, 1), strict=True)
    ]
    assert shown("05-48") == rows(("counted", "left out"), *lines)
    data = [*TRUTH, [0] * 5], [TWO, TWO]
    assert values(*data, undefined=nan) == values(TRUTH, [TWO])
    assert values([[0] * 5], [TWO], undefined=0.25) == [0.25] * 4


# ---------------------------------------------------------------------------- where it misleads


def test_coverage_reads_one_place_and_the_others_more():
    for cell, lists, n_labels in (
        ("05-54", ((1, 5), (4, 5), (1, 2)), 5),
        ("05-57", ((1, 4), (2, 3)), 4),
    ):
        lines = [(str(places), *read_off(places, n_labels)) for places in lists]
        assert shown(cell) == rows(NAMES, *lines)


def contradictions(loss, n_labels):
    """Pairs of lists of one sample, without ties, that this loss and average precision order differently."""
    for n_relevant in range(1, n_labels):
        for a, b in combinations(combinations(range(1, n_labels + 1), n_relevant), 2):
            one, two = read_off(a, n_labels), read_off(b, n_labels)
            if (one[loss] - two[loss]) * (one[3] - two[3]) > 0:
                yield f"{a} or {b}"


def test_coverage_contradicts_average_precision_from_four_labels_on_and_ranking_loss_from_five():
    """Of one sample, without ties and with equally many relevant labels."""
    for loss, least in ((0, 4), (2, 5)):
        found = [n for n in range(2, 8) if any(contradictions(loss, n))]
        assert found == [*range(least, 8)]
    sizes = (0, 3), (0, 4), (2, 4), (2, 5)
    lines = [(NAMES[i], n, "; ".join(contradictions(i, n)) or "–") for i, n in sizes]
    head = ("average precision prefers the first, the loss the second",)
    assert shown("05-56", names=2) == rows(head, *lines, names=2)


def test_average_precision_and_one_error_prefer_model_three_ranking_loss_and_coverage_model_four():
    """The relevant labels stand at 1 and 5, and at 2 and 3."""
    three, four = read_off((1, 5), 5), read_off((2, 3), 5)
    assert [a < b for a, b in zip(three, four, strict=True)] == [False, True, False, False]
    assert [a > b for a, b in zip(three, four, strict=True)] == [True, False, True, True]
    first, second = said("05-59").split("Model four")
    assert "coverage 5, ranking loss 3/6 = 1/2 = 0.5, average precision 7/10" in first
    assert "coverage 3, ranking loss 2/6 = 1/3 ≈ 0.333, average precision 7/12" in second


def test_average_precision_rewards_the_top_and_ranking_loss_counts_each_place_alike():
    *_, losses, precisions = zip(*(read_off((place,), 5) for place in range(1, 6)), strict=True)
    assert {b - a for a, b in pairwise(losses)} == {F(1, 4)}
    assert precisions == (1, F(1, 2), F(1, 3), F(1, 4), F(1, 5))


# ---------------------------------------------------------------------------- the ladder


def test_the_number_to_read_is_ranking_loss():
    """Relevant labels stand at 2 and 4 of four, at 1, 2 and 4, and at 2."""
    losses = [read_off((2, 4), 4)[2], read_off((1, 2, 4), 4)[2], read_off((2,), 4)[2]]
    assert losses == [F(3, 4), F(1, 3), F(1, 3)] and sum(losses) / 3 == F(17, 36)
    assert "Which number is this: 17/36" in said("05-67")
    assert shown("05-67", table=3)["D"] == {"recipe": "ranking loss"}


def test_argsort_says_who_stands_at_each_place_and_not_where_each_stands():
    """For model one both are 3 2 1 5 4; for model two 3 2 5 1 4 and 4 2 1 5 3."""
    assert said("05-76") == "coverage of model one 3\ncoverage of model two 5\n"
    assert said("05-78").splitlines() == [
        "label at each place [3 2 1 5 4]",
        "place of each label [3. 2. 1. 5. 4.] 3.0",
        "label at each place [3 2 5 1 4]",
        "place of each label [4. 2. 1. 5. 3.] 4.0",
    ]


# ---------------------------------------------------------------------------- labels as scores, and a challenge


def test_labels_in_place_of_scores():
    """True are labels 1 and 3, predicted 2 and 3: tied with 2, the third ranks 2, and the first 5."""
    columns = NAMES
    hard = (5, 1, F(4, 6), (F(1, 2) + F(2, 5)) / 2)
    assert shown("05-83") == rows(
        columns,
        ("its scores", 3, 0, F(1, 6), F(5, 6)),
        ("its labels", *hard),
        ("no label", 5, 1, 1, F(2, 5)),
    )


def test_where_all_scores_are_tied_average_precision_is_the_share_of_relevant_labels():
    def is_share(y_true, y_score):
        n_labels, share = y_true.size, y_true.mean()
        tied = values(y_true, y_score * 0)
        depth, error, loss, precision = tied
        if not share:
            return True
        mixed = share == 1 or (error, loss) == (1, 1)
        return depth == n_labels and mixed and isclose(precision, share)

    always(is_share, ((1, 2), (1, 3), (1, 4)))


def lwlrap(y_true, y_score):
    """The mean, over all relevant labels, of the relevant share of the labels that score as much."""
    shares = [
        F(int(truth[score >= own].sum()), int((score >= own).sum()))
        for truth, score in zip(y_true, y_score, strict=True)
        for own in score[truth > 0]
    ]
    return sum(shares) / len(shares)


def test_lwlrap_is_the_mean_over_all_relevant_labels():
    def is_mean(y_true, y_score):
        if not y_true.any():
            return True
        weighted = average_precision(y_true, y_score, sample_weight=y_true.sum(axis=1))
        return isclose(weighted, lwlrap(y_true, y_score))

    always(is_mean)


def test_lwlrap_of_three_sounds():
    """Relevant labels at place 2; at places 1 and 4; none. scikit-learn's issue 13412 has 5/8."""
    one, two = F(1, 2), (F(1, 1) + F(2, 4)) / 2
    assert shown("05-86") == rows(
        ("sound 1", "sound 2", "sound 3", "mean"),
        ("average precision", one, two, 1, "–"),
        ("votes: each sample", 1, 1, 1, (one + two + 1) / 3),
        ("votes: each sample with labels", 1, 1, 0, (one + two) / 2),
        ("votes: LWLRAP", 1, 2, 0, (one + 2 * two) / 3),
    )
    assert (one + 2 * two) / 3 == F(2, 3)
