"""How long a review with nasty text takes to open: `nice -n 19 python benchmarks/nasty.py`.

The answer has a chunk of more than 200 kB, a word of 10,000 characters, tags, links and characters
that nobody sees. It is opened in turn with an ordinary answer and with a bare Streamlit page, so
that a busy machine slows all three alike; the target, 2 s, is for an idle one.
"""

import os
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.review import BARE, served
from curation.config import load_settings
from curation.services.home import set_me
from curation.services.tour import note_tour_shown
from tests.ui.review.test_review_nasty_text import HUGE, LONG_WORD, NASTY
from tests.ui.review.world import MIA, MIXUP, make_home

ROUNDS = 9
TARGET = 2.0  # seconds


def nasty_answer() -> dict[str, object]:
    """Return the mix-up of the tests with nasty text in every part of it."""
    chunks = [
        {"rank": rank, "chunk_id": f"n{rank}<b>", "doc_id": "d", "doc_version": "4.2", "text": text}
        for rank, text in enumerate((NASTY, HUGE, LONG_WORD), start=1)
    ]
    return {
        **MIXUP,
        "id": "nasty",
        "question": f"- {NASTY}",
        "answer": f"- {NASTY}\n{LONG_WORD}",
        "conversation": [{"role": "user<b>", "text": NASTY}],
        "retrieved": chunks,
        "citations": [],
        "signals": [{"kind": "correction", "comment": NASTY}],
    }


def opened(page: Page, url: str, mark: str) -> float:
    """Return the seconds from asking for a page to what it is about being in sight."""
    page.goto("about:blank")
    began = time.perf_counter()
    page.goto(url)
    page.wait_for_selector(mark, timeout=60_000)
    return time.perf_counter() - began


def told(name: str, laps: list[float], floor: float) -> None:
    """Print the median, the spread and the ratio to a bare page."""
    middle = statistics.median(laps)
    spread = f"({min(laps):.2f} to {max(laps):.2f}, n = {len(laps)})"
    print(f"{name:24} median {middle:5.2f} s {spread}, {middle / floor:4.1f} x bare")


def measure(page: Page, bare: str, app: str) -> None:
    """Open the three pages in turn and print how long each took."""
    pages = {
        "bare Streamlit page": (bare, ".bare"),
        "ordinary answer": (f"{app}/review?answer=mixup", ".cu-bar"),
        "nasty answer": (f"{app}/review?answer=nasty", ".cu-bar"),
    }
    laps: dict[str, list[float]] = {name: [] for name in pages}
    for turn in range(ROUNDS + 1):
        for name, (url, mark) in pages.items():
            taken = opened(page, url, mark)
            if turn:  # the first round warms the servers
                laps[name].append(taken)
    floor = statistics.median(laps["bare Streamlit page"])
    for name, each in laps.items():
        told(name, each, floor)
    ratio = statistics.median(laps["nasty answer"]) / statistics.median(laps["ordinary answer"])
    print(f"nasty / ordinary: {ratio:.2f}; target {TARGET} s on an idle machine")


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="curation-nasty-"))
    home = make_home(folder, answers=(MIXUP, nasty_answer()))
    set_me(home, MIA)
    note_tour_shown(load_settings(home), MIA)
    script = folder / "bare.py"
    script.write_text(BARE, encoding="utf-8")
    bare = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", "8793"]
    bare += ["--server.headless", "true", "--browser.gatherUsageStats", "false"]
    bare += ["--server.address", "127.0.0.1"]
    app = [sys.executable, "-c", "from curation.cli.main import main; main()", "serve"]
    app += ["--port", "8794", "--home", str(home)]
    print(f"{datetime.now(UTC):%Y-%m-%d}, load {os.getloadavg()[0]:.2f} on {os.cpu_count()} cores")
    with sync_playwright() as playwright, served(bare, 8793) as one, served(app, 8794) as other:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        measure(browser.new_page(viewport={"width": 1440, "height": 900}), one, other)
        browser.close()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    main()
