"""What the teacher's notes say is so: each note of `decks.toml` has a check here, and stands beside its slide."""

from __future__ import annotations

import inspect
import re
from fractions import Fraction

import numpy as np
import pytest

from mlm_helpers import conventions, disagreement, example_based, label_based, ranking, top_k
from mlm_helpers.course import documents
from tools.notebooks import NOTEBOOKS, read
from tools.slides import decks

CHOICES = decks.choices()
NOTES = {
    (name, phrase): note
    for name, chosen in CHOICES.items()
    for phrase, note in chosen.get("notes", {}).items()
}
GUIDE = np.array(documents.SKLEARN_GUIDE.y_true), np.array(documents.SKLEARN_GUIDE.y_pred)
CREDIT = np.array(documents.PARTIAL_CREDIT.y_true), np.array(documents.PARTIAL_CREDIT.y_pred)
TOPICS = documents.RANKING
DATA = {name: chosen.get("data", {}) for name, chosen in CHOICES.items()}


def printed(name):
    """All that a notebook says and prints."""
    return "\n".join(f"{cell.source} {cell.get('outputs', '')}" for cell in read(NOTEBOOKS / f"{name}.ipynb").cells)  # fmt: skip


def in_print(name, *words):
    return all(word in printed(name) for word in words)


def hits_over_true():
    hits = (GUIDE[0] & GUIDE[1]).sum()
    by_hand = Fraction(int(hits), int(GUIDE[0].sum()))
    micro = label_based.recall(*GUIDE, average="micro")
    return by_hand == Fraction(4, 7) and abs(micro - 4 / 7) < 1e-12


def rows_with_a_mistake():
    wrong = GUIDE[0] != GUIDE[1]
    return wrong.any(axis=1).sum() == 2 and not wrong.all(axis=1).any() and (GUIDE[0] & GUIDE[1])[2].any()  # fmt: skip


def below_one_half():
    straight = next(n for n in range(1, 20) if 1 - Fraction(n, 10) < Fraction(1, 2))
    product = next(n for n in range(1, 20) if Fraction(9, 10) ** n < Fraction(1, 2))
    return (straight, product) == (6, 7)


def one_of_four():
    true, said = CREDIT[0][0], CREDIT[1][0]
    nobody = np.flatnonzero((true | said) == 0)
    return (true & said).sum() == 1 and len(true) == 4 and (nobody + 1).tolist() == [2]


def harmonic_mean_of_the_means():
    p, r = example_based.precision(*CREDIT), example_based.recall(*CREDIT)
    return round(2 * p * r / (p + r), 3) == 0.662


def five_of_nine():
    return (GUIDE[0] != GUIDE[1]).sum() == 5 and (GUIDE[0] | GUIDE[1]).sum() == 9


def hits_of_label_3():
    hits = np.array(documents.MACRO_MICRO.y_true) & np.array(documents.MACRO_MICRO.y_pred)
    return hits.sum() == 7 and hits[:, 2].sum() == 1


def places_of_sport():
    one, two = TOPICS.examples["model one"], TOPICS.examples["model two"]
    places = [ranking.ranks(model.y_score)[0][TOPICS.labels.index("sport")] for model in (one, two)]
    return one.y_pred == two.y_pred and places == [3, 4]


def logits_and_sigmoids():
    logits = np.array([0.5, 1.0, 2.0, -3.0, -2.0])  # sport is the first label
    sigmoids = 1 / (1 + np.exp(-logits))
    is_printed = "logits = np.array([[0.5, 1.0, 2.0, -3.0, -2.0]])" in printed("05_ranking")
    note = NOTES["05_ranking", "which labels will be above 0.5?"]
    is_printed &= f": {', '.join(f'{logit:g}' for logit in logits)}.".replace("-", "−") in note
    return is_printed and (logits > 0.5).sum() == 2 and (sigmoids > 0.5).sum() == 3 and TOPICS.labels[0] == "sport"  # fmt: skip


def photo_1_is_second():
    scores = np.array(DATA["06_curves"]["y_score"])[:, 0]
    truth = np.array(DATA["06_curves"]["y_true"])[:, 0]
    order = np.argsort(-scores)
    without = [photo for photo in order if photo != 0]
    return order[1] == 0 and not truth[0] and np.flatnonzero(truth[without])[-1] + 1 == 3


