"""Pure numbers: facts looked up in texts, quantities and their support, versions, keys."""

from curation.metrics.anchors import Quantity
from curation.metrics.facts import match_fact
from curation.metrics.forbidden import match_forbidden
from curation.metrics.items import quantities
from curation.metrics.normalise import same_question_key
from curation.metrics.presence import Match, Presence
from curation.metrics.support import faithfulness, unsupported_quantities
from curation.metrics.versions import same_version, versions_in

__all__ = [
    "Match",
    "Presence",
    "Quantity",
    "faithfulness",
    "match_fact",
    "match_forbidden",
    "quantities",
    "same_question_key",
    "same_version",
    "unsupported_quantities",
    "versions_in",
]
