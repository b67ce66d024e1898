"""Where it breaks, as it is drawn: every plot is made of text, with its numbers beside it."""

from collections.abc import Iterable, Sequence
from datetime import date

from curation.domain.breaks import BaselineLook, Break, Breaks, BreakWeek
from curation.domain.plural import plural
from curation.domain.review import FailureCategory
from curation.domain.trends import FailureWeek, MetricWeek, Trends
from curation.ui.tree import Child, Node, button, node

MOST_WEEKS = 8
MOST_BREAKS = 30
_LEVELS = "▁▂▃▄▅▆▇█"
_WIDEST = 16
NOTHING = (
    "No failure was confirmed yet. Propose a case from an answer that failed: "
    "its failure category is counted here."
)


def draw_breaks(found: Breaks) -> list[Child]:
    """Return the confirmed failures, the heaviest first."""
    if not found.confirmed:
        return [node("h2", "Confirmed failures"), node("p", NOTHING), *_unconfirmed(found)]
    heaviest = max((one.weight for one in found.breaks), default=0.0)
    rows = (_break(one, heaviest) for one in found.breaks[:MOST_BREAKS])
    head = ("Failure", "Slice", "Version", "Confirmed", "Asked", "Frequency × impact", "")
    rest = len(found.breaks) - MOST_BREAKS
    return [
        node("h2", f"Confirmed failures · {found.confirmed}"),
        _table("Confirmed failures by category, slice and version", head, rows),
        *([node("p", f"and {plural(rest, 'lighter row')}.")] if rest > 0 else []),
        *_unconfirmed(found),
    ]


def _unconfirmed(found: Breaks) -> list[Child]:
    if not found.unconfirmed:
        return []
    said = plural(found.unconfirmed, "answer")
    return [node("p", f"{said} called bad without a confirmed category: not counted here.")]


def _break(one: Break, heaviest: float) -> Node:
    links = (
        button(f"Answer {place}", "open", arg=answer_id, title=question)
        for place, (answer_id, question) in enumerate(
            zip(one.answers, one.questions, strict=True), start=1
        )
    )
    return node(
        "tr",
        node(
            "th", node("div", _words(one.category)), node("div", f"fix: {one.stage}"), scope="row"
        ),
        node("td", one.slice or "–", cls="cur-literal"),
        node("td", one.pipeline_version or "–", cls="cur-literal"),
        node("td", str(one.confirmed)),
        node("td", str(one.asked)),
        node("td", _bar(one.weight, heaviest), f" {one.weight:.1f}"),
        node("td", *links),
    )


def draw_weeks(weeks: Sequence[BreakWeek]) -> list[Child]:
    """Return the confirmed failures by the week in which the answers were asked."""
    if not weeks:
        return []
    shown = weeks[-2 * MOST_WEEKS :]
    most = max(max(week.counts.values()) for week in shown)
    dated = _dated(week.week for week in shown)
    rows = (
        node(
            "tr",
            node("th", dated[week.week], scope="row"),
            node("td", week.pipeline_version or "–", cls="cur-literal"),
            node("td", _words(category)),
            node("td", _bar(number, most), f" {number}"),
        )
        for week in shown
        for category, number in sorted(week.counts.items())
    )
    head = ("Week of", "Version", "Failure", "Answers")
    return [node("h2", "Over time"), _table("Confirmed failures by week", head, rows)]


def draw_baseline(look: BaselineLook) -> list[Child]:
    """Return what fixing the cases of a category would buy at most."""
    title = node("h2", "What a fix would buy, at most")
    if look.missing:
        way = node("p", button("Experiments", "to_experiments"))
        return [title, node("p", look.missing, cls="cur-literal"), way]
    if not look.purchases:
        none = "No case of the set names the failure that it came from."
        return [title, node("p", f"The baseline has {plural(look.n, 'case')}. {none}")]
    rows = (
        node(
            "tr",
            node("th", _words(one.category), scope="row"),
            node("td", one.category.stage),
            node("td", f"{one.failing} of {one.cases}"),
            node("td", f"{one.pass_rate:.3f}"),
            node("td", f"{one.pass_rate_after:.3f}"),
            node("td", f"+{one.pass_rate_after - one.pass_rate:.3f}"),
        )
        for one in look.purchases
    )
    head = ("Failure", "Fix", "Cases that fail", "Pass rate", "If all passed", "Gain")
    said = (
        f"The baseline ({look.pipeline or 'no name'}) on {plural(look.n, 'case')} of "
        f"{look.version or 'a set without a version'}. An upper bound: it takes for granted that "
        "every case of the category passes afterwards and that no other one is lost."
    )
    return [title, node("p", said, cls="cur-literal"), _table("What a fix would buy", head, rows)]


