"""What can be done on the Evidence page, and what each key does there."""

from dataclasses import dataclass
from enum import StrEnum

import streamlit as st

from curation.domain.change import OPEN_STATES, Change
from curation.domain.person import Person
from curation.domain.plural import plural
from curation.errors import CurationError
from curation.services import batches, changes, golden_set, living
from curation.services.batches import Batch, OpenBatch
from curation.services.living import EvidenceReport
from curation.services.workspace import Workspace
from curation.ui import bar, keys, session, shell
from curation.ui.actions import COMMIT, Action
from curation.ui.bar import Event
from curation.ui.evidence_view import BATCH_PAGE, REASON, Ledger, Row, rows
from curation.ui.progress import telling

CHOSEN = "item"
NOTHING_OUTDATED = "No edit of an outdated fact can be proposed."


class Panel(StrEnum):
    """What is asked before a batch is proposed."""

    REANCHOR = "reanchor"
    RENEW = "renew"


@dataclass(frozen=True, kw_only=True)
class Study:
    """What the page works on: everything listed, the chosen row, the case's open change."""

    workspace: Workspace
    person: Person | None
    ledger: Ledger
    chosen: Row | None

    @property
    def case_id(self) -> str | None:
        """The case that the chosen row is about."""
        kind, _, rest = (self.chosen.id if self.chosen else "").partition(":")
        return rest.partition(":")[0] if kind in {"evidence", "outdated"} else None

    @property
    def batch(self) -> OpenBatch | None:
        """The chosen batch."""
        kind, _, rest = (self.chosen.id if self.chosen else "").partition(":")
        found = (one for one in self.ledger.batches if one.batch_id == rest)
        return next(found, None) if kind == "batch" else None

    @property
    def moved(self) -> int:
        """How many cases have evidence that moved and no open change."""
        return len(self.ledger.movable - self.ledger.busy)

    @property
    def renewable(self) -> int:
        """How many cases have an edit ready that a newer version asks for, and no open change."""
        return len(self.ledger.renewable - self.ledger.busy)


@st.cache_resource(show_spinner=False)
def _checked() -> dict[str, tuple[str, EvidenceReport]]:
    """Return what was checked last for each golden set, by what it rests on."""
    return {}


def study(workspace: Workspace) -> Study:
    """Return what the page works on now; checks again only what changed since."""
    golden = golden_set.browse(workspace)
    basis = f"{golden.commit} {living.corpus_state(workspace)} {workspace.store.where}"
    person = session.person()
    kept = _checked().get(str(workspace.settings.golden_path))
    if kept is None or kept[0] != basis:
        with telling("Checking the evidence") as told:
            kept = basis, living.evidence_of(workspace, golden, progress=told)
        _checked()[str(workspace.settings.golden_path)] = kept
    ledger = Ledger(
        report=kept[1],
        outdated=living.outdated_of(golden, kept[1]),
        batches=batches.open_batches(workspace),
        cases=dict(golden.cases),
        busy=frozenset(
            change.case_id
            for change in changes.all_changes(workspace, states=OPEN_STATES, viewer=person)
            if change.case_id
        ),
    )
    listed = rows(ledger)
    wanted = st.query_params.get(CHOSEN, "")
    chosen = next((row for row in listed if row.id == wanted), listed[0] if listed else None)
    return Study(workspace=workspace, person=person, ledger=ledger, chosen=chosen)


def panel() -> Panel | None:
    """Return the form that is open."""
    asked = st.session_state.get(keys.PANEL)
    return Panel(asked) if asked in set(Panel) else None


def form_slot(form: Panel) -> str:
    """Return the name that the browser keeps the reason under."""
    return f"batch-{form.value}"


def form_words(at: Study, form: Panel) -> str:
    """Return what a form would propose."""
    if form is Panel.REANCHOR:
        return f"Propose the new chunk of {plural(at.moved, 'case')}, as one batch."
    return (
        f"Propose the newer values of {plural(at.renewable, 'case')}, as one batch: the older "
        "value becomes forbidden with its version, the newer one required."
    )


