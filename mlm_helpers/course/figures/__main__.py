"""Write every picture of the course as an SVG file."""

from mlm_helpers.course.figures import main

main()
