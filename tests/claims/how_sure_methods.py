"""Notebook 10, from methods over many data sets on."""

import re
import warnings
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import places as notebooks
import pytest
from scipy import stats
from sklearn.metrics import hamming_loss

from claims import claim, on_trust
from mlm_helpers import hamming, uncertainty
from mlm_helpers.course import emoji

near = partial(np.allclose, rtol=0, atol=1e-9)


def holds_zero(interval):
    return interval.low <= 0 <= interval.high


# ---------------------------------------------------------------------------- methods


@claim(
    "To that question data sets are the samples.",
    "Pool their pictures instead, and the largest may decide alone.",
)
def _():
    """The first wins on two of three, of ten pictures each, and loses on the one of a thousand."""
    first = [[1] * 9 + [0], [1] * 9 + [0], [1] * 500 + [0] * 500]
    second = [[1] * 8 + [0] * 2, [1] * 8 + [0] * 2, [1] * 600 + [0] * 400]
    ahead = [np.mean(a) > np.mean(b) for a, b in zip(first, second, strict=True)]
    return ahead == [True, True, False] and np.mean(np.concatenate(first)) < np.mean(
        np.concatenate(second)
    )


on_trust(
    "Demšar recommends ranks: Wilcoxon's test for two methods, Friedman's for more.",
    "Demšar 2006, sections 3.1.3 and 3.2.2",
)


@claim("Of two equally good methods, one wins on all data sets with this chance:")
def _(rows):
    def chance(n):
        ahead = list(product((True, False), repeat=n))
        return Fraction(sum(len(set(each)) == 1 for each in ahead), len(ahead))

    return rows == [(n, chance(n)) for n in (3, 4, 5, 6, 7)]


@claim(
    "With five data sets, equally good methods still give such a clean win once in 16 times; from six"
    " on, less than once in twenty."
)
def _(rows):
    """And that is the least p of Wilcoxon's test."""
    least = {n: stats.wilcoxon(range(1, n + 1)).pvalue for n in (5, 6, 7)}
    return near([*least.values()], [float(dict(rows)[n]) for n in least]) and (
        least[5] == 1 / 16 and least[6] < 1 / 20
    )


# ---------------------------------------------------------------------------- misleads


@claim(
    "An interval speaks of these predictions, not of the method.",
    "Here are the trees against themselves, trained on another division of the pictures:",
    "The interval of the difference leaves out 0, and yet the method is the same.",
    "The luck of training is not in it: train several times.",
)
def _(one, again, said, data):
    """Both are "trees"; other divisions differ in micro F1 by more than one."""
    first, second = (emoji.folds(data.y, emoji.FOLDS, seed=repeat) for repeat in (0, 1))
    same = {*emoji.scores(0)} == {*emoji.scores(1)}
    return (
        same and not holds_zero(one) and (again != said["trees"]).any() and (first != second).any()
    )


@claim(
    "Twins count twice.",
    "Each picture twice, and the error falls from 0.0167 to 0.0123; but nothing new is known.",
)
def _(rows):
    """Nearly by the root of two."""
    once, twice = (row[-1] for row in rows[1:])
    return (
        (round(once, 4), round(twice, 4)) == (0.0167, 0.0123)
        and rows[1][1] == pytest.approx(rows[2][1], abs=1e-9)
        and once / twice == pytest.approx(2**0.5, rel=0.1)
    )


@claim("Samples must be independent of each other.", "Ours are not quite:")
def _(twins, data, scores):
    """Pictures of a man and a woman of the same kind have nearly the same labels."""
    place = {name: i for i, name in enumerate(data.names)}
    shared = [data.y[place[name]] @ data.y[place[f"wo{name}"]] for name in twins]
    return len(twins) > 5 and np.mean(shared) > np.mean(data.y @ data.y[place[twins[0]]]) + 0.1


# ---------------------------------------------------------------------------- tools


@claim("SciPy's bootstrap, given two matrices, says nothing and makes an interval for each column.")
def _(columns, picked, three, share_right):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = stats.bootstrap(
            three, share_right, paired=True, vectorized=False, n_resamples=20, method="percentile"
        )
    ends = again.confidence_interval
    return (
        np.shape(ends.low) == np.shape(columns.low) == (3,)
        and np.ndim(picked.confidence_interval.low) == 0
    )


