"""Notebook 05, from "Sigmoid or softmax?" on: what formulas leave open, and where they mislead."""

import re
from fractions import Fraction as F
from itertools import combinations, pairwise, permutations, product

import numpy as np
import places as notebooks
import sklearn.metrics as skm
from scipy.special import expit
from scipy.special import softmax as softmax_of

from claims import always, claim, on_trust
from claims.ranking import FOUR, ONE_SAMPLE, some_of_both, two_ranks_of, untied, values, wrong_pairs
from mlm_helpers import conventions, curves
from mlm_helpers.ranking import average_precision, coverage, one_error, ranking_loss, ranks

OF_SKLEARN = {
    coverage: skm.coverage_error,
    ranking_loss: skm.label_ranking_loss,
    average_precision: skm.label_ranking_average_precision_score,
}
LOGITS = [np.array([row]) for row in product((-4, -0.5, 0.5, 1, 3), repeat=3) if len({*row}) == 3]
TRUTHS = [[[*row]] for row in product((0, 1), repeat=3)]


def contradicted(metric, n_labels, n_relevant):
    """The pairs of lists of which that loss prefers one, and average precision the other."""
    read = {}
    for places in combinations(range(1, n_labels + 1), n_relevant):
        loss = F(sum(p - i for i, p in enumerate(places, 1)), n_relevant * (n_labels - n_relevant))
        precision = sum(F(i, p) for i, p in enumerate(places, 1)) / n_relevant
        read[places] = {coverage: max(places), ranking_loss: loss, average_precision: precision}
    return [
        (a, b)
        for a, b in combinations(read, 2)
        if (read[a][metric] - read[b][metric])
        * (read[a][average_precision] - read[b][average_precision])
        > 0
    ]


def contradicted_from(metric, n_labels):
    """Whether that is the least number of labels with which it happens; with more it still does."""
    found = [n for n in range(2, 8) if any(contradicted(metric, n, k) for k in range(1, n))]
    return found == [*range(n_labels, 8)]


# ---------------------------------------------------------------------------- sigmoid or softmax

on_trust(
    "Beside model one the document prints a sentiment model (消极 negative, 积极 positive), and asks"
    " to note the difference.",
    "the document, after model one: 注意",
)


@claim(
    "A text is either negative or positive, so those two scores share a total of 1.",
    "A text can be about sport and entertainment: each label has its own yes or no, and the sums"
    " 1.45 and 1.75 mean nothing.",
)
def _(doc, y_true, models):
    sentiment, scores = doc.examples["sentiment"], [[s] for s in models.values()]
    alike = [values(y_true, s) == values(y_true, np.array(s) / np.sum(s)) for s in scores]
    sums = [np.sum(s) for s in (sentiment.y_score, *scores)]
    own_yes = np.sum(y_true) == 2 > np.sum(sentiment.y_true) == 1
    return own_yes and np.allclose(sums, [1, 1.45, 1.75]) and all(alike)


@claim("A network's raw outputs, its logits, become scores by a sigmoid or by softmax.")
def _(logits, sigmoid, softmax):
    return np.allclose([sigmoid, softmax], [expit(logits), softmax_of(logits)])


@claim(
    "A sigmoid reads one label's logit alone.",
    "Softmax lets the labels compete for a total of 1.",
)
def _(logits, sigmoid, softmax):
    raised = logits + np.array([[0, 0, 1, 0, 0]])
    signs = [
        np.sign((of(raised) - old).round(9))
        for of, old in ((expit, sigmoid), (softmax_of, softmax))
    ]
    return np.isclose(softmax.sum(), 1) and np.array_equal(
        signs, [[[0, 0, 1, 0, 0]], [[-1, -1, 1, -1, -1]]]
    )


@claim(
    "The sigmoid puts three labels above 0.5, softmax one.",
    "Softmax can never put two there, since all its scores together are 1.",
)
def _(sigmoid, softmax):
    every = [softmax_of(logits) for logits in LOGITS]
    never = all(np.isclose(s.sum(), 1) and (s > 0.5).sum() < 2 for s in every)
    return never and [(scores > 0.5).sum() for scores in (sigmoid, softmax)] == [3, 1]


@claim("So a multi-label network ends in a sigmoid per label.")
def _():
    """Only so can it say every set of labels."""
    logits = [6 * np.array(truth) - 3 for truth in TRUTHS]
    said = [[(of(one) > 0.5).astype(int).tolist() for one in logits] for of in (expit, softmax_of)]
    return said[0] == TRUTHS != said[1]


@claim(
    "Within one text both scores rise with the logit, so the ranks are the same.",
    "Each ranking metric gives both the same value, and cannot tell you that a model ends in the"
    " wrong one.",
)
def _():
    both = [(expit(logits), softmax_of(logits)) for logits in LOGITS]
    return all(
        np.array_equal(ranks(s), ranks(t)) and values(truth, s) == values(truth, t)
        for truth, (s, t) in product(TRUTHS, both)
    )


