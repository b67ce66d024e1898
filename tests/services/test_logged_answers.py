"""A draft is compared with the other logged answers: common facts, references like an answer."""

import shutil

from curation.domain.case import Case, Evidence, Fact, Facts
from curation.services import logged_answers
from curation.services.intake import ingest
from curation.services.logged_answers import LoggedAnswers
from curation.store.answers import get_answer
from tests.services.home import NOW, log, record

OWN = "The relay closes an idle session after 60 s unless the tenant raised its limit."


def bring(home, tmp_path, *records, name="log.jsonl"):
    return ingest(home, [log(tmp_path, *records, name=name)], now=NOW)


def case(fact="The default timeout is 60 s.", reference="Text.", **fields):
    return Case(
        id="q-0001",
        question="q",
        reference=reference,
        facts=Facts(required=(Fact(id="f1", text=fact),)),
        **fields,
    )


def common(home, draft, base=None, own=None):
    with home.store.reading() as session:
        answer = get_answer(session, own) if own else None
        return LoggedAnswers(session, home.answer_index, answer).common(draft, base)


def similar(home, draft, base=None, own=None):
    with home.store.reading() as session:
        answer = get_answer(session, own) if own else None
        found = LoggedAnswers(session, home.answer_index, answer).similar(draft, base)
    return [(s.answer_id, s.text) for s in found]


def many(count, answer="The default timeout is 60 s.", **fields):
    return [record(f"a{n}", answer=answer, **fields) for n in range(count)]


def test_a_fact_of_many_answers_to_other_questions_is_counted(home, tmp_path):
    bring(home, tmp_path, *many(25))
    assert common(home, case()) == {"f1": 25}
    assert common(home, case("The limit is 9 sessions.")) == {"f1": 0}


def test_answers_to_the_same_question_do_not_count(home, tmp_path):
    bring(home, tmp_path, *many(25, question="What is the timeout?"))
    assert common(home, case(), own="a0") == {"f1": 0}


def test_the_words_alone_do_not_count(home, tmp_path):
    bring(home, tmp_path, *many(25, answer="The default timeout is not 60 s."))
    assert common(home, case())["f1"] < 20


def test_facts_that_the_case_had_before_are_left_alone(home, tmp_path):
    bring(home, tmp_path, *many(25))
    assert common(home, case(), base=case()) == {}


def test_new_answers_are_found_at_once_and_a_lost_index_is_made_anew(home, tmp_path):
    bring(home, tmp_path, *many(10))
    assert common(home, case()) == {"f1": 0}
    more = [record(f"b{n}", answer="The default timeout is 60 s.") for n in range(15)]
    bring(home, tmp_path, *more, name="more.jsonl")
    assert common(home, case()) == {"f1": 25}
    shutil.rmtree(home.answer_index.folder)
    assert common(home, case()) == {"f1": 0}
    assert logged_answers.rebuild(home) == 25
    assert common(home, case()) == {"f1": 25}


def test_a_reference_finds_the_answer_that_it_is_like(home, tmp_path):
    bring(home, tmp_path, record("own", answer="x"), record("like", answer=OWN), *many(5))
    written = OWN.replace("raised", "lifted")
    assert similar(home, case(reference=written), own="own")[0] == ("like", OWN)


def test_the_own_answer_and_what_is_quoted_or_unchanged_find_nothing(home, tmp_path):
    bring(home, tmp_path, record("own", answer=OWN))
    draft = case(reference=OWN)
    quoted = draft.model_copy(
        update={"evidence": (Evidence(id="e1", group="g", chunk_id="c", doc_id="d", quote=OWN),)}
    )
    assert similar(home, draft, own="own") == []
    assert similar(home, quoted) == []
    assert similar(home, draft, base=draft) == []
    assert similar(home, draft) == [("own", OWN)]
