"""The type of a question, proposed from its form."""

import re

__all__ = ["propose_question_type"]

_LEAD = re.compile(
    r"^(?:(?:hi|hello|hey|please|ok|okay|so|and|but|also|then|thanks|thank you)[\s,.!]+)+",
    re.IGNORECASE,
)
_ASKS_ME = re.compile(
    r"^(?:(?:can|could|would|will) you (?:please )?"
    r"(?:tell me|explain to me|explain|say|let me know)|"
    r"(?:please )?(?:tell me|let me know)|do you know|i (?:want|would like|need) to know|"
    r"i(?: a|')m wondering|i was wondering)\s+(?:about\s+)?"
)
_COMPARE = re.compile(
    r"\b(?:differ(?:s|ence|ences|ent)?\b|compare[ds]?\b|comparison|versus|vs\b|better than|"
    r"(?:which|what) (?:one )?is (?:better|faster|cheaper|newer|larger)|instead of .* or\b)"
)
_WHY = re.compile(
    r"^(?:why|how come|for what reason|what (?:is|was) the (?:reason|cause))\b|\bwhat causes\b"
)
_HOW_TO = re.compile(
    r"^(?:how (?:do|can|could|should|would|to|does one|must|might)\b(?! (?:many|much|long|often))|"
    r"what (?:are the steps|is the (?:best |right |correct )?(?:way|procedure))\b|"
    r"where (?:can|do|should) (?:i|we)\b|what (?:should|do|must|can) (?:i|we) do\b|steps to\b|"
    r"is there (?:a|any) way to\b|(?:can|could) you help me\b|walk me through\b)"
)
_VALUE = re.compile(
    r"^(?:how (?:many|much|long|often|big|large|old|far|fast|high|deep|tall|late|early|soon)\b|"
    r"(?:who|whose|whom|when|where)\b|(?:in |on |at |since |by |until |from |to )?(?:which|what) "
    r"(?:year|date|day|time|version|port|value|number|size|limit|timeout|default|price|cost|rate|"
    r"percentage|amount|age|name|person|place|city|country|unit|protocol|file|flag|command|"
    r"[a-z0-9-]+ (?:is|was|are|were|does|do|did|has|have)\b))"
)
_VALUE_OF = re.compile(
    r"^(?:what(?: is|'s| are| was| were)) (?:the )?(?:\w+ ){0,3}"
    r"(?:default|value|limit|timeout|size|price|cost|fee|rate|number|amount|maximum|minimum|max|"
    r"min|port|version|name|date|deadline|address|duration|length|percentage|capital|population)\b"
)
_LIST = re.compile(
    r"^(?:list|name|enumerate|give me (?:a list|some|examples)|"
    r"(?:which|what) (?:are (?:the|some|all)|kinds? of|types? of|sorts? of)|"
    r"(?:which|what) \w+s (?:are|can|do|does|were|have|should|must|support)\b)"
    r"|\bexamples? of\b|\ball (?:of )?the\b"
)
_DEFINITION = re.compile(
    r"^(?:what(?: is|'s| are| does)|who (?:is|was)|define|definition of|meaning of|"
    r"what do (?:you|we) mean|describe|explain what)\b"
)
_YES_NO = re.compile(
    r"^(?:is|are|was|were|am|do|does|did|can|could|will|would|shall|should|may|might|must|has|have|"
    r"had|isn't|aren't|don't|doesn't|didn't|can't|won't)\b"
)
_RULES = (
    ("compare", _COMPARE),
    ("why", _WHY),
    ("value", _VALUE_OF),
    ("how_to", _HOW_TO),
    ("list", _LIST),
    ("value", _VALUE),
    ("yes_no", _YES_NO),
    ("definition", _DEFINITION),
)
_SENTENCE = re.compile(r"[^.!?]*\?")


def propose_question_type(question: str) -> str:
    """Return the type that a question's form suggests; `other` where it suggests none."""
    asked = _asked(question)
    for name, pattern in _RULES:
        if pattern.search(asked):
            return name
    return "other"


def _asked(question: str) -> str:
    """Return the part that asks, in lower case, without greetings and "tell me"."""
    flat = " ".join(question.split())[:2000].replace("\u2019", "'")
    parts = _SENTENCE.findall(re.sub(r"(?<=\d)\.(?=\d)", "\u2024", flat))
    last = parts[-1] if parts else flat
    lowered = _LEAD.sub("", last.strip()).lower()
    return _ASKS_ME.sub("", lowered).strip()
