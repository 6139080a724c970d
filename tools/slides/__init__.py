"""The notebooks as slides, one HTML file each."""
