"""`tables.mlperf`."""

import pytest
from dlaudit.rules.tables import mlperf
from dlaudit.rules.tables.mlperf_common import categories, common


def test_seeds_keep_all_their_digits():
    for entry in mlperf.inference().rounds.values():
        assert all(seed.isdigit() and int(seed) < 2**64 for seed in entry.seeds.values())


def test_rows_name_no_scenario_that_the_suite_does_not_have():
    table = mlperf.inference()
    named = {*table.queries, *table.early_stopping.share, *table.compliance.tolerance, *table.scenarios.inferred_from}
    named |= {name for limits in table.token_latency_s.values() for name in limits}
    named |= {name for names in table.scenarios.inferred_from.values() for name in names}
    for entry in table.rounds.values():
        for member in entry.benchmarks.values():
            named |= {*member.datacenter, *member.edge, *member.queries}
    assert named <= set(common().scenarios)
    assert set(table.compliance.tolerance) == set(common().scenarios)


def test_no_wording_is_of_two_categories():
    wordings = [word for words in common().availability.categories.values() for word in words]
    assert len(categories()) == len(set(wordings)) == len(wordings)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("5.0-0042", "5.0"),
        ("5.0-0042.A", "5.0"),
        ("number 42", None),
        ("5.0", None),
    ],
)
def test_the_round_of_an_id(text, found):
    assert mlperf.round_of_id(text) == found


def test_ids_in_a_sentence():
    text = "Entries 5.0-0031 and 4.1-0058, not 15.0.1-0042."
    assert [name for name, _ in mlperf.ids_in(text)] == ["5.0-0031", "4.1-0058"]
