"""Curation: human review and a git-versioned golden set for teams that run a RAG system."""

__version__ = "0.1.0"
