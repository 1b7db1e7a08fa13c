"""The fact `runs.logged_options`."""

from dlaudit.rules.facts.runs.logged_options import class_of
from support.traces import of_run, runs


def test_options_are_sets_of_comparable_values():
    again = of_run(
        **{"9000": {"key": "global_batch_size", "value": "256.0"}, "9001": {"key": "opt_name", "value": "sgd"}}
    )
    options = runs("suite-training", "retinanet", again)[0].trace.options
    assert options["global_batch_size"] == (256.0,)
    assert options["opt_name"] == ("adam", "sgd")


def test_classes_of_logged_keys():
    classes = {"global_batch_size": "STAT", "model_bn_span": "STAT", "opt_name": "HARD", "max_sequence_length": "HARD"}
    classes |= {"opt_gradient_accumulation_steps": "LAYOUT", "number_of_nodes": "LAYOUT", "lora_rank": "HARD"}
    classes |= {"lars_epsilon": "RECIPE", "max_steps": "RECIPE", "init_checkpoint_sha256sum": "HARD"}
    classes |= {"seed": "COSMETIC", "stage_dir_prefix": "COSMETIC", "train_samples": "HARD", "masked_msa": None}
    assert {key: class_of(key) for key in classes} == classes
