"""Multi-label metrics by hand: the metrics of the course, each one readable as its formula.

Metric families:

    exact_match     the share of samples whose labels are all right
    example_based   precision, recall, F1 and accuracy (Jaccard) of each sample, averaged
    hamming         the share of wrong cells
    label_based     precision, recall, F1, kappa ...: macro, micro, weighted or per label
    hierarchy       precision, recall and F1 of labels in a hierarchy
    ranking         the order of a sample's labels: coverage, one-error, ranking loss and more
    top_k           the first k labels of each sample
    curves          average precision and AUROC: a label at every threshold
    probability     log loss, Brier score and calibration error

Work with metrics:

    data            label matrices from tags; unknown cells, and bounds over all ways to fill them
                    in; a description of a label matrix; folds
    thresholds      predictions from scores, and the best threshold
    uncertainty     confidence intervals of a metric, and of the difference of two models
    agreement       how far annotators agree beyond chance: Krippendorff's alpha
    summary         tables of labels, models and groups
    errors          labels that were missed together with false alarms; the worst samples
    scorecard       all metrics in one pass, batch by batch
    conventions     what other tools compute; which metric gave a number; a paragraph for the paper

Explanations:

    worked          any metric on small data, step by step
    catalogue       a record of each metric
    tables          tables and steps as text, HTML, Markdown, LaTeX or a DataFrame

The public names of a module are those in its `__all__`; other modules of the package may use more.
`python -m mlm_helpers` prints the tables of `summary` in a terminal. `import mlm_helpers` imports a
module when its name is first used. `_core` is private: the code that these modules share. Code that
only the notebooks need is beside them, in notebooks/mlm_course.

>>> from mlm_helpers import example_based
>>> example_based.accuracy([[1, 0, 1]], [[1, 1, 0]])
0.3333333333333333
"""

from importlib import import_module
from types import ModuleType

__version__ = "2.0.0"
__all__ = [
    "agreement", "catalogue", "conventions", "curves", "data", "errors", "exact_match",
    "example_based", "hamming", "hierarchy", "label_based", "probability", "ranking", "scorecard",
    "summary", "tables", "thresholds", "top_k", "uncertainty", "worked",
]  # fmt: skip


def __getattr__(name: str) -> ModuleType:
    """The module of that name, which is imported only now."""
    if name in __all__:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """All names, also those of modules that are not imported yet."""
    return [*globals(), *__all__]
