"""Services whose requests are recorded, through the command line: an honest one passes under publication."""

import json

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from support.recorded import document

CLAIMS = {"server-rate", "server-goodput", "server-ttft", "server-tpot", "server-latency"}


def judged(folder, **how):
    """Return the verdict on each claim, and the codes of the findings that count against it."""
    path = folder / "served.json"
    path.write_text(json.dumps(document(**how)))
    line = ["lint", str(path), "--profile", "publication", "--format", "json", "--no-config"]
    done = CliRunner().invoke(cli, line, standalone_mode=False)
    claims = json.loads(done.output)["documents"][0]["claims"]
    return {
        name: (claim["verdict"], {found["code"] for found in claim["findings"] if found["effect"]})
        for name, claim in claims.items()
    }


def test_an_honest_service_passes_with_all_its_claims(tmp_path):
    found = judged(tmp_path)
    assert set(found) == CLAIMS
    assert set(map(repr, found.values())) == {repr(("PASS", set()))}


@pytest.mark.parametrize(
    ("how", "code", "verdict"),
    [
        ({"lost": 0.02}, "L11", "FAIL"),
        ({"stalls": (5.0, 8.0)}, "L15", "PASS WITH CAVEATS"),
        ({"distinct": 20, "cached": 0.8}, "L08", "FAIL"),
        ({"clients": 5}, "L14", "FAIL"),
        ({"tokens": 20}, "L09", "FAIL"),
    ],
)
def test_a_flawed_service_is_flagged(tmp_path, how, code, verdict):
    words, codes = judged(tmp_path, **how)["server-ttft"]
    assert code in codes
    assert words == verdict


def test_no_bound_is_drafted_where_too_many_requests_were_not_answered():
    assert "latency_bound" in document(trials=2, count=300)["claims"]["server-ttft"]
    assert "latency_bound" not in document(trials=2, count=300, lost=0.02)["claims"]["server-ttft"]
