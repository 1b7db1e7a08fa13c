"""How many devices work together, and how that follows."""

import pytest
from dlaudit.rules.language.reading import Reading


@pytest.mark.parametrize(
    ("text", "devices", "nodes", "how"),
    [
        ("trained on a DGX-2", 16, 1, "system"),
        ("two DGX-2", 32, 2, "system"),
        ("3 DGX-2s", 48, 3, "system"),
        ("a p4d.24xlarge instance", 8, 1, "system"),
        ("four p4d.24xlarge instances", 32, 4, "system"),
        ("one GB200 NVL72 rack", 72, 18, "system"),
        ("2 DGX H100 systems (16 GPUs)", 16, 2, "system"),
        ("4 nodes of eight H100", 32, 4, "nodes"),
        ("16 nodes with 8 A100 GPUs each (128 GPUs)", 128, 16, "counted"),
        ("4x8xV100", 32, 4, "nodes"),
        ("128 servers with 4 GPUs each", 512, 128, "nodes"),
        ("Each of the 4 nodes holds a cable; each node contains 8 GPUs.", 32, 4, "nodes"),
        ("one node with 8 V100", 8, 1, "counted"),
        ("on one 80 GB GPU", 1, None, "counted"),
        ("8 (of 16) GPUs", 8, None, "counted"),
        ("8 GPUs of a DGX-2", 8, None, "counted"),
        ("an 8xA100 node", 8, None, "counted"),
        ("DGX A100 with 8 A100 GPUs", 8, None, "counted"),
        ("TPU v4-128", 64, None, "named"),
        ("TPU v5e-16", 16, None, "named"),
    ],
)
def test_the_devices_of_a_text(text, devices, nodes, how):
    found = Reading(text).devices()
    assert (found.devices, found.nodes, found.how) == (devices, nodes, how)
    assert 0 <= found.start < found.end <= len(text)


@pytest.mark.parametrize(
    "text",
    ["a GPU", "8 GPUs per node", "4 nodes", "from 8 to 64 GPUs", "up to 64 GPUs", "8 GPUs or 16 GPUs", "16 GPU streams",
     "a DGX-1 and a DGX-2", "TPU v3-8", "two DGX-2 with 8 GPUs", ""],
)  # fmt: skip
def test_what_is_not_certain_is_none(text):
    assert Reading(text).devices() is None
