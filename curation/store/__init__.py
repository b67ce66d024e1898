"""The store: answers, reviews, drafts and changes in SQL. The caller owns the transaction."""

from sqlmodel import Session

from curation.store.drafts import SavedDraft
from curation.store.engine import Store, open_store
from curation.store.errors import (
    DraftChangedError,
    StoreTooNewError,
    StoreUnavailableError,
    UnknownFieldError,
)

__all__ = [
    "DraftChangedError",
    "SavedDraft",
    "Session",
    "Store",
    "StoreTooNewError",
    "StoreUnavailableError",
    "UnknownFieldError",
    "open_store",
]
