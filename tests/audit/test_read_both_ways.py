"""What a document leaves open is read in both ways: a flaw counts only where it is one in both."""

import json

import pytest
from dlaudit.audit.cli import run

PAPER = """\
dlaudit: submission/1
title: t
{published}
claims:
  c:
    statement: "Ours is {value} faster than the baseline."
    value: "{value}"
    unit: x
    quantity: rate
    form: ratio
    scope: step
    purpose: hardware_throughput
    mode: inference
    compares: {compares}
    measured: {{arm: new, metric: rate}}
    base: {{arm: old, metric: rate, definition: "the baseline"}}
    {more}
arms:
  new: {{system: here, devices: 1, performance: {{rate: {{quantity: rate, value: "{new}", unit: images/s}}}}}}
  old: {{system: there, devices: 1, performance: {{rate: {{quantity: rate, value: "1000", unit: images/s}}}}}}
systems:
  here: {{name: "1x H100", device: H100, released: "2022-10"}}
  there: {{name: "1x V100", device: V100, released: "{old}", superseded: "{superseded}"}}
"""


@pytest.fixture
def codes(tmp_path, capsys):
    def judged(**fields):
        usual = {"published": "", "value": "3.0x", "compares": "other_system", "more": "", "new": "3000",
                 "old": "2017-06", "superseded": "2020-05"}  # fmt: skip
        path = tmp_path / "paper.yaml"
        path.write_text(PAPER.format(**(usual | fields)))
        assert run(["lint", str(path), "--no-config", "--fail-on", "never", "--format", "json"]) == 0
        (report,) = json.loads(capsys.readouterr().out)["documents"]
        claim = report["claims"]["c"]
        return {f["code"]: f["outcome"] for f in claim["findings"]}

    return judged


@pytest.mark.parametrize(("new", "refuted"), [("4000", False), ("3000", False), ("5000", False), ("7000", True)])
def test_a_range_agrees_with_what_lies_in_it(codes, new, refuted):
    found = codes(value="3-5x", new=new)
    assert (found.get("F04") == "violation") == refuted


def test_a_month_accuses_only_where_each_of_its_days_would(codes):
    sure = codes(published='publication: {date: "2021-06"}')
    open_ = codes(published='publication: {date: "2020-05"}')
    assert "W0401" in sure, sure
    assert open_.get("W0401") != "violation"


def test_what_is_not_stated_accuses_nobody_of_either(codes):
    own, other = codes(compares="own_variants"), codes(compares="other_system")
    left_open = codes(compares="not_stated")
    accused = {code for code, outcome in left_open.items() if outcome == "violation"}
    assert accused <= {code for code in own if own[code] == "violation" and other.get(code) == "violation"}


def test_each_of_several_sides_must_hold(codes):
    one = codes(compares="other_system", more="comparator: {name: A, source: rerun, date: '2024-01-01', version: '1'}")
    both = codes(
        compares="other_system",
        more="comparators: [{name: A, source: rerun, date: '2024-01-01', version: '1'}, {name: B}]",
    )
    assert set(one) <= set(both)
    assert both != one
