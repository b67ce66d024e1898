"""JSONL: split on LF only, every trap is one refusal, good lines go on."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.importers import blocks, json_lines
from curation.importers.json_lines import read_json_lines
from curation.importers.reading import Raw, Refused


def read(path):
    return list(read_json_lines(path))


def written(tmp_path, data: bytes):
    path = tmp_path / "log.jsonl"
    path.write_bytes(data)
    return path


def test_only_lf_ends_a_line(tmp_path):
    text = "a\u2028b\u2029c\u0085d\x0be\x0cf"
    line = json.dumps({"t": text.replace("\x0b", "").replace("\x0c", "")}, ensure_ascii=False)
    found = read(written(tmp_path, f"{line}\n{line}\n".encode()))
    assert [record.fields["t"] for record in found] == ["a\u2028b\u2029c\u0085def"] * 2


def test_mark_crlf_and_empty_lines_are_no_records(tmp_path):
    data = b'\xef\xbb\xbf{"a": 1}\r\n\r\n   \n{"a": 2}\r\n\n'
    found = read(written(tmp_path, data))
    assert [(record.line, record.fields["a"]) for record in found] == [(1, 1), (4, 2)]


@pytest.mark.parametrize(
    ("line", "field", "reason"),
    [
        (b'{"a": 1, "b": {"x": 1, "x": 2}}', "x", "the key comes twice"),
        (b'{"a": 1, "a": 1}', "a", "the key comes twice"),
        (b"not json", None, "it is not JSON"),
        (b'{"a": "tab\there"}', None, "it is not JSON"),
        (b'["a"]', None, "it is not a JSON object"),
        (b"null", None, "it is not a JSON object"),
        (b'{"a": "\xff"}', None, "byte 7 is not UTF-8"),
        (b'{"a": ' + b"[" * 100_000, None, "it is nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", None, "it holds a number that is too long"),
    ],
    ids=["nested twice", "twice", "word", "tab", "list", "null", "bytes", "deep", "digits"],
)
def test_a_bad_line_is_refused_and_the_next_is_read(tmp_path, line, field, reason):
    good, bad, other = read(written(tmp_path, b'{"n": 1}\n' + line + b'\n{"n": 2}\n'))
    assert isinstance(bad, Refused)
    assert (bad.line, bad.field) == (2, field)
    assert bad.reason.startswith(reason)
    assert bad.text
    assert (good.fields, other.fields) == ({"n": 1}, {"n": 2})


def test_a_last_line_cut_short_says_so(tmp_path):
    good, cut = read(written(tmp_path, b'{"n": 1}\n{"n": 2, "t": "abc'))
    assert good.fields == {"n": 1}
    assert cut.reason.startswith("the last line is cut short")
    assert cut.text == '{"n": 2, "t": "abc'


def test_a_whole_last_line_needs_no_end(tmp_path):
    assert [record.fields for record in read(written(tmp_path, b'{"n": 1}'))] == [{"n": 1}]


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_nothing_is_no_record(tmp_path, data):
    assert read(written(tmp_path, data)) == []
    assert read(written(tmp_path, gzip.compress(data))) == []


@pytest.mark.parametrize(
    "data", [b'[\n{"n": 1},\n{"n": 2}\n]', b'{\n "n": 1\n}', b'[{"n": 1},\n{"n": 2}]']
)
def test_json_over_many_lines_is_refused_once(tmp_path, data):
    (only,) = read(written(tmp_path, data))
    assert "write one object a line" in only.reason


def test_utf_16_is_refused_once(tmp_path):
    (only,) = read(written(tmp_path, '{"n": 1}\n{"n": 2}\n'.encode("utf-16")))
    assert "UTF-16" in only.reason


def test_a_line_beyond_the_limit_is_not_kept_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "LONGEST_LINE", 1000)
    monkeypatch.setattr(blocks, "BLOCK", 64)
    long = json.dumps({"t": "x" * 5000}).encode()
    data = b'{"n": 1}\n' + long + b'\n{"n": 2}\n' + long
    first, second, third, fourth = read(written(tmp_path, data))
    assert (first.fields, third.fields) == ({"n": 1}, {"n": 2})
    assert second.reason.startswith("the line is longer than")
    assert (second.line, fourth.line) == (2, 4)


LINES = [json.dumps({"n": n, "t": "x" * 90}) for n in range(2000)]


def test_gzip_is_known_by_its_bytes_and_may_have_many_members(tmp_path):
    members = [
        gzip.compress(("\n".join(LINES[n : n + 500]) + "\n").encode()) for n in range(0, 2000, 500)
    ]
    found = read(written(tmp_path, b"".join(members) + b"\0" * 512))
    assert [record.fields["n"] for record in found] == list(range(2000))


@pytest.mark.parametrize("keep", [0.3, 0.9])
def test_of_a_gzip_cut_short_the_whole_lines_go_in_and_one_refusal_tells(tmp_path, keep):
    packed = gzip.compress("\n".join(LINES).encode())
    *good, cut = read(written(tmp_path, packed[: int(len(packed) * keep)]))
    assert good
    assert [record.fields["n"] for record in good] == list(range(len(good)))
    assert "cut short" in cut.reason
    assert cut.line == len(good) + 1


def test_of_a_damaged_gzip_too(tmp_path):
    packed = bytearray(gzip.compress("\n".join(LINES).encode(), 1))
    packed[len(packed) // 2] ^= 0xFF
    *good, cut = read(written(tmp_path, bytes(packed)))
    assert all(isinstance(record, Raw) for record in good)
    assert isinstance(cut, Refused)


def test_a_gzip_without_its_last_bytes_keeps_every_whole_line(tmp_path):
    packed = gzip.compress(("\n".join(LINES) + "\n").encode())
    *good, cut = read(written(tmp_path, packed[:-4]))
    assert len(good) == 2000
    assert isinstance(cut, Refused)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    records=st.lists(st.dictionaries(st.text(), VALUES, max_size=4), max_size=6),
    block=st.integers(1, 40),
    end=st.sampled_from(["\n", "\r\n"]),
    plain=st.booleans(),
    packed=st.booleans(),
)
def test_every_object_comes_back_however_the_bytes_are_cut(
    tmp_path_factory, records, block, end, plain, packed
):
    path = tmp_path_factory.mktemp("lines") / "x"
    text = "".join(json.dumps(record, ensure_ascii=plain) + end for record in records)
    data = text.encode("utf-8", "surrogatepass") if plain else text.encode("utf-8", "replace")
    path.write_bytes(gzip.compress(data) if packed else data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK", block)
        found = read(path)
    if plain:
        assert [record.fields for record in found] == records


def test_what_may_hold_no_text_is_marked(tmp_path):
    lines = [rb'{"t": "\ud800"}', rb'{"t": "\u0000"}', rb'{"t": "\u00e4"}', '{"t": "ä"}'.encode()]
    found = read(written(tmp_path, b"\n".join(lines)))
    assert [record.suspect for record in found] == [True, True, False, False]
    assert json_lines.decode('{"t": "\\ud83d\\ude00"}') == {"t": "\U0001f600"}
