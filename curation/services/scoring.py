"""How a run is scored here: the depth of the policy, the texts of the corpus, settled facts."""

from collections.abc import Callable, Iterable, Sequence

from curation.domain.case import Evidence
from curation.domain.chunk import ChunkKey
from curation.domain.judging import judge_that_settled
from curation.evaluation.hit_rule import HitRuleChoice, choose_hit_rule
from curation.evaluation.report import JudgePin
from curation.evaluation.run import Run
from curation.evaluation.scoring import Scoring
from curation.metrics.hits import HitRule
from curation.services.workspace import Workspace
from curation.services.yardstick import Yardstick
from curation.store import Session
from curation.store.chunks import get_chunks, has_corpus, versions_of
from curation.store.runs import settled_facts


def scoring_for(
    workspace: Workspace,
    yardstick: Yardstick,
    runs: Sequence[Run],
    *,
    rule: HitRule,
    failures_as_wrong: bool = False,
) -> Scoring:
    """Return how these runs are scored on a yardstick, the same for all of them."""
    with workspace.store.reading() as session:
        texts, ambiguous = _corpus(session, runs)
        said = settled_facts(session, [case.id for case in yardstick.cases])
    judges = {
        about: JudgePin(model=judge[0], prompt_version=judge[1])
        for about, one in said.items()
        if (judge := judge_that_settled(one.by)) is not None
    }
    return Scoring(
        k=yardstick.policy.k,
        rule=rule,
        text_of=lambda chunk_id, version: texts.get((chunk_id, version)),
        ambiguous=ambiguous,
        settled={about: one.presence for about, one in said.items()},
        judges=judges,
        failures_as_wrong=failures_as_wrong,
    )


def _corpus(
    session: Session, runs: Sequence[Run]
) -> tuple[dict[tuple[str, str | None], str], frozenset[str]]:
    """Return the texts that the runs leave out, and the ids that alone do not name a chunk."""
    hits = [hit for run in runs for line in run.lines for hit in line.hits]
    versions = versions_of(session, {hit.chunk_id for hit in hits if hit.doc_version is None})
    ambiguous = frozenset(name for name, known in versions.items() if len(known) > 1)
    silent = {(hit.chunk_id, hit.doc_version) for hit in hits if hit.text is None}
    only = {name: known[0] or None for name, known in versions.items() if len(known) == 1}
    keys = {key: ChunkKey(key[0], key[1] or only.get(key[0])) for key in silent}
    chunks = get_chunks(session, list(dict.fromkeys(keys.values())))
    return {key: chunks[at].text for key, at in keys.items() if at in chunks}, ambiguous


def hit_rule_for(
    workspace: Workspace,
    yardstick: Yardstick,
    *,
    component: str | None = None,
    wanted: HitRule | None = None,
) -> HitRuleChoice:
    """Return the hit rule of an evaluation: the one asked for, else what the corpus asks for."""
    if wanted is not None:
        return HitRuleChoice(rule=wanted, reason="it was asked for")
    with workspace.store.reading() as session:
        known = _is_known(session, yardstick) if has_corpus(session) else None
    return choose_hit_rule(yardstick.cases, component=component, is_known=known)


def _is_known(session: Session, yardstick: Yardstick) -> Callable[[str, str | None], bool]:
    """Return whether the corpus has a gold chunk; all of them are looked up at once."""
    gold = {(item.chunk_id, item.doc_version) for item in _gold(yardstick)}
    found = get_chunks(session, [ChunkKey(*key) for key in sorted(gold, key=str)])
    unversioned = versions_of(session, {name for name, version in gold if version is None})

    def known(chunk_id: str, version: str | None) -> bool:
        return ChunkKey(chunk_id, version) in found or (version is None and chunk_id in unversioned)

    return known


def _gold(yardstick: Yardstick) -> Iterable[Evidence]:
    return (item for case in yardstick.cases for item in case.case.gold)
