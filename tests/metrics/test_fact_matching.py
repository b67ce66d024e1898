"""Facts looked up in texts: what must be present, absent and unsure."""

import json
import re
import time
from collections import Counter
from pathlib import Path

import pytest

from curation.metrics import Match, Presence, match_fact, match_forbidden

PRESENT, ABSENT, UNSURE = Presence.PRESENT, Presence.ABSENT, Presence.UNSURE
PAIRS = Path(__file__).parents[2] / "benchmarks" / "facts_pairs.jsonl"


@pytest.mark.parametrize(
    ("fact", "text", "verdict"),
    [
        ("10000", "The default is 100000.", ABSENT),
        ("100000", "The default is 10000.", ABSENT),
        ("10000", "The default is 10,000.", PRESENT),
        ("4000", "The limit is 4,000.", PRESENT),
        ("4000", "The limit is 4.000.", PRESENT),
        ("4000", "The limit is 4\u00a0000.", PRESENT),
        ("4000", "The limit is 4\u202f000.", PRESENT),
        ("1,500 users", "1.5k users", PRESENT),
        ("$5", "It costs 5 dollars.", PRESENT),
        ("5 USD", "It costs $5.", PRESENT),
        ("$5", "It costs 5 euros.", ABSENT),
        ("\u20ac 1.250,00", "It costs EUR 1,250.", PRESENT),
        ("50 %", "half of it", PRESENT),
        ("90 s", "after 1.5 min", PRESENT),
        ("2 years", "for 24 months", PRESENT),
        ("90 days", "for 3 months", UNSURE),
        ("64 MB", "64 MiB", UNSURE),
        ("12 May 2024", "on 2024-05-12", PRESENT),
        ("12 May 2024", "on May 13, 2024", ABSENT),
        ("12 May 2024", "on 05/12/2024", UNSURE),
        ("v4.2", "in version 4.2", PRESENT),
        ("4.2", "in v4.20", ABSENT),
        ("5-10 minutes", "between 5 and 10 minutes", PRESENT),
        ("10 minutes", "5 to 10 minutes", UNSURE),
        ("at most 5", "at least 5", ABSENT),
        ("The size is 9", "The size is 9 and the minimum is 5.", PRESENT),
        ("The size is 3", "The size is 3, at least 2 are needed.", PRESENT),
        ("at most 3 files", "3 files at most", PRESENT),
        ("5 per day", "5 per hour", ABSENT),
        ("true", "The default is false.", ABSENT),
        ("zap", "The logger is zapper.", ABSENT),
        ("zap", "The logger is 'zap'.", PRESENT),
        ("--enable-v2", "Use --experimental-enable-v2v3.", ABSENT),
        ("--enable-v2", "Use `--enable-v2=true`.", PRESENT),
    ],
)
def test_a_value_is_found_whole_in_every_form(fact: str, text: str, verdict: Presence) -> None:
    assert match_fact(text, fact).verdict is verdict


@pytest.mark.parametrize(
    ("fact", "text", "verdict"),
    [
        ("compatible", "They are not compatible.", ABSENT),
        ("not compatible", "They are incompatible.", PRESENT),
        ("not compatible", "They are compatible.", ABSENT),
        ("Pets are allowed", "Pets aren't allowed.", ABSENT),
        ("The default is 5", "The default is 5, not 10.", PRESENT),
        ("The default is 10", "The default is 5, not 10.", ABSENT),
        ("The default is 5, not 10", "The default is 5.", PRESENT),
        ("In v4.2 the limit is not 60 s", "In v4.2 the limit is 60 s.", ABSENT),
        ("In 3.6 the limit is not 50", "In 3.6 the limit is 50, in 3.5 it is 80.", ABSENT),
        ("In v4.2 the limit is not 60 s", "In v4.2 the limit is not 60 s but 30 s.", PRESENT),
        ("The feature is enabled", "The feature is disabled.", ABSENT),
        ("The feature is disabled", "The feature is not enabled.", PRESENT),
        ("SSO is supported", "Is SSO supported?", UNSURE),
        ("SSO is supported", "Support for SSO is planned.", UNSURE),
        ("Insurance covers theft", "Insurance covers everything but theft.", ABSENT),
        ("Only members may borrow books", "Members may borrow books.", UNSURE),
    ],
)
def test_what_is_denied_or_doubted_is_not_said(fact: str, text: str, verdict: Presence) -> None:
    assert match_fact(text, fact).verdict is verdict


