"""Run by alembic with a connection whose transaction the caller owns."""

from alembic import context

from curation.store.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
