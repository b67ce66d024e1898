"""Living evidence: what became of the evidence of the golden set in the corpus as it is now."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from curation.domain.base import Value
from curation.domain.case import Case, Evidence, EvidenceRole
from curation.domain.chunk import Chunk, unversioned
from curation.evaluation.anchoring import Anchor, EvidenceState, anchor
from curation.evaluation.outdating import Outdated, outdated
from curation.golden import GoldenSet, read_version
from curation.metrics import same_version
from curation.metrics.lookup import asked_versions
from curation.services.workspace import Workspace
from curation.store import Session
from curation.store import chunks as stored_chunks

Progress = Callable[[int, int], None]  # how many of how many


class EvidenceItem(Value):
    """One piece of evidence of an active case and where it stands.

    `asked_for` says that the question itself names the evidence's version: a newer version does
    not make such a case wrong.
    """

    case_id: str
    item: Evidence
    asked_for: bool
    anchor: Anchor

    @property
    def needs_work(self) -> bool:
        """Whether somebody has to look at it."""
        state = self.anchor.state
        if state is EvidenceState.SUPERSEDED:
            return not self.asked_for
        return state is not EvidenceState.INTACT


class EvidenceReport(Value):
    """What became of all evidence, in the order of the cases."""

    items: tuple[EvidenceItem, ...]
    has_corpus: bool

    @property
    def counts(self) -> dict[str, int]:
        """How many pieces of evidence are in each state."""
        found = Counter(item.anchor.state for item in self.items)
        return {state.value: found[state] for state in EvidenceState}

    @property
    def needs_work(self) -> tuple[EvidenceItem, ...]:
        """The evidence that somebody has to look at."""
        return tuple(item for item in self.items if item.needs_work)


class OutdatedReport(Value):
    """The cases whose facts a newer version may have made wrong; `asked_for` stay right."""

    items: tuple[Outdated, ...]
    asked_for: tuple[Outdated, ...]


def check_evidence(workspace: Workspace) -> EvidenceReport:
    """Return what became of the evidence of every active case."""
    return evidence_of(workspace, read_version(workspace.golden))


def evidence_of(
    workspace: Workspace, golden: GoldenSet, *, progress: Progress | None = None
) -> EvidenceReport:
    """Return what became of the evidence of a set's active cases; `progress` is told of each."""
    total = sum(len(case.evidence) for case in golden.active)
    with workspace.store.reading() as session:
        found: dict[tuple[str, str], EvidenceItem] = {}
        for item in _by_document(session, golden.active):
            found[item.case_id, item.item.id] = item
            if progress is not None:
                progress(len(found), total)
        has_corpus = stored_chunks.has_corpus(session)
    ordered = [
        found[case.id, item.id]
        for case in sorted(golden.active, key=lambda case: case.id)
        for item in case.evidence
    ]
    return EvidenceReport(items=tuple(ordered), has_corpus=has_corpus)


def _by_document(session: Session, cases: Sequence[Case]) -> Iterator[EvidenceItem]:
    """Yield the evidence document by document, so that only one is held at a time."""
    groups: defaultdict[str, list[tuple[Case, Evidence]]] = defaultdict(list)
    for case in cases:
        for item in case.evidence:
            groups[unversioned(item.doc_id, item.doc_version)].append((case, item))
    for _, group in sorted(groups.items()):
        first = group[0][1]
        document = stored_chunks.document_chunks(session, first.doc_id, first.doc_version)
        hashes = {item.chunk_sha256 for _, item in group if item.chunk_sha256}
        texts = stored_chunks.texts_by_hash(session, hashes)
        for case, item in group:
            yield _checked(case, item, document, texts.get(item.chunk_sha256 or ""))


def _checked(
    case: Case, item: Evidence, document: Sequence[Chunk], picked_from: str | None
) -> EvidenceItem:
    """Return where one piece of evidence stands."""
    asked = item.doc_version is not None and any(
        same_version(item.doc_version, version) for version in asked_versions(case)
    )
    return EvidenceItem(
        case_id=case.id,
        item=item,
        asked_for=asked,
        anchor=anchor(item, document, picked_from),
    )


def corpus_state(workspace: Workspace) -> int:
    """Return a number that grows whenever the corpus is written."""
    with workspace.store.reading() as session:
        return stored_chunks.corpus_step(session)


def passage_now(workspace: Workspace, found: EvidenceItem) -> Chunk | None:
    """Return the chunk that the evidence stands in now, or the nearest one; None for neither."""
    anchor_now = found.anchor
    version = found.item.doc_version
    if anchor_now.proposed_chunk_id is not None:
        wanted = anchor_now.proposed_chunk_id
    elif anchor_now.nearest is not None:
        wanted = anchor_now.nearest.chunk_id
    elif anchor_now.newer is not None:
        wanted, version = anchor_now.newer.chunk_id, anchor_now.newer.doc_version
    else:
        wanted = found.item.chunk_id
    with workspace.store.reading() as session:
        every = stored_chunks.chunks_of_id(session, wanted)
    exact = [chunk for chunk in every if chunk.doc_version == version]
    alike = [chunk for chunk in every if same_version(chunk.doc_version, version)]
    return next(iter([*exact, *alike]), None)


def find_outdated(workspace: Workspace) -> OutdatedReport:
    """Return the active cases whose required facts a newer version may have made wrong."""
    golden = read_version(workspace.golden)
    return outdated_of(golden, evidence_of(workspace, golden))


def outdated_of(golden: GoldenSet, report: EvidenceReport) -> OutdatedReport:
    """Return the cases of a set whose required facts its evidence shows to be outdated."""
    by_case: defaultdict[str, list[EvidenceItem]] = defaultdict(list)
    for item in report.items:
        if item.anchor.newer is not None and item.item.role is EvidenceRole.GOLD:
            by_case[item.case_id].append(item)
    found: list[Outdated] = []
    asked_for: list[Outdated] = []
    for case_id, items in by_case.items():
        newer = {i.item.id: i.anchor.newer for i in items if i.anchor.newer is not None}
        one = outdated(golden.cases[case_id], newer)
        if one is not None:
            (asked_for if all(item.asked_for for item in items) else found).append(one)
    return OutdatedReport(items=tuple(found), asked_for=tuple(asked_for))


def reanchored(case: Case, items: Sequence[EvidenceItem]) -> Case | None:
    """Return the case with its moved evidence where it is now; None if none moved."""
    moved = {i.item.id: i.anchor for i in items if i.anchor.state is EvidenceState.MOVED}
    if not moved:
        return None
    evidence = tuple(
        item.model_copy(
            update={
                "chunk_id": moved[item.id].proposed_chunk_id,
                "quote": moved[item.id].proposed_quote,
                "chunk_sha256": None,
            }
        )
        if item.id in moved
        else item
        for item in case.evidence
    )
    return case.model_copy(update={"evidence": evidence})
