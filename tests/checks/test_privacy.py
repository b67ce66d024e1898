"""Secrets and personal data are found by form and check digits, and prose is left alone."""

import gzip
import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.checks import PrivateKind, find_private

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def _kinds(text: str) -> list[PrivateKind]:
    return [part.kind for part in find_private(text)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("write to jane.roe+x@mail.example.org now", PrivateKind.EMAIL),
        ("call +49 30 1234567", PrivateKind.PHONE),
        ("call 0044 (20) 7946-0958", PrivateKind.PHONE),
        ("DE89 3704 0044 0532 0130 00", PrivateKind.IBAN),
        ("GB82WEST12345698765432", PrivateKind.IBAN),
        ("card 4111 1111 1111 1111", PrivateKind.CARD),
        ("5500-0000-0000-0004", PrivateKind.CARD),
        ("-----BEGIN RSA " + "PRIVATE KEY-----", PrivateKind.PRIVATE_KEY),
        ("key AKIA" + "IOSFODNN7EXAMPLE", PrivateKind.CLOUD_KEY),
        ("sk-" + "proj-abcdefghijklmnopqrstuvwx1234", PrivateKind.CLOUD_KEY),
        ("ghp_" + "a1" * 18, PrivateKind.CLOUD_KEY),
        ("Authorization: Bearer " + "abcdef0123456789abcdef", PrivateKind.TOKEN),
        (
            "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmN",
            PrivateKind.TOKEN,
        ),
        ("password = hunter2x!", PrivateKind.PASSWORD),
        ('"api_key": "9f8e7d6c5b4a"', PrivateKind.PASSWORD),
        ("postgres://bob:s3cr3t@db.example/x", PrivateKind.PASSWORD),
    ],
)
def test_it_is_found(text: str, kind: PrivateKind) -> None:
    assert _kinds(text) == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The default is 100000 in 3.5 and 10000 in 3.6.",
        "On 2026-11-27 at 10:42 it was 4,000,000,000.",
        "DE00 3704 0044 0532 0130 00",
        "4111 1111 1111 1112",
        "0000 0000 0000 0000",
        "password: <your password>",
        "password=${PASSWORD}",
        "The password: optional",
        "Set --password to change it.",
        "a bearer of good news and of long words",
        "user@localhost and @mentions",
        "https://example.org:8080/path",
        "id 12345678901234567890123",
        "version 1.2.3.4-5",
    ],
)
def test_prose_is_left_alone(text: str) -> None:
    assert _kinds(text) == []


def test_the_place_is_given_and_never_the_value() -> None:
    text = "a b@c.org d +49 30 1234567"
    found = find_private(text)
    assert [text[part.start : part.end] for part in found] == ["b@c.org", "+49 30 1234567"]
    assert not any(isinstance(value, str) and "@" in value for part in found for value in part)


@given(st.text(max_size=300))
def test_places_are_in_order_and_apart(text: str) -> None:
    found = find_private(text)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert all(0 <= part.start < part.end <= len(text) for part in found)


@pytest.mark.skipif(not DATA.exists(), reason="the shared data is not here")
def test_few_documents_have_a_hit_and_none_a_secret() -> None:
    with gzip.open(DATA / "chunks.jsonl.gz", "rt", newline="\n", encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    by_text = [find_private(text) for text in texts]
    found = [part.kind for parts in by_text for part in parts]
    assert sum(map(bool, by_text)) < 0.03 * len(texts)
    assert PrivateKind.IBAN not in found
    assert sum(kind.secret for kind in found) <= 5
