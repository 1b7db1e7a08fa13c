"""Evidence: arms, measurements, trials, as in common.schema.json, which describes each field with its unit."""

from msgspec import field

from .conditions import Control, Environment, Software
from .energy import Cost, Energy
from .model import Node
from .operations import Accounting, Ceilings, Footprint, NativeInput, Operations
from .options import Options
from .ranks import Job, RankSpread, TrialNode, TrialRank
from .requests import Requests
from .runs import ConfigurationFile, Description, Run


class Exclusion(Node, frozen=True, kw_only=True):
    """Something that the clock leaves out."""

    recurs: str
    duration_s: float | None = None
    stated: bool


class Pipeline(Node, frozen=True, kw_only=True):
    """Where the inputs come from."""

    kind: str
    label: str | None = None
    dataset_bytes: int | None = None
    bytes_per_sample: float | None = None
    cache_bytes: int | None = None
    link_bytes_per_s: float | None = None
    data_wait_share: float | None = None


class Timer(Node, frozen=True, kw_only=True):
    """The clock of the measurement."""

    name: str | None = None
    resolution_s: float | None = None
    overhead_s: float | None = None


class ClientOverhead(Node, frozen=True, kw_only=True):
    """What a load generator adds by itself."""

    requests: int
    ttft_s: float | None = None
    ttft_p99_s: float | None = None
    gap_s: float | None = None
    late_s: float | None = None
    late_p99_s: float | None = None


class ServedPhase(Node, frozen=True, kw_only=True):
    """What a service did in prefill, or in decode."""

    calls: int
    tokens: int
    seconds: float
    operations: float
    bytes: float


class ServedWork(Node, frozen=True, kw_only=True):
    """What a service computed and moved, beside what its processors reach."""

    prefill: ServedPhase
    decode: ServedPhase
    ceilings: Ceilings


class Warmup(Node, frozen=True, kw_only=True):
    """What was discarded before the kept iterations."""

    discarded: int
    unit: str | None = None
    policy: str | None = None


class Checkpoints(Node, frozen=True, kw_only=True):
    """What saving the model costs, in the pass that measures the phases of a step."""

    count: int
    iterations: int | None = None
    duration_s: float
    bytes: int | None = None


class Measurement(Node, frozen=True, kw_only=True):
    """How an arm's numbers were taken."""

    scope: str | None = None
    timer: Timer | None = None
    client: ClientOverhead | None = None
    served_work: ServedWork | None = None
    synchronisation: str | None = None
    warmup: Warmup | None = None
    phases_s: dict[str, float] = field(default_factory=dict)
    checkpoints: Checkpoints | None = None
    excluded_phases: tuple[str, ...] = ()
    wall_s: float | None = None
    exclusions: dict[str, Exclusion] = field(default_factory=dict)
    exclusions_complete: bool | None = None
    pipeline: Pipeline | None = None
    switched_off: tuple[str, ...] = ()
    raw_count: int | None = None
    used_count: int | None = None
    stall_share: float | None = None
    discarded_iterations: tuple[int, ...] | None = None
    discard_rule: str | None = None
    stop_rule: str | None = None
    order: str | None = None
    rank_aggregation: str | None = None
    rank_spread: RankSpread | None = None


class Repetitions(Node, frozen=True, kw_only=True):
    """Repetitions behind one number."""

    unit: str
    planned: int | None = None
    completed: int | None = None
    failed: int | None = None
    excluded: int | None = None


class Interval(Node, frozen=True, kw_only=True):
    """A stated interval."""

    low: str
    high: str
    level: float | None = None
    method: str | None = None
    varies: str | None = None


class PlusMinus(Node, frozen=True, kw_only=True):
    """A printed plus-minus."""

    value: str
    label: str | None = None
    varies: str | None = None


class Summary(Node, frozen=True, kw_only=True):
    """Summary statistics as printed."""

    mean: str | None = None
    median: str | None = None
    sd: str | None = None
    min: str | None = None
    max: str | None = None
    percentiles: dict[str, str] = field(default_factory=dict)


class Load(Node, frozen=True, kw_only=True):
    """Load under which a service was measured."""

    concurrency: float | None = None
    request_rate: float | None = None
    arrival: str | None = None
    loop: str | None = None
    steady: bool | None = None
    prompt_length: str | None = None
    output_length: str | None = None
    batching: str | None = None
    tokens_counted: str | None = None
    tokenizer: str | None = None
    prefix_cache: bool | None = None
    speculation: str | None = None
    duplicate_prompts: float | None = None
    client: str | None = None
    date: str | None = None


class Objective(Node, frozen=True, kw_only=True):
    """What every request is to keep."""

    ttft_s: float | None = None
    ttft_s_per_prompt_token: float | None = None
    tpot_s: float | None = None
    latency_s: float | None = None


