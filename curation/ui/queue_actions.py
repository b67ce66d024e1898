"""What can be done on the queue page, and what each key does there."""

from collections.abc import Sequence

import streamlit as st

from curation.domain.plural import plural
from curation.domain.queue import QueueFilter, QueuePage
from curation.errors import CurationError
from curation.services import adjudication, near, triage
from curation.services.near import NearQuestion
from curation.services.workspace import Workspace
from curation.ui import bar, keys, queue_sample, session, shell, tour
from curation.ui.actions import Action
from curation.ui.bar import Event
from curation.ui.queue_filters import QueueView

JUDGE_SAID = (
    "The judge is shown in this session. Your verdicts then do not count when the judge is "
    "compared with people."
)
NOTHING_FREE = "Nothing was opened: no answer is free inside these filters."
FREE_AGAIN = "An answer is free again. Enter opens it."
NEAR_ABOUT = "Questions that ask nearly the same; M again covers them"
MOST_NEAR = 6
_WORDS_FIELD = ".st-key-queue_words"


def actions(page: QueuePage, *, judged: bool, settling: int = 0) -> list[Action]:
    """Return what can be done on this page; `settling` pairs of verdicts differ."""
    several = page.pages > 1
    return [
        Action(act="next", label="Review next", keys=("Enter",), primary=True),
        Action(
            act="open",
            label="Open selected",
            keys=("o",),
            off=None if page.rows else "Nothing was opened: the list is empty.",
        ),
        *(
            [Action(act="near", label="Nearly the same …", keys=("m",), about=NEAR_ABOUT)]
            if any(row.near for row in page.rows)
            else []
        ),
        Action(act="sample", label="Sample …", keys=("s",), about="The sample, and drawing one"),
        *settle_offer(settling),
        Action(act="judge", label="Hide judge" if judged else "Show judge", keys=("j",)),
        Action(act="clear", label="Clear filters", keys=("x",)),
        Action(
            act="words",
            label="Words",
            keys=("/", "k"),
            shown=False,
            client="focus",
            target=_WORDS_FIELD,
            about="Words in the question",
        ),
        Action(act="page_next", label="Next page", keys=("PageDown",), shown=several),
        Action(act="page_previous", label="Page before", keys=("PageUp",), shown=several),
    ]


def settle_offer(number: int) -> list[Action]:
    """Return the way to the verdicts that cannot both stand, where there are some."""
    if not number:
        return []
    about = "Two people's verdicts side by side"
    return [Action(act="to_settle", label=f"Settle {number} …", keys=("t",), about=about)]


def settling(workspace: Workspace) -> int:
    """Return how many answers have verdicts that cannot both stand, as this person may know."""
    return sum(one.is_open for one in adjudication.contests(workspace, session.person()))


def unreadable() -> Sequence[Action]:
    """Return what can be done while the queue cannot be read."""
    return [Action(act="again", label="Try again", keys=("Enter",), primary=True)]


def judge_shown(filters: QueueFilter) -> bool:
    """Return whether the judge is shown: by J or by a filter on its scores, for this session."""
    if filters.metric_below is not None and not st.session_state.get(keys.JUDGE_SHOWN):
        st.session_state[keys.JUDGE_SHOWN] = True
        bar.say(JUDGE_SAID)
    return bool(st.session_state.get(keys.JUDGE_SHOWN))


def act(event: Event, asked: QueueView, workspace: Workspace) -> QueueView:
    """Do what a key or a press asks for and return the view to show."""
    match event.act:
        case "next":
            review_next(asked.filters, workspace)
        case "open" if event.rows.get("queue"):
            shell.go("review", answer=event.rows["queue"])
        case "near" if event.rows.get("queue"):
            show_near(event.rows["queue"], workspace)
        case "sample":
            return queue_sample.sample_view()
        case "draw":
            queue_sample.act(event, workspace)
        case "judge":
            toggle_judge()
        case "clear":
            return QueueView()
        case "page_next" | "page_previous":
            step = 1 if event.act == "page_next" else -1
            return QueueView(filters=asked.filters, page=max(1, asked.page + step))
        case _:
            act_aside(event, workspace)
    return asked


def act_aside(event: Event, workspace: Workspace) -> None:
    """Do what changes neither the list nor an answer."""
    match event.act:
        case "watch":
            st.session_state[keys.WATCHING] = True
            bar.say("You are told here as soon as an answer is free.")
        case "tour_told":
            tour.told(workspace.settings, session.person())
        case _:
            shell.followed(event)


def show_near(answer_id: str, workspace: Workspace) -> None:
    """List what asks nearly the same as a row; of a reviewed one, a second press covers it."""
    try:
        found = near.near_questions(workspace, answer_id)
        asked = f"near:{answer_id}"
        if found and st.session_state.get(keys.PANEL) == asked:
            st.session_state.pop(keys.PANEL)
            count = near.cover_near(workspace, answer_id, person=session.acting_person())
            bar.say(f"Covered {plural(count, 'answer')}. Undo of the review opens them again.")
            return
    except CurationError as problem:
        bar.refuse(str(problem))
        return
    st.session_state[keys.PANEL] = asked
    bar.say(near_words(found))


def near_words(found: Sequence[NearQuestion]) -> str:
    """Return the questions that ask nearly the same, and what a second press does."""
    if not found:
        return "No open answer is to a question that asks nearly the same."
    told = ", ".join(f"“{one.question}” ({one.open})" for one in found[:MOST_NEAR])
    rest = len(found) - MOST_NEAR
    more = f" and {rest} more" if rest > 0 else ""
    return (
        f"Nearly the same: {told}{more}. If this row is reviewed and its verdict holds for all of "
        "these, M again covers those of its pipeline version."
    )


def toggle_judge() -> None:
    """Show the judge for the session, or hide it again."""
    shown = not st.session_state.get(keys.JUDGE_SHOWN)
    st.session_state[keys.JUDGE_SHOWN] = shown
    bar.say(JUDGE_SAID if shown else "The judge is hidden until your verdict.")


def review_next(filters: QueueFilter, workspace: Workspace) -> None:
    """Open the answer that comes next inside the filters."""
    try:
        found = triage.next_or_own(workspace, session.acting_person(), filters, now=session.now())
    except CurationError as problem:
        bar.refuse(str(problem))
        return
    if found is not None:
        shell.go("review", answer=found)
    bar.refuse(queue_sample.nothing_free(workspace) if filters.sample else NOTHING_FREE)


def watch_for_free(workspace: Workspace, page: QueuePage) -> None:
    """Look every few seconds whether an answer is free, for somebody who asked to be told."""
    if not st.session_state.get(keys.WATCHING):
        return
    if page.rows:
        st.session_state.pop(keys.WATCHING)
        bar.say(FREE_AGAIN)
        return

    @st.fragment(run_every=3)
    def look() -> None:
        """Draw the page anew when something is free."""
        person = session.person()
        free = triage.list_queue(workspace, person, QueueFilter(), now=session.now(), size=1)
        if free.rows:
            st.rerun()

    look()
