"""Review: one answer, its passages and its case on one screen."""

from curation.ui import guard
from curation.ui.review import page

guard.enter()
page.show()
