"""L13, output-parity-unshown."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
NOTHING = {"outputs": None, "comparator": {"quality": None}}


@pytest.mark.parametrize(
    ("claim", "arms", "outcome"),
    [
        ({}, {}, PASS),
        ({"outputs": None}, {}, PASS),  # a score of both arms
        (NOTHING, {"theirs": {"quality": None}}, NOT_SHOWN),
        ({"outputs": None}, {"theirs": {"quality": None}}, PASS),  # that of the comparator
        ({**NOTHING, "outputs": {"compared": 50, "identical": 50}}, {"theirs": {"quality": None}}, NOT_SHOWN),
        ({**NOTHING, "outputs": {"compared": 100, "identical": 94}}, {"theirs": {"quality": None}}, PASS),
        ({**NOTHING, "site": "hosted"}, {"theirs": {"quality": None}}, NOT_APPLICABLE),
        ({**NOTHING, "scope": "kernel"}, {"theirs": {"quality": None}}, NOT_APPLICABLE),
        ({**NOTHING, "compares": "own_variants"}, {"theirs": {"quality": None}}, NOT_APPLICABLE),
        (NOTHING, {"theirs": {"quality": {"accuracy": {"metric": "ROUGE-L"}}}}, NOT_SHOWN),
    ],
)
def test_output_parity(judged, claim, arms, outcome):
    result = judged("serving-comparison", "L13", "speedup", {"claims": {"speedup": claim}, "arms": arms})
    assert result.outcome is outcome
    assert outcome is not NOT_SHOWN or result.branch.item == "output parity"


def test_output_parity_in_a_table(judged):
    columns = {"rate": {"quantity": "rate", "unit": "tokens/s"}, "em": {"quantity": "accuracy", "unit": "%"}}
    rows = {name: {"arm": name, "values": {"rate": "1", "em": "74.1"}} for name in ("ours", "theirs")}
    claim = {**NOTHING, "row": {"table": "t", "row": "ours", "base_row": "theirs"}}
    patch = {"claims": {"speedup": claim}, "arms": {"theirs": {"quality": None}}}
    patch["tables"] = {"t": {"columns": columns, "rows": rows}}
    assert judged("serving-comparison", "L13", "speedup", patch).outcome is PASS
    del rows["theirs"]["values"]["em"]
    assert judged("serving-comparison", "L13", "speedup", patch).outcome is NOT_SHOWN
