"""The ladders of notebooks 04 to 07."""

from fractions import Fraction
from functools import partial

import numpy as np

from claims import claim
from mlm_helpers import curves, label_based, ranking, top_k
from mlm_helpers.course import documents, figures
from mlm_helpers.course.practice.confusions import Confusion


@claim("A wrong answer is told what it computes.")
def _(asked):
    """Each usual mistake gives another number, of which its own words are said."""

    def told(one: Confusion) -> bool:
        found = [number for _, number in one.numbers(*asked.data)]
        said = [asked.check(repr(number)) for number in found]
        return all(v.right is False and "no usual slip" not in v.says for v in said)

    usual = [one for one in asked.confusions if one.is_usual]
    return len(usual) > 3 and all(map(told, usual)) and asked.check("").right is None


# --- 04


@claim(
    "The note with formulas also draws micro-F1 of four variants of a model over eight epochs of"
    " training, with and without (“w/o”) two parts.",
    "Which variant ends in front, and at which epoch is it last?",
    "The one with both parts; at epoch 4 it is last.",
)
def _(note):
    variants = [[part.split() for part in name.split(", ")] for name in note.curves]
    places = {(a, b) for (a, _), (b, _) in variants}
    winner = note.curves["w/ ATM, w/ APP"]
    ranks = [1 + sum(line[i] > winner[i] for line in note.curves.values()) for i in range(8)]
    return (
        note is documents.FORMULAS
        and places == {(a, b) for a in ("w/", "w/o") for b in ("w/", "w/o")}
        and {(a, b) for (_, a), (_, b) in variants} == {("ATM", "APP")}
        and list(note.epochs) == list(range(1, 8 + 1))
        and all(p.of.startswith("micro-F1") for p in note.published)
        and (ranks[-1], [i for i, rank in enumerate(ranks, 1) if rank == 4]) == (1, [4])
    )


@claim("The axis above does not start at 0, so small steps look large.", "Here it does:")
def _(note, code):
    drawn = partial(figures.training_curves, note.curves, note.epochs)
    (above, _), (here, _) = drawn().get_ylim(), drawn(limits=(0, 1)).get_ylim()
    first, second = map(code.find, ("(note.curves, note.epochs)", "note.epochs, limits=(0, 1))"))
    return above > 0 == here and 0 < first < second


@claim(
    "if t.any() leaves out a label that nobody has, and its false alarms with it.",
    "F1 of label 3 is 0/2, not 0/0, and macro-F1 is 2/3.",
)
def _(true, said, values, printed):
    tp, fp, fn, _ = (count.tolist() for count in label_based.confusion(true, said))
    return (
        (values, tp, fp, fn) == ([1, 1], [1, 1, 0], [0, 0, 2], [0, 0, 0])
        and not true[:, 2].any()
        and np.isclose(label_based.f1(true, said, zero_division=np.nan), 2 / 3)
        and "macro-F1 1.0\n" in printed
    )


@claim(
    "For the hospital the first, by micro-F1: it makes one mistake, the second two.",
    "For the doctor the second, by macro-F1: the first never finds disease 1.",
)
def _(found, truth, one, other, micro_f1, macro_f1):
    mistakes = [int((truth != said).sum()) for said in (one, other)]
    same = all(map(np.array_equal, found[0], (truth, one, other)))
    return (
        same
        and mistakes == [1, 2]
        and micro_f1(truth, one) > micro_f1(truth, other)
        and macro_f1(truth, one) < macro_f1(truth, other)
        and label_based.recall(truth, one, average=None)[0] == 0 < truth[:, 0].sum()
        and label_based.recall(truth, other, average=None).all()
    )


# --- 05


@claim("D, ranking loss: ⅓(3/4 + 1/3 + 1/3) = 17/36.")
def _(question):
    """Of each sample, pairs of a relevant and an irrelevant label with the lower score first."""
    losses = []
    for truth, score in zip(question.y_true, question.y_score, strict=True):
        pairs = [(a, b) for a, t in zip(score, truth, strict=True) if t
                 for b, u in zip(score, truth, strict=True) if not u]  # fmt: skip
        losses.append(Fraction(sum(a < b for a, b in pairs), len(pairs)))
    return (
        losses == [Fraction(3, 4), Fraction(1, 3), Fraction(1, 3)]
        and sum(losses) / 3 == Fraction(17, 36)
        and question.recipes["D"] == "ranking loss"
        and question.check("D").right is True
    )


