"""What tests compare with tells apart what is off by little more than its tolerance."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import nan
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import drawing
import notebook_rules
import numpy as np
import pytest
import test_curves
import test_disagreement
import test_explore_browser
import test_glossary_means
import test_identify
import test_inputs
import test_invariance
import test_scorecard
import test_scorecard_replicates
import test_small_worlds
import test_small_worlds_sklearn
import test_worked
import worlds

from benchmarks import measure, scale
from benchmarks.measure import Result, Tool
from mlm_helpers import catalogue, conventions, curves, example_based
from mlm_helpers.conventions import tool as records
from mlm_helpers.counts import Counts
from mlm_helpers.invariance import Change
from mlm_helpers.scorecard import Scorecard

ONE = ([[1, 1, 0], [0, 0, 1]], [[1, 0, 1], [0, 1, 1]])
F1 = catalogue.of(example_based.f1)
THIRD = Fraction(1, 3)


def holds(compare: Callable[..., Any], *arguments: Any) -> bool:
    """Whether a comparison says yes: it returns no no, and no assertion of it fails."""
    try:
        return compare(*arguments) is not False
    except (AssertionError, ValueError, pytest.fail.Exception):
        return False


def card(weight: float) -> Scorecard:
    return Scorecard.from_batch(*ONE, sample_weight=[1.0, weight])


def counted(off: float) -> Any:
    """A card of which the weighted counts alone are off."""
    whole = card(1.5)
    confusion = [counts * (1 + off) for counts in whole.confusion or ()]
    names = ("n_samples", "n_labels", "labels", "conventions", "sums", "values", "undefined")
    return SimpleNamespace(confusion=confusion, **{name: getattr(whole, name) for name in names})


def drawn(weight: float | None = None, **options: int) -> Scorecard:
    """A card with replicates, weighted or not."""
    weights = None if weight is None else [1.0, weight]
    return Scorecard.from_batch(*ONE, sample_weight=weights, replicates=4, **options)


def off(part: str, place: int, share: float, weight: float | None = None) -> Scorecard:
    """The same, of which some sums or counts are off; those that are 0 stay so."""
    kept: Any = drawn(weight)
    moved = [np.array(each) for each in getattr(kept.replicates, part)]
    moved[place] = (moved[place] * (1 + share)).astype(moved[place].dtype)
    moved = np.array(moved) if part == "sums" else Counts(*moved)
    return replace(kept, replicates=kept.replicates._replace(**{part: moved}))


def case(value: float) -> test_disagreement.Case:
    return test_disagreement.Case(((1,),), ((1,),), ((0,),), (1.0, 0.0), (value, 1.0))


def change(after: float) -> Change:
    return Change(F1.function, "", [[0]], [[1]], [[1]], [[1]], (nan, after))


def meet(module: Any, off: float) -> Callable[..., Any]:
    """The meeting of a function with worked steps, or with scikit-learn, that say a little more."""

    def met(monkeypatch: pytest.MonkeyPatch) -> None:
        def moved(*matrices: Any, **options: Any) -> Any:
            return F1.function(*matrices, **options) + off

        if module is test_small_worlds_sklearn:
            return module.meet(replace(F1, function=moved), *ONE)
        steps = module.solve
        monkeypatch.setattr(module, "solve", lambda _, *given, **o: steps(F1.function, *given, **o))
        if module is test_worked:
            return module.meet_on(replace(F1, function=moved), worlds.representatives(2, 2)[:9])
        return module.meet(replace(F1, function=moved), *ONE)

    return met


def numbers(text: str) -> notebook_rules.Number:
    (number,) = notebook_rules.numbers(text)
    return number


def prints(value: float) -> None:
    tools = {"ours": Tool(max), "theirs": Tool(max)}
    measure.check_equal("F1", tools, {"ours": Result(1, 0.5), "theirs": Result(1, value)})


def mean_is(value: float) -> bool:
    """Of two samples of three labels, in each of which one thing is true of the first alone."""
    y_true, y_score = np.array([[1, 0], [0, 1]]), np.array([[2, 1], [2, 1]])
    return test_glossary_means.averages(
        y_true, y_score, lambda *_: value, lambda true, best: float(best[0] in true)
    )


def column_is(value: float) -> bool:
    """Of two labels, each with its positive second of two: precision is a half."""
    y_true, y_score = np.array([[1, 0], [0, 1]]), np.array([[1, 2], [2, 1]])
    return test_glossary_means.held(y_true, y_score, lambda *_: value, curves.average_precision)


COMPARED = {  # what is as good as equal, and what is not any more
    "drawing": (drawing.same, [(1 / 3, THIRD), (nan, nan), ([1.0], [1 + 9e-13])],
                [(1 / 3 + 2e-12, THIRD), (nan, 0), ([1.0], 1.0), ([1.0], [1.0, 1.0])]),
    "scorecard, a value": (lambda a, b: a == test_scorecard.close(b), [(0.5, 0.5 + 9e-13), (nan, nan)],
                           [(0.5, 0.5 + 2e-12), (nan, 0.5)]),
    "scorecard": (test_scorecard.same, [(card(1.5), card(1.5 + 1e-13)), (card(1.5), counted(1e-13))],
                  [(card(1.5), counted(2e-11)), (card(1.5), card(1.5 + 2e-11)), (card(1.5), card(1.5) + card(1.5))]),
    "replicates": (test_scorecard_replicates.alike, [(drawn(), drawn()), (drawn(1.5), drawn(1.5 + 1e-13))],
                   [(drawn(), drawn(first_row=1)), (drawn(), drawn(seed=1)), (drawn(), drawn(1.0)),
                    (drawn(), off("sums", 1, 2e-16)), (drawn(1.5), off("sums", 1, 2e-11, 1.5)),
                    (drawn(), off("confusion", 1, 1)), (drawn(1.5), off("confusion", 1, 2e-11, 1.5))]),
    "curves": (lambda a, b: a == test_curves.close(b), [(0.5, 0.5 + 4e-15), (nan, nan)],
               [(0.5, 0.5 + 6e-15), (1e-15, 0.0), (nan, 0.5)]),
    "scale": (scale.same, [(card(1.5), card(1.5 + 1e-13))], [(card(1.5), card(1.5 + 1e-10))]),
    "disagreement": (test_disagreement.same, [(case(0.5), case(0.5 + 9e-13)), (None, None)],
                     [(case(0.5), case(0.5 + 2e-12)), (case(0.5), None), (None, case(0.5))]),
    "invariance": (test_invariance.matches, [(change(0.5), ([[0]], [[1]], [[1]], [[1]], nan, 0.5 + 9e-13)), (None, None)],
                   [(change(0.5), ([[0]], [[1]], [[1]], [[1]], nan, 0.5 + 2e-12)), (change(0.5), None),
                    (change(0.5), ([[0]], [[1]], [[1]], [[0]], nan, 0.5)), (change(0.5), ([[0]], [[1]], [[1]], [[1]], 0, 0.5))]),
    "worked": (lambda value, other: test_worked.equals(SimpleNamespace(value=value, title=""), other),
               [(THIRD, 1 / 3), (nan, nan)], [(THIRD, 1 / 3 + 2e-12), (1 / 3, 1 / 3), (THIRD, nan)]),
    "a tool's number": (conventions.same, [(0.5, 0.5 + 9e-7), (nan, nan)], [(0.5, 0.5 + 2e-6)]),
    "a number of ours": (records.close, [(0.5, 0.5 + 4e-10)], [(0.5, 0.5 + 6e-10), (0.0, 2e-12)]),
    "a setting": (test_identify.same_setting, [(nan, nan), (0.0, 0.0)], [(nan, 0.0), (0.0, 1.0), (0.0, None)]),
    "times": (prints, [(0.5 + 9e-7,)], [(0.5 + 2e-6,), (nan,)]),
    "glossary": (test_glossary_means.same, [(THIRD, 1 / 3 + 9e-13)], [(THIRD, 1 / 3 + 2e-12), (nan, nan)]),
    "glossary, a mean": (mean_is, [(0.5 + 9e-13,)], [(0.5 + 2e-12,)]),
    "glossary, a column": (column_is, [(0.5 + 9e-13,)], [(0.5 + 2e-12,)]),
    "prose": (lambda a, b: notebook_rules.agree(numbers(a), numbers(b)),
              [("0.444", "4/9"), ("1/2", "0.5")], [("0.445", "4/9"), ("0.443", "4/9"), ("0.501", "1/2")]),
}  # fmt: skip


@pytest.mark.parametrize("name", COMPARED)
def test_a_near_miss_is_told_apart(name: str) -> None:
    compare, equal, unequal = COMPARED[name]
    assert [pair for pair in equal if not holds(compare, *pair)] == []
    assert [pair for pair in unequal if holds(compare, *pair)] == []


@pytest.mark.parametrize(
    "module", [test_small_worlds, test_small_worlds_sklearn, test_worked], ids=lambda m: m.__name__
)
def test_a_function_that_is_off_by_little_does_not_meet(
    module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert holds(meet(module, 0), monkeypatch)
    assert holds(meet(module, 5e-13), monkeypatch)
    assert not holds(meet(module, 2e-12), monkeypatch)


def test_a_refusal_is_exactly_that_of_its_sentence() -> None:
    written = [1]

    def refuse(error: type[Exception] = ValueError, write: bool = False) -> None:
        if write:
            written.append(2)
        raise error("y_true is empty")

    def check(call: Callable[[], None], sentence: str = "y_true is empty") -> bool:
        return holds(test_inputs.check_refusal, call, ValueError, sentence, written)

    assert check(refuse)
    assert not check(refuse, "y_true is empt")
    assert not check(refuse, "y_true is empty.")
    assert not check(lambda: refuse(UnicodeError))  # a kind of ValueError
    assert not check(lambda: refuse(write=True))
    assert not check(lambda: None)


def test_a_wrong_match_and_a_tool_forgotten_are_found() -> None:
    """F1 of the first sample is 2·1/(2 + 2); that of the second is 0/0, to MULAN 1: 1/4 and 3/4."""
    data = ([[1, 1, 0], [0, 0, 0]], [[1, 0, 1], [0, 0, 0]], None)
    matches = conventions.identify(0.25, *data).matches
    (right,) = (match for match in matches if match.metric == "samples F1")

    def checks(match: Any) -> tuple[bool, bool]:
        found = SimpleNamespace(matches=[match])
        return (
            holds(test_identify.check_matches, found, 0.25, 2, *data),
            holds(test_identify.check_tools, found, *data),
        )

    assert "MULAN" not in right.tools
    assert checks(right) == (True, True)
    assert checks(replace(right, value=0.25 + 2e-9))[0] is False
    assert checks(replace(right, tools=(*right.tools[1:], "MULAN")))[0] is False
    assert checks(replace(right, tools=right.tools[1:]))[1] is False


def test_a_number_of_the_explorer_is_the_fraction_or_has_six_decimals() -> None:
    same = test_explore_browser.same
    assert same("1/3", 1 / 3) and same("0.630930", 0.63093) and same("nan", float("nan"))
    near = ("1/3", 0.3333), ("0.63093", 0.63093), ("0.630930", 0.630932), ("nan", 0.0), ("0", 1e-9)
    assert not any(same(text, value) for text, value in near)


COMPARE = {  # the helpers that compare, by file
    "drawing.py": {"same"},
    "notebook_rules.py": {"agree", "binds"},
    "mounted.py": {"is_legible"},  # a near miss in the quiz's own file
    "test_curves.py": {"close"},
    "test_disagreement.py": {"same"},
    "test_explore.py": {"met"},  # a goal that is not met is asked for there, too
    "test_explore_browser.py": {"same", "wrong"},
    "test_formulas.py": {"quarrel"},  # every slip there is a near miss of it
    "test_glossary_means.py": {"same", "averages", "held"},
    "test_identify.py": {"check_matches", "check_tools"},
    "test_inputs.py": {"check_refusal"},
    "test_invariance.py": {"matches", "check"},
    "test_practice.py": {
        "right_is_right",
        "clear",
        "share_named",
    },  # wrong answers beside right ones
    "test_practice_quiz.py": {"unambiguous"},
    "test_scorecard.py": {"close", "same", "assert_it_is_the_whole"},
    "test_scorecard_replicates.py": {  # the latter two have a mistake planted in their own file
        "alike",
        "assert_any_cut_is_the_whole",
        "assert_it_is_as_sure_as_the_bootstrap",
    },
    "test_small_worlds.py": {"meet"},
    "test_small_worlds_sklearn.py": {"meet"},
    "test_worked.py": {"equals", "meet_on"},
}
READ = {  # those that read what is then compared
    "browser.py": {"opened"},
    "pictures.py": {"grid", "all_differ", "shown"},
    "test_benchmarks.py": {"call", "spoiling"},
    "test_claims.py": {"said_of"},
    "mounted.py": {"seen"},
    "test_make.py": {"output"},
    "test_pictures_shown.py": {"address"},
    "test_practice.py": {"enter"},
    "test_release.py": {"python"},
    "test_scorecard.py": {"damaged"},
    "test_worked_rendering.py": {"__init__", "handle_endtag"},
}


def test_every_helper_that_compares_is_listed() -> None:
    found: dict[str, set[str]] = {}
    for path in sorted(Path(__file__).parent.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        helpers = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and node.name[:4] not in ("test", "_")
        ]
        for helper in helpers:
            names = {getattr(n, "id", getattr(n, "attr", "")) for n in ast.walk(helper)}
            asserts = any(isinstance(node, ast.Assert) for node in ast.walk(helper))
            if asserts or names & {"allclose", "approx", "isclose", "_close", "same"}:
                found.setdefault(path.name, set()).add(helper.name)
    known = {name: COMPARE.get(name, set()) | READ.get(name, set()) for name in COMPARE | READ}
    assert found == known
