"""scikit-learn: what the catalogue's records say that it has."""

import functools
import math
from collections.abc import Iterator, Mapping
from typing import Any

from mlm_helpers import catalogue
from mlm_helpers.conventions.readings import Matrix, of_record
from mlm_helpers.conventions.records import Tool, Translation
from mlm_helpers.conventions.tools.shared import LEFT_OUT, ONE, departure, ranked


@departure("jaccard_score refuses zero_division=nan", [[1]], [[1]], "InvalidParameterError")
def _refuses_nan(ours: Any, truth: Matrix, other: Matrix) -> str | None:
    return "raises InvalidParameterError" if math.isnan(ours.keywords["zero_division"]) else None


@functools.lru_cache(maxsize=1)
def _translations(metrics: tuple[catalogue.Metric, ...]) -> dict[str, Translation]:
    """Its answers are our defaults; one-error it has under another name."""
    table = {"one-error": ranked("1 - ndcg_score(k=1)", "average", 1.0)}
    for record in (record for record in metrics if record.sklearn):
        departures = (_refuses_nan,) if "jaccard_score" in record.sklearn else ()
        for reading in of_record(record):
            average = reading.function.keywords.get("average")
            table[reading.general] = Translation(
                record.sklearn_name + (f"(average={average!r})" if average else ""),
                {option: record.defaults[option] for option in reading.choices},
                departures,
                ONE | LEFT_OUT if "zero_division" in reading.choices else {},
            )
    return table


class _OfCatalogue(Mapping[str, Translation]):
    """What it has by the records of the moment."""

    def __getitem__(self, general: str) -> Translation:
        return _translations(catalogue.METRICS)[general]

    def __iter__(self) -> Iterator[str]:
        return iter(_translations(catalogue.METRICS))

    def __len__(self) -> int:
        return len(_translations(catalogue.METRICS))


TOOL = Tool("scikit-learn", "1.9.1", "run", _OfCatalogue(), tuple(ONE | LEFT_OUT))
