"""Notebook 09 of data that one may invent: disagreements, changes, inequalities, bills, the guide."""

import re
from collections import defaultdict
from itertools import combinations

import numpy as np
import worlds

from claims import always, claim, sometimes
from claims.choosing_a_metric import family, hits, micro, mistakes, of_scores, rises
from mlm_helpers import (
    catalogue,
    curves,
    disagreement,
    example_based,
    inequalities,
    invariance,
    label_based,
    top_k,
)
from mlm_helpers.course import figures
from mlm_helpers.exact_match import subset_accuracy
from mlm_helpers.hamming import hamming_loss
from mlm_helpers.ranking import average_precision, coverage, one_error, ranking_loss

# ------------------------------------------------------------------ which metrics can disagree


def clash(a, b, shape):
    """Whether some truth of a shape has two predictions that two metrics put in opposite order."""
    seen = defaultdict(list)
    for y_true, y_pred in worlds.pairs(*shape, False):
        seen[str(y_true)].append((a(y_true, y_pred), b(y_true, y_pred)))
    sign = [1 if catalogue.of(metric).higher_is_better else -1 for metric in (a, b)]
    return any(
        np.prod(np.sign(np.round(np.subtract(one, two), 9)) * sign) < 0
        for values in seen.values()
        for one, two in combinations(values, 2)
    )


@claim(
    "For every pair of metrics (without top k) we search all data of up to two samples and three"
    " labels, smallest first, for a truth and two predictions that they put in opposite order."
)
def _(metrics, found):
    cases = [case for case in found.values() if case]
    opposed = all(" ".join(case.verdicts).count("prefers the first") == 1 for case in cases)
    largest = np.max([np.shape(case.y_true) for case in cases], axis=0).tolist() == [2, 3]
    smallest = all(
        clash(metrics[a], metrics[b], shape) == (shape == np.shape(found[a, b].y_true))
        for a, b in [("samples precision", "Hamming loss"), ("subset accuracy", "micro recall")]
        for shape in [(1, 1), (1, 2), (2, 1), np.shape(found[a, b].y_true)]
    )
    asked = [name for name in metrics if name not in family("top k", metrics)]
    return list(found) == list(combinations(asked, 2)) and opposed and largest and smallest


@claim(
    "A number counts the cells (samples × labels) of the smallest case, under the default rules for"
    " 0/0 and ties.",
)
def _(found, metrics):
    alt = figures.alt_text(figures.pair_table(found, disagreement.SAME_ORDER))
    names = list(dict.fromkeys(name for pair in found for name in pair))
    rows = re.findall(r"\d+ [^:;]+: ([^;]+?)(?:;|\.$)", alt)
    code = {(names[j], names[i]): n for i, r in enumerate(rows, 1) for j, n in enumerate(r.split())}

    def value(metric, case):
        scored = catalogue.of(metric).reads == "y_score"
        first = np.array(case.first)
        return metric(case.y_true, first if scored else (first >= 0.5).astype(int))

    return all(
        code[a, b] == str(np.size(case.y_true))
        and np.isclose(value(metrics[a], case), case.values_a[0])
        for (a, b), case in found.items()
        if case
    )


@claim("These three pairs can never disagree, at any size.")
def _(never):
    def kept(y_true, y_pred):
        j, f = micro("jaccard", y_true, y_pred), micro("f1", y_true, y_pred)
        by_support = label_based.recall(y_true, y_pred, average="weighted")
        return bool(np.isclose(f, 2 * j / (1 + j)) and np.isclose(
            micro("recall", y_true, y_pred), by_support))  # fmt: skip

    told = {"micro recall and weighted recall", "micro F1 and micro Jaccard"}
    told.add("subset accuracy and zero-one loss")  # which are a share and the rest
    return always(kept) and {pair for pair, _ in never} == told and len(told) == 3


