"""Parameters of `loadgen`, apart from the code that runs it: a scenario of inference, and what answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Size = Annotated[int, Meta(ge=1)]
Text = Annotated[str, Meta(min_length=1, max_length=4000)]
Positive = Annotated[float, Meta(gt=0, le=1e9)]


class Example(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is sent to a service, and the text that is right, where that is known."""

    body: Any
    expected: str | None = None


class LoadGen(Struct, frozen=True, kw_only=True):
    """Of `loadgen`: a scenario, and what answers it, a workload in this process or a service behind a URL."""

    scenario: Literal["SingleStream", "MultiStream", "Server", "Offline"]
    workload: Text | None = None
    """A bundled workload, or package.module:factory."""
    arguments: dict[str, Any] = {}
    train_steps: Annotated[int, Meta(ge=0)] = 0
    url: Text | None = None
    examples: Annotated[tuple[Example, ...], Meta(max_length=100_000)] = ()
    timeout_s: Positive = 60.0
    target_qps: Positive = 100.0
    min_duration_s: Annotated[float, Meta(ge=0, le=1e9)] = 0.0
    latency_s: Positive | None = None
    ttft_s: Positive | None = None
    tpot_s: Positive | None = None
    percentile: Annotated[float, Meta(gt=0, lt=100)] | None = None
    """90 for a single stream and 99 otherwise, where absent."""
    samples_per_query: Size = 8
    loaded_examples: Size | None = None
    batch: Size = 1
    workers: Annotated[int, Meta(ge=1, le=1024)] = 1
    accuracy: bool = True

    def __post_init__(self) -> None:
        """Hold the parts against each other.

        Raises:
            ValueError: they do not go together.
        """
        if (self.workload is None) == (self.url is None):
            raise ValueError("name either a workload or a url")
        if (self.url is None) != (not self.examples):
            raise ValueError("a url needs examples, and a workload has its own")
        if self.url is not None and self.batch > 1:
            raise ValueError("a url is sent one request at a time: leave batch out, and give it workers")
        if self.workload is not None and self.workers > 1:
            raise ValueError("a workload in this process is asked by one worker: give it a batch")
        if (self.ttft_s is None) != (self.tpot_s is None):
            raise ValueError("ttft_s and tpot_s bound the tokens together")
        bounds = [self.latency_s is not None, self.ttft_s is not None]
        if self.scenario == "Server" and bounds.count(True) != 1:
            raise ValueError("Server needs one bound: latency_s, or ttft_s with tpot_s")
        if self.scenario != "Server" and any(bounds):
            raise ValueError("only Server has a bound")
        if any(example.expected is None for example in self.examples) and any(
            example.expected is not None for example in self.examples
        ):
            raise ValueError("either every example tells what is expected, or none")

    @property
    def share(self) -> float:
        """The percentile as a share."""
        return (self.percentile or (90 if self.scenario == "SingleStream" else 99)) / 100
