"""What notebook 10 says of cuts, and what its cells show: by a pencil, and by trying every cut."""

from fractions import Fraction as F
from functools import cache, partial
from itertools import pairwise, product
from math import exp

import numpy as np
from facts import always, decimal, rows, said, shown
from plain import MODELS, at, best_cut, best_cuts, halves, macro_f1, micro_f1, samples_f1
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier

from mlm_course import emoji
from mlm_helpers import label_based, thresholds
from tools import emoji_scores

NOTEBOOK = "10_thresholds"
LABELS = ["dog", "sea", "sun"]
PHOTOS = ["photo one", "photo two", "photo three", "photo four"]
TRUE = np.array([[1, 1, 0], [0, 1, 0], [0, 0, 0], [1, 0, 1]])
SCORES = np.array([[0.9, 0.6, 0.3], [0.2, 0.48, 0.5], [0.4, 0.3, 0.1], [0.7, 0.2, 0.35]])
F1S = {"samples F1": samples_f1, "micro F1": micro_f1, "macro F1": macro_f1}
JUDGES = F1S | {
    "Hamming loss ↓": lambda t, p: float((t != p).mean()),
    "subset accuracy": lambda t, p: float((t == p).all(axis=1).mean()),
}
RULES = {
    "threshold 0.5": at(SCORES, 0.5),
    "threshold 0.35": at(SCORES, 0.35),
    "top 1": np.eye(3, dtype=int)[SCORES.argmax(axis=1)],
    "share": np.array([[1, 1, 0], [0, 1, 1], [0, 0, 0], [1, 0, 0]]),  # two dogs, two seas, one sun
}


def names(row):
    return ", ".join(label for label, there in zip(LABELS, row, strict=True) if there) or "no tag"


def judged(name, y_true, y_pred, judges=JUDGES):
    return name, *(judge(y_true, y_pred) for judge in judges.values())


# ---------------------------------------------------------------------------- facts


def test_between_two_neighbouring_scores_all_cuts_make_the_same_sets():
    def holds(y_true, y_score):
        return all(
            (thresholds.at(y_score, (low + high) / 2) == thresholds.at(y_score, high)).all()
            for low, high in pairwise(np.unique(y_score))
        )

    always(holds)


def test_one_more_cell_raises_f1_while_its_chance_is_above_half_of_it():
    """In expected counts, of every four calibrated cells: the best sets are those above half the best F1."""
    for cells in product((F(1, 10), F(3, 10), F(6, 10), F(9, 10)), repeat=4):
        falling, true = sorted(cells, reverse=True), sum(cells)
        f1 = [2 * sum(falling[:n]) / (n + true) for n in range(5)]
        for n, chance in enumerate(falling):
            assert (f1[n + 1] > f1[n]) == (2 * chance > f1[n])
        best = f1.index(max(f1))
        assert all(2 * chance > max(f1) for chance in falling[:best])
        assert not any(2 * chance > max(f1) for chance in falling[best:])
        assert max(f1) <= 1
    true, score = np.array([[1] * 9 + [0] * 10 + [1]]).T, np.repeat([[0.9], [0.1]], 10, axis=0)
    tuned = thresholds.tune(partial(label_based.f1, average="micro"), true, score)
    assert tuned == 0.9 > 0.5 and (at(score, tuned) == at(score, 0.9 / 2)).all()


def expected(metric, worlds, chosen):
    return sum(
        chance * metric(np.array(truth), np.array(chosen)) for truth, chance in worlds.items()
    )


def one_f1(truth, chosen):
    return F(2 * int((truth & chosen).sum()), max(1, int(truth.sum() + chosen.sum())))


