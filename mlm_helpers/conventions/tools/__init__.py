"""Fifteen tools, a file each."""

from importlib import import_module

from mlm_helpers.conventions.records import Tool

_FILES = (
    "sklearn torchmetrics spark mulan meka lamda mldr utiml keras torcheval ignite river napkinxc"
    " pyxclib xcolumns"
)
_EVERY: list[Tool] = [import_module(f"{__name__}.{file}").TOOL for file in _FILES.split()]
TOOLS = {tool.name: tool for tool in _EVERY}
"""Fifteen tools by name: what each computes, in our options."""
