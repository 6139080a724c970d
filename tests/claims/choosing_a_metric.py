"""Notebook 09: what three models, two fools and twenty-three metrics say of each other."""

import re
from collections import defaultdict
from itertools import combinations

import numpy as np
import places
import worlds

from claims import always, claim, sometimes
from mlm_helpers import catalogue, disagreement, example_based, figures, label_based
from mlm_helpers.exact_match import subset_accuracy
from mlm_helpers.hamming import hamming_loss
from mlm_helpers.ranking import average_precision, coverage, one_error, ranking_loss, ranks

MODELS = ("neighbours", "forest", "naive Bayes", "nothing", "the two")
RANKING = {"coverage", "one-error", "ranking loss", "average precision"}
PRECISIONS = {f"{average} precision" for average in ("samples", "macro", "micro", "weighted")}
EXACT = {"subset accuracy", "zero-one loss", "Hamming loss"}


def parties(values, prefers, a, b):
    """The metrics that prefer model a, and those that prefer model b."""
    return tuple({n for n in values if prefers(n, *pair)} for pair in ((a, b), (b, a)))


def mistakes(y_true, y_pred):
    """Misses and false alarms."""
    return int(((y_true == 1) & (y_pred == 0)).sum()), int(((y_true == 0) & (y_pred == 1)).sum())


def silent(y_pred):
    """Which samples get no label."""
    return ~np.asarray(y_pred).any(axis=1)


def rises(values):
    return bool((np.diff(values) > 0).all())


def micro(metric, y_true, y_pred, **options):
    return getattr(label_based, metric)(y_true, y_pred, average="micro", **options)


def family(name, metrics):
    return {n for n, metric in metrics.items() if catalogue.of(metric).family == name}


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


# -------------------------------------------------------------------- the data, models and fools


@claim(
    "After this notebook you can compare models under every metric of notebooks 01 to 05, say which"
    " metrics disagree about them and why, and choose one for your own task.",
    "We take the five families of notebooks 01 to 05.",
)
def _(text):
    """Fβ is beside its bill."""
    parts = "Every metric, every model", "Which metrics reverse which models?", "A guide for Monday"
    metrics = places.variables("09_choosing_a_metric")[-1]["metrics"]
    taken = {catalogue.of(metric).id for metric in metrics.values()}
    rooms = [file[3:] for file in places.PLACES if "01" <= file[:2] <= "05"]
    theirs = {
        r.id for r in catalogue.METRICS if any(s.startswith(r.id.partition(".")[0]) for s in rooms)
    }
    families = {record.family for record in catalogue.METRICS if record.id in taken}
    left = {record.rpartition(".")[2] for record in theirs - taken}
    used = taken < theirs and left == {"fbeta"} and len(families) == 5
    return used and all(f"## {part}" in text for part in parts) and "F2" in text


@claim(
    "scikit-learn ships 1,797 small pictures of handwritten digits.",
    "We ask five questions about each; every “yes” is a label:",
)
def _(X, digit, code, QUESTIONS, Y):
    pictures = "load_digits" in code and X.shape == (1797, 64) and set(digit) == set(range(10))
    return pictures and np.array_equal(Y.T, [*QUESTIONS.values()]) and Y.shape[1] == 5


@claim(
    "Look at digit 1: five times no, so its label set is empty.",
    "About one sample in ten has no label.",
    "Pictures of a one have no label.",
)
def _(digit, Y):
    return ((digit == 1) == silent(Y)).all() and round(silent(Y).mean(), 1) == 0.1


@claim(
    "The models learn from a tenth of the pictures, so that they make enough mistakes to be told"
    " apart.",
    "The rest judges them.",
)
def _(X, X_train, X_test, y_true, y_pred, models):
    wrong = {hamming_loss(y_true, y_pred[m]) for m in models}
    split = len(X_train) == len(X) // 10 and len(X_train) + len(X_test) == len(X)
    return split and len(y_true) == len(X_test) and len(wrong) == 3 and min(wrong) > 0.05


