"""The lines of a file's diff."""

from hypothesis import given
from hypothesis import strategies as st

from curation.services.change_view import file_diff
from curation.ui.file_diff import LineKind, diff_lines

LINES = st.lists(
    st.sampled_from(["--- a/x", "+++ b/x", "-x", "+x", " x", "", "@@ -1 +1 @@", "--flag", "\\ no"])
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n")),
    max_size=12,
).map("\n".join)


@given(LINES, LINES)
def test_the_kind_comes_from_the_diff_and_the_text_is_whole(old: str, new: str) -> None:
    lines = list(diff_lines(file_diff("cases/aa/q-1.json", old, new)))
    removed = [line.text for line in lines if line.kind is LineKind.WAS]
    added = [line.text for line in lines if line.kind is LineKind.NOW]
    assert all(text in old.split("\n") for text in removed)
    assert all(text in new.split("\n") for text in added)
    if old and old != new:
        assert len(removed) - len(added) == old.count("\n") - new.count("\n")


def test_a_removed_text_that_begins_with_dashes_is_no_head_of_a_file() -> None:
    lines = list(diff_lines(file_diff("f", "-- a\nb\n", "b\n")))
    assert (LineKind.WAS, "-- a") in [(line.kind, line.text) for line in lines]
