"""What an audit found, what it noticed, and what it rests on."""

from dataclasses import dataclass, field
from typing import Any

from curation.domain.plural import plural

RESTS_ON = (
    (
        "Names and trailers are only as good as the rule of who may push here: the program "
        "alone, a server with its hook, or signed commits."
    ),
    (
        "That a tag was moved and moved back, or the whole history written anew, cannot be seen "
        "from a clone: an older clone shows it."
    ),
    (
        "The gate of a promoted experiment is recomputed with the rules of this program; an older "
        "program may have judged by others, and is then named beside the finding."
    ),
)


@dataclass(frozen=True, kw_only=True)
class AuditFinding:
    """A rule that a commit breaks."""

    rule: str
    commit: str
    author: str
    message: str


@dataclass(frozen=True, kw_only=True)
class AuditNotice:
    """Something that is allowed and worth knowing."""

    kind: str
    commit: str
    author: str
    message: str


@dataclass(kw_only=True)
class AuditCounts:
    """What an audit looked at: the evidence behind each rule that nothing breaks."""

    kinds: dict[str, int] = field(default_factory=dict)
    approved: int = 0
    approvals: int = 0
    self_approved: int = 0
    frozen: int = 0
    case_files: int = 0
    ids: int = 0
    experiments: int = 0
    promoted: int = 0


@dataclass(frozen=True, kw_only=True)
class AuditReport:
    """The result of an audit; `commits` and `versions` say how much was looked at."""

    commits: int
    versions: int
    findings: tuple[AuditFinding, ...]
    notices: tuple[AuditNotice, ...]
    counts: AuditCounts = field(default_factory=AuditCounts)

    @property
    def lines(self) -> list[str]:
        """The report for people; the summary is the last line."""
        wrong = [f"{f.commit[:12]} · {f.author} · {f.rule}: {f.message}" for f in self.findings]
        noted = [
            f"notice: {n.commit[:12]} · {n.author} · {n.kind}: {n.message}" for n in self.notices
        ]
        # The name of a file may hold a line end, and write a line of its own into the report.
        told = [line.replace("\n", "⏎") for line in (*wrong, *noted)]
        return [*told, *RESTS_ON, self.summary]

    @property
    def summary(self) -> str:
        """One line: how much was looked at and how much is wrong."""
        looked = f"{plural(self.commits, 'commit')} and {plural(self.versions, 'version')}"
        wrong = plural(len(self.findings), "finding") if self.findings else "nothing is wrong"
        return f"audited {looked}: {wrong}"

    def to_document(self) -> dict[str, Any]:
        """Return the report as a JSON object."""
        return {
            "commits": self.commits,
            "versions": self.versions,
            "findings": [vars(finding) for finding in self.findings],
            "notices": [vars(notice) for notice in self.notices],
            "rests_on": list(RESTS_ON),
        }
