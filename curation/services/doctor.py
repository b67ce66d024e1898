"""The doctor: what is well in a home and what is not, each with what to do."""

from collections.abc import Callable
from dataclasses import dataclass

from curation.config import Settings
from curation.domain.person import Person
from curation.errors import CurationError
from curation.golden import (
    broken_policy,
    canonical_person,
    known_people,
    list_versions,
    missing_tags,
    open_experiments,
    read_version,
)
from curation.services.people import local_person, role_of
from curation.services.sign_in import secrets_of_signing_in
from curation.services.workspace import Workspace, open_workspace


@dataclass(frozen=True, kw_only=True)
class Examined:
    """One line of the doctor: what was looked at, whether it is well, and what to do."""

    name: str
    well: bool
    said: str


class NotWellError(CurationError):
    """Something that was looked at is not well; the message says what to do."""


def examine(settings: Settings) -> tuple[Examined, ...]:
    """Return what is well and what is not in a home, one line a part."""
    if not settings.home.is_dir():
        said = f"{settings.home} does not exist. Run `curation init`."
        return (Examined(name="home", well=False, said=said),)
    found = [Examined(name="home", well=True, said=str(settings.home))]
    workspace: Workspace | None = None
    try:
        workspace = open_workspace(settings)
        found.append(Examined(name="store", well=True, said=workspace.store.where))
        found += [_examined(name, look, workspace) for name, look in _PARTS]
    except CurationError as problem:
        found.append(Examined(name="store", well=False, said=str(problem)))
    finally:
        if workspace is not None:
            workspace.store.dispose()
    return tuple(found)


def _examined(name: str, look: Callable[[Workspace], str], workspace: Workspace) -> Examined:
    """Return one line of the doctor."""
    try:
        return Examined(name=name, well=True, said=look(workspace))
    except CurationError as problem:
        return Examined(name=name, well=False, said=str(problem))


def _golden_line(workspace: Workspace) -> str:
    """Return where the set is and how many cases count."""
    golden = read_version(workspace.golden)
    return f"{workspace.golden.path}, {len(golden.active)} active cases at {golden.commit[:12]}"


def _policy_line(workspace: Workspace) -> str:
    """Return that the policy is readable, in git and in the work tree."""
    read_version(workspace.golden)
    problem = broken_policy(workspace.golden)
    if problem is not None:
        raise NotWellError(
            f"{problem} The app goes by the committed one; `git checkout -- golden.toml` in "
            f"{workspace.golden.path} brings it back."
        )
    return "golden.toml is readable"


def _versions_line(workspace: Workspace) -> str:
    """Return the newest version."""
    missing = missing_tags(workspace.golden)
    if missing:
        noun = "tag" if len(missing) == 1 else "tags"
        raise NotWellError(
            f"The clone lacks the {noun} {', '.join(missing)}, which its branch has released, so "
            f"nothing can be published. Run `git fetch --tags` in {workspace.golden.path}, or "
            "`git push --follow-tags` where they are."
        )
    return f"newest is {list_versions(workspace.golden)[-1].version}"


def _freeze_line(workspace: Workspace) -> str:
    """Return what freezes the set."""
    frozen = open_experiments(workspace.golden)
    return f"frozen by {', '.join(e.id for e in frozen)}" if frozen else "not frozen"


def _me_line(workspace: Workspace) -> str:
    """Return who uses the app on this machine, as the set and the configuration know them."""
    settings = workspace.settings
    me = local_person(settings)
    if me is None:
        return "nobody is named in curation.toml; the app asks"
    if settings.people and me.key not in {email.casefold() for email in settings.people}:
        raise NotWellError(
            f"{me} is not in [people] of curation.toml and may only read. Add "
            f'"{me.email}" = "reviewer" there, or correct me.'
        )
    known = known_people(workspace.golden)
    tip = read_version(workspace.golden).commit
    mine = canonical_person(workspace.golden, tip, me)
    if mine.key in {person.key for person in known}:
        return f"{me}, {role_of(settings, me).value}"
    _refuse_second_address(me, known)
    return f"{me}, {role_of(settings, me).value}; the golden set has nothing of theirs yet"


def _sign_in_line(workspace: Workspace) -> str:
    """Return how the app knows who somebody is."""
    oidc = workspace.settings.sign_in
    if oidc is None:
        return "nobody signs in; the app is for one person on this machine"
    secrets_of_signing_in()
    return f"people sign in at {oidc.provider_host} and come back to {oidc.public_url}"


def _refuse_second_address(me: Person, known: frozenset[Person]) -> None:
    """Refuse somebody of whom the set knows another address: people are told apart by it.

    Raises:
        NotWellError: it does.
    """
    named = sorted(p.email for p in known if p.name.casefold() == me.name.casefold())
    if named:
        raise NotWellError(
            f"{me} is no person of the golden set, which knows {me.name} as {named[0]}: four eyes "
            f"would count them as two. Correct me in curation.toml, or have a change of .mailmap "
            f"say `{me.name} <{named[0]}> <{me.email}>`."
        )


_PARTS: tuple[tuple[str, Callable[[Workspace], str]], ...] = (
    ("golden set", _golden_line),
    ("policy", _policy_line),
    ("versions", _versions_line),
    ("freeze", _freeze_line),
    ("me", _me_line),
    ("sign-in", _sign_in_line),
)
