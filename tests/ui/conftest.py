"""A real browser on a real server: where Chromium comes from, and how a server is started."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    expect,
    sync_playwright,
)
from playwright.sync_api import Error as PlaywrightError
from streamlit.testing.v1 import AppTest

from curation.config import load_settings
from curation.services.demo import YOU, load_demo
from curation.services.tour import note_tour_shown
from curation.services.workspace import Workspace, open_workspace
from curation.ui.server import SCRIPT
from curation.ui.shell import PAGES

ARGUMENTS = (
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PATIENCE = 30_000  # milliseconds, for a machine that does other things too
expect.set_options(timeout=PATIENCE)
RUN = "from curation.cli.main import main; main()"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = (
    "The browser tests need Chromium and none could be found or installed: "
    "install it with `apt-get install chromium` or `python -m playwright install chromium`."
)
BROWSER_FIXTURES = frozenset({"browser", "new_tab", "tab"})
BAR_LISTENS = """() => document.querySelector('.cur-tools button, .cu-review h1')"""
IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'
LONGEST = "test_every_page_in_browser.py"  # few tests, each of which opens every page
EXPECTED_404 = ("/_stcore/health", "/_stcore/host-config")  # asked for below every deep link


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests that drive a browser."""
    if BROWSER_FIXTURES & set(getattr(item, "fixturenames", ())):
        item.add_marker(pytest.mark.browser)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the browser tests last: sync Playwright leaves an event loop running.

    One worker takes a file whole, so that its tests share their server; the longest files come
    first, so that no worker is left with one at the end.
    """
    in_browser = Counter(item.path for item in items if item.get_closest_marker("browser"))
    items.sort(
        key=lambda item: (
            item.path in in_browser,
            item.path.name != LONGEST,
            -in_browser[item.path],
            item.get_closest_marker("browser") is not None,
        )
    )


def _try(playwright: Playwright, path: str) -> Browser | None:
    """Return a launched browser; None where this Chromium does not start."""
    try:
        return playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
    except PlaywrightError:
        return None


def _installed(playwright: Playwright) -> Browser | None:
    """Return a browser that is there already."""
    paths = [found for name in NAMES if (found := shutil.which(name))]
    own = Path(playwright.chromium.executable_path)
    paths += [str(own)] if own.is_file() else []
    launched = (_try(playwright, path) for path in paths)
    return next((browser for browser in launched if browser is not None), None)


def _run(*command: str) -> bool:
    """Return whether a command ended well in two minutes."""
    try:
        done = subprocess.run(command, check=False, capture_output=True, timeout=120)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _install(playwright: Playwright) -> Browser | None:
    """Return a browser installed now: Playwright's own, else Debian's where that is allowed."""
    if _run(sys.executable, "-m", "playwright", "install", "chromium"):
        browser = _installed(playwright)
        if browser is not None:
            return browser
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _run("apt-get", "update")
        _run("apt-get", "install", "-y", "--no-install-recommends", "chromium")
    return _installed(playwright)


@pytest.fixture(scope="session")
def browser() -> Generator[Browser]:
    """A running Chromium; a machine without one gets one, or a sentence that says what to do."""
    with sync_playwright() as playwright:
        launched = _installed(playwright) or _install(playwright)
        if launched is None:
            pytest.fail(MISSING, pytrace=False)
        yield launched
        launched.close()


@dataclass
class Server:
    """A running `curation serve`."""

    url: str
    home: Path
    process: subprocess.Popen[bytes]

    def stop(self) -> str:
        """Stop it and return what it wrote."""
        self.process.terminate()
        try:
            out, _ = self.process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            out, _ = self.process.communicate()
        return out.decode()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_server(home: Path, port: int | None = None) -> Server:
    """Start `curation serve` on a home and return when it answers."""
    port = port or free_port()
    command = [sys.executable, "-c", RUN, "serve", "--port", str(port)]
    command += ["--home", str(home)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    server = Server(url=f"http://127.0.0.1:{port}", home=home, process=process)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return server
    pytest.fail(f"The server did not start: {server.stop()}", pytrace=False)


@pytest.fixture
def serve_home() -> Generator[Callable[..., Server]]:
    """Start servers on homes: `serve_home(home)`; all are stopped at the end of the test."""
    started: list[Server] = []

    def start(home: Path, port: int | None = None) -> Server:
        started.append(start_server(home, port))
        return started[-1]

    yield start
    for server in started:
        server.stop()


class Watch:
    """What a page must never do: break the policy, ask another host, or fail in its scripts."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.host = host
        self.problems: list[str] = []
        self.requests: list[str] = []

    def attach(self, context: BrowserContext) -> None:
        """Listen to everything that happens in a context."""
        context.on("console", self._console)
        context.on("weberror", lambda error: self.problems.append(f"script: {error.error}"))
        context.on("request", lambda request: self._request(request.url))

    def _console(self, message: ConsoleMessage) -> None:
        where = str(message.location.get("url", ""))
        if message.type == "error" and not where.endswith(EXPECTED_404):
            self.problems.append(f"console: {message.text} ({where})")

    def _request(self, url: str) -> None:
        self.requests.append(url)
        if not url.startswith((f"http://{self.host}:", "data:", "blob:")):
            self.problems.append(f"request to another host: {url}")