# ---------------------------------------------------------------------------- what is left open

on_trust(
    "The document's formulas for coverage and one-error take the mean over the samples.",
    "the document: both are a sum over i, divided by N",
)
on_trust(
    "Those for ranking loss and average precision stop at one sample.",
    "the document: neither has a sum over i",
)


@claim("Tools take the mean there too, here 1/4.")
def _(two_texts):
    means = {"ranking loss": 1 / 4, "average precision": (5 / 6 + 3 / 4) / 2}
    here = [
        (conventions.number(tool.name, name, *two_texts), means[name])
        for tool, name in product(conventions.TOOLS.values(), means)
        if name in tool.metrics
    ]
    return np.allclose(*zip(*here, strict=True)) and skm.label_ranking_loss(*two_texts) == 1 / 4


@claim(
    "So average precision is a mean over texts, however many labels each has; sample_weight can"
    " change that."
)
def _():
    data = [[1, 0, 0], [0, 1, 1]], [[1, 2, 3], [3, 1, 2]]
    first, second = [1 / 3], [1 / 2, 2 / 3]
    found = [average_precision(*data, sample_weight=weight) for weight in (None, [1, 2])]
    return np.allclose(found, [(np.mean(first) + np.mean(second)) / 2, np.mean(first + second)])


@claim(
    "The document and scikit-learn count from 1.",
    "The papers they descend from subtract 1, so that one relevant label at the top costs nothing.",
    "A user noticed; scikit-learn kept its formula and added a note to its documentation.",
)
def _(doc, models):
    top = [[1, 0]], [[0.9, 0.1]]
    as_papers = conventions.options("MULAN", coverage)["start"]
    note = "1 greater than the one given in" in skm.coverage_error.__doc__
    first = min(min(doc.printed_ranks[model]) for model in models)
    return note and first == skm.coverage_error(*top) == coverage(*top, start=as_papers) + 1 == 1


# ---------------------------------------------------------------------------- ties


@claim(
    "The smallest tie there is: two labels with one score, one of them relevant.",
    "Each entry holds two results: with the first label relevant, then with the second.",
)
def _(truth, tie, printed):
    shown = re.search(r"^first .*?(\d), (\d) ", printed, re.M).groups()
    errors = one_error([[1, 0], [0, 1]], tie, ties="first", per_sample=True)
    return truth == [[1, 0], [0, 1]] and tie == [[0.5, 0.5]] * 2 and [*map(int, shown)] == [*errors]


@claim('A tied pair is a full error ("worst"), none ("best"), or 1/2 of one ("average").')
def _(truth, tie):
    rules = {"worst": 1, "best": 0, "average": 1 / 2}
    return all(ranking_loss(truth, tie, ties=rule) == error for rule, error in rules.items())


@claim(
    'Or the order of the columns decides: "first" lets the first column win, "last" the last, so'
    " that swapping two columns can change the result."
)
def _(tie):
    winner = {"first": [[1, 0]], "last": [[0, 1]]}
    right = [ranking_loss(winner[rule], tie[:1], ties=rule) for rule in winner]
    swapped = [ranking_loss([winner[rule][0][::-1]], tie[:1], ties=rule) for rule in winner]
    return right == [0, 0] and swapped == [1, 1]


@claim(
    'The three ranking functions of scikit-learn use "worst", and the document\'s ranking loss too:'
    " its condition says ≤."
)
def _():
    def holds(y_true, y_score):
        if not some_of_both(y_true):
            return True
        n_pairs = y_true.sum() * (1 - y_true).sum()
        theirs = [metric(y_true, y_score) for metric in OF_SKLEARN.values()]
        ours = [metric(y_true, y_score, ties="worst") for metric in OF_SKLEARN]
        said = wrong_pairs(y_true[0], y_score[0]) / n_pairs  # where the relevant score is ≤
        return np.allclose(theirs, ours) and np.isclose(said, ours[1])

    return always(holds, ONE_SAMPLE)


@claim('MULAN, a Java library, uses "last".')
def _():
    return {conventions.options("MULAN", metric)["ties"] for metric in FOUR} == {"last"}


@claim(
    "By its ranking loss, a model that says nothing is the worst possible, perfect, or half-way"
    " between."
)
def _(y_true, silent):
    found = [ranking_loss(y_true, silent, ties=rule) for rule in ("worst", "best", "average")]
    worst, perfect = ranking_loss(y_true, 1 - np.array(y_true)), ranking_loss(y_true, y_true)
    return len({*silent[0]}) == 1 and found == [worst, perfect, (worst + perfect) / 2]


# ---------------------------------------------------------------------------- none, and all


