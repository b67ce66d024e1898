"""Two servers on one PostgreSQL: what one does in the middle of the other's act, and lost ones."""

import threading

import psycopg
import pytest
from sqlalchemy import event

from curation.domain.answer import SignalKind
from curation.domain.change import ChangeState
from curation.domain.queue import QueueFilter
from curation.domain.review import AnswerState, Review, Verdict
from curation.errors import CurationError
from curation.services import changes, intake, verdicts
from curation.services.reported_signals import ReportedSignal, report_signals
from curation.services.triage import list_queue, next_answer
from curation.services.verdicts import Dismissal, dismiss
from curation.services.workspace import open_workspace
from curation.store import StoreUnavailableError
from curation.store.answers import answer_state, load_answers
from tests.cli.world import answer
from tests.services.home import log, record
from tests.services.review_world import ANA, MIA, NOW, ROB, opened, proposed
from tests.store.logs import how_many

pytestmark = pytest.mark.postgres


@pytest.fixture
def servers(tmp_path, postgres_database):
    with opened(tmp_path, toml=f'database = "{postgres_database}"', answers=2) as first:
        second = open_workspace(first.settings)
        yield first, second
        second.store.dispose()


def meanwhile(world, begin, act):
    """Do something else, once, right before a statement of the store that begins so."""
    done = threading.Thread(target=act)

    def before(_connection, _cursor, statement, *_rest):
        if statement.startswith(begin) and done.ident is None:
            done.start()
            done.join(1)  # it may have to wait for us

    event.listen(world.store.engine, "before_cursor_execute", before)
    return done


def test_a_change_that_is_withdrawn_while_another_approves_it_stays_withdrawn(servers):
    here, there = servers
    change = proposed(here).change
    other = meanwhile(there, "UPDATE change", lambda: changes.withdraw(here, change.id, person=MIA))
    changes.approve(there, change.id, person=ANA, now=NOW)
    other.join()
    assert changes.get(here, change.id).state is ChangeState.WITHDRAWN


def test_no_answer_is_counted_to_a_case_that_is_withdrawn_at_that_moment(servers):
    here, there = servers
    change = proposed(here).change
    other = meanwhile(
        there, "INSERT INTO review", lambda: changes.withdraw(here, change.id, person=MIA)
    )
    counted = Dismissal(verdict=Verdict.DUPLICATE, duplicate_of=change.case_id)
    dismiss(there, ROB, "a-2", counted, now=NOW)
    other.join()
    with here.store.reading() as session:
        assert [answer_state(session, one) for one in ("a-1", "a-2")] == [AnswerState.OPEN] * 2


THUMB = ReportedSignal(answer_id="a-1", kind=SignalKind.THUMBS_DOWN)


def kinds(world):
    with world.store.reading() as session:
        return [signal.kind for signal in load_answers(session, ["a-1"])["a-1"].signals]


def test_a_signal_that_is_reported_while_a_second_import_updates_its_answer_is_kept(
    servers, tmp_path
):
    here, there = servers
    path = log(tmp_path, answer(1, scores=[{"metric": "new", "value": 1}]), name="again.jsonl")
    other = meanwhile(there, "UPDATE answer SET", lambda: report_signals(here, [THUMB], now=NOW))
    assert intake.ingest(there, [path], now=NOW).updated == 1
    other.join()
    assert kinds(here) == [SignalKind.CORRECTION, SignalKind.THUMBS_DOWN]


def test_a_signal_that_is_reported_twice_at_once_is_stored_once(servers):
    here, there = servers
    other = meanwhile(
        there, "SELECT signal.answer_id, max", lambda: report_signals(here, [THUMB], now=NOW)
    )
    report_signals(there, [THUMB], now=NOW)
    other.join()
    assert kinds(here) == [SignalKind.CORRECTION, SignalKind.THUMBS_DOWN]


def right(world, person, answer_id):
    return dismiss(world, person, answer_id, Dismissal(verdict=Verdict.RIGHT), now=NOW)


def test_an_answer_that_another_finishes_at_that_moment_gets_no_second_verdict(servers):
    here, there = servers
    other = meanwhile(there, "INSERT INTO lease", lambda: right(here, ANA, "a-1"))
    with pytest.raises(CurationError, match="Ana Ruiz finished this answer"):
        right(there, ROB, "a-1")
    other.join()


def test_nobody_is_served_what_another_finishes_while_it_is_looked_for(servers):
    here, there = servers
    first = list_queue(here, ROB, QueueFilter(), now=NOW).rows[0].answer_id
    served = []
    looking = threading.Thread(
        target=lambda: served.append(next_answer(there, ROB, QueueFilter(), now=NOW))
    )
    review = Review(
        answer_id=first, person=ANA, verdict=Verdict.RIGHT, reason="So it is.", at=NOW, blind=True
    )
    with here.store.writing() as session:
        verdicts.hold(session, here, ANA, first, now=NOW)
        verdicts.record(session, review)
        looking.start()
        looking.join(1)  # it waits for this hold to end
    looking.join()
    assert set(served) == {"a-1", "a-2"} - {first}


def cut(address):
    """End every other connection to the database, as a restart of PostgreSQL does."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_a_connection_lost_in_the_middle_of_a_command_is_said_and_the_next_one_goes_on(
    servers, postgres_database, tmp_path
):
    here, there = servers
    path = log(tmp_path, *(record(f"b{n}") for n in range(5)), name="more.jsonl")
    lose(there, postgres_database)
    with pytest.raises(StoreUnavailableError, match="Nothing is lost") as said:
        intake.ingest(there, [path], now=NOW)
    assert "\n" not in str(said.value)
    summary = intake.ingest(there, [path], now=NOW)
    assert (summary.stored + summary.unchanged, summary.refused) == (5, 0)
    with here.store.reading() as session:
        assert how_many(session, "answer") == 7


def test_a_connection_lost_in_the_middle_of_a_page_is_said_and_the_next_one_draws(
    servers, postgres_database
):
    _, there = servers
    page = list_queue(there, MIA, QueueFilter(), now=NOW)
    lose(there, postgres_database)
    with pytest.raises(CurationError, match="could not be used"):
        list_queue(there, MIA, QueueFilter(), now=NOW)
    assert list_queue(there, MIA, QueueFilter(), now=NOW) == page


def lose(world, address):
    """Cut the connection right before the third time that something is read."""
    left = 3

    def before(_connection, _cursor, statement, *_rest):
        nonlocal left
        left -= statement.startswith("SELECT")
        if left == 0:
            left -= 1
            cut(address)

    event.listen(world.store.engine, "before_cursor_execute", before)
