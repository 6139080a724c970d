"""Notebook 05, up to "Which metrics can tell the two models apart?": the rest in ranking_corners."""

import inspect
import re
from fractions import Fraction as F
from itertools import combinations, permutations, product

import numpy as np
import places as notebooks
import sklearn.metrics as skm

from claims import always, claim, on_trust
from mlm_helpers import catalogue, worked
from mlm_helpers.course import figures
from mlm_helpers.hamming import hamming_loss
from mlm_helpers.ranking import average_precision, coverage, one_error, ranking_loss, ranks

FOUR = coverage, one_error, ranking_loss, average_precision
ONE_SAMPLE = ((1, 2), (1, 3))


def values(y_true, y_score, **options):
    return [metric(y_true, y_score, **options) for metric in FOUR]


def two_ranks_of(truth, score):
    """Rank among the relevant and among all, of each relevant label; tied labels share the last."""
    found = [s for s, is_true in zip(score, truth, strict=True) if is_true]
    return [(sum(other >= s for other in found), sum(other >= s for other in score)) for s in found]


def read_off(truth, score):
    """The four metrics of a sample, of its two ranks alone."""
    both = two_ranks_of(truth, score)
    n_pairs = len(both) * (len(truth) - len(both))
    loss = sum(overall - among for among, overall in both)
    shares = [F(int(among), int(overall)) for among, overall in both]
    top_is_wrong = all(overall > among for among, overall in both)
    return [max(r for _, r in both), top_is_wrong, F(loss, n_pairs), sum(shares) / len(both)]


def some_of_both(y_true):
    return 0 < np.sum(y_true) < np.size(y_true)


def untied(y_score):
    return len({*y_score[0]}) == y_score.size


def wrong_pairs(truth, score):
    """Pairs of a relevant label and an irrelevant one that is not below it."""
    pairs = product(*([s for s, t in zip(score, truth, strict=True) if t == v] for v in (1, 0)))
    return sum(relevant <= other for relevant, other in pairs)


def depends_only_on(metric, read):
    """Whether orders of four labels that are read alike have one value."""
    seen = {}
    for truth, score in product(product((0, 1), repeat=4), permutations(range(4))):
        if any(truth):
            relevant = [is_true for _, is_true in sorted(zip(score, truth, strict=True))[::-1]]
            seen.setdefault(read(relevant), set()).add(round(metric([truth], [score]), 9))
    return len(seen) > 1 and all(len(found) == 1 for found in seen.values())


# ---------------------------------------------------------------------------- the question


@claim(
    "After this notebook you can read coverage, one-error, ranking loss and average precision off a"
    " list of ranks by hand, and say which metrics can tell two models apart when their predicted"
    " labels are the same."
)
def _(text):
    by_hand = text[text.index("## Count by hand") : text.index("## The formulas")].lower()
    names = [catalogue.describe(metric) for metric in FOUR]
    told = "## Which metrics can tell the two models apart?" in text
    return told and all(f"**{name}**" in by_hand for name in names)


@claim("You need: Hamming loss from 03_hamming_loss.")
def _(text):
    taught = "".join(section.code for section in notebooks.sections("03_hamming_loss"))
    return "hamming.hamming_loss(" in taught and "(03_hamming_loss.ipynb)" in text


@claim(
    "Two models predict the same labels for one text.",
    "The document turns the scores of both models into the same labels:",
    "Both models share this picture and its Hamming loss, 2/5 = 0.4.",
    "The document has one text.",
)
def _(doc, y_true, y_pred, models):
    predicted = [doc.examples[model].y_pred for model in models]
    losses = [hamming_loss(y_true, labels) for labels in predicted]
    return len(y_true) == 1 and predicted == [y_pred] * 2 and losses == [2 / 5, 0.4]


@claim(
    "Text and models come from the document “多标签分类评价指标介绍（一）”.",
    "The text is about sport and entertainment.",
)
def _(doc, y_true, models):
    true = {name for name, is_true in zip(doc.labels, y_true[0], strict=True) if is_true}
    title = doc.title == "多标签分类评价指标介绍（一）"
    return title and doc.scores == models and true == {"sport", "entertainment"}


