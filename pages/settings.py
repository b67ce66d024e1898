"""Settings."""

from curation.ui import bar, guard
from curation.ui.tree import node
from curation.ui.view import view

guard.enter()
view([node("h1", "Settings")], key="title")
bar.events("settings")
bar.show("settings", [])
