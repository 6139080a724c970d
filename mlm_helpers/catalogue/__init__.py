"""One record per metric: what other modules read in order to list, solve, draw or add up metrics.

`METRICS` holds all records; `taught_records` are those of the metrics that the course teaches.
"""

from mlm_helpers.catalogue.arguments import (
    align_options,
    as_list_of_metrics,
    find_record,
    full_name,
    function_name,
    general_name,
    read_metric_value,
    record_of,
    resolve_options,
    resolve_scalar_options,
    variants,
)
from mlm_helpers.catalogue.metric import FAMILIES, Metric, Parameter, Teaching
from mlm_helpers.catalogue.records import METRICS, taught_records

__all__ = [
    "FAMILIES", "METRICS", "Metric", "Parameter", "Teaching", "align_options",
    "as_list_of_metrics", "find_record", "full_name", "function_name", "general_name",
    "read_metric_value", "record_of", "resolve_options", "resolve_scalar_options",
    "taught_records", "variants",
]  # fmt: skip
