"""Option sets, as in the `options` definition of common.schema.json, where each field is described."""

from msgspec import field

from .model import Node


class Precision(Node, frozen=True, kw_only=True):
    """Number formats of an option set, named fp64 fp32 tf32 bf16 fp16 e4m3 e5m2 e2m1 int8 int4."""

    compute: str | None = None
    accumulate: str | None = None
    weights: str | None = None
    communication: str | None = None
    tf32: bool | None = None
    reduced_reduction: bool | None = None
    fast_math: bool | None = None


class BatchStep(Node, frozen=True, kw_only=True):
    """One step of a global-batch schedule."""

    from_samples: int
    global_batch: int


class Options(Node, frozen=True, kw_only=True):
    """An option set: the effective options that can change speed or accuracy. Every key may be absent (not stated)."""

    model: str | None = None
    weights: str | None = None
    dataset: str | None = None
    preprocessing: str | None = None
    input_shape: tuple[int, ...] = ()
    input_length: int | None = None
    precision: Precision | None = None
    optimizer: str | None = None
    sparsity: str | None = None
    quantisation: str | None = None
    compression: str | None = None
    dropout: bool | None = None
    stochastic_depth: bool | None = None
    attention: str | None = None
    staleness: int | None = None
    score_threshold: float | None = None
    suppression_threshold: float | None = None
    decoding: str | None = None
    routing_mode: str | None = None
    routing_capacity: float | None = None
    cache_format: str | None = None
    output_pruning: str | None = None
    evaluation_view: str | None = None
    global_batch: int | None = None
    batch_tokens: int | None = None
    batch_schedule: tuple[BatchStep, ...] = ()
    normalisation_group: str | None = None
    learning_rate: float | None = None
    schedule: str | None = None
    warmup_epochs: float | None = None
    warmup_samples: float | None = None
    weight_decay: float | None = None
    momentum: float | None = None
    loss_scaling: str | None = None
    epochs: float | None = None
    steps: int | None = None
    augmentation: str | None = None
    micro_batch: int | None = None
    per_device_batch: int | None = None
    accumulation: int | None = None
    data_parallel: int | None = None
    tensor_parallel: int | None = None
    pipeline_parallel: int | None = None
    context_parallel: int | None = None
    expert_parallel: int | None = None
    devices: int | None = None
    bucketing: str | None = None
    overlap: bool | None = None
    loader_workers: int | None = None
    loader_prefetch: int | None = None
    loader_pinned: bool | None = None
    activation_checkpointing: bool | str | None = None
    sharding: str | None = None
    offload: str | None = None
    compile: bool | None = None
    seed: int | None = None
    logging: str | None = None
    name: str | None = None
    neutralised: tuple[str, ...] = ()
    extra: dict[str, str | float | bool] = field(default_factory=dict)

    @property
    def recomputes(self) -> bool | None:
        """Whether any activations are recomputed in the backward pass."""
        told = self.activation_checkpointing
        return told != "none" if isinstance(told, str) else told