def draw_trends(found: Trends) -> list[Child]:
    """Return the mean of each metric by week, and the judges' failures by kind."""
    return [
        node("h2", "Metrics by week"),
        *_metrics(found.metrics),
        node("h2", "Judge failures by week"),
        *_failures(found.failures),
    ]


def _metrics(weeks: Sequence[MetricWeek]) -> list[Child]:
    days = sorted({week.week for week in weeks})[-MOST_WEEKS:]
    if not days:
        return [node("p", "No answer has a score yet.")]
    series: dict[tuple[str, str, str], dict[date, MetricWeek]] = {}
    for week in weeks:
        key = (week.metric, week.judge or "–", week.prompt_version or "–")
        series.setdefault(key, {})[week.week] = week
    rows = (
        node(
            "tr",
            node("th", key[0], scope="row", cls="cur-literal"),
            node("td", key[1], cls="cur-literal"),
            node("td", key[2], cls="cur-literal"),
            node("td", _spark([by_week.get(day) for day in days]), cls="cur-spark"),
            *(node("td", _mean(by_week.get(day))) for day in days),
        )
        for key, by_week in sorted(series.items())
    )
    dated = _dated(days)
    head = ("Metric", "Judge", "Prompt", "Course", *(dated[day] for day in days))
    note = "The mean and how many answers it is of, by the week in which they were asked."
    label = "The mean of each metric by week"
    table = _table(label, head, rows)
    sideways = node("div", table, cls="cur-sideways", role="region", tabindex=0, aria_label=label)
    return [node("p", note), sideways]


def _mean(week: MetricWeek | None) -> str:
    if week is None or week.mean is None:
        return "–"
    return f"{week.mean:.2f} ({week.scored})"


def _spark(weeks: Sequence[MetricWeek | None]) -> str:
    """Return a line of bars, the best value highest; a week without a number is a dot."""
    return "".join(
        "·" if week is None or week.mean_shortfall is None else _level(1 - week.mean_shortfall)
        for week in weeks
    )


def _level(good: float) -> str:
    place = round(good * (len(_LEVELS) - 1))
    return _LEVELS[min(max(place, 0), len(_LEVELS) - 1)]


def _failures(weeks: Sequence[FailureWeek]) -> list[Child]:
    failed = [week for week in weeks if week.failed]
    if not failed:
        scores = sum(week.scores for week in weeks)
        return [node("p", f"None: {plural(scores, 'score')} came without a failure.")]
    shown = failed[-2 * MOST_WEEKS :]
    dated = _dated(week.week for week in shown)
    rows = (
        node(
            "tr",
            node("th", dated[week.week], scope="row"),
            node("td", week.judge or "–", cls="cur-literal"),
            node(
                "td", ", ".join(f"{k.replace('_', ' ')} {n}" for k, n in sorted(week.kinds.items()))
            ),
            node("td", _bar(week.failed, week.scores), f" {week.failed} of {week.scores}"),
        )
        for week in shown
    )
    head = ("Week of", "Judge", "Kind", "Failed")
    return [_table("Judge failures by week and kind", head, rows)]


def _table(label: str, head: Iterable[str], rows: Iterable[Node]) -> Node:
    columns = (node("th", title, scope="col") if title else node("td") for title in head)
    return node(
        "table",
        node("thead", node("tr", *columns)),
        node("tbody", *rows),
        cls="cur-table",
        aria_label=label,
    )


def _bar(number: float, most: float) -> Node:
    """Return a bar of text; the number stands beside it for everyone."""
    wide = round(_WIDEST * number / most) if most else 0
    return node("span", "█" * wide or ("▏" if number else ""), cls="cur-plot", aria_hidden="true")


def _words(category: FailureCategory) -> str:
    return category.value.replace("_", " ")


def _dated(days: Iterable[date]) -> dict[date, str]:
    """Return how each week's first day reads: with its year where they are of several."""
    known = set(days)
    year = " %Y" if len({day.year for day in known}) > 1 else ""
    return {day: f"{day.day} {day.strftime(f'%b{year}')}" for day in known}
