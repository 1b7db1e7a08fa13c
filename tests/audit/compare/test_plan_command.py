"""`dlaudit plan` through the command line."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli, run

ROOT = Path(__file__).parents[3]
EXAMPLE = str(ROOT / "schemas" / "examples" / "submission.yaml")


def plan(*arguments):
    return CliRunner().invoke(cli, ["plan", *arguments], standalone_mode=False)


def test_a_wider_spread_or_a_smaller_difference_needs_more_trials():
    def trials(difference):
        found = json.loads(plan(EXAMPLE, "--difference", difference, "--json").output)
        return {(item["arm"], item["metric"]): item["trials"] for item in found}

    wide, narrow = trials("0.05"), trials("0.002")
    assert narrow["fused", "rate"] > wide["fused", "rate"] >= 3
    assert all(narrow[key] >= wide[key] for key in wide)


def test_the_table_names_the_pilot():
    done = plan(EXAMPLE)
    assert done.return_value == 0
    assert "fused  rate" in done.output


@pytest.mark.parametrize(("arguments", "code"), [(["nowhere"], 2), ([EXAMPLE, "--difference", "0"], 2)])
def test_bad_input_ends_with_2(arguments, code):
    assert run(["plan", *arguments]) == code


def test_a_pilot_of_two_trials_is_said_to_be_too_small(tmp_path):
    path = tmp_path / "two.yaml"
    path.write_text(
        """\
dlaudit: submission/1
title: two
claims: {}
arms:
  a:
    performance: {rate: {quantity: rate, unit: images/s, column: step_time_s, work_per_iteration: 8}}
    trials:
      t1: {kind: throughput, outcome: completed, medians: {step_time_s: "0.1"}}
      t2: {kind: throughput, outcome: completed, medians: {step_time_s: "0.2"}}
""",
        encoding="utf-8",
    )
    assert plan(str(path)).return_value == 3
