"""Published rounds of the MLPerf suites: what was judged to be true is said, and nothing that was judged otherwise."""

import importlib.util
import json
import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2] / "benchmarks" / "rounds"
SPEC = importlib.util.spec_from_file_location("rounds", HERE / "measure.py")
measure = sys.modules["rounds"] = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(measure)

ROUNDS = os.environ.get("DLAUDIT_ROUNDS")
THERE = sorted(path.name for path in Path(ROUNDS).glob("*_results_v*") if path.is_dir()) if ROUNDS else []


def test_the_list_names_nobody():
    for line in measure.JUDGED.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        assert set(entry) == {"round", "result", "rule", "branch", "judgement", "evidence"}
        assert len(entry["result"]) == 64
        assert entry["judgement"] in {"true", "false", "unfair"}


@pytest.mark.slow
@pytest.mark.skipif(ROUNDS is None, reason="DLAUDIT_ROUNDS is not set")
@pytest.mark.parametrize("name", THERE)
def test_a_round_is_accused_of_what_is_true(name):
    known = measure.judgements()
    judged = measure.measure(Path(ROUNDS), [name])
    assert [part.refused for part in judged if part.refused] == []
    said = {each.key for part in judged for each in part.accusations}
    assert {key for key in said if known.get(key) != "true"} == set()
    seen = {each.key for part in judged if part.seen == measure.KNOWN for each in part.accusations}
    assert {key for key, judgement in known.items() if judgement == "true" and key[0] == name} <= seen
