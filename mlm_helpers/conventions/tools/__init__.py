"""The tools, a file each."""

from importlib import import_module

from mlm_helpers.conventions.tool import Tool

_FILES = (
    "sklearn torchmetrics spark mulan meka lamda mldr utiml keras torcheval ignite river napkinxc"
    " pyxclib xcolumns mlgcn asl query2label mmpretrain pycocotools vocdevkit annif ranx"
)
_EVERY: list[Tool] = [import_module(f"{__name__}.{file}").TOOL for file in _FILES.split()]
TOOLS = {tool.name: tool for tool in _EVERY}
"""The tools by name: what each computes, in our options."""