@claim(
    "A “–” says only that no case is so small.",
    "Any two metrics of the table can disagree, those three pairs apart: a second metric can say"
    " something new.",
)
def _(found, further):
    none = {pair for pair, case in found.items() if not case}
    shapes = {np.shape(case.y_true) for case in further.values()}
    apart = none - set(further) == set(disagreement.SAME_ORDER)
    return apart and len(none) == len(further) + 3 and shapes == {(3, 2), (1, 5)}


# ------------------------------------------------------------------------ what changes a metric


@claim(
    "Here are nine changes, again on all small data:",
    "A “=” means never, at any size, for a reason:",
    "A number counts the cells of the smallest data on which the metric changes, such as these:",
)
def _(changes, printed):
    """What never changes stays on larger data, too; what can does so on the data that are shown."""
    rng = np.random.default_rng(0)
    of, names = catalogue.variants(), list(invariance.TRANSFORMATIONS)
    truth, score = rng.integers(2, size=(4, 3)), rng.random((4, 3)).round(2)
    for (name, how), found in changes.items():
        if isinstance(found, str):
            other = (
                score if catalogue.of(of[name]).reads == "y_score" else (score > 0.5).astype(int)
            )
            value = of[name](truth, other)
            ways = invariance.TRANSFORMATIONS[how].ways(truth, other)
            if not all(np.isclose(value, of[name](*way), equal_nan=True) for way in ways):
                return False
        elif found:
            after = of[name](found.changed_true, found.changed_other)
            if np.isclose(of[name](found.y_true, found.y_other), after):
                return False
    alt = figures.alt_text(figures.change_table(changes))
    rows = {name: codes.split() for name, codes in re.findall(r"([^;.:]+): ([=–\d ]+)[;.]", alt)}
    codes = {
        (name.strip(), how): c for name in rows for how, c in zip(names, rows[name], strict=True)
    }
    said = {
        pair: "–"
        if found is None
        else "="
        if isinstance(found, str)
        else str(np.size(found.y_true))
        for pair, found in changes.items()
    }
    return codes == said and len(names) == 9 and "macro F1: append an unused label" in printed


@claim("Macro F1 looks worse, Hamming loss better, micro F1 stays.")
def _():
    """And if a model does say the label, micro F1 falls."""

    def lowered(y_true, y_pred):
        more = [np.pad(cells, ((0, 0), (0, 1))) for cells in (y_true, y_pred)]
        pairs = [(m(y_true, y_pred), m(*more)) for m in (label_based.f1, hamming_loss)]
        lower = all(after < before or before == after == 0 for before, after in pairs)
        return lower and micro("f1", y_true, y_pred) == micro("f1", *more)

    def heard(y_true, y_pred):
        alarm = (
            np.pad(y_true, ((0, 0), (0, 1))),
            np.pad(y_pred, ((0, 0), (0, 1)), constant_values=1),
        )
        return micro("f1", *alarm) < micro("f1", y_true, y_pred) or not hits(y_true, y_pred)

    return always(lowered) and always(heard)


@claim(
    "Label-based ratios ignore those on which the model is silent.",
    "Ranking and top k don't ask; curves do.",
)
def _(changes):
    of = catalogue.variants()
    empty = {name for name in of if isinstance(changes[name, "append an empty sample"], str)}
    still = {name for name in of if isinstance(changes[name, "shift a sample's scores"], str)}
    other = {name for name in of_scores(of) if name not in still}
    return (
        family("label-based", of) <= empty
        and still == family("ranking", of) | family("top k", of)
        and other == family("curves", of)
    )


# --------------------------------------------------------------------------- what is at most what


@claim("Here are inequalities of the course, and others that one would believe:")
def _(printed):
    """Each stands there, the true ones with a reason; no small world of ours contradicts those."""
    both = [
        c for c in inequalities.ALL if all(catalogue.of(m).reads == "y_pred" for m in c.metrics)
    ]

    def kept(claim):
        return always(
            lambda y_true, y_pred: not claim.fails(*(m(y_true, y_pred) for m in claim.metrics)),
            shapes=[(2, 2)],
        )

    shown = all(" ".join(c.says.split()) in " ".join(printed.split()) for c in inequalities.ALL)
    reasons = all(kept(c) for c in both if c.why)
    found = [inequalities.smallest_counterexample(c) for c in both if not c.why]
    return shown and reasons and len(both) > 10 and all(found)


