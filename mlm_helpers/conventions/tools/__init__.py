"""The tools, in a file each; of scikit-learn the file adds to what the catalogue's records say."""

from mlm_helpers.conventions.tools.sklearn import with_catalogue
from mlm_helpers.conventions.tools.tables import tool

_FILES = (
    "torchmetrics", "spark", "mulan", "meka", "lamda", "mldr", "utiml", "keras", "torcheval", "ignite",
    "river", "napkinxc", "pyxclib", "xcolumns", "mlgcn", "asl", "query2label", "mmpretrain",
    "pycocotools", "vocdevkit", "annif", "ranx", "libmultilabel", "evaluate",
)  # fmt: skip
TOOLS = {one.name: one for one in (with_catalogue(tool("sklearn")), *map(tool, _FILES))}
"""The tools by name: what each computes, in our options."""
