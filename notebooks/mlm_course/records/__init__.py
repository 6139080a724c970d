"""Stored results of commands that measured, recorded or gathered data: JSON and NPZ files."""

import json
from importlib import resources
from typing import Any

import numpy as np


def load(name: str) -> dict[str, Any]:
    """Content of a record, read anew by each call.

    The names are "bench", "coverage", "emoji", "emoji_scores", "framing" and "mathml".

    Examples
    --------
    >>> load("bench")["dense"]["labels"]
    100
    """
    arrays = resources.files(__name__).joinpath(f"{name}.npz")
    if arrays.is_file():
        with arrays.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            return dict(stored)
    text = resources.files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    record: dict[str, Any] = json.loads(text)
    return record
