"""The Judge page as it is drawn: each judge against people, the verdict in words on top."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from curation.domain.human_label import LEVELS
from curation.domain.plain_day import plain_day
from curation.domain.plural import plural
from curation.domain.trends import FailureWeek, MetricWeek
from curation.metrics.agreement import Agreement
from curation.metrics.agreement_verdict import Belief
from curation.services.agreement_lines import (
    caveats,
    kappa_words,
    number,
    people_words,
    rate_words,
)
from curation.services.agreement_report import Disagreement, JudgeReport
from curation.services.judge_blindness import Seen
from curation.services.spot_check import Standing
from curation.ui.tree import Child, Node, button, node

MOST_ROWS = 100
MARKS = {
    Belief.BELIEVABLE: ("✓", "cur-good", "believable on clear cases"),
    Belief.GENEROUS: ("✕", "cur-bad", "hands out good marks to bad answers"),
    Belief.NOT_BELIEVABLE: ("✕", "cur-bad", "not believable on clear cases"),
    Belief.NEEDS_LABELS: ("○", "cur-strong", "needs about {} more labels"),
}
NO_SCORES = "No judge has scored anything yet. `curation judge run` lets one score the answers."


@dataclass(frozen=True, kw_only=True)
class JudgeLook:
    """What the right side shows of the chosen judge."""

    report: JudgeReport
    seen: Seen
    weeks: tuple[MetricWeek, ...] = ()
    failures: tuple[FailureWeek, ...] = ()


def row_id(report: JudgeReport) -> str:
    """Return what names a judge in the address."""
    return quote("|".join(name or "" for name in report.key), safe="|")


def verdict_words(report: JudgeReport) -> str:
    """Return the verdict in a few words."""
    return MARKS[report.verdict.belief][2].format(report.verdict.more)


def draw_empty() -> Node:
    """Return what a store without scores says."""
    return node("div", node("p", NO_SCORES), cls="cur-empty")


def draw_judges(reports: Sequence[JudgeReport], chosen: str) -> Node:
    """Return the judges: one stop in the focus order."""
    return node(
        "div",
        *(_row(at, one) for at, one in enumerate(reports)),
        cls="cur-list cur-lines",
        id="judges-list",
        role="listbox",
        tabindex=0,
        aria_label="Judges",
        data_list="judges",
        data_open="select",
        data_current=chosen,
        data_focus=True,
    )


def _row(at: int, report: JudgeReport) -> Node:
    """Return one judge: its name, the verdict, and what that rests on."""
    sign, cls, _ = MARKS[report.verdict.belief]
    stale = " · stale" if report.stale else ""
    rests = f"{plural(report.figures.n, 'item')} labelled of {report.scores} scored{stale}"
    return node(
        "div",
        node("span", report.name, cls="cur-strong cur-literal"),
        node("span", node("span", f"{sign} ", cls=cls), verdict_words(report)),
        node("span", rests, cls="cur-small cur-soft"),
        cls="cur-two",
        id=f"judge-{at}",
        role="option",
        aria_selected="false",
        data_row=row_id(report),
    )


def draw_waiting(waiting: Sequence[Standing]) -> Node | None:
    """Return the spot check that waits for the reader's labels; None without one."""
    if not waiting:
        return None
    first = waiting[0]
    return node(
        "p",
        f"Spot check {first.check.number} ({first.check.metric}, drawn by "
        f"{first.check.drawn_by.name}) has {plural(len(first.items) - first.done, 'item')} that "
        "you have not labelled. ",
        button("Go on with it", "spot", arg=str(first.check.number), cls="cur-link"),
        cls="cur-banner cur-literal",
        role="note",
    )


def draw_judge(look: JudgeLook) -> list[Child]:
    """Return the chosen judge: verdict, caveats, figures, slices, disagreements, weeks."""
    report = look.report
    sign, cls, _ = MARKS[report.verdict.belief]
    return [
        node("h2", report.name, cls="cur-literal"),
        node(
            "p",
            node("span", f"{sign} ", cls=cls),
            node("span", report.verdict.words, cls="cur-strong"),
            role="status",
        ),
        *(node("p", f"△ {line}", cls="cur-literal") for line in caveats(report)),
        node("p", _rests_on(report), cls="cur-literal"),
        *_figures(report),
        *_slices(report),
        *_differences(look),
        *_ties(report),
        *_weeks(look),
    ]


def _rests_on(report: JudgeReport) -> str:
    labels = report.labels
    return (
        f"Compared on {plural(report.figures.n, 'item')}, with labels for {report.against}: "
        f"{labels.imported} imported, {labels.review} from reviews, {labels.spot_check} from spot "
        "checks. Only labels that were given without the judge in view count."
    )


def _figures(report: JudgeReport) -> list[Child]:
    """Return the figures; nothing where nothing was compared."""
    if report.figures.n == 0:
        return []
    return [
        node("h3", "Figures"),
        draw_figures(report.figures, people_words(report.people)),
        node("h3", "People against the judge"),
        draw_confusion(report.figures),
    ]


