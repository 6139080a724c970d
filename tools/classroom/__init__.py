"""The ladders as nbgrader assignments: ``python -m tools.classroom`` (make class) builds a course."""
