"""Planned loads: arrivals and lengths from a seed."""

import json
from itertools import pairwise
from statistics import fmean, pvariance

import pytest
from dlaudit.runners.serving.load import plan, record
from dlaudit.runners.workloads.parameters import Serving
from dlaudit.schemas.errors import UserError


@pytest.mark.parametrize(
    ("arrival", "burstiness", "variation"),
    [("poisson", 1.0, 1.0), ("gamma", 4.0, 4.0), ("gamma", 0.25, 0.25), ("constant", 1.0, 0.0)],
)
def test_arrivals_have_their_rate_and_variation(arrival, burstiness, variation):
    planned = plan(Serving(arrival=arrival, rate=20.0, burstiness=burstiness), 4000, seed=3)
    gaps = [two.due_s - one.due_s for one, two in pairwise(planned)]
    assert fmean(gaps) == pytest.approx(1 / 20, rel=0.1)
    assert pvariance(gaps) / fmean(gaps) ** 2 == pytest.approx(variation, rel=0.15, abs=0.01)


@pytest.mark.parametrize("lengths", ["fixed", "uniform", "lognormal"])
def test_lengths_have_their_mean_and_stay_in_bounds(lengths):
    asked = Serving(prompt_tokens=30, prompt_lengths=lengths, output_tokens=20, output_lengths=lengths)
    planned = plan(asked, 2000, seed=5)
    assert fmean(one.prompt_tokens for one in planned) == pytest.approx(30, rel=0.05)
    assert max(one.prompt_tokens + one.output_tokens for one in planned) <= asked.longest
    assert all(len(one.prompt.split()) == one.prompt_tokens for one in planned)


def test_one_seed_gives_one_load():
    asked = Serving(arrival="gamma", prompt_lengths="uniform")
    assert plan(asked, 50, seed=1) == plan(asked, 50, seed=1)
    assert plan(asked, 50, seed=1) != plan(asked, 50, seed=2)


def test_prompts_share_a_prefix_and_repeat_where_asked():
    planned = plan(Serving(prompt_tokens=12, shared_prefix_tokens=8, distinct_prompts=4), 40, seed=1)
    assert len({tuple(one.prompt.split()[:8]) for one in planned}) == 1
    assert len({one.prompt for one in planned}) == 4
    assert record(Serving(), planned)["duplicate_prompts"] == 0.9


def test_a_trace_gives_times_and_lengths(tmp_path):
    rows = [{"at_s": at, "prompt_tokens": 3 + at, "output_tokens": 2} for at in (5, 4, 9)]
    (tmp_path / "trace.jsonl").write_text("\n".join(map(json.dumps, rows)))
    asked = Serving(arrival="trace", trace=str(tmp_path / "trace.jsonl"))
    assert [(one.due_s, one.prompt_tokens) for one in plan(asked, 3, seed=1)] == [(0, 7), (1, 8), (5, 12)]
    with pytest.raises(UserError, match="has 3 requests of 4"):
        plan(asked, 4, seed=1)
    (tmp_path / "trace.jsonl").write_text('{"at_s": 1, "prompt_tokens": 0, "output_tokens": 2}')
    with pytest.raises(UserError, match="out of range"):
        plan(asked, 1, seed=1)
