"""Validate docstrings of the package's public functions and classes: python -m tools.docstrings."""

import sys
from collections.abc import Iterator

from numpydoc.validate import validate

import mlm_helpers

# The house style leaves out what these ask for: see numpydoc.validate.ERROR_MSGS.
ALLOWED = {"ES01", "EX01", "GL02", "PR04", "PR07", "RT01", "RT03", "SA01", "SS05"}


def faults() -> Iterator[str]:
    """What numpydoc finds in docstrings with their shared sections."""
    for room in mlm_helpers.__all__:
        module = getattr(mlm_helpers, room)
        for name in filter(lambda name: callable(getattr(module, name)), module.__all__):
            result = validate(f"mlm_helpers.{room}.{name}")
            has_parameters = "\nParameters\n" in result["docstring"]
            for code, text in result["errors"]:
                if code not in ALLOWED and (has_parameters or code != "PR01"):
                    yield f"{room}.{name}: {code} {text}"


if __name__ == "__main__":
    sys.exit("\n".join(faults()) or None)