on_trust("The document does not say.", "its pages: rows of scores, rows of labels, no threshold")


@claim(
    "A score at or above it counts as predicted.",
    "Any value above 0.35 and up to 0.4 fits both models.",
)
def _(labels_at, models, y_pred):
    found = {t: [labels_at(t / 1000, s) for s in models.values()] for t in range(1001)}
    fits = [t for t, labels in found.items() if labels == y_pred * 2]
    return labels_at(0.4, [0.39, 0.4, 0.41]) == [0, 1, 1] and fits == [*range(351, 401)]


@claim("The usual 0.5 does not: it predicts entertainment alone, a loss of 1/5.")
def _(labels_at, models, y_true, doc):
    found = [labels_at(0.5, scores) for scores in models.values()]
    alone = [int(name == "entertainment") for name in doc.labels]
    return found == [alone, alone] and hamming_loss(y_true, [alone]) == 1 / 5


@claim("A metric on labels judges the model and the threshold.")
def _(labels_at, models, y_true):
    one, two = models.values()
    wanted = {(0.3, "one"): one, (0.4, "one"): one, (0.3, "two"): two}
    loss = {key: hamming_loss(y_true, [labels_at(key[0], s)]) for key, s in wanted.items()}
    return loss[0.4, "one"] != loss[0.3, "one"] != loss[0.3, "two"]


@claim("Ranking metrics need no threshold.")
def _():
    asked = {name for metric in FOUR for name in inspect.signature(metric).parameters}
    return "threshold" not in asked and always(
        lambda y_true, y_score: (
            values(y_true, y_score) == values(y_true, np.exp(y_score) - 9)
            and (not some_of_both(y_true) or values(y_true, y_true) != values(y_true, -y_true))
        ),
        ONE_SAMPLE,
    )


# ---------------------------------------------------------------------------- the two lists


@claim(
    "Model one's is better.",
    "Its list has one more pair in the wrong order, and both true labels are found one label later.",
)
def _(y_true, models):
    one, two = models.values()
    more = wrong_pairs(y_true[0], two) - wrong_pairs(y_true[0], one)
    later = coverage(y_true, [two]) - coverage(y_true, [one])
    better = average_precision(y_true, [one]) > average_precision(y_true, [two])
    return more == later == 1 and better and one_error(y_true, [one]) == one_error(y_true, [two])


@claim("Both put entertainment first, but model two also puts technology above sport.")
def _(doc, models):
    one, two = (dict(zip(doc.labels, scores, strict=True)) for scores in models.values())
    first = max(one, key=one.get) == max(two, key=two.get) == "entertainment"
    return first and one["technology"] < one["sport"] and two["technology"] > two["sport"]


@claim(
    "A bracket ⇅ joins each pair in the wrong order: an irrelevant label above a relevant one.",
    "Above the dashed line lies what you must read to meet every relevant label.",
)
def _(doc, models, y_true):
    ax = figures.rank_lists(models, y_true, doc.labels)
    brackets = [text for text in ax.texts if text.get_text() == "⇅"]
    rows = {text.get_position()[1] for text in ax.texts if text.get_label() == "rank"}
    dashed = [line.get_ydata()[0] for line in ax.lines if line.get_linestyle() == "--"]
    above = [sum(row < y for row in rows) for y in dashed] if ax.yaxis_inverted() else []
    needed = [coverage(y_true, [scores]) for scores in models.values()]
    wrong = [wrong_pairs(y_true[0], scores) for scores in models.values()]
    return len(brackets) == sum(wrong) and above == needed


# ---------------------------------------------------------------------------- by hand


@claim("A label's rank is its place in the list that is sorted by score, highest first.")
def _(models):
    places = [[sorted(s, reverse=True).index(one) + 1 for one in s] for s in models.values()]
    return ranks([*models.values()]).tolist() == places and places[0][2] == 1


