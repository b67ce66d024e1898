"""What a comparison of a judge with people says."""

from datetime import datetime

from curation.domain.base import Value
from curation.metrics.agreement import Agreement
from curation.metrics.agreement_verdict import JudgeVerdict
from curation.store.scores_by_judge import JudgeKey


class LabelCounts(Value):
    """What the figures rest on, and what was left out of them."""

    imported: int = 0
    review: int = 0
    spot_check: int = 0
    not_blind: int = 0
    relative: int = 0


class BetweenPeople(Value):
    """Krippendorff's alpha between the people who labelled the same items."""

    items: int
    raters: int
    nominal: float | None = None
    ordinal: float | None = None
    interval: float | None = None


class Disagreement(Value):
    """An item on which people and the judge differ."""

    answer_id: str
    chunk_id: str | None = None
    question: str
    slice: str | None = None
    human: int
    judge: int
    score: float


class Tie(Value):
    """An item whose labels have no majority; somebody has to decide."""

    answer_id: str
    chunk_id: str | None = None
    raters: int


class SliceAgreement(Value):
    """The figures of one slice."""

    slice: str
    figures: Agreement


class JudgeReport(Value):
    """One judge, metric and prompt version against people.

    `against` names the labels it was compared with. `read_as_levels` says that its numbers, or the
    people's, stand on another scale and were read as 0, 1 and 2.
    """

    judge: str | None
    metric: str
    prompt_version: str | None
    against: str
    scores: int
    failed: int
    newest: datetime | None = None
    stale: str | None = None
    own_kind: int = 0
    by_chance: int = 0  # compared items whose answers the judge scored with `--sample`
    compared_failed: int = 0
    read_as_levels: bool = False
    labels: LabelCounts = LabelCounts()
    figures: Agreement
    verdict: JudgeVerdict
    people: BetweenPeople
    slices: tuple[SliceAgreement, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    ties: tuple[Tie, ...] = ()

    @property
    def key(self) -> JudgeKey:
        """Who is compared."""
        return JudgeKey(self.judge, self.metric, self.prompt_version)

    @property
    def name(self) -> str:
        """The judge as a sentence names it: `faithfulness by openai/gpt-5-mini, prompt 2`."""
        prompt = f", prompt {self.prompt_version}" if self.prompt_version else ""
        return f"{self.metric} by {self.judge or 'an unnamed judge'}{prompt}"
