"""The output of nccl-tests becomes an arm for each size, out of place and in place."""

from pathlib import Path

from dlaudit.audit.lint.reports import of_file
from dlaudit.schemas.validation import validate

HEAD = """# nThread 1 nGpus 2 minBytes 8 maxBytes 1024 step: 2(factor) warmup iters: 5 iters: 20 validation: 1
#
#  Rank  0 Group  0 Pid  11 on node1 device  0 [0x07] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid  11 on node1 device  1 [0x0b] NVIDIA H100 80GB HBM3
#
#                                      out-of-place                       in-place
#       size  count   type   redop  root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)  (elements)                     (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
"""
END = "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 87.25\n#\n"


def read(*rows):
    found = of_file("out.txt", (HEAD + "".join(f"{row}\n" for row in rows) + END).encode(), Path()).draft
    assert not validate("submission", found.value)
    return found


def busbws(found):
    return [claim["value"] for claim in found.value["claims"].values()]


def test_bus_bandwidths_are_claimed_with_ranks_as_devices():
    found = read(
        "8 2 float sum -1 32.3 0.00 0.00 0 32.1 0.00 0.00 0",
        "1024 256 float sum -1 6.5 157.5 275.5 0 6.3 162.5 284.5 0",
    )
    assert busbws(found) == ["275.5", "284.5", "87.25"]
    assert {arm["devices"] for arm in found.value["arms"].values()} == {2}
    assert {system["device"] for system in found.value["systems"].values()} == {"NVIDIA H100 80GB HBM3"}
    where = found.origins["/claims/b1024-in-place-busbw/value"]
    assert found.files("out.txt").line(where.line)[where.column - 1 :].startswith("284.5")


def test_rows_with_wrong_values_and_cut_rows_are_named():
    found = read("1024 256 float sum -1 6.5 157.5 275.5 3 6.3 162.5 284.5 N/A", "2048 512 float sum -1 6.5")
    assert busbws(found) == ["284.5", "87.25"]
    assert any("3 wrong values" in text for text in found.unused)
    assert any("5 columns" in text or "6 columns" in text for text in found.unused)
