"""From key to repaint on the review page: `nice -n -5 python benchmarks/review.py [home]`.

Run `benchmarks/ingest.py` first, on the same home: 100,000 answers. The floor, measured by the same
instrument in the same run, is a bare Streamlit page whose fragment draws one component: what any
key costs that Python hears of. Times are from the key's event to the frame after the change.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.ingest import passage
from curation.config import load_settings
from curation.domain.person import Person
from curation.services.corpus import add_chunks
from curation.services.home import create_home, set_me
from curation.services.tour import note_tour_shown
from curation.services.workspace import open_workspace

MIA = Person(name="Mia Kim", email="mia@example.org")
FACTS = "document.querySelectorAll('.cu-fact').length"
SHOWN = "location.search"  # names the answer, set in the same turn as it is drawn
CURSOR = "document.querySelector('.cu-cursor')?.textContent"
TARGETS = {"pick": 400, "next answer": 500}  # milliseconds
BARE = """
import streamlit as st
draw = st.components.v2.component(
    "bare.page", html="<p class='bare'></p>",
    js='''export default function ({data, parentElement, setStateValue}) {
  parentElement.querySelector(".bare").textContent = data.n;
  if (!window.heard) document.addEventListener("keydown", (e) => window.heard(e));
  let n = data.n;
  window.heard = () => setStateValue("n", n + 1);
}''', isolate_styles=False)
@st.fragment
def page():
    state = st.session_state.get("bare") or {}
    draw(key="bare", data={"n": state.get("n") or 0}, default={"n": 0}, on_n_change=lambda: None)
page()
"""
ARM = """() => {
  const look = () => MARK;
  const before = look();
  window.__lap = null;
  addEventListener("keydown", () => {
    const began = performance.now();
    const watch = () => requestAnimationFrame(() => {
      if (look() === before) return watch();
      requestAnimationFrame(() => { window.__lap = performance.now() - began; });
    });
    watch();
  }, { capture: true, once: true });
}"""


def lap(page: Page, key: str, mark: str) -> float:
    """Return the milliseconds from a key to the frame after the marked thing changed."""
    page.evaluate(ARM.replace("MARK", mark))
    page.keyboard.press(key)
    page.wait_for_function("() => window.__lap !== null", timeout=20_000)
    taken = float(page.evaluate("() => window.__lap"))
    page.wait_for_timeout(120)
    return taken


def told(name: str, laps: list[float], floor: float | None = None) -> float:
    """Print the median and the spread; return the median."""
    middle = statistics.median(laps)
    ratio = f", {middle / floor:4.1f} x bare" if floor else ""
    target = f", target {TARGETS[name]} ms" if name in TARGETS else ""
    spread = f"({min(laps):.0f} to {max(laps):.0f}, n = {len(laps)})"
    print(f"{name:28} median {middle:6.0f} ms {spread}{ratio}{target}")
    return middle


@contextmanager
def served(command: list[str], port: int) -> Iterator[str]:
    """Run a server until the block ends."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{url}/_stcore/health", timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(timeout=20)


def measure_floor(page: Page) -> float:
    """Return the median of a key on a bare Streamlit page."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "bare.py"
        script.write_text(BARE, encoding="utf-8")
        command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", "8791"]
        command += ["--server.headless", "true", "--browser.gatherUsageStats", "false"]
        with served([*command, "--server.address", "127.0.0.1"], 8791) as url:
            page.goto(url)
            page.wait_for_selector(".bare")
            page.wait_for_timeout(1000)
            laps = [
                lap(page, "x", "document.querySelector('.bare').textContent") for _ in range(20)
            ]
    return told("bare Streamlit fragment", laps)


def idle(page: Page) -> None:
    page.wait_for_function("() => window.__curationReview && !window.__curationReview.busy()")


def narrow(page: Page) -> None:
    """Narrow the pick to a few words: the passages of the log are one long sentence."""
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight"):
        page.keyboard.press(key)


def one_answer(page: Page, laps: dict[str, list[float]]) -> None:
    """Pick in three chunks, take one back, move the cursor, end with a verdict."""
    for _ in range(2):
        laps["cursor (browser alone)"].append(lap(page, "PageDown", CURSOR))
        narrow(page)
        laps["pick"].append(lap(page, "3", FACTS))
    laps["undo a pick"].append(lap(page, "z", FACTS))
    idle(page)
    laps["next answer"].append(lap(page, "g", SHOWN))
    idle(page)


def proposed(page: Page, laps: dict[str, list[float]], number: int) -> None:
    """Propose one case: two picks, a reference, Mod+Enter."""
    laps["cursor (browser alone)"].append(lap(page, "PageDown", CURSOR))
    narrow(page)
    laps["pick"].append(lap(page, "1", FACTS))
    page.keyboard.press("i")
    idle(page)
    page.keyboard.press("w")
    page.keyboard.type(f" This is where option {number} is set.")
    laps["propose, next answer"].append(lap(page, "Control+Enter", SHOWN))
    idle(page)


def measure_review(page: Page, url: str, floor: float) -> None:
    names = ("cursor (browser alone)", "pick", "undo a pick", "next answer", "propose, next answer")
    laps: dict[str, list[float]] = {name: [] for name in names}
    began = time.perf_counter()
    page.goto(f"{url}/review")
    page.wait_for_selector(".cu-bar", timeout=60_000)
    print(f"first page of the server: {time.perf_counter() - began:.2f} s")
    page.wait_for_timeout(1500)
    one_answer(page, {name: [] for name in names})  # warm
    try:
        for _ in range(15):
            one_answer(page, laps)
        for number in range(8):
            proposed(page, laps, number)
    finally:  # what was measured is told, whatever stopped the rest
        for name, each in laps.items():
            if each:
                told(name, each, floor)
        page.screenshot(path=str(Path(tempfile.gettempdir()) / "curation-benchmark-review.png"))


def prepare(home: Path) -> None:
    """Give the home of `ingest.py` a person, a golden set and the corpus of its log."""
    create_home(load_settings(home), person=MIA, now=datetime.now(UTC))
    settings = set_me(home, MIA)
    note_tour_shown(settings, MIA)
    chunks = home / "chunks.jsonl"
    if chunks.exists():
        return
    with chunks.open("w", encoding="utf-8") as file:
        for n in range(20_000):
            chunk = {"chunk_id": f"c{n}", "doc_id": f"d{n // 20}", "doc_version": "4.2"}
            file.write(json.dumps({**chunk, "text": passage(n)}) + "\n")
    workspace = open_workspace(settings)
    add_chunks(workspace, [chunks], now=datetime.now(UTC))
    workspace.store.dispose()


def main() -> None:
    home = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("/tmp/curation-benchmark")
    prepare(home)
    print(f"load average {os.getloadavg()[0]:.2f} on {os.cpu_count()} cores")
    command = [sys.executable, "-c", "from curation.cli.main import main; main()", "serve"]
    with sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        floor = measure_floor(page)
        with served([*command, "--port", "8792", "--home", str(home)], 8792) as url:
            measure_review(page, url, floor)
        browser.close()
    print(f"load average {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    main()