@claim(
    "Nothing relevant: average precision 1 and ranking loss 0 are perfect, one-error 1 is the worst"
    " there is."
)
def _():
    every = [values([[0, 0, 0]], [order])[1:] for order in permutations(range(3))]
    _, best_error, best_loss, best_precision = values([[1, 0]], [[2, 1]])
    return every == [[1 - best_error, best_loss, best_precision]] * 6 == [[1, 0, 1]] * 6


@claim(
    "Where everything is relevant, only ranking loss needs a convention: without pairs it is 0/0."
)
def _():
    expected = always(
        lambda y_true, y_score: (
            not y_true.all() or values(y_true, y_score, undefined=7) == [y_true.size, 0, 7, 1]
        ),
        ONE_SAMPLE,
    )
    return expected and ranking_loss([[1, 1]], [[1, 2]]) == 0


@claim(
    "They are scikit-learn's conventions, and our defaults; MULAN leaves such samples out of average"
    " precision."
)
def _():
    none = [[0, 0, 0]], [[0.5, 0.3, 0.2]]
    theirs = {metric: theirs(*none) for metric, theirs in OF_SKLEARN.items()}
    theirs[one_error] = 1 - skm.ndcg_score(*none, k=1)
    mulan = [m for m in FOUR if np.isnan(conventions.options("MULAN", m)["undefined"])]
    return mulan == [average_precision] and all(m(*none) == theirs[m] for m in FOUR)


@claim("The option undefined sets the value, and nan leaves them out.")
def _(with_empty):
    (full, empty), (score, other) = with_empty
    left_out = values(*with_empty, undefined=np.nan)
    return values([empty], [other], undefined=0.25) == [0.25] * 4 and left_out == values(
        [full], [score]
    )


@claim(
    "Beside model two's list, a text without labels halves coverage and ranking loss, and raises the"
    " other two.",
    "The model is the same.",
)
def _(with_empty, y_true, models):
    alone, both = values(y_true, [models["model two"]]), values(*with_empty)
    same = with_empty == ([*y_true, [0] * 5], [models["model two"]] * 2)
    halved = (both[0], both[2]) == (alone[0] / 2, alone[2] / 2)
    return same and halved and (alone[3], both[3], alone[1], both[1]) == (0.75, 0.875, 0, 0.5)


@claim(
    "If you know the ROC curve, you know ranking loss.",
    "Without ties, the area under one sample's curve is the share of pairs in the right order.",
    "1 − AUC is 1/6 and 1/3: the ranking loss.",
    'A tied pair counts half, the rule "average".',
)
def _(y_true, models):
    def holds(y_true, y_score):
        if not some_of_both(y_true):
            return True
        area = skm.roc_auc_score(y_true[0], y_score[0])
        wrong = wrong_pairs(y_true[0], y_score[0]) / (y_true.sum() * (1 - y_true).sum())
        half = ranking_loss(y_true, y_score, ties="average")
        return np.isclose(1 - area, half) and (not untied(y_score) or np.isclose(area, 1 - wrong))

    losses = [1 - skm.roc_auc_score(y_true[0], scores) for scores in models.values()]
    half = skm.roc_auc_score([1, 0], [0.5, 0.5]) == 1 / 2
    return half and always(holds, ONE_SAMPLE) and np.allclose(losses, [1 / 6, 1 / 3])


# ---------------------------------------------------------------------------- where it misleads


@claim(
    "Coverage and average precision contradict each other from four labels on.",
    "Ranking loss and average precision do so only from five labels on.",
)
def _():
    return contradicted_from(coverage, 4) and contradicted_from(ranking_loss, 5)


@claim(
    "With two of the five relevant, as in our text, there is one case.",
    "Here it is with our labels:",
    "Average precision and one-error prefer model three, ranking loss and coverage model four.",
)
def _(contrary, y_true):
    lists = [sorted(r for _, r in two_ranks_of(y_true[0], s)) for s in contrary.values()]
    three, four = (values(y_true, [contrary[f"model {name}"]]) for name in ("three", "four"))
    signs = np.sign(np.subtract(three, four)).tolist()
    return [tuple(map(tuple, lists))] == contradicted(ranking_loss, 5, 2) and signs == [1, -1, 1, 1]


@claim(
    "Average precision rewards a good top of the list; ranking loss counts a wrong pair alike"
    " wherever it stands."
)
def _(judge):
    *_, loss, precision = zip(*(judge((place,)) for place in range(1, 6)), strict=True)
    gains = [better - worse for better, worse in pairwise(precision)]  # from the top down
    return min(gains[:1]) > max(gains[1:]) and len({b - a for a, b in pairwise(loss)}) == 1


@claim("Next: 06_curves reads the columns: is a label's sample found before the others?")
def _():
    """There a metric is the ranking metric of the transposed matrix."""
    names = notebooks.variables("06_curves")[-1]
    turned = average_precision(*names["sideways"], per_sample=True)
    by_label = curves.average_precision(names["y_true"], names["y_score"], average=None)
    return np.allclose(turned, by_label) and (names["sideways"][0] == names["y_true"].T).all()