@pytest.mark.parametrize(
    ("fact", "text", "verdict"),
    [
        ("v4.2 uses 60 s", "v4.2 uses 30 s and v3.9 uses 60 s", ABSENT),
        ("v4.2 uses 60 s", "v3.9 uses 30 s, v4.2 uses 60 s", PRESENT),
        ("v3.9 uses 60 s", "v3.9 and v4.2 use 30 s and 60 s, respectively", UNSURE),
        ("The timeout is 60 s in v4.2", "In v4.2:\n- timeout: 60 s\n- retries: 3", PRESENT),
        ("The session timeout is 60 s", "60 s", UNSURE),
        ("A costs more than B", "B costs more than A", UNSURE),
        (
            "The Pro plan costs $19",
            "| Plan | Price |\n|-|-|\n| Basic | $19 |\n| Pro | $49 |",
            ABSENT,
        ),
        (
            "The Pro plan costs $49",
            "| Plan | Price |\n|-|-|\n| Basic | $19 |\n| Pro | $49 |",
            PRESENT,
        ),
        ("The south gate is open", "The north gate is open and the south gate is closed.", UNSURE),
        (
            "The south gate is closed",
            "The north gate is open and the south gate is closed.",
            PRESENT,
        ),
        ("Chrome is supported", "Firefox is supported; Chrome is not.", UNSURE),
        ("The kit has a saw and nails", "The kit has nails, a hammer and a saw.", PRESENT),
        (
            "logs are kept for 7 days",
            "logs and events are kept for 9 and 7 days respectively",
            UNSURE,
        ),
        ("The timeout is 30 s", "The timeout was raised from 30 s to 60 s.", ABSENT),
        ("The timeout is 60 s", "The timeout was raised from 30 s to 60 s.", PRESENT),
    ],
)
def test_a_value_counts_only_for_what_it_is_said_of(
    fact: str, text: str, verdict: Presence
) -> None:
    assert match_fact(text, fact).verdict is verdict


LIMITS = "| Limit | v3.9 | v4.2 |\n|---|---|---|\n| timeout | 30 s | 60 s |\n| seats | 10 | 50 |"


@pytest.mark.parametrize(
    ("fact", "verdict"),
    [
        ("In v4.2 the timeout is 60 s", PRESENT),
        ("In v4.2 the timeout is 30 s", ABSENT),
        ("In v3.9 the timeout is 30 s", PRESENT),
        ("In v3.9 there are 50 seats", ABSENT),
        ("The timeout limit is 30 s", PRESENT),
        ("The seats of v3.9 are 30 s", UNSURE),
        ("The timeout is 50", ABSENT),
    ],
)
def test_a_value_of_a_table_counts_under_its_own_head(fact: str, verdict: Presence) -> None:
    assert match_fact(LIMITS, fact).verdict is verdict


@pytest.mark.parametrize(
    ("fact", "verdict"),
    [
        ("The end of life of 3.4 is 2022", PRESENT),
        ("The end of life of 3.5 is 2022", ABSENT),
        ("The end of life of 3.5 is 2019", ABSENT),
        ("The release of the patch is 2020", PRESENT),
    ],
)
def test_a_value_of_a_table_counts_in_its_own_row(fact: str, verdict: Presence) -> None:
    table = (
        "| Version | Release | End of life |\n|---|---|---|\n"
        "| 3.4 | 2019 | 2022 |\n| | 2020 (patch) | |\n| 3.5 | 2021 | 2025 |"
    )
    assert match_fact(table, fact).verdict is verdict


