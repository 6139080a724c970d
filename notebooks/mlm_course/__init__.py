"""Code of the notebooks and the site: documents, pictures, practice, searches of all small data."""
