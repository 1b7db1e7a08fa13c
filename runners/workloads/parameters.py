"""Parameters of the bundled workloads, each with its bounds, apart from the code that runs them.

Nothing here imports torch: a spec is held against it before anything starts, and a workload reads its own from it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from ...schemas.errors import UserError
from .scenario_parameters import LoadGen

P = TypeVar("P", bound=Struct)

RESNET_GROUPS = 8
"""Groups of channels that are normalised together."""
TEST_WORDS = 16_384
"""Words of the text that `text-transformer` is evaluated on."""
SPLIT_BITS = 7
LARGEST_K = 2**31 // 2 ** (2 * SPLIT_BITS) - 1
"""Above it a sum of products of 7-bit numbers may leave int32."""

Size = Annotated[int, Meta(ge=1)]
Ranks = Annotated[int, Meta(ge=2, le=64)]
Bytes = Annotated[int, Meta(ge=8, le=1 << 34, multiple_of=8)]
"""Of a message; 8 are those of the widest format."""
SplitEdge = Annotated[int, Meta(ge=32, le=LARGEST_K, multiple_of=8)]
Pipeline = Literal["real", "cached_device", "synthetic"]
Every = Annotated[int, Meta(ge=0)]
"""Steps between two; 0, none."""


class DigitsCnn(Struct, frozen=True, kw_only=True):
    """Of `digits-cnn`."""

    width: Annotated[int, Meta(ge=1, le=4096)] = 16
    pipeline: Pipeline = "real"
    checkpoint_every: Every = 0


class TextTransformer(Struct, frozen=True, kw_only=True):
    """Of `text-transformer`."""

    width: Size = 64
    layers: Size = 2
    heads: Size = 4
    length: Annotated[int, Meta(ge=1, lt=TEST_WORDS)] = 32
    pipeline: Pipeline = "real"
    checkpoint_every: Every = 0

    def __post_init__(self) -> None:
        """Hold the width against the heads.

        Raises:
            ValueError: it does not divide over them.
        """
        if self.width % self.heads:
            raise ValueError("width must be a multiple of heads")


class ResNet(Struct, frozen=True, kw_only=True):
    """Of `resnet`."""

    width: Annotated[int, Meta(ge=1, multiple_of=RESNET_GROUPS)] = 16
    blocks: Size = 1
    image: Size = 32
    classes: Size = 10


class Mlp(Struct, frozen=True, kw_only=True):
    """Of `mlp`."""

    inputs: Size = 128
    width: Size = 256
    layers: Size = 2
    classes: Size = 10


class DataParallel(Mlp, frozen=True, kw_only=True):
    """Of `data-parallel`."""

    ranks: Ranks = 2


class TensorParallel(Mlp, frozen=True, kw_only=True):
    """Of `tensor-parallel`."""


class Gemm(Struct, frozen=True, kw_only=True):
    """Of `gemm`."""

    m: Size = 512
    n: Size = 512
    k: Size = 512


class SplitGemm(Struct, frozen=True, kw_only=True):
    """Of `split-gemm`."""

    m: SplitEdge = 256
    n: SplitEdge = 256
    k: SplitEdge = 256
    slices: Annotated[int, Meta(ge=1, le=4)] = 3


class Copy(Struct, frozen=True, kw_only=True):
    """Of `copy`."""

    values: Size = 1 << 22


class Conv(Struct, frozen=True, kw_only=True):
    """Of `conv`."""

    batch: Size = 8
    channels: Size = 32
    filters: Size = 32
    image: Size = 32
    window: Size = 3

    def __post_init__(self) -> None:
        """Hold the window against its middle.

        Raises:
            ValueError: it has none.
        """
        if self.window % 2 == 0:
            raise ValueError("window must be odd")


class Attention(Struct, frozen=True, kw_only=True):
    """Of `attention`."""

    batch: Size = 4
    heads: Size = 4
    length: Size = 128
    head_width: Size = 32
    causal: bool = True


class Rnn(Struct, frozen=True, kw_only=True):
    """Of `rnn`."""

    length: Size = 32
    batch: Size = 8
    inputs: Size = 128
    hidden: Size = 128


class Launch(Struct, frozen=True, kw_only=True):
    """Of `launch`, which has none."""


class AllReduce(Struct, frozen=True, kw_only=True):
    """Of `all-reduce`."""

    ranks: Ranks = 2
    message_bytes: Bytes = 1 << 20
    sweep_bytes: Annotated[tuple[Bytes, ...], Meta(max_length=100)] = (1 << 12, 1 << 16, 1 << 20, 1 << 24)


Positive = Annotated[float, Meta(gt=0, le=1e9)]
Share = Annotated[float, Meta(ge=0, le=1)]
Tokens = Annotated[int, Meta(ge=1, le=1 << 20)]
Lengths = Literal["fixed", "uniform", "lognormal"]


class LmEval(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What lm-evaluation-harness asks a service."""

    tasks: tuple[str, ...]
    include: str | None = None
    """Folder of task files besides those of the harness."""
    shots: Annotated[int, Meta(ge=0, le=1000)] | None = None
    """Solved examples in front of each question; as the task says where None."""
    limit: Annotated[int, Meta(ge=1)] | None = None
    """Examples of each task; all where None."""
    program: str = "lm_eval"
    arguments: dict[str, str] = {}
    """Further arguments of the model, such as `tokenizer`."""


