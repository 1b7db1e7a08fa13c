"""Texts that stand beside the logs of MLPerf Inference: the accuracy record and the verdicts of compliance tests."""

from __future__ import annotations

import re

from msgspec import Struct

from ....schemas.pattern import Pattern

LONGEST_LINE = 2000
MOST_BYTES = 8 << 20
TRUNCATED_BYTES = 10_240
"""The suite's script truncates outputs above this size to their first and last 4 KiB."""
_NAMES = (
    "accuracy|acc|mAP|AUC|F1|exact_match|mean|DICE|rouge1|rouge2|rougeL|rougeLsum|gen_len|gen_num|gen_tok_len|"
    "tokens_per_sample|CLIP_SCORE|FID_SCORE|gsm8k_accuracy|mbxp_accuracy|good|total|WER|BLEU|vbench_score|"
    "F1_HIERARCHICAL|DLRM_NE|DLRM_ACC|DLRM_AUC|mAP50|f1"
)
_METRIC = Pattern(
    rf"(?<![\w.])['\"]?({_NAMES})['\"]?\s{{0,4}}[=:]\s{{0,4}}['\"]?(-?[0-9]{{1,20}}(?:\.[0-9]{{1,20}})?)(%?)"
)
_HASH = Pattern(r"^\s*hash=([0-9a-fA-F]{64})\s*$")
_VERDICT = Pattern(r"TEST PASS|TEST FAIL|check pass:|TEST[0-9]{2} .{0,40}(?:complete|PASS|FAIL)", re.IGNORECASE)
_FIGURE = Pattern(
    r"^\s*(num_perf_log_data_mismatch|reference score|test score)\s*=\s*([0-9]{1,20}(?:\.[0-9]{1,20})?)\s*$",
    re.IGNORECASE,
)
_BAD = Pattern(r"TEST FAIL|pass: *False|TEST[0-9]{2} .{0,40}FAIL", re.IGNORECASE)
COUNTS = frozenset({"good", "total", "gen_num"})


class Scored(Struct, frozen=True):
    """An accuracy record.

    Attributes:
        metrics: by name, with their digits.
        percent: names of those printed with a percent sign.
        examples: evaluated examples, where printed.
        correct: right answers among them, where printed.
        digest: digest of the outputs that it names.
        line: line of the first metric.
    """

    metrics: dict[str, str]
    percent: frozenset[str]
    examples: int | None
    correct: int | None
    digest: str | None
    line: int


def read_accuracy(text: str) -> Scored:
    """Read an accuracy record; of a metric that is printed several times the last value counts."""
    metrics: dict[str, str] = {}
    percent: set[str] = set()
    counts: dict[str, int] = {}
    digest: str | None = None
    first = 1
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE or line.startswith("[nltk"):
            continue
        named = _HASH.match(line)
        if named is not None:
            digest = named[1].casefold()
            continue
        for name, value, sign in _METRIC.findall(line):
            if name in COUNTS:
                if value.isdigit() and int(value) > 0:
                    counts[name] = int(value)
                continue
            if not metrics:
                first = number
            metrics[name] = _plain(value)
            if sign:
                percent.add(name)
    examples = counts.get("total") or counts.get("gen_num")
    return Scored(metrics, frozenset(percent), examples, counts.get("good"), digest, first)


def _plain(value: str) -> str:
    """Return a number without zeros in front."""
    sign, digits = ("-", value[1:]) if value.startswith("-") else ("", value)
    whole, point, rest = digits.partition(".")
    return f"{sign}{whole.lstrip('0') or '0'}{point}{rest}"


class Verified(Struct, frozen=True):
    """The verdict of a compliance test.

    Attributes:
        words: the lines that say it.
        passed: whether none of them says that it failed.
        figures: outputs that differ and the two scores, by name, as printed.
    """

    words: str
    passed: bool
    figures: dict[str, str] = {}


def read_verdict(text: str) -> Verified | None:
    """Read the verdict of a compliance test; None where the text holds none."""
    lines = [line.strip() for line in text.split("\n") if len(line) <= LONGEST_LINE and _VERDICT.search(line)]
    if not lines:
        return None
    words = "; ".join(lines)[:1000]
    printed = (_FIGURE.match(line) for line in text.split("\n") if len(line) <= LONGEST_LINE)
    figures = {found[1].casefold().replace(" ", "_"): found[2] for found in printed if found is not None}
    return Verified(words, _BAD.search(words) is None, figures)


def holds_outputs(data: bytes) -> bool:
    """Whether a file of outputs lists any: performance runs leave an empty list."""
    return bool(data.strip(b"[] \t\r\n"))


def outputs_state(size: int, sha256: str, named: str | None) -> str:
    """Return whether the outputs that were handed in are whole or truncated, by their size and digest."""
    if named is not None and sha256 == named:
        return "whole"
    return "truncated" if size <= TRUNCATED_BYTES else "whole"
