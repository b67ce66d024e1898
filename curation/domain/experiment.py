"""What the rest of the program needs to know of an experiment: whether it freezes the set."""

from datetime import datetime

from curation.domain.base import Value


class OpenExperiment(Value):
    """An experiment that is open (or cannot be read, which counts as open) and so freezes the set.

    Everything but the id may be unknown when the file cannot be read.
    """

    id: str
    component: str | None = None
    opened_by: str | None = None
    opened_at: datetime | None = None
    version: str | None = None
