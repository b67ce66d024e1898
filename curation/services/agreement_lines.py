"""A comparison of judges with people in words and as a JSON document."""

from collections.abc import Iterable
from typing import Any

from curation.metrics.agreement import Agreement, Kappa
from curation.metrics.wilson import Rate
from curation.services.agreement_report import BetweenPeople, JudgeReport
from curation.services.judge_blindness import Seen
from curation.services.spot_summary import SpotSummary

UNDEFINED = "undefined"


def number(value: float | None) -> str:
    """Return a figure with two decimals; one that is undefined says so."""
    return UNDEFINED if value is None else f"{value:.2f}"


def rate_words(rate: Rate) -> str:
    """Return `0.90 (0.74 to 0.97), 27 of 30`."""
    if rate.value is None:
        return UNDEFINED
    return f"{rate.value:.2f} ({number(rate.low)} to {number(rate.high)}), {rate.hits} of {rate.n}"


def kappa_words(kappa: Kappa) -> str:
    """Return `0.61 (0.50 to 0.71)`; without an interval only the figure."""
    if kappa.low is None:
        return number(kappa.value)
    return f"{number(kappa.value)} ({number(kappa.low)} to {number(kappa.high)})"


def people_words(people: BetweenPeople) -> str:
    """Return Krippendorff's alpha between people, or why there is none."""
    if people.items == 0:
        return "no item was labelled by two people"
    return (
        f"{number(people.ordinal)} ordinal, {number(people.nominal)} nominal, "
        f"{number(people.interval)} interval, on {people.items} items by {people.raters} people"
    )


def caveats(report: JudgeReport) -> list[str]:
    """Return what a reader must know beside the verdict: stale, own kind, scales, what is out."""
    said: list[str] = []
    if report.stale:
        said.append(f"Stale: these figures are of a judge that is not in use. {report.stale}")
    if report.own_kind:
        said.append(
            f"Same family: {report.own_kind} of the {report.figures.n} answers were written by a "
            "model of the judge's own family, which judges tend to favour."
        )
    if report.by_chance:
        said.append(
            f"The judge scored {report.by_chance} of these by chance (--sample): the figures "
            "corrected for the draw weigh by that too. What it did not score is unknown, not good."
        )
    if report.read_as_levels:
        said.append("Other scales were read as 0, 1 and 2, each number as the nearest.")
    if report.compared_failed:
        said.append(f"The judge failed on {report.compared_failed} labelled items; none counts.")
    if report.labels.not_blind:
        said.append(
            f"{report.labels.not_blind} labels were given with the judge in view: left out."
        )
    if report.labels.relative:
        said.append(f"{report.labels.relative} labels are relative to other answers: left out.")
    return said


def report_lines(report: JudgeReport, seen: Seen) -> list[str]:
    """Return one judge in lines: the verdict in words first."""
    return [
        report.name,
        f"  {report.verdict.words}",
        *(f"  {line}" for line in caveats(report)),
        (
            f"  compared on {report.figures.n} items labelled for {report.against} "
            f"({report.labels.imported} labels imported, {report.labels.review} from reviews, "
            f"{report.labels.spot_check} from spot checks)"
        ),
        *(f"  {line}" for line in _figures(report)),
        *(f"  slice {one.slice}: {slice_words(one.figures)}" for one in report.slices),
        *(f"  {line}" for line in _rest(report, seen)),
    ]


def _figures(report: JudgeReport) -> list[str]:
    """Return the figures; nothing where nothing was compared."""
    if report.figures.n == 0:
        return []
    between = f"alpha between people: {people_words(report.people)}"
    return [*figure_lines(report.figures), between]


def figure_lines(figures: Agreement) -> list[str]:
    """Return the figures of a comparison, one a line."""
    lines = [
        f"raw agreement: {rate_words(figures.raw)}",
        f"weighted kappa: {kappa_words(figures.kappa)}",
        (
            f"judge says bad: precision {rate_words(figures.bad.precision)}; "
            f"recall {rate_words(figures.bad.recall)}"
        ),
        (
            f"judge says not good: precision {rate_words(figures.not_good.precision)}; "
            f"recall {rate_words(figures.not_good.recall)}"
        ),
        "people 0, 1, 2 against judge 0, 1, 2: "
        + " / ".join(" ".join(map(str, row)) for row in figures.confusion),
    ]
    if figures.corrected is not None:
        drawn = figures.corrected
        lines.append(
            f"corrected for how {drawn.n} items were drawn: agreement {number(drawn.raw)}, "
            f"kappa {number(drawn.kappa)}, precision {number(drawn.precision)}, "
            f"recall {number(drawn.recall)}"
        )
    return lines


def slice_words(figures: Agreement) -> str:
    """Return the figures of a slice in one line."""
    return (
        f"agreement {rate_words(figures.raw)}; kappa {kappa_words(figures.kappa)}; "
        f"recall of bad {rate_words(figures.bad.recall)}"
    )


def _rest(report: JudgeReport, seen: Seen) -> Iterable[str]:
    for one in seen.shown:
        chunk = f" {one.chunk_id}" if one.chunk_id else ""
        yield f"differs: {one.answer_id}{chunk}: people {one.human}, judge {one.judge}"
    if seen.hidden:
        yield (
            f"{seen.hidden} disagreements are about answers that you gave no word on. "
            "--show-judge lists them; your reviews of them then do not count as blind."
        )
    if report.ties:
        yield (
            f"{len(report.ties)} items have no majority: "
            "`curation judge spot-check --ties` lets a person decide."
        )


def report_document(report: JudgeReport, seen: Seen) -> dict[str, Any]:
    """Return one judge as a JSON object; what is undefined is null."""
    whole = report.model_dump(mode="json")
    whole["disagreements"] = [one.model_dump(mode="json") for one in seen.shown]
    whole["hidden_disagreements"] = seen.hidden
    whole["warnings"] = caveats(report)
    return whole


def summary_lines(end: SpotSummary) -> list[str]:
    """Return the end of a spot check in lines."""
    pace = "not measured"
    if end.seconds_mean is not None and end.seconds_median is not None:
        pace = f"{end.seconds_median:.1f} s in the median, {end.seconds_mean:.1f} s on average"
    failed = f"; the judge failed on {end.judge_failed}" if end.judge_failed else ""
    return [
        f"Spot check {end.number} is at its end: {end.items} items, {end.blind} blind{failed}.",
        end.verdict.words,
        f"seconds per item: {pace}",
        *figure_lines(end.figures),
        f"alpha between people: {people_words(end.people)}",
        *(f"differs: {d.answer_id}: you {d.human}, judge {d.judge}" for d in end.disagreements),
    ]
