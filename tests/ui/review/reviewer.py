"""A person with a browser session, without a browser."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from curation.ui.review.protocol import Letter, read_letter
from curation.ui.review.session import document, receive, show_answer
from curation.ui.review.sitting import Room, Sitting
from tests.ui.review.world import MIA, open_home

NOW = datetime(2026, 11, 30, 9, 12, tzinfo=UTC)


class Reviewer:
    """A person with a browser session, without a browser."""

    def __init__(self, home, person=MIA, now=NOW):
        self.workspace = open_home(home)
        self.room = Room(workspace=self.workspace, person=person, now=now)
        self.sitting, self.seq = Sitting(), 0

    def open(self, answer_id=None):
        show_answer(self.sitting, self.room, answer_id)
        return self.drawn()

    def drawn(self):
        return document(self.sitting, self.room, Letter())

    def send(self, *events):
        items = []
        for event in events:
            self.seq += 1
            items.append({"seq": self.seq, "serial": self.sitting.serial, **event})
        receive(self.sitting, self.room, read_letter({"client": "c", "n": 1, "items": items}))
        return self.drawn()

    def act(self, act, **args):
        return self.send({"type": "act", "act": act, "args": args})

    def type(self, field, value):
        return self.send({"type": "field", "field": field, "value": value, "v": self.seq + 1})

    def later(self, **gone):
        self.room = replace(self.room, now=self.room.now + timedelta(**gone))
        return self

    def pick(self, kind, words):
        passage = next(p for p in self.sitting.board.desk.passages.values() if words in p.text)
        at = passage.text.index(words)
        return self.send(
            {
                "type": "pick",
                "kind": kind,
                "block": passage.key,
                "start": at,
                "end": at + len(words),
            }
        )
