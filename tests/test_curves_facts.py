"""What notebook 06 says of AP and AUROC, and what its cells show, counted by a pencil."""

from fractions import Fraction as F
from itertools import pairwise, permutations, product
from statistics import mean

import numpy as np
import pytest
import sklearn.metrics as skm
from facts import always, rows, said, shown

from mlm_helpers import curves, ranking

NOTEBOOK = "06_curves"
DOG, DOG_SCORE = [0, 1, 1, 0, 1], [0.71, 0.92, 0.48, 0.15, 0.64]
SEA, SEA_SCORE = [1, 0, 0, 1, 0], [0.88, 0.77, 0.31, 0.22, 0.53]
COLUMNS = {"dog": (DOG, DOG_SCORE), "sea": (SEA, SEA_SCORE)}
LABELS = [*COLUMNS]
SHAPES = ((3, 1), (4, 1), (2, 2))


def precisions(truth, score):
    """The share of positives down to each positive, the highest first; tied samples are there together."""
    found = sorted((s for t, s in zip(truth, score, strict=True) if t), reverse=True)
    return [F(sum(f >= s for f in found), sum(o >= s for o in score)) for s in found]


def ap(truth, score):
    return mean(precisions(truth, score))


def pairs(truth, score):
    """For each positive with each negative: 1 if it scores higher, half for the same."""
    up, down = ([s for t, s in zip(truth, score, strict=True) if t == kind] for kind in (1, 0))
    return [F((u > d) + (u >= d), 2) for u, d in product(up, down)]


def auroc(truth, score):
    return mean(pairs(truth, score))


def rates(truth, score):
    """At each threshold, the highest first: precision, recall and false positive rate."""
    for threshold in sorted({*score}, reverse=True):
        seen = [t for t, s in zip(truth, score, strict=True) if s >= threshold]
        yield F(sum(seen), len(seen)), F(sum(seen), sum(truth)), F(seen.count(0), truth.count(0))


def columns(y_true, y_score):
    """Truth and scores of each label with a positive and a negative."""
    both = zip(y_true.T.tolist(), y_score.T.tolist(), strict=True)
    return [(truth, score) for truth, score in both if 0 < sum(truth) < len(truth)]


def of_columns(holds, shapes=((3, 1), (4, 1))):
    """It holds of every column of the small worlds that has a positive and a negative."""
    always(lambda y_true, y_score: all(holds(*one) for one in columns(y_true, y_score)), shapes)


def value(metric, truth, score, **options):
    return metric([[t] for t in truth], [[s] for s in score], **options)


def near(a, b):
    return np.allclose(np.array(a, dtype=float), np.array(b, dtype=float), rtol=0, atol=1e-12)


# ---------------------------------------------------------------------------- facts


def test_ap_is_the_mean_precision_at_the_positives():
    of_columns(lambda *column: near(value(curves.average_precision, *column), ap(*column)))


def test_auroc_is_the_share_of_pairs_in_the_right_order_and_a_tie_is_half_of_one():
    of_columns(lambda *column: near(value(curves.roc_auc, *column), auroc(*column)))


def test_down_the_list_both_rates_rise_or_stay_while_precision_falls_and_rises():
    def monotone(truth, score):
        return all(a[i] <= b[i] for a, b in pairwise(rates(truth, score)) for i in (1, 2))

    of_columns(monotone)
    moves = np.sign(np.diff([float(precision) for precision, *_ in rates(DOG, DOG_SCORE)]))
    assert {-1, 1} <= {*moves}


def test_auroc_of_all_orders_of_a_list_is_a_half_in_the_mean():
    assert mean(auroc(SEA, order) for order in permutations(range(5))) == F(1, 2)


def test_lrap_ignores_the_level_of_a_row_and_map_that_of_a_column():
    by_row, by_column = np.array([[4], [0]]), np.array([[4, 0]])
    lrap, m_ap = ranking.average_precision, curves.average_precision
    always(
        lambda y_true, y_score: near(lrap(y_true, y_score), lrap(y_true, y_score + by_row)),
        ((2, 2),),
    )
    always(
        lambda y_true, y_score: near(m_ap(y_true, y_score), m_ap(y_true, y_score + by_column)),
        ((2, 2),),
    )
    y_true = np.eye(2)
    assert ranking.average_precision(y_true, y_true + by_column) < 1
    assert curves.average_precision(y_true, y_true + by_row) < 1