WANTED = {
    "samples F1": one_f1,
    "samples F1, agree": lambda t, c: F(1) if not t.any() and not c.any() else one_f1(t, c),
    "Hamming loss ↓": lambda t, c: F(int((t != c).sum()), len(t)),
    "subset accuracy": lambda t, c: F(int((t == c).all())),
}
ODDS = {0: F(3, 5), 1: F(2, 5)}
TWO = {truth: ODDS[truth[0]] * ODDS[truth[1]] for truth in product((0, 1), repeat=2)}
THREE = {(1, 0, 0): F(1, 3), (0, 1, 0): F(1, 3), (0, 0, 1): F(1, 3)}
SETS = {
    "08-37": (TWO, {"nothing": (0, 0), "one": (1, 0), "both": (1, 1)}),
    "08-38": (THREE, {"nothing": (0,) * 3, "one": (1, 0, 0), "two": (1, 1, 0), "all": (1,) * 3}),
}


def test_what_is_best_to_predict_depends_on_the_metric():
    """Of all sets, not of those in the table alone: F1 wants all, Hamming loss none, subset accuracy one."""
    found = {}
    for name, metric in WANTED.items():
        sign = -1 if "↓" in name else 1
        for odds in (TWO, THREE):
            every = product((0, 1), repeat=len(next(iter(odds))))
            best = max(every, key=lambda one, m=metric, o=odds, s=sign: s * expected(m, o, one))
            found.setdefault(name, []).append(sum(best))
    assert list(found.values()) == [[2, 3], [2, 3], [0, 0], [0, 1]]


def test_scikit_learns_one_vs_rest_asks_for_more_than_one_half():
    """Two points of one place, one of them true, have a chance of exactly one half."""
    points, truth = np.zeros((2, 1)), np.array([[1, 0], [0, 1]])
    model = OneVsRestClassifier(LogisticRegression()).fit(points, truth)
    assert np.all(model.predict_proba(points) == 0.5)
    assert not model.predict(points).any()


def test_one_vs_rest_ignores_a_threshold_inside_it_and_multi_output_does_not():
    points, truth = np.arange(10)[:, None], (np.arange(10)[:, None] > [4, 7]).astype(int)
    high = FixedThresholdClassifier(LogisticRegression(), threshold=0.999)
    models = (
        OneVsRestClassifier(LogisticRegression()),
        OneVsRestClassifier(high),
        MultiOutputClassifier(high),
    )
    plain, one, multi = (model.fit(points, truth).predict(points) for model in models)
    assert (one == plain).all() and plain.any() and not multi.any()


# ---------------------------------------------------------------------------- the four photos


def test_the_photos_and_three_rules():
    lines = zip(PHOTOS, map(names, TRUE), *SCORES.T.tolist(), strict=True)
    assert shown(NOTEBOOK, "08-03") == rows(("true tags", *LABELS), *lines)
    lines = [(rule, *map(names, sets)) for rule, sets in RULES.items()]
    assert shown(NOTEBOOK, "08-06") == rows(PHOTOS, *lines)
    drawn = said(NOTEBOOK, "08-07")  # at 0.35: of photo two 0.48 and 0.5, of photo three 0.4
    assert "hit sea, false alarm sun, 2/3; photo three: false alarm dog, 0/1" in drawn


def test_the_rules_are_judged():
    lines = [judged(rule, TRUE, sets) for rule, sets in RULES.items()]
    assert shown(NOTEBOOK, "08-08") == rows(JUDGES, *lines)


def test_at_least_the_cut_or_more():
    lines = judged("≥ 0.5", TRUE, SCORES >= 0.5), judged("> 0.5", TRUE, SCORES > 0.5)
    assert shown(NOTEBOOK, "08-12") == rows(JUDGES, *lines)
    assert shown(NOTEBOOK, "08-10")["photo two"] == {  # sea is true with 0.48, sun is not with 0.5
        "dog": "rightly left out", "sea": "○ miss", "sun": "✗ false alarm",
    }  # fmt: skip


def test_torchmetrics_on_paper():
    """One of two true labels is found, with one alarm more or without."""
    both = [0.4 > 0.5, 0.1 > 0.5, 1 / (1 + exp(-0.4)) > 0.5, 1 / (1 + exp(-2.0)) > 0.5]
    squashed = [1 / (1 + exp(-score)) > 0.5 for score in (0.4, 0.1, 0.4, 2.0)]
    truth = np.array([1, 0, 1, 0])
    lines = [
        (name, micro_f1(truth, np.array(calls)))
        for name, calls in (("two calls", both), ("one call", squashed))
    ]
    assert shown(NOTEBOOK, "08-15") == rows(("micro F1",), *lines)


