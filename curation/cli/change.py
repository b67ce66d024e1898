"""`curation change` and `curation publish`: from a proposal to a version."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curation.cli.files import acknowledgements, read_document
from curation.cli.frame import As, Frame, Home, Json, Looker, Reason, frame
from curation.cli.review import Ack, refuse
from curation.cli.show import (
    approval_documents,
    change_document,
    change_line,
    finding_documents,
    finding_lines,
    name_of,
)
from curation.domain.case import RetireReason
from curation.domain.change import Change, ChangeState
from curation.domain.finding import Finding
from curation.domain.plural import plural
from curation.errors import CurationError

if TYPE_CHECKING:
    from curation.services.cases import CaseFile
    from curation.services.publish import PublishReport

app = typer.Typer(help="Proposed changes of the golden set.", no_args_is_help=True)
Field = Annotated[str | None, typer.Option("--field", help="The field or fact.")]
ChangeId = Annotated[str, typer.Argument(metavar="CHANGE", help="Its number or its id.")]


class ProposeUsageError(CurationError):
    """`change propose` was given none or several of its forms."""

    exit_status = 2

    def __init__(self) -> None:
        super().__init__(
            "Nothing was proposed. Give one of --case FILE, --retire CASE, --restore CASE, "
            "--policy FILE."
        )


class RetireUsageError(CurationError):
    """A retirement came without its kind of reason."""

    exit_status = 2

    def __init__(self) -> None:
        kinds = ", ".join(RetireReason)
        super().__init__(f"Nothing was proposed. Say --why-retired with one of: {kinds}.")


@app.command("list")
def list_changes(
    state: Annotated[list[ChangeState] | None, typer.Option("--state")] = None,
    by: Looker = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """List changes, newest first."""
    from curation.services import changes

    with frame(home, as_json) as run:
        viewer = run.person_here(by)
        found = changes.all_changes(run.workspace(), states=state or [], viewer=viewer)
        lines = [change_line(c) for c in found] or ["No changes."]
        run.emit({"changes": [change_document(c) for c in found]}, lines)


@app.command()
def show(change: ChangeId, by: Looker = None, home: Home = None, as_json: Json = False) -> None:
    """Show a change: its reason, its fields, its checks and comments."""
    from curation.services import changes
    from curation.services.change_view import view_change

    with frame(home, as_json) as run:
        workspace = run.workspace()
        found = changes.get(workspace, change, viewer=run.person_here(by))
        view = view_change(workspace, found)
        document = change_document(found) | {"diff": view.document(), "file_diff": view.file_diff}
        lines = [change_line(found), f"Why: {found.latest.reason}", *_conflict_lines(found)]
        lines.append(view.file_diff)
        run.emit(document, [*lines, *finding_lines(found.latest.findings)])


def _conflict_lines(change: Change) -> list[str]:
    """Return what a conflict is and how its author resolves it."""
    if change.state is not ChangeState.CONFLICT:
        return [f"Not published: {change.conflict}"] if change.conflict else []
    return [
        f"In conflict: {change.conflict or 'it could not be published'}.",
        f"Resolve it with `curation change revise {change.shown_number} --case FILE`, or withdraw.",
    ]


@app.command()
def propose(
    as_: As = None,
    case: Annotated[Path | None, typer.Option("--case", help="The case, as JSON.")] = None,
    retire: Annotated[str | None, typer.Option("--retire", metavar="CASE")] = None,
    why_retired: Annotated[RetireReason | None, typer.Option("--why-retired")] = None,
    superseded_by: Annotated[str | None, typer.Option("--superseded-by", metavar="ID")] = None,
    restore: Annotated[str | None, typer.Option("--restore", metavar="CASE")] = None,
    policy: Annotated[Path | None, typer.Option("--policy", help="A new golden.toml.")] = None,
    reason: Reason = "",
    ack: Ack = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Propose an added or edited case, a retirement, a restoration or a policy."""
    from curation.services import golden_set as golden
    from curation.services.errors import BlockedError, UnexplainedError

    with frame(home, as_json) as run:
        if sum(given is not None for given in (case, retire, restore, policy)) != 1:
            raise ProposeUsageError
        workspace, person, now = run.workspace(), run.person(as_), datetime.now(UTC)
        findings: tuple[Finding, ...] = ()
        try:
            if case is not None:
                file = _case_file(case, reason, ack)
                change, findings = golden.propose_case(workspace, file, person=person, now=now)
            elif retire is not None:
                change = golden.propose_retire(
                    workspace,
                    retire,
                    why=_named(why_retired),
                    person=person,
                    reason=reason,
                    now=now,
                    superseded_by=superseded_by,
                )
            elif restore is not None:
                change = golden.propose_restore(
                    workspace, restore, person=person, reason=reason, now=now
                )
            else:
                change = golden.propose_policy(
                    workspace, policy or Path(), person=person, reason=reason, now=now
                )
        except (BlockedError, UnexplainedError) as refusal:
            refuse(run, refusal)
            return
        _proposed(run, change, findings)


