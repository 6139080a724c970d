"""What only the notebooks and the site need: documents, pictures, practice, searches in small data."""