def test_every_cut_and_the_best():
    cuts = [1.0, *np.unique(SCORES)[::-1].tolist()]
    lines = [(str(cut), samples_f1(TRUE, at(SCORES, cut))) for cut in cuts]
    assert shown(NOTEBOOK, "08-20") == rows(("samples F1",), *lines)
    lines = []
    for name, judge in JUDGES.items():
        cut = best_cut(
            lambda t, p, j=judge, n=name: -j(t, p) if "↓" in n else j(t, p), TRUE, SCORES
        )
        lines.append((name, float(cut), judge(TRUE, at(SCORES, cut))))
        assert judge(TRUE, at(SCORES, cut)) == judge(TRUE, at(SCORES, 0.35))
    each = best_cuts(TRUE, SCORES)
    lines.append(
        (
            "macro F1, a threshold per label",
            " ".join(map(str, each.tolist())),
            macro_f1(TRUE, at(SCORES, each)),
        )
    )
    assert shown(NOTEBOOK, "08-21") == rows(("best threshold", "value there"), *lines)


def test_what_is_best_to_predict():
    for cell, (odds, sets) in SETS.items():
        lines = [
            (name, *(expected(m, odds, one) for m in WANTED.values())) for name, one in sets.items()
        ]
        assert shown(NOTEBOOK, cell) == rows(WANTED, *lines)


def test_the_ladder_by_a_pencil():
    """A logit of a half is a score of 0.622; saying everything of a tenth: 2·(1/10) ÷ (1 + 1/10)."""
    found = micro_f1(TRUE, at(SCORES, 1 / (1 + exp(-0.5))))
    assert said(NOTEBOOK, "08-46") == f"micro F1 at 0.5: {found:.3f}\n"
    found = micro_f1(TRUE, RULES["threshold 0.5"])
    assert (
        said(NOTEBOOK, "08-48")
        == f"0.5 as a score: {1 / (1 + exp(-0.5)):.3f}\nmicro F1 at 0: {found:.3f}\n"
    )
    assert said(NOTEBOOK, "08-52").endswith(f" {2 * F(1, 10) / (1 + F(1, 10))}\n")


# ---------------------------------------------------------------------------- the emoji


@cache
def paid(model):
    """Macro F1: at the habit; one threshold, then a threshold per label, promised and paid; tuned on the test."""
    (y_tune, tune), (y_test, test) = halves()
    one, each = best_cut(macro_f1, y_tune, tune[model]), best_cuts(y_tune, tune[model])
    halved = [(y_tune, tune[model]), (y_test, test[model])]
    row = [macro_f1(y_test, at(test[model], 0.5))]
    row += [macro_f1(y, at(score, cut)) for cut in (one, each) for y, score in halved]
    leak = macro_f1(y_test, at(test[model], best_cuts(y_test, test[model])))
    return [*row, leak, leak - row[-1]]


def test_the_sweep():
    (y_tune, tune), _ = halves()
    cuts = [round(0.05 * i, 2) for i in range(1, 13)]
    for name, judge in F1S.items():
        values = [judge(y_tune, at(tune["trees"], cut)) for cut in cuts]
        assert f"{name} {' '.join(map(decimal, values))}" in said(NOTEBOOK, "08-24")
        assert cuts[int(np.argmax(values))] <= 0.2
    a, b = (micro_f1(y_tune, at(tune["trees"], cut)) for cut in (0.2, 0.5))
    found = f"at 0.2: {a:.3f}, at 0.5: {b:.3f}, lower by {a - b:.3f}\n"
    assert said(NOTEBOOK, "08-41") == found


def test_tuned_on_one_half_and_judged_on_the_other():
    heads = (
        "at 0.5",
        "one threshold: validation",
        "one: test",
        "a threshold per label: validation",
        "per label: test",
    )
    lines = [(model, *paid(model)) for model in MODELS]
    assert shown(NOTEBOOK, "08-26") == rows((*heads, "tuned on test", "the leak"), *lines)


