"""The averages: how the values of labels, or of samples, become the value of a metric.

The families, `worked`, `thresholds`, `conventions` and the course's practice read this one table.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Averaging(NamedTuple):
    """What has a value of its own, and how the value of a metric follows from these values."""

    in_words: str  #: for displays
    #: What is counted together: each label (0), each sample (1) or all cells (None).
    axis: int | None = 0
    weighs_support: bool = False  #: whether the mean weighs each label by its number of positives
    #: Makes the metric from the values and the supports of the labels; None takes a mean instead.
    combine: Callable[[Any, Any], Any] | None = None

    @property
    def is_pooled(self) -> bool:
        """Whether all cells have one value together."""
        return self.axis is None


AVERAGES: dict[str | None, Averaging] = {
    "macro": Averaging("a value per label, then their mean"),
    "micro": Averaging("one ratio over all cells", axis=None),
    "weighted": Averaging(
        "a value per label, then their mean, weighted by the label's true samples",
        weighs_support=True,
    ),
    None: Averaging("a value per label", combine=lambda values, supports: values),
    "samples": Averaging("a value per sample, then their mean", axis=1),
}
"""Every value of the option ``average``. Label-based metrics have all but "samples"."""

_SUMS_OF_SAMPLES = Averaging("one ratio of two sums over the samples", axis=None)


def averages_of_labels() -> tuple[Any, ...]:
    """The averages that a label-based metric has."""
    return tuple(name for name, averaging in AVERAGES.items() if averaging.axis != 1)


def averaging_of(unit: str, options: Mapping[str, Any]) -> Averaging:
    """How a metric averages under its options; without the option ``average``, its unit decides.

    The unit, from the metric's record, is what it has values of, such as "sample".
    """
    if "average" in options:
        return AVERAGES[options["average"]]
    return AVERAGES["samples"] if unit == "sample" else _SUMS_OF_SAMPLES


def mean_of(average: str) -> Averaging:
    """The averaging of this name; a ValueError if it is not a mean.

    It is for code that computes means itself, without the function ``combine``.
    """
    averaging = AVERAGES[average]
    if averaging.combine is not None:
        raise ValueError(f"average is {average!r}, which is not a mean: give one, such as 'macro'")
    return averaging
