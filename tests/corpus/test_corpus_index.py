"""The search index: words only, in step with the corpus, one writer at a time."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.corpus import CorpusBusyError, CorpusIndex, CorpusIndexError, index
from curation.domain.chunk import Chunk


def chunk(chunk_id, text, version=None, doc="d", title=None):
    return Chunk(chunk_id=chunk_id, doc_id=doc, doc_version=version, text=text, title=title)


@pytest.fixture
def corpus(tmp_path):
    found = CorpusIndex(tmp_path / "index")
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


def ids(found):
    return [(hit.chunk_id, hit.doc_version) for hit in found]


@given(text=st.text())
def test_no_text_breaks_the_search(corpus_of_words, text):
    corpus_of_words.search(text)
    assert corpus_of_words.spans(text, text) is not None


@pytest.fixture(scope="module")
def corpus_of_words(tmp_path_factory):
    found = CorpusIndex(tmp_path_factory.mktemp("corpus"))
    found.add([chunk("a", "words and other words")])
    return found


def test_spans_are_code_points_of_the_text(corpus):
    text = "\U0001f600 Sessions: é the session 東京"
    found = [text[start:end] for start, end in corpus.spans("SESSION 京", text)]
    assert found == ["Sessions", "session", "京"]


def test_no_index_finds_nothing_and_makes_nothing(tmp_path):
    empty = CorpusIndex(tmp_path / "none")
    assert (empty.search("x"), empty.position()) == ((), 0)
    assert not (tmp_path / "none").exists()


def test_a_damaged_index_says_what_to_do_and_is_made_anew(corpus):
    (corpus.folder / "meta.json").write_text("{")
    fresh = CorpusIndex(corpus.folder)
    with pytest.raises(CorpusIndexError, match="corpus index --rebuild"):
        fresh.search("session")
    assert fresh.rebuild([chunk("new", "session")]) == 1
    assert ids(fresh.search("session")) == [("new", None)]


def test_another_process_sees_what_is_written_and_the_other_way_round(corpus):
    code = f"""
from pathlib import Path
from curation.corpus import CorpusIndex
from curation.domain.chunk import Chunk
index = CorpusIndex(Path({str(corpus.folder)!r}))
assert index.search("session")
index.add([Chunk(chunk_id="other", doc_id="d", text="elsewhere")], position=20)
"""
    assert corpus.search("elsewhere") == ()
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
    assert ids(corpus.search("elsewhere")) == [("other", None)]
    assert corpus.position() == 20


def test_a_writer_that_never_ends_is_told(corpus, monkeypatch):
    monkeypatch.setattr(index, "WAIT_SECONDS", 0.2)

    def slow():
        other = CorpusIndex(corpus.folder)
        with pytest.raises(CorpusBusyError, match="another process"):
            other.add([chunk("x", "x")])
        yield chunk("y", "y")

    corpus.add(slow())