class TokenTimes(Node, frozen=True, kw_only=True):
    """Token times of one population of requests."""

    unit: str
    first_token: str | None = None
    per_output_token: str | None = None
    end_to_end: str | None = None
    output_tokens: str | None = None
    constant_length: bool | None = None
    definition: str | None = None
    statistic: str | None = None


class TokenCounts(Node, frozen=True, kw_only=True):
    """Tokens, or other units of variable number per example, behind a rate."""

    real: float | None = None
    padded: float | None = None
    counted: str | None = None
    lengths: str | None = None


class Shard(Node, frozen=True, kw_only=True):
    """One part of the data from whose values a number was aggregated."""

    value: str
    size: int | None = None


class PrintedAt(Node, frozen=True, kw_only=True):
    """Place of words in the document that they were taken from."""

    line: int | None = None
    label: str | None = None


class NumberAt(Node, frozen=True, kw_only=True):
    """Place of a number in the document that it was taken from, or in a file of results."""

    at: str = field(default="", name="@")  # a document's own `at` is the pointer below
    line: int | None = None
    label: str | None = None
    file: str | None = None
    pointer: str | None = field(default=None, name="at")


class Metric(Node, frozen=True, kw_only=True):
    """A declared performance number of an arm."""

    quantity: str
    value: str | None = None
    unit: str
    printed_at: NumberAt | None = None
    digits: int | None = None
    statistic: str | None = None
    scope: str | None = None
    n: Repetitions | None = None
    trials: int | None = None
    interval: Interval | None = None
    plus_minus: PlusMinus | None = None
    summary: Summary | None = None
    column: str | None = None
    averaged_over: int | None = None
    work_per_iteration: float | None = None
    load: Load | None = None
    objective: Objective | None = None
    wall_s: float | None = None
    work: float | None = None
    token_times: TokenTimes | None = None
    tokens: TokenCounts | None = None
    shards: dict[str, Shard] = field(default_factory=dict)
    ranks: dict[str, str] = field(default_factory=dict)


class Split(Node, frozen=True, kw_only=True):
    """One split of the data."""

    examples: int | None = None
    digest: str | None = None
    overlap_with_train: int | None = None


class Selection(Node, frozen=True, kw_only=True):
    """How the reported checkpoint was chosen."""

    policy: str | None = None
    evaluations: int | None = None
    split_used_for: tuple[str, ...] = ()


class OutputLength(Node, frozen=True, kw_only=True):
    """Mean length of the generated outputs beside that of the reference."""

    generated: str
    reference: str
    bounded: bool | None = None


class Quality(Node, frozen=True, kw_only=True):
    """A declared quality value of an arm."""

    metric: str
    value: str | None = None
    unit: str | None = None
    printed_at: NumberAt | None = None
    direction: str | None = None
    split: str | None = None
    examples: int | None = None
    counted: bool | None = None
    averaging: str | None = None
    checkpoint: str | None = None
    selection: Selection | None = None
    evaluation_input: str | None = None
    training_input: str | None = None
    weight_averaging: str | None = None
    test_time_augmentation: str | None = None
    harness: str | None = None
    prompts: str | None = None
    n: Repetitions | None = None
    statistic: str | None = None
    summary: Summary | None = None
    seeds: dict[str, str] = field(default_factory=dict)
    interval: Interval | None = None
    plus_minus: PlusMinus | None = None
    reference: str | None = None
    loss: str | None = None
    perplexity: str | None = None
    bits_per_byte: str | None = None
    loss_base: str | None = None
    loss_per: str | None = None
    perplexity_per: str | None = None
    bytes_per_token: float | None = None
    evaluation_batch: int | None = None
    last_batch: str | None = None
    subset: str | None = None
    shards: dict[str, Shard] = field(default_factory=dict)
    output_length: OutputLength | None = None


class Search(Node, frozen=True, kw_only=True):
    """Tuning effort behind an arm."""

    trials: int | None = None
    device_hours: float | None = None
    method: str | None = None
    space: str | None = None
    recipe: str | None = None
    defaults_changed: bool | None = None
    tuned_options: tuple[str, ...] = ()
    defaults_stated: bool | None = None
    source: str | None = None
    sha256: str | None = None


class Splice(Node, frozen=True, kw_only=True):
    """Throughput and convergence trials of one seed side by side."""

    pairs: int
    steps: int
    losses_agree: bool
    largest_loss_difference: float
    step_time_ratio: float


class Evaluation(Node, frozen=True, kw_only=True):
    """One evaluation during a training run."""

    split: str
    samples: float | None = None
    step: int | None = None
    epoch: float | None = None
    time_s: float | None = None
    examples: int | None = None
    correct: int | None = None
    metrics: dict[str, float | None]