class Serving(Struct, frozen=True, kw_only=True):
    """Of `serving`: the load, the objective, and the server, which is a small one of our own without a URL."""

    url: str | None = None
    model: str = "text-transformer"
    api: Literal["completions", "chat"] = "completions"
    key_variable: str | None = None
    """Environment variable that holds the server's key; its value is recorded nowhere."""
    prefix_cache: bool | None = None
    """Of the server of a URL: whether it keeps the prompts that it has seen, as it was set up."""
    speculation: str | None = None
    """Of the server of a URL: its speculative decoding; `none` for none."""
    batching: str | None = None
    """Of the server of a URL: how it batches."""
    arrival: Literal["poisson", "gamma", "constant", "closed", "trace"] = "poisson"
    rate: Positive = 8.0
    """Requests per second of an open loop."""
    burstiness: Positive = 1.0
    """Of gamma: squared coefficient of variation of the times between arrivals; 1 is Poisson."""
    until_saturation: bool = False
    """Whether the arms that differ from this one by a higher rate alone stop once this one was not kept up with."""
    concurrency: Annotated[int, Meta(ge=1, le=4096)] = 4
    """Clients of a closed loop."""
    trace: str | None = None
    """File of JSON lines with `at_s`, `prompt_tokens` and `output_tokens`."""
    prompt_tokens: Tokens = 32
    prompt_lengths: Lengths = "fixed"
    prompt_spread: Share = 0.5
    """Of uniform, the share by which lengths differ from their mean at most; of lognormal, their variation."""
    output_tokens: Tokens = 24
    output_lengths: Lengths = "fixed"
    output_spread: Share = 0.5
    shared_prefix_tokens: Annotated[int, Meta(ge=0, le=1 << 20)] = 0
    """Tokens that all prompts begin with alike."""
    distinct_prompts: Annotated[int, Meta(ge=0, le=1 << 20)] = 0
    """Prompts among which each request draws; 0, all differ."""
    ttft_ms: Positive | None = None
    ttft_ms_per_prompt_token: Positive | None = None
    tpot_ms: Positive | None = None
    latency_ms: Positive | None = None
    timeout_s: Positive = 60.0
    tokenizer: str | None = None
    """Name or folder of a tokenizer of transformers that counts, too; `words` counts words."""
    test_set: str | None = None
    """File of JSON lines with `prompt` and `answer`; the small server has its own."""
    test_examples: Annotated[int, Meta(ge=0, le=100_000)] = 0
    """Examples that are answered after the load; 0, all of `test_set`, and none of the small server's own."""
    lm_eval: LmEval | None = None
    """Tasks of lm-evaluation-harness that are answered after the load of an arm's first trial."""
    reference_url: str | None = None
    """Server of the reference whose output lengths are compared; the small server is its own."""
    reference_model: str = "reference"
    roofline: bool = False
    """Whether the small server counts what prefill and decode compute and move, and measures its ceilings."""
    quantisation: Literal["none", "int8", "int4"] = "none"
    batch: Annotated[int, Meta(ge=1, le=1024)] = 8
    """Requests that the small server decodes at once."""
    length: Annotated[int, Meta(ge=8, le=4096)] = 128
    """Tokens of a prompt and its answer together, at most, of the small server."""
    width: Size = 64
    layers: Size = 2
    heads: Size = 4
    train_steps: Annotated[int, Meta(ge=0, le=100_000)] = 60
    """Steps for which the small server trains its model before it answers."""

    def __post_init__(self) -> None:
        """Hold the parameters against each other.

        Raises:
            ValueError: some do not go together.
        """
        if self.width % self.heads:
            raise ValueError("width must be a multiple of heads")
        if self.arrival == "trace" and self.trace is None:
            raise ValueError("the arrival trace needs a file: trace")
        if self.shared_prefix_tokens >= self.prompt_tokens:
            raise ValueError("shared_prefix_tokens must be below prompt_tokens")
        if self.url is None and self.longest > self.length:
            raise ValueError(f"prompt and answer may have {self.longest} tokens, and length is {self.length}")
        if self.url is not None and not self.url.startswith(("http://", "https://")):
            raise ValueError("url must begin with http:// or https://")
        if self.lm_eval is not None and not self.lm_eval.tasks:
            raise ValueError("lm_eval must name a task at least")

    @property
    def longest(self) -> int:
        """Tokens of a prompt and its answer together, at most: a lognormal length ends at twice its mean."""
        return most(self.prompt_tokens, self.prompt_lengths, self.prompt_spread) + most(
            self.output_tokens, self.output_lengths, self.output_spread
        )


