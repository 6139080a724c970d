"""Learning by doing: a grid to click, with every metric beside it."""

from mlm_helpers.practice.explore import explore

__all__ = ["explore"]
