"""Requests of a serving benchmark: how many were sent, answered and lost, under which load, and their raw times."""

from __future__ import annotations

import math
from statistics import fmean
from typing import Any

from msgspec import Struct

from ..draft import Drafting, at
from ..records import Record, day, samples
from .serving_fields import key_of, keys_of

LISTS = ("ttfts", "output_lens", "input_lens", "errors")
"""Lists with an entry for each request that was sent, whatever became of it."""
NEAR = 1e-6


class Counts(Struct, frozen=True):
    """Requests of a record.

    Attributes:
        planned: that were to be sent.
        completed: that were answered.
        failed: that were not.
        agree: whether the report's own numbers and lists tell one story of them.
    """

    planned: int | None
    completed: int | None
    failed: int | None
    agree: bool

    @property
    def stated(self) -> dict[str, Any]:
        """The counts as a submission has them; empty without any."""
        found = {"planned": self.planned, "completed": self.completed, "failed": self.failed}
        kept = {name: value for name, value in found.items() if value is not None}
        return {"unit": "request", **kept} if kept else {}


def counts(record: Record, used: set[str]) -> Counts:
    """Return how many requests were sent, answered and lost.

    Lost are those that the report counts, those with a text among `errors`, or those that were sent beyond the answered
    ones, whichever are more. Where it neither counts nor lists them, what was planned and not completed is lost; else
    fewer may have been sent than planned, of a data set that ran out.
    """
    sent = max((len(value) for name in LISTS if isinstance(value := record.value.get(name), list)), default=0) or None
    planned = record.whole(key_of(record, "num_prompts", "results_num_requests_started"))
    completed = record.whole(key_of(record, "completed", "results_num_completed_requests"))
    stated = record.whole(key_of(record, "failed", "results_number_errors"))
    known = [value for value in (stated, _errors(record)) if value is not None]
    if not known and planned is not None and completed is not None:
        known = [planned - completed]
    if sent is not None and completed is not None:
        known.append(sent - completed)
    failed = max(0, *known) if known else None
    planned = planned if planned is not None else sent
    agree = None in (planned, completed, failed) or (completed or 0) + (failed or 0) <= (planned or 0)
    used |= {"num_prompts", "failed", "errors", "results_num_requests_started", "results_num_completed_requests"}
    used |= keys_of("completed") | {"results_number_errors", "results_error_rate", "results_error_code_frequency"}
    return Counts(planned, completed, failed, agree)


def _errors(record: Record) -> int | None:
    texts = record.value.get("errors")
    return sum(bool(text) for text in texts) if isinstance(texts, list) else None


def load_of(record: Record, used: set[str]) -> dict[str, Any]:
    """Return the load under which a record was measured."""
    load: dict[str, Any] = {}
    concurrency = record.real(key_of(record, "max_concurrency"))
    if concurrency is not None:
        load["concurrency"] = concurrency
    load |= _arrival(record)
    for name, target in (
        ("input_len", "prompt_length"),
        ("output_len", "output_length"),
        ("tokenizer_id", "tokenizer"),
    ):
        text = record.value.get(key_of(record, name))
        if isinstance(text, str | int) and not isinstance(text, bool) and str(text).strip():
            load[target] = str(text)[:4000]
    load = _listed(record) | load | _lengths(record)
    speculation = _speculation(record)
    if speculation:
        load["speculation"] = speculation
    server = record.inner("server_info")
    cached = server.value.get("disable_radix_cache") if server is not None else None
    if isinstance(cached, bool):
        load["prefix_cache"] = not cached
    date = day(record.value.get("date", record.value.get("timestamp")))
    if date is not None:
        load["date"] = date
    used |= keys_of("max_concurrency", "request_rate", "input_len", "output_len")
    used |= {
        "input_lens",
        "tokenizer_id",
        "mean_input_tokens",
        "mean_output_tokens",
        "stddev_input_tokens",
        "stddev_output_tokens",
    }
    used |= {"date", "timestamp", "random_input_len", "random_output_len", "random_range_ratio", "accept_length"}
    used |= {key for key in record.value if key.startswith("spec_decode_")}
    return load


