"""What was measured and recorded when tools, benchmark and simulation last ran, as JSON files."""

import json
from importlib import resources
from typing import Any


def load(name: str) -> dict[str, Any]:
    """Read "bench", "coverage", "field" or "peers", anew each time: what a caller changes stays with the caller.

    Examples
    --------
    >>> list(load("bench"))
    ['environment', 'dense', 'sparse', 'scores', 'growth', 'scale']
    """
    text = resources.files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    record: dict[str, Any] = json.loads(text)
    return record
