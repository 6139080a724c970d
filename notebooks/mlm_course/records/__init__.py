"""What was measured, recorded or gathered once, by a command: JSON files, and arrays as NPZ files."""

import json
from importlib import resources
from typing import Any

import numpy as np


def load(name: str) -> dict[str, Any]:
    """Read "bench", "coverage", "emoji", "emoji_scores" or "mathml", anew each time.

    What a caller changes stays with the caller.

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
