"""Requests of a serving benchmark: how many were sent, answered and lost, under which load, and their raw times."""

from __future__ import annotations

import math
from statistics import fmean
from typing import TYPE_CHECKING

from msgspec import Struct

from ..drafting import ArmDraft, stated
from ..records import Record, day, samples
from .serving_fields import key_of, keys_of

if TYPE_CHECKING:
    from ..fields import LoadFields, RepetitionsFields

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
    def stated(self) -> RepetitionsFields:
        """The counts as a submission has them; empty without any."""
        found: RepetitionsFields = {"planned": self.planned, "completed": self.completed, "failed": self.failed}
        return {"unit": "request", **stated(found)} if stated(found) else {}


def counts(record: Record, used: set[str]) -> Counts:
    """Return how many requests were sent, answered and lost.

    Lost are those that the report counts, those with a text among `errors`, or those that were sent beyond the answered
    ones, whichever are more. Where it neither counts nor lists them, what was planned and not completed is lost; else
    fewer may have been sent than planned, of a data set that ran out.
    """
    sent = max((len(record.array(name) or ()) for name in LISTS), default=0) or None
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
    texts = record.array("errors")
    return sum(bool(text) for text in texts) if texts is not None else None


def load_of(record: Record, used: set[str]) -> LoadFields:
    """Return the load under which a record was measured."""
    prompts, outputs = _lengths(record, "input"), _lengths(record, "output")
    cached = record.get("server_info", "disable_radix_cache")
    load: LoadFields = {
        "concurrency": record.real(key_of(record, "max_concurrency")),
        **_arrival(record),
        "prompt_length": prompts or _stated(record, "input_len") or _listed(record, "input_lens"),
        "output_length": outputs or _stated(record, "output_len") or _listed(record, "output_lens"),
        "tokenizer": _stated(record, "tokenizer_id"),
        "speculation": _speculation(record) or None,
        "prefix_cache": not cached if isinstance(cached, bool) else None,
        "date": day(record.get("date") if "date" in record else record.get("timestamp")),
    }
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
    used |= {key for key in record if key.startswith("spec_decode_")}
    return stated(load)


def _stated(record: Record, name: str) -> str | None:
    """Return what a field says, as a text or a whole number."""
    value = record.get(key_of(record, name))
    kept = isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip()
    return str(value)[:4000] if kept else None


def _arrival(record: Record) -> LoadFields:
    """Return the offered rate, or how the requests arrive where it is no number: all at once, or as in a trace."""
    key = key_of(record, "request_rate")
    rate, number = record.get(key), record.real(key)
    if number is not None:
        return {"request_rate": number, "loop": "open"}
    endless = isinstance(rate, float) and rate == math.inf
    if endless or (isinstance(rate, str) and rate.strip().casefold() in {"inf", "infinity"}):
        return {"arrival": "all at once (request_rate inf)"}
    if isinstance(rate, str) and rate.strip():
        return {"arrival": f"request_rate {rate.strip()}"[:4000]}
    return {}


def _lengths(record: Record, part: str) -> str | None:
    """Return the length that random prompts or answers, and LLMPerf's, were asked to have."""
    mean, drawn_length = record.printed(f"mean_{part}_tokens"), record.printed(f"random_{part}_len")
    if mean is not None:
        return f"{mean} tokens on average, as asked for"
    drawn = record.text("dataset_name") in {None, "random", "random-ids", "random-image", "image"}
    if drawn_length is None or not drawn:
        return None
    spread = record.printed("random_range_ratio")
    return f"{drawn_length} tokens{f', random_range_ratio {spread}' if spread is not None else ''}, as asked for"


def _listed(record: Record, name: str) -> str | None:
    """Return the mean length of the requests that were answered, where the report lists all lengths."""
    listed = enumerate(record.array(name) or ())
    kept = samples([value for index, value in listed if not _unanswered(record, index)])
    return f"{fmean(kept):.6g} tokens on average" if kept else None


def _speculation(record: Record) -> str:
    """Return what is told of speculative decoding and its acceptance; "none" where the server was set up without."""
    server = record.inner("server_info")
    algorithm = server.get("speculative_algorithm") if server is not None else None
    told = [algorithm] if isinstance(algorithm, str) and algorithm.strip() else []
    for key, words in (
        ("accept_length", "acceptance length"),
        ("spec_decode_acceptance_length", "acceptance length"),
        ("spec_decode_acceptance_rate", "acceptance rate"),
    ):
        value = record.printed(key)
        told += [f"{words} {value}"] if value is not None else []
    if not told and server is not None and "speculative_algorithm" in server and algorithm is None:
        return "none"
    return ", ".join(told)[:4000]


def raw_times(arm: ArmDraft, record: Record, answered: int | None, used: set[str]) -> bool:
    """Put the raw values of the requests; return whether the printed mean time to the first token is that of them.

    Requests that got no answer stand in the lists with zeros, and in no statistic. Where others have zeros, too, tools
    differ in whether they count: those that count them in the mean print one that is smaller by their share.
    """
    times = record.array("ttfts")
    size = len(times if times is not None else record.array("output_lens") or ())
    kept = [index for index in range(size) if not _unanswered(record, index)]
    columns = {}
    for name, column in (("ttfts", "ttft_s"), ("output_lens", "output_tokens")):
        values = record.array(name)
        found = samples([values[index] for index in kept]) if values is not None and len(values) == size else None
        if found is not None:
            columns[column] = found
            used.add(name)
    if columns:
        where = record.origin("ttfts" if "ttft_s" in columns else "output_lens")
        arm.put_trial("t1", {"kind": "throughput", "outcome": "completed", "samples": columns}, where)
    first = columns.get("ttft_s")
    if first is None:
        return False
    mean = record.real("mean_ttft_ms")
    zeros_count = mean is not None and answered and math.isclose(1000 * math.fsum(first), mean * answered, rel_tol=NEAR)
    return answered is None or len(first) >= answered or not zeros_count


def _unanswered(record: Record, index: int) -> bool:
    """Whether a request of the lists got no answer: it has an error, or neither a first token nor any other."""
    errors = record.array("errors")
    if errors is not None and index < len(errors) and errors[index]:
        return True
    held = [record.array(name) for name in ("ttfts", "output_lens")]
    return all(values is not None and index < len(values) and values[index] == 0 for values in held)
