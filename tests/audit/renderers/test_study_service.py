"""The plots of a service: what more load costs, and how many requests keep the objective."""

import re
from dataclasses import replace

import pytest
from dlaudit.audit.renderers.study import picture, service, service_work
from dlaudit.audit.renderers.study.figures import Shown
from dlaudit.rules.case import Side, Study
from dlaudit.schemas.evidence import Measurement
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from msgspec import structs
from support.recorded import document

STUDY = Study("study", None, "absent")


def shown(name, rate, lost=0.0, **more):
    value = document(trials=2, count=100, lost=lost, load={"request_rate": rate, **more})
    arm = to_model(value, Submission).arms["server"]
    return Shown(name, Side(f"study:{name}", arm, None, STUDY), arm.performance["rate"], (), None, (0, 0))


@pytest.fixture(scope="module")
def arms():
    return [shown("high", 24.0, lost=0.3), shown("low", 12.0)]


def test_requests_that_keep_the_objective_are_drawn_over_what_was_offered(arms):
    found = {plot.title: plot for plot in service.plots(arms)}
    assert set(found) == {
        "Throughput against latency",
        "Requests that keep the objective",
        "Time to the first token",
        "Time per output token",
        "Time of a request",
        "Requests one after another",
    }
    plot = found["Requests that keep the objective"]
    assert [row[:2] for row in plot.table.rows] == [("low", "12"), ("high", "24")]
    low, high = (float(row[3]) for row in plot.table.rows)
    assert low > high
    assert f"in low: {plot.table.rows[0][3]} a second" in plot.says
    assert len(re.findall("<circle", plot.svg)) == 4


def test_one_load_has_no_curve_and_two_kinds_of_load_share_none(arms):
    alone = {plot.title for plot in service.plots(arms[:1])}
    mixed = {plot.title for plot in service.plots([arms[0], shown("closed", None, loop="closed", concurrency=4)])}
    assert "Requests that keep the objective" not in alone | mixed


def test_prefill_and_decode_are_drawn_under_the_measured_roof(arms):
    assert service_work.roofline(arms) is None
    done = {"calls": 10, "tokens": 400, "seconds": 0.5, "operations": 4e6, "bytes": 1e6}
    ceilings = {"product_flops": {"fp32": 5e9}, "size": 1024, "copy_bytes_per_s": 1e9, "operand_entropy_bits": 7.3}
    work = {"prefill": done, "decode": done | {"tokens": 20, "operations": 2e5}, "ceilings": ceilings}
    arm = arms[1].side.arm
    told = structs.replace(arm, measurement=to_model({"served_work": work}, Measurement))
    plot = service_work.roofline([replace(arms[1], side=structs.replace(arms[1].side, arm=told))])
    assert [row[1:] for row in plot.table.rows] == [
        ("prefill", "40", "4 per byte", "8 MFLOP/s"),
        ("decode", "2", "0.2 per byte", "400 kFLOP/s"),
    ]


def test_energy_of_a_token_is_told_where_it_was_measured(arms):
    cells = dict(picture.COLUMNS)
    arm = arms[1]
    assert cells["Energy per token"](arm) == ("", "")
    rate = arm.side.arm.performance["rate"]
    each = type(rate)(at="", quantity="energy", value="0.25", unit="J")
    side = Side(arm.side.id, type(arm.side.arm)(at="", performance={"energy_per_token": each}), None, STUDY)
    assert cells["Energy per token"](Shown(arm.name, side, None, (), None, (0, 0))) == ("0.25 J", "")
