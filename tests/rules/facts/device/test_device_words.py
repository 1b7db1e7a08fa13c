"""The fact `device.device_words`."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.case import Case
from dlaudit.rules.facts.device.device_words import device_words
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission


@pytest.mark.parametrize(
    ("text", "models"),
    [
        ("XE9680x8H200-SXM-141GB", {"h200"}),
        ("abci_1024xV100_pytorch", {"v100"}),
        ("2xNVIDIA GB200", {"gb200", "b200"}),
        ("tpu-v3-1024", {"tpuv3"}),
        ("1xNF5488A5", set()),
        ("FjordBox 200 (1x L4, TensorRT)", {"l4"}),
        ("NVIDIA T4", {"t4"}),
        ("node-t4-03 in zone us-a2", set()),
        ("CH1000 rack", set()),
        ("", set()),
    ],
)
def test_models_in_labels(text, models):
    case = Case(to_model(base("rate"), Submission))
    assert device_words(case, text) == models
