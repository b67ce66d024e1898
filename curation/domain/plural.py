"""Numbers with their nouns, in the words of every layer."""


def plural(number: int, noun: str, many: str = "") -> str:
    """Return a number with its noun: `1 answer`, `2 answers`."""
    return f"{number} {noun if number == 1 else many or noun + 's'}"
