"""Saying less, or abstaining, never raises a number that is about what must be said."""

from hypothesis import given
from hypothesis import strategies as st

from curation.domain.case import Case, Fact, Facts, ForbiddenFact
from curation.domain.verdict import Criterion, State
from curation.evaluation.report import CaseScore
from curation.evaluation.scoring import score_case
from curation.metrics.metric import Metric
from tests.evaluation.builders import a_case, an_output, gold, hit, scoring

TIMEOUT = "The request timeout is 60 s in v4.2 [1]."
LIMIT = "The upload limit is 5 GB in v4.2 [2]."
OLD_VALUE = "The request timeout is 30 s in v4.2 [1]."
WRONGLY_CITED = "The upload limit is 5 GB in v4.2 [3]."
FILLERS = (
    "Ask an administrator to change it.",
    "This holds for every node of the cluster.",
    "The dashboard shows both settings.",
)
CASE = a_case(
    facts=Facts(
        required=(
            Fact(id="f1", text="The request timeout is 60 s"),
            Fact(id="f2", text="The upload limit is 5 GB"),
        ),
        forbidden=(ForbiddenFact(id="f3", text="The request timeout is 30 s", value_of="3.9"),),
    ),
    evidence=(gold(), gold("gw:2", number=2, quote="The upload limit is 5 GB in v4.2.")),
)
HITS = [
    hit(),
    hit("gw:2", 2, text="The upload limit is 5 GB in v4.2."),
    hit("faq:1", 3, doc_id="faq", text="Nodes may be restarted."),
]
RIGHT = st.sampled_from([TIMEOUT, LIMIT, *FILLERS])
ANY = st.sampled_from([TIMEOUT, LIMIT, OLD_VALUE, WRONGLY_CITED, *FILLERS])


def score(sentences: list[str], outcome: str = "answered", case: Case = CASE) -> CaseScore:
    output = an_output(answer=" ".join(sentences), outcome=outcome, hits=HITS)
    return score_case(scoring(case), [output])


def raised(metric: Metric, less: CaseScore, more: CaseScore) -> bool:
    return less.values.get(metric, 0.0) > more.values.get(metric, 0.0) + 1e-9


def kept(sentences: list[str], data: st.DataObject) -> list[str]:
    picks = data.draw(st.lists(st.booleans(), min_size=len(sentences), max_size=len(sentences)))
    return [sentence for sentence, keep in zip(sentences, picks, strict=True) if keep]


@given(st.lists(ANY, min_size=1, max_size=5, unique=True), st.data())
def test_removing_sentences_never_raises_recall_or_required_recall(
    sentences: list[str], data: st.DataObject
) -> None:
    more, less = score(sentences), score(kept(sentences, data))
    assert not raised(Metric.RECALL, less, more)
    assert not raised(Metric.REQUIRED_RECALL, less, more)


@given(
    st.lists(ANY, min_size=1, max_size=5, unique=True), st.sampled_from(["abstained", "clarified"])
)
def test_abstaining_never_raises_them_either(sentences: list[str], outcome: str) -> None:
    more, less = score(sentences), score(sentences, outcome)
    for metric in (Metric.RECALL, Metric.REQUIRED_RECALL, Metric.CITATION):
        assert not raised(metric, less, more)
    assert less.values[Metric.OVER_ABSTENTION_RATE] == 1.0
    assert less.criteria[Criterion.ANSWER] is State.FAIL


@given(st.lists(RIGHT, min_size=1, max_size=5, unique=True), st.data())
def test_removing_what_is_not_wrongly_cited_never_raises_citation(
    sentences: list[str], data: st.DataObject
) -> None:
    more, less = score(sentences), score(kept(sentences, data))
    assert not raised(Metric.CITATION, less, more)


def test_removing_a_wrongly_cited_sentence_does_raise_citation() -> None:
    """Right / (right + wrong) cannot do otherwise; coverage and required recall stand beside it."""
    more, less = score([TIMEOUT, WRONGLY_CITED]), score([TIMEOUT])
    assert raised(Metric.CITATION, less, more)
    assert less.values[Metric.REQUIRED_RECALL] < more.values[Metric.REQUIRED_RECALL]


@given(st.lists(ANY, min_size=1, max_size=5, unique=True), st.data())
def test_the_answer_passes_by_removing_only_where_a_forbidden_value_went(
    sentences: list[str], data: st.DataObject
) -> None:
    left = kept(sentences, data)
    more, less = score(sentences), score(left)
    turned = less.criteria[Criterion.ANSWER] is State.PASS is not more.criteria[Criterion.ANSWER]
    if turned:
        assert OLD_VALUE in sentences
        assert OLD_VALUE not in left


def test_faithfulness_can_rise_by_saying_less_and_so_is_told_beside_what_was_not_checked() -> None:
    unsupported = score([TIMEOUT, "It was 17 s before."])
    silent = score([FILLERS[0]])
    assert silent.values[Metric.FAITHFULNESS] > unsupported.values[Metric.FAITHFULNESS]
    assert silent.nothing_to_check
    assert not unsupported.nothing_to_check
