"""GitPython, imported so that a machine without git is told in a sentence."""

from curation.golden.errors import GitMissingError

try:
    import git
except ImportError as problem:  # it looks for git as soon as it is imported
    raise GitMissingError from problem

__all__ = ["git"]