@pytest.mark.parametrize(
    ("fact", "text", "verdict"),
    [
        ("The timeout is 60 s", "The timeout was 30 s and is now 60 s.", PRESENT),
        ("The timeout is 60 s", "The timeout used to be 30 s but is 60 s now.", PRESENT),
        ("The timeout is 30 s", "The timeout was 30 s and is now 60 s.", UNSURE),
        ("The limit is 5", "In old releases the limit was 5; the limit is 9 today.", UNSURE),
        ("The rate is 80 %", "Since 2023 the rate is 100 %; in 2022 it was 80 %.", UNSURE),
        ("The limit is 9", "The limit was raised to 9 and the minimum is 5.", PRESENT),
        ("The idle limit is 9", "The limit was 5 and the idle limit was 9.", PRESENT),
        ("The limit is 9", "The limit was 5 and has been 9 since May.", PRESENT),
    ],
)
def test_what_a_value_once_was_is_no_other_value(fact: str, text: str, verdict: Presence) -> None:
    assert match_fact(text, fact).verdict is verdict


@pytest.mark.parametrize(
    ("fact", "text", "verdict"),
    [
        ("Employees get 28 days", "Contractors get 28 days; employees get 30.", UNSURE),
        ("Employees get 28 days", "Contractors get 28 days but employees get 30.", UNSURE),
        ("Guests get 28 days", "Staff are paid; guests get 28 days.", PRESENT),
        ("The proxy uses port 80", "The proxy is optional but uses port 80.", PRESENT),
        ("The limit is 5", "If you pay by card, the limit is 5.", UNSURE),
        ("The limit is 5 in v4.2", "If you run v4.2, the limit is 5.", PRESENT),
        ("The limit is 5", "Unless you change it, the limit is 5.", PRESENT),
        ("The limit is 5", "The limit is 5. If you need more, ask.", PRESENT),
    ],
)
def test_a_value_is_said_of_what_its_stretch_names_and_without_condition(
    fact: str, text: str, verdict: Presence
) -> None:
    assert match_fact(text, fact).verdict is verdict


@pytest.mark.parametrize(
    ("fact", "text", "verdict"),
    [
        ("Data is stored in the US", "Data is stored in the EU.", ABSENT),
        ("Data is stored in the US", "Data is stored in the EU, not in the US.", ABSENT),
        ("Data is stored in the US", "Data is stored in the United States.", UNSURE),
        ("Data is stored in the UK", "Data is stored in the United Kingdom.", UNSURE),
        ("Data is stored in the UK", "Data is stored in the Swiss Alps.", ABSENT),
        ("Contact IT for access", "Contact HR for access.", ABSENT),
        ("Send it to us", "PLEASE SEND IT TO US", PRESENT),
        ("TLS 1.3 is required from version 2.8", "From version 2.8 TLS 1.3 is required.", PRESENT),
        ("Go 1.21 is needed since version 2.0", "Since version 2.0, Go 1.21 is needed.", PRESENT),
        ("Go 1.21 is needed since version 2.0", "Since version 2.1, Go 1.21 is needed.", ABSENT),
    ],
)
def test_a_name_in_capitals_and_a_wanted_version_are_themselves(
    fact: str, text: str, verdict: Presence
) -> None:
    assert match_fact(text, fact).verdict is verdict


@pytest.mark.parametrize(
    ("fact", "text", "verdict"),
    [
        ("R\u00fcckgaben sind m\u00f6glich", "R\u00fcckgaben sind nicht m\u00f6glich.", ABSENT),
        ("Die Frist betr\u00e4gt 14 Tage", "Die Frist betr\u00e4gt nicht 14 Tage.", ABSENT),
        ("Les retours sont gratuits", "Les retours ne sont pas gratuits.", ABSENT),
        ("Der Versand ist gratis", "Der Versand ist nicht immer gratis.", UNSURE),
    ],
)
def test_denials_of_three_more_languages_are_heard(fact: str, text: str, verdict: Presence) -> None:
    assert match_fact(text, fact).verdict is verdict


