"""Loads against servers that follow a script."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from dlaudit.runners.serving import client, load, process
from dlaudit.runners.workloads.parameters import Serving


@contextmanager
def loaded(script, count, **parameters) -> Iterator[tuple]:
    """Yield the requests of a load on a scripted server, with the server's own stamps."""
    asked = Serving(**{"arrival": "constant", "rate": 50.0, "prompt_tokens": 4, "output_tokens": 6} | parameters)
    planned = load.plan(asked, count, seed=1)
    closed = asked.concurrency if asked.arrival == "closed" else None
    with process.started("scripted", script) as url:
        to = client.Endpoint(url=url, model="m", api=asked.api, timeout_s=asked.timeout_s)
        table = client.table(planned, client.run(to, planned, closed), lambda text: len(text.split()))
        yield table, process.fetched(url, "/stamps")


@pytest.fixture
def serve():
    return loaded
