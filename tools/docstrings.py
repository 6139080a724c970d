"""Validate the docstrings of the package's public functions and classes: python -m tools.docstrings."""

import pkgutil
import sys
from collections.abc import Iterator
from importlib import import_module

from numpydoc.validate import validate

import mlm_helpers

# The house style leaves out what these ask for: see numpydoc.validate.ERROR_MSGS.
ALLOWED = {"ES01", "EX01", "GL02", "PR04", "PR07", "RT01", "RT03", "SA01", "SS05"}


def faults() -> Iterator[str]:
    """What numpydoc finds in complete docstrings, with shared sections; parameters are all there, or none."""
    for module in pkgutil.iter_modules(mlm_helpers.__path__, "mlm_helpers."):
        for name, member in vars(import_module(module.name)).items():
            is_own = str(getattr(member, "__module__", "")).startswith(module.name)
            if is_own and callable(member) and not name.startswith("_"):
                result = validate(f"{module.name}.{name}")
                has_parameters = "\nParameters\n" in result["docstring"]
                for code, text in result["errors"]:
                    if code not in ALLOWED and (has_parameters or code != "PR01"):
                        yield f"{module.name}.{name}: {code} {text}"


if __name__ == "__main__":
    sys.exit("\n".join(faults()) or None)
