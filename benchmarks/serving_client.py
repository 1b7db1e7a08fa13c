"""What the load generator of `serving` adds, beside other load generators on the same server: prints a table.

The server follows a script and stamps what it does on the clock that all processes share. Each tool sends it the same
load, prompts of 32 tokens and answers of 16, in an open loop at 50 requests a second; of the others their time between
tokens stands under TPOT. What a tool tells beyond the server's own stamps is the tool's. Other tools run where they are
installed: name the folders of their programs in PATH.

    .venv/bin/python -P benchmarks/serving_client.py [REQUESTS]
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from dlaudit.rules.statistics.intervals import quantile
from dlaudit.runners.serving import client, load, process
from dlaudit.runners.workloads.parameters import Serving
from dlaudit.schemas.requests import columns

SCRIPT = {"ttft_s": 0.05, "gap_s": 0.01, "role_first": True}
RATE, PROMPT, OUTPUT = 50, 32, 16
TIMEOUT_S = 240
Told = tuple[float, float, float, float]
"""Median and 99th percentile of the time to the first token, of the time per output token, in milliseconds."""


def main(requests: int) -> None:
    """Print a row for the server's stamps and one for each tool."""
    asked = Serving(rate=float(RATE), arrival="constant", prompt_tokens=PROMPT, output_tokens=OUTPUT)
    planned = load.plan(asked, requests, seed=1)
    with process.started("scripted", SCRIPT) as url:
        to = client.Endpoint(url=url, model="scripted", api="chat", timeout_s=30.0)
        table = client.table(planned, client.run(to, planned, None), None)
        stamps = process.fetched(url, "/stamps")
    assert isinstance(stamps, dict)
    taken = columns(table)
    print(f"{requests} requests, {RATE} a second; load of the machine {os.getloadavg()[0]:.1f}")
    print(f"{'':24}{'TTFT p50':>10}{'p99':>10}{'TPOT p50':>10}{'p99':>10}   ms")
    _row("the server's own stamps", _stamped(stamps))
    _row("dlaudit, from due", _told(taken["ttft_s"], taken["tpot_s"]))
    sent = [(first or 0.0) - (begun or 0.0) for first, begun in zip(table.first_content_s, table.sent_s, strict=True)]
    _row("dlaudit, from sent", _told(sent, taken["tpot_s"]))
    for name, run in TOOLS.items():
        if shutil.which(name) is None:
            print(f"{name:24}not installed here")
            continue
        with process.started("scripted", SCRIPT) as url, tempfile.TemporaryDirectory() as folder:
            found = next(run(url, requests, Path(folder)), None)
        if found is None:
            print(f"{name:24}told nothing")
        else:
            _row(name, found)


def _stamped(stamps: dict[str, list[float]]) -> Told:
    first = [written[0] - received for received, *written in stamps.values()]
    each = [(written[-1] - written[0]) / (len(written) - 1) for _, *written in stamps.values()]
    return _told(first, each)


def _told(first: list[float], each: list[float]) -> Told:
    return (1000 * median(first), 1000 * quantile(first, 0.99), 1000 * median(each), 1000 * quantile(each, 0.99))


def _row(name: str, told: Told) -> None:
    print(f"{name:24}" + "".join(f"{value:10.3f}" for value in told))


def _aiperf(url: str, requests: int, folder: Path) -> Iterator[Told]:
    line = ["aiperf", "profile", "--model", "scripted", "--url", url, "--endpoint-type", "chat", "--streaming"]
    line += ["--request-rate", str(RATE), "--arrival-pattern", "constant", "--request-count", str(requests)]
    line += ["--isl", str(PROMPT), "--osl", str(OUTPUT), "--tokenizer", str(_tokenizer(folder)), "--ui", "none"]
    _run([*line, "--artifact-dir", str(folder / "told")], folder)
    for path in (folder / "told").rglob("profile_export*.json"):
        value = json.loads(path.read_text())
        first, each = value.get("time_to_first_token"), value.get("inter_token_latency")
        if first and each:
            yield first["p50"], first["p99"], each["p50"], each["p99"]


def _guidellm(url: str, requests: int, folder: Path) -> Iterator[Told]:
    line = ["guidellm", "run", "--backend", f"kind=openai_http,target={url},model=scripted"]
    line += ["--profile", f"kind=constant,rate={RATE}", "--constraint", f"kind=max_requests,count={requests}"]
    line += ["--data", f"kind=synthetic_text,prompt_tokens={PROMPT},output_tokens={OUTPUT}"]
    line += ["--tokenizer", f"kind=hf_auto,model={_tokenizer(folder)}", "--disable-console-interactive"]
    _run([*line, "--output", f"kind=json,path={folder / 'told.json'}"], folder)
    if (folder / "told.json").exists():
        metrics = json.loads((folder / "told.json").read_text())["benchmarks"][0]["metrics"]
        first, each = (metrics[name]["successful"] for name in ("time_to_first_token_ms", "inter_token_latency_ms"))
        yield first["median"], first["percentiles"]["p99"], each["median"], each["percentiles"]["p99"]


def _tokenizer(folder: Path) -> Path:
    """Write a tokenizer for which a word is a token, and return its folder: other tools count with one."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = {"[UNK]": 0, **{f"w{index}": index + 1 for index in range(1000)}}
    whole = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    whole.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    PreTrainedTokenizerFast(tokenizer_object=whole, unk_token="[UNK]").save_pretrained(folder / "words")
    return folder / "words"


def _run(line: list[str], folder: Path) -> None:
    """Run a tool; what it prints is shown where it fails."""
    try:
        done = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        print(f"{line[0]}: not ended after {TIMEOUT_S} s")
        return
    if done.returncode:
        print(
            "\n".join(
                [f"{line[0]} ended with code {done.returncode}:", *(done.stdout + done.stderr).splitlines()[-12:]]
            )
        )


TOOLS: dict[str, Callable[[str, int, Path], Iterator[Told]]] = {"aiperf": _aiperf, "guidellm": _guidellm}


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
