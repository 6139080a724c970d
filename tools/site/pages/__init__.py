"""The pages that are made of what the package and its records say: each module has one as MyST Markdown."""
