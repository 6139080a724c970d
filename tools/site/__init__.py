"""The course as a static site: Sphinx's source, from the notebooks, the package and docs/."""
