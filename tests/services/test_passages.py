"""The passages beside an answer: which version its question asks for, and in which order."""

import pytest

from curation.domain.answer import RetrievedChunk
from curation.domain.chunk import Chunk
from curation.services.corpus import FoundChunk
from curation.services.passages import RetrievedPassage, named_versions, newest_first


def retrieved(version):
    hit = RetrievedChunk(rank=1, chunk_id="guide#tls", doc_id="guide", doc_version=version)
    chunk = Chunk(chunk_id="guide#tls", doc_id="guide", doc_version=version, text="TLS")
    return RetrievedPassage(hit=hit, chunk=chunk, in_corpus=True, cited=False, others=())


@pytest.mark.parametrize(
    ("question", "version", "asked"),
    [
        ("Which TLS does the 4.2 gateway need?", "4.2", ("4.2",)),
        ("Which TLS does the v4.2 gateway need?", "4.2", ("4.2",)),
        ("Which TLS does the 4.2 gateway need?", "v4.2", ("4.2",)),
        ("Which TLS does the 4.20 gateway need?", "4.2", ()),
        ("Which TLS does the 4.2.1 gateway need?", "4.2", ()),
        ("Is 14.2 GB enough?", "4.2", ()),
        ("How many days in 2025?", "2025", ()),
        ("Which TLS does the gateway need?", "4.2", ()),
    ],
)
def test_a_number_that_is_the_version_of_a_passage_is_asked_for(question, version, asked):
    assert named_versions(question, [retrieved(version)]) == asked


def found(chunk_id, version, score):
    chunk = Chunk(chunk_id=chunk_id, doc_id="guide", doc_version=version, text="x")
    return FoundChunk(chunk=chunk, score=score, spans=())


def order(hits, asked=()):
    return [(hit.chunk.chunk_id, hit.chunk.doc_version) for hit in newest_first(hits, asked)]


def test_the_newest_of_equal_versions_comes_first_in_its_passages_places():
    hits = [found("a", "9", 9), found("b", "1", 8.9), found("a", "10", 8.8), found("a", "2", 3)]
    assert order(hits) == [("a", "10"), ("b", "1"), ("a", "9"), ("a", "2")]


def test_the_version_asked_for_comes_before_the_newest():
    hits = [found("a", "4.3", 9), found("a", "4.2", 9), found("a", None, 9)]
    assert order(hits, ["v4.2"]) == [("a", "4.2"), ("a", "4.3"), ("a", None)]
