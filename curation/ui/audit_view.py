"""The audit as it is drawn: a tick and its evidence for each rule, findings, notices."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from curation.config import Settings
from curation.domain.plural import plural
from curation.golden import AuditFinding, AuditNotice, AuditReport
from curation.golden.audit_report import RESTS_ON
from curation.ui.tree import Child, Node, node

AS_TYPED = "Names as typed on this machine: nobody signs in, and every person has every role."
SIGNED_IN = "Names as the sign-in at {host} gave them; on the command line and in git, as typed."
MOST_SHOWN = 200
_KINDS = ("root", "change", "policy", "import", "release", "experiment", "baseline", "free")


@dataclass(frozen=True)
class Promise:
    """What the audit proves, the names of its rules, and the evidence behind its tick."""

    title: str
    rules: frozenset[str]
    evidence: Callable[[AuditReport], str]


def _kinds(report: AuditReport) -> str:
    kinds = report.counts.kinds
    told = [f"{kinds[name]} {name}" for name in _KINDS if name in kinds]
    return f"{plural(report.commits, 'commit')}: {', '.join(told) or 'none of a kind'}"


def _eyes(report: AuditReport) -> str:
    counts = report.counts
    return (
        f"{plural(counts.approved, 'change')} with {plural(counts.approvals, 'approval')}, "
        f"{counts.self_approved} self-approved"
    )


def _trailers(report: AuditReport) -> str:
    return f"{plural(report.counts.approved, 'change')}, each with its reason and its id"


def _frozen(report: AuditReport) -> str:
    return (
        f"{plural(report.counts.experiments, 'experiment')}, "
        f"{plural(report.counts.frozen, 'commit')} while one was open"
    )


def _experiments(report: AuditReport) -> str:
    written = report.counts.kinds.get("experiment", 0)
    known = plural(report.counts.experiments, "experiment")
    return f"{known}, opened, recorded and closed in {plural(written, 'commit')}"


def _gates(report: AuditReport) -> str:
    promoted = plural(report.counts.promoted, "promotion")
    return f"{promoted}, the gate computed again from the numbers in git"


def _cases(report: AuditReport) -> str:
    return f"{plural(report.counts.case_files, 'written case file')} read, byte for byte"


def _ids(report: AuditReport) -> str:
    return f"{plural(report.counts.ids, 'id')} given since the beginning"


def _versions(report: AuditReport) -> str:
    return f"{plural(report.versions, 'version')}, each an annotated tag on its own commit"


def _built(report: AuditReport) -> str:
    return f"golden.jsonl and MANIFEST.json made again for {plural(report.versions, 'version')}"


PROMISES = (
    Promise(
        "Every commit is of a known kind",
        frozenset({"unknown_kind", "merge", "wrong_path", "wrong_change", "mode"}),
        _kinds,
    ),
    Promise(
        "Four eyes on every change",
        frozenset({"approvals", "author", "own_approval", "self_approval", "self_approved_share"}),
        _eyes,
    ),
    Promise(
        "Reasons and trailers are complete",
        frozenset({"trailer", "no_reason", "change_id", "base_blob"}),
        _trailers,
    ),
    Promise("Nothing moved while the set was frozen", frozenset({"frozen"}), _frozen),
    Promise(
        "Experiments stay as they were recorded",
        frozenset(
            {
                "experiment_order",
                "experiment_closed",
                "experiment_pinned",
                "experiment_pins",
                "experiment_form",
            }
        ),
        _experiments,
    ),
    Promise(
        "Every promotion had a gate that passes, or an admin's word",
        frozenset({"gate", "baseline"}),
        _gates,
    ),
    Promise(
        "Every case is valid at every version",
        frozenset({"case_form", "case_place", "case_rules", "policy"}),
        _cases,
    ),
    Promise(
        "Ids are never used again, and no case disappears",
        frozenset({"id_reused", "case_removed"}),
        _ids,
    ),
    Promise(
        "Versions are tags in order, without gaps",
        frozenset({"version_tag", "version_order"}),
        _versions,
    ),
    Promise("Built files are what the cases make", frozenset({"built_files"}), _built),
)


def draw_promises(report: AuditReport) -> list[Child]:
    """Return each promise with its tick, or how often it is broken."""
    known = frozenset().union(*(promise.rules for promise in PROMISES))
    others = [finding for finding in report.findings if finding.rule not in known]
    rest = [_promise("Other rules", len(others), "")] if others else []
    return [
        node("h2", headline(report)),
        *(
            _promise(one.title, _broken(report, one.rules), one.evidence(report))
            for one in PROMISES
        ),
        *rest,
    ]


def headline(report: AuditReport) -> str:
    """Return `Nothing is wrong in 25 commits and 3 versions`."""
    looked = f"{plural(report.commits, 'commit')} and {plural(report.versions, 'version')}"
    if not report.findings:
        return f"✓ Nothing is wrong in {looked}"
    return f"✕ {plural(len(report.findings), 'finding')} in {looked}"


def _broken(report: AuditReport, rules: frozenset[str]) -> int:
    return sum(finding.rule in rules for finding in report.findings)


def _promise(title: str, broken: int, evidence: str) -> Node:
    """Return one promise: a mark, its words, and what was looked at."""
    mark = node("span", "✕ " if broken else "✓ ", cls="cur-bad" if broken else "cur-good")
    said = f"{plural(broken, 'finding')} at the right" if broken else evidence
    return node(
        "div",
        node("p", mark, node("span", title, cls="cur-strong")),
        node("p", said, cls="cur-small cur-evidence"),
        cls="cur-promise",
    )


def draw_findings(report: AuditReport) -> list[Child]:
    """Return the findings and the notices, each with its commit, author and rule."""
    return [
        node("h3", f"Findings · {len(report.findings)}"),
        _table([_finding(one) for one in report.findings[:MOST_SHOWN]], "Rule")
        if report.findings
        else node("p", "None."),
        *_more(len(report.findings)),
        node("h3", f"Notices · {len(report.notices)}"),
        _table([_notice(one) for one in report.notices[:MOST_SHOWN]], "Kind")
        if report.notices
        else node("p", "None."),
        *_more(len(report.notices)),
    ]


def _more(number: int) -> list[Child]:
    """Return where the rest is."""
    if number <= MOST_SHOWN:
        return []
    return [node("p", f"and {number - MOST_SHOWN} more: `curation golden audit` lists all.")]


def _finding(one: AuditFinding) -> tuple[str, str, str, str]:
    return one.commit[:12], one.author or "–", one.rule, one.message


def _notice(one: AuditNotice) -> tuple[str, str, str, str]:
    return one.commit[:12], one.author or "–", one.kind, one.message


def _table(rows: Sequence[tuple[str, str, str, str]], rule: str) -> Node:
    head = ("Commit", "Author", rule, "What")
    return node(
        "table",
        node("thead", node("tr", *(node("th", name, scope="col") for name in head))),
        node(
            "tbody",
            *(
                node("tr", *(node("td", text, cls="cur-literal") for text in cells))
                for cells in rows
            ),
        ),
        cls="cur-table cur-audit",
    )


def draw_rests_on(settings: Settings) -> list[Child]:
    """Return what the proof rests on."""
    said = [*_names_rest_on(settings), *RESTS_ON]
    return [node("h3", "What this rests on"), node("ul", *(node("li", text) for text in said))]


def _names_rest_on(settings: Settings) -> list[str]:
    """Return why a name in a commit is that person's, where there is something to say."""
    if settings.sign_in is not None:
        return [SIGNED_IN.format(host=settings.sign_in.provider_host)]
    return [] if settings.people else [AS_TYPED]