def most(mean: int, kind: str, spread: float) -> int:
    """Return the greatest length that is drawn."""
    return {"fixed": mean, "uniform": math.floor(mean * (1 + spread)), "lognormal": 2 * mean}[kind]


class AllGather(AllReduce, frozen=True, kw_only=True):
    """Of `all-gather`."""


class ReduceScatter(AllReduce, frozen=True, kw_only=True):
    """Of `reduce-scatter`."""


class AllToAll(AllReduce, frozen=True, kw_only=True):
    """Of `all-to-all`."""


BY_WORKLOAD: dict[str, type[Struct]] = {
    "digits-cnn": DigitsCnn,
    "text-transformer": TextTransformer,
    "resnet": ResNet,
    "mlp": Mlp,
    "gemm": Gemm,
    "copy": Copy,
    "conv": Conv,
    "attention": Attention,
    "rnn": Rnn,
    "launch": Launch,
    "all-reduce": AllReduce,
    "all-gather": AllGather,
    "reduce-scatter": ReduceScatter,
    "all-to-all": AllToAll,
    "data-parallel": DataParallel,
    "tensor-parallel": TensorParallel,
    "split-gemm": SplitGemm,
    "loadgen": LoadGen,
    "serving": Serving,
}
METRICS: dict[str, dict[str, tuple[float, float]]] = {
    "digits-cnn": {"accuracy": (0.0, 1.0), "loss": (0.0, math.inf)},
    "text-transformer": {"loss": (0.0, math.inf)},
}
"""What the bundled workloads evaluate on held-out data, each with the ends of its scale."""
IN_WORDS = {
    "Expected `int` >= ": "must be at least ",
    "Expected `int` <= ": "must be at most ",
    "Expected `int` < ": "must be below ",
    "Expected `int` that's a multiple of ": "must be a multiple of ",
    "Expected `array` of length <= ": "must hold no more values than ",
    "Invalid enum value ": "cannot be ",
    "Expected `": "must be `",
}
"""How a message of the decoder begins, and what is said instead."""
PLACE = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<name>\w*).*`)?", re.DOTALL)


class Wrong(Struct, frozen=True):
    """A parameter that its workload does not take."""

    name: str
    """Of the parameter; empty where several do not go together."""
    what: str
    todo: str


def problem(given: Mapping[str, Any], workload: str) -> Wrong | None:
    """Return the first parameter that a bundled workload does not take; None where it takes them all."""
    kind = BY_WORKLOAD[workload]
    known = kind.__struct_fields__
    unknown = sorted(set(given) - set(known))
    if unknown:
        has = f"it has {', '.join(known)}" if known else "leave it out: it has none"
        return Wrong(unknown[0], f"{workload} has no parameter {', '.join(unknown)}", has)
    try:
        msgspec.convert(dict(given), kind)
    except msgspec.ValidationError as error:
        found = PLACE.fullmatch(str(error))
        name = (found and found["name"]) or ""
        what = str(found["what"] if found else error)
        for begin, instead in IN_WORDS.items():
            if what.startswith(begin):
                what = instead + what.removeprefix(begin).replace(", got ", ", not ")
                break
        subject = f"{name} of {workload}" if name else f"{workload}:"
        kind_of = get_type_hints(kind).get(name)
        one_of = get_args(kind_of) if get_origin(kind_of) is Literal else ()
        return Wrong(name, f"{subject} {what}", f"name one of {', '.join(one_of)}" if one_of else "correct it")
    return None


def read(given: Mapping[str, Any], kind: type[P], workload: str) -> P:
    """Read a workload's parameters.

    Raises:
        UserError: a parameter is unknown, or its value does not fit.
    """
    assert kind is BY_WORKLOAD[workload]
    wrong = problem(given, workload)
    if wrong is not None:
        raise UserError(wrong.what, wrong.todo, f"/workload/{wrong.name}".rstrip("/"))
    return msgspec.convert(dict(given), kind)
