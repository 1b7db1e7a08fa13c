"""Q19, number-format-not-stated: A result whose number formats are missing, or a placeholder."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.patches import both

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        *[
            (text, PASS)
            for text in ("int8", "fp8", "BF16", "int8,fp16", "W8A8", "e4m3", "bfloat16", "FP32", "mxfp4", "nvfp4")
        ],
        *[(text, NOT_SHOWN) for text in ("UNSET", "-", "No change.", "quantised", "", "default")],
        *[(text, NOT_SHOWN) for text in ("8 bit or similar", "4-bit weights")],
        *[(text, PASS) for text in ("8-bit integers", "8-bit floating point")],
    ],
)
def test_what_names_a_number_format(inference, text, outcome):
    bare = {"options": {"precision": None, "quantisation": None}}
    fields = {"description": {"fields": {"weight_data_types": text, "input_data_types": None}}}
    assert inference("Q19", {"arms": {"offline": bare | fields}})[0] is outcome


def test_training_logs_name_formats_from_one_round_on(judged):
    bare = {"arms": {"retinanet": {"options": {"precision": None, "quantisation": None}}}}
    assert judged("suite-training", "Q19", "retinanet", bare).outcome is NOT_APPLICABLE
    late = both(bare, {"claims": {"retinanet": {"suite_result": {"round": "v6.0"}}}})
    assert judged("suite-training", "Q19", "retinanet", late).outcome is NOT_SHOWN
