"""What a judge scores: stored answers, or the outputs of an evaluation run."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from curation.domain.answer import Answer, Score
from curation.domain.case import FactKind
from curation.domain.judging import Material, OpenFact, Passage, settled_by
from curation.domain.queue import PriorityWeights
from curation.domain.verdict import Presence
from curation.evaluation.cases import ScoringCase
from curation.evaluation.run import RunLine
from curation.evaluation.scoring import (
    Scoring,
    answer_sha256,
    output_of,
    score_case,
    verdict_of,
)
from curation.metrics.citations import cited_hits
from curation.metrics.hits import Hit
from curation.metrics.output import Output, logged_output
from curation.services.evaluation import Outputs
from curation.services.scoring import hit_rule_for, scoring_for
from curation.services.workspace import Workspace
from curation.services.yardstick import Yardstick
from curation.store import Session
from curation.store.answers import load_answers
from curation.store.judge_scores import put_run_scores, put_scores
from curation.store.runs import settle, settlements

Given = tuple[str | None, Score]
FACT_GRADES = {2.0: Presence.PRESENT, 0.0: Presence.ABSENT}


class Subjects(Protocol):
    """Where a judge's material comes from, and where its scores go."""

    def materials(self, subjects: Sequence[str]) -> dict[str, Material]:
        """Return what is shown of each subject; those that are gone are left out."""

    def write(
        self, session: Session, scores: Mapping[str, Sequence[Given]], *, now: datetime
    ) -> None:
        """Keep the scores of each subject, each with the fact that it is about, if any."""


class AnswerSubjects:
    """Stored answers; texts of chunks that the log lacks come from the corpus."""

    def __init__(self, workspace: Workspace, weights: PriorityWeights) -> None:
        self._workspace = workspace
        self._weights = weights

    def materials(self, subjects: Sequence[str]) -> dict[str, Material]:
        """Return what is shown of each answer."""
        with self._workspace.store.reading() as session:
            answers = load_answers(session, subjects, fill=True)
        return {name: logged_material(answer) for name, answer in answers.items()}

    def write(
        self, session: Session, scores: Mapping[str, Sequence[Given]], *, now: datetime
    ) -> None:
        """Add the scores to the answers, whose place in the queue follows."""
        plain = {name: [score for _, score in given] for name, given in scores.items()}
        put_scores(session, plain, self._weights, now=now)


def logged_material(answer: Answer) -> Material:
    """Return what a judge is shown of a logged answer."""
    output = logged_output(answer)
    return Material(
        question=answer.question,
        conversation=answer.conversation,
        answer=answer.answer,
        outcome=answer.outcome,
        passages=_passages(output.hits or ()),
        cited=_passages(cited_hits(output)),
        citations=len(answer.citations),
    )


class RunSubjects:
    """The outputs of an evaluation run, by case and repeat."""

    def __init__(self, workspace: Workspace, yardstick: Yardstick, outputs: Outputs) -> None:
        run = yardstick.fitted(outputs.run)
        rule = hit_rule_for(workspace, yardstick).rule
        self._sha256 = outputs.run.sha256
        self._scoring = scoring_for(workspace, yardstick, [run], rule=rule)
        cases = {case.id: case for case in yardstick.cases}
        self._lines: dict[str, tuple[ScoringCase, RunLine]] = {
            subject_of(self._sha256, line): (cases[line.case_id], line)
            for line in run.lines
            if line.case_id in cases and not line.failed
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The outputs that can be judged."""
        return tuple(self._lines)

    def materials(self, subjects: Sequence[str]) -> dict[str, Material]:
        """Return what is shown of each output."""
        known = [name for name in subjects if name in self._lines]
        return {name: _golden_material(*self._lines[name], self._scoring) for name in known}

    def write(
        self, session: Session, scores: Mapping[str, Sequence[Given]], *, now: datetime
    ) -> None:
        """Keep the scores of the outputs, and settle the facts that the judge can tell."""
        for name, given in scores.items():
            case, line = self._lines[name]
            plain = [score for _, score in given]
            put_run_scores(session, (self._sha256, case.id, line.repeat), plain, now=now)
            known = settlements(session, [case.id])
            for fact_id, score in given:
                said = None if score.value is None else FACT_GRADES.get(score.value)
                key = (case.id, fact_id or "", answer_sha256(line))
                if said is not None and fact_id is not None and key not in known:
                    by = settled_by(score.judge, score.prompt_version)
                    settle(session, key, said, why=score.reason or "", by=by, now=now)


def subject_of(sha256: str, line: RunLine) -> str:
    """Return the name of an output in a judge's list of work."""
    return f"run:{sha256}:{line.case_id}:{line.repeat}"


def _golden_material(scoring_case: ScoringCase, line: RunLine, how: Scoring) -> Material:
    """Return what a judge is shown of an output on a golden case."""
    case = scoring_case.case
    output: Output = output_of(line, how.text_of)
    unsure = frozenset(score_case(scoring_case, [line], how).unsure)
    facts = [
        OpenFact(id=fact.id, text=_asked_about(fact.text, kind))
        for kind, fact in case.facts.each
        if fact.id in unsure
    ]
    facts += [OpenFact(id=d.id, text=d.text) for d in case.declines if d.id in unsure]
    return Material(
        question=case.question,
        conversation=case.conversation,
        answer=output.answer,
        outcome=verdict_of(scoring_case, line, how).outcome,
        passages=_passages(output.hits or ()),
        cited=_passages(cited_hits(output)),
        citations=len(line.citations),
        golden=True,
        reference=case.reference,
        facts=tuple(facts),
    )


def _asked_about(text: str, kind: FactKind) -> str:
    """Return a fact's text; a forbidden value counts only where it is said of what was asked."""
    if kind is not FactKind.FORBIDDEN:
        return text
    return f"{text}\n(said of what the question asks about, not of another version or product)"


def _passages(hits: Sequence[Hit]) -> tuple[Passage, ...]:
    return tuple(
        Passage(
            rank=hit.rank,
            chunk_id=hit.chunk_id,
            doc_version=hit.doc_version,
            text=hit.text,
            used=hit.used,
        )
        for hit in hits
    )