@claim(
    "Beside them stand two baselines, our fools, who never look at a picture.",
    "The first predicts nothing, ever.",
    "The second always predicts the two most frequent labels of the training data.",
)
def _(y_pred, models, Y_train):
    nothing, two = (y_pred[m] for m in y_pred if m not in models)
    frequent = Y_train.sum(axis=0) >= np.sort(Y_train.sum(axis=0))[-2]
    return not nothing.any() and frequent.sum() == 2 and (two == frequent).all()


@claim(
    "“Nothing” is exactly right on every digit 1, so its subset accuracy is about a tenth.",
    "More than half of the cells are 0, so its Hamming loss is below one half.",
    "Its recall is 0: it has no hits.",
)
def _(y_true, y_pred, digit, Y):
    nothing = y_pred["nothing"]
    exact = not Y[digit == 1].any() and round(subset_accuracy(y_true, nothing), 1) == 0.1
    below = hamming_loss(y_true, nothing) < 0.5 < (y_true == 0).mean()
    return (
        exact and below and example_based.recall(y_true, nothing) == 0 == (y_true * nothing).sum()
    )


@claim(
    "“The two” has a hit on most pictures, but is never entirely right: no digit has just these two"
    " labels."
)
def _(y_true, y_pred, Y):
    two = y_pred["the two"]
    hit, just = (y_true * two).any(axis=1), (two[0] == Y).all(axis=1)
    return hit.mean() > 0.5 and subset_accuracy(y_true, two) == 0 and not just.any()


# ---------------------------------------------------------------------- every metric, every model


@claim(
    "The catalogue knows what each metric reads.", "(Fβ, another metric for every β, comes below.)"
)
def _(metrics, y_true, y_pred, text):
    on_scores = {n for n, metric in metrics.items() if catalogue.of(metric).reads == "y_score"}
    betas = {micro("fbeta", y_true, y_pred["forest"], beta=beta) for beta in (0.5, 1, 2)}
    below = text.index("## When one kind of mistake costs more") > text.index(
        "## Every metric, every"
    )
    return on_scores == RANKING and len(betas) == 3 and below and "micro F2" not in metrics


@claim("Look where lines cross: there two metrics put two models in opposite order.")
def _(small, lower):
    drawn = figures.rank_reversals(small, lower_is_better=lower & set(small)).lines
    heights = {line.get_label(): line.get_ydata() for line in drawn if line.get_label() in MODELS}
    losses = {m: [v[m] * (1 if n in lower else -1) for n, v in small.items()] for m in MODELS}
    return len(heights) == 5 and all(
        ((heights[a] > heights[b]) == np.greater(losses[a], losses[b])).all()
        for a, b in combinations(MODELS, 2)
    )


@claim(
    "Every precision and every ranking metric prefers the forest, every other metric the"
    " neighbours.",
    "Subset accuracy, zero-one loss and Hamming loss prefer “nothing”, every other metric naive"
    " Bayes.",
    "The same three metrics prefer “nothing”, every other metric “the two”.",
    "On the other six pairs of models no two metrics disagree.",
)
def _(values, prefers):
    told = {
        ("neighbours", "forest"): PRECISIONS | RANKING,
        ("naive Bayes", "nothing"): EXACT,
        ("naive Bayes", "the two"): {"Hamming loss", "micro precision"},
        ("the two", "nothing"): EXACT,
    }
    sides = {pair: parties(values, prefers, *pair) for pair in told}
    quarrels = [pair for pair in combinations(MODELS, 2) if all(parties(values, prefers, *pair))]
    rest = all(sides[pair] == (set(values) - told[pair], told[pair]) for pair in told)
    return rest and len(quarrels) == len(told) == 10 - 6


