"""How this installation works: `curation.toml` in the home, and the environment.

The only module that reads environment variables.
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from curation.errors import ConfigError, place_and_problem

RoleName = Literal["reader", "reviewer", "approver", "admin"]
CONFIG_FILE = "curation.toml"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_PACKAGE = Path(__file__).resolve().parent


class _Part(BaseModel):
    """A frozen part of the settings; a key that it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class GoldenSettings(_Part):
    """Where the golden repository is and which branch holds the set.

    `path` is the repository, or a folder of a bigger one; relative paths start at the home.
    """

    path: str = "golden"
    branch: str = "main"


class ReviewSettings(_Part):
    """How reviews work."""

    blind_to_judge: bool = True
    lease_minutes: float = Field(default=30, gt=0)


class PrioritySettings(_Part):
    """The weights of the priority (measures.md section 9)."""

    correction: float = 4
    escalation: float = 4
    thumbs_down: float = 3
    reformulation: float = 2
    abandoned: float = 1
    follow_up: float = 0.5
    thumbs_up: float = -2
    judge_weight: float = 3
    hole_weight: float = 1
    window_days: int = Field(default=30, ge=1)
    slice_weight: dict[str, float] = Field(default_factory=dict)


class AgreementSettings(_Part):
    """How judges are compared with people.

    `compare` names the label that a judge's metric is compared with, where the names differ.
    Labels of answers with a tag of `relative` were given by comparing answers, and are left out.
    """

    compare: dict[str, str] = Field(default_factory=dict)
    relative: tuple[str, ...] = ()


class JudgeSettings(_Part):
    """Which judge scores answers, how it is called, and what it costs.

    Prices are per million tokens, in the currency of the budget; absent: the cost is unknown.
    """

    provider: Literal["proxy", "openai", "anthropic"] = "proxy"
    model: str | None = None
    base_url: str | None = None
    max_tokens: int = Field(default=300, ge=16)
    send_temperature: bool = True
    structured: bool = True
    timeout_s: float = Field(default=60, gt=0)
    retries: int = Field(default=3, ge=0)
    longest_pause_s: float = Field(default=60, gt=0)
    concurrency: int = Field(default=4, ge=1, le=64)
    lease_s: float = Field(default=60, gt=0)
    input_price: float | None = Field(default=None, ge=0)
    output_price: float | None = Field(default=None, ge=0)


class SearchSettings(_Part):
    """What finds passages of the corpus.

    `auto` is the engine at `url` where one is named, PostgreSQL's text search where the store is
    a PostgreSQL, else the index in the home. `token_variable` names the environment variable
    whose value the engine at `url` gets as a bearer token.
    """

    engine: Literal["auto", "tantivy", "postgresql", "http"] = "auto"
    url: str | None = None
    timeout_seconds: float = Field(default=5, gt=0, le=60)
    token_variable: str | None = None

    @model_validator(mode="after")
    def _has_address(self) -> Self:
        """Hold that an engine over HTTP has an address."""
        if self.engine == "http" and not self.url:
            raise ValueError("names the engine http and no url for it")
        return self


class SignInSettings(_Part):
    """How people sign in with a provider of OpenID Connect (`auth = "oidc"`).

    `role_claim` names the claim, with dots for what lies deeper, whose values `roles` turns into
    roles; the highest counts, and `[people]` counts before it. Who has no role from either gets
    `default_role`, and is not let in where there is none. A sign-in counts for `hours`.
    """

    metadata_url: str
    client_id: str = Field(min_length=1)
    public_url: str
    scope: str = "openid email profile"
    role_claim: str | None = None
    roles: dict[str, RoleName] = Field(default_factory=dict)
    default_role: RoleName | None = None
    hours: float = Field(default=12, gt=0, le=24 * 30)

    @field_validator("metadata_url", "public_url")
    @classmethod
    def _is_safe(cls, url: str) -> str:
        """Hold that a secret or a cookie goes to nobody on the way."""
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("is no address that begins with https://")
        if parts.scheme == "http" and parts.hostname not in LOOPBACK:
            raise ValueError("has to begin with https://")
        return url

    @field_validator("public_url")
    @classmethod
    def _is_a_root(cls, url: str) -> str:
        """Hold that the app is at the root of its host."""
        parts = urlsplit(url)
        if parts.path.strip("/") or parts.query or parts.fragment:
            raise ValueError("has to end with the host: the app is at the root of it")
        return f"{parts.scheme}://{parts.netloc}"

    @model_validator(mode="after")
    def _knows_a_claim(self) -> Self:
        """Hold that roles by claim have a claim."""
        if bool(self.roles) != (self.role_claim is not None):
            raise ValueError("has role_claim and roles only together")
        return self

    @property
    def public_host(self) -> str:
        """The host that browsers ask."""
        return urlsplit(self.public_url).hostname or ""

    @property
    def provider_host(self) -> str:
        """The host that people sign in at."""
        return urlsplit(self.metadata_url).hostname or ""