def page_of(batch: OpenBatch) -> int:
    """Return the page of a batch's changes, from 0."""
    pages = -(-len(batch.changes) // BATCH_PAGE)
    return min(int(st.session_state.get(keys.CASES_PAGE, 0)), pages - 1)


def select(row: str) -> None:
    """Choose a row and write it into the address."""
    st.query_params[CHOSEN] = row
    st.session_state.pop(keys.CASES_PAGE, None)
    st.session_state.pop(keys.PANEL, None)


def act(event: Event, at: Study) -> None:
    """Do what a key or a press asks for."""
    try:
        _act(event, at)
    except CurationError as problem:
        bar.refuse(str(problem))


def _act(event: Event, at: Study) -> None:
    match event.act:
        case "select":
            select(event.arg)
        case "next" | "previous":
            _step(at, 1 if event.act == "next" else -1)
        case "page_next" | "page_previous":
            shift = 1 if event.act == "page_next" else -1
            page = int(st.session_state.get(keys.CASES_PAGE, 0)) + shift
            st.session_state[keys.CASES_PAGE] = max(0, page)
        case "reanchor" | "renew":
            st.session_state[keys.PANEL] = Panel(event.act)
        case "close":
            st.session_state.pop(keys.PANEL, None)
        case "propose":
            _propose(event, at)
        case "approve" if at.batch is not None:
            _approve(at, at.batch)
        case "case" if at.case_id is not None:
            shell.go("golden_set", case=at.case_id)
        case "open":
            _open(at)
        case _:
            shell.followed(event)


def _step(at: Study, step: int) -> None:
    """Choose the next or previous row."""
    ids = [row.id for row in rows(at.ledger)]
    if ids:
        here = ids.index(at.chosen.id) if at.chosen else -step
        select(ids[min(max(here + step, 0), len(ids) - 1)])


def _propose(event: Event, at: Study) -> None:
    """Propose what the open form asks for, as one batch."""
    form = panel()
    if form is None:
        return
    propose = batches.propose_reanchoring if form is Panel.REANCHOR else batches.propose_renewal
    with telling("Proposing the changes") as told:
        made = propose(
            at.workspace,
            person=session.acting_person(),
            reason=event.fields.get(REASON, ""),
            now=session.now(),
            progress=told,
        )
    (bar.say if made.batch_id else bar.refuse)(proposed_words(made))
    if made.batch_id is not None:
        bar.sent(form_slot(form))
        select(f"batch:{made.batch_id}")


def proposed_words(made: Batch) -> str:
    """Return what was proposed and what was not, in words."""
    left = "; ".join(f"{case_id}: {why}" for case_id, why in list(made.refused.items())[:3])
    rest = len(made.refused) - 3
    more = f" and {rest} more" if rest > 0 else ""
    if made.batch_id is None:
        return f"Nothing was proposed. {left}{more}".rstrip()
    done = f"Proposed {plural(len(made.changes), 'change')} as one batch for a second person."
    return f"{done} Left out: {left}{more}" if left else done


def _approve(at: Study, batch: OpenBatch) -> None:
    """Approve what is proposed in a batch."""
    with telling("Approving the changes") as told:
        done = batches.approve_batch(
            at.workspace,
            batch.batch_id,
            person=session.acting_person(),
            now=session.now(),
            progress=told,
        )
    said = f"Approved {plural(len(done.approved), 'change')}."
    if not done.refused:
        bar.say(f"{said} Publish them on Changes.")
        return
    why = "; ".join(dict.fromkeys(done.refused.values()))
    bar.refuse(f"{said} {plural(len(done.refused), 'change')} not approved: {why}")


def _open(at: Study) -> None:
    """Go to the change of the chosen row."""
    change = open_change(at)
    if change is not None:
        shell.go("changes", change=change.shown_number)


def open_change(at: Study) -> Change | None:
    """Return the open change of the chosen case, or the first of the chosen batch that is open."""
    if at.batch is not None:
        return next((c for c in at.batch.changes if not c.state.closed), None)
    if at.case_id is None:
        return None
    found = changes.all_changes(
        at.workspace, states=OPEN_STATES, case_id=at.case_id, viewer=at.person
    )
    return next(iter(found), None)


def actions(at: Study) -> list[Action]:
    """Return what can be done, and in words why some of it cannot be done now."""
    several = len(rows(at.ledger)) > 1
    return [
        *_first(at),
        Action(
            act="reanchor",
            label=f"Propose re-anchoring of {at.moved} …",
            keys=("r",),
            off=_why_none(at.moved, at.ledger.movable, "No evidence has moved."),
        ),
        Action(
            act="renew",
            label=f"Propose newer values of {at.renewable} …",
            keys=("u",),
            off=_why_none(at.renewable, at.ledger.renewable, NOTHING_OUTDATED),
        ),
        *_on_chosen(at),
        Action(act="next", label="Next", keys=("n",), off=None if several else "No other row."),
        Action(act="previous", label="Previous", keys=("p",), shown=False),
        Action(act="to_golden_set", label="Cases", keys=("g",)),
        *shell.page_keys(),
    ]


def _why_none(count: int, found: frozenset[str], nothing: str) -> str | None:
    """Return why there is nothing to propose; None where there is."""
    if count:
        return None
    return "A change of each of them is open already." if found else nothing


def _first(at: Study) -> list[Action]:
    """Return what ends the open form, or approves the chosen batch."""
    if panel() is not None:
        return [
            Action(act="propose", label="Propose as one batch", keys=(COMMIT,), primary=True),
            Action(act="close", label="Close", keys=("Escape",), about="Close the form"),
        ]
    batch = at.batch
    if batch is None:
        return []
    count = len(batch.proposed)
    pages = len(batch.changes) > BATCH_PAGE
    return [
        Action(
            act="approve",
            label=f"Approve {plural(count, 'change')}",
            keys=(COMMIT,),
            primary=True,
            off=why_not_approved(at, batch),
        ),
        Action(act="page_next", label="Next page", keys=("PageDown",), shown=pages),
        Action(act="page_previous", label="Page before", keys=("PageUp",), shown=pages),
    ]


def why_not_approved(at: Study, batch: OpenBatch) -> str | None:
    """Return in words why the person cannot approve the batch now; None when they can."""
    if not batch.proposed:
        return "Nothing of this batch is only proposed any more."
    if at.person is None:
        return "Settings names nobody yet, so nobody can approve."
    return changes.why_not_approvable(at.workspace, batch.proposed[0], at.person)


def _on_chosen(at: Study) -> list[Action]:
    """Return where the chosen row leads."""
    change = open_change(at)
    return [
        Action(
            act="case",
            label="Open the case",
            keys=("e",),
            off=None if at.case_id else "No case is chosen.",
        ),
        Action(
            act="open",
            label=f"Open {change.shown_number} in Changes" if change else "Open in Changes",
            keys=("o",),
            off=None if change else "No change of it is open.",
        ),
    ]