@pytest.mark.parametrize(
    "frame", ["**{}** {}", "**{} {}**", "- {} {}", "- {} {}\n- The port is 80.", 'It says "{}" {}']
)
def test_sentences_are_held_apart_in_bold_type_lists_and_quotes(frame: str) -> None:
    text = frame.format("The session timeout is 30 s.", "The idle timeout is 60 s.")
    assert match_fact(text, "The session timeout is 60 s").verdict is ABSENT
    assert match_fact(text, "The idle timeout is 60 s").verdict is PRESENT


@pytest.mark.parametrize("text", ["**Is SSO supported?**", "# Is SSO supported?\n\nSee the guide."])
def test_a_heading_that_asks_says_nothing(text: str) -> None:
    assert match_fact(text, "SSO is supported").verdict is UNSURE


def test_a_picked_line_is_held_against_what_an_answer_says() -> None:
    fact = "default: true"
    wrong = match_fact("The default value of --enable-v2 is false", fact)
    right = match_fact("In etcd 3.3 the default is true: V2 requests are accepted", fact)
    assert (wrong.verdict, wrong.reason) == (ABSENT, "false instead of true")
    assert right.verdict is PRESENT


@pytest.mark.parametrize(
    ("fact", "text", "verdict"),
    [
        ("No", "No, it needs protocol 3.", PRESENT),
        ("No", "**No**. It needs protocol 3.", PRESENT),
        ("No", "Yes, there is no limit.", ABSENT),
        ("No", "It needs protocol 3.", UNSURE),
        ("Not compatible", "The collector is not compatible with it.", PRESENT),
        ("Not compatible", "Yes, the collector is compatible with it.", ABSENT),
        ("Yes, it is safe", "Yes.", PRESENT),
        ("Yes, it is safe", "No, it is not safe.", ABSENT),
    ],
)
def test_a_conclusion_is_the_leading_word_or_a_full_wording(
    fact: str, text: str, verdict: Presence
) -> None:
    assert match_fact(text, fact, conclusion=True).verdict is verdict


def test_another_wording_counts_as_the_fact() -> None:
    text = "We pay back within two weeks."
    assert match_fact(text, "Refunds take 14 days").verdict is not PRESENT
    accepted = match_fact(text, "Refunds take 14 days", any_of=["pay back within two weeks"])
    assert accepted.verdict is PRESENT


def test_another_number_or_a_denial_of_what_a_text_says_is_never_found_there() -> None:
    tried = 0
    for line in PAIRS.read_text(encoding="utf-8").split("\n"):
        pair = json.loads(line) if line else {"expected": "absent"}
        other_way = pair.get("any_of") or pair.get("conclusion")
        if pair["expected"] != "present" or pair["kind"] == "forbidden" or other_way:
            continue
        fact = str(pair["fact"])
        wrong = [
            f"{fact[: found.start()]}{int(found[0]) + 3}{fact[found.end() :]}"
            for found in re.finditer(r"(?<![\w.,:-])\d+(?![\w:-]|[.,]\d)", fact)
        ]
        if not re.search(r"\b(?:not?|never|without)\b", fact.lower()):
            verbs = (word for word in ("is", "are", "can", "must", "was") if f" {word} " in fact)
            wrong += [fact.replace(f" {verb} ", f" {verb} not ", 1) for verb in verbs]
        tried += len(wrong)
        for other in wrong:
            assert verdict_of(pair | {"fact": other}).verdict is not PRESENT, (other, pair["text"])
    assert tried > 300


def test_no_words_around_an_answer_turn_a_verdict_over() -> None:
    """What a model writes before and after, and bold type, may only leave a fact unsure."""
    frames = ("{}\n\nAsk an administrator.", "Here is what I found:\n\n{}", "Sure!\n\n{}", "**{}**")
    both = {PRESENT, ABSENT}
    for line in PAIRS.read_text(encoding="utf-8").split("\n")[::3]:
        pair = json.loads(line) if line else {"text": ""}
        if not pair["text"].strip() or pair.get("conclusion") or pair["kind"] == "forbidden":
            continue
        plain = verdict_of(pair).verdict
        for frame in frames[: 3 if "\n" in pair["text"] else 4]:
            framed = verdict_of(pair | {"text": frame.format(pair["text"])}).verdict
            assert plain is framed or {plain, framed} != both, (pair, frame)


