"""Your own numbers: two tables or lists of tags that are pasted, and every metric with its steps."""

from __future__ import annotations

from mlm_course.practice.page import LARGEST, record_of
from mlm_course.practice.page import page as explorer
from mlm_helpers import catalogue
from tools.site.explorers import as_json
from tools.site.pages.markdown import page

EXAMPLES = {
    "tables": [
        "photo,dog,sea,sun\nphoto 1,1,1,0\nphoto 2,0,1,1\nphoto 3,1,0,0",
        "photo,dog,sea,sun\nphoto 1,0.9,0.6,0.7\nphoto 2,0.2,0.8,0.3\nphoto 3,0.4,0.5,0.1",
    ],
    "tags": ["dog, sea\nsea, sun\ndog", "dog, sea, sun\nsea\nsea"],
}
INTRO = """\
Paste the truth and what your model predicted: every metric that needs nothing but these is worked out below, step by step.
**Nothing is uploaded.** Your browser counts on this page, and your data do not leave it.
"""
WITHOUT = """\
<p>This page counts with JavaScript, which your browser does not run here. On your own machine,
<code>python -m mlm_helpers TRUTH.csv PREDICTED.csv</code> prints the numbers.</p>"""
MORE = """\
For more than 2,000 cells, tables of several models, and confidence intervals see
[14_your_own_data](notebooks/14_your_own_data.ipynb). Which of the numbers should you report?
[Four questions](choose.md) lead to one.
"""
METRICS = [  # of these the module counts all but calibration error
    metric
    for metric in catalogue.variants().values()
    if catalogue.of(metric).taught or not catalogue.of(metric).required
]


def text() -> str:
    known = explorer([[1] * LARGEST])  # its switches are those of as many labels
    start = {
        "metrics": list(map(record_of, METRICS)),
        "switches": known["switches"],
        "examples": EXAMPLES,
    }
    data = f'<script type="application/json">{as_json(start)}</script>'
    return page("Your own numbers", INTRO, f'<div class="mlm-paste">{data}{WITHOUT}</div>', MORE)
