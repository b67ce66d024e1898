"""BM25 over the corpus of the sample world, by tantivy, in memory."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import tantivy

from curation.domain.base import Value
from curation.domain.chunk import Chunk
from curation.sample.documents import read_chunks

_STOPWORDS = """
a about after all also an and any are as at be been by can do does for from get had has have
how i if in into is it its long many may me much must my no not now of often on one or our
out s should so some than that the their them there they this to up us was we what when
where which who why will with within you your
"""
_TITLE_WEIGHT = 1.4
_VERSION_SIGN = re.compile(r"\bv(?=\d)", re.IGNORECASE)


class Found(Value):
    """A chunk with its BM25 score."""

    chunk: Chunk
    score: float


class Index:
    """A BM25 index of chunks; equal scores keep the order in which the chunks were added."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        self._analyzer = _analyzer()
        self._schema = _schema()
        self._searcher = self._built()
        self._frequency = Counter(
            term for chunk in chunks for term in set(self.terms(f"{chunk.title} {chunk.text}"))
        )

    def terms(self, text: str) -> list[str]:
        """Return the searched words of a text: lower case, stemmed, without stop words."""
        return self._analyzer.analyze(_VERSION_SIGN.sub("", text))

    def weight(self, term: str) -> float:
        """Return the inverse document frequency of a term; an unknown word weighs most."""
        return math.log(1 + len(self._chunks) / (1 + self._frequency[term]))

    def knows(self, term: str) -> bool:
        """Return whether any chunk holds the term."""
        return term in self._frequency

    def share(self, terms: Sequence[str], text: str) -> float:
        """Return how much of the terms' weight stands in the text; 0 without terms."""
        total = sum(self.weight(term) for term in terms)
        held = set(self.terms(text))
        return sum(self.weight(term) for term in terms if term in held) / total if total else 0.0

    def search(
        self, terms: Iterable[str], *, limit: int, versions: Iterable[str] | None = None
    ) -> list[Found]:
        """Return the best chunks for the terms, of the given versions only where there are any."""
        query = self._query(list(dict.fromkeys(terms)), versions)
        found = self._searcher.search(query, limit).hits
        return [
            Found(chunk=self._chunks[self._searcher.doc(address)["position"][0]], score=score)
            for score, address in found
        ]

    def _query(self, terms: list[str], versions: Iterable[str] | None) -> tantivy.Query:
        words = [
            (tantivy.Occur.Should, tantivy.Query.boost_query(self._term(field, term), boost))
            for term in terms
            for field, boost in (("title", _TITLE_WEIGHT), ("text", 1.0))
        ]
        query = tantivy.Query.boolean_query(words)
        if versions is None:
            return query
        allowed = tantivy.Query.boolean_query(
            [(tantivy.Occur.Should, self._term("version", version)) for version in versions]
        )
        only = tantivy.Query.const_score_query(allowed, 0.0)
        return tantivy.Query.boolean_query(
            [(tantivy.Occur.Must, query), (tantivy.Occur.Must, only)]
        )

    def _term(self, field: str, value: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, field, value)

    def _built(self) -> tantivy.Searcher:
        index = tantivy.Index(self._schema)
        index.register_tokenizer("words", self._analyzer)
        writer = index.writer(heap_size=15_000_000, num_threads=1)
        for position, chunk in enumerate(self._chunks):
            fields: Mapping[str, str | None] = {
                "title": chunk.title,
                "text": chunk.text,
                "version": chunk.doc_version,
            }
            document = tantivy.Document()
            for name, text in fields.items():
                document.add_text(name, text or "")
            document.add_unsigned("position", position)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        return index.searcher()


def _analyzer() -> tantivy.TextAnalyzer:
    words = tantivy.Tokenizer.regex(r"[\p{L}\p{N}]+(?:[.,]\p{N}+)*")
    return (
        tantivy.TextAnalyzerBuilder(words)
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.custom_stopword(_STOPWORDS.split()))
        .filter(tantivy.Filter.stemmer("english"))
        .build()
    )


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("title", stored=False, tokenizer_name="words")
    builder.add_text_field("text", stored=False, tokenizer_name="words")
    builder.add_text_field("version", stored=False, tokenizer_name="raw")
    builder.add_unsigned_field("position", stored=True, indexed=False)
    return builder.build()


@cache
def corpus_index() -> Index:
    """Return the index of the whole corpus, built once for a process."""
    return Index(read_chunks())