@claim('Mind the ties: the rule is "worst".')
def _(asked):
    """By other rules the value is another one, and the solution's is that of this rule."""
    data = asked.y_true, asked.y_score
    found = {
        rule: ranking.average_precision(*data, ties=rule) for rule in ("worst", "best", "average")
    }
    value = float(asked.solution())
    return np.isclose(found.pop("worst"), value) and not np.isclose([*found.values()], value).any()


@claim("The script is right about model one, but not about model two.")
def _(models, y_true, places, printed):
    """What it takes for ranks is, at the end, that of model two."""
    right = [ranking.coverage(y_true, [scores]) for scores in models.values()]
    said = [f"coverage of {model} {n}" in printed for model, n in zip(models, (3, 5), strict=True)]
    wrong = max(place for place, true in zip(places, y_true[0], strict=True) if true)
    return right == [3, 4] and all(said) and wrong == 5


@claim(
    "argsort says which label stands at each place; a rank is the place of each label.",
    "For model one the two are the same numbers, for model two not.",
    "Sort twice, or take ranking.ranks.",
)
def _(models, code):
    same = []
    for scores in models.values():
        at_place = [1 + label for label in np.argsort([-score for score in scores])]
        place_of = [1 + sorted(scores, reverse=True).index(score) for score in scores]
        twice = 1 + np.argsort(np.argsort([-score for score in scores]))
        same.append(at_place == place_of)
        if not place_of == twice.tolist() == ranking.ranks([scores])[0].tolist():
            return False
        if [at_place.index(1 + label) + 1 for label in range(5)] != place_of:
            return False
    return same == [True, False] and "ranking.ranks" in code


@claim(
    "For the page model three, by one-error: its first label is relevant.",
    "For the archivist model four, by coverage: she reads three labels instead of five.",
)
def _(contrary, y_true):
    read = {
        model: (ranking.one_error(y_true, [s]), ranking.coverage(y_true, [s]))
        for model, s in contrary.items()
    }
    return read == {"model three": (0, 5), "model four": (1, 3)}


# --- 06


@claim(
    "2/5, the precision at photo 4.",
    "It is photo 4 that spoils the pairs, too: all three negatives stand above it, none above photo 1.",
)
def _(y_true, y_score, photos):
    score = dict(zip(photos, y_score[:, 1], strict=True))
    sea = {photo for photo, true in zip(photos, y_true[:, 1], strict=True) if true}
    above = {p: [q for q in photos if q not in sea and score[q] > score[p]] for p in sea}
    last = min(sea, key=score.get)
    down_to = [photo in sea for photo in photos if score[photo] >= score[last]]
    return (
        (last, sum(down_to), len(down_to)) == ("photo 4", 2, 5)
        and {photo: len(negatives) for photo, negatives in above.items()}
        == {"photo 1": 0, "photo 4": 3}
        and len(photos) - len(sea) == 3
    )


@claim("AUROC this time, the mean over two labels.")
def _(asked):
    each = curves.roc_auc(asked.y_true, asked.y_score, average=None)
    return len(each) == 2 and np.isclose(float(asked.solution()), np.mean(each))


@claim("The script says that the model is no better than chance.")
def _(y_true, y_score, printed):
    """As it is for scores that are all the same."""
    chance = curves.roc_auc(y_true, np.full(y_score.shape, 0.5))
    return f"macro AUROC {chance}\n" in printed


@claim(
    "It gives labels where scores are asked.",
    "Then a list has only two scores, 1 and 0, and half of the pairs are tied.",
    "From the scores themselves comes 0.583.",
)
def _(y_true, y_score, y_pred):
    tied = [
        a == b
        for truth, said in zip(y_true.T, y_pred.T, strict=True)
        for a in said[truth == 1]
        for b in said[truth == 0]
    ]
    return (
        all({*column} == {0, 1} for column in y_pred.T)
        and (sum(tied), len(tied)) == (6, 12)
        and round(curves.roc_auc(y_true, y_score), 3) == 0.583
        and round(curves.roc_auc(y_true, y_pred), 3) == 0.5
    )