@claim(
    "The “accuracy” of confidenceinterval, version 1.0.5, is right cells ÷ rows, for the trees"
    " 102.471; for several labels its author recommends the bootstrap."
)
def _(right, y_true):
    """Run once on the thread's six rows of three labels: 13 right cells gave 2.1667, which is 13/6."""
    truth = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]])
    sets = np.array([[1, 1, 0], [0, 1, 0], [1, 0, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]])
    gave = 2.1667
    return round((truth == sets).sum() / len(truth), 4) == gave and (
        round(right["trees"].sum() / len(y_true), 3) == 102.471
    )


on_trust(
    "The BootStrapper of torchmetrics draws within each update.",
    "torchmetrics, wrappers/bootstrapping.py: update calls the sampler with the size of its batch",
)


@claim(
    'With "multinomial" and one sample per update, each resample is the data itself, and the error is 0.'
)
def _():
    """One draw of one is that one."""
    rng = np.random.default_rng(0)
    drawn = [[int(rng.integers(1)) + i for i in range(20)] for _ in range(50)]
    return all(rows == [*range(20)] for rows in drawn)


@claim("Its default gives each sample a Poisson number, which does not mind updates.")
def _():
    """Poisson numbers add up alike however samples are batched; the mean's error is the usual one."""
    values = np.random.default_rng(1).random(400)
    times = np.random.default_rng(2).poisson(1, size=(2000, 400))
    error = ((times @ values) / times.sum(axis=1)).std()
    return error == pytest.approx(values.std() / 20, rel=0.05)


# ---------------------------------------------------------------------------- to remember


@claim("Draw samples, never cells; and for two models, the same samples.")
def _(error_by_cells, y_true, said, micro_f1):
    paired, alone = (
        uncertainty.compare(micro_f1, y_true, said["trees"], said["mix"]).difference.standard_error,
        uncertainty.interval(micro_f1, y_true, said["trees"]).standard_error,
    )
    return paired < alone and error_by_cells(y_true, said["trees"]) < alone


@claim("Look at the interval of the difference, not at whether two intervals overlap.")
def _(both, differences):
    return both["trees"].low < both["mix"].high and not holds_zero(differences["micro F1"])


@claim("Choose the metric before you look.")
def _(large):
    return large.any(axis=1).mean() > 3 * large.mean(axis=0).max()


@claim(
    "An interval knows nothing of the luck of training, of twins, and of labels that hardly occur."
)
def _(text):
    """Each is shown in its section."""
    shown = (
        "The luck of training is not in it",
        "Twins count twice",
        "no resample tells what did not occur",
    )
    return all(words in text for words in shown)


@claim("Next: 11_conventions asks why two tools print two numbers for the same predictions.")
def _():
    said = "".join(p.text for s in notebooks.sections("11_conventions") for p in s.passages)
    return bool(re.search(r"two (tools|numbers|programs)", said))


# ---------------------------------------------------------------------------- what nobody knows


@claim(
    "A −1 in the truth says that nobody knows.",
)
def _(seen_true, seen_said):
    """Some cell is unknown, and no row is unknown altogether."""
    return (
        (seen_true < 0).sum() == 2
        and (seen_true >= 0).any(axis=1).all()
        and ({*np.unique(seen_said)} == {0, 1})
    )


@claim(
    "The first is what torchmetrics gives with ignore_index=-1 (asked for in #3083, #2685), the second"
    " MEKA."
)
def _(seen_true, seen_said, printed):
    """What both gave for these data in November 2026: 0.3333 and 0.375; 0.5 where -1 is read as 0."""
    pairs = [
        [(t, s) for t, s in zip(*row, strict=True) if t >= 0]
        for row in zip(seen_true.tolist(), seen_said.tolist(), strict=True)
    ]
    pooled = np.mean([t != s for row in pairs for t, s in row])
    rows = np.mean([np.mean([t != s for t, s in row]) for row in pairs])
    return (round(pooled, 4), rows) == (0.3333, 0.375) and "0.375" in printed


@claim("Like scikit-learn we refuse a −1, rather than take it for a 0.")
def _(seen_true, seen_said):
    for metric in (hamming_loss, hamming.hamming_loss):
        with pytest.raises(ValueError):
            metric(seen_true, seen_said)
    return (np.maximum(seen_true, 0) != seen_said).mean() == 0.5
