"""Secrets and personal data, found by their form; git keeps what is committed for good.

Secrets: private keys, keys of cloud and model providers, bearer tokens, JSON web tokens and
passwords that are written out. Personal data: e-mail addresses, telephone numbers with their
country code, IBAN (mod 97, ISO 13616) and payment card numbers (Luhn, ISO/IEC 7812).
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple


class PrivateKind(StrEnum):
    """What was found, as a sentence names it."""

    PRIVATE_KEY = "A private key"
    CLOUD_KEY = "An access key"
    TOKEN = "A token"  # noqa: S105 - the name of a kind
    PASSWORD = "A password"  # noqa: S105 - the name of a kind
    EMAIL = "An e-mail address"
    PHONE = "A telephone number"
    IBAN = "An IBAN"
    CARD = "A card number"

    @property
    def secret(self) -> bool:
        """Whether it must never be committed."""
        return self in _SECRETS


_SECRETS = frozenset(
    {PrivateKind.PRIVATE_KEY, PrivateKind.CLOUD_KEY, PrivateKind.TOKEN, PrivateKind.PASSWORD}
)


class PrivateText(NamedTuple):
    """Where something private stands; its value is never kept."""

    kind: PrivateKind
    start: int
    end: int


_Pattern = tuple[PrivateKind, tuple[str, ...], re.Pattern[str]]
# The kind, of which texts one is in every match, and the form. Secrets come first: nothing that
# is found later hides them.
_PATTERNS: tuple[_Pattern, ...] = (
    (
        PrivateKind.PRIVATE_KEY,
        ("PRIVATE KEY",),
        re.compile(r"-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----"),
    ),
    (
        PrivateKind.CLOUD_KEY,
        (
            *("AKIA", "ASIA", "AIza", "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
            *("glpat-", "xox", "k_live_", "hf_", "npm_", "pypi-AgE", "SG."),
        ),
        re.compile(
            r"(?<![A-Za-z0-9])(?:(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{35}|sk-[A-Za-z0-9_-]{20,200}"
            r"|gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{22,255}|glpat-[\w-]{20,100}"
            r"|xox[abposr]-[A-Za-z0-9-]{10,200}|[rs]k_live_[A-Za-z0-9]{16,100}|hf_[A-Za-z0-9]{30,60}"
            r"|npm_[A-Za-z0-9]{36}|pypi-AgE[\w-]{50,255}|SG\.[\w-]{16,32}\.[\w-]{16,64})"
            r"(?![A-Za-z0-9])"
        ),
    ),
    (
        PrivateKind.TOKEN,
        ("eyJ", "earer"),
        re.compile(
            r"\beyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]{8,1000}"
            r"|\b[Bb]earer\s+(?=[\w.~+/-]{0,200}\d)[\w.~+/-]{20,2000}=*"
        ),
    ),
    (
        PrivateKind.PASSWORD,
        ("=", ":"),
        re.compile(
            r"(?i)\b(?:password|passwd|pwd|passphrase|secret_?key|api_?key|access_?token)"
            r"[\"']?\s*[:=]\s*[\"']?(?P<value>[^\s\"'<>{}\[\]$*,;]{6,200})"
        ),
    ),
    (
        PrivateKind.PASSWORD,
        ("://",),
        re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://[^\s/:@]{1,100}:(?P<value>[^\s/@]{3,100})@[\w.-]+"),
    ),
    (
        PrivateKind.EMAIL,
        ("@",),
        re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,5}[A-Za-z]{2,24}(?![\w@])"),
    ),
    (
        PrivateKind.IBAN,
        tuple("0123456789"),
        re.compile(
            r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)"
        ),
    ),
    (
        PrivateKind.PHONE,
        ("+", "00"),
        re.compile(r"(?<![\w+])(?<!\d )(?:\+|00)[1-9](?:[ ().\-/]{0,2}\d){7,14}(?!\w)"),
    ),
    (
        PrivateKind.CARD,
        tuple("0123456789"),
        re.compile(r"(?<![\w.,-])\d(?:[ -]?\d){12,18}(?![\w.,]?\d)"),
    ),
)
_OF_SECRETS = tuple(pattern for pattern in _PATTERNS if pattern[0].secret)
_PLACEHOLDER = re.compile(
    r"(?i)^(?:x+|\*+|\.+|<.*>|\$\{?.*|%.*|(?:your|my|the|new|old|some|this|change|example|secret|"
    r"password|string|required|optional|none|null|true|false|default|empty|value)[\w.-]*)$"
)
_WORTH_A_LOOK = re.compile(r"[@\d]|BEGIN|://|(?i:pass|pwd|secret|key|bearer)|[\w-]{20}")


def find_private(text: str) -> tuple[PrivateText, ...]:
    """Return the secrets and personal data of a text, in order, each place once."""
    return _found(text, _PATTERNS)


def _found(text: str, patterns: Iterable[_Pattern]) -> tuple[PrivateText, ...]:
    if not _WORTH_A_LOOK.search(text):
        return ()
    found: list[PrivateText] = []
    for kind, needed, pattern in patterns:
        if not any(sign in text for sign in needed):
            continue
        for match in pattern.finditer(text):
            part = PrivateText(kind, match.start(), match.end())
            if _is_real(kind, match) and not any(_overlap(part, other) for other in found):
                found.append(part)
    return tuple(sorted(found, key=lambda part: part.start))


def first_secret(texts: Iterable[str]) -> PrivateKind | None:
    """Return the kind of the first secret in these texts; None where there is none."""
    found = (part.kind for text in texts for part in _found(text, _OF_SECRETS))
    return next(found, None)


def _overlap(a: PrivateText, b: PrivateText) -> bool:
    return a.start < b.end and b.start < a.end


def _is_real(kind: PrivateKind, match: re.Match[str]) -> bool:
    """Return whether what has the form also has the check digits, or is no placeholder."""
    if kind is PrivateKind.PASSWORD:
        value = match["value"]
        return not _PLACEHOLDER.match(value) and _looks_secret(value)
    if kind is PrivateKind.IBAN:
        return _is_iban(match[0])
    if kind is PrivateKind.CARD:
        return _is_card(match[0])
    if kind is PrivateKind.PHONE:
        return 8 <= sum(char.isdigit() for char in match[0]) <= 15
    return True


def _looks_secret(value: str) -> bool:
    """Return whether a value mixes letters with digits or signs, as a password does."""
    kinds = (str.isalpha, str.isdigit, lambda char: not char.isalnum() and char not in "._-()")
    return sum(any(map(kind, value)) for kind in kinds) >= 2


def _is_iban(text: str) -> bool:
    """Return whether the check digits of an IBAN are right (ISO 7064 mod 97-10)."""
    flat = text.replace(" ", "")
    if not 15 <= len(flat) <= 34:
        return False
    moved = flat[4:] + flat[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def _is_card(text: str) -> bool:
    """Return whether a number is of a card's length and passes the Luhn check."""
    digits = [int(char) for char in text if char.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1 or digits[0] not in {2, 3, 4, 5, 6}:
        return False
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