@claim(
    "The first of those that fail fails on the emoji too: the subset accuracy of the neighbours is"
    " above their Jaccard.",
)
def _(values):
    first = next(claim for claim in inequalities.ALL if not claim.why)
    row = [values[n]["neighbours"] for n in ("subset accuracy", "samples accuracy (Jaccard)")]
    return first.says.startswith("subset accuracy ≤ samples Jaccard") and row[0] > row[1]


# ------------------------------------------------------------- one kind of mistake costs more


@claim(
    "If you do not, use Fβ of 02_example_based: there a miss weighs β² times as much as a false alarm,"
    " four times in F2, a quarter in F0.5."
)
def _():
    def weighs(y_true, y_pred):
        (misses, alarms), right = mistakes(y_true, y_pred), hits(y_true, y_pred)
        return all(
            np.isclose(
                micro("fbeta", y_true, y_pred, beta=beta)
                * ((1 + weight) * right + weight * misses + alarms),
                (1 + weight) * right,
            )
            for beta, weight in ((2, 4), (0.5, 1 / 4), (3, 3**2))
        )

    return always(weighs)


@claim(
    "If a miss costs four times a false alarm, the trees have the lowest bill.",
    "If a false alarm costs four times a miss, “nothing” is cheapest of all, and yet its F0.5 is 0: Fβ"
    " is not the bill.",
    "A higher cut helps there: the trees in the last row come close to “nothing”, with the best F0.5.",
)
def _(rows, bill, fbeta, y_score, y_pred):
    miss, alarm, f = ({row[0]: row[i] for row in rows} for i in (1, 3, 4))
    cut = (y_score["trees"] >= 0.5).astype(int)
    last = alarm["trees at 0.5"] == bill(cut, 1, 4) and f["trees at 0.5"] == fbeta(cut, 0.5)
    close = 1 < alarm["trees at 0.5"] / alarm["nothing"] < 1.05 < alarm["trees"] / alarm["nothing"]
    higher = cut.sum() < y_pred["trees"].sum() and not (cut > y_pred["trees"]).any()
    leads = min(miss, key=miss.get), min(alarm, key=alarm.get), max(f, key=f.get)
    return (
        leads == ("trees", "nothing", "trees at 0.5")
        and f["nothing"] == 0
        and last
        and close
        and higher
    )


# ---------------------------------------------------------------------------------- the guide


@claim(
    "a set of labels, useful only if entirely right (who must sign this form) | subset accuracy |"
    " example-based Jaccard, to see near misses",
    "a set of labels, partly right is fine (tags on a photo) | example-based F1 | its precision and"
    " recall; the rule for empty sets",
)
def _():
    def entire(y_true, y_pred):
        return subset_accuracy(y_true, y_pred) == (y_true == y_pred).all(axis=1).mean()

    def near(y_true, y_pred):
        partly = (example_based.accuracy(y_true, y_pred), example_based.f1(y_true, y_pred))
        return subset_accuracy(y_true, y_pred) == 0 < min(partly)

    def ruled(y_true, y_pred):
        f1 = example_based.f1
        return f1(y_true, y_pred) != f1(y_true, y_pred, zero_division=1.0)

    return always(entire) and sometimes(near) and sometimes(ruled)


