"""`tables.mlperf`."""

from dlaudit.rules.tables import mlperf


def test_seeds_keep_all_their_digits():
    for entry in mlperf.inference().rounds.values():
        assert all(seed.isdigit() and int(seed) < 2**64 for seed in entry.seeds.values())
