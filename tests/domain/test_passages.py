"""Where to start reading, and the same line in another version."""

from hypothesis import given
from hypothesis import strategies as st

from curation.domain.passages import (
    Passage,
    Place,
    counterpart,
    counterpart_words,
    differing_words,
    start_sentence,
)
from curation.domain.segments import Span, sentences

OLD = "--keep\n+ Files to keep.\n+ default: 5\n--sync\n+ Syncs at once.\n+ default: true"
NEW = OLD.replace("true", "false") + "\n+ since 3.4"


def test_reading_starts_where_the_rarest_words_are_shared() -> None:
    chunks = [
        Passage("Welcome to the gateway. The gateway is a server.", "4.2"),
        Passage("The gateway has a port. The idle timeout is 60 seconds. It logs.", "4.2"),
    ]
    assert start_sentence("What is the idle timeout of the gateway?", "", chunks) == Place(1, 1)


def test_the_correction_counts_as_much_as_the_question() -> None:
    chunks = [Passage("The port is 8080. The limit is 12 files. The limit is soft.")]
    assert start_sentence("What is the limit?", "no, it is 12 files", chunks) == Place(0, 1)


def test_the_version_asked_for_is_preferred_to_a_slightly_better_sentence() -> None:
    chunks = [
        Passage("The default idle timeout of a session is 30 s.", "v3.9"),
        Passage("An idle session ends after its timeout of 60 s.", "v4.2"),
    ]
    question = "What is the default idle timeout of a session in v4.2?"
    assert start_sentence(question, "", chunks, None) == Place(0, 0)
    assert start_sentence(question, "", chunks, "4.2") == Place(1, 0)


def test_an_unrelated_chunk_of_the_version_is_not_preferred() -> None:
    chunks = [
        Passage("The default idle timeout of a session is 30 s.", "3.9"),
        Passage("Colours can be set.", "4.2"),
    ]
    question = "default idle timeout of a session"
    assert start_sentence(question, "", chunks, "4.2") == Place(0, 0)


def test_a_version_that_no_chunk_has_changes_nothing() -> None:
    chunks = [Passage("Colours can be set."), Passage("The idle timeout is 30 s.", "3.9")]
    assert start_sentence("idle timeout", "", chunks, "5.0") == Place(1, 0)


def test_one_line_that_is_like_it_needs_nothing_around_it() -> None:
    found = counterpart("The idle timeout is 60 s.", "Ports.\nThe idle timeout is 30 s.")
    assert found is not None
    assert found.start == 7


def test_without_text_there_is_nowhere_to_start() -> None:
    assert start_sentence("What?", "", [Passage(""), Passage(" \n")]) is None
    assert start_sentence("What?", "", []) is None


@given(st.text(max_size=40), st.lists(st.text(max_size=60), max_size=4))
def test_the_start_is_a_sentence_that_exists(question: str, texts: list[str]) -> None:
    place = start_sentence(question, "", [Passage(text) for text in texts])
    if place is not None:
        assert 0 <= place.sentence < len(sentences(texts[place.chunk]))


def test_equal_lines_are_told_apart_by_what_stands_around_them() -> None:
    line = sentences(OLD)[5]
    found = counterpart(line.of(OLD), NEW, before=OLD[: line.start], after=OLD[line.end :])
    assert found is not None
    assert found.of(NEW) == "+ default: false"


def test_a_line_without_a_counterpart_has_none() -> None:
    assert counterpart("The price is 40 EUR a month.", OLD) is None
    assert counterpart("", OLD) is None
    assert counterpart("+ default: true", "") is None


def test_the_differing_words_of_both_sides_are_found() -> None:
    old, new = "Keeps 100000 entries by default.", "Keeps 10000 entries by default."
    assert [s.of(new) for s in differing_words(new, old)] == ["10000"]
    assert [s.of(old) for s in differing_words(old, new)] == ["100000"]
    assert differing_words(old, old) == ()


def test_picked_words_have_their_counterpart_in_the_other_line() -> None:
    new, old = "Keeps 10000 entries by default in 3.6.", "Keeps 100000 entries by default in 3.5."
    picked = Span(new.index("10000"), new.index(" by"))
    found = counterpart_words(picked, new, old)
    assert found is not None
    assert found.of(old) == "100000 entries"


@given(st.text(max_size=60), st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_spans_of_comparisons_stand_in_their_text(text: str, other: str, a: int, b: int) -> None:
    for span in differing_words(text, other):
        assert span.of(text).strip()
        assert span.end <= len(text)
    found = counterpart_words(Span(min(a, b), max(a, b)), text, other)
    if found is not None:
        assert 0 <= found.start < found.end <= len(other)