def test_a_threshold_per_label_is_better_where_it_was_tuned():
    _, one, one_paid, each, each_paid, _, leak = zip(*map(paid, MODELS), strict=True)
    assert all(b >= a - 0.001 for a, b in zip(one, one_paid, strict=True))
    assert all(a < b for a, b in zip(one, each, strict=True))
    assert all(a > b for a, b in zip(each, each_paid, strict=True))
    assert 0 < each_paid[1] - one_paid[1] < 0.01 and each_paid[2] < one_paid[2]
    assert min(leak) > 0 and max(leak) == leak[2] < one_paid[1] - one_paid[0]
    (y_tune, _), _ = halves()
    assert y_tune.sum(axis=0).min() == 6


def test_one_tuned_threshold_of_the_neighbours_is_worse_than_a_half_on_the_first_split_alone():
    better = []
    for (y_tune, tune), (y_test, test) in map(halves, range(5)):
        one = best_cut(macro_f1, y_tune, tune["neighbours"])
        tuned, half = (macro_f1(y_test, at(test["neighbours"], cut)) for cut in (one, 0.5))
        better.append(bool(tuned > half))
    assert better == [False, True, True, True, True]


def test_the_other_rules_of_the_trees():
    (y_tune, tune), (y_test, test) = halves()
    trees, ordered = test["trees"], np.argsort(-test["trees"], axis=1, kind="stable")
    top = [np.eye(104, dtype=int)[ordered[:, :k]].sum(axis=1) for k in (1, 2)]
    share = np.zeros_like(y_test)
    for j, part in enumerate(y_tune.mean(axis=0)):
        share[np.argsort(-trees[:, j], kind="stable")[: int(part * len(share) + 0.5)], j] = 1
    sets = {
        "threshold for micro F1": at(trees, best_cut(micro_f1, y_tune, tune["trees"])),
        "share of each label in validation": share,
        "top 1": top[0],
        "top 2": top[1],
    }
    lines = [judged(name, y_test, one, F1S) for name, one in sets.items()]
    assert shown(NOTEBOOK, "08-28") == rows(F1S, *lines)
    assert all(one.any(axis=1).all() for one in top) and not share.any(axis=1).all()


def test_half_the_best_f1():
    rng, lines = np.random.default_rng(0), []
    for name, a, b in (("few sure", 1, 9), ("many sure", 0.5, 0.5), ("all alike", 90, 810)):
        chance = rng.beta(a, b, size=(100_000, 1)).round(4)
        true = (rng.random(chance.shape) < chance).astype(int)
        cuts, counts = np.unique(chance, return_counts=True)
        hits = np.bincount(np.searchsorted(cuts, chance[:, 0]), true[:, 0])
        f1 = 2 * hits[::-1].cumsum() / (counts[::-1].cumsum() + true.sum())
        best = float(f1.max())
        habit = micro_f1(true, at(chance, 0.5))
        lines.append(
            (name, float(true.mean()), best, best / 2, float(cuts[::-1][f1.argmax()]), habit)
        )
    heads = "true", "best F1", "its half", "best threshold", "F1 at 0.5"
    assert shown(NOTEBOOK, "08-31") == rows(heads, *lines)


def test_real_scores_are_not_calibrated():
    y, scores, lines = emoji.load().y, emoji.scores(), []
    for model in MODELS:
        cut = best_cut(micro_f1, y, scores[model])
        best = micro_f1(y, at(scores[model], cut))
        lines.append((model, best, best / 2, float(cut), float(scores[model].sum() / y.sum())))
    heads = "best micro F1", "its half", "best threshold", "sum of scores ÷ positives"
    assert shown(NOTEBOOK, "08-33") == rows(heads, *lines)
    third = y[np.abs(scores["neighbours"] - 1 / 3) < 0.01].mean()
    assert said(NOTEBOOK, "08-34").endswith(f" {third:.3f}\n") and third < lines[0][2]
    told = emoji_scores.MODELS["linear"]().get_params().items()
    assert [value for name, value in told if name.endswith("class_weight")] == ["balanced"]


