"""P05, collective-bandwidth-exceeded: A training step that is over before its gradients could have been exchanged."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.answers import outcome_and_effect

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def scaled(link=2.5e8, gradient=1.02e8, system=None, **options):
    fields = {"link_bytes_per_s": link, **(system or {})}
    arm = {"footprint": {"gradient_bytes": gradient}, "options": options}
    return {"systems": {"x8": fields}, "arms": {"n8": arm}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (scaled(), VIOLATION),
        (scaled(2.5e10), PASS),
        (scaled(link=None), NOT_APPLICABLE),  # the table knows the links inside of one node only
        (scaled(1e9), NOT_SHOWN),  # eight devices of a node may share what leaves it
        (scaled(1e9, extra={"exchange": "hierarchical"}), PASS),
        (scaled(1e9, system={"devices_per_node": 1, "nodes": 64}), VIOLATION),
        (scaled(system={"devices_per_node": None}), NOT_APPLICABLE),
        (scaled(gradient=None), NOT_APPLICABLE),
        (scaled(1e8, sharding="ZeRO-3"), VIOLATION),  # added up and scattered once
        (scaled(1e9, sharding="ZeRO-1"), NOT_SHOWN),
        (scaled(2.5e9, sharding="ZeRO-1"), PASS),
        (scaled(sharding="none"), VIOLATION),
        (scaled(compression="top-k 1 %"), NOT_APPLICABLE),
        (scaled(staleness=2), NOT_APPLICABLE),
        (scaled(optimizer="local SGD"), NOT_APPLICABLE),
        (scaled(data_parallel=1), NOT_APPLICABLE),
        (scaled(global_batch=None), NOT_APPLICABLE),
    ],
)
def test_collectives(judged, patch, outcome):
    result = judged("strong-scaling", "P05", "speedup", patch)
    assert outcome_and_effect(result) == (outcome, UNDERMINES if outcome is VIOLATION else None), result


@pytest.mark.parametrize("statistic", [{"points": 1}, {"form": "absolute"}])
def test_one_point_has_its_links_too(judged, statistic):
    patch = scaled()
    patch["claims"] = {"speedup": statistic}
    assert judged("strong-scaling", "P05", "speedup", patch).outcome is VIOLATION


def test_a_network_that_adds_up_needs_the_bytes_once(judged):
    """Between one and two times the bytes over the bandwidth only the ring is too slow."""
    result = judged("strong-scaling", "P05", "speedup", scaled())
    least = float(result.branch.recomputed.split()[0])
    longest = float(result.branch.claimed.split()[0])
    link = 2.5e8 * least / longest / 1.5
    assert judged("strong-scaling", "P05", "speedup", scaled(link)).outcome is VIOLATION
    for wires in ("InfiniBand with SHARP", None):
        patch = scaled(link, system={"interconnect": wires})
        assert judged("strong-scaling", "P05", "speedup", patch).outcome is not VIOLATION
