"""What the ladders of notebooks 00 to 03 say, beside what makes it true."""

import numpy as np

from claims import claim
from claims._sets import each, same, sizes
from mlm_helpers import practice
from mlm_helpers.example_based import f1, fbeta, precision, recall

# --- in several


@claim("A wrong answer is told what it is.")
def _(asked):
    """Of every number that another metric or a usual slip makes of the sheet."""
    data = np.array(asked.y_true), np.array(asked.y_pred)
    usual = [one for one in asked._confusions if one.is_usual]
    told = [asked.check(number) for one in usual for _, number in one.numbers(*data)]
    unknown = [one for one in told if one.right is not False or "no usual slip" in one.says]
    return len(told) > 3 and not unknown and asked.check(asked.solution().value).right


@claim("The judge calls your function with arrays, on all small data.")
def _():
    given = []

    def noted(y_true, y_pred):
        given.append((type(y_true), type(y_pred)))
        return f1(y_true, y_pred)

    verdict = practice.judge(f1, noted)
    all_of_them = f"all {len(given):,} small data" in verdict.says
    return bool(verdict.right) and all_of_them and set(given) == {(np.ndarray, np.ndarray)}


# --- 02


@claim(
    "B, precision: ⅓(½+0+⅓) = 5/18.", "In the third sample one of three predicted labels is true."
)
def _(question):
    data = question.y_true, question.y_pred
    hits, _, said, _ = sizes(*data)[:, 2]
    values = each(precision, *data)
    right = question.check("B").right and question.recipes["B"] == "samples precision"
    mean = same(values, [1 / 2, 0, 1 / 3]) and same(values.mean(), 5 / 18)
    return right and mean and (hits, said) == (1, 3)


@claim(
    "The last: it takes F1 of the means and prints 0.6.",
    "Each sample's F1 is 2/6, and so is their mean.",
)
def _(true, said, code, printed):
    p, r = precision(true, said), recall(true, said)
    of_the_means = same(2 * p * r / (p + r), 0.6) and "F1 per sample: 0.6\n" in printed
    script = code[: code.index("for t, p in")].strip().splitlines()
    last = "2 * p * r / (p + r)" in script[-1] and "average" not in script[-1]
    return of_the_means and last and same(each(f1, true, said), f1(true, said), 2 / 6)


@claim(
    "Many, by F2, 5/6 against 5/9: only its mistakes are mended, for it misses nothing.",
    "F1 gives both 2/3.",
)
def _(true, models):
    """A clerk who deletes false alarms leaves what recall sees."""
    few, many = models["few"], models["many"]
    mended = [recall(true, np.array(true) & np.array(said)) for said in (few, many)]
    one, two = ([fbeta(true, said, beta=b) for said in (few, many)] for b in (1, 2))
    nothing_missed = not np.any(np.array(true) > np.array(many))
    values = same(two, [5 / 9, 5 / 6]) and same(one, 2 / 3)
    return values and nothing_missed and mended[1] == 1 > mended[0]
