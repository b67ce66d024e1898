"""What the Settings page says of this installation."""

from collections.abc import Sequence

from curation.config import CONFIG_FILE, Settings
from curation.ui.tree import Child, Node, node

_ROLES = {
    "reader": "looks at everything",
    "reviewer": "reviews, proposes and comments",
    "approver": "also approves and publishes",
    "admin": "also withdraws changes of others and overrides a gate",
}


def draw_settings(settings: Settings) -> list[Child]:
    """Return where everything is, how reviews work and who may do what."""
    return [
        node("h2", "Where everything is"),
        _pairs(
            (
                ("Home", str(settings.home)),
                ("Configuration", str(settings.home / CONFIG_FILE)),
                ("Store", settings.database or str(settings.database_path)),
                ("Golden set", f"{settings.golden_path}, branch {settings.golden.branch}"),
                ("Corpus index", str(settings.index_path)),
                ("Refused records", str(settings.rejects_path)),
                *_sign_in(settings),
            )
        ),
        node("h2", "How reviews work"),
        _pairs(
            (
                ("Judge", _judge_sentence(settings)),
                ("Hold", f"{settings.review.lease_minutes:g} minutes from the last key"),
                ("Frequency", f"counted over {settings.priority.window_days} days"),
            )
        ),
        node("h2", "Who may do what"),
        *_people(settings),
        node("h3", "Roles"),
        _pairs(tuple(_ROLES.items())),
    ]


def _judge_sentence(settings: Settings) -> str:
    """Return whether reviewers see the judge before their verdict."""
    if settings.review.blind_to_judge:
        return "hidden until your verdict, or until J"
    return "shown from the start (review.blind_to_judge is off)"


def _sign_in(settings: Settings) -> tuple[tuple[str, str], ...]:
    """Return where people sign in and what gives them a role; nothing where nobody does."""
    oidc = settings.sign_in
    if oidc is None:
        return ()
    claim = f", then the claim {oidc.role_claim}" if oidc.role_claim else ""
    rest = f", else {oidc.default_role}" if oidc.default_role else ""
    return (("Sign-in", f"{oidc.provider_host}; roles from [people]{claim}{rest}"),)


def _people(settings: Settings) -> list[Child]:
    """Return the people with their roles."""
    if not settings.people:
        return [
            node(
                "p",
                "Everyone has every role: the configuration names no [people]. Names are as typed "
                "on this machine.",
            )
        ]
    return [_pairs(tuple((email, role) for email, role in sorted(settings.people.items())))]


def _pairs(rows: Sequence[tuple[str, str]]) -> Node:
    """Return names and values beneath each other."""
    return node(
        "dl",
        *(
            node("div", node("dt", name), node("dd", value, cls="cur-literal"))
            for name, value in rows
        ),
        cls="cur-pairs",
    )
