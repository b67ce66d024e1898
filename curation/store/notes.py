"""What the store remembers under a name."""

from curation.store.sql import read_note, write_note

__all__ = ["read_note", "write_note"]
