"""Drafts: one row a field; a window writes only what it changed."""

from datetime import timedelta
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from curation.domain.case import Answerable, Fact, Facts
from curation.domain.review import Draft
from curation.store import DraftChangedError, UnknownFieldError
from curation.store.drafts import (
    archive_draft,
    load_draft,
    restore_draft,
    save_fields,
)
from tests.store.logs import MIA, NOW, ROB, answer, put

NASTY = "$5 and $6\r\n<b>\u202e\u200b\U0001f468\u200d\U0001f469 - é é\u2028 end \x01"


def save(store, fields, *, seen=None, person=MIA, later=timedelta()):
    with store.writing() as session:
        return save_fields(session, "a", person, fields, now=NOW + later, seen=seen)


def load(store, person=MIA):
    with store.reading() as session:
        return load_draft(session, "a", person)


@pytest.fixture
def draft_store(store):
    put(store, answer("a"), answer("b"))
    return store


def test_nothing_saved_is_an_empty_draft(draft_store):
    found = load(draft_store)
    assert (found.draft, found.saved_at, found.versions) == (Draft(), None, {})


def test_every_field_comes_back_byte_for_byte(draft_store):
    facts = Facts(required=(Fact(id="f1", text=NASTY, from_=("f0",)),))
    whole = Draft(
        answerable=Answerable.PARTIAL, reference=NASTY, facts=facts, weight=2, notes="", slice=None
    )
    saved = save(draft_store, whole.model_dump(mode="json"))
    assert saved.draft == whole
    assert load(draft_store).draft == whole


def test_two_windows_do_not_overwrite_what_the_other_changed(draft_store):
    opened = load(draft_store)
    save(draft_store, {"reference": "from one"}, seen=opened.versions)
    both = save(draft_store, {"notes": "from two"}, seen=opened.versions)
    assert (both.draft.reference, both.draft.notes) == ("from one", "from two")


def test_a_field_that_another_window_changed_is_not_overwritten(draft_store):
    first = save(draft_store, {"reference": "old"})
    save(
        draft_store, {"reference": "other window"}, seen=first.versions, later=timedelta(minutes=21)
    )
    with pytest.raises(DraftChangedError, match="another window at 10:21") as caught:
        save(draft_store, {"notes": "kept?", "reference": "mine"}, seen=first.versions)
    assert caught.value.field == "reference"
    found = load(draft_store)
    assert (found.draft.reference, found.draft.notes) == ("other window", "")
    kept = save(draft_store, {"reference": "mine"}, seen=found.versions)
    assert kept.draft.reference == "mine"


def test_a_field_that_a_window_never_saw_is_not_overwritten(draft_store):
    save(draft_store, {"reference": "other window"})
    with pytest.raises(DraftChangedError):
        save(draft_store, {"reference": "mine"}, seen={})


def test_the_same_value_again_is_no_change(draft_store):
    first = save(draft_store, {"reference": "same"})
    again = save(draft_store, {"reference": "same"}, seen={}, later=timedelta(minutes=1))
    assert again == first


def test_each_person_has_a_draft_of_their_own(draft_store):
    save(draft_store, {"reference": "mine"})
    assert load(draft_store, ROB).draft.reference == ""


@pytest.mark.parametrize(
    ("fields", "error"),
    [({"color": "red"}, UnknownFieldError), ({"weight": 0}, ValidationError)],
)
def test_what_is_no_draft_is_not_saved(draft_store, fields, error):
    with pytest.raises(error):
        save(draft_store, {"notes": "x", **fields})
    assert load(draft_store).saved_at is None


def test_a_finished_draft_is_put_aside_and_comes_back(draft_store):
    save(draft_store, {"reference": "text"})
    with draft_store.writing() as session:
        archive_draft(session, "a", MIA)
    assert load(draft_store).saved_at is None
    with draft_store.writing() as session:
        restore_draft(session, "a", MIA)
    assert load(draft_store).draft.reference == "text"


def test_a_new_draft_after_a_finished_one_begins_empty(draft_store):
    save(draft_store, {"reference": "old", "notes": "old"})
    with draft_store.writing() as session:
        archive_draft(session, "a", MIA)
    found = save(draft_store, {"reference": "old"}, seen={})
    assert (found.draft.reference, found.draft.notes) == ("old", "")


TEXTS = st.sampled_from(["", "x", "y", NASTY])
SAVES = st.lists(st.tuples(st.sampled_from(["reference", "notes", "missing"]), TEXTS), max_size=12)
NAMES = count()


@given(one=SAVES, two=SAVES, turns=st.lists(st.booleans(), max_size=24))
def test_windows_that_write_different_fields_never_meet(windows_store, one, two, turns):
    """However their saves interleave, each field holds what its own window wrote last."""
    name = f"w{next(NAMES)}"
    put(windows_store, answer(name))
    fields = {True: [f for f in one if f[0] != "notes"], False: [f for f in two if f[0] == "notes"]}
    wrote: dict[str, str] = {}
    for turn in turns:
        if fields[turn]:
            field, text = fields[turn].pop(0)
            with windows_store.writing() as session:
                save_fields(session, name, MIA, {field: text}, now=NOW)
            wrote[field] = text
    with windows_store.reading() as session:
        found = load_draft(session, name, MIA).draft
    assert {field: getattr(found, field) for field in wrote} == wrote


@pytest.fixture(scope="module")
def windows_store(tmp_path_factory):
    from curation.store import open_store

    store = open_store(None, tmp_path_factory.mktemp("drafts") / "s.sqlite3")
    yield store
    store.dispose()
