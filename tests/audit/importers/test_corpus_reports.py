"""Every real report of the collection named by DLAUDIT_CORPUS: read without a crash, judged, or refused in one line."""

import os
from collections import Counter
from pathlib import Path

import pytest
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings
from dlaudit.schemas.errors import UserError

CORPUS = os.environ.get("DLAUDIT_CORPUS")
pytestmark = pytest.mark.skipif(CORPUS is None, reason="DLAUDIT_CORPUS is not set")
FILES = sorted(
    path for part in ("reports", "tables") for path in Path(CORPUS or ".").glob(f"{part}/**/*") if path.is_file()
)
TOOLS = sorted({path.relative_to(CORPUS).parts[1] for path in FILES} if CORPUS else ())
READ = {
    "algoperf": 1, "asv": 1, "bigscience": 1, "dawnbench": 116, "google-benchmark": 10, "keras-history": 1,
    "lambdal": 41, "lightning-csv": 2, "llama-bench": 1, "llm-d-benchmark": 2, "llmperf": 17, "lm-eval": 30,
    "ml-energy": 4, "modded-nanogpt": 1, "nvbench": 2, "nvidia-megatron-lm": 8, "optimum-benchmark": 4, "pyperf": 11,
    "pyperformance": 5, "pytest-benchmark": 12, "sglang": 1, "superbench": 1, "timm": 1, "vllm": 3,
}  # fmt: skip
"""How many files of each tool are reports that an importer reads; the others are descriptions, configurations, formats
without an importer, and deliberately broken files."""
ACCEPTED = {
    # a speed-up column or a scaling column that its own numbers contradict, swapped columns, labels against batches
    "nvidia-dle__MxNet__Classification__RN50v1.5__README.md": {"F04": 1},
    "nvidia-dle__TensorFlow__LanguageModeling__BERT__README.md": {"F04": 14, "W1101": 36, "P13": 6, "M27": 176},
    "nvidia-dle__PyTorch__Classification__ConvNets__resnet50v1.5__README.md": {"M27": 16},
    # one call as warm-up, as declared
    "pyperf": {"M01": 1},
}
"""What refutes or undermines a claim there, each looked at and found true."""


MOST_BYTES = {"llmperf": 57_000, "timm": 40_000}
"""Of files of one form, the long ones say nothing that the short ones do not."""


def refused(error):
    """A refusal is one line of bounded length."""
    assert "\n" not in str(error)
    assert len(str(error)) < 1500


def report_of(path):
    try:
        (found,) = read_documents([str(path)])
    except UserError as error:
        return refused(error)
    return lint(found, Settings()).report


@pytest.mark.slow
@pytest.mark.parametrize("tool", TOOLS)
def test_every_file_of_a_tool_ends_in_a_verdict_or_one_line(tool):
    read, strong = 0, Counter()
    for path in FILES:
        if path.relative_to(CORPUS).parts[1] != tool or path.stat().st_size > MOST_BYTES.get(tool, 2_000_000):
            continue
        report = report_of(path)
        if report is None:
            continue
        read += 1
        assert [f.message for f in report.all_findings if f.outcome == "error"] == [], path
        for finding in report.all_findings:
            if finding.outcome == "violation" and str(finding.effect) != "caveat":
                strong[finding.code] += 1
    assert read == READ.get(tool, 1 if tool.endswith(".md") else 0)
    assert dict(strong) == ACCEPTED.get(tool, {})