@claim(
    "The forest says yes less often: fewer false alarms help its precision, more misses hurt its"
    " recall."
)
def _(y_true, y_pred):
    (m, a), (m_forest, a_forest) = (mistakes(y_true, y_pred[n]) for n in ("neighbours", "forest"))
    better = {
        name: micro(name, y_true, y_pred["forest"]) > micro(name, y_true, y_pred["neighbours"])
        for name in ("precision", "recall")
    }
    less = y_pred["forest"].sum() < y_pred["neighbours"].sum()
    return less and a_forest < a and m_forest > m and better == {"precision": True, "recall": False}


@claim(
    "Hamming loss and micro precision prefer the fool: both count all false alarms together, and"
    " naive Bayes has more."
)
def _(values, prefers, y_true, y_pred):
    for_fool, _ = parties(values, prefers, "the two", "naive Bayes")
    (_, few), (_, many) = (mistakes(y_true, y_pred[m]) for m in ("the two", "naive Bayes"))
    return for_fool == {"Hamming loss", "micro precision"} and many > few


# --------------------------------------------------------------------------- splits and ties


def leads(splits, metric, a, b):
    """By how much the first of two models has the larger value, split by split."""
    return np.array([split[metric, a] - split[metric, b] for split in splits])


@claim(
    "Three metrics on six splits of the pictures; split 0 is ours:",
    "By Hamming loss, naive Bayes loses to “nothing” on our split alone: that was bad luck.",
)
def _(splits, values):
    worse = leads(splits, "Hamming loss", "naive Bayes", "nothing") > 0
    ours = all(values[n][m] == value for (n, m), value in splits[0].items())
    three = len({name for name, _ in splits[0]}) == 3
    return ours and three and worse.tolist() == [True, False, False, False, False, False]


@claim(
    "Neighbours and forest change places too, under both other metrics, and on three splits these"
    " two disagree.",
    "So one split can show that metrics reverse models, but not which model is better.",
)
def _(splits):
    others = {name for name, _ in splits[0]} - {"Hamming loss"}
    f1, order = (leads(splits, name, "neighbours", "forest") for name in sorted(others)[::-1])
    change = all(lead.min() < 0 < lead.max() for lead in (f1, order))
    return change and f1[0] * order[0] < 0 and (f1 * order < 0).sum() == 3


@claim(
    "To “nothing” all labels have the same score.",
    "For a ranking metric that is one large tie.",
    'Under our default, "worst", both metrics put “nothing” last of all.',
    'Under "best" both call it perfect.',
)
def _(nothing, ties, values):
    loss, order = values["ranking loss"], values["average precision"]
    last = loss["nothing"] == max(loss.values()) and order["nothing"] == min(order.values())
    default = ties["worst"] == (loss["nothing"], order["nothing"])
    return last and default and ties["best"] == (0, 1) and (ranks(nothing, ties="best") == 1).all()


# ------------------------------------------------------------------ which metrics can disagree


@claim(
    "For every pair of metrics we search all data of up to two samples and three labels, smallest"
    " first, for a truth and two predictions that they put in opposite order."
)
def _(metrics, pairs):
    cases = [found for found in pairs.values() if found]
    opposed = all(" ".join(found.verdicts).count("prefers the first") == 1 for found in cases)
    largest = np.max([np.shape(found.y_true) for found in cases], axis=0).tolist() == [2, 3]
    smallest = all(
        clash(metrics[a], metrics[b], shape) == (shape == np.shape(pairs[a, b].y_true))
        for a, b in [("samples precision", "Hamming loss"), ("subset accuracy", "micro recall")]
        for shape in [(1, 1), (1, 2), (2, 1), np.shape(pairs[a, b].y_true)]
    )
    return list(pairs) == list(combinations(metrics, 2)) and opposed and largest and smallest


@claim(
    "A number counts the cells (samples × labels) of the smallest case, under the default rules for"
    " 0/0 and ties.",
    "A 2 is one sample with two labels.",
)
def _(pairs, metrics, judged):
    alt, names = figures.alt_text(figures.pair_table(pairs, disagreement.SAME_ORDER)), list(metrics)
    rows = re.findall(r"\d+ [^:;]+: ([^;]+?)(?:;|\.$)", alt)
    code = {(names[j], names[i]): n for i, r in enumerate(rows, 1) for j, n in enumerate(r.split())}
    return all(
        code[a, b] == str(np.size(found.y_true))
        and (code[a, b] != "2" or np.shape(found.y_true) == (1, 2))
        and judged(metrics[a], found.y_true, np.array(found.first)) == found.values_a[0]
        for (a, b), found in pairs.items()
        if found
    )


