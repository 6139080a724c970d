"""What is said in a sentence and checked beside it, until it is a fact: see `facts.py`."""

import importlib
import inspect
from functools import cache
from pathlib import Path

import numpy as np
import places
import pytest
from claims import CLAIMS

for path in sorted(Path(__file__).with_name("claims").glob("[a-z]*.py")):
    importlib.import_module(f"claims.{path.stem}")
STANDING = places.sentences()
CASES = [(claim, place) for claim in CLAIMS for place in STANDING if place.sentence == claim.quote]


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
