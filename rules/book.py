"""The built-in rules, an explicit list: one module per rule, named after the flaw.

`python -P -m dlaudit.rules.book` writes the index of the list, which says of each rule what has to be known before it
runs. A module that the index lacks is imported instead, so that a new rule works before the index is written.
"""

from __future__ import annotations

from functools import cache

from . import index
from .registry import Listed, Rule, load

MODULES = (
    "way01.accuracy_missing_at_scale",
    "way01.short_run_extrapolated",
    "way01.target_not_reached",
    "way01.accuracy_degrades_with_scale",
    "way01.projection_as_measurement",
    "way01.target_lost_after_crossing",
    "way01.target_margin_within_noise",
    "way01.mean_criterion_hides_misses",
    "way02.test_metric_absent",
    "way02.train_test_leak",
    "way02.selected_on_test",
    "way02.metric_definition_incomplete",
    "way03.tuning_cost_unreported",
    "way03.best_trial_as_headline",
    "way03.tuning_budget_asymmetric",
    "way03.launched_runs_omitted",
    "way03.options_tuned_in_one_arm",
    "way03.evaluation_split_reused_for_tuning",
    "way04.baseline_hardware_outdated",
    "way04.device_class_mismatch",
    "way04.baseline_software_stale",
    "way04.resource_normalisation_missing",
    "way04.degenerate_baseline",
    "way05.kernel_as_application",
    "way05.phase_coverage_incomplete",
    "way05.kernel_gain_overpropagated",
    "way05.suite_subset_unexplained",
    "way05.proxy_configuration_as_full_scale",
    "way05.phase_figure_without_whole",
    "way06.io_excluded",
    "way06.data_stall_hidden",
    "way06.storage_bandwidth_infeasible",
    "way06.checkpoint_eval_excluded",
    "way06.work_outside_clock",
    "way07.ops_undefined",
    "way07.precision_fractions_missing",
    "way07.sparse_peak_as_dense",
    "way07.hardware_flops_as_model_flops",
    "way07.ops_to_solution_missing",
    "way07.mixed_flop_accounting",
    "way08.option_set_mismatch",
    "way08.joint_point_missing",
    "way08.software_stack_mismatch",
    "way08.composite_of_option_sets",
    "way08.evaluation_options_changed",
    "way08.quality_neutralising_option",
    "way09.input_size_inflated",
    "way09.flops_per_example_excessive",
    "way09.science_per_cost_missing",
    "way09.padding_counted_as_work",
    "way10.fixed_walltime_scaling",
    "way10.curve_truncated",
    "way10.divergence_cut",
    "way10.convergence_scaling_range_mismatch",
    "way10.convergence_not_work_normalised",
    "way11.scaling_mode_undeclared_or_wrong",
    "way11.batch_grows_recipe_unadjusted",
    "way11.weak_scaling_sold_as_speedup",
    "way11.problem_size_varies_with_scale",
    "way11.batch_growth_effect_unshown",
    "way11.scaling_base_unmatched",
    "way12.one_sided_comparison",
    "way12.sota_reference_missing_or_stale",
    "way12.baseline_copied_not_rerun",
    "way12.best_claim_pareto_dominated",
    "way12.metric_defined_by_claimant",
    "way12.weakest_comparator_in_headline",
    "way12.comparator_unidentified",
    "methodology.warmup_too_short",
    "methodology.too_few_repetitions",
    "methodology.single_process_only",
    "methodology.device_sync_missing",
    "methodology.clocks_not_controlled",
    "methodology.throttle_observed",
    "methodology.power_limit_unrecorded",
    "methodology.versions_missing",
    "methodology.isolation_missing",
    "methodology.arms_differ_in_environment",
    "methodology.batch_or_precision_not_normalised",
    "methodology.multiple_variables_changed",
    "methodology.run_order_confounded",
    "methodology.unequal_shards_simple_mean",
    "methodology.best_vs_average",
    "methodology.rank_aggregation_unstated",
    "methodology.environment_varies_within_arm",
    "methodology.single_session_on_shared_service",
    "methodology.accuracy_run_distant_in_time",
    "methodology.measuring_tool_modified",
    "statistical.uncertainty_missing",
    "statistical.difference_not_supported",
    "statistical.below_practical_threshold",
    "statistical.equivalence_untested",
    "statistical.wrong_mean",
    "statistical.tail_hidden_by_mean",
    "statistical.multiplicity_uncorrected",
    "statistical.null_without_power",
    "statistical.ratio_without_base",
    "statistical.accuracy_gain_within_noise",
    "statistical.headline_is_extreme_of_range",
    "statistical.headline_metric_unreplicated",
    "statistical.single_seed_convergence",
    "bounds.peak_flops_exceeded",
    "bounds.amdahl_exceeded",
    "energy.energy_boundary_undefined",
    "energy.energy_not_mean_power_x_time",
    "energy.efficiency_not_normalised",
    "energy.cost_basis_missing",
    "serving.serving_workload_undefined",
    "serving.latency_parts_contradict_total",
    "serving.rate_exceeds_concurrency",
    "forensics.samples_contradict_rate",
    "forensics.samples_contradict_batch_and_steps",
    "forensics.samples_contradict_epochs",
    "forensics.speedup_contradicts_values",
    "forensics.efficiency_contradicts_speedup",
    "forensics.percent_change_misstated",
    "forensics.statistic_contradicts_raw",
    "forensics.impossible_summary",
    "forensics.percentiles_out_of_order",
    "forensics.accuracy_not_attainable",
    "forensics.tta_below_work_time",
    "forensics.step_sum_exceeds_wall",
    "forensics.timestamps_impossible",
    "forensics.perplexity_contradicts_loss",
    "forensics.total_contradicts_per_device",
    "forensics.flops_contradict_sample_rate",
    "forensics.crossing_contradicts_log",
    "document.report_incomplete",
    "reproducibility.code_missing",
    "reproducibility.hardware_missing",
    "reproducibility.raw_data_missing",
    "reproducibility.environment_missing",
    "reproducibility.workload_options_missing",
    "reproducibility.failed_runs_exceed_allowance",
    "reproducibility.waiver_self_granted",
    "reproducibility.placeholder_left_in_evidence",
    "integrity.signature_invalid",
    "integrity.unsigned",
    "integrity.claim_unlinked",
    "integrity.nonce_missing",
    "plots.plot_misleads",
    "suite.result_identity_missing",
    "document.document_invalid",
    "document.waiver_expired",
    "document.waiver_unused",
)


@cache
def entries() -> tuple[Listed, ...]:
    """Return the built-in rules as the index knows them, in the order of the list."""
    known = index.read()
    return tuple(known[module] if module in known else load(module) for module in MODULES)


@cache
def book() -> tuple[Rule, ...]:
    """Import every built-in rule and return them in the order of the list."""
    return tuple(load(module) for module in MODULES)


def by_code(code: str) -> Rule | None:
    """Return the rule of a code or a name, or None."""
    return next((entry.load() for entry in entries() if code in {entry.code, entry.name}), None)


if __name__ == "__main__":
    index.write(zip(MODULES, book(), strict=True))
