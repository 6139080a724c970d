"""The messages about invalid calls of the package, approved as one text.

`refusals/*.txt` has one call per line; lines that begin with # are headings. `pytest
tests/test_refusals.py --snapshot-update` writes the messages, which somebody reads before they are
committed.
"""

from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import mlm_helpers
from mlm_helpers._core.inputs.options import CHECKS, read_int, resolve_names

ROOMS = [module.name for module in iter_modules(mlm_helpers.__path__) if module.name[0] != "_"]
NAMES = {
    **{room: import_module(f"mlm_helpers.{room}") for room in ROOMS},
    "CHECKS": CHECKS,
    "read_int": read_int,
    "resolve_names": resolve_names,
    "partial": partial,
    "np": np,
    "pd": pd,
    "sparse": scipy.sparse,
    "nan": np.nan,
    "inf": np.inf,
    "y_true": [[1, 0, 1], [0, 1, 0]],
    "y_pred": [[1, 0, 0], [0, 1, 1]],
    "y_score": [[0.9, 0.2, 0.4], [0.1, 0.8, 0.7]],
}
CALLS = [
    pytest.param(line, id=f"{path.stem}: {line}")
    for path in sorted((Path(__file__).parent / "refusals").glob("*.txt"))
    for line in path.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize("call", CALLS)
def test_a_refusal(call, snapshot):
    with pytest.raises((TypeError, ValueError)) as refusal:
        eval(call, {**NAMES})
    assert refusal.traceback[-1].path.is_relative_to(Path(mlm_helpers.__file__).parent)
    message = str(refusal.value)
    assert "\n" not in message
    assert f"{refusal.type.__name__}: {message}" == snapshot