@claim(
    "That is enough for every pair of a metric on sets and a metric on scores, except for subset"
    " accuracy, zero-one loss and Hamming loss."
)
def _(pairs, metrics):
    enough = {pair for pair, found in pairs.items() if found and np.size(found.y_true) == 2}
    return enough == {(a, b) for a in set(metrics) - RANKING - EXACT for b in RANKING}


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
    "Each has its case.",
    "So any two metrics of the table can disagree, those three pairs apart: a second metric can say"
    " something new.",
)
def _(pairs, further):
    none = {pair for pair, found in pairs.items() if not found}
    shapes = {np.shape(found.y_true) for found in further.values()}
    apart = none - set(further) == set(disagreement.SAME_ORDER)
    return apart and len(none) == len(further) + 3 and shapes == {(3, 2), (1, 5)}


# ---------------------------------------------------------------------------- the empty sets


@claim(
    "“Nothing” is right about all of them.",
    "Subset accuracy, zero-one loss and Hamming loss see that.",
)
def _(alone, empty, y_true, y_pred):
    told_apart = {name for name, (neighbours, nothing) in alone.items() if neighbours != nothing}
    perfect = [alone[name][1] for name in ("subset accuracy", "zero-one loss", "Hamming loss")]
    right = np.array_equal(y_true[empty], y_pred["nothing"][empty])
    return right and told_apart == EXACT and perfect == [1, 0, 0]


@claim(
    "Example-based metrics give 0 to every model: 0/0 is worth 0 by default, so without true labels"
    " nobody can win."
)
def _(metrics, empty, y_true, y_pred):
    used = [metrics[name] for name in family("example-based", metrics)]
    default = {catalogue.of(metric).defaults["zero_division"] for metric in used}
    return default == {0} and not any(
        metric(y_true[empty], y_pred[m][empty]) for metric in used for m in y_pred
    )


@claim(
    "Ranking metrics have nothing to find there and give every model the same filler: ranking loss,"
    " coverage and average precision the best value, one-error the worst."
)
def _(empty, y_true, y_score):
    used = ranking_loss, coverage, average_precision, one_error
    values = {tuple(f(y_true[empty], s[empty]) for f in used) for s in y_score.values()}
    lowest = always(lambda y_true, y_score: coverage(y_true, y_score) >= 0)
    return values == {(0, 0, 1, 1)} and lowest


@claim(
    "The rule for 0/0 changes the winner by F1.",
    "By default the neighbours lead, 0.787 to 0.772.",
    "Under agree the forest does, by a hair, because it stays silent on more of the ones.",
)
def _(by_rule, y_pred, empty, y_true):
    default, agree = (dict(zip(y_pred, by_rule[rule], strict=True)) for rule in ("0.0", "agree"))
    first = [max(values, key=values.get) for values in (default, agree)]
    hair = 0 < agree["forest"] - agree["neighbours"] < 0.002
    quiet = [silent(y_pred[m][empty]).sum() for m in ("neighbours", "forest")]
    others = [example_based.f1(y_true[~empty], y_pred[m][~empty]) for m in ("forest", "neighbours")]
    said = [round(default[m], 3) for m in ("neighbours", "forest")] == [0.787, 0.772]
    return first == ["neighbours", "forest"] and hair and rises(quiet) and rises(others) and said


@claim("(1.0 gives the same: F1 is 0/0 only where both sets are empty.)")
def _(by_rule):
    def only(y_true, y_pred):
        at = [
            example_based.f1(y_true, y_pred, zero_division=z, per_sample=True) for z in (0.0, 1.0)
        ]
        return ((at[0] != at[1]) == (silent(y_true) & silent(y_pred))).all()

    return by_rule["1.0"] == by_rule["agree"] and always(only)


