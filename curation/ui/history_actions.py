"""What can be done on the History page, and what each key does there."""

from collections.abc import Sequence

import streamlit as st

from curation.golden import VersionInfo
from curation.ui import bar, keys, shell
from curation.ui.actions import Action
from curation.ui.bar import Event
from curation.ui.golden_view import CaseLook
from curation.ui.history_view import version_before

FROM, TO = "a", "b"


def chosen(versions: Sequence[VersionInfo]) -> tuple[str | None, str]:
    """Return the versions to compare: those of the address, else the newest two."""
    names = [one.version for one in versions]
    to = st.query_params.get(TO, "")
    to = to if to in names else names[-1]
    start = st.query_params.get(FROM, "")
    return (start if start in names and start != to else version_before(versions, to)), to


def act(event: Event, versions: Sequence[VersionInfo]) -> None:
    """Do what a key or a press asks for."""
    names = [one.version for one in versions]
    start, to = chosen(versions)
    match event.act:
        case "select":
            _show(version_before(versions, event.arg), event.arg)
        case "next" | "previous":
            at = names.index(to) + (-1 if event.act == "next" else 1)
            wanted = names[min(max(at, 0), len(names) - 1)]
            _show(version_before(versions, wanted), wanted)
        case "further":
            _show(version_before(versions, start) if start else None, to)
        case "case":
            st.session_state[keys.CASE_LOOK] = CaseLook.TIMELINE
            shell.go("golden_set", case=event.arg)
        case "to_golden_set":
            shell.go("golden_set")
        case _:
            shell.followed(event)


def _show(start: str | None, to: str) -> None:
    """Write the two versions into the address."""
    if start is None:
        bar.say(f"{to} is the first version.")
        st.query_params.from_dict({TO: to})
        return
    st.query_params.from_dict({FROM: start, TO: to})


def actions(versions: Sequence[VersionInfo]) -> list[Action]:
    """Return what can be done."""
    start, _ = chosen(versions)
    earlier = version_before(versions, start) if start else None
    why = None if earlier else "There is no earlier version."
    return [
        Action(act="further", label="Compare with one earlier", keys=("v",), off=why),
        Action(act="next", label="Older", keys=("n",), off=None if len(versions) > 1 else why),
        Action(act="previous", label="Newer", keys=("p",)),
        Action(act="to_golden_set", label="Golden set", keys=("g",)),
    ]