@claim(
    "each label on its own (ten separate alarms) | precision and recall per label, macro F1 as their"
    " summary | support of each label",
    "all labels together, the frequent ones counting more | micro F1 | macro F1, to see the rare"
    " labels",
)
def _():
    def summary(y_true, y_pred):
        f1 = label_based.f1
        return f1(y_true, y_pred) == np.mean(f1(y_true, y_pred, average=None))

    y_true = np.array([[1, 0]] * 9 + [[0, 1]])
    no_rare, no_frequent = y_true * [1, 0], y_true * [0, 1]
    macro = [label_based.f1(y_true, said) for said in (no_rare, no_frequent)]
    frequent = micro("f1", y_true, no_rare) > 0.9 > 0.5 > micro("f1", y_true, no_frequent)
    return always(summary) and frequent and macro == [0.5, 0.5]


@claim(
    "single answers, yes or no; each wrong one costs the same (a checklist) | Hamming loss | the"
    " loss of predicting nothing, low where labels are few"
)
def _():
    def alike(y_true, y_pred):
        wrong = sum(mistakes(y_true, y_pred)) / y_true.size
        losses = hamming_loss(y_true, y_pred), hamming_loss(y_true, 0 * y_true)
        return np.allclose(losses, (wrong, y_true.mean()))

    return always(alike)


@claim(
    "labels, where one kind of mistake costs more | the bill; without prices Fβ, with β above 1 if"
    " misses cost more | the threshold; the bill of predicting nothing"
)
def _(bill, y_pred, y_score):
    said = {"miss": [[1, 0, 0]], "alarm": [[1, 1, 1]]}
    small, large = (
        {kind: micro("fbeta", [[1, 1, 0]], z, beta=beta) for kind, z in said.items()}
        for beta in (0.5, 2)
    )
    moves = bill(y_score["trees"] >= 0.5, 4, 1) != bill(y_pred["trees"], 4, 1)
    return small["miss"] > small["alarm"] and large["miss"] < large["alarm"] and moves


@claim(
    "for one label, the samples sorted (a search) | mAP | AP and positives of each label; AUROC counts"
    " all pairs alike",
    "the first k labels (a row of suggestions) | P@k, or nDCG@k if places matter | recall at k; the"
    " order of ties",
)
def _():
    """One positive among four samples, at each place; then the one relevant label, at each place."""
    y, scores = np.eye(4, dtype=int), np.arange(4, 0, -1)[:, None]
    ap, auroc = (
        [m(row[:, None], scores) for row in y] for m in (curves.average_precision, curves.roc_auc)
    )
    steps = rises(-np.diff(ap)[::-1]) and np.allclose(np.diff(auroc), -1 / 3)
    p, ndcg = ([m([row], scores.T, k=2) for row in y] for m in (top_k.precision, top_k.ndcg))
    places = p == [1 / 2, 1 / 2, 0, 0] and ndcg[0] > ndcg[1] > ndcg[2] == 0
    tied = {top_k.precision([[1, 0]], [[1, 1]], k=1, ties=ties) for ties in ("first", "last")}
    return steps and np.allclose(ap, [1, 1 / 2, 1 / 3, 1 / 4]) and places and tied == {0, 1}


@claim(
    "a ranked list, where the top matters most | average precision | one-error",
    "a ranked list, read until everything is found | coverage | ranking loss, which allows for how"
    " many labels are relevant",
    "only the first suggestion | one-error | the tie rule",
)
def _():
    places, scores = np.eye(4, dtype=int), [[4, 3, 2, 1]]  # the one relevant label, at each place
    at_place = [average_precision([row], scores) for row in places]
    falls = rises(-np.array(at_place)) and rises(np.diff(at_place))  # first steeply
    first = [one_error([row], scores) for row in places] == [0, 1, 1, 1]
    read = [coverage([row], scores) for row in places] == [1, 2, 3, 4]
    best = [(coverage([row], scores), ranking_loss([row], scores)) for row in np.tri(4, dtype=int)]
    rule = one_error([[1, 0]], [[1, 1]]) != one_error([[1, 0]], [[1, 1]], ties="best")
    return falls and first and read and best == [(1, 0), (2, 0), (3, 0), (4, 0)] and rule
