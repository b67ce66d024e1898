"""A publisher in a process of its own: reads batches of approved changes, publishes each.

Run as `python -m tests.golden.publisher GOLDEN BATCHES`; says `ready` before it begins and the
version after each batch.
"""

import sys
from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter

from curation.domain.change import Change
from curation.domain.person import Person
from curation.golden import ApprovedChange, Location, publish

BATCHES = TypeAdapter(list[list[Change]])
ROB = Person(name="Rob Oduya", email="rob@example.org")


def main(golden: str, batches: str) -> None:
    location = Location.at(Path(golden))
    work = BATCHES.validate_json(Path(batches).read_bytes())
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for batch in work:
        approved = [
            ApprovedChange(change=c, approvers=tuple(a.person for a in c.valid_approvals))
            for c in batch
        ]
        done = publish(location, approved, publisher=ROB, now=datetime(2026, 11, 3, tzinfo=UTC))
        assert not done.conflicts, done.conflicts
        sys.stdout.write(f"{done.version}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
