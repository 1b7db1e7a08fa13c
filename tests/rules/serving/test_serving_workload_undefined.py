"""L01, serving-workload-undefined: A serving number of a language model without lengths, load or batching."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("load", "claim", "missing"),
    [
        ({}, {}, ""),
        ({"prompt_length": None}, {}, "prompt lengths"),
        ({"output_length": None}, {}, "output lengths"),
        ({"batching": None}, {}, "batching"),
        ({"concurrency": None, "arrival": None}, {}, "concurrency"),
        ({"concurrency": None}, {}, ""),
        ({"batching": None}, {"site": "hosted"}, "where the client ran"),
        ({"batching": None, "client": "same region", "date": "2026-02-01"}, {"site": "hosted"}, ""),
    ],
)
def test_serving_workloads(judged, load, claim, missing):
    patch = {"claims": {"rate": claim}, "arms": {"server": {"performance": {"rate": {"load": load}}}}}
    result = judged("serving", "L01", "rate", patch)
    assert result.outcome is (NOT_SHOWN if missing else PASS)
    assert not missing or missing in result.branch.message
