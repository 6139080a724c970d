"""Write every picture of the course as an SVG file."""

from mlm_helpers.figures import main

main()
