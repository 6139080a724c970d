"""Commands that build what the course commits."""
