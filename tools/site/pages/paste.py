"""Your own numbers: two tables or lists of tags that are pasted, and every metric with its steps."""

from __future__ import annotations

from mlm_course.practice.page import LARGEST, metric_json
from mlm_course.practice.page import page_json as explorer
from mlm_helpers import catalogue
from tools.site.explorers import as_json
from tools.site.pages.markdown import filled

EXAMPLES = {
    "tables": [
        "photo,dog,sea,sun\nphoto 1,1,1,0\nphoto 2,0,1,1\nphoto 3,1,0,0",
        "photo,dog,sea,sun\nphoto 1,0.9,0.6,0.7\nphoto 2,0.2,0.8,0.3\nphoto 3,0.4,0.5,0.1",
    ],
    "tags": ["dog, sea\nsea, sun\ndog", "dog, sea, sun\nsea\nsea"],
}
METRICS = [  # of these the module counts all but calibration error
    metric
    for metric in catalogue.variants().values()
    if catalogue.record_of(metric).taught or not catalogue.record_of(metric).required
]


def text() -> str:
    switches = explorer([[1] * LARGEST])["switches"]  # those of as many labels
    records = list(map(metric_json, METRICS))
    start = {"metrics": records, "switches": switches, "examples": EXAMPLES}
    return filled("paste", start=as_json(start))
