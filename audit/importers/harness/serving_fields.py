"""Fields of serving benchmarks under the names that their tools give them, and those of tables made for people."""

from __future__ import annotations

from ..records import Record

NIGHTLY = {
    "backend": ("Engine",),
    "model_id": ("Model",),
    "dataset_name": ("Dataset Name",),
    "gpu": ("GPU",),
    "tp": ("TP Size", "tensor_parallel_size", "tp_size"),
    "pp": ("PP Size", "pipeline_parallel_size", "pp_size"),
    "input_len": ("Input Len",),
    "output_len": ("Output Len",),
    "completed": ("Successful req.", "# of req."),
    "request_rate": ("qps",),
    "max_concurrency": ("# of max concurrency.", "num_concurrent_requests"),
    "total_input_tokens": ("Total input tokens", "total_input"),
    "total_output_tokens": ("Total output tokens", "total_output"),
    "request_throughput": ("Tput (req/s)",),
    "request_goodput": ("request_goodput:",),
    "output_throughput": ("Output Tput (tok/s)",),
    "input_throughput": ("Input Tput (tok/s)",),
    "total_token_throughput": ("Total Token Tput (tok/s)",),
    "median_tpot_ms": ("Median",),
    "p99_tpot_ms": ("P99",),
}
"""Other names of a field. In vLLM's tables "# of req." counts the completed ones, and a bare "Median" is the TPOT's."""


def key_of(record: Record, *names: str) -> str:
    """Return the name under which the first field that is there stands in a record; empty where none is."""
    for name in names:
        for key in (name, *NIGHTLY.get(name, ())):
            if record.get(key) is not None:
                return key
    return ""


def keys_of(*names: str) -> set[str]:
    """Return all names of fields."""
    return {key for name in names for key in (name, *NIGHTLY.get(name, ()))}
