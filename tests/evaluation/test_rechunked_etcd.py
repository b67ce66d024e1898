"""The documentation of etcd in four versions, cut anew: its evidence is found again or told."""

import gzip
import json
import random
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from curation.domain.case import Evidence
from curation.domain.chunk import Chunk, unversioned
from curation.domain.segments import sentences
from curation.evaluation.anchoring import EvidenceState, anchor

DATA = Path("/work/shared/data/chunks.jsonl.gz")
SIZE, OVERLAP = 900, 150
LOST = {EvidenceState.CHANGED, EvidenceState.GONE}

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the shared data is not here")


def old_chunks() -> list[Chunk]:
    with gzip.open(DATA, "rt", encoding="utf-8", newline="\n") as lines:
        rows = [json.loads(line) for line in lines if '"etcd_docs:' in line]
    names = Chunk.model_fields
    return [Chunk(**{k: v for k, v in row.items() if k in names}) for row in rows]


def cut_anew(chunks: list[Chunk]) -> list[Chunk]:
    """Every document joined and cut into overlapping windows whose ids say nothing."""
    texts: defaultdict[tuple[str, str | None], list[str]] = defaultdict(list)
    for chunk in chunks:
        texts[chunk.doc_id, chunk.doc_version].append(chunk.text)
    found = []
    for (doc_id, version), parts in texts.items():
        whole = "\n\n".join(parts)
        for number, start in enumerate(range(0, len(whole), SIZE - OVERLAP)):
            piece = whole[start : start + SIZE]
            name = f"{doc_id}/{number:03}"
            found.append(Chunk(chunk_id=name, doc_id=doc_id, doc_version=version, text=piece))
    return found


def picked(chunks: list[Chunk], count: int) -> list[tuple[Evidence, str]]:
    """Sentences as reviewers pick them, each with the text that it was picked from."""
    chance = random.Random(11)
    found = []
    for chunk in chance.sample(chunks, count):
        lines = [s.of(chunk.text) for s in sentences(chunk.text)]
        long = [line for line in lines if len(line.split()) >= 3]
        if long:
            item = Evidence(
                id="e1", group="g", chunk_id=chunk.chunk_id, doc_id=chunk.doc_id,
                doc_version=chunk.doc_version, quote=chance.choice(long),
            )  # fmt: skip
            found.append((item, chunk.text))
    return found


def test_evidence_is_re_anchored_in_its_own_version_or_reported():
    before = old_chunks()
    documents: defaultdict[str, list[Chunk]] = defaultdict(list)
    for chunk in cut_anew(before):
        documents[unversioned(chunk.doc_id, chunk.doc_version)].append(chunk)
    states: Counter[EvidenceState] = Counter()
    right = total = 0
    for item, text in picked(before, 600):
        document = documents[unversioned(item.doc_id, item.doc_version)]
        by_id = {chunk.chunk_id: chunk for chunk in document}
        found = anchor(item, document, text)
        states[found.state] += 1
        whole = [c for c in document if c.doc_version == item.doc_version and item.quote in c.text]
        total += bool(whole)
        if found.proposed_chunk_id is not None:
            target = by_id[found.proposed_chunk_id]
            assert target.doc_version == item.doc_version
            assert target.doc_id == item.doc_id
            assert (found.proposed_quote or "") in target.text
            right += item.quote in target.text
        else:
            assert found.state in LOST
            assert found.nearest is not None or found.state is EvidenceState.GONE
    assert total > 400
    assert right >= 0.95 * total
    assert states[EvidenceState.GONE] <= 0.01 * sum(states.values())
