"""A team on one server: two people sign in with a real provider, one proposes, one approves."""

import json
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Generator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from curation.config import load_settings
from curation.domain.person import Person
from curation.services import changes, golden_set
from curation.services.cases import CaseFile
from curation.services.workspace import open_workspace
from tests.ui.conftest import Server, free_port

MIA = Person(name="Mia Kim", email="mia@kestrel.example")
COOKIES = "0123456789abcdef0123456789abcdef"
Settle = Callable[[Page], None]
NewTab = Callable[..., Page]


USERS = {
    "mia": {"name": "Mia Kim", "email": "mia@kestrel.example", "groups": ["rag"]},
    "rob": {"name": "Rob Oduya", "email": "rob@kestrel.example", "groups": ["rag-owners"]},
    "eve": {"name": "Eve Lund", "email": "eve@elsewhere.example", "email_verified": True},
}
FOREIGN = r"jsdelivr|/favicon\.ico"
PROVIDER = """
import json, sys
import oidc_provider_mock as provider
users = [provider.User(sub=sub, claims=own) for sub, own in json.loads(sys.argv[1]).items()]
with provider.run_server_in_thread(port=int(sys.argv[2]), user_claims=users):
    print("ready", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(scope="module")
def provider_url() -> Generator[str]:
    """A real provider in a process of its own: discovery, code flow, signed tokens."""
    port = free_port()
    command = [sys.executable, "-W", "ignore", "-c", PROVIDER, json.dumps(USERS), str(port)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"ready"
        yield f"http://127.0.0.1:{port}"
        process.kill()


@pytest.fixture(scope="module")
def team(
    demo_template: Path,
    provider_url: str,
    start: Callable[..., Server],
    tmp_path_factory: pytest.TempPathFactory,
) -> Generator[Server]:
    """A server of the sample world on which people sign in."""
    home = Path(shutil.copytree(demo_template, tmp_path_factory.mktemp("team") / "home"))
    port, file = free_port(), home / "curation.toml"
    file.write_text(
        f'auth = "oidc"\n{file.read_text()}\n[oidc]\nclient_id = "curation"\n'
        f'metadata_url = "{provider_url}/.well-known/openid-configuration"\n'
        f'public_url = "http://127.0.0.1:{port}"\nrole_claim = "groups"\n'
        'roles = { rag = "reviewer", rag-owners = "approver" }\n'
    )
    with pytest.MonkeyPatch.context() as here:
        here.setenv("CURATION_OIDC_CLIENT_SECRET", "secret")
        here.setenv("CURATION_COOKIE_SECRET", COOKIES)
        server = start(home, port)
    yield server
    server.stop()


@pytest.fixture
def configuration(team: Server) -> Generator[Path]:
    """The configuration of the team's home, which is put back after the test."""
    file = team.home / "curation.toml"
    whole = file.read_text()
    yield file
    file.write_text(whole)


def forgive_the_provider(page: Page) -> None:
    """Leave out what the pages of the provider asked for; ours ask nobody else."""
    watch = page.watch  # type: ignore[attr-defined]
    watch.problems = [said for said in watch.problems if not re.search(FOREIGN, said)]


def enter(page: Page, url: str, who: str, settle: Settle) -> None:
    """Come to an address without a sign-in, sign in by the keyboard, and come back to it."""
    page.route(re.compile("jsdelivr"), lambda route: route.fulfill(body=""))
    page.goto(url)
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    settle(page)
    page.keyboard.press("Enter")
    page.get_by_role("button", name=who).click()
    page.wait_for_url(lambda address: "/oauth2" not in address and "code=" not in address)
    settle(page)
    forgive_the_provider(page)


def test_two_people_sign_in_and_one_approves_what_the_other_proposed(
    team: Server, new_tab: NewTab, settle: Settle
) -> None:
    opened = open_workspace(
        load_settings(team.home).model_copy(update={"people": {MIA.email: "reviewer"}})
    )
    case = golden_set.browse(opened).active[0]
    document = case.model_dump(mode="json", by_alias=True) | {"notes": "Read again."}
    file = CaseFile(document=document, where="test", reason="The page says so now.")
    number = golden_set.propose_case(opened, file, person=MIA, now=datetime.now(UTC))[0].id
    author, approver, stranger = new_tab(), new_tab(), new_tab()

    enter(author, f"{team.url}/changes?change={number}", "mia", settle)
    expect(author.get_by_text("Mia Kim, reviewer")).to_be_visible()
    assert f"change={number}" in author.url

    enter(approver, f"{team.url}/settings", "rob", settle)
    expect(approver.get_by_text("Rob Oduya <rob@kestrel.example>, approver.")).to_be_visible()
    expect(approver.get_by_label("Your name")).to_have_count(0)
    approver.goto(f"{team.url}/changes?change={number}")
    settle(approver)
    approver.keyboard.press("Control+Enter")
    expect(approver.locator(".cur-message")).to_contain_text("Approved")
    (yes,) = changes.get(opened, number).approvals
    assert yes.person.email == "rob@kestrel.example"
    opened.store.dispose()

    enter(stranger, f"{team.url}/changes", "eve", settle)
    said = "You are not let in: eve@elsewhere.example has no role here."
    expect(stranger.get_by_role("alert")).to_contain_text(said)
    expect(stranger.get_by_test_id("stTopNavLink")).to_have_count(0)


def test_nobody_sees_or_sends_anything_before_a_sign_in_and_after_signing_out(
    team: Server, tab: Page, settle: Settle
) -> None:
    for slug in ("", "queue", "review", "changes", "golden_set", "audit", "settings"):
        tab.goto(f"{team.url}/{slug}")
        expect(tab.get_by_role("heading", name="Sign in")).to_be_visible()
        expect(tab.get_by_role("heading")).to_have_count(1)
    put = urllib.request.Request(f"{team.url}/_stcore/upload_file/s/f", data=b"x", method="PUT")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(put)
    assert refused.value.code == 401

    enter(tab, f"{team.url}/settings", "mia", settle)
    tab.keyboard.press("o")
    tab.get_by_role("button", name="End session").click()
    expect(tab.get_by_role("heading", name="Sign in")).to_be_visible()
    forgive_the_provider(tab)
    tab.goto(f"{team.url}/queue")
    expect(tab.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_sign_in_that_ends_or_another_way_of_signing_in_stops_the_page_that_is_open(
    team: Server, configuration: Path, tab: Page, settle: Settle
) -> None:
    enter(tab, f"{team.url}/settings", "mia", settle)
    whole = configuration.read_text()
    configuration.write_text(f"{whole}hours = 0.000001\n")
    tab.keyboard.press("q")
    expect(tab.get_by_role("alert")).to_contain_text("Your sign-in has ended")
    configuration.write_text(whole.replace('auth = "oidc"', 'auth = "local"'))
    tab.goto(f"{team.url}/queue")
    expect(tab.get_by_role("alert")).to_contain_text('auth is "local" in curation.toml')
