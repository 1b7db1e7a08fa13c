"""The quality of a service out of a record of lm-evaluation-harness: tied to the option set that was served."""

import json

import pytest
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings

SERVED = {
    "backend": "vllm",
    "model_id": "org/decoder-8b",
    "num_prompts": 1000,
    "request_rate": 4.0,
    "duration": 252.0,
    "completed": 1000,
    "failed": 0,
    "total_input_tokens": 512000,
    "total_output_tokens": 128000,
    "request_throughput": 3.97,
    "output_throughput": 507.9,
    "mean_ttft_ms": 120.0,
    "mean_tpot_ms": 18.0,
}
EVALUATED = {
    "results": {"gsm8k": {"exact_match,strict-match": 0.75, "exact_match_stderr,strict-match": 0.0119}},
    "versions": {"gsm8k": 3},
    "config": {"model": "vllm", "model_args": "pretrained=org/decoder-8b,dtype=bfloat16", "limit": None},
    "n-samples": {"gsm8k": {"original": 1319, "effective": 1319}},
    "model_name": "org/decoder-8b",
}


def drafted(folder, name, value):
    path = folder / name
    path.write_text(json.dumps(value))
    (document,) = read_documents([str(path)])
    return document.source.value


@pytest.mark.parametrize(("quantisation", "flagged"), [("none", False), ("fp8 weights", True)])
def test_a_quality_of_another_option_set_is_not_that_of_the_service(tmp_path, quantisation, flagged):
    service = drafted(tmp_path, "serve.json", SERVED)
    record = drafted(tmp_path, "results.json", EVALUATED)
    (evaluated,) = record["arms"].values()
    (arm,) = service["arms"]
    service["arms"][arm]["options"] = {**evaluated["options"], "quantisation": quantisation}
    service["arms"]["evaluated"] = {**evaluated, "options": {**evaluated["options"], "quantisation": "none"}}
    metric = next(iter(evaluated["quality"]))
    for claim in service["claims"].values():
        claim["quality"] = {"arm": "evaluated", "quality": metric}
    path = tmp_path / "both.json"
    path.write_text(json.dumps(service))
    report = lint(read_documents([str(path)])[0], Settings()).report
    shown = {finding.code for claim in report.claims for finding in claim.findings if finding.effect}
    assert ("W0801" in shown) is flagged