@pytest.fixture
def new_tab(browser: Browser) -> Generator[Callable[..., Page]]:
    """Open browser windows: `new_tab(width=1440, height=900, dark=False)`.

    Each is a person's own browser. A policy violation, an error in the console or a request to
    another host fails the test at its end; `tab.watch.problems.clear()` allows what is expected.
    """
    contexts: list[BrowserContext] = []
    watches: list[Watch] = []

    def open_tab(
        *, width: int = 1440, height: int = 900, dark: bool = False, **more: object
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            timezone_id="Europe/Berlin",
            **more,  # type: ignore[arg-type]
        )
        context.set_default_timeout(PATIENCE)
        watch = Watch()
        watch.attach(context)
        contexts.append(context)
        watches.append(watch)
        page = context.new_page()
        page.watch = watch  # type: ignore[attr-defined]
        return page

    yield open_tab
    for context in contexts:
        context.close()
    problems = [problem for watch in watches for problem in watch.problems]
    assert not problems, "\n".join(problems)


@pytest.fixture
def tab(new_tab: Callable[..., Page]) -> Page:
    """One light browser window of 1440 by 900."""
    return new_tab()


@pytest.fixture
def settle() -> Callable[[Page], None]:
    """Wait until the script of a page has run and the browser has drawn it: `settle(page)`."""

    def wait(page: Page) -> None:
        page.wait_for_selector(IDLE, state="attached")
        page.wait_for_timeout(80)
        page.wait_for_selector(IDLE, state="attached")
        page.wait_for_function(BAR_LISTENS)

    return wait


@pytest.fixture(scope="session")
def demo_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample world in a home, loaded once; tests take `demo_home`, a copy of it."""
    home = tmp_path_factory.mktemp("template") / "home"
    load_demo(load_settings(home), now=datetime.now(UTC), tell=lambda _: None)
    note_tour_shown(load_settings(home), YOU)
    return home


@pytest.fixture
def demo_home(demo_template: Path, tmp_path: Path) -> Path:
    """A home of one's own with the sample world: Mia Kim sits there, at golden/v3."""
    return Path(shutil.copytree(demo_template, tmp_path / "home"))


@pytest.fixture(scope="module")
def demo_server(demo_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[Server]:
    """One server on the sample world for the tests of a file that do not meet each other."""
    home = Path(shutil.copytree(demo_template, tmp_path_factory.mktemp("served") / "home"))
    server = start_server(home)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def desk(demo_server: Server) -> Generator[Workspace]:
    """The store and golden set that `demo_server` serves, for tests that each take other cases."""
    opened = open_workspace(load_settings(demo_server.home))
    yield opened
    opened.store.dispose()


@pytest.fixture(scope="session")
def start() -> Callable[..., Server]:
    """Start a server that the caller stops: `start(home)`."""
    return start_server


@pytest.fixture(scope="session")
def freeze() -> Callable[[Path], None]:
    """Freeze a home's golden set by a committed `exp-001.json`: `freeze(home)`."""

    def commit(home: Path) -> None:
        golden = home / "golden"
        record = {
            "id": "exp-001",
            "state": "open",
            "component": "retriever",
            "opened_by": "Ana Ruiz <ana@kestrel.example>",
            "opened_at": "2026-11-26T13:02:00+00:00",
            "version": "golden/v3",
        }
        file = golden / "experiments" / "exp-001.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(record), encoding="utf-8")
        git = ["git", "-C", str(golden), "-c", "user.name=Ana Ruiz", "-c", "user.email=a@x.test"]
        subprocess.run([*git, "add", "experiments"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", "Open exp-001"], check=True)

    return commit


@pytest.fixture
def run_app() -> Callable[..., AppTest]:
    """Run the app without a browser: `run_app(home, "settings")`."""

    def run(home: Path, page: str = "queue", **parameters: str) -> AppTest:
        app = AppTest.from_file(str(SCRIPT), default_timeout=30)
        app.secrets["curation"] = {"home": str(home)}
        for name, value in parameters.items():
            app.query_params[name] = value
        app.run()
        if page != "queue":
            entry = next(one for one in PAGES if one.slug == page)
            app.switch_page(str(entry.path)).run()
        return app

    return run
