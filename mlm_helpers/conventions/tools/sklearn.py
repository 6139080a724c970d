"""scikit-learn: what the catalogue's records say that it has; its answers are our defaults."""

import math
from collections.abc import Mapping
from dataclasses import replace

from mlm_helpers import catalogue
from mlm_helpers.conventions.quantities import of_record
from mlm_helpers.conventions.tool import Options, Tool, Translation

_ZERO_DIVISION: Mapping[str, Options] = {
    "zero_division=1": {"zero_division": 1.0},
    "zero_division=nan": {"zero_division": math.nan},
}


def with_catalogue(tool: Tool) -> Tool:
    """scikit-learn's metrics by the records, then with what its file says of them."""
    metrics = dict(tool.metrics)
    for record in catalogue.METRICS:
        for one in of_record(record):
            if call := record.sklearn_call(one.function.keywords.get("average")):
                listens = _ZERO_DIVISION if "zero_division" in one.choices else {}
                own = metrics.get(one.general, Translation(""))
                metrics[one.general] = replace(
                    own,
                    call=call,
                    options={option: record.defaults[option] for option in one.choices},
                    settings=own.settings or listens,
                )
    return replace(tool, metrics=metrics)
