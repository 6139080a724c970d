"""The course as a static site: what Sphinx reads, made of the notebooks, the package and docs/."""
