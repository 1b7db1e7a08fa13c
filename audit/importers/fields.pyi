"""The objects of a submission as JSON values; tools/importer_fields.py writes this from the schema."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

class SubmissionFields(TypedDict, total=False):
    dlaudit: str
    title: str
    coverage: str | None
    publication: PublicationFields
    source: SourceRefFields
    claims: dict[str, ClaimFields]
    systems: dict[str, SystemFields]
    arms: dict[str, ArmFields]
    tables: dict[str, TableFields]
    figures: dict[str, FigureFields]
    manifests: dict[str, ManifestRefFields]
    disclosures: Sequence[DisclosureFields]
    nonce: str | None
    folder: FolderFields

class PublicationFields(TypedDict, total=False):
    where: str | None
    date: str | None
    authors: str | None

class SourceRefFields(TypedDict, total=False):
    file: str
    sha256: str | None

class ClaimFields(TypedDict, total=False):
    statement: str
    printed_at: PrintedAtFields
    put_together: bool | None
    value: str | None
    unit: str | None
    qualifier: str | None
    digits: int | None
    quantity: str
    form: str
    scope: str
    purpose: str | None
    mode: str
    compares: str
    points: int | None
    basis: str | None
    statistic: str | None
    attribution: str | None
    treatment: Sequence[str]
    work: str | None
    site: str | None
    device: str | None
    replicated: bool | None
    suite: str | None
    division: str | None
    suite_result: SuiteResultFields
    superlative: str | None
    metric: str | None
    metric_defined: MetricDefinitionFields
    target: TargetFields
    criterion: str | None
    measured: MetricRefFields
    quality: QualityRefFields
    base: BaseFields
    row: RowRefFields
    comparator: ComparatorFields
    comparators: Sequence[ComparatorFields]
    reference: ReferenceFields
    range: RangeFields
    interval: IntervalFields
    part: PartFields
    factor: FactorFields
    serial_fraction: IntervalFields
    margin: MarginFields
    latency_bound: LatencyBoundFields
    outputs: OutputsFields
    label: str | None
    crossing_samples: float | None
    group: str | None
    test: TestFields
    explanation: str | None
    reference_runs: dict[str, ReferenceRunsFields]
    said: Sequence[SaidFields]

class PrintedAtFields(TypedDict, total=False):
    line: int | None
    label: str | None

class SuiteResultFields(TypedDict, total=False):
    organisation: str | None
    benchmark: str | None
    round: str | None
    division: str | None
    scenario: str | None
    system: str | None
    verified: bool | None
    id: str | None
    category: str | None
    devices: int | None
    footnote: str | None
    available: str | None

class MetricDefinitionFields(TypedDict, total=False):
    kind: str
    set_by: str | None
    thresholds_declared_before: bool | None

class TargetFields(TypedDict, total=False):
    metric: str
    value: str
    direction: str
    criterion: str | None
    declared_before: bool | None

class MetricRefFields(TypedDict, total=False):
    manifest: str | None
    arm: str
    metric: str | None

class QualityRefFields(TypedDict, total=False):
    manifest: str | None
    arm: str
    quality: str | None

class BaseFields(TypedDict, total=False):
    manifest: str | None
    arm: str | None
    metric: str | None
    value: str | None
    unit: str | None
    definition: str | None
    devices: int | None

class RowRefFields(TypedDict, total=False):
    table: str
    row: str | None
    base_row: str | None

class ComparatorFields(TypedDict, total=False):
    name: str | None
    version: str | None
    date: str | None
    device: str | None
    devices: int | None
    released: str | None
    superseded: str | None
    configuration: str | None
    result_id: str | None
    source: str | None
    citation: str | None
    own_value: str | None
    performance: str | None
    quality: str | None
    generational: bool | None
    suite: str | None
    suite_result: SuiteResultFields

class ReferenceFields(TypedDict, total=False):
    name: str | None
    value: str | None
    citation: str | None
    date: str | None

class RangeFields(TypedDict, total=False):
    low: str
    high: str
    where: str

class IntervalFields(TypedDict, total=False):
    low: str
    high: str
    level: float | None
    method: str | None
    varies: str | None

class PartFields(TypedDict, total=False):
    name: str | None
    speedup: str
    fraction_low: float
    fraction_high: float

class FactorFields(TypedDict, total=False):
    value: str
    numerator: str | None
    denominator: str | None
    reference_exists: bool | None
    uncorrected: str | None

class MarginFields(TypedDict, total=False):
    value: str
    declared_before: bool | None

class LatencyBoundFields(TypedDict, total=False):
    value: str
    unit: str
    percentile: str | None
    part: str | None

class OutputsFields(TypedDict, total=False):
    compared: int
    identical: int | None
    only_subject_right: int | None
    only_base_right: int | None

class TestFields(TypedDict, total=False):
    name: str | None
    kind: str | None
    statistic: str | None
    degrees_of_freedom: str | None
    denominator_degrees_of_freedom: str | None
    p: str | None
    p_qualifier: str | None
    sided: str | None
    alpha: float | None
    values: str | None

class ReferenceRunsFields(TypedDict, total=False):
    global_batch: int
    samples_to_target: Sequence[float]

class SaidFields(TypedDict, total=False):
    topic: str
    quote: str
    printed_at: PrintedAtFields
    duration_s: float | None

class SystemFields(TypedDict, total=False):
    name: str
    device: str | None
    device_kind: str | None
    device_memory_gib: float | None
    device_variant: str | None
    devices_per_node: int | None
    site_devices: int | None
    nodes: int | None
    host_processor: str | None
    host_sockets: int | None
    host_cores: int | None
    threads_used: int | None
    vectorised: bool | None
    host_memory_gib: float | None
    interconnect: str | None
    storage: str | None
    operating_system: str | None
    virtualisation: str | None
    memory_bytes_per_s: float | None
    link_bytes_per_s: float | None
    power_limit_w: float | None
    design_power_w: float | None
    released: str | None
    superseded: str | None
    price: PriceFields

class PriceFields(TypedDict, total=False):
    amount: float
    currency: str
    date: str | None
    kind: str | None

class ArmFields(TypedDict, total=False):
    label: str | None
    system: str | None
    devices: int | None
    options: OptionsFields
    observed: OptionsFields
    option_set: str | None
    workload: RanWorkloadFields
    software: SoftwareFields
    environment: EnvironmentFields
    measurement: MeasurementFields
    performance: dict[str, MetricFields]
    analysis: ArmAnalysisFields
    quality: dict[str, QualityFields]
    target: TargetFields
    splits: dict[str, SplitFields]
    search: SearchFields
    executed_steps: int | None
    native_input: NativeInputFields
    footprint: FootprintFields
    operations: OperationsFields
    accounting: AccountingFields
    splice: SpliceFields
    energy: EnergyFields
    cost: CostFields
    plan: PlanFields
    trials: dict[str, TrialFields]
    runs: dict[str, RunFields]
    description: DescriptionFields
    folder: str | None
    configuration: dict[str, ConfigurationFileFields]

class OptionsFields(TypedDict, total=False):
    model: str | None
    weights: str | None
    dataset: str | None
    preprocessing: str | None
    input_shape: Sequence[int]
    input_length: int | None
    precision: PrecisionFields
    optimizer: str | None
    sparsity: str | None
    quantisation: str | None
    compression: str | None
    dropout: bool | None
    stochastic_depth: bool | None
    attention: str | None
    staleness: int | None
    score_threshold: float | None
    suppression_threshold: float | None
    decoding: str | None
    routing_mode: str | None
    routing_capacity: float | None
    cache_format: str | None
    output_pruning: str | None
    evaluation_view: str | None
    global_batch: int | None
    batch_tokens: int | None
    batch_schedule: Sequence[BatchStepFields]
    normalisation_group: str | None
    learning_rate: float | None
    schedule: str | None
    warmup_epochs: float | None
    warmup_samples: float | None
    weight_decay: float | None
    momentum: float | None
    loss_scaling: str | None
    epochs: float | None
    steps: int | None
    augmentation: str | None
    micro_batch: int | None
    per_device_batch: int | None
    accumulation: int | None
    data_parallel: int | None
    tensor_parallel: int | None
    pipeline_parallel: int | None
    context_parallel: int | None
    expert_parallel: int | None
    devices: int | None
    bucketing: str | None
    overlap: bool | None
    loader_workers: int | None
    loader_prefetch: int | None
    loader_pinned: bool | None
    activation_checkpointing: bool | str | None
    sharding: str | None
    offload: str | None
    compile: bool | None
    seed: int | None
    logging: str | None
    name: str | None
    neutralised: Sequence[str]
    extra: Mapping[str, str | float | bool]

class PrecisionFields(TypedDict, total=False):
    compute: str | None
    accumulate: str | None
    weights: str | None
    communication: str | None
    tf32: bool | None
    reduced_reduction: bool | None
    fast_math: bool | None

class BatchStepFields(TypedDict, total=False):
    from_samples: int
    global_batch: int

class RanWorkloadFields(TypedDict, total=False):
    name: str | None
    entry: str | None
    command: Sequence[str]
    parameters: Mapping[str, str | float | bool]
    files: Mapping[str, str]
    commit: str | None
    environment: str | None

class SoftwareFields(TypedDict, total=False):
    driver: str | None
    firmware: str | None
    runtime: str | None
    libraries: Mapping[str, str]
    framework: str | None
    language: str | None
    tool: str | None
    tool_dirty: bool | None
    tool_changed_files: Sequence[str]
    container: str | None
    lock_digest: str | None
    packages: Mapping[str, str]
    released: str | None
    code: CodeFields

class CodeFields(TypedDict, total=False):
    url: str | None
    commit: str | None
    dirty: bool | None
    path: str | None

class EnvironmentFields(TypedDict, total=False):
    host: str | None
    clocks: ClocksFields
    power_limit_w: float | None
    affinity: str | None
    numa: str | None
    co_tenants: str | None
    partitioning: str | None
    controls: dict[str, ControlFields]
    probes: dict[str, ProbeFields]
    variables: Mapping[str, str]

class ClocksFields(TypedDict, total=False):
    policy: str
    low_mhz: float | None
    high_mhz: float | None

class ControlFields(TypedDict, total=False):
    requested: str | float | bool | None
    applied: str | float | bool | None
    found: str | float | bool | None
    verified: str
    restored: str | None
    evidence: str | None
    measured: Mapping[str, float]

class ProbeFields(TypedDict, total=False):
    value: float | None
    evidence: str | None

class MeasurementFields(TypedDict, total=False):
    scope: str | None
    timer: TimerFields
    client: ClientOverheadFields
    served_work: ServedWorkFields
    synchronisation: str | None
    warmup: WarmupFields
    phases_s: Mapping[str, float]
    checkpoints: CheckpointsFields
    excluded_phases: Sequence[str]
    wall_s: float | None
    exclusions: dict[str, ExclusionFields]
    exclusions_complete: bool | None
    pipeline: PipelineFields
    switched_off: Sequence[str]
    raw_count: int | None
    used_count: int | None
    stall_share: float | None
    discarded_iterations: Sequence[int] | None
    discard_rule: str | None
    stop_rule: str | None
    order: str | None
    rank_aggregation: str | None
    rank_spread: RankSpreadFields

class TimerFields(TypedDict, total=False):
    name: str | None
    resolution_s: float | None
    overhead_s: float | None

class ClientOverheadFields(TypedDict, total=False):
    requests: int
    ttft_s: float | None
    ttft_p99_s: float | None
    gap_s: float | None
    late_s: float | None
    late_p99_s: float | None

class ServedWorkFields(TypedDict, total=False):
    prefill: ServedPhaseFields
    decode: ServedPhaseFields
    ceilings: CeilingsFields

class ServedPhaseFields(TypedDict, total=False):
    calls: int
    tokens: int
    seconds: float
    operations: float
    bytes: float

class CeilingsFields(TypedDict, total=False):
    product_flops: Mapping[str, float]
    size: int
    copy_bytes_per_s: float
    spread: Mapping[str, float]
    operand_entropy_bits: float

class WarmupFields(TypedDict, total=False):
    discarded: int
    unit: str | None
    policy: str | None

class CheckpointsFields(TypedDict, total=False):
    count: int
    iterations: int | None
    duration_s: float
    bytes: int | None

class ExclusionFields(TypedDict, total=False):
    recurs: str
    duration_s: float | None
    stated: bool

class PipelineFields(TypedDict, total=False):
    kind: str
    label: str | None
    dataset_bytes: int | None
    bytes_per_sample: float | None
    cache_bytes: int | None
    link_bytes_per_s: float | None
    data_wait_share: float | None

class RankSpreadFields(TypedDict, total=False):
    ranks: int
    imbalance: float | None
    slowest_share: Sequence[float]
    stragglers: Sequence[int]

class MetricFields(TypedDict, total=False):
    quantity: str
    value: str | None
    unit: str
    printed_at: NumberAtFields
    digits: int | None
    statistic: str | None
    scope: str | None
    n: RepetitionsFields
    trials: int | None
    interval: IntervalFields
    plus_minus: PlusMinusFields
    summary: SummaryFields
    column: str | None
    averaged_over: int | None
    work_per_iteration: float | None
    load: LoadFields
    objective: ObjectiveFields
    wall_s: float | None
    work: float | None
    token_times: TokenTimesFields
    tokens: TokenCountsFields
    shards: dict[str, ShardFields]
    ranks: Mapping[str, str]

class NumberAtFields(TypedDict, total=False):
    line: int | None
    label: str | None
    file: str | None
    at: str | None

class RepetitionsFields(TypedDict, total=False):
    unit: str
    planned: int | None
    completed: int | None
    failed: int | None
    excluded: int | None

class PlusMinusFields(TypedDict, total=False):
    value: str
    label: str | None
    varies: str | None

class SummaryFields(TypedDict, total=False):
    mean: str | None
    median: str | None
    sd: str | None
    min: str | None
    max: str | None
    percentiles: Mapping[str, str]

class LoadFields(TypedDict, total=False):
    concurrency: float | None
    request_rate: float | None
    arrival: str | None
    loop: str | None
    steady: bool | None
    prompt_length: str | None
    output_length: str | None
    batching: str | None
    tokens_counted: str | None
    tokenizer: str | None
    prefix_cache: bool | None
    speculation: str | None
    duplicate_prompts: float | None
    client: str | None
    date: str | None

class ObjectiveFields(TypedDict, total=False):
    ttft_s: float | None
    ttft_s_per_prompt_token: float | None
    tpot_s: float | None
    latency_s: float | None

class TokenTimesFields(TypedDict, total=False):
    unit: str
    first_token: str | None
    per_output_token: str | None
    end_to_end: str | None
    output_tokens: str | None
    constant_length: bool | None
    definition: str | None
    statistic: str | None

class TokenCountsFields(TypedDict, total=False):
    real: float | None
    padded: float | None
    counted: str | None
    lengths: str | None

class ShardFields(TypedDict, total=False):
    value: str
    size: int | None

class ArmAnalysisFields(TypedDict, total=False):
    trials: int
    flagged: Mapping[str, int]
    modes_p: float | None
    flags: Sequence[str]

class QualityFields(TypedDict, total=False):
    metric: str
    value: str | None
    unit: str | None
    printed_at: NumberAtFields
    direction: str | None
    split: str | None
    examples: int | None
    counted: bool | None
    averaging: str | None
    checkpoint: str | None
    selection: SelectionFields
    evaluation_input: str | None
    training_input: str | None
    weight_averaging: str | None
    test_time_augmentation: str | None
    harness: str | None
    prompts: str | None
    n: RepetitionsFields
    statistic: str | None
    summary: SummaryFields
    seeds: Mapping[str, str]
    interval: IntervalFields
    plus_minus: PlusMinusFields
    reference: str | None
    loss: str | None
    perplexity: str | None
    bits_per_byte: str | None
    loss_base: str | None
    loss_per: str | None
    perplexity_per: str | None
    bytes_per_token: float | None
    evaluation_batch: int | None
    last_batch: str | None
    subset: str | None
    shards: dict[str, ShardFields]
    output_length: OutputLengthFields

class SelectionFields(TypedDict, total=False):
    policy: str | None
    evaluations: int | None
    split_used_for: Sequence[str]

class OutputLengthFields(TypedDict, total=False):
    generated: str
    reference: str
    bounded: bool | None

class SplitFields(TypedDict, total=False):
    examples: int | None
    digest: str | None
    overlap_with_train: int | None

class SearchFields(TypedDict, total=False):
    trials: int | None
    device_hours: float | None
    method: str | None
    space: str | None
    recipe: str | None
    defaults_changed: bool | None
    tuned_options: Sequence[str]
    defaults_stated: bool | None
    source: str | None
    sha256: str | None

class NativeInputFields(TypedDict, total=False):
    shape: Sequence[int]
    length: int | None
    source: str | None

class FootprintFields(TypedDict, total=False):
    parameters: float | None
    active_parameters: float | None
    bytes_per_parameter: float | None
    activation_bytes: float | None
    gradient_bytes: float | None

class OperationsFields(TypedDict, total=False):
    counted: str | None
    method: str | None
    flop_per_sample: float | None
    fractions: Mapping[str, float]
    counters: Mapping[str, float]
    counter_coverage: float | None
    peak_flops: float | None
    peak_kind: str | None
    dimensions: Mapping[str, int]
    bytes_moved: float | None
    cached: bool | None
    emulation: EmulationFields
    collective: CollectiveFields

class EmulationFields(TypedDict, total=False):
    scheme: str
    native_format: str | None
    retained_bits: float | None
    error: str | None

class CollectiveFields(TypedDict, total=False):
    kind: str
    reduction: str | None
    backend: str
    ranks: int
    message_bytes: int
    bus_factor: float | None
    algorithm_bytes_per_s: float | None
    bus_bytes_per_s: float | None
    latency_s: FittedFields
    bandwidth_bytes_per_s: FittedFields
    sweep: Sequence[CollectiveSizeFields]

class FittedFields(TypedDict, total=False):
    value: float
    low: float | None
    high: float | None

class CollectiveSizeFields(TypedDict, total=False):
    message_bytes: int
    repetitions: int | None
    time_s: float
    algorithm_bytes_per_s: float | None
    bus_bytes_per_s: float | None

class AccountingFields(TypedDict, total=False):
    registry: int
    hardware_operations: int
    model_operations: int
    by_format: Mapping[str, int]
    by_phase: Mapping[str, int]
    pointwise: Mapping[str, int]
    fp32_means: Mapping[str, str]
    storage_bytes: Mapping[str, Mapping[str, int]]
    coverage_bytes: float | None
    coverage_time: float | None
    time_shares: Mapping[str, float]
    unattributed: Mapping[str, float]
    operators: dict[str, TracedOperatorFields]
    traced_products: Mapping[str, int]
    counted_products: Mapping[str, int]
    failed: Mapping[str, str]
    ceilings: CeilingsFields
    data_sheet_flops: Mapping[str, float]
    roofline: RooflineFields

class TracedOperatorFields(TypedDict, total=False):
    calls: int
    self_time_s: float
    share: float

class RooflineFields(TypedDict, total=False):
    step_s: float
    intensity: Mapping[str, float]
    compute_share: float | None
    memory_share: float
    regime: str
    evidence: str

class SpliceFields(TypedDict, total=False):
    pairs: int
    steps: int
    losses_agree: bool
    largest_loss_difference: float
    step_time_ratio: float

class EnergyFields(TypedDict, total=False):
    boundary: str | None
    method: str | None
    energy_j: float | None
    devices: Mapping[str, float]
    mean_power_w: float | None
    duration_s: float | None
    updates: int | None
    sensor_period_s: float | None
    sensor_duty: float | None
    idle_power_w: float | None
    work: float | None
    nodes: int | None
    uncertainty: float | None
    ranging_power_w: float | None
    ranging_duration_s: float | None
    readings: MeterReadingsFields
    session: MeterSessionFields
    source: str | None

class MeterReadingsFields(TypedDict, total=False):
    count: int | None
    mean_power_w: float | None
    unread: int | None
    contradictory: int | None
    disordered: int | None
    longest_gap_s: float | None
    longest_repeat: int | None
    copied: int | None

class MeterSessionFields(TypedDict, total=False):
    identities: Sequence[str]
    clock_offset_s: float | None
    in_phase: bool | None
    ranging_lead_s: float | None
    interval_s: float | None
    is_ranged: bool | None
    debug: bool | None
    printed_readings: int | None
    printed_mean_power_w: float | None
    files: dict[str, RecordedFileFields]
    lacking: Sequence[str]

class RecordedFileFields(TypedDict, total=False):
    recorded: str
    found: str | None
    record: str | None

class CostFields(TypedDict, total=False):
    hours: float | None
    price: PriceFields
    utilisation: float | None
    kind: str | None

class PlanFields(TypedDict, total=False):
    trials: int | None
    started: int | None
    seeds: Sequence[int]
    omitted: Mapping[str, str]

class TrialFields(TypedDict, total=False):
    kind: str
    seed: int | None
    order: int | None
    attempts: int | None
    outcome: str
    reason: str | None
    started: str | None
    ended: str | None
    boot_id: str | None
    device_ids: Sequence[str]
    iterations_planned: int | None
    warmup: int | None
    samples: Mapping[str, Sequence[float]]
    requests: RequestsFields
    samples_file: SamplesFileFields
    medians: Mapping[str, str]
    analysis: SeriesAnalysisFields
    evaluations: Sequence[EvaluationFields]
    crossing: CrossingFields
    planned_samples: float | None
    final: Mapping[str, str]
    timer: TimerFields
    wall_s: float | None
    observed: OptionsFields
    controls: dict[str, ControlFields]
    software: SoftwareFields
    environment: EnvironmentFields
    telemetry: TelemetryFields
    ranks: Sequence[TrialRankFields]
    nodes: Sequence[TrialNodeFields]
    jobs: Sequence[JobFields]

class RequestsFields(TypedDict, total=False):
    scheduled_s: Sequence[float]
    sent_s: Sequence[float | None]
    ended_s: Sequence[float | None]
    outcome: Sequence[str]
    first_chunk_s: Sequence[float | None]
    first_content_s: Sequence[float | None]
    content_s: Sequence[Sequence[float]]
    input_tokens: Sequence[float | None]
    output_tokens: Sequence[float | None]
    tokenizer_input_tokens: Sequence[float | None]
    tokenizer_output_tokens: Sequence[float | None]
    asked_output_tokens: Sequence[float | None]
    cached_tokens: Sequence[float | None]
    prompt: Sequence[float | None]

class SamplesFileFields(TypedDict, total=False):
    path: str
    sha256: str
    rows: int

class SeriesAnalysisFields(TypedDict, total=False):
    column: str
    values: int
    read: int
    warmup_end: int | None
    head_excess: float | None
    autocorrelation: float | None
    autocorrelation_time: float | None
    effective_n: float | None
    drift: float | None
    drift_p: float | None
    modes_p: float | None
    flags: Sequence[str]

class EvaluationFields(TypedDict, total=False):
    split: str
    samples: float | None
    step: int | None
    epoch: float | None
    time_s: float | None
    examples: int | None
    correct: int | None
    metrics: Mapping[str, float | None]

class CrossingFields(TypedDict, total=False):
    reached: bool
    samples: float | None
    step: int | None
    time_s: float | None
    wall_time_s: float | None

class TelemetryFields(TypedDict, total=False):
    period_s: float | None
    window_s: float | None
    throttled_s: Mapping[str, float]
    devices: dict[str, DeviceTelemetryFields]
    columns: Mapping[str, Sequence[float]]
    file: SamplesFileFields

class DeviceTelemetryFields(TypedDict, total=False):
    throttled_s: Mapping[str, float]

class TrialRankFields(TypedDict, total=False):
    rank: int
    host: str | None
    local_rank: int | None
    device: str | None
    processors: int | None
    variables: Mapping[str, str]
    clock: RankClockFields
    step_time_s: str | None
    step_time_p99_s: str | None
    data_wait_s: str | None
    outcome: str | None
    peak_memory_bytes: int | None
    file: str | None

class RankClockFields(TypedDict, total=False):
    offset_s: float | None
    uncertainty_s: float | None
    evidence: str

class TrialNodeFields(TypedDict, total=False):
    host: str
    controls: dict[str, ControlFields]
    environment: str | None
    record: str | None
    telemetry: str | None

class JobFields(TypedDict, total=False):
    scheduler: str
    id: str
    attempt: int
    state: str | None

class RunFields(TypedDict, total=False):
    role: str | None
    file: RunFileFields
    status: str | None
    host: str | None
    exclusive: bool | None
    device_ids: Sequence[str]
    processes: int | None
    clock: RunClockFields
    events: dict[str, RunEventFields]
    malformed: dict[str, MalformedLineFields]
    window: RunWindowFields
    init: RunInitFields
    verdict: HarnessVerdictFields
    summary: Mapping[str, object]
    tool: RunToolFields
    record: AccuracyRecordFields

class RunFileFields(TypedDict, total=False):
    name: str
    bytes: int | None
    sha256: str | None
    content_sha256: str | None
    format: str | None

class RunClockFields(TypedDict, total=False):
    kind: str | None
    resolution_ms: float | None

class RunEventFields(TypedDict, total=False):
    time_ms: float | None
    key: str
    value: object
    samples: float | None
    step: float | None
    epoch: float | None
    kind: str | None

class MalformedLineFields(TypedDict, total=False):
    column: int | None
    expected: str
    text: str | None

class RunWindowFields(TypedDict, total=False):
    start_ms: float | None
    stop_ms: float | None
    configured_min_s: float | None
    configured_max_s: float | None
    trace_s: float | None
    wall_s: float | None
    largest_latency_s: float | None
    work: float | None
    rate_per_s: float | None

class RunInitFields(TypedDict, total=False):
    start_ms: float | None
    stop_ms: float | None

class HarnessVerdictFields(TypedDict, total=False):
    valid: bool | None
    words: str | None
    parts: Mapping[str, bool]
    errors: int | None

class RunToolFields(TypedDict, total=False):
    name: str | None
    release: str | None
    commit: str | None
    mode: str | None
    changed_files: Sequence[str]

class AccuracyRecordFields(TypedDict, total=False):
    file: RunFileFields
    metrics: Mapping[str, str]
    correct: int | None
    examples: int | None
    named_sha256: str | None
    outputs_sha256: str | None
    outputs: str | None

class DescriptionFields(TypedDict, total=False):
    file: RunFileFields
    fields: Mapping[str, object]
    malformed: dict[str, MalformedLineFields]

class ConfigurationFileFields(TypedDict, total=False):
    file: RunFileFields
    settings: Mapping[str, str]

class TableFields(TypedDict, total=False):
    caption: str | None
    columns: dict[str, ColumnFields]
    rows: dict[str, RowFields]
    varies: Sequence[str]
    label: str | None
    base_row: str | None
    dataset_examples: int | None
    members: Sequence[str]
    subset_reason: str | None
    aggregator: str | None

class ColumnFields(TypedDict, total=False):
    quantity: str
    unit: str
    scope: str | None
    mode: str | None
    statistic: str | None
    format: str | None

class RowFields(TypedDict, total=False):
    label: str | None
    arm: str | None
    own: bool | None
    system: str | None
    devices: int | None
    nodes: int | None
    options: OptionsFields
    values: Mapping[str, str]
    speedup: str | None
    efficiency: str | None
    wall_s: float | None
    samples: float | None
    samples_to_target: float | None
    parameters: float | None
    flop_method: str | None

class FigureFields(TypedDict, total=False):
    caption: str
    kind: str | None
    axis_start: float | None
    log_axis: bool | None
    connects_categories: bool | None
    intervals_drawn: bool | None
    values_stated: bool | None
    x_axis: str | None
    arms: Sequence[str]

class ManifestRefFields(TypedDict, total=False):
    path: str
    sha256: str

class DisclosureFields(TypedDict, total=False):
    topic: str
    quote: str

class FolderFields(TypedDict, total=False):
    name: str | None
    files: dict[str, FolderFileFields]
    benchmarks: Sequence[str]

class FolderFileFields(TypedDict, total=False):
    bytes: int | None
    sha256: str | None
    role: str | None
    format: str | None
    nearest: str | None
    missing: Sequence[str]
