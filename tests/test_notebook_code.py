"""What a notebook's code says beside its output: each function is tried alone, each comment agrees."""

import ast
import io
import tokenize
from fractions import Fraction
from functools import partial
from types import SimpleNamespace as Fake

import numpy as np
import pytest
from test_names_beside import CELLS

from mlm_helpers import curves, exact_match, example_based, hamming, label_based, ranking, top_k
from mlm_helpers.course import documents, practice  # fmt: skip
from mlm_helpers.scorecard import Scorecard

TREES = {cell: ast.parse(code).body for cell, code in CELLS.items()}
FUNCTIONS = [f"{c[:2]} {n.name}" for c in TREES for n in TREES[c] if isinstance(n, ast.FunctionDef)]
IMPORTS = (ast.Import, ast.ImportFrom, ast.FunctionDef)

# ---------------------------------------------------------------------------- functions

TRUTH, SAID = [[1, 0], [1, 1]], [[1, 0], [0, 1]]
DOC = documents.RANKING
FIRST, SECOND, THIRD = DOC.labels[
    :3
]  # in model one third, second and first; FIRST and THIRD are true
SCORES = DOC.scores["model one"]
FAKE = Fake(  # the first sample is to tune on: its one label scores 0.6
    folds=lambda y, n, seed: np.array([0, 1, 1]) if (n, seed) == (2, 5) else None,
    scores=lambda repeat: {
        "one": np.array([[0.1, 0.6], [0.9, 0.2], [0.3, 0.8]]),
        "frequent": np.array([[0.5, 0.2]] * 3),
    },
)
QUARTERS = np.repeat([[0, 1, 1, 1]], 26, axis=1)  # nobody has a label of the first
GIVEN = {  # what the functions of a notebook read of it
    "00": {"LABELS": ["dog", "sun", "sea", "people"]},
    "04": {"y_true": TRUTH, "y_pred": SAID, "macro_f1": lambda t, p: p.sum(), "micro_f1": lambda t, p: -p.sum()},
    "05": {"doc": DOC, "relevant": [FIRST, THIRD], "four": [
        ranking.coverage, ranking.one_error, ranking.ranking_loss, ranking.average_precision
    ]},
    "07": {"labels": ["dog", "sea", "sun", "boat", "rain"], "k": 2},
    "09": {"by_split": [{m: {"a": 1, "b": b} for m in ("F1", "loss")} for b in (0, 0, 1, 2)], "lower": {"loss"},
           "y_true": [[1, 1, 0]], "data": Fake(y=np.array([[0, 1], [1, 0], [1, 1]])),
           "micro_f1": partial(label_based.f1, average="micro")},
    "10": {"micro_f1": partial(label_based.f1, average="micro"), "y_tune": np.array([[1, 0], [0, 1]]),
           "half": np.array([0, 1, 0, 1]), "y_true": np.array(TRUTH * 6), "said": {"trees": np.array(TRUTH * 6)}},
    "12": {"ROWS": 2, "LABELS": 6, "EACH": 2, "WIDTH": 3},
}  # fmt: skip
THIRDS = Fraction(2, 3)
CARD = Scorecard.from_batch(TRUTH, SAID)
OTHER = Scorecard.from_batch(TRUTH, [[1, 0], [1, 0]])
TRIED = {  # a function, and what else its notebook has: whether it does what a pencil does
    "00 label_set": lambda f, n: f([1, 0, 1, 0]) == {"dog", "sea"},
    "01 my_exact_match": lambda f, n: practice.judge(exact_match.subset_accuracy, f).right is False,
    "02 label_set": lambda f, n: f([1, 0, 1]) == {1, 3},
    "02 my_f1": lambda f, n: practice.judge(example_based.f1, f).right is False,
    "02 f_beta": lambda f, n: f({1, 2, 3}, {3}, 2) == Fraction(5, 13),
    "03 my_hamming_loss": lambda f, n: practice.judge(hamming.hamming_loss, f).right is False,
    "03 first": lambda f, n: f(2, 3) == [[1, 1, 0]],
    "04 count": lambda f, n: [f(0), f(1)] == [[1, 0, 1, 0], [1, 0, 0, 1]],
    "04 five_f1s": lambda f, n: [*f([[1, 0]], [[1, 1]]).values()] == [1 / 2, THIRDS, 1, THIRDS, 1 / 2],
    "04 matrices": lambda f, n: [m.tolist() for m in f(1, 2)] == [[[0, 0]], [[0, 1]], [[1, 0]], [[1, 1]]],
    "04 full": lambda f, n: [bool(f(np.array(m))) for m in (SAID, [[1, 1], [0, 0]], [[1, 0], [1, 0]])] == [True, False, False],
    "04 all_differ": lambda f, n: not f([[1, 0]], [[1, 1]]),
    "04 quarrels": lambda f, n: len([*f(1, 2)]) == 5,  # six pairs, of which one has equally many
    "04 cf1": lambda f, n: f([[1, 0]], [[1, 1]]) == 1 / 2,  # of mean precision and mean recall, both 1/2
    "04 reversals": lambda f, n: n.update(cf1=lambda t, p: p.sum(), label_based=Fake(f1=lambda t, p: -p.sum()))
    or len([*f(1, 2)]) == 4 * 5,  # truths, and pairs as above
    "04 my_macro_f1": lambda f, n: practice.judge(label_based.f1, f).right is False,
    "05 as_fraction": lambda f, n: f(0.666667) == THIRDS,
    "05 labels_at": lambda f, n: f(0.5, [0.5, 0.4]) == [1, 0],
    "05 sorted_labels": lambda f, n: f(SCORES)[:3] == [THIRD, SECOND, FIRST],
    "05 two_ranks": lambda f, n: f(SCORES) == [(THIRD, 1, 1), (FIRST, 2, 3)],
    "05 by_hand": lambda f, n: f(SCORES) == (3, 0, "1/6", Fraction(5, 6)),
    "05 theirs_one_error": lambda f, n: f([[1, 0]], [[0.1, 0.9]]) == 1,
    "05 judge": lambda f, n: f((1, 3), 3) == [3, 0, 1 / 2, Fraction(5, 6)],
    "05 contradictions": lambda f, n: [*f(ranking.coverage, 4)] == ["(1, 4) or (2, 3)"]
    and n.update(judge=lambda places, _: [sum(2**place for place in places)] * 4) is None
    and len([*f(ranking.coverage, 3)]) == 6,  # where each pair is one: three pairs of one, three of two
    "05 my_ranking_loss": lambda f, n: practice.judge(ranking.ranking_loss, f).right is False,
    "06 under_straight_lines": lambda f, n: f([0, 1], [0.9, 0.8]) == 1 / 4,  # from (0, 0) to (1, 1/2)
    "06 my_map": lambda f, n: practice.judge(curves.average_precision, f).right is False,
    "07 first": lambda f, n: f([0.1, 0.9, 0.5, 0.4, 0.8]) == ["sea", "rain"],
    "07 judge": lambda f, n: [f((1, 2)), f((3,))] == [(1, 1, THIRDS, 1), (0, 0, THIRDS / 2, 1 / 2)],
    "07 my_recall": lambda f, n: practice.judge(partial(top_k.recall, k=2, ties="first"), f).right is False,
    "08 sigmoid": lambda f, n: np.allclose(f([0, np.log(3), -np.log(3)]), [0.5, 0.75, 0.25]),
    "08 expected": lambda f, n: f(lambda t, s: t[0] == s[0], {(0,): THIRDS, (1,): 1 - THIRDS}, (0,)) == THIRDS,
    "09 split": lambda f, n: n.update(emoji=FAKE) or [x.tolist() for x in (lambda t, score, said: [t, score["one"], *said.values()])(*f(4))]
    == [[[1, 0], [1, 1]], [[0.9, 0.2], [0.3, 0.8]], [[1, 0], [0, 1]], [[1, 0], [1, 0]], [[0, 0], [0, 0]]],
    "09 judged": lambda f, n: f(example_based.f1, [[1, 0]], {"a": [[0.5, 0.4]]}, {"a": [[0, 1]]}) == {"a": 0}
    and f(ranking.one_error, [[1, 0]], {"a": [[0.5, 0.4]]}, {"a": [[0, 1]]}) == {"a": 0},
    "09 by_quarter": lambda f, n: f(QUARTERS, QUARTERS).tolist() == [0, 1, 1, 1],
    "09 wins": lambda f, n: [f(m, *pair) for m in ("F1", "loss") for pair in ("ab", "ba")] == [2, 1, 1, 2],
    "09 bill": lambda f, n: f([[0, 0, 1]], 4, 1) == 9,
    "09 fbeta": lambda f, n: f([[1, 0, 0]], 2) == pytest.approx(5 / 9),
    "10 label_sets": lambda f, n: f(np.array([[0.9, 0.3], [0.8, 0.7], [0.2, 0.5], [0.5, 0.4]])).tolist() == [[1, 1], [1, 0]],
    "10 variance": lambda f, n: f([Fraction(1), Fraction(0), Fraction(1)]) == THIRDS / 3,
    "10 labels_said": lambda f, n: f(None, np.array([[1, 1], [1, 0]])) == 3 / 2,
    "10 error_by_cells": lambda f, n: f([[1, 1]], [[1, 1]]) == 0  # else 2p ÷ (1 + p) of a share p, by its slope
    and f([[1], [0]] * 500, [[1]] * 1000) == pytest.approx(2 / 1.5**2 * (0.25 / 1000) ** 0.5, rel=0.03),
    "10 error_of": lambda f, n: f(np.arange(12)) == 0,
    "10 share_right": lambda f, n: f(np.array(TRUTH), np.array(SAID)) == 3 / 4,
    "12 same": lambda f, n: f(CARD, CARD) and not f(CARD, OTHER),
    "12 card_of": lambda f, n: n.update(np=Fake(load=lambda name, mmap_mode: {"a_true.npy": TRUTH, "a_pred.npy": SAID}[name]))
    or f("a").values() == CARD.values(),
    "12 replicated": lambda f, n: n.update(truth=np.array(TRUTH), said=np.array(SAID))
    or (f(0, 2).n_samples, f(1, 2).replicates.rows, f(0, 1).replicates.number) == (2, ((1, 2),), 200),
    "12 most_memory": lambda f, n: f(Fake(monitor=Fake(quantities={"memory": [2, 3, 1]}))) == 3,
    "12 csr": lambda f, n: f(np.array([[0, 1], [2, 0]])).nonzero()[1].tolist() == [0, 4, 2, 3],
}  # fmt: skip