def draw_figures(figures: Agreement, between: str) -> Node:
    """Return the figures with their intervals; what is undefined says so."""
    rows = [
        ("Exact agreement", rate_words(figures.raw)),
        ("Weighted kappa", kappa_words(figures.kappa)),
        ("On clear cases (people 0 or 2)", rate_words(figures.clear.agreed)),
        ("Judge 2 where people say 0", rate_words(figures.clear.good_for_bad)),
        ("Precision of “judge says bad”", rate_words(figures.bad.precision)),
        ("Recall of “judge says bad”", rate_words(figures.bad.recall)),
        ("Precision of “not good” (0 or 1)", rate_words(figures.not_good.precision)),
        ("Recall of “not good” (0 or 1)", rate_words(figures.not_good.recall)),
        ("Alpha between people", between),
    ]
    if figures.corrected is not None:
        drawn = figures.corrected
        told = (
            f"agreement {number(drawn.raw)}, kappa {number(drawn.kappa)}, precision "
            f"{number(drawn.precision)}, recall {number(drawn.recall)}, on {drawn.n} drawn"
        )
        rows.append(("Corrected for the draw", told))
    return table(("Figure", "Value (95 % interval)"), rows)


def draw_confusion(figures: Agreement) -> Node:
    """Return how often each pair of levels was given; a row a human level."""
    head = ("People say", *(f"Judge says {level}" for level in LEVELS))
    rows = [
        (str(level), *(str(count) for count in row))
        for level, row in zip(LEVELS, figures.confusion, strict=True)
    ]
    return table(head, rows)


def _slices(report: JudgeReport) -> list[Child]:
    if not report.slices:
        return []
    head = ("Slice", "Items", "Exact agreement", "Kappa", "Recall of bad")
    rows = [
        (
            one.slice,
            str(one.figures.n),
            rate_words(one.figures.raw),
            kappa_words(one.figures.kappa),
            rate_words(one.figures.bad.recall),
        )
        for one in report.slices
    ]
    return [node("h3", "By slice"), table(head, rows)]


def _differences(look: JudgeLook) -> list[Child]:
    """Return where people and the judge differ, as far as the reader may know."""
    shown, hidden = look.seen.shown, look.seen.hidden
    if not shown and not hidden:
        return []
    parts: list[Child] = [node("h3", f"Where they differ · {len(shown) + hidden}")]
    if hidden:
        parts.append(
            node(
                "p",
                f"{plural(hidden, 'item')} of these you gave no word on, so they are not shown. ",
                button("Show them", "judge", cls="cur-link"),
                " Your reviews of them then do not count when the judge is compared with people.",
            )
        )
    return [*parts, draw_disagreements(shown)] if shown else parts


def draw_disagreements(shown: Sequence[Disagreement]) -> Node:
    """Return the differences, good marks for bad answers first; each opens its answer."""
    items = [
        node(
            "li",
            node("span", f"people {one.human}, judge {one.judge} · ", cls="cur-strong"),
            button("Open", "open", arg=one.answer_id, aria_label=f"Open {one.answer_id}"),
            node("span", f" {one.question}", cls="cur-literal"),
            node("span", f" · {one.chunk_id}", cls="cur-literal cur-soft")
            if one.chunk_id
            else None,
        )
        for one in shown[:MOST_ROWS]
    ]
    rest = len(shown) - MOST_ROWS
    more = node("li", f"and {rest} more: `curation judge agreement` lists all.")
    return node("ul", *items, more if rest > 0 else None, cls="cur-plain")


def _ties(report: JudgeReport) -> list[Child]:
    if not report.ties:
        return []
    return [
        node("h3", f"Without a majority · {len(report.ties)}"),
        node(
            "p",
            "People's labels of these items are tied, so they count for nothing yet. ",
            button("Decide them", "ties", cls="cur-link"),
        ),
    ]


def _weeks(look: JudgeLook) -> list[Child]:
    """Return the judge's scores and failures by week."""
    parts: list[Child] = []
    if look.weeks:
        rows = [
            (plain_day(w.week), str(w.scored), str(w.failed), number(w.mean)) for w in look.weeks
        ]
        parts += [node("h3", "Scores by week"), table(("Week", "Scores", "Failed", "Mean"), rows)]
    if any(week.failed for week in look.failures):
        kinds = sorted({kind for week in look.failures for kind in week.kinds})
        told = [
            (
                plain_day(week.week),
                f"{week.failed} of {week.scores}",
                *(str(week.kinds.get(kind, 0)) for kind in kinds),
            )
            for week in look.failures
        ]
        head = ("Week", "Failed", *(kind.replace("_", " ") for kind in kinds))
        parts += [node("h3", "Failures by kind, all metrics"), table(head, told)]
    return parts


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Node:
    """Return a table whose first column names the row."""
    return node(
        "table",
        node("thead", node("tr", *(node("th", name, scope="col") for name in head))),
        node(
            "tbody",
            *(
                node(
                    "tr",
                    node("th", first, scope="row", cls="cur-literal"),
                    *(node("td", text) for text in rest),
                )
                for first, *rest in rows
            ),
        ),
        cls="cur-table",
    )
