"""What only the notebooks, the site and the class need."""
