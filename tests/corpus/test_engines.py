"""What every index of the corpus does alike: tantivy in a folder, PostgreSQL in the store."""

import threading
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import create_engine

from curation.corpus import CorpusIndex, PostgresIndex, spans_of
from curation.corpus.engine import ChunkIndex, Hit
from curation.domain.chunk import Chunk
from tests.postgres import new_database

Make = Callable[[], ChunkIndex]


def chunk(
    chunk_id: str, text: str, version: str | None = None, doc: str = "d", title: str | None = None
) -> Chunk:
    return Chunk(chunk_id=chunk_id, doc_id=doc, doc_version=version, text=text, title=title)


@pytest.fixture(params=["tantivy", pytest.param("postgres", marks=pytest.mark.postgres)])
def make(request: pytest.FixtureRequest, tmp_path) -> Iterator[Make]:
    """Open one and the same index again and again."""
    if request.param == "tantivy":
        yield lambda: CorpusIndex(tmp_path / "index")
        return
    address = new_database(request.getfixturevalue("postgres_server"))
    engine = create_engine(address.replace("postgresql://", "postgresql+psycopg://"))
    yield lambda: PostgresIndex(engine)
    engine.dispose()


@pytest.fixture
def corpus(make: Make) -> ChunkIndex:
    found = make()
    found.add(
        [
            chunk("timeout", "The relay closes an idle session after 30 s.", "3.9", "relay"),
            chunk("timeout", "The relay closes an idle session after 60 s.", "4.2", "relay"),
            chunk("price", "Prix: 4,000 € par année, naïve façade.", None, "prices"),
            chunk("flag", "+ default: `--snapshot-count` 10000", "3.6", "etcd", "Configuration"),
            chunk("cjk", "東京タワーの高さは333メートル", None, "tokyo"),
        ],
        position=7,
    )
    return found


def ids(found: tuple[Hit, ...]) -> list[tuple[str, str | None]]:
    return [(hit.chunk_id, hit.doc_version) for hit in found]


def test_words_are_found_without_case_accents_and_endings(corpus: ChunkIndex) -> None:
    assert {hit.chunk_id for hit in corpus.search("IDLE sessions")} == {"timeout"}
    assert ids(corpus.search("annee Facade")) == [("price", None)]
    assert ids(corpus.search("--snapshot-count")) == [("flag", "3.6")]
    assert ids(corpus.search("configurations")) == [("flag", "3.6")]
    assert ids(corpus.search("タワー")) == [("cjk", None)]
    assert corpus.search("nothing-like-this") == ()
    assert ids(corpus.search("60 session"))[0] == ("timeout", "4.2")
    (flag,) = corpus.search("snapshot")
    assert (flag.doc_id, flag.title) == ("etcd", "Configuration")


@pytest.mark.parametrize(
    ("typed", "read", "found"),
    [
        ("sesion", ("session",), "timeout"),
        ("sessoin", ("session",), "timeout"),
        ("relya", ("relay",), "timeout"),
        ("snap", ("snapshot",), "flag"),
        ("confgiurtaion", ("configur",), None),
        ("30000", ("30000",), None),
    ],
)
def test_slips_are_forgiven_in_words_and_never_in_numbers(
    corpus: ChunkIndex, typed: str, read: tuple[str, ...], found: str | None
) -> None:
    if found is not None:
        assert corpus.read_as(typed) == read
        assert {hit.chunk_id for hit in corpus.search(typed)} == {found}
    else:
        assert corpus.search(typed) == ()


def test_a_version_or_a_document_narrows(corpus: ChunkIndex) -> None:
    assert ids(corpus.search("session", doc_version="4.2")) == [("timeout", "4.2")]
    assert corpus.search("session", doc_version="5.0") == ()
    assert corpus.search("session", doc_id="prices") == ()
    assert len(corpus.search("session", limit=1)) == 1


@pytest.mark.parametrize(
    "text",
    ["", " ", "(", '"', "'", "\\", "' | 'x", "AND OR NOT", "a:b^2~3", "[* TO *]", "\0", "*", "-",
     "!", "&", "<->", ":*", "%", "\ud800", "/"],
)  # fmt: skip
def test_what_a_person_types_is_never_an_operator(corpus: ChunkIndex, text: str) -> None:
    assert ids(corpus.search(text + " session")) == ids(corpus.search("session " + text))
    corpus.search(text)


def test_a_very_long_search_is_cut_not_refused(corpus: ChunkIndex) -> None:
    assert corpus.search("session " + " ".join(f"w{n}" for n in range(20_000)))


def test_the_words_of_a_search_are_marked_in_the_text(corpus: ChunkIndex) -> None:
    text = "\U0001f600 Sessions: é the session 東京"
    spans = spans_of(text, frozenset(corpus.read_as("SESSION 京")))
    assert [text[start:end] for start, end in spans] == ["Sessions", "session", "京"]


def test_a_chunk_written_again_replaces_itself(corpus: ChunkIndex) -> None:
    corpus.add([chunk("timeout", "Now it is different.", "4.2", "relay")], position=8)
    assert ids(corpus.search("session")) == [("timeout", "3.9")]
    assert ids(corpus.search("different")) == [("timeout", "4.2")]
    assert corpus.position() == 8


def test_the_last_of_two_writings_in_one_go_counts(make: Make) -> None:
    fresh = make()
    fresh.add([chunk("a", "first"), chunk("a", "second")], position=1)
    assert ids(fresh.search("second")) == [("a", None)]
    fresh.add([chunk("a", "third")], position=2)
    assert fresh.search("first") == fresh.search("second") == ()


def test_a_word_that_no_chunk_has_any_more_is_read_as_its_neighbour(corpus: ChunkIndex) -> None:
    corpus.add([chunk("new", "sessiom", None)], position=8)
    corpus.add([chunk("new", "other", None)], position=9)
    assert corpus.read_as("sessiom here")[0] == "session"


def test_rebuild_keeps_only_what_it_is_given(corpus: ChunkIndex) -> None:
    assert corpus.rebuild([chunk("new", "session")], position=9) == 1
    assert ids(corpus.search("session")) == [("new", None)]
    assert corpus.position() == 9
    assert corpus.search("snapshot") == ()


def test_no_index_finds_nothing(make: Make) -> None:
    assert (make().search("x"), make().position()) == ((), 0)


def test_an_interrupted_writing_leaves_the_index_as_it_was(corpus: ChunkIndex) -> None:
    def broken() -> Iterator[Chunk]:
        yield chunk("half", "session half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        corpus.add(broken(), position=99)
    assert (len(corpus.search("half")), corpus.position()) == (0, 7)
    corpus.add([chunk("whole", "whole")], position=10)
    assert (len(corpus.search("half")), corpus.position()) == (0, 10)


def test_writers_wait_for_each_other(corpus: ChunkIndex, make: Make) -> None:
    def work(number: int) -> None:
        mine = make()
        for n in range(3):
            mine.add([chunk(f"t{number}-{n}", "thread")])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(corpus.search("thread", limit=100)) == 12
