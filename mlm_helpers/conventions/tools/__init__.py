"""The tools, in a file each: tables that `tables` reads, and scikit-learn's, which follows from the catalogue."""

from mlm_helpers.conventions.tools.sklearn import TOOL
from mlm_helpers.conventions.tools.tables import tool

_FILES = (
    "torchmetrics", "spark", "mulan", "meka", "lamda", "mldr", "utiml", "keras", "torcheval", "ignite",
    "river", "napkinxc", "pyxclib", "xcolumns", "mlgcn", "asl", "query2label", "mmpretrain",
    "pycocotools", "vocdevkit", "annif", "ranx", "libmultilabel", "spacy", "unitxt", "evaluate", "ogb", "cafa",
    "youtube8m", "birdclef", "dcase", "physionet",
)  # fmt: skip
TOOLS = {one.name: one for one in (TOOL, *map(tool, _FILES))}
"""The tools by name: what each computes, in our options."""
