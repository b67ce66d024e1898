"""Forbidden values: asserted, attributed to another version, doubtful or absent."""

import pytest

from curation.metrics import Presence, match_forbidden

PRESENT, ABSENT = Presence.PRESENT, Presence.ABSENT
ATTRIBUTED, UNSURE = Presence.ATTRIBUTED, Presence.UNSURE


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("60 s in v4.2 (it was 30 s in v3.9)", ATTRIBUTED),
        ("The timeout is 60 s. In v3.9 it was 30 s.", ATTRIBUTED),
        ("v3.9: 30 s, v4.2: 60 s", ATTRIBUTED),
        ("Before v4.2 the timeout was 30 s.", ATTRIBUTED),
        ("It is 60 s (formerly 30 s).", ATTRIBUTED),
        ("Older versions used 30 s.", ATTRIBUTED),
        ("In v4.2 the timeout was raised from 30 s to 60 s.", ATTRIBUTED),
        ("v3.9:\n- timeout 30 s\n\nv4.2:\n- timeout 60 s", ATTRIBUTED),
        ("## v3.9\n\nThe timeout is 30 s.\n\n## v4.2\n\nIt is 60 s.", ATTRIBUTED),
        ("| version | timeout |\n|-|-|\n| v3.9 | 30 s |\n| v4.2 | 60 s |", ATTRIBUTED),
        ("The timeout is 30 s.", PRESENT),
        ("In v4.2 the timeout is 30 s.", PRESENT),
        ("Since v4.0 the timeout is half a minute.", PRESENT),
        ("v3.9: 60 s, v4.2: 30 s", PRESENT),
        ("It is used to wait 30 s.", PRESENT),
        ("Until v4.2 the timeout is 30 s.", UNSURE),
        ("It is 60 s, not 30 s.", ABSENT),
        ("The timeout is 60 s.", ABSENT),
        ("The timeout is 130 s.", ABSENT),
        ("", ABSENT),
    ],
)
def test_a_value_counts_for_the_version_it_is_said_of(text: str, verdict: Presence) -> None:
    assert match_forbidden(text, "30 s", value_of="v3.9", version="v4.2").verdict is verdict


def test_a_value_that_may_never_be_named_counts_when_attributed() -> None:
    text = "60 s in v4.2 (it was 30 s in v3.9)"
    match = match_forbidden(text, "30 s", value_of="v3.9", version="v4.2", never=True)
    assert match.verdict is PRESENT
    assert match.span is not None
    assert text[slice(*match.span)] == "30 s"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Starter: $15, Team: $25", ATTRIBUTED),
        ("The Starter plan costs $15.", ATTRIBUTED),
        ("The Team plan costs $15.", PRESENT),
    ],
)
def test_a_value_can_belong_to_a_thing_that_is_no_version(text: str, verdict: Presence) -> None:
    assert match_forbidden(text, "$15", value_of="Starter plan").verdict is verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The value in 3.5 is 100000.", ATTRIBUTED),
        ("The value in 3.6 is 100000.", PRESENT),
        ("The value is 100000.", PRESENT),
    ],
)
def test_without_a_version_asked_only_its_own_version_excuses_a_value(
    text: str, verdict: Presence
) -> None:
    assert match_forbidden(text, "100000", value_of="3.5").verdict is verdict


def test_any_wording_that_asserts_it_counts() -> None:
    match = match_forbidden(
        "It waits half a minute.", "60 s", any_of=["30 s"], value_of="v3.9", version="v4.2"
    )
    assert match.verdict is PRESENT


VERSIONS = (
    "| Setting | v3.9 | v4.2 |\n|---|---|---|\n| timeout | 30 s | 60 s |\n| retries | 3 | 5 |"
)
PLANS = "| | Basic | Pro |\n|---|---|---|\n| price | $5 | $20 |"


@pytest.mark.parametrize(
    ("text", "fact", "value_of", "version", "verdict"),
    [
        (VERSIONS, "30 s", "3.9", "4.2", Presence.ATTRIBUTED),
        (VERSIONS, "The timeout is 30 s", "3.9", "4.2", Presence.ATTRIBUTED),
        (VERSIONS, "60 s", "3.9", "4.2", Presence.PRESENT),
        (VERSIONS, "60 s", "4.2", "3.9", Presence.ATTRIBUTED),
        (PLANS, "$5", "Basic", None, Presence.ATTRIBUTED),
        (PLANS, "$5", "Pro", None, Presence.PRESENT),
    ],
)
def test_of_the_heads_of_a_table_only_that_over_the_value_says_whose_it_is(
    text: str, fact: str, value_of: str, version: str | None, verdict: Presence
) -> None:
    found = match_forbidden(text, fact, value_of=value_of, version=version)
    assert found.verdict is verdict