class SignInSecrets(_Part):
    """What only the server knows: its secret at the provider, and what signs its cookies."""

    client_secret: str
    cookie_secret: str


class Settings(_Part):
    """Everything that `curation.toml` says, with the home it was read from."""

    home: Path
    auth: Literal["local", "oidc"] = "local"
    oidc: SignInSettings | None = None
    me: str | None = None
    database: str | None = None
    golden: GoldenSettings = GoldenSettings()
    review: ReviewSettings = ReviewSettings()
    priority: PrioritySettings = PrioritySettings()
    search: SearchSettings = SearchSettings()
    judge: JudgeSettings = JudgeSettings()
    agreement: AgreementSettings = AgreementSettings()
    people: dict[str, RoleName] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _knows_its_provider(self) -> Self:
        """Hold that signing in has a provider."""
        if self.auth == "oidc" and self.oidc is None:
            raise ValueError('has auth = "oidc" and no [oidc] that names the provider')
        return self

    @property
    def sign_in(self) -> SignInSettings | None:
        """How people sign in; None where nobody does."""
        return self.oidc if self.auth == "oidc" else None

    @property
    def golden_path(self) -> Path:
        """The golden path as an absolute path."""
        return (self.home / self.golden.path).resolve()

    @property
    def database_path(self) -> Path:
        """The SQLite file that is used when no database is configured."""
        return self.home / "curation.sqlite3"

    @property
    def index_path(self) -> Path:
        """The folder of the corpus search index."""
        return self.home / "index"

    @property
    def answer_index_path(self) -> Path:
        """The folder of the search index of the logged answers."""
        return self.home / "answer-index"

    @property
    def rejects_path(self) -> Path:
        """The folder that refused records go to."""
        return self.home / "rejects"


def resolve_home(given: Path | None, environment: Mapping[str, str] | None = None) -> Path:
    """Return the home: the one given, else `CURATION_HOME`, else `./.curation`."""
    env = os.environ if environment is None else environment
    if given is not None:
        return given.expanduser().resolve()
    named = env.get("CURATION_HOME")
    return Path(named).expanduser().resolve() if named else Path.cwd() / ".curation"


def load_settings(home: Path) -> Settings:
    """Return the settings of a home; defaults where it has no `curation.toml`.

    Raises:
        ConfigError: the file is not TOML, or has an unknown key or a wrong value.
    """
    file = home / CONFIG_FILE
    try:
        if not file.exists():
            return Settings(home=home)
        table = tomllib.loads(file.read_bytes().decode("utf-8-sig"))
        return Settings.model_validate({**table, "home": home})
    except UnicodeDecodeError as problem:
        said = f"byte {problem.start} is not UTF-8"
        raise ConfigError(str(file), said, "Save it as UTF-8.") from problem
    except OSError as problem:
        raise ConfigError(str(file), problem.strerror or str(problem), "Correct it.") from problem
    except tomllib.TOMLDecodeError as problem:
        raise ConfigError(str(file), str(problem), "Correct the file.") from problem
    except ValidationError as problem:
        place, wrong = place_and_problem(problem)
        said = "there is no such key" if wrong == "is not known" else f"it {wrong}"
        raise ConfigError(f"{file}, key {place},", said, "Correct it.") from problem