def test_under_worst_the_order_of_samples_does_not_matter_and_scikit_learn_agrees():
    def holds(truth, score):
        found = {
            round(value(curves.average_precision, *zip(*order, strict=True)), 12)
            for order in permutations(zip(truth, score, strict=True))
        }
        return len(found) == 1 and near([*found], skm.average_precision_score(truth, score))

    of_columns(holds)


def interpolated(truth, score, levels):
    """The mean, over levels of recall, of the largest precision there or further down."""
    points = list(rates(truth, score))
    return mean(max(p for p, recall, _ in points if recall >= level) for level in levels)


def levels(points, truth):
    """Of recall: each positive's ("all"), or so many evenly spaced from 0 to 1."""
    n = sum(truth)
    return (
        [F(i, n) for i in range(1, n + 1)]
        if points == "all"
        else [F(i, points - 1) for i in range(points)]
    )


def test_a_label_without_positives_has_no_ap_and_no_auroc():
    """By default 0 in macro AP, left out of macro AUROC; scikit-learn counts 0 and returns nan."""
    y_true, y_score = np.array([[0, 1], [0, 0]]), np.array([[0.5, 0.9], [0.1, 0.2]])
    for metric, default in ((curves.average_precision, 0.5), (curves.roc_auc, 1.0)):
        assert np.isnan(metric(y_true, y_score, average=None, undefined=np.nan)[0])
        assert metric(y_true, y_score) == default
        assert metric(y_true, y_score, average="weighted", undefined=0.0) == 1.0
    with pytest.warns(UserWarning, match="No positive class"):
        assert skm.average_precision_score(y_true, y_score) == 0.5
        assert skm.average_precision_score(y_true, y_score, average="weighted") == 1
    with pytest.warns(UserWarning, match="Only one class"):
        assert np.isnan(skm.roc_auc_score(y_true, y_score))
        assert skm.roc_auc_score(y_true, y_score, average="weighted") == 1


def test_areas_under_the_points():
    def areas(truth, score):
        recall, precision = [0], []
        for precise, found, _ in rates(truth, score):
            recall, precision = [*recall, found], [*precision, precise]
        _, up, right = zip((0, 0, 0), *rates(truth, score), strict=True)
        steps = sum(np.diff(recall) * precision)
        return near(steps, ap(truth, score)) and near(np.trapezoid(up, right), auroc(truth, score))

    of_columns(areas)


def test_a_curve_metric_is_a_ranking_metric_of_the_transposed_matrix():
    undefined = {"undefined": np.nan}

    def turned(y_true, y_score):
        sideways = y_true.T, y_score.T
        each = curves.average_precision(y_true, y_score, average=None, **undefined)
        loss = ranking.ranking_loss(*sideways, ties="average", per_sample=True, **undefined)
        same = ranking.average_precision(*sideways, per_sample=True, **undefined)
        areas = curves.roc_auc(y_true, y_score, average=None)
        return np.allclose([each, areas], [same, 1 - loss], equal_nan=True)

    always(turned, SHAPES)


def test_micro_is_one_label_of_all_cells():
    def one_label(y_true, y_score):
        cells = y_true.reshape(-1, 1), y_score.reshape(-1, 1)
        return all(
            np.isclose(m(y_true, y_score, average="micro"), m(*cells), equal_nan=True)
            for m in (curves.average_precision, curves.roc_auc)
        )

    always(one_label, ((2, 2),))


def test_each_negative_at_the_bottom_raises_auroc_and_leaves_ap():
    grown = [([1, 0] + [0] * n, [1, 2] + [0] * n) for n in range(1, 6)]
    areas = [auroc(*one) for one in grown]
    assert areas == sorted({*areas})
    assert {ap(*one) for one in grown} == {F(1, 2)}


# ---------------------------------------------------------------------------- what the cells show


