"""A team's own search engine over HTTP: asked as documented, and refused in one sentence."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from curation.config import SearchSettings, Settings, load_settings, search_token
from curation.corpus import CorpusIndex, HttpEngine, PostgresIndex, SearchEngineError
from curation.errors import ConfigError, CurationError
from curation.services.corpus import add_chunks, search_corpus
from curation.services.workspace import Workspace, open_workspace
from tests.postgres import new_database
from tests.services.home import NOW, log

Answer = Callable[[BaseHTTPRequestHandler], None]


class Engine:
    """A real server that answers as it is told, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.tokens: list[str | None] = []
        self.answer: Answer = says({"hits": []})
        engine = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                engine.asked.append(json.loads(self.rfile.read(length)))
                engine.tokens.append(self.headers.get("Authorization"))
                engine.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/search"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def says(body: object, status: int = 200) -> Answer:
    """Answer with a JSON document, or with raw bytes."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def drips(handler: BaseHTTPRequestHandler) -> None:
    """Send a letter now and then, so that no single read ever waits for long."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    for _ in range(30):
        try:
            handler.wfile.write(b" ")
            handler.wfile.flush()
        except OSError:
            return
        time.sleep(0.1)


def hangs(_: BaseHTTPRequestHandler) -> None:
    time.sleep(3)


def breaks(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"not HTTP at all\n")


@pytest.fixture
def engine() -> Iterator[Engine]:
    found = Engine()
    yield found
    found.server.shutdown()
    found.server.server_close()


@pytest.fixture
def home(engine: Engine, tmp_path: Path) -> Iterator[Workspace]:
    search = SearchSettings(url=engine.url, timeout_seconds=0.5)
    opened = open_workspace(Settings(home=tmp_path / "home", search=search))
    chunks = [
        {"chunk_id": "a", "doc_id": "d", "doc_version": "1", "text": "The timeout is 30 s."},
        {"chunk_id": "b", "doc_id": "d", "text": "Another passage about the timeout."},
    ]
    add_chunks(opened, [log(tmp_path, *chunks, name="chunks.jsonl")], now=NOW)
    yield opened
    opened.store.dispose()


def test_its_hits_are_shown_in_its_order_with_the_text_of_the_corpus(
    home: Workspace, engine: Engine
) -> None:
    engine.answer = says(
        {"hits": [{"chunk_id": "b", "score": 2}, {"chunk_id": "ghost"},
                  {"chunk_id": "a", "doc_version": "1", "score": 1.5, "colour": "red"}]}
    )  # fmt: skip
    found = search_corpus(home, "timeout", doc_version=None, doc_id="d", limit=5)
    assert [(f.chunk.chunk_id, f.score) for f in found] == [("b", 2.0), ("a", 1.5)]
    start, end = found[1].spans[0]
    assert found[1].chunk.text[start:end] == "timeout"
    assert engine.asked == [{"query": "timeout", "doc_version": None, "doc_id": "d", "limit": 5}]
    assert not home.settings.index_path.exists()


def test_a_chunk_named_without_its_version_may_have_only_one(
    home: Workspace, engine: Engine
) -> None:
    engine.answer = says({"hits": [{"chunk_id": "a"}]})
    assert [f.chunk.doc_version for f in search_corpus(home, "x")] == ["1"]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (says({"error": "x"}, status=500), "it answered with status 500"),
        (says({}, status=302), "it answered with status 302"),
        (says(b"<html>"), "its answer is no JSON"),
        (says(b"[" * 100_000), "its answer is no JSON"),
        (says([1]), "its answer has no list of hits"),
        (says({"hits": [{"chunk_id": 7}]}), "hit 1 of its answer cannot be read: chunk_id"),
        (says({"hits": ["a"]}), "hit 1 of its answer cannot be read: the hit"),
        (says(b'{"hits": [{"chunk_id": "a", "score": NaN}]}'), "cannot be read: score"),
        (hangs, "no answer came within 0.5 s"),
        (drips, "no answer came within 0.5 s"),
        (breaks, "it could not be reached|it broke off"),
    ],
)
def test_misbehaviour_is_one_sentence(
    home: Workspace, engine: Engine, answer: Answer, why: str
) -> None:
    engine.answer = answer
    began = time.monotonic()
    with pytest.raises(SearchEngineError, match=why) as refused:
        search_corpus(home, "timeout")
    assert time.monotonic() - began < 2
    assert "\n" not in str(refused.value)
    assert engine.url.removesuffix("/search") in str(refused.value)
    assert "[search] in curation.toml" in str(refused.value)


def test_an_engine_that_is_not_there_is_one_sentence(home: Workspace, engine: Engine) -> None:
    engine.server.shutdown()
    engine.server.server_close()
    with pytest.raises(SearchEngineError, match="it could not be reached"):
        search_corpus(home, "timeout")


def test_a_search_without_words_asks_nobody(home: Workspace, engine: Engine) -> None:
    assert search_corpus(home, " ?! ") == ()
    assert engine.asked == []


def test_the_token_comes_from_the_environment_and_is_never_shown(engine: Engine) -> None:
    settings = SearchSettings(url=engine.url, token_variable="SEARCH_TOKEN")
    assert search_token(settings, {"SEARCH_TOKEN": "s3"}) == "s3"
    with pytest.raises(ConfigError, match="SEARCH_TOKEN is not set"):
        search_token(settings, {})
    asked = HttpEngine(engine.url, headers={"Authorization": "Bearer s3"})
    asked.search("timeout")
    assert engine.tokens == ["Bearer s3"]
    secret = HttpEngine("http://me:s3cret@127.0.0.1:9/x?key=s3cret")
    with pytest.raises(SearchEngineError) as refused:
        secret.search("timeout")
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize("url", ["ftp://x/y", "/search", "http://", "http://[", "file:///etc"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(CurationError):
        HttpEngine(url)


def test_the_configuration_chooses_the_engine(tmp_path: Path) -> None:
    def opened(toml: str) -> Workspace:
        (tmp_path / "curation.toml").write_text(toml, encoding="utf-8")
        return open_workspace(load_settings(tmp_path))

    assert isinstance(opened("").engine, CorpusIndex)
    assert isinstance(opened('[search]\nurl = "http://x.test/s"').engine, HttpEngine)
    kept = opened('[search]\nengine = "tantivy"\nurl = "http://x.test/s"')
    assert kept.engine is kept.index
    with pytest.raises(ConfigError, match="names the engine http and no url"):
        opened('[search]\nengine = "http"')
    with pytest.raises(ConfigError, match="the store is no PostgreSQL"):
        opened('[search]\nengine = "postgresql"')


@pytest.mark.postgres
def test_a_store_on_postgresql_searches_in_it(postgres_server: str, tmp_path: Path) -> None:
    opened = open_workspace(
        Settings(home=tmp_path / "home", database=new_database(postgres_server))
    )
    chunks = [
        {"chunk_id": f"c{n}", "doc_id": "d", "doc_version": "1", "text": f"passage number{n} here"}
        for n in range(30)
    ]
    add_chunks(opened, [log(tmp_path, *chunks, name="chunks.jsonl")], now=NOW)
    assert isinstance(opened.engine, PostgresIndex)
    assert [f.chunk.chunk_id for f in search_corpus(opened, '"number7 here"')] == ["c7"]
    assert len(search_corpus(opened, "passage", limit=50)) == 30
    add_chunks(opened, [log(tmp_path, chunks[0], name="chunks.jsonl")], now=NOW, replace=True)
    assert len(search_corpus(opened, "passage", limit=50)) == 1
    assert not opened.settings.index_path.exists()
    opened.store.dispose()
