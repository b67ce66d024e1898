"""`curation corpus check` and `outdated`: evidence that stays true; and batches of changes."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curation.cli import change as change_family
from curation.cli import ingest as corpus_family
from curation.cli.frame import As, Frame, Home, Json, Reason, frame
from curation.cli.show import change_document, change_line
from curation.domain.change import Change
from curation.domain.plural import plural

if TYPE_CHECKING:
    from curation.evaluation.outdating import Outdated
    from curation.services.batches import Batch
    from curation.services.living import EvidenceItem, EvidenceReport

Propose = Annotated[bool, typer.Option("--propose", help="Propose the edits, as one batch.")]
BatchId = Annotated[str, typer.Argument(metavar="BATCH", help="The id that --propose gave.")]


def check(
    propose: Propose = False,
    as_: As = None,
    reason: Reason = "",
    every: Annotated[bool, typer.Option("--all", help="List what is intact too.")] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Say what became of the evidence of every active case; exit 1 if anything needs work."""
    from curation.services.batches import propose_reanchoring
    from curation.services.living import check_evidence

    with frame(home, as_json) as run:
        workspace = run.workspace()
        report = check_evidence(workspace)
        batch = None
        if propose:
            batch = propose_reanchoring(
                workspace, person=run.person(as_), reason=reason, now=datetime.now(UTC)
            )
        run.status = 1 if report.needs_work else 0
        _checked(run, report, batch, every=every)


def _checked(run: Frame, report: "EvidenceReport", batch: "Batch | None", *, every: bool) -> None:
    """Print what became of the evidence."""
    listed = [item for item in report.items if every or item.anchor.state != "intact"]
    document = {
        "counts": report.counts,
        "asked_for": sum(1 for i in listed if i.anchor.state == "superseded" and i.asked_for),
        "needs_work": len(report.needs_work),
        "items": [_item(item) for item in listed],
        **_batch(batch),
    }
    counts = ", ".join(f"{count} {state}" for state, count in report.counts.items())
    lines = [f"{plural(len(report.items), 'piece')} of evidence: {counts}."]
    if not report.has_corpus:
        lines.append("No corpus was brought in: curation corpus add FILE.")
    lines += [line for item in listed for line in _item_lines(item)]
    run.emit(document, [*lines, *_batch_lines(batch)])


def _item(found: "EvidenceItem") -> dict[str, Any]:
    """Return one piece of evidence as a document."""
    return {
        "case_id": found.case_id,
        "evidence_id": found.item.id,
        "chunk_id": found.item.chunk_id,
        "doc_id": found.item.doc_id,
        "doc_version": found.item.doc_version,
        "quote": found.item.quote,
        "asked_for": found.asked_for,
        **found.anchor.model_dump(mode="json"),
    }


def _item_lines(found: "EvidenceItem") -> list[str]:
    """Return one piece of evidence for people."""
    anchor = found.anchor
    head = f"{anchor.state.value:<10} {found.case_id} {found.item.id}  {found.item.chunk_id}"
    if anchor.proposed_chunk_id is not None:
        return [f"{head} → {anchor.proposed_chunk_id}"]
    if anchor.newer is not None:
        values = ", ".join(f"{c.old} → {c.new}" for c in anchor.newer.changes)
        why = " (the question asks for the older version)" if found.asked_for else ""
        return [f"{head}  {values} in {anchor.newer.doc_version}{why}"]
    if anchor.nearest is not None:
        return [head, f"           {_marked(anchor.nearest.diff)}"]
    return [head]


def _marked(diff: Any) -> str:  # noqa: ANN401 - segments of a word diff
    """Return a word diff in one line: [-60-] {+90+}."""
    marks = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}
    text = "".join(marks[segment.kind.value].format(segment.text) for segment in diff)
    return " ".join(text.split())