def recall_of_photo_one():
    data = DATA["07_top_k"]
    return top_k.recall(data["y_true"], data["y_score"], k=3, per_sample=True)[0] == 1 == sum(data["y_true"][0])  # fmt: skip


def a_tie():
    tie = [[0, 0, 1]], [[0.5, 0.5, 0.5]]
    first, last = (top_k.precision(*tie, k=1, ties=rule) for rule in ("first", "last"))
    return (first, last) == (0, 1) and abs(top_k.precision(*tie, k=1) - 1 / 3) < 1e-12


def two_tags_a_little_less_likely():
    """By hand: two tags with the chance 2/5 each; both, one or nothing is said."""
    p = Fraction(2, 5)
    both, one, none = p * p, p * (1 - p), (1 - p) ** 2  # one: a given one alone
    f1 = {0: Fraction(0), 1: both * Fraction(2, 3) + one, 2: both + 2 * one * Fraction(2, 3)}
    wrong = {0: p, 1: Fraction(1, 2), 2: 1 - p}
    right = {0: none, 1: one, 2: both}
    return (max(f1, key=f1.get), min(wrong, key=wrong.get), max(right, key=right.get)) == (2, 0, 0)


def a_thousandth():
    return round(1 / 786, 3) == 0.001 and in_print("10_how_sure", "0.0118", "786 pictures")


def two_rules():
    numbers = {r.name: r for r in conventions.recorded()}["perfect+both_empty"].numbers["samples F1"]  # fmt: skip
    return (numbers["MULAN"], numbers["scikit-learn"]) == (1, 0.5)


def on_the_board(note, labels):
    """Truth and prediction as matrices, of the sets that a note writes down."""
    parts = note.partition(". Who")[0].split("predicted")
    sets = [[row.split(", ") for row in re.findall(r"{(.*?)}", part)] for part in parts]
    return [[[int(str(j) in row) for j in labels] for row in part] for part in sets]


def sets_on_the_board():
    note = NOTES["11_conventions", "which three numbers could be called accuracy here?"]
    case = {r.name: r for r in conventions.recorded()}["label_only_predicted"]
    numbers = "whole rows (0.5), the share of each row (0.75), cells (0.833)"
    is_printed = in_print("11_conventions", numbers)
    return is_printed and on_the_board(note, (1, 2, 3)) == [case.y_true, case.y_pred]


def half_of_one():
    mixed = {r.name: r for r in conventions.recorded()}["bad+no_relevant"].numbers["coverage"]
    return abs(mixed["scikit-learn"] - mixed["MULAN"]) == 0.5 and in_print(
        "11_conventions", "in both, the empty sample counts 0"
    )


def five_maps():
    record = {r.name: r for r in conventions.recorded()}["column_three_tied"]
    ties = sum(score == [0.5] for score in record.y_score)
    return ties == 3 and len({round(n, 3) for n in record.numbers["macro AP"].values()}) == 5


def all_rows():
    rows = [[1, 0], [1, 1], [0, 1]], [[1, 0], [0, 1], [1, 1]]
    note = NOTES["12_at_scale", "What is the macro F1 of all three rows?"]
    is_theirs = in_print("12_at_scale", "first = [[1, 0], [1, 1]], [[1, 0], [0, 1]]", "second = [[0, 1]], [[1, 1]]")  # fmt: skip
    first, second = Fraction(5, 6), Fraction(1, 2)
    means = (first + second) / 2, (2 * first + second) / 3
    is_theirs &= label_based.f1(*rows) == 3 / 4 and on_the_board(note, (1, 2)) == [*rows]
    return is_theirs and means == (Fraction(2, 3), Fraction(13, 18))


def always_is_five_of_five():
    says = "5 : 0 and 0 : 5 in one column are a reversal that holds. 3 : 2 may be luck: whoever has one split sees either."
    return in_print("09_choosing_a_metric", says, 'for s in ("5 : 0", "0 : 5")')


