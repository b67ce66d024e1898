"""What condition a clone is in: the tags it lacks, the policy in its work tree, whom it names."""

from curation.domain.person import Person
from curation.domain.policy import parse_policy
from curation.errors import PolicyError
from curation.golden.history import people
from curation.golden.ids import version_at
from curation.golden.kinds import POLICY_FILE
from curation.golden.location import Location, opened
from curation.golden.mailmap import mapped, parse_mailmap
from curation.golden.reader import mailmaps_at, read_refs

_NAMES = "--format=%an <%ae>%x00%(trailers:key=Reviewed-by,valueonly,separator=%x00)"


def missing_tags(location: Location) -> tuple[str, ...]:
    """Return the versions that the branch makes and whose tag the clone lacks, in order.

    Raises:
        NotAGoldenSetError: there is no set.
    """
    with opened(location) as golden:
        refs = read_refs(golden)
        newest = version_at(golden, golden.or_refuse(refs.tip))
    made = (f"golden/v{number}" for number in range(1, newest + 1))
    return tuple(version for version in made if version not in refs.versions)


def broken_policy(location: Location) -> str | None:
    """Return what is wrong with the `golden.toml` of the work tree, if there is one and it is.

    Raises:
        NotAGoldenSetError: there is no repository.
    """
    with opened(location) as golden:
        file = location.path / POLICY_FILE
        if golden.root == golden.git_dir or not file.is_file():
            return None
    try:
        parse_policy(file.read_text(encoding="utf-8"), str(file))
    except (PolicyError, UnicodeDecodeError, OSError) as problem:
        return str(problem)
    return None


def known_people(location: Location) -> frozenset[Person]:
    """Return who wrote or approved anything of the set, as its `.mailmap` names them.

    Raises:
        NotAGoldenSetError: there is no set.
    """
    with opened(location) as golden:
        tip = golden.or_refuse(golden.tip())
        paths = [golden.prefix.rstrip("/")] if golden.prefix else []
        command = ("log", "--first-parent", _NAMES, tip, "--", *paths)
        out = golden.git.text(*command, doing="read who wrote the history")
        mailmap = parse_mailmap("\n".join(mailmaps_at(golden, tip).values()))
    named = {name for line in out.split("\n") for name in line.split("\0") if name}
    found = (mapped(mailmap, person.name, person.email) for person in people(sorted(named)))
    return frozenset(Person(name=name, email=email) for name, email in found)