def test_every_function_of_a_notebook_is_tried():
    assert sorted(FUNCTIONS) == sorted(TRIED)


@pytest.mark.parametrize("function", TRIED)
def test_it_does_what_a_pencil_does(function):
    number, name = function.split()
    nodes = [
        n for cell in TREES if cell[:2] == number for n in TREES[cell] if isinstance(n, IMPORTS)
    ]
    names = {}
    exec(compile(ast.Module(nodes, []), function, "exec"), names)
    names |= GIVEN.get(number, {})
    assert TRIED[function](names[name], names)


# ---------------------------------------------------------------------------- comments

COMMENTS = {  # and the code that makes it true
    "your code": "  # your code\n\n\npractice.judge(",
    "Where widgets run: click a cell, and see which metrics move.": "\npractice.explore(",
    "your letter between the quotes": 'question.check("")  #',
    "Pairs of lists of which average precision prefers one, and the loss the other.": "(one[-1] - two[-1]) > 0",
    "ten photos": "np.arange(10)[:, None] < seen  #",
    "truth and prediction": "first = [[1, 0], [1, 1]], [[1, 0], [0, 1]]  #",
    "The same metrics with the same values, but for rounding in the last digits.": "rel_tol=1e-12",
    "of 256 bytes, so many make a label true": "rng.integers(256, size=(ROWS, LABELS), dtype=np.uint8)\n    true, said = byte < cut,",
    "of each label, if the bytes were drawn in equal numbers": "f1s = 1 - 10 / cut  #",
    "bytes that a worker may hold": "LIMIT = 250 * 2**20  #",
    "such as tcp://scheduler:8786": 'os.environ.get("DASK_SCHEDULER_ADDRESS")  #',
    "again, not what Dask remembers": "pure=False)  #",
    "of a positive 1.5 higher, on average": "score = rng.normal(1.5 * truth)  #",
    "of the second, one score lies outside [0, 1]": "calls = [[0.4, 0.1]], [[0.4, 2.0]]  #",
    "rows on which the model is bad": "odd = rng.random((2_000, 1)) < 0.2  # rows on which the model is bad\nwrong = rng.random(truth.shape) < 0.02 + 0.2 * odd",
    "your answer between the quotes": 'asked.check("")  #',
    "the 20 largest": "np.sort(tossed, axis=0)[-21]",
    "small numbers are frequent": "** 3).astype(int)  #",
    "and the model knows them better": "> true / WIDTH  #",
    "Every sample has one label from each fifth of the labels.": "WIDTH * np.arange(EACH)",
}  # fmt: skip


