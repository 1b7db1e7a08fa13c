"""Task accuracies and perplexities of what is served, by lm-evaluation-harness against the same server.

The harness is a program of its own, started once the load is over; what it wrote is kept beside the trial's events.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ...schemas.errors import UserError
from ..trial import events
from ..trial.attempt import die_with
from ..workloads.parameters import LmEval, Serving

if TYPE_CHECKING:
    from .client import Endpoint

AT_ONCE = 8
KEPT = ".lm_eval"
"""What stands between the trial's name and the names of the harness's own files."""
COUNTED = frozenset({"acc", "acc_norm", "exact_match"})
"""Metrics that are 0 or 1 for each example, unless a task has a function of its own for them."""
BESIDE = frozenset({"sample_len", "samples", "sample_count"})
"""Counts of examples that some versions print among the metrics."""
SHOWN = 300
"""Characters of what the harness said last, where it fails."""


def program(asked: LmEval) -> str:
    """Return the path of the harness.

    Raises:
        UserError: it is not installed.
    """
    own = Path(sys.executable).parent / asked.program
    found = shutil.which(asked.program) or (str(own) if own.is_file() else None)
    if found is None:
        todo = "pip install 'lm-eval[api]', or name its path as `program`"
        raise UserError(f"{asked.program} is not installed here", todo, "/workload/lm_eval")
    return found


def measured(asked: Serving, to: Endpoint, keep: Path) -> Iterator[events.Scored]:
    """Yield the qualities that the harness measures of a server, and keep its files.

    Args:
        asked: parameters of the service.
        to: the server.
        keep: path that the names of the kept files begin with.

    Raises:
        UserError: the harness is not installed, fails, or writes no results.
    """
    assert asked.lm_eval is not None
    with tempfile.TemporaryDirectory(prefix="dlaudit-lm-eval-") as folder:
        _run(asked, asked.lm_eval, to, Path(folder))
        for path in sorted(Path(folder).rglob("samples_*.jsonl")):
            task = path.name.removeprefix("samples_").rpartition("_")[0]
            shutil.copyfile(path, f"{keep}{KEPT}.{task}.jsonl")
        results = sorted(Path(folder).rglob("results_*.json"))
        if not results:
            raise UserError("lm-evaluation-harness wrote no results", "see the trial's log", "/workload/lm_eval")
        shutil.copyfile(results[-1], f"{keep}{KEPT}.results.json")
    yield events.Scored(qualities=qualities(Path(f"{keep}{KEPT}.results.json")))


def qualities(path: Path) -> dict[str, dict[str, Any]]:
    """Return the qualities in a file of results, each as `quality` in common.schema.json, by id.

    Raises:
        UserError: it is no file of results, or holds none.
    """
    try:
        record = msgspec.json.decode(path.read_bytes())
        found = {
            _identifier(f"{task}-{key}"): _quality(record, task, key)
            for task, held in record["results"].items()
            for key, value in held.items()
            if _is_metric(key, value)
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"the results of lm-evaluation-harness cannot be read: {type(error).__name__}"
        raise UserError(what, "install version 0.4 of it", str(path)) from None
    if not found:
        raise UserError("the results of lm-evaluation-harness hold no number", "see the trial's log", str(path))
    return found


def _run(asked: Serving, what: LmEval, to: Endpoint, folder: Path) -> None:
    chat = to.api == "chat"
    path = "/v1/chat/completions" if chat else "/v1/completions"
    arguments = {"model": to.model, "base_url": to.url.rstrip("/") + path, "num_concurrent": AT_ONCE}
    if asked.url is None:
        arguments |= {"max_length": asked.length}
    told = ",".join(f"{name}={value}" for name, value in (arguments | what.arguments).items())
    line = [program(what), "--model", "local-chat-completions" if chat else "local-completions", "--model_args", told]
    line += ["--tasks", ",".join(what.tasks), "--output_path", str(folder), "--log_samples"]
    line += ["--apply_chat_template"] if chat else []
    for flag, value in (("--include_path", what.include), ("--num_fewshot", what.shots), ("--limit", what.limit)):
        line += [flag, str(value)] if value is not None else []
    key = os.environ.get(asked.key_variable) if asked.key_variable else None
    done = subprocess.run(
        line,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=os.environ | {"OPENAI_API_KEY": key or "none"},
        preexec_fn=die_with(os.getpid()),
        check=False,
    )
    said = done.stdout.decode(errors="replace")
    sys.stderr.write(said)
    if done.returncode:
        last = said.strip().rpartition("\n")[2][-SHOWN:]
        raise UserError(f"lm-evaluation-harness failed: {last}", "see the trial's log", "/workload/lm_eval")


def _is_metric(key: str, value: object) -> bool:
    name = key.partition(",")[0]
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return is_number and not name.endswith("_stderr") and name not in BESIDE


def _quality(record: Mapping[str, Any], task: str, key: str) -> dict[str, Any]:
    held, of_task = record["results"][task], record.get("configs", {}).get(task, {})
    name, _, filtered = key.partition(",")
    suffix = f" ({filtered})" if filtered not in {"", "none"} else ""
    value: dict[str, Any] = {
        "metric": f"{task} {name}{suffix}",
        "value": repr(held[key]),
        "split": _split(of_task),
        "harness": f"lm-evaluation-harness {record['lm_eval_version']}, task version {record['versions'].get(task)}",
        "counted": name in COUNTED and of_task.get("process_results") is None and bool(of_task),
    }
    higher = record.get("higher_is_better", {}).get(task, {}).get(name)
    if higher is not None:
        value["direction"] = "higher" if higher else "lower"
    if counts := record.get("n-samples", {}).get(task):
        value |= {"examples": counts["effective"], "last_batch": "kept"}
        if counts["effective"] < counts["original"]:
            value["subset"] = f"{counts['effective']} of {counts['original']} examples"
    if (shots := record.get("n-shot", {}).get(task)) is not None:
        value["prompts"] = f"{shots} shots"
    error = held.get(f"{name}_stderr" + (f",{filtered}" if filtered else ""))
    if isinstance(error, float) and 0 < error < math.inf:  # of answers that are all right it is 0, which is no error
        value["plus_minus"] = {"value": repr(error), "label": "sem", "varies": "examples"}
    return value


def _split(of_task: Mapping[str, Any]) -> str:
    """Return the split that a task is evaluated on: the harness takes the test split where there is one."""
    return "test" if of_task.get("test_split") else "validation" if of_task.get("validation_split") else "unlabelled"


def _identifier(name: str) -> str:
    kept = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in name.removesuffix(",none"))
    return kept[:60] if kept[:1].isalnum() else f"task{kept}"[:60]