@claim(
    "A slip in the document",
    "For model one it prints the ranks 4 and 5 at the end, where the scores 0.1 and 0.15 say 5 and"
    " 4: military is last.",
    "No metric changes: neither label is relevant.",
)
def _(doc, y_true, models):
    said, scores = doc.printed_ranks["model one"], models["model one"]
    last = doc.labels[np.argmin(scores)] == "military" and y_true[0][3:] == [0, 0]
    same = values(y_true, [[-rank for rank in said]]) == values(y_true, [scores])
    slip = (scores[3:], said[3:], ranks([scores])[0, 3:].tolist())
    return last and same and slip == ([0.1, 0.15], (4, 5), [5, 4])


@claim("Each relevant label has a second rank, its place among the relevant labels alone.")
def _(two_ranks, y_true, models):
    found = [[tuple(both) for _, *both in two_ranks(scores)] for scores in models.values()]
    return found == [sorted(two_ranks_of(y_true[0], scores)) for scores in models.values()]


@claim(
    "These two ranks are all that the four metrics look up.",
    "For one sample with relevant labels $Y$ out of $L$, with $r(j)$ the rank of label $j$ among all"
    " and $r_Y(j)$ its rank among the relevant:",
    "Ranking metrics need no threshold: all four are read off a relevant label's rank among all and"
    " among the relevant.",
)
def _():
    def holds(y_true, y_score):
        read = read_off(y_true[0], y_score[0]) if some_of_both(y_true) else []
        return not read or np.allclose(values(y_true, y_score), [*map(float, read)])

    return always(holds, ONE_SAMPLE)


@claim(
    "Coverage: how far down is the last relevant label?",
    "One-error: is the very first label wrong?",
    "Ranking loss: what share of the (relevant, irrelevant) pairs is in the wrong order?",
    "Average precision: reading down to a relevant label, what share of what I have read is"
    " relevant?",
    "Square brackets are 1 where what they hold is true, else 0.",
)
def _():
    def holds(y_true, y_score):
        down = y_true[0][np.argsort(-y_score[0])].tolist()
        if not untied(y_score) or not some_of_both(down):
            return True
        places = [i for i, is_true in enumerate(down, 1) if is_true]
        wrong = [above < below for above, below in combinations(down, 2) if above != below]
        shares = [np.mean(down[:place]) for place in places]
        read = [places[-1], not down[0], np.mean(wrong), np.mean(shares)]
        return np.allclose(values(y_true, y_score), read)

    return always(holds, ONE_SAMPLE)


@claim(
    "The irrelevant labels above a relevant one are its rank among all minus its rank among the"
    " relevant.",
    "That is its rank among the relevant over its rank among all; then the mean over the relevant"
    " labels.",
)
def _():
    def holds(y_true, y_score):
        truth, score = y_true[0], y_score[0]
        both, relevant = two_ranks_of(truth, score), score[truth == 1]
        above = [(score[truth == 0] >= s).sum() for s in relevant]
        shares = [truth[score >= s].mean() for s in relevant]
        precision = average_precision(y_true, y_score, undefined=-1)
        return (
            above == [overall - among for among, overall in both]
            and np.allclose(shares, [among / overall for among, overall in both])
            and np.isclose(precision, np.mean(shares) if shares else -1)
        )

    return always(holds, ONE_SAMPLE)


@claim(
    "Two relevant and three irrelevant labels make 2·3 pairs.",
    "Average precision is ½(1/1 + 2/3) = 5/6 and ½(1/1 + 2/4) = 3/4.",
)
def _(y_true, models, by_hand):
    wrong = [f"{wrong_pairs(y_true[0], scores)}/{2 * 3}" for scores in models.values()]
    both = [sorted(two_ranks_of(y_true[0], scores)) for scores in models.values()]
    mean = [sum(F(*pair) for pair in pairs) / 2 for pairs in both]
    return (
        (sum(y_true[0]), y_true[0].count(0)) == (2, 3)
        and wrong == [by_hand(scores)[2] for scores in models.values()]
        and both == [[(1, 1), (2, 3)], [(1, 1), (2, 4)]]
        and mean == [F(5, 6), F(3, 4)]
    )


