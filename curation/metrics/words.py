"""Words as facts use them: stems, function words, opposites, words that mean the same."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "HEDGES", "LIGHT", "NEGATIONS", "STOPWORDS", "opposite_of", "related", "stem", "without_prefix",
]  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOPWORDS = _words(
    "a an the this that these those it its they them their he she his her him we us our you your i "
    "me my is are was were be been being am do does did done doing has have had having of to in on "
    "at by for with from as into onto upon about than then and or but if so because while whereas "
    "though although also too very there here which who whom whose what when where how why such "
    "will would shall should can could may might must get gets got just even still already yet "
    "both own same other another any per via etc eg ie please thus hence therefore however "
    "yes no not nor neither cannot never without within between among during until till since "
    "before after above below over under through up down out off again once s t re ve ll d m"
)

# Words whose absence from an answer takes nothing from a fact.
LIGHT = _words(
    "valu set use us make need take giv provid contain includ hav get amount total total current "
    "number result mean call nam flag option set field parameter document section page system "
    "item kind typ way thing one follow"
) - _words("includ contain need")

NEGATIONS = _words(
    "not no never neither nor without cannot none nobody nothing nowhere unable except excluding "
    "lacks lack lacking hardly instead unlike fails fail failed non"
)

HEDGES = _words(
    "might could perhaps maybe possibly probably presumably likely planned proposed "
    "upcoming apparently supposedly allegedly rumoured rumored guess assume unclear unsure "
    "uncertain reportedly tentative"
)

_IRREGULAR: Mapping[str, str] = {
    form: base
    for base, forms in {
        "run": "ran running", "send": "sent", "keep": "kept", "hold": "held", "make": "made",
        "take": "took taken", "give": "gave given", "write": "wrote written", "pay": "paid",
        "build": "built", "begin": "began begun", "break": "broke broken", "choose": "chose chosen",
        "find": "found", "lose": "lost", "leave": "left", "mean": "meant", "meet": "met",
        "read": "read", "rise": "rose risen", "sell": "sold", "speak": "spoke spoken",
        "spend": "spent", "stand": "stood", "tell": "told", "win": "won", "buy": "bought",
        "bring": "brought", "drive": "drove driven", "fall": "fell fallen", "grow": "grew grown",
        "know": "knew known", "see": "saw seen", "show": "shown", "say": "said", "think": "thought",
        "child": "children", "person": "people persons", "man": "men", "woman": "women",
        "foot": "feet", "mouse": "mice", "index": "indices", "matrix": "matrices",
        "criterion": "criteria", "datum": "data", "analysis": "analyses", "basis": "bases",
        "bind": "bound", "feed": "fed", "lead": "led", "teach": "taught", "catch": "caught",
        "freeze": "froze frozen", "forget": "forgot forgotten", "hide": "hid hidden",
    }.items()
    for form in forms.split()
}  # fmt: skip

# Words that are the same in a fact whatever the reader's taste; first of a line stands for all.
_SAME = (
    "delete remove erase", "email mail", "start begin", "buy purchase", "large big", "staff employee",
    "documentation doc", "configuration config", "database db", "information info",
    "maximum max maximal", "minimum min minimal", "application app", "administrator admin",
    "repository repo", "required mandatory compulsory obligatory", "allow permit", "forbid prohibit",
    "require need", "located situated", "holiday vacation", "photo photograph picture",
    "identical same", "cannot unable", "every all each everyone everybody", "user users",
    "license licence", "center centre", "gray grey", "program programme", "metre meter",
    "price cost", "quick fast rapid", "help assistance", "automatic auto", "authentication auth",
    "immediate instant", "approximately about", "obtain receive", "postcode zip", "phone telephone",
    "bicycle bike", "company firm", "error failure", "seat seats", "client customer", "annual yearly",
    "parameter param", "argument arg", "directory folder", "environment env", "specification spec",
    "terminate end finish", "store save", "display show",
)  # fmt: skip

_OPPOSITES = (
    "enabled disabled", "on off", "true false", "yes no", "allowed forbidden", "allow forbid",
    "allow deny", "allow block", "permitted prohibited", "required optional", "include exclude",
    "open close", "opened closed", "open shut", "public private", "always never", "before after", "above below",
    "over under", "increase decrease", "rise fall", "raise lower", "grow shrink", "high low",
    "higher lower", "highest lowest", "more less", "most least", "more fewer", "maximum minimum", "first last",
    "start end", "accept reject", "internal external", "inside outside", "inward outward",
    "inbound outbound", "incoming outgoing", "upload download", "ascending descending", "up down",
    "left right", "hot cold", "warm cool", "fast slow", "faster slower", "early late", "earlier later",
    "earliest latest", "older newer", "older younger", "oldest newest", "old new", "cheap expensive",
    "cheapest dearest", "free paid", "safe dangerous", "safe unsafe", "strong weak", "stronger weaker",
    "larger smaller", "largest smallest", "large small", "bigger smaller", "long short", "longer shorter",
    "longest shortest", "wide narrow", "thick thin", "heavy light", "full empty", "success failure",
    "succeed fail", "pass fail", "success error", "valid invalid", "compatible incompatible",
    "available unavailable", "supported unsupported", "possible impossible", "mutable immutable",
    "synchronous asynchronous", "sync async", "manual automatic", "static dynamic", "local remote",
    "temporary permanent", "primary secondary", "read write", "leader follower", "client server",
    "source destination", "sender receiver", "parent child", "north south", "east west", "day night",
    "positive negative", "plus minus", "add remove", "insert delete", "create delete", "attach detach",
    "connect disconnect", "lock unlock", "encrypt decrypt", "install uninstall", "win lose", "buy sell",
    "gain lose", "import export", "push pull", "encrypted unencrypted", "weekday weekend", "am pm",
    "single multiple", "same different", "sensitive insensitive", "active inactive", "known unknown",
    "necessary unnecessary", "required unnecessary", "mandatory voluntary", "online offline",
    "stable unstable", "present absent", "complete incomplete", "legal illegal", "visible hidden",
    "best worst", "better worse", "good bad", "major minor", "senior junior", "men women", "male female",
    "taxable exempt", "cover exclude", "mandatory optional", "summer winter", "morning evening",
)  # fmt: skip

# Words of which a thing is usually one: where another stands in its place, the fact is not said.
_EITHER_OR = (
    "monday tuesday wednesday thursday friday saturday sunday",
    "january february april june july september october november december",
    "red blue green yellow black white purple orange brown pink grey",
    "spring summer autumn winter", "north south east west", "northern southern eastern western",
    "hourly daily weekly monthly quarterly yearly", "bronze silver gold platinum",
    "debug info warn fatal", "windows linux macos", "mysql postgresql sqlite oracle mongodb",
    "json xml yaml csv toml", "english french german spanish italian japanese chinese",
    "breakfast lunch dinner", "cash card cheque", "left right", "mother father", "first last",
    "small medium large", "ceo cfo cto", "tcp udp", "http https", "get post put",
)  # fmt: skip

# Families of words that often stand for each other loosely: they never prove a fact, they only
# hold back an "absent".
_RELATED = (
    "free gratis cost charge price fee pay money payment expense cheap costless complimentary",
    "refund refundable money return reimburse repay reimbursement",
    "employee staff worker personnel colleague team people person user member customer client",
    "screen display monitor device computer laptop desktop workstation",
    "lock secure protect security safe guard",
    "road street traffic way route lane", "lorry truck vehicle car van",
    "recover restore recovery undelete bring back retrieve", "mail message email letter inbox",
    "colour color red crimson scarlet blue green yellow purple black white",
    "begin start launch open commence kick", "end finish stop close terminate expire cease halt",
    "delete remove erase drop purge wipe discard destroy", "create make build generate produce new",
    "change alter modify update edit amend adjust revise", "keep store retain hold save preserve archive",
    "big large huge great major", "small little tiny minor", "fast quick rapid speed slow latency",
    "allow permit may can let enable authorise authorize grant", "forbid prohibit ban block deny refuse",
    "must require need mandatory obliged have compulsory", "help support assist aid service",
    "buy purchase order acquire shop", "sell sale vendor", "holiday vacation leave absence off",
    "sick ill illness health medical doctor", "home house remote office work", "crash fail failure error break fault outage down",
    "restart reboot reload reset", "log record audit trace journal", "encrypt cipher secure protect scramble",
    "password credential passphrase secret login", "login sign authenticate signin access",
    "size big length capacity volume limit", "limit cap maximum quota ceiling threshold restrict",
    "daily day every", "weekly week", "monthly month", "yearly year annual", "immutable change changed unchangeable fixed",
    "optional mandatory choice voluntary choose", "async asynchronous blocking nonblocking non-blocking concurrent",
    "copy duplicate clone replicate backup", "send transmit deliver ship dispatch post", "get receive obtain fetch",
    "die death dead kill", "build construct erect", "write author compose pen wrote", "win victory beat defeat",
    "child kid minor young", "doctor physician", "film movie picture", "job work employment position role",
    "school university college education student", "city town capital", "country nation state",
    "teach train instruct educate", "car automobile vehicle", "disease illness condition disorder",
    "increase grow rise raise gain up", "decrease fall drop reduce decline shrink lower cut down",
)  # fmt: skip

_LY_WORDS = _words(
    "apply reply supply imply comply multiply family assembly anomaly monopoly italy july early daily "
    "only rely ally rally fly jelly belly bully ugly holy weekly monthly yearly hourly quarterly nightly "
    "reassembly homely butterfly"
)
_VOWELS = frozenset("aeiouy")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the form that a word's plural, -ed, -ing and -ly forms share, synonyms folded."""
    return _CANONICAL.get(base := _light_stem(word), base)


