"""Cases of every shape, for properties that hold for all of them."""

from hypothesis import strategies as st

from curation.domain.case import (
    Answerable,
    Case,
    CaseStatus,
    Decline,
    Evidence,
    EvidenceRole,
    Fact,
    FactKind,
    FactRole,
    Facts,
    ForbiddenFact,
    Mention,
    Origin,
    Provenance,
    ReferenceSource,
    Retired,
    RetireReason,
    Turn,
)

texts = st.text(st.characters(codec="utf-8"), max_size=20)
maybe = st.none() | texts
few = st.lists(texts, max_size=2).map(tuple)
weights = st.integers(1, 100) | st.floats(0, 100, exclude_min=True, allow_nan=False)


def fact_of(kind: FactKind, fact_id: str) -> st.SearchStrategy[Fact]:
    """A fact of a kind with an id."""
    shared = {
        "id": st.just(fact_id),
        "text": texts,
        "any_of": few,
        "evidence": st.lists(st.sampled_from(["e1", "e2"]), max_size=2).map(tuple),
        "role": st.sampled_from(FactRole),
    }
    if kind is not FactKind.FORBIDDEN:
        return st.builds(Fact, **shared)
    return st.builds(ForbiddenFact, **shared, value_of=maybe, mention=st.sampled_from(Mention))


@st.composite
def fact_lists(draw: st.DrawFn) -> Facts:
    """Facts with ids from a small set, so that two cases share some of them."""
    ids = draw(st.lists(st.sampled_from(["f1", "f2", "f3", "f4"]), unique=True))
    kinds = [draw(st.sampled_from(FactKind)) for _ in ids]
    found: dict[str, list[Fact]] = {kind.value: [] for kind in FactKind}
    for kind, fact_id in zip(kinds, ids, strict=True):
        found[kind.value].append(draw(fact_of(kind, fact_id)))
    return Facts.model_validate(found)


@st.composite
def evidence_lists(draw: st.DrawFn) -> tuple[Evidence, ...]:
    """Evidence with ids from a small set."""
    ids = draw(st.lists(st.sampled_from(["e1", "e2", "e3"]), unique=True))
    return tuple(
        draw(
            st.builds(
                Evidence,
                id=st.just(name),
                group=st.sampled_from(["e1", "g"]),
                role=st.sampled_from(EvidenceRole),
                chunk_id=texts,
                doc_id=texts,
                doc_version=maybe,
                quote=texts,
                chunk_sha256=st.none() | st.just("0" * 64),
            )
        )
        for name in ids
    )


cases = st.builds(
    Case,
    id=st.just("q-0001"),
    status=st.sampled_from(CaseStatus),
    question=texts,
    conversation=st.lists(st.builds(Turn, role=texts, text=texts), max_size=2).map(tuple),
    standalone_question=maybe,
    answerable=st.sampled_from(Answerable),
    question_type=texts,
    slice=texts,
    category=maybe,
    weight=weights,
    reference=texts,
    other_references=few,
    reference_source=st.sampled_from(ReferenceSource),
    facts=fact_lists(),
    declines=st.lists(
        st.builds(Decline, id=st.sampled_from(["d1", "d2"]), text=texts, any_of=few),
        max_size=2,
        unique_by=lambda line: line.id,
    ).map(tuple),
    readings=few,
    evidence=evidence_lists(),
    doc_version=maybe,
    provenance=st.builds(
        Provenance, origin=st.sampled_from(Origin), answer_id=maybe, signals=few, failure=maybe
    ),
    retired=st.none()
    | st.builds(Retired, reason=st.sampled_from(RetireReason), superseded_by=maybe),
    notes=texts,
)