def all_but_three_pairs():
    says = "Any two metrics of the table can disagree, those three pairs apart: a second metric *can* say something new."
    look = "Look further, at three samples or five labels."
    return len(disagreement.SAME_ORDER) == 3 and in_print("09_choosing_a_metric", says, look)


def halved_by_an_unused_label():
    changed = label_based.f1([[1, 0]], [[1, 0]])
    return (label_based.f1([[1]], [[1]]), changed) == (1, 0.5) and in_print("09_choosing_a_metric", "Here are nine changes")  # fmt: skip


CHECKS = {
    ("00_start_here", "How accurate is this model?"): hits_over_true,
    ("01_exact_match", "How many of the three rows are right?"): rows_with_a_mistake,
    ("01_exact_match", "with how many labels does it fall below one half?"): below_one_half,
    ("02_example_based", "In the first sample one label is a hit"): one_of_four,
    ("02_example_based", "The document calls F1 the harmonic mean"): harmonic_mean_of_the_means,
    ("03_hamming_loss", "How many of the twelve cells are wrong?"): five_of_nine,
    ("04_label_based", "There is one mistake: sample 2"): hits_of_label_3,
    ("05_ranking", "Put the labels in the order"): places_of_sport,
    ("05_ranking", "which labels will be above 0.5?"): logits_and_sigmoids,
    ("06_curves", "Sort the photos by their score"): photo_1_is_second,
    ("07_top_k", "Which three tags are shown"): recall_of_photo_one,
    ("07_top_k", "Three tags have the same score"): a_tie,
    ("08_thresholds", "Say every tag with a score"): lambda: DATA["08_thresholds"]["y_score"][1][2] == 0.5,
    ("08_thresholds", "Suppose two tags, each a little less likely"): two_tags_a_little_less_likely,
    ("09_choosing_a_metric", "Under which metrics does “nothing” look good?"): lambda: in_print("09_choosing_a_metric", "nothing 0.233"),
    ("09_choosing_a_metric", "names of the smaller side"): always_is_five_of_five,
    ("09_choosing_a_metric", "smallest first, for a truth and two predictions"): all_but_three_pairs,
    ("09_choosing_a_metric", 'changes["macro F1"'): halved_by_an_unused_label,
    ("10_how_sure", "Suppose somebody draws 786 other pictures"): a_thousandth,
    ("11_conventions", "What is its F1, averaged over the samples?"): two_rules,
    ("11_conventions", "which three numbers could be called accuracy here?"): sets_on_the_board,
    ("11_conventions", "what happens if one sample of two has no label?"): half_of_one,
    ("11_conventions", "how many numbers will you see?"): five_maps,
    ("12_at_scale", "What is the macro F1 of all three rows?"): all_rows,
    ("12_at_scale", "which of its cards are lost"): lambda: in_print("12_at_scale", "Dask knows from which call each card came, and makes that call again"),
    ("12_at_scale", "will macro F1 be near micro F1?"): lambda: in_print("12_at_scale", "<td>0.75</td>", "<td>0.505</td>", "<td>4.999</td>"),
}  # fmt: skip


def test_every_note_has_a_check():
    assert NOTES.keys() == CHECKS.keys()


@pytest.mark.parametrize("where", CHECKS, ids=" | ".join)
def test_a_note_is_true(where):
    assert CHECKS[where]()


@pytest.mark.parametrize("name", sorted(CHOICES))
def test_every_question_has_a_note_of_its_own(name):
    deck = decks.deck(name, CHOICES[name])
    for place, cell in enumerate(deck.cells):
        if "predict" in cell.metadata.get("tags", ()):
            later = deck.cells[place:]
            beside = next(c.source for c in later if c.metadata.slideshow.slide_type == "notes")
            assert beside.startswith(tuple(CHOICES[name]["notes"].values()))


@pytest.mark.parametrize("where", CHECKS, ids=" | ".join)
def test_a_number_of_a_note_is_one_that_its_check_names(where):
    """Whoever changes it comes upon the check."""
    numbers = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
    named = numbers.findall(inspect.getsource(CHECKS[where]).replace("_", " "))
    assert [one for one in numbers.findall(NOTES[where]) if one not in named] == []
