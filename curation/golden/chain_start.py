"""Where the walk along the history begins when it does not begin at the root."""

from collections.abc import Iterable
from functools import partial

from curation.codec import case_id_of
from curation.domain.policy import parse_policy
from curation.golden.built_set import GOLDEN_FILE, MANIFEST_FILE, BuiltSet
from curation.golden.case_book import CaseBook, Unread
from curation.golden.chain import Chain, Rulebook, read_rulebook
from curation.golden.experiment_record import FOLDER, experiment_id_of, read_record
from curation.golden.ids import changes_on_branch, removed_ids, version_at
from curation.golden.kinds import BUILT_FILES
from curation.golden.location import OpenGolden
from curation.golden.parsed import PARSED
from curation.golden.reader import Refs, Snapshot, snapshot
from curation.golden.record import FILE_MODE
from curation.golden.tree import list_tree


def chain_at(golden: OpenGolden, commit: str, refs: Refs) -> Chain:
    """Return what is known of the set at a commit."""
    shot = snapshot(golden, commit)
    known = changes_on_branch(golden, Refs(tip=commit, versions=refs.versions))
    chain = chain_of(golden, shot, known)
    if any(change.case_id and change.case_id not in chain.used_ids for change in known.values()):
        # Somebody took a case away; which, is asked only then, because the whole history tells.
        chain.used_ids.update(removed_ids(golden, commit))
    chain.experiments = _experiments(golden, commit)
    chain.version = version_at(golden, commit)
    return chain


def chain_of(golden: OpenGolden, shot: Snapshot, known: Iterable[str]) -> Chain:
    """Return what is known of the set of a snapshot, experiments and version aside.

    Args:
        golden: the repository.
        shot: the files of the set.
        known: the ids of the changes that the branch has.
    """
    ids = (case_id_of(entry.path) for entry in shot.cases)
    return Chain(
        rulebook=read_rulebook(shot.policy_text) or Rulebook(),
        mailmaps=dict(shot.mailmaps),
        used_ids={case_id for case_id in ids if case_id},
        change_ids=set(known),
        begun=True,
        linear=not golden.prefix,
    )


def _experiments(golden: OpenGolden, commit: str) -> dict[str, dict[str, object]]:
    """Return the record of each experiment at a commit, by id; of what is no file none is read."""
    folder = golden.git.object_ids([golden.at(commit, FOLDER)])[0]
    entries = list_tree(golden.git, folder, deep=False) if folder else []
    named = {experiment_id_of(entry.path): entry for entry in entries if entry.kind != "tree"}
    known = {name: entry for name, entry in named.items() if name is not None}
    contents = golden.git.objects([entry.oid for entry in known.values()])
    return {
        name: read_record(data if entry.mode == FILE_MODE else None)
        for (name, entry), data in zip(known.items(), contents, strict=True)
    }


def book_at(golden: OpenGolden, commit: str) -> CaseBook:
    """Return the cases, the policy and the built files at a commit.

    Where the built files are of the cases by their own word, no case is read before it changes.
    """
    shot = snapshot(golden, commit)
    built = {name: entry.oid for name, entry in shot.top.items() if name in BUILT_FILES}
    files = golden.git.objects([golden.at(commit, name) for name in (GOLDEN_FILE, MANIFEST_FILE)])
    lines, listed = (data or b"" for data in files)
    known = BuiltSet.of_files(lines, listed, cases_tree=shot.cases_tree)
    named = {case_id_of(entry.path): entry for entry in shot.cases}
    unread = Unread(
        entries={case_id: entry for case_id, entry in named.items() if case_id is not None},
        read=partial(PARSED.read, golden.git),
        built=known or BuiltSet({}),
    )
    book = CaseBook(policy=parse_policy(shot.policy_text), built=built, unread=unread)
    if known is None:
        book.read_all()
    return book
