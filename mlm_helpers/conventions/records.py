"""Numbers that the tools returned, recorded once by a command."""

import json
from importlib import resources
from typing import Any


def load(name: str) -> dict[str, Any]:
    """Read "field" or "peers", anew each time: what a caller changes stays with the caller."""
    text = resources.files(__package__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    record: dict[str, Any] = json.loads(text)
    return record