class Crossing(Node, frozen=True, kw_only=True):
    """First crossing of the target."""

    reached: bool
    samples: float | None = None
    step: int | None = None
    time_s: float | None = None
    wall_time_s: float | None = None


class SamplesFile(Node, frozen=True, kw_only=True):
    """A trial's file of raw numbers."""

    path: str
    sha256: str
    rows: int


class DeviceTelemetry(Node, frozen=True, kw_only=True):
    """What the counters of one of several devices told."""

    throttled_s: dict[str, float] = field(default_factory=dict)


class Telemetry(Node, frozen=True, kw_only=True):
    """Readings of the devices' sensors while a trial was timed."""

    period_s: float | None = None
    window_s: float | None = None
    throttled_s: dict[str, float] = field(default_factory=dict)
    devices: dict[str, DeviceTelemetry] = field(default_factory=dict)
    columns: dict[str, tuple[float, ...]] = field(default_factory=dict)
    file: SamplesFile | None = None


class SeriesAnalysis(Node, frozen=True, kw_only=True):
    """What the kept raw times of a trial show of themselves."""

    column: str
    values: int
    read: int
    warmup_end: int | None = None
    head_excess: float | None = None
    autocorrelation: float | None = None
    autocorrelation_time: float | None = None
    effective_n: float | None = None
    drift: float | None = None
    drift_p: float | None = None
    modes_p: float | None = None
    flags: tuple[str, ...]


class ArmAnalysis(Node, frozen=True, kw_only=True):
    """What the raw times of an arm's trials show together."""

    trials: int
    flagged: dict[str, int]
    modes_p: float | None = None
    flags: tuple[str, ...]


class Trial(Node, frozen=True, kw_only=True):
    """One fresh process."""

    kind: str
    seed: int | None = None
    order: int | None = None
    attempts: int | None = None
    outcome: str
    reason: str | None = None
    started: str | None = None
    ended: str | None = None
    boot_id: str | None = None
    device_ids: tuple[str, ...] = ()
    iterations_planned: int | None = None
    warmup: int | None = None
    samples: dict[str, tuple[float, ...]] = field(default_factory=dict)
    requests: Requests | None = None
    samples_file: SamplesFile | None = None
    medians: dict[str, str] = field(default_factory=dict)
    analysis: SeriesAnalysis | None = None
    evaluations: tuple[Evaluation, ...] = ()
    crossing: Crossing | None = None
    planned_samples: float | None = None
    final: dict[str, str] = field(default_factory=dict)
    timer: Timer | None = None
    wall_s: float | None = None
    observed: Options | None = None
    controls: dict[str, Control] = field(default_factory=dict)
    software: Software | None = None
    environment: Environment | None = None
    telemetry: Telemetry | None = None
    ranks: tuple[TrialRank, ...] = ()
    nodes: tuple[TrialNode, ...] = ()
    jobs: tuple[Job, ...] = ()


class Target(Node, frozen=True, kw_only=True):
    """A quality target."""

    metric: str
    value: str
    direction: str
    criterion: str | None = None
    declared_before: bool | None = None


class Plan(Node, frozen=True, kw_only=True):
    """What was planned for an arm before the first run."""

    trials: int | None = None
    started: int | None = None
    seeds: tuple[int, ...] = ()
    omitted: dict[str, str] = field(default_factory=dict)


class RanWorkload(Node, frozen=True, kw_only=True):
    """What an arm ran."""

    name: str | None = None
    entry: str | None = None
    command: tuple[str, ...] = ()
    parameters: dict[str, str | float | bool] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    commit: str | None = None
    environment: str | None = None


class Arm(Node, frozen=True, kw_only=True):
    """One option set with everything that was measured under it."""

    label: str | None = None
    system: str | None = None
    devices: int | None = None
    options: Options | None = None
    observed: Options | None = None
    option_set: str | None = None
    workload: RanWorkload | None = None
    software: Software | None = None
    environment: Environment | None = None
    measurement: Measurement | None = None
    performance: dict[str, Metric] = field(default_factory=dict)
    analysis: ArmAnalysis | None = None
    quality: dict[str, Quality] = field(default_factory=dict)
    target: Target | None = None
    splits: dict[str, Split] = field(default_factory=dict)
    search: Search | None = None
    executed_steps: int | None = None
    native_input: NativeInput | None = None
    footprint: Footprint | None = None
    operations: Operations | None = None
    accounting: Accounting | None = None
    splice: Splice | None = None
    energy: Energy | None = None
    cost: Cost | None = None
    plan: Plan | None = None
    trials: dict[str, Trial] = field(default_factory=dict)
    runs: dict[str, Run] = field(default_factory=dict)
    description: Description | None = None
    folder: str | None = None
    configuration: dict[str, ConfigurationFile] = field(default_factory=dict)
