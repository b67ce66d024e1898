"""CSV and Parquet: the same columns as JSONL, and every cell stays the text that it is."""

import csv
import gzip
import io
import json
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.importers.errors import UnknownFormatError, UnreadableFileError
from curation.importers.files import CHUNK_COLUMNS, Format, check_files, read_records
from curation.importers.native import answer_of
from curation.importers.reading import Raw, Refused

WHOLE = {
    "id": "a1",
    "question": "Is it 4,000;\t“right”?",
    "answer": 'It is "so",\r\nline two\u2028three',
    "asked_at": "2026-11-24T10:00:00Z",
    "conversation": [{"role": "user", "text": "Before"}],
    "retrieved": [{"rank": 1, "chunk_id": "c", "text": "x" * 25_000, "score": 0.5}],
    "citations": ["c"],
    "outcome": "answered",
    "pipeline_version": "007",
    "latency_ms": 12.5,
    "tags": ["x"],
    "scores": [{"metric": "m", "value": 0.5, "scale": [0, 1]}],
    "signals": [{"kind": "thumbs_down"}],
    "metadata": {"k": None},
}


def as_csv(rows, separator=",", columns=None):
    columns = columns or list(rows[0])
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator)
    writer.writerow(columns)
    for row in rows:
        cells = [row.get(name, "") for name in columns]
        writer.writerow([c if isinstance(c, str) else json.dumps(c) for c in cells])
    return text.getvalue()


def read(tmp_path, data, name="log.csv", **options):
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return list(read_records(path, **options))


def one(found):
    (record,) = found
    assert isinstance(record, Raw), record
    answer = answer_of(record)
    assert not isinstance(answer, Refused), answer
    return answer


def expected():
    answer = answer_of(Raw(1, WHOLE, ""))
    assert not isinstance(answer, Refused)
    return answer


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("packed", [False, True])
def test_csv_means_the_same_as_jsonl(tmp_path, separator, packed):
    data = as_csv([WHOLE], separator).encode()
    assert one(read(tmp_path, gzip.compress(data) if packed else data)) == expected()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("name", ["log.csv", "log", "log.txt.gz"])
def test_csv_is_known_by_its_name_or_header_in_whatever_excel_writes(tmp_path, encoding, name):
    assert one(read(tmp_path, as_csv([WHOLE]).encode(encoding), name)) == expected()


@pytest.mark.parametrize(
    "word", ["null", "N/A", "NA", "007", "1e5", "TRUE", "nan", "None", "-", "", "=1+1"]
)
def test_a_cell_stays_the_text_that_it_is(tmp_path, word):
    found = one(
        read(tmp_path, as_csv([{"id": "007", "question": "null", "answer": word, "slice": word}]))
    )
    assert (found.id, found.question, found.answer) == ("007", "null", word)
    assert found.slice == (word or None)


def test_unknown_columns_go_to_the_metadata_as_text(tmp_path):
    row = {"id": "a", "question": "q", "answer": "x", "region": "007", "empty": ""}
    assert one(read(tmp_path, as_csv([row]))).metadata == {"region": "007"}


@pytest.mark.parametrize(
    ("body", "field", "reason"),
    [
        ("b,q\n", None, "the row has 2 cells and the header 4"),
        ("b,q,x,y,z\n", None, "the row has 5 cells"),
        ('b,q,x,"[1"\n', "tags", "the cell is not JSON"),
        ('b,q,x,"{""a"":1,""a"":2}"\n', "tags", "the cell is not JSON"),
        ('b,q,"x"y,[]\n', None, "the row is not CSV"),
    ],
)
def test_a_bad_row_is_refused_and_the_next_is_read(tmp_path, body, field, reason):
    data = 'id,question,answer,tags\na,q,"x\ny",[]\n' + body + "c,q,x,[]\n"
    first, bad, last = read(tmp_path, data)
    assert isinstance(bad, Refused)
    assert (bad.line, bad.field) == (4, field)
    assert bad.reason.startswith(reason)
    assert bad.text == body.removesuffix("\n")
    assert (first.line, last.line, last.fields["id"]) == (2, 5, "c")


def test_a_cell_that_is_not_utf_8_is_refused(tmp_path):
    bad, good = read(tmp_path, b"id,question,answer\na,q,\xff\nb,q,\xc3\xa4\n")
    assert isinstance(bad, Refused)
    assert (bad.field, bad.reason, bad.text) == ("answer", "it is not UTF-8", "a,q,\\xff")
    assert good.fields["answer"] == "ä"


def test_a_row_cut_short_is_refused(tmp_path):
    good, cut = read(tmp_path, 'id,question,answer\na,q,x\nb,q,"cut sho')
    assert good.fields["id"] == "a"
    assert isinstance(cut, Refused)
    assert cut.line == 3