def test_the_photos():
    lines = zip(DOG, DOG_SCORE, SEA, SEA_SCORE, strict=True)
    photos = [(f"photo {number}", *line) for number, line in enumerate(lines, 1)]
    assert shown(NOTEBOOK, "06-03") == rows(("dog", "its score", "sea", "its score 2"), *photos)


def test_the_lists_and_their_precisions():
    wanted = []
    for label, (truth, score) in COLUMNS.items():
        down = [t for _, t in sorted(zip(score, truth, strict=True), reverse=True)]
        shares = precisions(truth, score)
        wanted.append(
            (label, f"[{' '.join(map(str, down))}]", ", ".join(map(str, shares)), mean(shares))
        )
    heads = "from the top", "precision at each positive", "their mean"
    assert shown(NOTEBOOK, "06-09") == rows(heads, *wanted)
    drawn = said(NOTEBOOK, "06-06").split("Dog: ")[1].split("Sea: ")
    for words, column in zip(drawn, COLUMNS.values(), strict=True):
        assert f"average precision {ap(*column)} " in words and f" = {auroc(*column)} " in words


def test_every_threshold_of_the_dog():
    cells = shown(NOTEBOOK, "06-12")
    thresholds = sorted(DOG_SCORE, reverse=True)
    for threshold, found in zip(thresholds, rates(DOG, DOG_SCORE), strict=True):
        seen = [t for t, s in zip(DOG, DOG_SCORE, strict=True) if s >= threshold]
        line = f"[{' '.join(map(str, seen))}]", *map(str, found)
        heads = "shown, by number", "precision", "recall", "false positive rate"
        assert cells[f"{threshold:.2f}"] == dict(zip(heads, line, strict=True))


def test_each_step_of_the_dog_and_the_explorer_of_both():
    """Precision 1, 2/3 and 3/4 at the three dogs; at 0.48 a dog is below one half."""
    assert said(NOTEBOOK, "06-23").endswith("29/36 ≈ 0.806")
    assert "score of label dog" in said(NOTEBOOK, "06-23")
    photo = shown(NOTEBOOK, "06-explore")["photo 3"]
    assert photo == {"dog": "○ miss", "sea": "rightly left out"}


def test_the_pairs():
    lines = [(name, sum(pairs(*c)), len(pairs(*c)), auroc(*c)) for name, c in COLUMNS.items()]
    heads = "pairs in the right order", "pairs", "AUROC"
    assert shown(NOTEBOOK, "06-17") == rows(heads, *lines)


@pytest.mark.parametrize(("cell", "label"), [("06-14", "dog"), ("06-54", "sea")])
def test_the_curves_are_drawn_of_these_pairs_and_precisions(cell, label):
    truth, score = COLUMNS[label]
    words = said(NOTEBOOK, cell)
    photos = {n: (t, s) for n, (t, s) in enumerate(zip(truth, score, strict=True), 1)}
    for (n, (t, s)), (m, (u, r)) in permutations(photos.items(), 2):
        if t and not u:
            assert f"photo {n} {'above' if s > r else 'below'} photo {m}" in words
    assert f"average precision {ap(truth, score)} " in words
    assert f"{auroc(truth, score)} {'≈' if label == 'dog' else '='}" in words


def test_helper_scikit_learn_and_the_transposed_matrix():
    by_hand = {
        name: [float(read(*c)) for c in COLUMNS.values()]
        for name, read in (("AP", ap), ("AUROC", auroc))
    }
    lines = [
        (f"{name}, {who}", *line)
        for name, line in by_hand.items()
        for who in ("helper", "scikit-learn")
    ]
    assert shown(NOTEBOOK, "06-21") == rows(LABELS, *lines)
    turned = ("average precision", *by_hand["AP"]), ("1 − ranking loss", *by_hand["AUROC"])
    assert shown(NOTEBOOK, "06-25") == rows(LABELS, *turned)


def test_the_averages():
    lines = []
    for read in (ap, auroc):
        each = [read(*column) for column in COLUMNS.values()]
        micro = read(DOG + SEA, DOG_SCORE + SEA_SCORE)
        lines.append([mean(each), micro, (3 * each[0] + 2 * each[1]) / 5])
    wanted = [
        (name, *map(float, both), *map(float, both))
        for name, *both in zip(("macro", "micro", "weighted"), *lines, strict=True)
    ]
    assert shown(NOTEBOOK, "06-28") == rows(
        ("AP", "AUROC", "scikit-learn's AP", "its AUROC"), *wanted
    )


