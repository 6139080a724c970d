"""Every picture of the course: a function takes data and returns Axes with an alternative text.

Each function returns Matplotlib Axes. The alternative text is computed from the same data and
stored as the label of the Axes: `alt_text` returns it, `show` adds it to the picture in a notebook,
and `python -m mlm_course.figures` writes it into the SVG files.

Three symbols mean the same everywhere: ✓ a hit, ✗ a false alarm, ○ a miss. Their fills also differ
in lightness, for colour-blind readers and grey printing. No function uses pyplot or other global
state.
"""

from mlm_course.figures.charts import (
    curve_plot,
    interval_bars,
    reliability_diagram,
    tool_dots,
    value_bars,
    value_lines,
)
from mlm_course.figures.course import PHOTOS, PICTURES, metric_map, perfect_prediction
from mlm_course.figures.curve_pictures import curve_steps
from mlm_course.figures.disagreements import disagreement_grids
from mlm_course.figures.files import alt_text, show, svg
from mlm_course.figures.grids import annotators, label_grid, label_matrix
from mlm_course.figures.label_errors import label_confusion_chart
from mlm_course.figures.lists import rank_lists, sorted_columns, top_window
from mlm_course.figures.look import MARKS
from mlm_course.figures.tags import tagged_pictures
from mlm_course.figures.trees import label_trees

__all__ = [
    "MARKS", "PHOTOS", "PICTURES", "alt_text", "annotators", "curve_plot", "curve_steps",
    "disagreement_grids", "interval_bars", "label_confusion_chart", "label_grid", "label_matrix",
    "label_trees",
    "metric_map", "perfect_prediction", "rank_lists", "reliability_diagram", "show",
    "sorted_columns", "svg", "tagged_pictures", "tool_dots", "top_window", "value_bars",
    "value_lines",
]  # fmt: skip