def _named(why: RetireReason | None) -> RetireReason:
    """Return the kind of reason of a retirement, or refuse."""
    if why is None:
        raise RetireUsageError
    return why


def _case_file(path: Path, reason: str, acks: list[str] | None) -> "CaseFile":
    """Return what a case file and the options beside it say."""
    from curation.services.cases import CaseFile

    return CaseFile(
        document=read_document(path),
        where=str(path),
        reason=reason,
        acks=acknowledgements(acks or []),
    )


def _proposed(run: Frame, change: Change, findings: tuple[Finding, ...]) -> None:
    """Print a stored proposal."""
    run.emit(
        {
            "change_id": change.id,
            "number": change.number,
            "case_id": change.case_id,
            "patch_set": change.latest.number,
            "findings": finding_documents(findings),
        },
        [
            (
                f"Change {change.shown_number}, patch set {change.latest.number}. "
                "It waits for a second person."
            ),
            *finding_lines(findings),
        ],
    )


@app.command()
def revise(
    change: ChangeId,
    case: Annotated[Path, typer.Option("--case", help="The case, as JSON.")],
    as_: As = None,
    base: Annotated[
        str | None, typer.Option("--base", metavar="BLOB", help="The blob it is based on.")
    ] = None,
    reason: Reason = "",
    ack: Ack = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Upload the next patch set; approvals of earlier ones are void. Resolves a conflict too."""
    from curation.services import golden_set as golden
    from curation.services.errors import BlockedError, UnexplainedError

    with frame(home, as_json) as run:
        try:
            changed, findings = golden.propose_case(
                run.workspace(),
                _case_file(case, reason, ack),
                person=run.person(as_),
                now=datetime.now(UTC),
                change_id=change,
                base_blob=base,
            )
        except (BlockedError, UnexplainedError) as refusal:
            refuse(run, refusal)
            return
        _proposed(run, changed, findings)


@app.command()
def approve(
    change: ChangeId,
    as_: As = None,
    patch_set: Annotated[
        int | None, typer.Option("--patch-set", help="The patch set that you looked at.")
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Say yes to the exact bytes of a change's newest patch set."""
    from curation.services import changes

    with frame(home, as_json) as run:
        done = changes.approve(
            run.workspace(),
            change,
            person=run.person(as_),
            now=datetime.now(UTC),
            patch_set=patch_set,
        )
        run.emit(
            {
                "change_id": done.id,
                "state": done.state.value,
                "approvals": approval_documents(done),
            },
            [change_line(done)],
        )


@app.command()
def ask(
    change: ChangeId,
    text: Annotated[str, typer.Argument(help="What should change.")],
    as_: As = None,
    field: Field = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Ask the author for changes, with a comment that says which."""
    from curation.services import changes

    with frame(home, as_json) as run:
        _remark(run, changes.ask, change, text, as_=as_, field=field)


@app.command()
def comment(
    change: ChangeId,
    text: Annotated[str, typer.Argument(help="The comment.")],
    as_: As = None,
    field: Field = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Comment on a change, or on one of its fields or facts."""
    from curation.services import changes

    with frame(home, as_json) as run:
        _remark(run, changes.comment, change, text, as_=as_, field=field)


def _remark(
    run: Frame,
    act: Callable[..., Change],
    change: str,
    text: str,
    *,
    as_: str | None,
    field: str | None,
) -> None:
    """Say something of a change, as a comment or as a request, and print the change."""
    now = datetime.now(UTC)
    done = act(run.workspace(), change, person=run.person(as_), text=text, now=now, field=field)
    run.emit(change_document(done), [change_line(done)])


@app.command()
def withdraw(change: ChangeId, as_: As = None, home: Home = None, as_json: Json = False) -> None:
    """Withdraw a change; its answer and what that covered are open again."""
    from curation.services import changes

    with frame(home, as_json) as run:
        done = changes.withdraw(run.workspace(), change, person=run.person(as_))
        run.emit(change_document(done), [change_line(done)])


def publish(as_: As = None, home: Home = None, as_json: Json = False) -> None:
    """Publish every approved change as one new version of the golden set."""
    from curation.services.publish import publish as publish_approved

    with frame(home, as_json) as run:
        report = publish_approved(run.workspace(), person=run.person(as_), now=datetime.now(UTC))
        run.status = 0 if report.complete else 1
        run.emit(_publish_document(report), _publish_lines(report))


def _publish_document(report: "PublishReport") -> dict[str, object]:
    """Return a publish as a document."""
    return {
        "version": report.version,
        "commit": report.commit,
        "published": [
            {"change_id": c.id, "case_id": c.case_id, "commit": c.commit} for c in report.published
        ],
        "waiting": [{"change_id": c.id, "case_id": c.case_id} for c in report.waiting],
        "conflicts": [
            {
                "change_id": c.id,
                "case_id": c.case_id,
                "reason": report.reasons.get(c.id),
                "message": _why_not(report, c),
            }
            for c in report.conflicts
        ],
        "open_experiments": [
            {
                "experiment_id": e.id,
                "opened_by": e.opened_by,
                "opened_at": e.opened_at.isoformat() if e.opened_at else None,
                "version": e.version,
            }
            for e in report.frozen_by
        ],
        "worktree": report.worktree,
    }


def _why_not(report: "PublishReport", change: Change) -> str | None:
    """Return why a change did not go out; one whose id was taken has its new id already."""
    if change.conflict is None and report.reasons.get(change.id) == "id_taken":
        return (
            f"its id was taken meanwhile; it is {change.case_id} now and needs approval once more"
        )
    return change.conflict


def _publish_lines(report: "PublishReport") -> list[str]:
    """Return a publish for people."""
    if report.frozen_by:
        waits = plural(len(report.waiting), "change waits", "changes wait")
        return [f"Not published: {_frozen(report)}. {waits}."]
    if report.version is None and report.complete:
        return ["Nothing to publish: no change is approved."]
    lines = [f"{change_line(c)}: {_why_not(report, c)}" for c in report.conflicts]
    lines += [change_line(c) for c in report.waiting]
    if report.worktree_note:
        lines.append(report.worktree_note)
    if report.version is not None:
        done = plural(len(report.published), "change")
        lines.insert(0, f"Published {report.version}: {done}, commit {report.commit}.")
    return lines


def _frozen(report: "PublishReport") -> str:
    """Return which experiments freeze the set, in words."""
    parts = []
    for experiment in report.frozen_by:
        since = f" on {experiment.opened_at:%-d %b}" if experiment.opened_at else ""
        parts.append(
            f"{experiment.id}, opened by {name_of(experiment.opened_by)}{since}, "
            f"measures {experiment.version or 'an unknown version'}"
        )
    return "; ".join(parts)


def register(root: typer.Typer) -> None:
    """Add the command family to the command line."""
    root.add_typer(app, name="change")
    root.command("publish")(publish)
