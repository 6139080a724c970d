"""Pages generated from the package and its records.

`page()` of a module is its page in MyST Markdown.
"""
