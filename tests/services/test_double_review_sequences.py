"""Whatever people do with answers that two look at, counts add up and nothing tells of a first.

Acceptance 12.11 and 12.14 of the review experience, over sequences of claims, verdicts, undos,
skips, settlements and holds that end.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.config import load_settings
from curation.domain.person import Person
from curation.domain.queue import QueueFilter, QueueState
from curation.domain.review import Verdict
from curation.domain.sample import SampleRequest
from curation.errors import CurationError
from curation.services import adjudication, changes, corpus, near, review, sampling, triage
from curation.services.breaks import breaks
from curation.services.cases import CaseFile
from curation.services.desk import empty_desk, read_counts
from curation.services.home import create_home
from curation.services.intake import ingest
from curation.services.queue_yield import what_if
from curation.services.verdicts import Dismissal, dismiss, skip, undo
from curation.services.workspace import Workspace, open_workspace
from curation.store import queue
from tests.cli.world import CASE, CHUNKS
from tests.services.home import MIA, NOW, ROB, log, record

ANA = Person.parse("Ana Ruiz <ana@example.org>")
PEOPLE = (MIA, ROB, ANA)
VIEWERS = (MIA, ROB, None, ANA)
FILTERS: tuple[dict[str, str], ...] = (
    {},
    {"slice": "x"},
    {"words": "q1"},
    {"pipeline_version": "p2"},
)
MINUTES = 20  # a hold lasts 30
SIZE = 6


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with six answers to three questions, some of them for two people."""
    home = tmp_path_factory.mktemp("double") / "home"
    home.mkdir()
    loaded = load_settings(home)
    create_home(loaded, person=ANA, now=NOW)
    with at(home) as world:
        rows = [
            record(
                f"a{n}",
                question=f"q{n % 3}?",
                answer=f"t{n % 2}",
                slice="xy"[n % 2],
                pipeline_version=f"p{n // 3 + 1}",
            )
            for n in range(SIZE)
        ]
        chunks = log(home, *CHUNKS, name="chunks.jsonl")
        corpus.add_chunks(world, [chunks], now=NOW)
        ingest(world, [log(home, *rows)], now=NOW)
        sampling.draw(world, ANA, SampleRequest(n=4, double=1.0, seed=3), now=NOW)
    return home


@contextmanager
def at(home: Path) -> Generator[Workspace]:
    world = open_workspace(load_settings(home))
    try:
        yield world
    finally:
        world.store.dispose()


@contextmanager
def copied(template: Path, folder: pytest.TempPathFactory) -> Generator[Workspace]:
    with at(Path(copytree(template, folder.mktemp("world") / "home"))) as world:
        yield world


def propose(world: Workspace, person: Person, answer_id: str, now: datetime) -> object:
    file = CaseFile(document=CASE, where="case.json", reason=f"{answer_id} was wrong.")
    return review.finish_with_file(world, person, answer_id, file, now=now)


def right(world: Workspace, person: Person, answer_id: str, now: datetime) -> object:
    return dismiss(world, person, answer_id, Dismissal(verdict=Verdict.RIGHT), now=now)


def no_question(world: Workspace, person: Person, answer_id: str, now: datetime) -> object:
    word = Dismissal(verdict=Verdict.NOT_ACTIONABLE, reason="no question")
    return dismiss(world, person, answer_id, word, now=now)


def claim(world: Workspace, person: Person, _answer_id: str, now: datetime) -> object:
    return triage.next_answer(world, person, QueueFilter(), now=now)


def of_sample(world: Workspace, person: Person, _answer_id: str, now: datetime) -> object:
    return triage.next_answer(world, person, QueueFilter(sample=True), now=now)


def pass_over(world: Workspace, person: Person, answer_id: str, now: datetime) -> object:
    skip(world, person, answer_id, now=now)
    return None


def take_back(world: Workspace, person: Person, _answer_id: str, now: datetime) -> object:
    return undo(world, person, now=now)


def settle(world: Workspace, person: Person, answer_id: str, now: datetime) -> object:
    return adjudication.let_stand(world, answer_id, MIA.email, person=person, reason="so", now=now)


def unsettle(world: Workspace, person: Person, answer_id: str, _now: datetime) -> object:
    return adjudication.take_back(world, answer_id, person=person)


