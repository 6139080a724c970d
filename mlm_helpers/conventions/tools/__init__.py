"""Fifteen tools, a file each."""

from mlm_helpers.conventions.records import Tool
from mlm_helpers.conventions.tools import (
    ignite,
    keras,
    lamda,
    meka,
    mldr,
    mulan,
    napkinxc,
    pyxclib,
    river,
    sklearn,
    spark,
    torcheval,
    torchmetrics,
    utiml,
    xcolumns,
)

TOOLS: dict[str, Tool] = {
    module.TOOL.name: module.TOOL
    for module in (
        sklearn, torchmetrics, spark, mulan, meka, lamda, mldr, utiml, keras, torcheval,
        ignite, river, napkinxc, pyxclib, xcolumns,
    )
}  # fmt: skip
"""Fifteen tools by name: what each computes, in our options."""
