"""Take the pictures of `docs/images` anew, of the sample world: `python -m docs.pictures`.

The same steps as in the README, by the same commands and keys, so that no picture shows a page that
is no more. It needs Chromium (`CHROMIUM` names another one) and two or three minutes.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.review import served
from curation.config import load_settings
from curation.services.demo import YOU
from curation.services.tour import note_tour_shown

IMAGES = Path(__file__).parent / "images"
RUN = "from curation.cli.main import main; main()"
IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'
DRAWN = "() => document.querySelector('.cur-tools button, .cu-review h1')"
PORT = 8795
URL = f"http://127.0.0.1:{PORT}"
MIA = str(YOU)


def command(home: Path, *words: str) -> None:
    """Run a command of the program on the home."""
    subprocess.run([sys.executable, "-c", RUN, *words, "--home", str(home)], check=True, cwd=home)


def program(home: Path, *words: str) -> list[str]:
    """Return the command that serves the home."""
    return [sys.executable, "-c", RUN, *words, "--home", str(home), "--port", str(PORT)]


def experiments(home: Path) -> None:
    """Promote the pipeline that is right; leave the one that harms billing recorded and open."""
    retriever = ("experiment", "open", "--component", "retriever", "--as", MIA, "--hypothesis")
    command(home, *retriever, "Search the release that is asked for")
    for name in ("version_blind", "version_aware", "handbook_boost"):
        target = f"curation.sample.pipeline:{name}"
        command(home, "eval", "run", "--target", target, "--out", f"{name}.json")
    first = ("--candidate", "version_aware.json", "--baseline", "version_blind.json")
    command(home, "experiment", "record", "exp-001", *first, "--as", MIA)
    ending = ("--decision", "promote", "--why", "It finds the right release", "--as", MIA)
    command(home, "experiment", "close", "exp-001", *ending)
    command(home, *retriever, "The handbook is asked about most")
    second = ("--candidate", "handbook_boost.json", "--as", MIA)
    command(home, "experiment", "record", "exp-002", *second)


def settle(page: Page) -> None:
    """Wait until the page is drawn."""
    page.wait_for_selector(IDLE, state="attached", timeout=60_000)
    page.wait_for_function(DRAWN)
    page.wait_for_timeout(1200)


def nothing(page: Page) -> None:
    """Leave the page as it opens."""


def picked(page: Page) -> None:
    """Require the right value, forbid the wrong one, and begin the reference with the words."""
    page.keyboard.press("Shift+Digit1")
    page.wait_for_timeout(900)
    page.keyboard.press("i")
    page.wait_for_timeout(900)


def facts_of_a_case(page: Page) -> None:
    """Look where the facts of the case come from."""
    page.get_by_role("button", name="Facts and where they come from").click()
    page.wait_for_timeout(1200)


def first_row(page: Page) -> None:
    """Open the selected row."""
    page.keyboard.press("o")
    settle(page)


PICTURES: tuple[tuple[str, str, int, int, bool, Callable[[Page], None]], ...] = (
    ("queue-wide-light", "/", 1440, 900, False, nothing),
    ("queue-narrow-dark", "/", 760, 900, True, nothing),
    ("review-wide-light", "/review", 1440, 900, False, picked),
    ("review-wide-dark", "/review", 1440, 900, True, nothing),
    ("review-narrow-light", "/review", 1100, 800, False, nothing),
    ("review-one-column-dark", "/review", 760, 900, True, nothing),
    ("changes-wide-light", "/changes", 1440, 900, False, nothing),
    ("golden-set-wide-dark", "/golden_set", 1440, 900, True, facts_of_a_case),
    ("history-wide-light", "/history", 1440, 900, False, nothing),
    ("experiments-wide-light", "/experiments", 1440, 900, False, nothing),
    ("experiment-wide-light", "/experiments", 1440, 900, False, first_row),
    ("audit-wide-light", "/audit", 1440, 900, False, nothing),
    ("judge-wide-light", "/judge", 1440, 900, False, nothing),
    ("breaks-wide-light", "/breaks", 1440, 900, False, nothing),
    ("evidence-narrow-light", "/evidence", 1000, 900, False, nothing),
)


def take(browser: Browser) -> None:
    """Take every picture, each in a window of its own."""
    for name, path, width, height, dark, prepare in PICTURES:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
        )
        page = context.new_page()
        page.goto(URL + path)
        settle(page)
        prepare(page)
        page.screenshot(path=str(IMAGES / f"{name}.png"))
        context.close()
        print(name)


def main() -> None:
    """Make a sample world, serve it, take the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        with served(program(home, "demo", "--no-browser"), PORT):
            pass
        note_tour_shown(load_settings(home), YOU)
        experiments(home)
        with served(program(home, "serve"), PORT), sync_playwright() as playwright:
            chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            take(browser)
            browser.close()


if __name__ == "__main__":
    main()
