"""The queue: the answers most worth a minute, with filters; Enter reviews the next one."""

from functools import partial

import streamlit as st

from curation.domain.change import ChangeState
from curation.domain.queue import QueueFilter, QueuePage
from curation.errors import CurationError
from curation.services import changes, triage
from curation.services.queue_export import ExportFormat, export_queue
from curation.services.workspace import Workspace
from curation.ui import (
    bar,
    guard,
    keys,
    queue_actions,
    queue_controls,
    queue_sample,
    session,
    shell,
    tour,
)
from curation.ui.holders import held_sentence
from curation.ui.queue_filters import QueueView
from curation.ui.queue_view import Around, draw_queue, draw_unreadable
from curation.ui.view import view

guard.enter()

PAGE = "queue"


def shown_page(asked: QueueView, workspace: Workspace) -> QueuePage:
    """Return the page of the list that the filters ask for."""
    return triage.list_queue(
        workspace,
        session.person(),
        asked.filters,
        now=session.now(),
        page=asked.page,
        show_judge=queue_actions.judge_shown(asked.filters),
    )


def everything(workspace: Workspace) -> Around:
    """Return what an empty list has to say of the whole queue."""
    person = session.person()
    plain = triage.list_queue(workspace, person, QueueFilter(), now=session.now(), size=1)
    waiting = changes.all_changes(workspace, states=[ChangeState.PROPOSED], viewer=person)
    return Around(counts=plain.counts, leases=plain.leases, waiting=len(waiting))


def offer_export(workspace: Workspace, filters: QueueFilter) -> None:
    """Offer the filtered list as files."""
    person, judged = session.person(), queue_actions.judge_shown(filters)
    with st.popover("Export", help="Export what I see"):
        for form, label in ((ExportFormat.CSV, "As CSV"), (ExportFormat.JSONL, "As JSONL")):
            st.download_button(
                label,
                partial(
                    export_queue,
                    workspace,
                    person,
                    filters,
                    now=session.now(),
                    form=form,
                    show_judge=judged,
                ),
                file_name=f"queue.{form.value}",
                on_click="ignore",
                key=f"export_{form.value}",
            )


def draw(asked: QueueView, workspace: Workspace) -> None:
    """Draw the list, or why there is none."""
    page = shown_page(asked, workspace)
    around = None if page.rows else everything(workspace)
    queue_actions.watch_for_free(workspace, page)
    tree = draw_queue(asked, page, session.zone(), around)
    if tour.wanted(workspace.settings, session.person()):
        tree.insert(1, tour.draw_tour())
    view(tree, key="pane_queue", place=str(asked))
    bar.show(
        PAGE,
        queue_actions.actions(
            page,
            judged=queue_actions.judge_shown(asked.filters),
            settling=queue_actions.settling(workspace),
        ),
        note=held_sentence(page.leases, session.zone()),
    )


def show() -> None:
    """Draw the page."""
    entered = shell.entered()
    asked = queue_controls.wanted_view(entered=entered)
    workspace = session.workspace()
    for event in bar.events(PAGE):
        asked = queue_actions.act(event, asked, workspace)
    if entered or asked != st.session_state.get(keys.QUEUE_VIEW):
        queue_controls.set_view(asked)
    if asked.filters.sample:
        queue_controls.remember(asked)
        view(queue_sample.draw_sample(workspace), key="pane_queue", place="sample")
        offer = queue_actions.settle_offer(queue_actions.settling(workspace))
        bar.show(PAGE, queue_sample.actions(offer))
        return
    with st.container(key="cur_filters", horizontal=True, vertical_alignment="bottom"):
        asked = queue_controls.show_filters(asked, triage.filter_choices(workspace))
        offer_export(workspace, asked.filters)
    queue_controls.remember(asked)
    draw(asked, workspace)


try:
    show()
except CurationError as problem:  # a queue that cannot be read is never called done
    view(draw_unreadable(str(problem)), key="pane_queue")
    bar.show(PAGE, queue_actions.unreadable())
