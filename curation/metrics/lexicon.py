"""Tables of words: function words, denials, opposites, words that mean the same."""

from __future__ import annotations

__all__ = [
    "COMPLEMENTS",
    "EITHER_OR",
    "HEDGES",
    "IRREGULAR",
    "LIGHT_STEMS",
    "NEGATIONS",
    "NOT_ADVERBS",
    "OPPOSITES",
    "RELATED",
    "SAME",
    "STOPWORDS",
    "word_groups",
    "word_set",
]


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


def word_groups(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the words between commas, group by group."""
    return tuple(tuple(group.split()) for group in text.split(","))


STOPWORDS = word_set(
    """
    a an the this that these those it its they them their he she his her him we us our you your
    i me my is are was were be been being am do does did done doing has have had having of to in
    on at by for with from as into onto upon about than then and or but if so because while
    whereas though although also too very there here which who whom whose what when where how
    why such will would shall should can could may might must get gets got just even still
    already yet both own same other another any per via etc eg ie please thus hence therefore
    however yes no not nor neither cannot never without within between among during until till
    since before after above below over under through up down out off again once s t re ve ll d
    m
    """
)

# Stems of words whose absence from an answer takes nothing from a fact.
LIGHT_STEMS = word_set(
    """
    valu set use us make take giv provid hav get amount total current number result mean call
    nam flag option field parameter document section page system item kind typ way thing one
    follow
    """
)

NEGATIONS = word_set(
    """
    not no never neither nor without cannot none nobody nothing nowhere unable except excluding
    lacks lack lacking hardly instead unlike fails fail failed non
    """
) | word_set(
    # German, French and Spanish ones that are no English words.
    """
    nicht kein keine keinen keinem keiner keines niemals nichts
    pas jamais aucun aucune nunca ning\u00fan ninguna
    """
)

HEDGES = word_set(
    """
    might could perhaps maybe possibly probably presumably likely planned proposed upcoming
    apparently supposedly allegedly rumoured rumored guess assume unclear unsure uncertain
    reportedly tentative doubt doubts doubtful myth misconception falsely wrongly mistakenly
    purportedly untrue
    """
)

# The base form, then the forms of it that no rule finds.
_IRREGULAR_ROWS = word_groups(
    """
    forbid forbade forbidden, eat ate eaten, wear wore worn, draw drew drawn, throw threw thrown,
    fly flew flown, go went gone, come came, become became, steal stole stolen, tear tore torn,
    ride rode ridden, wake woke woken, fight fought, sleep slept, lend lent, shoot shot,
    stick stuck,
    run ran running, send sent, keep kept, hold held, make made, take took taken, give gave
    given, write wrote written, pay paid, build built, begin began begun, break broke broken,
    choose chose chosen, find found, lose lost, leave left, mean meant, meet met, read read,
    rise rose risen, sell sold, speak spoke spoken, spend spent, stand stood, tell told, win
    won, buy bought, bring brought, drive drove driven, fall fell fallen, grow grew grown, know
    knew known, see saw seen, show shown, say said, think thought, child children, person people
    persons, man men, woman women, foot feet, mouse mice, index indices, matrix matrices,
    criterion criteria, datum data, analysis analyses, basis bases, bind bound, feed fed, lead
    led, teach taught, catch caught, freeze froze frozen, forget forgot forgotten, hide hid
    hidden
    """
)
IRREGULAR = {form: base for base, *forms in _IRREGULAR_ROWS for form in forms}

# Words that end in -ly and are no adverbs.
NOT_ADVERBS = word_set(
    """
    apply reply supply imply comply multiply family assembly anomaly monopoly italy july early
    daily only rely ally rally fly jelly belly bully ugly holy weekly monthly yearly hourly
    quarterly nightly reassembly homely butterfly
    """
)

# Words that are the same in a fact whatever the reader's taste; the first stands for all.
SAME = word_groups(
    """
    delete remove erase, email mail, start begin, buy purchase, large big, staff employee,
    documentation doc, configuration config, database db, information info, maximum max maximal,
    minimum min minimal, application app, administrator admin, repository repo, required
    mandatory compulsory obligatory, allow permit, forbid prohibit, require need, located
    situated, holiday vacation, photo photograph picture, identical same, cannot unable, every
    all each everyone everybody, user users, license licence, center centre, gray grey, program
    programme, metre meter, price cost, quick fast rapid, help assistance, automatic auto,
    authentication auth, immediate instant, approximately about, obtain receive, postcode zip,
    phone telephone, bicycle bike, company firm, error failure, seat seats, client customer,
    annual yearly, parameter param, argument arg, directory folder, environment env,
    specification spec, terminate end finish, store save, display show
    """
)

OPPOSITES = word_groups(
    """
    enabled disabled, on off, true false, yes no, allowed forbidden, allow forbid, allow deny,
    allow block, permitted prohibited, required optional, include exclude, open close, opened
    closed, open shut, public private, always never, before after, above below, over under,
    increase decrease, rise fall, raise lower, grow shrink, high low, higher lower, highest
    lowest, more less, most least, more fewer, maximum minimum, first last, start end, accept
    reject, internal external, inside outside, inward outward, inbound outbound, incoming
    outgoing, upload download, ascending descending, up down, left right, hot cold, warm cool,
    fast slow, faster slower, early late, earlier later, earliest latest, older newer, older
    younger, oldest newest, old new, cheap expensive, cheapest dearest, free paid, safe
    dangerous, safe unsafe, strong weak, stronger weaker, larger smaller, largest smallest,
    large small, bigger smaller, long short, longer shorter, longest shortest, wide narrow,
    thick thin, heavy light, full empty, success failure, succeed fail, pass fail, success
    error, valid invalid, compatible incompatible, available unavailable, supported unsupported,
    possible impossible, mutable immutable, synchronous asynchronous, sync async, manual
    automatic, static dynamic, local remote, temporary permanent, primary secondary, read write,
    leader follower, client server, source destination, sender receiver, parent child, north
    south, east west, day night, positive negative, plus minus, add remove, insert delete,
    create delete, attach detach, connect disconnect, lock unlock, encrypt decrypt, install
    uninstall, win lose, buy sell, gain lose, import export, push pull, encrypted unencrypted,
    weekday weekend, am pm, single multiple, same different, sensitive insensitive, active
    inactive, known unknown, necessary unnecessary, required unnecessary, mandatory voluntary,
    online offline, stable unstable, present absent, complete incomplete, legal illegal, visible
    hidden, best worst, better worse, good bad, major minor, senior junior, men women, male
    female, taxable exempt, cover exclude, mandatory optional, summer winter, morning evening
    """
)

# Opposites that a denial turns into each other: not enabled is disabled.
COMPLEMENTS = word_groups(
    """
    on off, enabled disabled, allow forbid, include exclude, open close, online offline, accept
    reject, same different, present absent, hidden visible, mandatory optional, public private,
    permanent temporary, pass fail, manual automatic
    """
)

# Words of which a thing is usually one: another in its place says something else.
EITHER_OR = word_groups(
    """
    monday tuesday wednesday thursday friday saturday sunday, january february april june july
    september october november december, red blue green yellow black white purple orange brown
    pink grey, spring summer autumn winter, north south east west, northern southern eastern
    western, hourly daily weekly monthly quarterly yearly, bronze silver gold platinum, debug
    info warn fatal, windows linux macos, mysql postgresql sqlite oracle mongodb, json xml yaml
    csv toml, english french german spanish italian japanese chinese, breakfast lunch dinner,
    cash card cheque, left right, mother father, first last, small medium large, ceo cfo cto,
    tcp udp, http https, get post put
    """
)

# Families of words that stand for each other loosely: they never prove a fact, they only
# hold back an absent.
RELATED = word_groups(
    """
    free gratis cost charge price fee pay money payment expense cheap costless complimentary,
    refund refundable money return reimburse repay reimbursement, employee staff worker
    personnel colleague team people person user member customer client, screen display monitor
    device computer laptop desktop workstation, lock secure protect security safe guard, road
    street traffic way route lane, lorry truck vehicle car van, recover restore recovery
    undelete bring back retrieve, mail message email letter inbox, colour color red crimson
    scarlet blue green yellow purple black white, begin start launch open commence kick, end
    finish stop close terminate expire cease halt, delete remove erase drop purge wipe discard
    destroy, create make build generate produce new, change alter modify update edit amend
    adjust revise, keep store retain hold save preserve archive, big large huge great major,
    small little tiny minor, fast quick rapid speed slow latency, allow permit may can let
    enable authorise authorize grant, forbid prohibit ban block deny refuse, must require need
    mandatory obliged have compulsory, help support assist aid service, buy purchase order
    acquire shop, sell sale vendor, holiday vacation leave absence off, sick ill illness health
    medical doctor, home house remote office work, crash fail failure error break fault outage
    down, restart reboot reload reset, log record audit trace journal, encrypt cipher secure
    protect scramble, password credential passphrase secret login, login sign authenticate
    signin access, size big length capacity volume limit, limit cap maximum quota ceiling
    threshold restrict, daily day every, weekly week, monthly month, yearly year annual,
    immutable change changed unchangeable fixed, optional mandatory choice voluntary choose,
    async asynchronous blocking nonblocking non-blocking concurrent, copy duplicate clone
    replicate backup, send transmit deliver ship dispatch post, get receive obtain fetch, die
    death dead kill, build construct erect, write author compose pen wrote, win victory beat
    defeat, child kid minor young, doctor physician, film movie picture, job work employment
    position role, school university college education student, city town capital, country
    nation state, teach train instruct educate, car automobile vehicle, disease illness
    condition disorder, increase grow rise raise gain up, decrease fall drop reduce decline
    shrink lower cut down
    """
)
