"""The documentation of the sample world: in versions that contradict each other."""

from collections import Counter, defaultdict

from curation.domain.policy import UNCATEGORISED, parse_policy
from curation.sample.documents import EDITIONS, RELEASES, WORLD, read_chunks, read_documents


def _text(chunk_id: str, version: str) -> str:
    return next(c.text for c in read_chunks() if c.key == (chunk_id, version))


def test_the_corpus_has_some_sixty_documents_and_more_than_three_hundred_chunks() -> None:
    chunks = read_chunks()
    assert 60 <= len({(chunk.doc_id, chunk.doc_version) for chunk in chunks}) <= 80
    assert len(chunks) > 300
    assert {chunk.doc_version for chunk in chunks} == {*RELEASES, *EDITIONS}


def test_a_chunk_is_identified_by_id_and_version() -> None:
    assert max(Counter(chunk.key for chunk in read_chunks()).values()) == 1
    versions = Counter(chunk.chunk_id for chunk in read_chunks())
    assert versions["collector/timeouts#retry"] == len(RELEASES)


def test_versions_contradict_each_other() -> None:
    for version, value in (("3.9", "30 s"), ("4.0", "20 s"), ("4.2", "10 s")):
        assert f"waits {value} for a connection" in _text("collector/timeouts#connect", version)
    for version, value in (("3.9", "$18"), ("4.0", "$24"), ("4.2", "$29")):
        assert f"A Team seat costs {value} by the month" in _text("billing/plans#yearly", version)
    assert "supports protocol 2." in _text("gateway/protocols#accepts", "3.9")
    assert "sends protocol 3." in _text("gateway/protocols#sends", "4.2")
    assert "25 days of paid leave" in _text("handbook/leave#annual", "2025")
    assert "28 days of paid leave" in _text("handbook/leave#annual", "2026")


def test_most_passages_recur_and_most_of_them_with_another_value() -> None:
    texts = defaultdict(set)
    for chunk in read_chunks():
        texts[chunk.chunk_id].add(chunk.text)
    versions = Counter(chunk.chunk_id for chunk in read_chunks())
    recurring = [chunk_id for chunk_id, number in versions.items() if number > 1]
    changed = [chunk_id for chunk_id in recurring if len(texts[chunk_id]) > 1]
    assert len(recurring) > 0.9 * len(texts)
    assert 0.6 * len(recurring) < len(changed) < len(recurring)


def test_the_same_wording_carries_another_value() -> None:
    old, new = (_text("store/backup#snapshots", version) for version in ("4.0", "4.2"))
    assert old != new
    assert old.replace("12 hours", "6 hours").replace("14 snapshots", "28 snapshots") == new


def test_releases_differ_in_what_they_have() -> None:
    documents = read_documents()
    assert documents["cli/reference"].versions == ("4.0", "4.2")
    assert "store/retention#fields" in {c.chunk_id for c in read_chunks()}
    assert not [c for c in documents["store/retention"].chunks("4.0") if "fields" in c.chunk_id]


def test_no_template_sign_is_left() -> None:
    for chunk in read_chunks():
        assert "[[" not in chunk.text
        assert not [line for line in chunk.text.split("\n") if line.startswith("@")]
        assert chunk.text.split("\n\n", 1)[1].strip(), chunk.key


def test_the_texts_are_as_awkward_as_real_ones() -> None:
    everything = "\n".join(chunk.text for chunk in read_chunks())
    for awkward in ("| Team | $29 |", "<script>", "\u00a0", "🏖", '{{ env "', "```\n$ sudo", "`--"):
        assert awkward in everything


def test_category_and_family_agree_with_the_policy() -> None:
    policy = parse_policy((WORLD / "policy.toml").read_text(encoding="utf-8"))
    assert policy.protected == ("billing",)
    for chunk in read_chunks():
        assert chunk.category not in {None, UNCATEGORISED}
        assert policy.category_of(chunk.doc_id) == chunk.category
        families = [r.family for r in policy.documents if chunk.doc_family == r.family]
        assert families
