"""The corpus: brought in, found, kept in step with the index, and shown in other versions."""

import shutil

from curation.services.corpus import (
    add_chunks,
    catch_up,
    rebuild_index,
    search_corpus,
)
from curation.store.chunks import get_chunk
from tests.services.home import NOW, log, rejects


def chunk(chunk_id, text, version="1", **fields):
    return {"chunk_id": chunk_id, "doc_id": "d", "doc_version": version, "text": text, **fields}


def bring(home, tmp_path, *chunks):
    found = add_chunks(home, [log(tmp_path, *chunks, name="chunks.jsonl")], now=NOW)
    assert found.read == found.stored + found.updated + found.unchanged + found.refused
    return (found.stored, found.updated, found.unchanged, found.refused), found.rejects_file


def found(home, text, **options):
    return [(f.chunk.chunk_id, f.chunk.doc_version) for f in search_corpus(home, text, **options)]


def test_chunks_are_brought_in_updated_and_found(home, tmp_path):
    one, two = chunk("c", "30 s timeout"), chunk("c", "60 s timeout", "2", title="T", category="x")
    assert bring(home, tmp_path, one, two)[0] == (2, 0, 0, 0)
    assert bring(home, tmp_path, one, chunk("c", "90 s timeout", "2"))[0] == (0, 1, 1, 0)
    assert found(home, "90") == [("c", "2")]
    assert found(home, "60") == []
    assert found(home, "timeout", doc_version="1") == [("c", "1")]


def test_refused_chunks_are_told(home, tmp_path):
    lines = [
        chunk("a", "text"),
        chunk("a", "text"),
        chunk("a", "other version", "2"),
        chunk("b", ""),
        {"chunk_id": "c"},
        "{",
        chunk("d", "\u2028 text", None),
    ]
    counts, file = bring(home, tmp_path, *lines)
    assert counts == (3, 0, 0, 4)
    assert [(line["line"], line["field"]) for line in rejects(file)] == [
        (2, "chunk_id"),
        (4, "text"),
        (5, "doc_id"),
        (6, None),
    ]


def test_a_search_gives_the_chunk_and_where_its_words_are(home, tmp_path):
    bring(home, tmp_path, chunk("c", "\U0001f600 The timeout is 30 s."))
    (hit,) = search_corpus(home, "TIMEOUTS?")
    assert [hit.chunk.text[start:end] for start, end in hit.spans] == ["timeout"]


def test_the_index_catches_up_with_a_corpus_that_went_on_without_it(home, tmp_path):
    bring(home, tmp_path, chunk("a", "alpha"))
    before = tmp_path / "before"
    shutil.copytree(home.index.folder, before)
    bring(home, tmp_path, chunk("b", "beta"), chunk("a", "gamma"))
    shutil.rmtree(home.index.folder)
    shutil.copytree(before, home.index.folder)
    assert found(home, "beta gamma") == [("a", "1"), ("b", "1")]
    assert catch_up(home) == 0
    shutil.rmtree(home.index.folder)
    assert found(home, "gamma") == [("a", "1")]


def test_an_index_of_another_store_is_made_anew(home, tmp_path):
    for text in ("one", "two", "three"):
        bring(home, tmp_path, chunk("a", text))
    home.index.add([], position=99)
    assert found(home, "three") == [("a", "1")]
    assert home.index.position() == 3


def test_a_damaged_index_repairs_itself(home, tmp_path):
    bring(home, tmp_path, chunk("a", "alpha"))
    (home.index.folder / "meta.json").write_text("oops")
    assert found(home, "alpha") == [("a", "1")]
    assert rebuild_index(home) == 1


def test_a_chunk_that_only_the_index_knows_is_not_shown(home, tmp_path):
    bring(home, tmp_path, chunk("a", "alpha"))
    from curation.domain.chunk import Chunk

    home.index.add([Chunk(chunk_id="ghost", doc_id="d", text="alpha")], position=1)
    assert found(home, "alpha") == [("a", "1")]
    with home.store.reading() as session:
        assert get_chunk(session, "ghost", None) is None


def test_misspelt_and_begun_words_are_read_as_what_they_are_near(home, tmp_path):
    bring(home, tmp_path, chunk("a", "The default timeout."), chunk("b", "A limit of sessions."))
    (hit,) = search_corpus(home, "tmeout")
    assert [hit.chunk.text[start:end] for start, end in hit.spans] == ["timeout"]
    assert found(home, "defualt") == [("a", "1")]
    assert found(home, "sess") == [("b", "1")]
    assert found(home, "zzzzzz") == []


def test_numbers_and_known_words_are_never_read_otherwise(home, tmp_path):
    bring(home, tmp_path, chunk("a", "port 8443 waits"), chunk("b", "port 8444 watt"))
    assert found(home, "8445") == []
    assert found(home, "8443") == [("a", "1")]
    assert found(home, "watt") == [("b", "1")]


def test_words_in_quotes_must_stand_in_a_row(home, tmp_path):
    bring(
        home, tmp_path, chunk("a", "The default timeout is 60 s."), chunk("b", "A timeout: default")
    )
    assert found(home, '"default timeout"') == [("a", "1")]
    assert len(found(home, "default timeout")) == 2
    assert found(home, '"timeout is 90"') == []
    assert len(found(home, 'default "')) == 2