def outdated(
    propose: Propose = False,
    as_: As = None,
    reason: Reason = "",
    every: Annotated[
        bool, typer.Option("--all", help="List cases that ask for the older version too.")
    ] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """List cases whose required facts a newer document version may have made wrong."""
    from curation.services.batches import propose_renewal
    from curation.services.living import find_outdated

    with frame(home, as_json) as run:
        workspace = run.workspace()
        report = find_outdated(workspace)
        batch = None
        if propose:
            batch = propose_renewal(
                workspace, person=run.person(as_), reason=reason, now=datetime.now(UTC)
            )
        listed = [*report.items, *(report.asked_for if every else ())]
        document = {
            "counts": {"outdated": len(report.items), "asked_for": len(report.asked_for)},
            "items": [_outdated(one, asked_for=one in report.asked_for) for one in listed],
            **_batch(batch),
        }
        lines = [line for one in listed for line in _outdated_lines(one)]
        first = (
            f"{plural(len(report.items), 'case')} may be outdated; "
            f"{len(report.asked_for)} ask for the older version and stay right."
        )
        run.status = 1 if report.items else 0
        run.emit(document, [first, *lines, *_batch_lines(batch)])


def _outdated(one: "Outdated", *, asked_for: bool) -> dict[str, Any]:
    """Return one case with outdated facts as a document."""
    proposed = None if one.proposed is None else one.proposed.model_dump(mode="json", by_alias=True)
    return {
        "case_id": one.case_id,
        "asked_for": asked_for,
        "facts": [fact.model_dump(mode="json") for fact in one.facts],
        "evidence": {name: newer.model_dump(mode="json") for name, newer in one.newer.items()},
        "proposed": proposed,
        "why_not": one.why_not,
    }


def _outdated_lines(one: "Outdated") -> list[str]:
    """Return one case with outdated facts for people."""
    lines = [
        f"{one.case_id} {fact.fact_id}: {fact.old} → {fact.new}  ({fact.text})"
        for fact in one.facts
    ]
    return [*lines, f"  {one.why_not}"] if one.why_not else lines


def _batch(batch: "Batch | None") -> Mapping[str, Any]:
    """Return what was proposed as a part of a document."""
    if batch is None:
        return {}
    return {
        "batch": {
            "batch_id": batch.batch_id,
            "changes": [_short(change) for change in batch.changes],
            "refused": [{"case_id": c, "message": why} for c, why in batch.refused.items()],
        }
    }


def _short(change: Change) -> dict[str, Any]:
    return {"change_id": change.id, "number": change.number, "case_id": change.case_id}


def _batch_lines(batch: "Batch | None") -> list[str]:
    """Return what was proposed for people."""
    if batch is None:
        return []
    lines = [f"{case_id} was not proposed. {why}" for case_id, why in batch.refused.items()]
    if batch.batch_id is None:
        return [*lines, "Nothing was proposed."]
    done = plural(len(batch.changes), "change")
    return [*lines, f"Proposed {done} as batch {batch.batch_id}. It waits for a second person."]


def show_batch(batch: BatchId, home: Home = None, as_json: Json = False) -> None:
    """Show the changes of a batch, each with its file diff."""
    from curation.services.batches import batch_changes
    from curation.services.change_view import view_change

    with frame(home, as_json) as run:
        workspace = run.workspace()
        views = [view_change(workspace, found) for found in batch_changes(workspace, batch)]
        document = {
            "batch_id": batch,
            "changes": [
                change_document(v.change) | {"diff": v.document(), "file_diff": v.file_diff}
                for v in views
            ],
        }
        run.emit(document, [part for v in views for part in (change_line(v.change), v.file_diff)])


def approve_batch(batch: BatchId, as_: As = None, home: Home = None, as_json: Json = False) -> None:
    """Approve the changes of a batch by one act; each keeps its own approval and commit."""
    from curation.services.batches import approve_batch as approve

    with frame(home, as_json) as run:
        done = approve(run.workspace(), batch, person=run.person(as_), now=datetime.now(UTC))
        document = {
            "batch_id": batch,
            "approved": [_short(c) | {"state": c.state.value} for c in done.approved],
            "refused": [{"change_id": c, "message": why} for c, why in done.refused.items()],
        }
        run.status = 1 if done.refused else 0
        refused = [f"Not approved: {why}" for why in done.refused.values()]
        run.emit(document, [*(change_line(c) for c in done.approved), *refused])


def register(root: typer.Typer) -> None:  # noqa: ARG001 - the families exist already
    """Add the commands to the families `corpus` and `change`."""
    corpus_family.corpus.command("check")(check)
    corpus_family.corpus.command("outdated")(outdated)
    change_family.app.command("show-batch")(show_batch)
    change_family.app.command("approve-batch")(approve_batch)
