"""The queue."""

from curation.ui import bar, guard
from curation.ui.tree import node
from curation.ui.view import view

guard.enter()
view([node("h1", "Queue")], key="title")
bar.events("queue")
bar.show("queue", [])
