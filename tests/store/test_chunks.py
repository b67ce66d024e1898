"""Chunks of the corpus: identity is id and version, and a passage is found in other versions."""

import pytest

from curation.domain.chunk import Chunk, ChunkKey, document_key, passage_key
from curation.store.chunks import (
    chunks_after,
    chunks_of_id,
    corpus_step,
    find_chunk,
    get_chunk,
    get_chunks,
    has_corpus,
    put_chunks,
    same_passage,
)
from tests.store.logs import answer, how_many


def chunk(chunk_id, version, text="text", **fields):
    return Chunk(chunk_id=chunk_id, doc_id="guide", doc_version=version, text=text, **fields)


def put(store, *chunks):
    with store.writing() as session:
        put_chunks(session, chunks)


def test_the_same_id_in_two_versions_is_two_chunks(store):
    with store.reading() as session:
        assert not has_corpus(session)
    put(store, chunk("c", "3.9", "30 s", title="T", category="ops"), chunk("c", "4.2", "60 s"))
    put(store, chunk("c", None, "none"))
    with store.reading() as session:
        assert has_corpus(session)
        found = get_chunk(session, "c", "3.9")
        assert found == chunk("c", "3.9", "30 s", title="T", category="ops")
        assert get_chunk(session, "c", None) == chunk("c", None, "none")
        assert get_chunk(session, "c", "5.0") is None
        assert [c.doc_version for c in chunks_of_id(session, "c")] == [None, "3.9", "4.2"]
        keys = [ChunkKey("c", "4.2"), ChunkKey("x", None), ChunkKey("c", "4.2")]
        assert list(get_chunks(session, keys)) == [ChunkKey("c", "4.2")]


def test_a_later_text_replaces_the_earlier_one(store):
    put(store, chunk("c", "3.9", "old"), chunk("d", "3.9", "old"))
    put(store, chunk("c", "3.9", "new", title="New"))
    with store.reading() as session:
        assert how_many(session, "chunk") == 2
        found = get_chunk(session, "c", "3.9")
        assert found is not None
        assert (found.text, found.title) == ("new", "New")
        other = get_chunk(session, "d", "3.9")
        assert other is not None
        assert other.text == "old"


def test_what_was_written_after_a_step_comes_in_parts(store):
    put(store, *(chunk(f"c{n:03}", "1") for n in range(25)))
    with store.reading() as session:
        first = corpus_step(session)
    put(store, chunk("c003", "1", "new"), chunk("z", "1"))
    with store.reading() as session:
        parts = list(chunks_after(session, 0, size=10))
        assert [len(part) for part in parts] == [10, 10, 6]
        assert [c.chunk_id for part in chunks_after(session, first) for c in part] == ["c003", "z"]
        assert list(chunks_after(session, corpus_step(session))) == []


def test_a_chunk_is_the_corpus_one_else_the_logged_one(store):
    hits = [
        {"rank": 1, "chunk_id": "logged", "doc_version": "3.9", "text": "as logged"},
        {"rank": 2, "chunk_id": "c", "doc_version": "3.9", "text": "as logged"},
        {"rank": 3, "chunk_id": "no text", "doc_version": "3.9"},
    ]
    log = answer("a", retrieved=hits)
    put(store, chunk("c", "3.9", "corpus"), chunk("two", "1"), chunk("two", "2"))
    with store.reading() as session:

        def text(chunk_id, version, logged=log):
            found = find_chunk(session, chunk_id, version, logged=logged)
            return found and found.text

        assert text("c", "3.9") == "corpus"
        assert text("c", None) == "corpus"
        assert text("two", None) is None
        assert text("logged", "3.9") == "as logged"
        assert text("logged", "3.9", logged=None) is None
        assert text("no text", "3.9") is None


@pytest.mark.parametrize(
    ("chunk_id", "version", "key"),
    [
        ("docs:v3.6:op-guide#x", "3.6", "docs:v{}:op-guide#x"),
        ("docs/3.6/a", "3.6", "docs/{}/a"),
        ("docs/13.6/a", "3.6", "docs/13.6/a"),
        ("docs/3.6.1/a", "3.6", "docs/3.6.1/a"),
        ("item-4", "4", "item-{}"),
        ("c", None, "c"),
        ("a.b+c", "b+", "a.b+c"),
    ],
)
def test_the_key_of_a_passage_is_its_id_without_the_version(chunk_id, version, key):
    assert passage_key(chunk(chunk_id, version)) == key
    assert document_key(chunk("c", version).model_copy(update={"doc_id": chunk_id})) == key


def test_the_same_passage_in_other_versions_by_id(store):
    put(store, chunk("c", "3.9"), chunk("c", "4.2"), chunk("d", "4.2"))
    put(store, chunk("x:v3.9:p", "3.9"), chunk("x:v4.2:p", "4.2"))
    with store.reading() as session:
        assert [c.key for c in same_passage(session, chunk("c", "3.9"))] == [ChunkKey("c", "4.2")]
        found = same_passage(session, chunk("x:v4.2:p", "4.2"))
        assert [c.chunk_id for c in found] == ["x:v3.9:p"]


def test_the_same_passage_by_text_where_ids_differ(store):
    old = chunk("p1", "3.9", "The relay closes an idle session after 30 s.", doc_family="relay")
    new = old.model_copy(
        update={"chunk_id": "q7", "doc_id": "manual", "doc_version": "4.2"}
    ).model_copy(update={"text": "The relay closes an idle session after 60 s."})
    other = chunk("q8", "4.2", "Prices are in the appendix, with taxes and discounts.")
    put(store, old, new, other)
    with store.reading() as session:
        assert [c.chunk_id for c in same_passage(session, old)] == ["q7"]
        assert same_passage(session, other) == ()
