"""The sample world: a documentation corpus, pipelines over it, and what users made of them.

It is written as files that are loaded like anyone's.
"""

from curation.sample.delivery import write_delivery
from curation.sample.files import WorldFiles, write_world

__all__ = ["WorldFiles", "write_delivery", "write_world"]