def withdraw(world: Workspace, person: Person, answer_id: str, _now: datetime) -> object:
    mine = [
        change
        for change in changes.all_changes(world, viewer=person)
        if change.answer_id == answer_id and not change.state.closed
    ]
    return [changes.withdraw(world, one.id, person=person) for one in mine]


Act = Callable[[Workspace, Person, str, datetime], object]
FIRST: tuple[Act, ...] = (claim, of_sample, right, no_question, propose, take_back, pass_over)
LATER: tuple[Act, ...] = (settle, unsettle, withdraw)


def tried(world: Workspace, act: Act, person: Person, answer_id: str, now: datetime) -> None:
    """Do it, or be refused: a refusal may change nothing either."""
    with suppress(CurationError):
        act(world, person, answer_id, now)


def steps(acts: tuple[Act, ...], people: tuple[Person, ...], most: int) -> Any:
    one = st.tuples(
        st.sampled_from(acts), st.sampled_from(people), st.integers(0, SIZE - 1), st.booleans()
    )
    return st.lists(one, min_size=1, max_size=most)


def add_up(world: Workspace, person: Person | None, filters: dict[str, Any], now: datetime) -> None:
    """Every list of a viewer under these filters says what the counts say."""
    with world.store.reading() as session:
        pages = {
            state: queue.read_page(session, QueueFilter(state=state, **filters), person, now=now)
            for state in QueueState
        }
        all_of_them = queue.count_queue(session, QueueFilter(**filters), now).all
    counts = pages[QueueState.TO_REVIEW].counts
    assert counts.all == all_of_them
    for state, page in pages.items():
        assert page.counts == counts
        assert len(page.rows) == page.shown
        answers = sum(row.more + 1 for row in page.rows)
        if state is QueueState.MINE:
            mine = [one for one in page.leases if person and one.lease.person.key == person.key]
            assert answers <= len(mine)
        else:
            name = "open" if state is QueueState.TO_REVIEW else state.value
            assert answers == getattr(counts, name), (state, filters)


@settings(max_examples=15)
@given(sequence=steps(FIRST + LATER, PEOPLE, 8))
def test_counts_add_up_for_every_viewer_in_every_filter(
    template: Path, tmp_path_factory: pytest.TempPathFactory, sequence: list[Any]
) -> None:
    now = NOW
    with copied(template, tmp_path_factory) as world:
        for turn, (act, person, n, later) in enumerate(sequence):
            now += timedelta(minutes=MINUTES if later else 0)
            tried(world, act, person, f"a{n}", now)
            add_up(world, VIEWERS[turn % len(VIEWERS)], FILTERS[turn % len(FILTERS)], now)
        for place, viewer in enumerate(VIEWERS):
            add_up(world, viewer, {}, now)
            add_up(world, viewer, FILTERS[place], now)


def told(world: Workspace, person: Person, now: datetime) -> list[object]:
    """Everything that a person is told of the queue, the sample, the changes and the figures."""
    lists = [
        triage.list_queue(world, person, QueueFilter(state=state, **filters), now=now)
        for state in QueueState
        for filters in FILTERS[:2]
    ]
    return [
        *lists,
        read_counts(world, person, "a0", now=now),
        review.load_work(world, person, "a3").pending,
        near.near_questions(world, "a0"),
        empty_desk(world, person, QueueFilter(), now=now),
        changes.list_for(world, person),
        changes.waiting_for(world, person),
        changes.all_changes(world, viewer=person),
        sampling.estimate(world),
        adjudication.contests(world, person),
        breaks(world),
        what_if(world, None),
    ]


@settings(max_examples=12)
@given(sequence=steps(FIRST, (MIA,), 6))
def test_the_second_person_is_told_the_same_whatever_the_first_does(
    template: Path, tmp_path_factory: pytest.TempPathFactory, sequence: list[Any]
) -> None:
    now = NOW
    with copied(template, tmp_path_factory) as world:
        double = sampling.served_order(world, sampling.estimate(world).sample)
        before = told(world, ROB, now)
        for act, person, n, later in sequence:
            now += timedelta(minutes=MINUTES if later else 0)
            chosen = of_sample if act is claim else act
            tried(world, chosen, person, double[n % len(double)], now)
        assert told(world, ROB, now) == before