def lrap(*columns):
    """Along each photo's row: every photo has one of the two labels."""
    lines = zip(*[zip(*column, strict=True) for column in columns], strict=True)
    return mean(ap(*zip(*line, strict=True)) for line in lines)


def test_map_and_lrap_of_two_models():
    m_ap = float(mean(ap(*column) for column in COLUMNS.values()))
    lines = (
        ("mAP: down each column", m_ap),
        ("LRAP: along each row", float(lrap(*COLUMNS.values()))),
    )
    assert shown(NOTEBOOK, "06-31") == rows(("average precision",), *lines)
    another = (DOG, [0.2, 0.6, 0.4, 0.1, 0.5]), (SEA, [0.9, 0.7, 0.65, 0.8, 0.75])
    both = [("our model", m_ap, float(lrap(*COLUMNS.values())))]
    both.append(("another", float(mean(ap(*column) for column in another)), float(lrap(*another))))
    assert shown(NOTEBOOK, "06-66") == rows(("mAP", "LRAP"), *both)


def test_ties():
    """ "worst": 1/2; the positive first or second; of 0, then 1, 1, 0: (1/2 + 2/3)/2 or (1/3 + 2/4)/2."""
    lines = [
        ('AP, "worst"', F(1, 2), F(1, 2), F(2, 4)),
        ('AP, "first"', 1, F(1, 2), (F(1, 2) + F(2, 3)) / 2),
        ('AP, "last"', F(1, 2), 1, (F(1, 3) + F(2, 4)) / 2),
        ("AUROC", F(1, 2), F(1, 2), auroc([0, 1, 1, 0], [9, 5, 5, 5])),
    ]
    heads = "1, 0 tied", "0, 1 tied", "0, then 1, 1, 0 tied"
    assert shown(NOTEBOOK, "06-34") == rows(heads, *lines)


def test_interpolation_of_the_contests():
    """VOC 2010 reads at each positive, VOC 2007 at 11 levels of recall, COCO at 101."""
    ways = {"steps": None, "VOC 2010": "all", "VOC 2007": 11, "COCO": 101}
    lines = [
        (
            way,
            str(p),
            *(float(interpolated(*c, levels(p, c[0])) if p else ap(*c)) for c in COLUMNS.values()),
        )
        for way, p in ways.items()
    ]
    straight = []
    for column in COLUMNS.values():
        points = [(1, 0, 0), *rates(*column)]
        straight.append(float(sum((b[1] - a[1]) * (a[0] + b[0]) / 2 for a, b in pairwise(points))))
    wanted = rows(("interpolation", *LABELS), *lines, ("straight lines", "–", *straight))
    assert shown(NOTEBOOK, "06-37") == wanted


def test_the_absent_cat_counts_0_or_is_left_out():
    lines = []
    for name, read in (("AP", ap), ("AUROC", auroc)):
        each = [read(*column) for column in COLUMNS.values()]
        lines.append((name, float(sum(each) / 3), float(sum(each) / 2)))
    assert shown(NOTEBOOK, "06-40") == rows(("cat counts 0", "cat is left out"), *lines)


def test_the_rare_dog():
    lines = [(n, float(F(n - 10, n - 1)), 0.1) for n in (20, 100, 1000)]
    assert shown(NOTEBOOK, "06-43") == rows(("AUROC", "AP"), *lines)


def test_the_mean_of_batches_is_not_the_whole():
    first, second = ap(DOG[:3], DOG_SCORE[:3]), ap(DOG[3:], DOG_SCORE[3:])
    values = first, second, (first + second) / 2, ap(DOG, DOG_SCORE)
    names = "photos 1 to 3", "photos 4 and 5", "mean of the two", "all five"
    lines = [(name, float(found)) for name, found in zip(names, values, strict=True)]
    assert shown(NOTEBOOK, "06-46") == rows(("",), *lines)