def _arrival(record: Record) -> dict[str, Any]:
    """Return the offered rate, or how the requests arrive where it is no number: all at once, or as in a trace."""
    key = key_of(record, "request_rate")
    rate, number = record.value.get(key), record.real(key)
    if number is not None:
        return {"request_rate": number, "loop": "open"}
    endless = isinstance(rate, float) and rate == math.inf
    if endless or (isinstance(rate, str) and rate.strip().casefold() in {"inf", "infinity"}):
        return {"arrival": "all at once (request_rate inf)"}
    if isinstance(rate, str) and rate.strip():
        return {"arrival": f"request_rate {rate.strip()}"[:4000]}
    return {}


def _lengths(record: Record) -> dict[str, str]:
    """Return the lengths that random prompts and LLMPerf's were asked to have."""
    found, spread = {}, record.printed("random_range_ratio")
    drawn = record.text("dataset_name") in {None, "random", "random-ids", "random-image", "image"}
    for part, target in (("input", "prompt_length"), ("output", "output_length")):
        mean, drawn_length = record.printed(f"mean_{part}_tokens"), record.printed(f"random_{part}_len")
        if mean is not None:
            found[target] = f"{mean} tokens on average, as asked for"
        elif drawn_length is not None and drawn:
            ratio = f", random_range_ratio {spread}" if spread is not None else ""
            found[target] = f"{drawn_length} tokens{ratio}, as asked for"
    return found


def _listed(record: Record) -> dict[str, str]:
    """Return the mean lengths of the requests that were answered, where the report lists all lengths."""
    found = {}
    for name, target in (("input_lens", "prompt_length"), ("output_lens", "output_length")):
        values = record.value.get(name)
        listed = enumerate(values) if isinstance(values, list) else ()
        kept = samples([value for index, value in listed if not _unanswered(record, index)])
        if kept:
            found[target] = f"{fmean(kept):.6g} tokens on average"
    return found


def _speculation(record: Record) -> str:
    """Return what is told of speculative decoding and its acceptance; "none" where the server was set up without."""
    server = record.inner("server_info")
    settings = server.value if server is not None else {}
    algorithm = settings.get("speculative_algorithm")
    told = [algorithm] if isinstance(algorithm, str) and algorithm.strip() else []
    for key, words in (
        ("accept_length", "acceptance length"),
        ("spec_decode_acceptance_length", "acceptance length"),
        ("spec_decode_acceptance_rate", "acceptance rate"),
    ):
        value = record.printed(key)
        told += [f"{words} {value}"] if value is not None else []
    if not told and "speculative_algorithm" in settings and algorithm is None:
        return "none"
    return ", ".join(told)[:4000]


def raw_times(draft: Drafting, record: Record, arm: str, answered: int | None, used: set[str]) -> bool:
    """Put the raw values of the requests; return whether the printed mean time to the first token is that of them.

    Requests that got no answer stand in the lists with zeros, and in no statistic. Where others have zeros, too, tools
    differ in whether they count: those that count them in the mean print one that is smaller by their share.
    """
    lengths, times = record.value.get("output_lens"), record.value.get("ttfts")
    size = len(times) if isinstance(times, list) else len(lengths) if isinstance(lengths, list) else 0
    kept = [index for index in range(size) if not _unanswered(record, index)]
    columns = {}
    for name, column in (("ttfts", "ttft_s"), ("output_lens", "output_tokens")):
        values = record.value.get(name)
        found = samples([values[index] for index in kept]) if isinstance(values, list) and len(values) == size else None
        if found is not None:
            columns[column] = found
            used.add(name)
    if columns:
        trial = {"kind": "throughput", "outcome": "completed", "samples": columns}
        source = "ttfts" if "ttft_s" in columns else "output_lens"
        draft.put(at("arms", arm, "trials", "t1"), trial, record.origin(source))
    first = columns.get("ttft_s")
    if first is None:
        return False
    mean = record.real("mean_ttft_ms")
    zeros_count = mean is not None and answered and math.isclose(1000 * math.fsum(first), mean * answered, rel_tol=NEAR)
    return answered is None or len(first) >= answered or not zeros_count


def _unanswered(record: Record, index: int) -> bool:
    """Whether a request of the lists got no answer: it has an error, or neither a first token nor any other."""
    errors = record.value.get("errors")
    if isinstance(errors, list) and index < len(errors) and errors[index]:
        return True
    held = [record.value.get(name) for name in ("ttfts", "output_lens")]
    return all(isinstance(values, list) and index < len(values) and values[index] == 0 for values in held)
