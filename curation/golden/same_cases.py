"""Which versions hold the same cases: what was measured on one of them holds for all."""

from curation.golden.location import Location, opened
from curation.golden.reader import read_refs
from curation.golden.tree import empty_tree


def versions_with_cases(location: Location, cases_tree: str) -> frozenset[str]:
    """Return the names of the versions whose `cases/` is this tree."""
    with opened(location) as golden:
        versions = read_refs(golden).versions
        trees = golden.git.object_ids([golden.at(commit, "cases") for commit in versions.values()])
    return frozenset(
        name
        for (name, commit), tree in zip(versions.items(), trees, strict=True)
        if (tree or empty_tree(like=commit)) == cases_tree
    )