@claim("Then take the mean over the samples.")
def _():
    def holds(y_true, y_score):
        rows = [
            values([truth], [score]) for truth, score in zip(y_true.tolist(), y_score, strict=True)
        ]
        return np.allclose(values(y_true, y_score), np.mean(rows, axis=0))

    return always(holds, [(2, 2)])


@claim("Of average precision more is better; of the other three, less.")
def _():
    perfect, worst = (values([[1, 0, 0]], [scores]) for scores in ([3, 2, 1], [1, 2, 3]))
    more = [metric for metric, p, w in zip(FOUR, perfect, worst, strict=True) if p > w]
    less = [metric for metric, p, w in zip(FOUR, perfect, worst, strict=True) if p < w]
    return more == [average_precision] and less == [coverage, one_error, ranking_loss]


# ---------------------------------------------------------------------------- a second opinion


@claim(
    "By hand, from the helper and from scikit-learn come the same numbers, and they are the"
    " document's."
)
def _(y_true, models, by_hand, four, theirs, doc):
    def agree(model, scores):
        said = {v.metric: float(v.value) for v in doc.published if v.data == model}
        return np.allclose(
            [metric(y_true, [scores]) for metric in four],
            [
                [float(F(value)) for value in by_hand(scores)],
                [metric(y_true, [scores]) for metric in theirs],
                [said[f"ranking.{metric.__name__}"] for metric in four],
            ],
        )

    modules = {metric.__module__.split(".")[0] for metric in theirs} - {"__main__"}
    return all(agree(*one) for one in models.items()) and modules == {"sklearn"}


@claim(
    "No function of scikit-learn is called one-error.",
    "Its nDCG of the first label alone (k=1) is 1 where that label is relevant, else 0: take it from"
    " 1.",
)
def _():
    def holds(y_true, y_score):
        if not untied(y_score) or not y_true.any():
            return True
        gain = skm.ndcg_score(y_true, y_score, k=1)
        return gain == y_true[0][y_score[0].argmax()] == 1 - one_error(y_true, y_score)

    return not re.findall("one_?error", " ".join(dir(skm)), re.I) and always(holds, ONE_SAMPLE)


@claim("worked.solve writes each step on the board:")
def _(y_true, one, doc):
    written = repr(worked.solve(average_precision, y_true, one, labels=doc.labels))
    steps = "entertainment +1 +1 +1/1", "sport +2 +3 +2/3", "= 5/6 "
    return all(re.search(step, written) for step in steps)


@claim(
    "A metric sees only what it reads.",
    "Coverage reads only the lowest relevant label, one-error only the top.",
    "A metric sees only what it reads: labels, the top, the lowest relevant label, or every"
    " relevant label.",
)
def _():
    read = {
        one_error: lambda relevant: relevant[0],
        coverage: lambda relevant: max(np.flatnonzero(relevant)),
        ranking_loss: tuple,
        average_precision: tuple,
    }
    until_here = list(catalogue.FAMILIES)[: list(catalogue.FAMILIES).index("ranking") + 1]
    others = {
        record.reads
        for record in catalogue.METRICS
        if record.family in until_here and record.function not in FOUR
    }
    return others == {"y_pred"} and all(depends_only_on(*one) for one in read.items())


@claim("In the order one thing has changed: sport and technology have swapped places.")
def _(sorted_labels, models):
    one, two = map(sorted_labels, models.values())
    swap = {"sport": "technology", "technology": "sport"}
    return [swap.get(name, name) for name in one] == two


@claim("Metrics that read where the relevant labels stand, all of them or the lowest, notice.")
def _(y_true, y_pred, models, reads, labels, places):
    def notices(metric, what):
        given = [y_pred, y_pred] if what == labels else [[scores] for scores in models.values()]
        return metric(y_true, given[0]) != metric(y_true, given[1])

    reading = {metric for metric, what in reads.items() if what in (places, reads[coverage])}
    return reading == {metric for metric, what in reads.items() if notices(metric, what)}
