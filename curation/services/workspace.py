"""The opened store, golden repository and search indexes that a use case works on."""

from dataclasses import dataclass

from curation.config import Settings
from curation.corpus import CorpusIndex
from curation.domain.person import Person, Role
from curation.errors import RoleError
from curation.golden import Location
from curation.services.people import role_of
from curation.store import Store, open_store


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """Everything that a use case reads and writes. Safe to share between threads."""

    settings: Settings
    store: Store
    golden: Location
    index: CorpusIndex
    answer_index: CorpusIndex

    def require(self, person: Person, role: Role, act: str) -> None:
        """Check the person's role here, in the service: a hidden button is not the check.

        Raises:
            RoleError: the role does not cover the needed one.
        """
        mine = role_of(self.settings, person)
        if not mine.covers(role):
            raise RoleError(act, role.value, mine.value)


def open_workspace(settings: Settings) -> Workspace:
    """Return the workspace of a home; creates and migrates its store where needed."""
    settings.home.mkdir(parents=True, exist_ok=True)
    return Workspace(
        settings=settings,
        store=open_store(settings.database, settings.database_path),
        golden=Location.at(settings.golden_path, branch=settings.golden.branch),
        index=CorpusIndex(settings.index_path),
        answer_index=CorpusIndex(settings.answer_index_path),
    )
