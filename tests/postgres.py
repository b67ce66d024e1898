"""Databases of the embedded PostgreSQL, which the fixture `postgres_server` starts."""

import uuid

import psycopg


def new_database(server: str) -> str:
    """Make a database and return its address."""
    name = f"t{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    head, _, query = server.partition("?")
    return f"{head.rpartition('/')[0]}/{name}?{query}"
