"""The tables as SQL expressions name them."""

from sqlalchemy import Table

from curation.store import (
    judge_tables,
    near_tables,
    review_tables,
    run_tables,
    sample_tables,
    spot_tables,
    tables,
)


def _table(row: type[tables.Row]) -> Table:
    """Return the table behind a row class."""
    return tables.Row.metadata.tables[str(row.__tablename__)]


QUESTION_GROUP = _table(tables.GroupRow)
ANSWER = _table(tables.AnswerRow)
BODY = _table(tables.BodyRow)
CHUNK_TEXT = _table(tables.ChunkTextRow)
CHUNK = _table(tables.ChunkRow)
RETRIEVED = _table(tables.RetrievedRow)
SCORE = _table(tables.ScoreRow)
SIGNAL = _table(tables.SignalRow)
LABEL = _table(tables.LabelRow)
FACET = _table(tables.FacetRow)
COUNTER = _table(tables.CounterRow)
NOTE = _table(tables.NoteRow)
LEASE = _table(review_tables.LeaseRow)
SKIP = _table(review_tables.SkipRow)
JUDGE_SEEN = _table(review_tables.JudgeSeenRow)
DRAFT_FIELD = _table(review_tables.DraftFieldRow)
REVIEW = _table(review_tables.ReviewRow)
COVERAGE = _table(review_tables.CoverageRow)
CHANGE = _table(review_tables.ChangeRow)
PATCH_SET = _table(review_tables.PatchSetRow)
APPROVAL = _table(review_tables.ApprovalRow)
COMMENT = _table(review_tables.CommentRow)
RUN = _table(run_tables.RunRow)
RUN_BODY = _table(run_tables.RunBodyRow)
REPORT = _table(run_tables.ReportRow)
REPORT_BODY = _table(run_tables.ReportBodyRow)
SETTLEMENT = _table(run_tables.SettlementRow)
NEAR_GROUP = _table(near_tables.NearGroupRow)
SPOT_CHECK = _table(spot_tables.SpotCheckRow)
SPOT_ITEM = _table(spot_tables.SpotItemRow)
SPOT_LABEL = _table(spot_tables.SpotLabelRow)
JUDGE_RUN = _table(judge_tables.JudgeRunRow)
JUDGE_ITEM = _table(judge_tables.JudgeItemRow)
JUDGE_CALL = _table(judge_tables.JudgeCallRow)
RUN_SCORE = _table(judge_tables.RunScoreRow)
SAMPLE = _table(sample_tables.SampleRow)
SAMPLE_ITEM = _table(sample_tables.SampleItemRow)
ADJUDICATION = _table(sample_tables.AdjudicationRow)
METADATA = tables.Row.metadata
