"""The audit's page: no rule without its promise, no finding without its place."""

import re
from dataclasses import replace
from pathlib import Path

from curation import golden
from curation.config import Settings
from curation.golden import AuditFinding, AuditNotice, AuditReport
from curation.golden.audit_report import AuditCounts
from curation.ui.audit_view import (
    AS_TYPED,
    MOST_SHOWN,
    PROMISES,
    draw_findings,
    draw_promises,
    draw_rests_on,
)
from curation.ui.tree import Child, words

FINE = AuditReport(
    commits=12,
    versions=3,
    findings=(),
    notices=(AuditNotice(kind="root", commit="a" * 40, author="", message="no approvers"),),
    counts=AuditCounts(
        kinds={"root": 1, "change": 4, "release": 2},
        approved=4,
        approvals=5,
        frozen=2,
        case_files=4,
        ids=3,
        experiments=1,
    ),
)
BROKEN = replace(
    FINE,
    findings=(
        AuditFinding(rule="frozen", commit="b" * 40, author="Rob <r@x.test>", message="cases/ <b>"),
        AuditFinding(rule="brand_new", commit="c" * 40, author="", message="something else"),
    ),
)
_RULE = re.compile(r'(?:Ruling\(\s*|rule=)"([a-z_]+)"')


def text(tree: list[Child]) -> str:
    return "\n".join(words(part) for part in tree)


def test_every_rule_of_the_audit_belongs_to_one_promise() -> None:
    folder = Path(golden.__file__).parent
    found = {name for file in folder.glob("*.py") for name in _RULE.findall(file.read_text())}
    assert len(found) > 20
    named = [rule for promise in PROMISES for rule in promise.rules]
    assert sorted(found - set(named)) == []
    assert len(named) == len(set(named))


def test_a_clean_history_has_a_tick_and_its_evidence_for_each_promise() -> None:
    said = text(draw_promises(FINE))
    assert "✓ Nothing is wrong in 12 commits and 3 versions" in said
    assert said.count("✓") == len(PROMISES) + 1
    assert "12 commits: 1 root, 4 change, 2 release" in said
    assert "4 changes with 5 approvals, 0 self-approved" in said
    assert "1 experiment, 2 commits while one was open" in said


def test_what_is_broken_loses_its_tick_and_a_new_rule_is_not_swallowed() -> None:
    said = text(draw_promises(BROKEN))
    assert "✕ 2 findings in 12 commits and 3 versions" in said
    assert "✕ Nothing moved while the set was frozen1 finding at the right" in said
    assert "✕ Other rules1 finding at the right" in said
    assert said.count("✓") == len(PROMISES) - 1


def test_findings_name_commit_author_rule_and_message_literally() -> None:
    said = text(draw_findings(BROKEN))
    assert "Findings · 2" in said
    assert "bbbbbbbbbbbbRob <r@x.test>frozencases/ <b>" in said
    assert "cccccccccccc–brand_newsomething else" in said
    assert "Notices · 1" in said
    assert "None." in text(draw_findings(FINE))


def test_a_long_list_says_how_much_it_leaves_out() -> None:
    many = replace(FINE, findings=BROKEN.findings * (MOST_SHOWN // 2 + 3))
    assert "and 6 more: `curation golden audit` lists all." in text(draw_findings(many))


def test_names_as_typed_are_said_until_people_have_roles(tmp_path: Path) -> None:
    alone = Settings(home=tmp_path)
    assert AS_TYPED in text(draw_rests_on(alone))
    named = alone.model_copy(update={"people": {"mia@x.test": "admin"}})
    assert AS_TYPED not in text(draw_rests_on(named))
    assert "moved and moved back" in text(draw_rests_on(named))


def test_names_of_a_team_rest_on_its_sign_in(tmp_path: Path) -> None:
    oidc = {
        "metadata_url": "https://login.x.example/.well-known/openid-configuration",
        "client_id": "curation",
        "public_url": "https://golden.x.example",
    }
    team = Settings.model_validate({"home": tmp_path, "auth": "oidc", "oidc": oidc})
    said = text(draw_rests_on(team))
    assert "Names as the sign-in at login.x.example gave them" in said
    assert AS_TYPED not in said
