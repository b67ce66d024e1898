"""What became of evidence, and what a newer version says instead: decided from the chunks alone."""

import pytest

from curation.domain.case import Evidence
from curation.domain.chunk import Chunk, text_sha256
from curation.evaluation.anchoring import EvidenceState, anchor
from curation.evaluation.succession import newer_value, version_order

TEXT = (
    "The relay closes an idle session. The default timeout is 60 s. "
    "A limit of 9 sessions holds for every tenant."
)
QUOTE = "The default timeout is 60 s."


def chunk(text=TEXT, chunk_id="guide#1", version="4.2", doc_id="guide"):
    return Chunk(chunk_id=chunk_id, doc_id=doc_id, doc_version=version, text=text)


def evidence(quote=QUOTE, chunk_id="guide#1", version="4.2", **fields):
    return Evidence(
        id="e1", group="g1", chunk_id=chunk_id, doc_id="guide", doc_version=version, quote=quote,
        **fields,
    )  # fmt: skip


def state(*document, item=None, picked_from=None):
    return anchor(item or evidence(), document, picked_from).state


def test_a_quote_in_its_chunk_is_intact():
    assert state(chunk()) is EvidenceState.INTACT


def test_a_quote_in_another_chunk_of_the_version_moved_there_with_the_words_it_has_there():
    new = chunk("Intro. the default  timeout\nis 60 s. More.", "guide#7")
    found = anchor(evidence(), [new, chunk("Something else entirely.", "guide#1")])
    assert found.state is EvidenceState.MOVED
    assert found.proposed_chunk_id == "guide#7"
    assert found.proposed_quote == "the default  timeout\nis 60 s."
    assert found.proposed_quote in new.text


@pytest.mark.parametrize(
    "other",
    [chunk(version="4.3", chunk_id="guide#7"), chunk(doc_id="faq", chunk_id="faq#1")],
)
def test_evidence_never_moves_to_another_version_or_document(other):
    found = anchor(evidence(), [other])
    assert found.state is EvidenceState.GONE
    assert found.proposed_chunk_id is None


def test_of_two_chunks_that_hold_the_words_the_one_around_them_wins():
    twin = chunk("Backups. The default timeout is 60 s. Tapes are kept for a year.", "guide#8")
    right = chunk(TEXT[10:90], "guide#9")
    found = anchor(evidence(), [twin, right], picked_from=TEXT)
    assert found.proposed_chunk_id == "guide#9"
    assert found.also_in == ("guide#8",)


def test_other_words_are_changed_and_the_difference_is_shown():
    found = anchor(evidence(), [chunk(TEXT.replace("60 s", "45 s"))])
    assert found.state is EvidenceState.CHANGED
    assert found.nearest is not None
    assert found.nearest.text == "The default timeout is 45 s."
    assert [(s.kind.value, s.text) for s in found.nearest.diff if s.kind.value != "same"] == [
        ("removed", "60"),
        ("added", "45"),
    ]


def test_a_torn_quote_names_the_two_chunks_that_hold_it_together():
    long = "The default timeout of a session on the relay is 60 s unless the tenant says so."
    first = chunk("Idle. The default timeout of a session on", "guide#7")
    second = chunk("the relay is 60 s unless the tenant says so. More.", "guide#8")
    found = anchor(evidence(long), [first, second, chunk("Nothing.", "guide#9")])
    assert found.state is EvidenceState.CHANGED
    assert set(found.split_over) == {"guide#7", "guide#8"}


def test_nothing_like_it_is_gone():
    assert state(chunk("Völlig anderer Inhalt über Bären.", "x")) is EvidenceState.GONE
    assert state() is EvidenceState.GONE


def test_evidence_without_a_quote_stands_on_its_chunks_text():
    kept = evidence("", chunk_sha256=text_sha256(TEXT))
    assert state(chunk(), item=kept) is EvidenceState.INTACT
    assert state(chunk(TEXT + " More."), item=kept) is EvidenceState.GONE
    moved = anchor(kept, [chunk("x " + TEXT, "guide#3")], picked_from=TEXT)
    assert (moved.state, moved.proposed_chunk_id) == (EvidenceState.MOVED, "guide#3")
    assert moved.proposed_quote == ""


def test_a_newer_version_with_another_value_supersedes():
    newer = chunk(TEXT.replace("60 s", "90 s"), version="4.3")
    found = anchor(evidence(), [chunk(), newer])
    assert found.state is EvidenceState.SUPERSEDED
    assert found.newer is not None
    assert found.newer.doc_version == "4.3"
    assert found.newer.quote == "The default timeout is 90 s."
    assert [(c.old, c.new) for c in found.newer.changes] == [("60 s", "90 s")]


@pytest.mark.parametrize(
    ("text", "version"),
    [
        (TEXT.replace("60 s", "90 s"), "4.1"),  # older
        (TEXT, "4.3"),  # the same
        (TEXT.replace("60 s", "1 min"), "4.3"),  # the same, written otherwise
        (TEXT.replace("9 sessions", "12 sessions"), "4.3"),  # another value than the quoted one
        ("Bears hibernate for 90 days.", "4.3"),
        (TEXT.replace("60 s", "90 s"), "next"),  # no order
    ],
)
def test_what_does_not_supersede(text, version):
    assert state(chunk(), chunk(text, version=version)) is EvidenceState.INTACT


def test_the_newest_version_decides():
    between = chunk(TEXT.replace("60 s", "90 s"), version="4.3")
    assert state(chunk(), between, chunk(version="4.10")) is EvidenceState.INTACT


def test_the_same_place_in_a_list_is_not_the_same_passage():
    shifted = chunk("Tapes are kept for 30 days in a vault by the shore.", version="4.3")
    same = chunk(TEXT.replace("60 s", "90 s"), "guide#2", "4.3")
    found = newer_value(QUOTE, chunk(), [chunk(), shifted, same])
    assert found is not None
    assert (found.chunk_id, found.changes[0].new) == ("guide#2", "90 s")


def test_a_word_of_state_is_a_value():
    old = chunk("+ flag: enable-v2\n+ default: true\n+ env: ENABLE_V2")
    new = chunk("+ flag: enable-v2\n+ default: false\n+ env: ENABLE_V2", version="4.3")
    found = newer_value("default: true", old, [old, new])
    assert found is not None
    assert [(c.old, c.new) for c in found.changes] == [("true", "false")]


def test_the_documents_own_version_is_no_value():
    old = chunk("In v4.2 the default timeout is 60 s.")
    new = chunk("In v4.3 the default timeout is 60 s.", version="4.3")
    assert newer_value("In v4.2 the default timeout is 60 s.", old, [old, new]) is None


def test_versions_are_ordered_by_their_numbers():
    assert version_order("v3.10") == (3, 10)
    assert version_order("3.9") == (3, 9)
    assert version_order("version 3.8") == (3, 8)
    assert version_order("main") is None
    assert version_order(None) is None