# ------------------------------------------------------------------------------- the threshold


@claim("A set metric judges a model and a threshold.", "Ranking metrics never see a threshold.")
def _(metrics, y_true, y_score, sets):
    forest = y_score["forest"]
    see = {n for n in set(metrics) - RANKING if metrics[n](y_true, sets[0.4]) != metrics[n](
        y_true, sets[0.5])}  # fmt: skip
    blind = {n for n in RANKING if metrics[n](y_true, forest) == metrics[n](y_true, forest / 2)}
    return see | blind == set(metrics)


@claim("Here is the forest under nine of them:")
def _(sweep, thresholds, sets, y_score):
    forest = all((sets[t] == (y_score["forest"] >= t)).all() for t in thresholds)
    return forest and {len(row) for row in sweep.values()} == {9} == {len(set(thresholds))}


@claim(
    "The metrics want different thresholds: recall the lowest, F1 a lower one than subset accuracy"
    " and Hamming loss.",
    "At one half the neighbours lead by F1.",
    "With its best threshold for each model the forest leads, 0.808 to 0.797.",
)
def _(bests, thresholds, sweep, rival_f1, values):
    at = {name: threshold for name, (threshold, _) in bests.items()}
    lower = at["F1"] < min(at["subset accuracy"], at["Hamming loss"])
    half, f1 = thresholds.index(0.5), {"forest": sweep["F1"], "neighbours": rival_f1}
    named = all(values["samples F1"][m] == f1[m][half] for m in f1)
    leads = f1["neighbours"][half] > f1["forest"][half]
    top = {m: round(max(row), 3) for m, row in f1.items()} == {"forest": 0.808, "neighbours": 0.797}
    return at["recall"] == min(thresholds) and lower and named and leads and top


@claim(
    "Precision rises, and then falls.",
    "Now it rises all the way.",
    "At higher thresholds more samples get no label, and their precision, 0/0, counts as 0: the rule"
    " drew that fall.",
)
def _(sets, sweep, left_out, thresholds):
    top = int(np.argmax(sweep["precision"]))
    up, down = sweep["precision"][: top + 1], sweep["precision"][top:]
    turn = len(up) > 1 < len(down) and rises(up) and rises(down[::-1]) and rises(left_out)
    quiet = np.array([silent(sets[t]).mean() for t in thresholds])
    drawn = np.allclose(np.multiply(left_out, 1 - quiet), sweep["precision"])
    return turn and rises(quiet[top:]) and drawn


# ------------------------------------------------------------- one kind of mistake costs more


@claim(
    "If you do not, use Fβ of 02_example_based: there a miss weighs β² times as much as a false alarm,"
    " four times in F2, a quarter in F0.5."
)
def _():
    def weighs(y_true, y_pred):
        (misses, alarms), hits = mistakes(y_true, y_pred), (y_true * y_pred).sum()
        return all(
            np.isclose(
                micro("fbeta", y_true, y_pred, beta=beta)
                * ((1 + weight) * hits + weight * misses + alarms),
                (1 + weight) * hits,
            )
            for beta, weight in ((2, 4), (0.5, 1 / 4), (3, 3**2))
        )

    return always(weighs)


@claim(
    "If a miss costs four times a false alarm, the neighbours beat the forest, by the bill and by"
    " F2.",
    "If a false alarm costs four times a miss, the forest wins, by the bill and by F0.5.",
)
def _(bill, fbeta, y_pred):
    neighbours, forest = y_pred["neighbours"], y_pred["forest"]
    miss = bill(neighbours, 4, 1) < bill(forest, 4, 1) and fbeta(neighbours, 2) > fbeta(forest, 2)
    return miss and all(
        bill(forest, 1, 4) < bill(other, 1, 4) and fbeta(forest, 0.5) > fbeta(other, 0.5)
        for name, other in y_pred.items()
        if name != "forest"
    )


