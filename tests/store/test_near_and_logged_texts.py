"""Near question groups and the texts of answers read the same on SQLite and on PostgreSQL."""

from datetime import timedelta

from curation.domain.chunk import Chunk, text_sha256
from curation.store.answers import answer_texts, group_of, newest_stored, texts_since
from curation.store.chunks import (
    document_chunks,
    put_chunks,
    remove_other_chunks,
    texts_by_hash,
)
from curation.store.near_groups import (
    asked_questions,
    asked_together,
    relatives,
    replace_near_groups,
)
from curation.store.schema import ANSWER
from tests.store.logs import NOW, answer, how_many, put


def test_near_groups_are_counted_together(store):
    turn = [{"role": "user", "text": "Before."}]
    put(store, answer("a"), answer("b"), answer("b2", question="What is b?"), answer("c"))
    put(store, answer("d", conversation=turn))
    with store.writing() as session:
        questions = {q.words: q.group_id for q in asked_questions(session)}
        assert set(questions) == {"what is a", "what is b", "what is c"}
        a, b, c = (questions[f"what is {name}"] for name in "abc")
        replace_near_groups(session, [(c, c)])
        replace_near_groups(session, [(a, b), (b, b)])
        assert relatives(session, [a]) == {a, b}
        assert relatives(session, [c]) == set()
        undated = ANSWER.c.asked_at.is_(None)
        assert asked_together(session, [a, b, c], undated) == {a: 3, b: 3}


def test_texts_come_in_parts_and_since_a_moment(store):
    put(store, *(answer(f"a{n}") for n in range(5)))
    with store.reading() as session:
        found = [text for part in texts_since(session, None, size=2) for text in part]
        assert [t.answer_id for t in found] == [f"a{n}" for n in range(5)]
        assert found[0].group_id == group_of(session, "a0")
        assert answer_texts(session, ["a1", "none"]) == {"a1": "It is a1."}
        assert newest_stored(session) == NOW
        assert len(list(texts_since(session, NOW))) == 1
        assert list(texts_since(session, NOW + timedelta(seconds=1))) == []


def test_a_document_is_read_in_every_version_and_replaced_in_one(store):
    def chunk(name, version, text="text"):
        return Chunk(chunk_id=name, doc_id=f"d:v{version}", doc_version=version, text=text)

    with store.writing() as session:
        put_chunks(session, [chunk("a", "1", "old"), chunk("b", "1"), chunk("a", "2")])
        both = document_chunks(session, "d:v1", "1")
        assert [(c.chunk_id, c.doc_version) for c in both] == [("a", "1"), ("b", "1"), ("a", "2")]
        assert remove_other_chunks(session, "d:v1", "1", {"b"}) == 1
        assert remove_other_chunks(session, "d:v1", "1", {"b"}) == 0
        assert how_many(session, "chunk") == 2
        sha = text_sha256("old")
        assert texts_by_hash(session, {sha, "none"}) == {sha: "old"}
