"""One record per metric: what other modules read in order to list, solve, draw or add up metrics.

`METRICS` holds all records; `taught_records` are those of the metrics that the course teaches.
`record_of` finds the record of a metric, `full_name` its name, and `variants` has every metric
under each of its averages, by name.
"""

from mlm_helpers.catalogue.arguments import full_name, general_name, record_of, variants
from mlm_helpers.catalogue.metric import FAMILIES, Metric, Parameter, Teaching
from mlm_helpers.catalogue.records import METRICS, taught_records

__all__ = [
    "FAMILIES", "METRICS", "Metric", "Parameter", "Teaching", "full_name", "general_name",
    "record_of", "taught_records", "variants",
]  # fmt: skip
