"""Where the cases of an evaluation come from: git near and far, a folder, a plain file."""

import subprocess
from pathlib import Path

import pytest

from curation.errors import NotFoundError
from curation.evaluation.run import Run, RunHeader
from curation.golden import GitFailedError, Location, UnknownVersionError
from curation.golden.fetch import RepositoryAddressError, fetch_golden, is_address
from curation.services.suite import parse_reference
from curation.services.yardstick import NoCasesError, Source, of_file, of_version, open_source
from tests.golden.desk import ROB, START, Desk, make_case


@pytest.fixture
def golden(tmp_path: Path) -> Desk:
    """A set with golden/v2 (one case), golden/v3 (two) and golden/v4 (the same two)."""
    from curation.golden import create

    location = Location.at(tmp_path / "golden")
    create(location, person=ROB, now=START)
    desk = Desk(location)
    desk.publish(desk.add("q-0001"))
    desk.publish(desk.add("q-0002"))
    desk.publish(desk.policy(desk.git("show", "main:golden.toml") + "\n# more\n"))
    return desk


def test_the_newest_version_is_measured_unless_one_is_named(golden: Desk) -> None:
    assert of_version(golden.location).version == "golden/v4"
    assert len(of_version(golden.location, "v2").cases) == 1
    with pytest.raises(UnknownVersionError):
        of_version(golden.location, "golden/v9")
    with pytest.raises(NoCasesError):
        of_version(golden.location, "golden/v1")


def test_a_version_is_pinned_by_commit_tree_and_policy(golden: Desk) -> None:
    pins = of_version(golden.location, "golden/v3").pins
    assert pins.commit == golden.git("rev-parse", "golden/v3^{commit}")
    assert pins.cases_tree == golden.git("rev-parse", "golden/v3:cases")
    assert pins.policy_blob == golden.git("rev-parse", "golden/v3:golden.toml")


def test_a_run_on_the_same_cases_is_one_on_this_version(golden: Desk) -> None:
    def made_on(version: str) -> Run:
        return Run(header=RunHeader(version=version), lines=(), sha256="")

    newest = of_version(golden.location)
    assert newest.fitted(made_on("golden/v3")).header.version == "golden/v4"
    assert newest.fitted(made_on("golden/v2")).header.version == "golden/v2"


def test_a_folder_of_a_clone_is_a_source(golden: Desk) -> None:
    with open_source(Location.at(Path("/nowhere")), str(golden.location.path)) as source:
        assert source.yardstick().version == "golden/v4"


@pytest.mark.parametrize("version", [None, "golden/v2"])
def test_an_address_is_fetched_and_gone_afterwards(
    golden: Desk, version: str | None, tmp_path: Path
) -> None:
    far = f"file://{golden.location.path}"
    with open_source(golden.location, far, version=version) as source:
        assert source.location is not None
        folder = source.location.path
        assert source.yardstick(version).version == (version or "golden/v4")
        assert len(source.yardstick(version).cases) == (1 if version else 2)
    assert not folder.exists()


def test_a_set_in_a_folder_of_a_bigger_repository_is_found_behind_an_address(
    tmp_path: Path,
) -> None:
    from curation.golden import create

    app = tmp_path / "app"
    subprocess.check_call(["git", "init", "-q", "-b", "main", app])
    location = Location.at(app / "evals" / "golden")
    create(location, person=ROB, now=START, inside=True)
    desk = Desk(location)
    desk.publish(desk.add(make_case("q-0001")))
    with open_source(location, f"file://{app}#evals/golden", version="golden/v2") as source:
        assert [case.id for case in source.yardstick("golden/v2").cases] == ["q-0001"]


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c touch% /tmp/x",
        "http://host/x",
        "--upload-pack=/bin/sh://x",
        "https://-oProxyCommand=x/y",
        "git@-oProxyCommand=x:y",
    ],
)
def test_an_address_that_could_run_something_is_not_fetched(tmp_path: Path, url: str) -> None:
    with pytest.raises(RepositoryAddressError):
        fetch_golden(url, tmp_path)


def test_a_repository_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(GitFailedError, match="fetch"):
        fetch_golden(f"file://{tmp_path}/none.git", tmp_path)
    assert is_address("git@host.example:team/golden.git")
    assert not is_address("evals/golden")


def test_a_plain_file_is_unpinned_and_takes_the_policy_beside_it(golden: Desk) -> None:
    file = golden.location.path / "golden.jsonl"
    yardstick = of_file(file)
    assert yardstick.version.startswith("unpinned:")
    assert [case.digest for case in yardstick.cases] == [
        case.digest for case in of_version(golden.location).cases
    ]
    assert yardstick.policy == of_version(golden.location).policy


def test_a_folder_outside_git_with_a_golden_file_is_a_plain_file(
    golden: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("plain")
    (folder / "golden.jsonl").write_bytes((golden.location.path / "golden.jsonl").read_bytes())
    with open_source(golden.location, str(folder)) as source:
        assert source == Source(file=folder / "golden.jsonl")


def test_what_is_not_there_is_told(golden: Desk, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError), open_source(golden.location, str(tmp_path / "none")):
        pass


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("golden/v2", (None, "golden/v2")),
        ("v2", (None, "v2")),
        ("evals/golden", ("evals/golden", None)),
        ("evals/golden@golden/v2", ("evals/golden", "golden/v2")),
        ("git@host.example:x.git@v3", ("git@host.example:x.git", "v3")),
        ("git@host.example:x.git", ("git@host.example:x.git", None)),
    ],
)
def test_a_reference_names_a_source_and_a_version(
    text: str, parts: tuple[str | None, str | None]
) -> None:
    assert parse_reference(text) == parts
