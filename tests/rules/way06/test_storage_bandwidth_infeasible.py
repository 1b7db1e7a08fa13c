"""W0603, storage-bandwidth-infeasible: More samples per second than the slowest link carries bytes for."""

import pytest
from dlaudit.rules.outcome import C3, REFUTES, Outcome
from support.patches import arm, claim, measured, with_

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
FAR = {"bytes_per_sample": 600000, "dataset_bytes": 9 * 10**12, "cache_bytes": 4 * 10**11, "link_bytes_per_s": 1e9}


class TestStorageBandwidth:
    def judge(self, judged, more=None, **pipeline):
        patch = arm("a", measurement={"pipeline": {"kind": "real", **FAR, **pipeline}})
        return judged("rate", "W0603", "rate", with_(patch, more or {}))

    def test_more_than_the_link_carries(self, judged):
        result = self.judge(judged)
        assert (result.branch.effect, result.branch.confidence) == (REFUTES, C3)

    @pytest.mark.parametrize(
        ("pipeline", "outcome"),
        [
            ({"link_bytes_per_s": 1.25e9}, VIOLATION),
            ({"link_bytes_per_s": 1.4e9}, PASS),
            ({"dataset_bytes": 5 * 10**11}, PASS),
            ({"cache_bytes": 4 * 10**12}, PASS),
            ({"cache_bytes": 2 * 10**12}, VIOLATION),
            ({"dataset_bytes": None}, NOT_SHOWN),
            ({"kind": "synthetic"}, NOT_APPLICABLE),
            ({"kind": "cached_device"}, NOT_APPLICABLE),
            ({"bytes_per_sample": None}, NOT_APPLICABLE),
        ],
        ids=[
            *("just above", "within rounding", "fits the host", "half is cached", "little is cached"),
            *("size unknown", "generated", "resident", "no bytes"),
        ],
    )
    def test_links_and_caches(self, judged, pipeline, outcome):
        assert self.judge(judged, **pipeline).outcome is outcome

    def test_no_cache_is_known(self, judged):
        no_memory = {"systems": {"node": {"host_memory_gib": None}}}
        assert self.judge(judged, no_memory, cache_bytes=None).outcome is NOT_SHOWN

    def test_compressed_files_grow_when_they_are_read(self, judged):
        splits = arm("a", splits={"train": {"examples": 9 * 10**7}})
        assert self.judge(judged, splits).outcome is PASS

    def test_every_device_may_have_a_link(self, judged):
        assert self.judge(judged, arm("a", devices=8)).outcome is NOT_SHOWN

    @pytest.mark.parametrize(
        ("unit", "value", "outcome"),
        [("tokens/s", "2500", NOT_APPLICABLE), ("steps/s", "2500", NOT_APPLICABLE), ("kimages/s", "2.50", VIOLATION)],
    )
    def test_units(self, judged, unit, value, outcome):
        assert self.judge(judged, claim("rate", unit=unit, value=value)).outcome is outcome

    def test_tokens_with_a_length(self, judged):
        tokens = claim("rate", unit="tokens/s", value="2560000") | arm("a", options={"input_length": 1024})
        assert self.judge(judged, tokens).outcome is VIOLATION

    def test_up_to_tells_no_least_rate(self, judged):
        assert self.judge(judged, claim("rate", qualifier="up_to")).outcome is NOT_APPLICABLE

    def test_projections_are_not_measured(self, judged):
        assert self.judge(judged, claim("rate", basis="projected")).outcome is NOT_APPLICABLE

    def test_a_ratio_stands_on_its_metric(self, judged):
        ratio = claim("rate", form="ratio", unit="x", value="1.4")
        assert self.judge(judged, ratio).outcome is VIOLATION
        assert self.judge(judged, with_(ratio, claim("rate", measured={"metric": "none"}))).outcome is NOT_APPLICABLE

    def test_rates_per_device(self, judged):
        """2500 images/s on each of eight devices need eight times the bytes, whoever has a link."""
        more = with_(claim("rate", unit="images/s/GPU"), arm("a", devices=8))
        assert self.judge(judged, more).outcome is VIOLATION

    def test_the_memory_of_all_nodes_counts(self, judged):
        system = {"systems": {"node": {"nodes": 20}}}
        assert self.judge(judged, system, cache_bytes=None).outcome is PASS


@pytest.mark.parametrize(("cache", "effect"), [(0, REFUTES), (9_000_000_000_000, None)])
def test_the_declared_cache_counts_before_host_memory(judged, cache, effect):
    pipeline = {"kind": "real", "bytes_per_sample": 600000, "dataset_bytes": 900_000_000_000, "link_bytes_per_s": 1e9}
    patch = measured(pipeline=pipeline | {"cache_bytes": cache})
    patch["systems"] = {"node": {"host_memory_gib": 4096, "nodes": 1}}
    branch = judged("rate", "W0603", "rate", patch).branch
    assert (branch.effect if branch is not None else None) is effect
