"""Which questions a judge is asked about an answer, and what each of them shows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from curation.domain.judging import JudgeMetric, Material, Passage
from curation.judge.prompts import render
from curation.judge.protocol import Prompt

MOST_CHARACTERS = 12_000


@dataclass(frozen=True, kw_only=True)
class Ask:
    """One question to a judge; `name` is unique among those of one answer."""

    name: str
    metric: JudgeMetric
    parts: tuple[tuple[str, str], ...]
    chunk_id: str | None = None
    fact_id: str | None = None

    def prompt(self, nonce: str) -> Prompt:
        """Return the prompt under a random name that was made for this call."""
        return render(self.metric, self.parts, nonce=nonce, limit=MOST_CHARACTERS)


def asks_of(material: Material) -> tuple[Ask, ...]:
    """Return the questions in order: what has nothing to be graded on is not asked.

    An abstention has no faithfulness, a chunk without a text no relevance, an answer without
    passages no context precision. Context recall, citations and facts need a golden case.
    """
    return tuple(_asks(material))


def _asks(material: Material) -> Iterator[Ask]:
    asked = _question(material)
    known = material.with_text
    for at, passage in enumerate(material.passages):
        if passage.text:
            yield Ask(
                name=f"relevance {at + 1}",
                metric=JudgeMetric.RELEVANCE,
                parts=(*asked, ("passage", passage.text)),
                chunk_id=passage.chunk_id,
            )
    answer = ("answer", material.answer)
    if material.answered:
        used = _passages(passage for passage in known if passage.used)
        yield _ask(JudgeMetric.FAITHFULNESS, (*asked, *used, answer))
    yield _ask(JudgeMetric.ANSWER_RELEVANCY, (*asked, answer))
    if known:
        yield _ask(JudgeMetric.CONTEXT_PRECISION, (*asked, *_passages(known)))
    if material.golden:
        yield from _golden(material, asked, answer)


def _golden(
    material: Material, asked: tuple[tuple[str, str], ...], answer: tuple[str, str]
) -> Iterator[Ask]:
    """Yield what can be asked of an output on a golden case only."""
    if material.reference.strip() and material.with_text:
        reference = ("reference", material.reference)
        passages = _passages(material.with_text)
        yield _ask(JudgeMetric.CONTEXT_RECALL, (*asked, *passages, reference))
    cited = [passage for passage in material.cited if passage.text]
    if material.answered and cited:
        yield _ask(JudgeMetric.CITATION_SUPPORT, (*asked, *_passages(cited), answer))
    for fact in material.facts:
        yield Ask(
            name=f"fact {fact.id}",
            metric=JudgeMetric.FACT,
            parts=(*asked, answer, ("fact", fact.text)),
            fact_id=fact.id,
        )


def _ask(metric: JudgeMetric, parts: tuple[tuple[str, str], ...]) -> Ask:
    return Ask(name=metric.value, metric=metric, parts=parts)


def _question(material: Material) -> tuple[tuple[str, str], ...]:
    turns = "\n".join(f"{turn.role}: {turn.text}" for turn in material.conversation)
    earlier = (("earlier-turns", turns),) if turns else ()
    return (*earlier, ("question", material.question))


def _passages(passages: Iterable[Passage]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"passage-{passage.rank}", f"[{passage.rank}] {passage.chunk_id}\n{passage.text}")
        for passage in passages
    )
