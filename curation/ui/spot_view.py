"""A spot check as it is drawn: one item at a time, and its end."""

from collections.abc import Iterable

from curation.domain.answer import RetrievedChunk
from curation.domain.plural import plural
from curation.services.agreement_lines import people_words
from curation.services.spot_check import ShownItem, Standing
from curation.services.spot_questions import SCALE_WORDS, question_of
from curation.services.spot_summary import SpotSummary
from curation.ui.judge_view import draw_confusion, draw_disagreements, draw_figures
from curation.ui.tree import Child, Node, node, pane

NO_PASSAGES = "This answer came without its passages."
NO_TEXT = "Its text was not logged."


def draw_item(where: Standing, item: ShownItem) -> list[Child]:
    """Return an item: the question to the person, then question, answer and passages."""
    name = f"Spot check {where.check.number} · {item.number} of {item.of}"
    levels = ", ".join(f"{level} {word}" for level, word in enumerate(SCALE_WORDS))
    asked = node("p", node("strong", question_of(where.check.metric)), f" {levels}.")
    left = [
        node("h2", item.answer.question, cls="cur-literal"),
        *_answer(item),
        *_turns(item),
    ]
    panes = node(
        "div",
        pane(f"spot-{item.position}", "Question and answer", left, focus=True),
        pane(f"passages-{item.position}", "Passages", _passages(item)),
        cls="cur-panes cur-halves",
        id="spot-panes",
    )
    return [node("h1", name, cls="cur-headline"), asked, panes]


def _answer(item: ShownItem) -> list[Child]:
    """Return the answer; a passage is judged without it."""
    if item.chunk_id is not None:
        return []
    said = item.answer.answer or "The answer is empty."
    return [node("h3", "Answer"), node("p", said, cls="cur-literal cur-answer")]


def _turns(item: ShownItem) -> list[Child]:
    """Return what was said before the question, beneath what is to be judged."""
    turns = item.answer.conversation
    told = [node("p", node("em", f"{one.role}: "), one.text, cls="cur-literal") for one in turns]
    return [node("h3", "Earlier turns"), *told] if turns else []


def _passages(item: ShownItem) -> list[Child]:
    shown = [c for c in item.answer.retrieved if item.chunk_id in {None, c.chunk_id}]
    parts = [part for chunk in shown for part in _passage(chunk)]
    return [node("h2", plural(len(shown), "passage")), *(parts or [node("p", NO_PASSAGES)])]


def _passage(chunk: RetrievedChunk) -> Iterable[Node]:
    version = f" · {chunk.doc_version}" if chunk.doc_version else ""
    yield node("h3", f"#{chunk.rank} {chunk.chunk_id}{version}", cls="cur-literal")
    yield node("p", chunk.text or NO_TEXT, cls="cur-literal")


def draw_end(end: SpotSummary) -> list[Child]:
    """Return the end of a spot check: pace, agreement, where the judge differs."""
    judge = end.judge or "an unnamed judge"
    body = [
        node("h2", f"{end.metric} by {judge}", cls="cur-literal"),
        node("p", end.verdict.words, cls="cur-strong"),
        node("p", _pace(end), role="status"),
        draw_figures(end.figures, people_words(end.people)),
        node("h3", "You against the judge"),
        draw_confusion(end.figures),
        node("h3", f"Where you differ · {len(end.disagreements)}"),
        draw_disagreements(end.disagreements)
        if end.disagreements
        else node("p", "Nowhere: the judge says what you say."),
    ]
    title = node("h1", f"Spot check {end.number} is at its end", cls="cur-headline")
    panes = node("div", pane("spot-end", "The end", body, focus=True), cls="cur-panes")
    return [title, panes]


def _pace(end: SpotSummary) -> str:
    """Return how many items took how long, and what the judge failed on."""
    said = f"{plural(end.items, 'item')}, {end.blind} of them blind"
    if end.seconds_median is not None and end.seconds_mean is not None:
        said += f"; in the median {end.seconds_median:.0f} s an item, {end.seconds_mean:.0f} s on "
        said += "average"
    if end.judge_failed:
        said += f". The judge gave no number for {end.judge_failed}: they enter no figure"
    return f"{said}. Your later reviews of these answers are not blind any more."