def test_two_habits_or_two_models():
    (y_tune, tune), (y_test, test) = halves()
    lines = []
    for model in ("neighbours", "trees"):
        cuts = 0.5, best_cut(micro_f1, y_tune, tune[model])
        lines.append((model, *(micro_f1(y_test, at(test[model], cut)) for cut in cuts)))
    assert shown(NOTEBOOK, "08-50") == rows(
        ("at 0.5", "at a threshold tuned on validation"), *lines
    )


def test_a_threshold_per_label_loses_most_on_the_rarer_half_of_the_labels():
    (y_tune, tune), (y_test, test) = halves()
    cuts = best_cuts(y_tune, tune["trees"])
    both = [(y_tune, tune["trees"]), (y_test, test["trees"])]
    promised, kept = ([micro_f1(*c) for c in zip(y.T, at(s, cuts).T, strict=True)] for y, s in both)
    broken = np.subtract(promised, kept)  # the most frequent label is first
    assert broken[52:].mean() > broken[:52].mean() > 0


# ---------------------------------------------------------------------------- F-max


def f_of_means(y_true, y_pred, divide):
    """The harmonic mean of mean precision and mean recall, by plain counts."""
    some, hits = y_pred.any(axis=1), (y_true & y_pred).sum(axis=1)
    precisions = hits / np.maximum(y_pred.sum(axis=1), 1)
    recalls = hits / np.maximum(y_true.sum(axis=1), 1)
    p = (precisions if divide == "gt" else precisions[some]).mean()
    r = (recalls[some] if divide == "pred" else recalls).mean()
    return 2 * p * r / (p + r) if p + r else 0.0


def test_f_max_of_two_proteins():
    """At 0.2 precision is 1 and 1/2, recall 1 and 1/2; from 0.5 on the second protein has no prediction."""
    cells = {"cafa": [F(2, 3), F(3, 4), F(1, 2), F(2, 3)], "pred": [F(2, 3), F(3, 4), F(1, 2), 1]}
    cells["gt"] = [F(2, 3), F(3, 4), F(1, 2), F(1, 2)]
    table = shown(NOTEBOOK, "08-61")
    y_true, score = np.array([[1, 0, 0], [1, 1, 0]]), np.array([[0.9, 0.1, 0.1], [0.1, 0.2, 0.3]])
    for divide, values in cells.items():
        heads = "at 0.1", "at 0.2", "at 0.3", "at 0.5", "F-max"
        row = dict(zip(heads, map(str, (*values, max(values))), strict=True))
        assert row.items() <= table[divide].items()
        for cut, value in zip((0.1, 0.2, 0.3, 0.5), values, strict=True):
            said_there = (score >= cut).astype(int)
            assert abs(f_of_means(y_true, said_there, divide) - value) < 1e-9


def test_f_by_pred_is_never_below_cafa_nor_that_below_gt():
    def is_ordered(y_true, y_pred):
        if not y_true.any(axis=1).all() or not y_pred.any():
            return True
        pred, cafa, gt = (f_of_means(y_true, y_pred, divide) for divide in ("pred", "cafa", "gt"))
        return pred >= cafa - 1e-12 and cafa >= gt - 1e-12

    always(is_ordered)


def test_f_max_against_a_threshold_of_other_data():
    (y_tune, tune), (y_test, test) = halves()
    table = shown(NOTEBOOK, "08-63")
    for model in MODELS:
        top = min(tune[model].max(), test[model].max())
        cuts = [cut for cut in np.arange(1, 100) / 100 if cut <= top]
        on_tune, on_test = (
            [f_of_means(y, at(score[model], cut), "cafa") for cut in cuts]
            for y, score in ((y_tune, tune), (y_test, test))
        )
        best = int(np.argmax(on_tune))
        texts = (f"{cuts[best]:g}", decimal(float(on_test[best])), decimal(float(max(on_test))))
        heads = "threshold of the validation half", "F at it", "F-max"
        assert table[model] == dict(zip(heads, texts, strict=True))
        assert max(on_test) >= on_test[best]


