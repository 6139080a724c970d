"""Write every picture of the course as an SVG file."""

from mlm_course.figures import main

main()
