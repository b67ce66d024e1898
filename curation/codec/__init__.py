"""A case as bytes and back: canonical form, strict reading, built files, rules of form."""

from curation.codec.built import (
    golden_jsonl,
    golden_line,
    manifest,
    scoring_digest,
)
from curation.codec.canonical import dumps, loads, read_case
from curation.codec.document import case_from_document
from curation.codec.paths import case_id_of, case_path
from curation.codec.rules import content_problems, form_problems, named_content_problems
from curation.codec.schema import case_schema
from curation.codec.strict import read_document

__all__ = [
    "case_from_document",
    "case_id_of",
    "case_path",
    "case_schema",
    "content_problems",
    "dumps",
    "form_problems",
    "golden_jsonl",
    "golden_line",
    "loads",
    "manifest",
    "named_content_problems",
    "read_case",
    "read_document",
    "scoring_digest",
]