@claim(
    "A lower threshold helps against costly misses: the forest in the last row has the lowest bill."
)
def _(rows, bill, sets, y_pred, y_true):
    forest, (name, least, *_) = y_pred["forest"], rows[-1]
    said = name == "forest at 0.4" and np.array_equal(sets[0.5], forest)
    lower = least == bill(sets[0.4], 4, 1) < bill(forest, 4, 1) and least == min(r[1] for r in rows)
    return said and lower and mistakes(y_true, sets[0.4])[0] < mistakes(y_true, forest)[0]


@claim(
    "But Fβ is not the bill.",
    "If false alarms are costly, “nothing” is cheaper than naive Bayes, and yet its F0.5 is 0: it"
    " has no hits.",
)
def _(bill, fbeta, y_true, y_pred):
    nothing, bayes = y_pred["nothing"], y_pred["naive Bayes"]
    cheaper = bill(nothing, 1, 4) < bill(bayes, 1, 4)
    return cheaper and fbeta(bayes, 0.5) > fbeta(nothing, 0.5) == 0 == (y_true * nothing).sum()


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
def _(bill, y_pred, sets):
    said = {"miss": [[1, 0, 0]], "alarm": [[1, 1, 1]]}
    small, large = (
        {kind: micro("fbeta", [[1, 1, 0]], z, beta=beta) for kind, z in said.items()}
        for beta in (0.5, 2)
    )
    moves = bill(sets[0.4], 4, 1) != bill(y_pred["forest"], 4, 1)
    return small["miss"] > small["alarm"] and large["miss"] < large["alarm"] and moves


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


@claim(
    "Then write five things beside each number: the metric, by its formula; the average (per sample,"
    " macro, micro, weighted); what empty samples or labels are worth, and their number; the"
    " threshold, and how it was chosen; who wins a tie, and where ranks start."
)
def _(text):
    (things,) = re.findall(r"write five things beside each number\*\*: (.*)\.", text)
    taken = {option for record in catalogue.METRICS for option in record.options}
    return things.count(";") == 5 - 1 and {"average", "zero_division", "ties", "start"} <= taken


# --------------------------------------------------------------------- exercises, to remember


@claim('Under "agree", 0/0 is worth 1 where truth and prediction are both empty.')
def _():
    def agrees(y_true, y_pred):
        both = silent(y_true) & silent(y_pred)
        at = [example_based.f1(y_true, y_pred, zero_division=z, per_sample=True)
              for z in ("agree", 0.0)]  # fmt: skip
        return np.array_equal(at[0], np.where(both, 1, at[1]))

    return always(agrees)


@claim(
    "The four example-based ones: the neighbours stay silent on some of the ones.",
    "Not the label-based ones: every label occurs in the truth.",
    "The others lack the rule.",
)
def _(metrics, values, agreed, empty, y_true, y_pred):
    changed = {name for name in agreed if agreed[name] != values[name]["neighbours"]}
    lacking = {n for n, f in metrics.items() if "zero_division" not in catalogue.of(f).options}
    families = [family(name, metrics) for name in ("example-based", "label-based")]
    quiet = silent(y_pred["neighbours"][empty]).any() and y_true.any(axis=0).all()
    return quiet and [changed, set(metrics) - lacking - changed] == families and len(changed) == 4


@claim(
    "No: “nothing” gets worse, because the pictures on which it was perfect are gone.",
    "Naive Bayes gets better, and wins.",
)
def _(labelled, values, y_true, y_pred, empty):
    before, perfect = (
        values["Hamming loss"],
        not hamming_loss(y_true[empty], y_pred["nothing"][empty]),
    )
    order = labelled["naive Bayes"], before["nothing"], before["naive Bayes"], labelled["nothing"]
    return perfect and rises(order)


@claim("Metrics disagree about real models: each counts something else.")
def _(values, prefers, models):
    return any(all(parties(values, prefers, a, b)) for a, b in combinations(models, 2))
