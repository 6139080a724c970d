"""Every sentence of the course that could be false has a check that says it is true.

Add one in `claims/`, beside its sentence; see `claims/__init__.py` and CONTRIBUTING.md.
"""

import ast
import difflib
import importlib
import inspect
import json
from functools import cache
from pathlib import Path

import numpy as np
import places
import prose
import pytest
from claims import CLAIMS, ON_TRUST, Claim, always, sometimes

from mlm_helpers import example_based, ranking

HERE = Path(__file__).with_name("claims")
MODULES = [
    importlib.import_module(f"claims.{path.stem}") for path in sorted(HERE.glob("[a-z]*.py"))
]
STANDING = places.sentences()
WHERE = {place.sentence for place in STANDING}
GUARDED = {claim.quote for claim in CLAIMS}
CASES = [(claim, place) for claim in CLAIMS for place in STANDING if place.sentence == claim.quote]


def nearest(sentence, among):
    near = difflib.get_close_matches(sentence, among, n=1, cutoff=0.8)
    return f"\n    was it: {near[0]}" if near else ""


def file_of(place):
    return f"tests/claims/{place.file.lstrip('0123456789_').lower()}.py"


@cache
def said_of(check, file, section):
    """What a check says of a section, once for all the sentences that it guards there."""
    known = places.known(file, section)
    wanted = inspect.signature(check).parameters
    unknown = [name for name in wanted if name not in known]
    assert not unknown, f"{file} has no {unknown} by the end of this section"
    return check(**{name: known[name] for name in wanted})


@pytest.mark.parametrize(
    ("claim", "place"), CASES, ids=[f"{place.file}: {claim.quote}" for claim, place in CASES]
)
def test_the_sentence_is_true(claim, place):
    value = said_of(claim.check, place.file, place.section)
    assert isinstance(value, (bool, np.bool_)), f"a check returns True or False, not {value!r}"
    assert value, f"the check says that this is false: {claim.quote}"


def test_no_guarded_sentence_is_gone():
    gone = [quote for quote in [*GUARDED, *ON_TRUST] if quote not in WHERE]
    said = "\n".join(quote + nearest(quote, WHERE) for quote in gone)
    assert not gone, f"gone or changed; read the check anew before you paste the new words:\n{said}"


def test_what_claims_has_a_check():
    bare = [
        f"{file_of(place)}: @claim({json.dumps(place.sentence, ensure_ascii=False)})"
        + nearest(place.sentence, GUARDED | set(ON_TRUST))
        for place in STANDING
        if place.claims and place.sentence not in GUARDED and place.sentence not in ON_TRUST
    ]
    assert not bare, f"{len(bare)} sentences claim and have no check:\n" + "\n".join(bare)


def test_what_is_taken_on_trust_is_little():
    assert len(ON_TRUST) <= len(GUARDED) / 20
    assert not GUARDED & set(ON_TRUST)


@pytest.mark.parametrize(
    "check", [lambda: False, lambda: None, lambda: "yes", lambda nowhere: True]
)
def test_a_claim_that_is_not_true_is_red(check):
    with pytest.raises(AssertionError):
        test_the_sentence_is_true(Claim(STANDING[0].sentence, check), STANDING[0])


def test_a_changed_sentence_is_red_twice(monkeypatch):
    """Its old words are gone, and its new ones have no check."""
    place = next(place for place in STANDING if place.claims)
    others = GUARDED - {place.sentence} | {place.sentence + " Not."}
    monkeypatch.setitem(globals(), "GUARDED", others)
    monkeypatch.delitem(ON_TRUST, place.sentence, raising=False)
    for test in (test_no_guarded_sentence_is_gone, test_what_claims_has_a_check):
        with pytest.raises(AssertionError, match="Not"):
            test()


def test_much_on_trust_is_red(monkeypatch):
    for n in range(len(GUARDED)):
        monkeypatch.setitem(ON_TRUST, str(n), "nowhere")
    with pytest.raises(AssertionError):
        test_what_is_taken_on_trust_is_little()


def test_the_small_worlds_tell_always_from_sometimes():
    """Every F1 is at most 1; some are 0, some are not; none is above 1."""
    assert always(lambda y_true, y_pred: example_based.f1(y_true, y_pred) <= 1)
    assert not always(lambda y_true, y_pred: example_based.f1(y_true, y_pred) == 0)
    assert sometimes(lambda y_true, y_pred: example_based.f1(y_true, y_pred) == 0)
    assert not sometimes(lambda y_true, y_score: ranking.coverage(y_true, y_score) > 3)
    shapes = set()
    assert always(lambda y_true, y_pred: shapes.add(y_true.shape) is None)
    assert shapes == {(2, 2), (1, 3), (3, 1)}


def test_a_sentence_is_what_a_reader_sees():
    text = """# A *heading*

**Recall** falls, e.g. in `row` 2 (see [02](02.ipynb)). Does it
rise? 7/8 here.

$$x = 1$$

| head | of a table |
|---|---|
| micro | *every* cell |

<details><summary>Answers</summary>

1. It never does.

</details>"""
    assert [sentence.text for sentence in prose.sentences(text)] == [
        "A heading",
        "Recall falls, e.g. in row 2 (see 02).", "Does it rise?", "7/8 here.",
        "micro | every cell", "Answers", "It never does.",
    ]  # fmt: skip
    claims = [sentence.text for sentence in prose.sentences(text) if sentence.claims]
    assert claims == [
        "Recall falls, e.g. in row 2 (see 02).",
        "7/8 here.",
        "micro | every cell",
        "It never does.",
    ]


def test_an_answer_a_row_and_what_to_remember_always_claim():
    folded = "<details><summary>Answers</summary>\n\nKeep it.\n\nIs it?\n\n</details>\n\nKeep it."
    assert [sentence.claims for sentence in prose.sentences(folded)] == [False, True, False, False]
    assert [place.claims for place in STANDING if place.sentence == "Add first, divide last."] == [
        True
    ]


@pytest.mark.parametrize(
    "sentence",
    ["Precision divides by the hits.", "It is never one.", "Look: macro-F1 rises.", "Two of five.",
     "Blue is higher.", "(scikit-learn has it.)", "They agree.", "Count rows; then divide.", "One is left open: which?"],
)  # fmt: skip
def test_it_claims(sentence):
    assert prose.claiming(sentence)


@pytest.mark.parametrize(
    "sentence", ["Is micro never higher?", "Look at the first row.", "Then guess."]
)
def test_it_claims_nothing(sentence):
    assert not prose.claiming(sentence)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_a_check_asks(module):
    """What only returns True can't fail."""
    for function in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(function, ast.FunctionDef) and function.name == "_":
            said = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
            computed = [value for value in said if not isinstance(value, ast.Constant)]
            assert computed, f"{module.__name__}, line {function.lineno}"
