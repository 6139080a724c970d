"""What the families stand on: reading input, counting, ordering; private to users."""
