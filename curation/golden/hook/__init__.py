"""The server-side hook of a golden repository: one file, git and Python's standard library."""