@pytest.mark.parametrize("text", ["", "  ", "\n\u00a0\n"])
def test_an_empty_text_says_nothing(text: str) -> None:
    assert match_fact(text, "The limit is 5").verdict is ABSENT


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (
            "\u6570\u636e\u6bcf\u5929\u5907\u4efd",
            "\u6bcf\u65e5\u8fdb\u884c\u6570\u636e\u5907\u4efd",
        ),
        ("\u7121\u6599\u3067\u3059", "\u6599\u91d1\u306f\u304b\u304b\u308a\u307e\u305b\u3093"),
        (
            "\u0e1f\u0e23\u0e35",
            "\u0e44\u0e21\u0e48\u0e21\u0e35\u0e04\u0e48\u0e32\u0e43\u0e0a\u0e49",
        ),
    ],
)
def test_a_language_without_spaces_is_left_unsure(fact: str, text: str) -> None:
    assert match_fact(text, fact).verdict is UNSURE


def test_the_span_is_of_the_text_as_given() -> None:
    text = "Caf\u0065\u0301 \u201cBlue\u201d: the fee\u200b is \uff04\uff15\uff10."
    match = match_fact(text, "$50")
    assert match.span is not None
    assert text[slice(*match.span)] == "\uff04\uff15\uff10"


def test_a_conflict_points_at_the_value_that_stands_instead() -> None:
    text = "The session timeout is 45 minutes."
    match = match_fact(text, "The session timeout is 30 minutes")
    assert match.span is not None
    assert text[slice(*match.span)] == "45 minutes"
    assert match.reason == "45 minutes instead of 30 minutes"


def test_a_bare_value_names_the_one_that_stands_instead() -> None:
    text = "The snapshot count is 100000."
    match = match_fact(text, "10000")
    assert match.reason == "100000 instead of 10000"
    assert match.span is not None
    assert text[slice(*match.span)] == "100000"


def verdict_of(pair: dict[str, object]) -> Match:
    text, fact = str(pair["text"]), str(pair["fact"])
    any_of = [str(wording) for wording in pair.get("any_of", [])]  # type: ignore[attr-defined]
    if pair["kind"] != "forbidden":
        return match_fact(text, fact, any_of=any_of, conclusion=bool(pair.get("conclusion")))
    value_of, version = pair.get("value_of"), pair.get("version")
    return match_forbidden(
        text,
        fact,
        any_of=any_of,
        value_of=str(value_of) if value_of else None,
        version=str(version) if version else None,
        never=bool(pair.get("never")),
    )


def test_the_labelled_pairs_keep_their_precision_and_most_of_their_recall() -> None:
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").split("\n") if line]
    seen = Counter((pair["expected"], verdict_of(pair).verdict.value) for pair in pairs)
    for verdict in ("present", "absent"):
        said = sum(count for (_, got), count in seen.items() if got == verdict)
        due = sum(count for (expected, _), count in seen.items() if expected == verdict)
        assert seen[verdict, verdict] / said >= 0.99
        assert seen[verdict, verdict] / due >= 0.9
    assert len(pairs) >= 900


@pytest.mark.parametrize(
    "piece",
    [
        "The timeout is 60 s in v4.2 (it was 30 s in v3.9). See [1]. ",
        "a;1;",
        "a-",
        "1/2/",
        "|a|b|\n",
        "|the retries|6",
        "|v4.2|retries|6|7|\n",
        "one hundred and ",
        "not ",
        "\u8d85\u65f6\u4e3a60\u79d2\u3002",
        "a\u200b",
    ],
)
def test_a_long_text_takes_time_in_proportion(piece: str) -> None:
    text = piece * (60_000 // len(piece))
    start = time.process_time()
    match_fact(text, "the retries are 6 in v4.2")
    assert time.process_time() - start < 8