def _light_stem(word: str) -> str:
    word = word.removesuffix("'s").replace("'", "")
    if len(word) > 60 or not word.isascii():
        return word
    word = _IRREGULAR.get(word, word)
    word = _without_plural(word)
    word = _without_verb_ending(word)
    return _tidied(word)


def _without_plural(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("xes", "ches", "shes", "sses", "zes")):
        return word[:-2]
    return word[:-1]


def _without_verb_ending(word: str) -> str:
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("ically") and len(word) > 7:
        return word[:-4]
    for ending in ("ed", "ing"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and not _VOWELS.isdisjoint(rest):
            return rest if not rest.endswith("e") else word
    if word.endswith("ly") and len(word) > 5 and word not in _LY_WORDS:
        return word[:-2]
    return word


def _tidied(word: str) -> str:
    """Return the word without a last silent e or doubled letter, in one spelling of -ise."""
    word = word.replace("isation", "ization")
    if word.endswith(("ise", "is")) and len(word) > 6:
        word = word.removesuffix("e")[:-1] + "z"
    if word.endswith("our") and len(word) > 4:
        word = word[:-3] + "or"
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in _VOWELS:
        word = word[:-1]
    return word


_CANONICAL: dict[str, str] = {}
for _line in _SAME:
    _forms = [_light_stem(_form) for _form in _line.split()]
    for _form in _forms:
        _CANONICAL.setdefault(_form, _forms[0])


def _opposites() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _EITHER_OR:
        stems = {stem(word) for word in line.split()}
        for one in stems:
            table.setdefault(one, set()).update(stems - {one})
    for line in _OPPOSITES:
        one, two = (stem(word) for word in line.split())
        table.setdefault(one, set()).add(two)
        table.setdefault(two, set()).add(one)
    return {word: frozenset(others) for word, others in table.items()}


_OPPOSITE_TABLE = _opposites()


_COMPLEMENT_LINES = (
    "on off", "enabled disabled", "allow forbid", "include exclude", "open close", "online offline", "accept reject",
    "same different", "present absent", "hidden visible", "mandatory optional", "public private",
    "permanent temporary", "pass fail", "manual automatic",
)  # fmt: skip
_COMPLEMENTS: dict[str, str] = {}
for _line in _COMPLEMENT_LINES:
    _one, _two = (stem(_word) for _word in _line.split())
    _COMPLEMENTS |= {_one: _two, _two: _one}


def complement_of(word: str) -> str | None:
    """Return the stem that a denial turns a stem into: not enabled is disabled."""
    return _COMPLEMENTS.get(word)


def opposite_of(word: str) -> frozenset[str]:
    """Return the stems that mean the opposite of a stem."""
    return _OPPOSITE_TABLE.get(word, frozenset())


def _families() -> dict[str, frozenset[int]]:
    table: dict[str, set[int]] = {}
    for number, line in enumerate(_RELATED):
        for word in line.split():
            table.setdefault(stem(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in table.items()}


_FAMILIES = _families()


def related(one: str, two: str) -> bool:
    """Return whether two stems look like kin: one begins as the other does, or one family."""
    if one == two:
        return True
    shared = min(len(one), len(two), 5)
    if shared >= 4 and one[:shared] == two[:shared]:
        return True
    return not _FAMILIES.get(one, frozenset()).isdisjoint(_FAMILIES.get(two, frozenset()))


_NEGATIVE_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis", "de")


@lru_cache(maxsize=65536)
def without_prefix(word: str) -> str | None:
    """Return what a negative prefix turns around: incompatible gives compatible; else None."""
    for prefix in _NEGATIVE_PREFIXES:
        rest = word.removeprefix(prefix).removeprefix("-")
        if rest != word and len(rest) >= 4:
            return rest
    return None
