"""The pages "Your own numbers", for pasted tables, and "Play", the explorer with every metric."""

from typing import Any

from mlm_course.practice.page import LARGEST, metric_json
from mlm_course.practice.page import page_json as explorer
from mlm_helpers import catalogue
from tools.site.explorers import as_json, explorer_html
from tools.site.pages.markdown import filled_template

EXAMPLES = {
    "tables": [
        "photo,dog,sea,sun\nphoto 1,1,1,0\nphoto 2,0,1,1\nphoto 3,1,0,0",
        "photo,dog,sea,sun\nphoto 1,0.9,0.6,0.7\nphoto 2,0.2,0.8,0.3\nphoto 3,0.4,0.5,0.1",
    ],
    "tags": ["dog, sea\nsea, sun\ndog", "dog, sea, sun\nsea\nsea"],
}
METRICS = [  # explorer.js computes all of them but the calibration error
    metric
    for metric in catalogue.variants().values()
    if catalogue.record_of(metric).teaching.notebook or not catalogue.record_of(metric).required
]
NAMES = {"labels": ("dog", "sun", "sea"), "samples": ("photo 1", "photo 2", "photo 3")}
TRUTH = [[1, 0, 1], [0, 1, 0], [1, 1, 0]]
SCORES = [[0.9, 0.6, 0.4], [0.3, 0.8, 0.2], [0.7, 0.4, 0.5]]


def play() -> str:
    """The page "Play" in Markdown."""
    return filled_template("play", explorer=explorer_html(explorer(TRUTH, y_score=SCORES, **NAMES)))


def start() -> dict[str, Any]:
    """The data from which `paste.js` builds its form."""
    # The switch for k has a choice for each number of labels up to the largest.
    switches = explorer([[1] * LARGEST])["switches"]
    records = list(map(metric_json, METRICS))
    return {"metrics": records, "switches": switches, "examples": EXAMPLES}


def page() -> str:
    """The page in Markdown."""
    return filled_template("paste", start=as_json(start()))