@claim("Another model ranks each column well, but says sea before dog on every photo.")
def _(y_true, dogs, seas):
    leads = curves.roc_auc(y_true, np.column_stack([dogs, seas]), average=None).tolist()
    return leads == [1, 1] and all(sea > dog for dog, sea in zip(dogs, seas, strict=True))


@claim(
    "For the page another, by mAP: 1 against 0.753.",
    "For the word our model, by LRAP: 1 against 0.7, since the other puts sea under every dog.",
)
def _(y_true, y_score, dogs, seas):
    """Of one true word of two, average precision is 1 where it leads, and else 1/2."""
    other = np.column_stack([dogs, seas])
    ours = [curves.average_precision(y_true, scores) for scores in (y_score, other)]
    leads = [(scores.argmax(1) == y_true.argmax(1)) for scores in (y_score, other)]
    return (
        (y_true.sum(axis=1) == 1).all()
        and [round(value, 3) for value in ours] == [0.753, 1]
        and np.allclose([np.where(lead, 1, 0.5).mean() for lead in leads], [1, 0.7])
        and not leads[1][y_true[:, 0] == 1].any()
    )


# --- 07


@claim("Sea is a hit, rain is none.", "P@2 is 1/2, and R@2 is 1/3, as three tags are true.")
def _(y_true, y_score, labels):
    tags = sorted(zip(y_score[1], labels, y_true[1], strict=True), reverse=True)
    shown = [(label, true) for _, label, true in tags[:2]]
    return (
        shown == [("sea", 1), ("rain", 0)]
        and sum(y_true[1]) == 3
        and top_k.precision(y_true[1:], y_score[1:], k=2) == 1 / 2
        and np.isclose(top_k.recall(y_true[1:], y_score[1:], k=2), 1 / 3)
    )


@claim("The discounts are in the table above.")
def _(asked, discount):
    """As many as the sheet's window has places."""
    k = len(discount)
    value = top_k.ndcg(asked.y_true, asked.y_score, k=k)
    one_more = top_k.ndcg(asked.y_true, asked.y_score, k=k + 1)
    return np.isclose(float(asked.solution()), value) and not np.isclose(value, one_more)


@claim("By this script no model can have nDCG 1 on photo one.")
def _(y_true, discount, values):
    """With its true tag on top it is as in the table, and nothing is above that."""
    most = max(discount[:1]) / sum(discount)
    return sum(y_true[0]) == 1 and np.isclose(values[0], most) and most < 1


@claim(
    "sum(discount) is the DCG of three hits, and photo one has one true tag.",
    "Divide by the DCG of its own best order: nDCG of photo one is 1, not 0.469, and the mean is"
    " 0.852, not 0.587.",
)
def _(y_true, y_score, discount, values):
    three = sum(1 / np.log2(place + 1) for place in (1, 2, 3))
    best = [sum(discount[: min(3, sum(row))]) for row in y_true]
    mended = [value * sum(discount) / b for value, b in zip(values, best, strict=True)]
    return (
        np.isclose(sum(discount), three)
        and sum(y_true[0]) == 1
        and np.allclose(mended, top_k.ndcg(y_true, y_score, k=3, per_sample=True))
        and [round(mended[0], 3), round(values[0], 3)] == [1, 0.469]
        and [round(np.mean(v), 3) for v in (mended, values)] == [0.852, 0.587]
    )


@claim(
    "The one that says boat, by PSP@1: 1 against 0.706.",
    "P@1 cannot tell the two apart.",
    "But say that the boat's propensity is a guess from a single photo.",
)
def _(dog_and_boat, says, q, labels, y_train):
    true = [label for label, is_true in zip(labels, dog_and_boat[0], strict=True) if is_true]
    said = {name: labels[row[0].index(1)] for name, row in says.items()}
    worth = dict(zip(labels, q, strict=True))
    values = {name: worth[label] / max(map(worth.get, true)) for name, label in said.items()}
    return (
        (true, said) == (["dog", "boat"], {"says dog": "dog", "says boat": "boat"})
        and [round(value, 3) for value in values.values()] == [0.706, 1]
        and [top_k.precision(dog_and_boat, row, k=1) for row in says.values()] == [1, 1]
        and y_train[:, labels.index("boat")].sum() == 1
    )