# ---------------------------------------------------------------------------- a condition, and few positives


def share(hits, whole):
    return hits / whole if whole else 0


def precision_and_recall(y_true, y_pred):
    hits = (y_true * y_pred).sum()
    return share(hits, y_pred.sum()), share(hits, y_true.sum())


def test_recall_at_a_precision():
    (y_tune, tune), (y_test, test) = halves()
    lines = []
    for model in ("neighbours", "trees"):
        cuts = np.unique(tune[model])[::-1]
        found = [(cut, *precision_and_recall(y_tune, at(tune[model], cut))) for cut in cuts]
        best = max(recall for _, precision, recall in found if precision >= 0.6)
        cut = next(cut for cut, precision, recall in found if precision >= 0.6 and recall == best)
        for half, y_true, score in (("validation", y_tune, tune), ("test", y_test, test)):
            values = map(float, precision_and_recall(y_true, at(score[model], cut)))
            lines.append((model, half, float(cut), *values))
    columns = "threshold", "micro precision", "micro recall"
    assert shown(NOTEBOOK, "08-71", names=2) == rows(columns, *lines, names=2)
    scores = tune["linear"]
    assert all(precision_and_recall(y_tune, at(scores, c))[0] < 0.6 for c in np.unique(scores))
    assert said(NOTEBOOK, "08-72").endswith(
        "precision of at least 0.6, which no threshold reaches\n"
    )


def test_a_condition_holds_where_the_cut_was_tuned():
    precision, recall = (
        partial(metric, average="micro") for metric in (label_based.precision, label_based.recall)
    )

    def holds(y_true, y_score):
        found = {
            c: precision_and_recall(y_true, at(y_score, c)) for c in (np.inf, *np.unique(y_score))
        }
        kept = {cut: values[1] for cut, values in found.items() if values[0] >= 0.5}
        try:
            cut = thresholds.tune(recall, y_true, y_score, reaching=(precision, 0.5))
        except ValueError:
            return not kept
        return kept[cut] == max(kept.values())

    always(holds)


def test_own_cuts_pay_from_about_ten_positives_on():
    """Drawn anew with other seeds: the signs are those of the table, and the sizes nearly."""
    (y_tune, tune), (y_test, test) = halves()
    tune, test = tune["trees"], test["trees"]
    one = best_cut(macro_f1, y_tune, tune)
    positives = y_tune.sum(axis=0)
    rng, table = np.random.default_rng(7), shown(NOTEBOOK, "08-75")
    for kept in (3, 6, 12, 25):
        gains = []
        for j in [j for j, n in enumerate(positives) if n >= 25] * 20:
            truth = y_tune[:, j]
            negatives = np.flatnonzero(truth == 0)
            others = round(kept * len(negatives) / positives[j])
            some = [
                *rng.permutation(np.flatnonzero(truth))[:kept],
                *rng.permutation(negatives)[:others],
            ]
            own = best_cut(micro_f1, truth[some], tune[some, j])
            gains.append(
                micro_f1(y_test[:, j], at(test[:, j], own))
                - micro_f1(y_test[:, j], at(test[:, j], one))
            )
        drawn = float(table[str(kept)]["F1 at its own threshold − at the one threshold"])
        assert (drawn > 0) == (np.mean(gains) > 0) == (kept > 10)
        assert abs(drawn - np.mean(gains)) < 0.015


def test_cuts_between_the_label_s_own_and_the_one_for_all():
    (y_tune, tune), (y_test, test) = halves()
    weight = y_tune.sum(axis=0) / (y_tune.sum(axis=0) + 10)
    lines = []
    for model in MODELS:
        one, each = best_cut(macro_f1, y_tune, tune[model]), best_cuts(y_tune, tune[model])
        cuts = one, each, weight * each + (1 - weight) * one
        lines.append((model, *(macro_f1(y_test, at(test[model], cut)) for cut in cuts)))
    columns = "one threshold", "a threshold per label", "the way between"
    assert shown(NOTEBOOK, "08-77") == rows(columns, *lines)