def test_a_packed_csv_cut_short_keeps_its_whole_rows(tmp_path):
    rows = [{"id": f"a{n}", "question": "q", "answer": f"x{n}" * 30} for n in range(3000)]
    packed = gzip.compress(as_csv(rows).encode())
    *good, cut = read(tmp_path, packed[: len(packed) // 2])
    assert good
    assert [record.fields["id"] for record in good] == [f"a{n}" for n in range(len(good))]
    assert "cut short" in cut.reason


@pytest.mark.parametrize(
    ("header", "field"),
    [("id,question", "answer"), ("id,question,answer,x,x", "x"), ("a;b", "id"), ("", "id")],
)
def test_a_header_that_cannot_be_is_told_once(tmp_path, header, field):
    (only,) = read(tmp_path, header + "\n1,2,3,4,5\n1,2,3,4,5\n")
    assert isinstance(only, Refused)
    assert only.field == field
    assert only.reason.endswith("nothing of it was read") or "nothing of the file" in only.reason


def test_chunks_may_come_as_csv(tmp_path):
    data = "chunk_id,doc_id,text,doc_version\nc,d,NULL,007\n"
    (found,) = read(tmp_path, data, needed=CHUNK_COLUMNS)
    assert found.fields == {"chunk_id": "c", "doc_id": "d", "text": "NULL", "doc_version": "007"}


CELLS = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"))


@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=5))
def test_every_text_comes_back_from_csv(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("csv")
    records = [{"id": f"a{n}", "question": q, "answer": a} for n, (q, a) in enumerate(rows)]
    found = read(folder, as_csv(records).encode())
    assert [(r.fields["question"], r.fields["answer"]) for r in found] == rows


def parquet(tmp_path, rows, name="log.parquet", **columns):
    path = tmp_path / name
    pq.write_table(pa.Table.from_pylist(rows, **columns), path, row_group_size=2)
    return path


@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("name", ["log.parquet", "log"])
def test_parquet_means_the_same_nested_or_as_text(tmp_path, nested, name):
    row = {**WHOLE, "metadata": json.dumps(WHOLE["metadata"])}
    if not nested:
        row = {k: v if isinstance(v, str | float) else json.dumps(v) for k, v in row.items()}
    found = list(read_records(parquet(tmp_path, [row], name)))
    assert one(found) == expected()


def test_what_a_row_leaves_empty_is_not_there(tmp_path):
    said = {"question": "q", "answer": "x"}
    chunk, unsure = {"chunk_id": "c", "used": False}, {"kind": "abandoned", "confidence": 0.5}
    rows = [
        {"id": "a", **said, "retrieved": [chunk, {"chunk_id": "d"}], "signals": None},
        {"id": "b", **said, "retrieved": None, "signals": [{"kind": "thumbs_up"}, unsure]},
    ]
    found = [one([record]) for record in read_records(parquet(tmp_path, rows))]
    assert [chunk.used for chunk in found[0].retrieved] == [False, True]
    assert [signal.confidence for signal in found[1].signals] == [1, 0.5]


def test_times_decimals_and_maps_of_parquet(tmp_path):
    asked = datetime(2026, 11, 24, 10, tzinfo=UTC)
    rows = [{"id": "a", "question": "q", "answer": "x", "asked_at": asked, "seen": asked}]
    found = one(list(read_records(parquet(tmp_path, rows))))
    assert found.asked_at == asked
    assert found.metadata == {"seen": "2026-11-24T10:00:00+00:00"}


def test_a_binary_cell_is_refused(tmp_path):
    rows = [{"id": "a", "question": "q", "answer": b"\xff"}]
    (only,) = read_records(parquet(tmp_path, rows))
    assert isinstance(only, Refused)
    assert (only.field, only.reason) == ("answer", "the cell is binary")


def test_a_parquet_file_without_a_column_is_told_once(tmp_path):
    (only,) = read_records(parquet(tmp_path, [{"id": "a", "question": "q"}] * 3))
    assert isinstance(only, Refused)
    assert only.field == "answer"


@pytest.mark.parametrize("keep", [0.0, 0.5, 0.99])
def test_a_parquet_file_cut_short_is_one_refusal(tmp_path, keep):
    path = parquet(tmp_path, [{"id": "a", "question": "q", "answer": "x"}] * 50)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])
    found = list(read_records(path, Format.PARQUET))
    assert [type(record) for record in found] == [Refused]


def test_a_jsonl_file_with_a_bad_first_line_is_still_jsonl(tmp_path):
    bad, good = read(tmp_path, "oops\n" + json.dumps(WHOLE) + "\n", "log")
    assert isinstance(bad, Refused)
    assert good.fields["id"] == "a1"


def test_an_unknown_format_or_a_missing_file_is_refused_before_anything(tmp_path):
    with pytest.raises(UnknownFormatError, match="auto, jsonl, csv, parquet"):
        check_files((), "xml")
    with pytest.raises(UnreadableFileError, match="No such file"):
        check_files((tmp_path / "none",), "auto")
    with pytest.raises(UnreadableFileError, match="directory"):
        check_files((tmp_path,), "auto")