def search_token(
    settings: SearchSettings, environment: Mapping[str, str] | None = None
) -> str | None:
    """Return what the search engine is told as its bearer token; None for nothing.

    Raises:
        ConfigError: the variable that the settings name is not set.
    """
    env = os.environ if environment is None else environment
    if settings.token_variable is None:
        return None
    if not env.get(settings.token_variable):
        said = f"the environment variable {settings.token_variable} is not set"
        raise ConfigError("search.token_variable", said, "Set it, or leave the key out.")
    return env[settings.token_variable]


def api_token(environment: Mapping[str, str] | None = None) -> str | None:
    """Return the token that programs show to report signals; None where none is set."""
    env = os.environ if environment is None else environment
    return env.get("CURATION_API_TOKEN", "").strip() or None


_CLIENT_SECRET, _COOKIE_SECRET = "CURATION_OIDC_CLIENT_SECRET", "CURATION_COOKIE_SECRET"
_SHORTEST_SECRET = 32


def sign_in_secrets(environment: Mapping[str, str] | None = None) -> SignInSecrets:
    """Return the secrets of signing in, which stand in the environment and nowhere else.

    Raises:
        ConfigError: one is not set, or what signs the cookies is too short to keep them safe.
    """
    env = os.environ if environment is None else environment
    found = {name: env.get(name, "").strip() for name in (_CLIENT_SECRET, _COOKIE_SECRET)}
    for name, value in found.items():
        if not value:
            said = f"the environment variable {name} is not set"
            raise ConfigError('auth = "oidc"', said, "Set it where the server runs.")
    if len(found[_COOKIE_SECRET]) < _SHORTEST_SECRET:
        said = f"{_COOKIE_SECRET} has fewer than {_SHORTEST_SECRET} signs"
        raise ConfigError('auth = "oidc"', said, "Make it longer, and of chance.")
    return SignInSecrets(client_secret=found[_CLIENT_SECRET], cookie_secret=found[_COOKIE_SECRET])


def shipped(name: str) -> Path:
    """Return the folder `pages` or `golden_repo`, in a wheel or in a checkout.

    Raises:
        ConfigError: the installation is incomplete.
    """
    for root in (_PACKAGE / "_tree", _PACKAGE.parent):
        if (root / name).is_dir():
            return root / name
    raise ConfigError(name, "the installation lacks this folder", "Install curation again.")


_JUDGE_KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
_JUDGE_ADDRESSES = {"openai": "OPENAI_BASE_URL", "anthropic": "ANTHROPIC_BASE_URL"}


def judge_key_name(provider: str) -> str:
    """Return the environment variable that a provider's key is read from."""
    return _JUDGE_KEYS[provider]


def judge_key(provider: str, environment: Mapping[str, str] | None = None) -> str | None:
    """Return a provider's key, which stands in the environment and nowhere else."""
    env = os.environ if environment is None else environment
    return env.get(judge_key_name(provider), "").strip() or None


def judge_base_url(provider: str, environment: Mapping[str, str] | None = None) -> str | None:
    """Return the address that the environment names for a provider's client."""
    env = os.environ if environment is None else environment
    return env.get(_JUDGE_ADDRESSES[provider], "").strip() or None


_GIT_KEPT = ("PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "SSH_AUTH_SOCK", "LANG")


def git_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment that git runs in: nothing of `GIT_*` leaks in from outside."""
    env = os.environ if environment is None else environment
    kept = {key: env[key] for key in _GIT_KEPT if key in env}
    return kept | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": os.devnull,  # a graft gives a commit other parents than it has
        "GIT_ALLOW_PROTOCOL": "https:ssh:file",
        "GIT_FLUSH": "0",  # else `git log` writes each commit to a pipe by itself
        "LC_ALL": "C.UTF-8",
    }


def git_leftovers(environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return the variables of git that are set here and that `git_environment` leaves out.

    They are there when the program runs inside a hook of git.
    """
    env = os.environ if environment is None else environment
    kept = git_environment(env)
    return tuple(sorted(key for key in env if key.startswith("GIT_") and key not in kept))
