"""Commands that build what the course commits."""

from pathlib import Path

RECORDS = Path(__file__).parent.parent / "notebooks/mlm_course/records"