def test_cut_scores_tie_half_of_the_pairs():
    lines, areas = [], []
    for name, (truth, score) in COLUMNS.items():
        cut = [int(s >= 0.5) for s in score]
        areas.append(auroc(truth, cut))
        lines.append(f"{name} pairs tied {pairs(truth, cut).count(F(1, 2))} of 6")
    assert said(NOTEBOOK, "06-62") == f"macro AUROC {float(mean(areas)):.1f}\n"
    lines.append(f"macro AUROC {float(mean(auroc(*c) for c in COLUMNS.values())):.3f}")
    assert said(NOTEBOOK, "06-64").splitlines() == lines


# ---------------------------------------------------------------------------- chance, labels as scores, a challenge


def test_ap_by_chance():
    columns = ("share", "AP, all tied", "AUROC, all tied", "AP, mean of all orders")
    lines = []
    for positives, n in ((3, 5), (1, 5), (1, 20), (1, 1000)):
        share, harmonic = F(positives, n), sum(F(1, place) for place in range(1, n + 1)) / n
        rest = F(positives - 1, n - 1) * (1 - harmonic)  # the others stand anywhere above
        found = (float(share), float(share), 0.5, float(harmonic + rest))
        lines.append((f"{positives} of {n}", *found))
    assert shown(NOTEBOOK, "06-69") == rows(columns, *lines)


def test_a_constant_score_has_the_share_of_positives_as_ap():
    def is_share(y_true, y_score):
        tied = y_score * 0
        found = curves.average_precision(y_true, tied), curves.roc_auc(y_true, tied, undefined=0.5)
        theirs = skm.average_precision_score(y_true, tied) if y_true.any() else 0
        return np.allclose([*found, theirs], [y_true.mean(), 0.5, y_true.mean()])

    always(is_share, ((3, 1), (4, 1)))


def test_the_mean_ap_of_all_orders_is_never_below_the_share_of_positives():
    for n in range(1, 7):
        for positives in range(1, n + 1):
            truth = [int(i < positives) for i in range(n)]
            mean_ap = mean(ap(order, range(n, 0, -1)) for order in set(permutations(truth)))
            assert mean_ap > F(positives, n) or positives == n


def test_ap_of_labels():
    cut = [int(score >= 0.5) for score in DOG_SCORE]
    assert ap(DOG, cut) == F(2, 3) * F(2, 3) + F(1, 3) * F(3, 5) == F(29, 45)
    told = said(NOTEBOOK, "06-72")
    assert "precision 2/3 recall 2/3 share of positives 3/5" in told
    assert told.count("29/45") == 2


def test_ap_of_labels_is_made_of_precision_recall_and_the_share_of_positives():
    def is_made(y_true, y_pred):
        if not y_true.any():
            return True
        hits = (y_true & y_pred).sum()
        recall, precision = hits / y_true.sum(), hits / max(y_pred.sum(), 1)
        made = recall * precision + (1 - recall) * y_true.mean()
        return np.isclose(curves.average_precision(y_true, y_pred), made)

    always(is_made, ((3, 1), (4, 1)))


def test_padded():
    """The robin is the last of four: 5 places are right, then the sixth hit has place 9."""
    robin = (5 + F(6, 9)) / 6
    assert shown(NOTEBOOK, "06-75") == rows(
        ("robin, ranked last", "wren, never there", "mAP"),
        ("plain", F(1, 4), 0, F(1, 8)),
        ("padded", robin, 1, (robin + 1) / 2),
    )
    assert (robin, (robin + 1) / 2) == (F(17, 18), F(35, 36))


def test_padding_adds_five_to_every_place():
    """AP is (5 + the sum of (5 + rank among positives) / (5 + rank)) / (5 + positives)."""

    def is_so(y_true, y_score):
        truth, score = y_true.ravel(), y_score.ravel() / 9  # below 1, the score of the padding
        places = [
            (5 + (truth[score >= s]).sum()) / (5 + (score >= s).sum()) for s in score[truth > 0]
        ]
        padded = np.append(truth, [1] * 5)[:, None], np.append(score, [1] * 5)[:, None]
        expected = (5 + sum(places)) / (5 + truth.sum())
        theirs = skm.average_precision_score(*padded)
        return np.allclose([theirs, curves.average_precision(*padded)], expected)

    always(is_so, ((3, 1), (4, 1)))
