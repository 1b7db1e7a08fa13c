"""I03, claim-unlinked: A measured number without a link to the option set and the run behind it."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        ({}, PASS),
        ({"claims": {"rate": {"measured": {"arm": "nowhere"}}}}, NOT_SHOWN),
        ({"arms": {"a": {"options": None}}}, NOT_SHOWN),
        ({"arms": {"a": {"options": None, "option_set": "sha256:" + "0" * 64}}}, PASS),
        ({"arms": {"a": {"performance": None, "trials": None}}}, NOT_SHOWN),
    ],
)
def test_links(judged, patch, outcome):
    assert judged("rate", "I03", "rate", patch).outcome is outcome


def test_a_row_of_an_imported_table_links_itself(judged):
    table = {"columns": {"rate": {"quantity": "rate", "unit": "images/s"}}, "rows": {"r": {"values": {"rate": "2500"}}}}
    patch = {"claims": {"rate": {"measured": None, "row": {"table": "t", "row": "r"}}}, "tables": {"t": table}}
    assert judged("rate", "I03", "rate", patch).outcome is PASS
