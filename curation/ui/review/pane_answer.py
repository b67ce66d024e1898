"""The answer pane as the browser is told to draw it."""

from curation.domain.answer import Answer, Score, ScoreStatus, Signal
from curation.domain.priority import signal_words
from curation.domain.verdict import CaseVerdict, State
from curation.domain.visible import shown
from curation.ui.review import marks
from curation.ui.review.sight import Sight
from curation.ui.review.texts import ANSWER_FOLD, Mark, Texts, fold, sentences_of

Document = dict[str, object]

JUDGE_HIDDEN = (
    "Hidden until your verdict. J shows it now; your verdict then does not count when the judge "
    "is compared with people."
)
_BADGES = {
    State.FAIL: ("✕ Fails your facts", "fails"),
    State.PASS: ("✓ Passes your facts", "plain"),
    State.UNSURE: ("◐ Unsure of your facts", "fails"),
}


def block(
    texts: Texts,
    key: str,
    text: str,
    *,
    found: tuple[Mark, ...] = (),
    limit: int | None = None,
    keep: frozenset[int] = frozenset(),
    walk: bool = False,
) -> Document:
    """Return a block of text with its marks and its fold; `walk`: the cursor can stand in it."""
    kept = keep | sentences_of(text, ((m[0], m[1]) for m in found if m[2] == "quote"))
    return {
        "key": key,
        "text": texts.add(text),
        "marks": [list(mark) for mark in found],
        "fold": fold(text, limit=limit, keep=kept) if limit is not None else None,
        "walk": walk,
    }


def answer_pane(sight: Sight, texts: Texts) -> Document:
    """Return the question, the earlier turns, the logged answer, what the user did, the judge."""
    answer = sight.answer
    found = marks.answer_marks(sight.checked.logged)
    return {
        "question": block(texts, "question", answer.question),
        "turns": [
            {"role": shown(turn.role), "block": block(texts, f"turn{i}", turn.text)}
            for i, turn in enumerate(answer.conversation)
        ],
        "badge": _badge(sight),
        "note": "" if answer.answer.strip() else "The logged answer is empty.",
        "text": block(texts, "answer", answer.answer, found=found, limit=ANSWER_FOLD, walk=True)
        if answer.answer.strip()
        else None,
        "legend": marks.legend(found),
        "user": [_signal(i, signal, answer, texts) for i, signal in enumerate(answer.signals)],
        "judge": _judge(sight.judge),
    }


def _badge(sight: Sight) -> Document | None:
    """Return what the draft's facts say of the logged answer, once there are facts."""
    logged: CaseVerdict | None = sight.checked.logged
    if logged is None or not sight.case.facts.each:
        return None
    badge = _BADGES.get(logged.answer.state)
    return {"text": badge[0], "kind": badge[1]} if badge else None


def _signal(number: int, signal: Signal, answer: Answer, texts: Texts) -> Document:
    """Return what a user did, with their words literally; never who they are.

    A derived signal may quote the answer that it is about: that stands above already.
    """
    words = signal_text(signal)
    words = "" if words.strip() == answer.answer.strip() else words
    sure = "" if signal.confidence >= 1 else f" ({signal.confidence:.0%} sure)"
    return {
        "key": f"user{number}",
        "label": signal_words(signal.kind) + sure,
        "block": block(texts, f"user{number}", words, walk=True) if words.strip() else None,
    }


def signal_text(signal: Signal) -> str:
    """Return the words of a signal: its comment, else a value that is a text."""
    if signal.comment:
        return signal.comment
    return signal.value if isinstance(signal.value, str) else ""


def _judge(scores: tuple[Score, ...] | None) -> Document:
    """Return the judge's part: hidden, or its scores; a failed score is its own word."""
    if scores is None:
        return {"text": JUDGE_HIDDEN, "rows": []}
    if not scores:
        return {"text": "No judge scored this answer.", "rows": []}
    return {"text": "", "rows": [_score_row(score) for score in scores]}


def _score_row(score: Score) -> Document:
    failed = score.status is ScoreStatus.FAILED or score.value is None
    value = _failed(score) if failed else f"{round(score.value or 0, 3):g}"
    about = f" of {shown(score.chunk_id)}" if score.chunk_id else ""
    return {
        "metric": shown(score.metric) + about,
        "value": value,
        "failed": failed,
        "reason": shown(score.reason or ""),
    }


def _failed(score: Score) -> str:
    kind = f" ({shown(score.error_kind).replace('_', ' ')})" if score.error_kind else ""
    return f"Judge failed{kind}"