def comments(code):
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    yield from (t.string.lstrip("# ") for t in tokens if t.type == tokenize.COMMENT)
    functions = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.FunctionDef)]
    yield from filter(None, map(ast.get_docstring, functions))


def test_a_comment_stands_by_the_code_that_makes_it_true():
    found = {comment: code for code in CELLS.values() for comment in comments(code)}
    assert sorted(found) == sorted(COMMENTS)
    assert [comment for comment, code in found.items() if COMMENTS[comment] not in code] == []


# ---------------------------------------------------------------------------- thresholds, and what is opened

CLOSES = {
    "TemporaryDirectory": "cleanup",
    "LocalCluster": "close",
    "Client": "close",
    "open": "close",
}


def careless(code):
    """Scores that a threshold equals and that are not predicted; what is opened and never closed."""
    nodes = [*ast.walk(ast.parse(code))]
    for node in (node for node in nodes if isinstance(node, ast.Compare)):
        scores = ["score" in ast.unparse(side) for side in (node.left, node.comparators[0])]
        if scores == [True, False] and isinstance(node.ops[0], ast.Gt):
            yield ast.unparse(node)
    for node in (node for node in nodes if isinstance(node, ast.Assign)):
        calls = [n for n in ast.walk(node.value) if isinstance(n, ast.Call)]
        for end in {CLOSES.get(ast.unparse(call.func).split(".")[-1]) for call in calls} - {None}:
            if f"{ast.unparse(node.targets[0])}.{end}()" not in code:
                yield ast.unparse(node)


SHOWN = ["score > 0.5"]  # in 11, beside score >= 0.5


@pytest.mark.parametrize("number", sorted({cell[:2] for cell in CELLS}))
def test_a_score_at_the_threshold_is_predicted_and_what_is_opened_is_closed(number):
    notebook = [code for cell, code in CELLS.items() if cell[:2] == number]
    assert [*careless("\n".join(notebook))] == (SHOWN if number == "11" else [])


@pytest.mark.parametrize(
    "code",
    ["y_pred = y_score > cut", "folder = tempfile.TemporaryDirectory()", "client = Client(x)"],
)
def test_what_is_careless_is_found(code):
    assert [*careless(code)] != []


def test_a_wrong_function_and_a_stray_comment_are_found():
    assert not TRIED["12 same"](lambda one, other: True, {})
    assert not TRIED["09 judged"](
        lambda metric, true, score, said: {m: metric(true, said[m]) for m in said}, {}
    )
    stray = 'x = 1  # one\n\n\ndef f():\n    """Two."""\n'
    assert [*comments(stray)] == ["one", "Two."]
