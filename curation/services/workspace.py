"""The opened store, golden repository and search indexes that a use case works on."""

from dataclasses import dataclass

from curation.config import SearchSettings, Settings, search_token
from curation.corpus import ChunkIndex, CorpusIndex, HttpEngine, PostgresIndex, SearchEngine
from curation.domain.person import Person, Role
from curation.errors import ConfigError, RoleError
from curation.golden import Location
from curation.services.people import role_of
from curation.store import Store, open_store


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """Everything that a use case reads and writes. Safe to share between threads.

    `engine` finds passages; `index` is the same where this program keeps its index, and None where
    a team's own engine does.
    """

    settings: Settings
    store: Store
    golden: Location
    index: ChunkIndex | None
    engine: SearchEngine
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
    """Return the workspace of a home; creates and migrates its store where needed.

    Raises:
        StoreUnavailableError, StoreTooNewError: the store cannot be opened.
        ConfigError, SearchEngineError: what `[search]` says cannot be used.
    """
    settings.home.mkdir(parents=True, exist_ok=True)
    own = _own_engine(settings.search)
    store = open_store(settings.database, settings.database_path)
    index: ChunkIndex | None = None
    if own is None:
        engine: SearchEngine
        index = engine = _index(settings, store)
    else:
        engine = own
    return Workspace(
        settings=settings,
        store=store,
        golden=Location.at(settings.golden_path, branch=settings.golden.branch),
        index=index,
        engine=engine,
        answer_index=CorpusIndex(settings.answer_index_path),
    )


def _own_engine(search: SearchSettings) -> HttpEngine | None:
    """Return the team's own engine; None where the settings name none."""
    if search.url is None or search.engine not in {"auto", "http"}:
        return None
    token = search_token(search)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return HttpEngine(search.url, timeout_s=search.timeout_seconds, headers=headers)


def _index(settings: Settings, store: Store) -> ChunkIndex:
    """Return the index that this program keeps: in PostgreSQL, or in a folder of the home.

    Raises:
        ConfigError: PostgreSQL is to search, and the store is none.
    """
    teams = store.engine.dialect.name == "postgresql"
    if settings.search.engine == "postgresql" and not teams:
        said = "the store is no PostgreSQL"
        raise ConfigError("search.engine", said, "Name a database, or leave the key out.")
    if teams and settings.search.engine in {"auto", "postgresql"}:
        return PostgresIndex(store.engine)
    return CorpusIndex(settings.index_path)
