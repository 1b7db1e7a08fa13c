"""Free options: what their names say stands in for the field, and an unknown one that differs is a difference."""

import pytest
from dlaudit.rules.facts.comparison.options import Same, compare
from dlaudit.rules.free_options import of_known_names
from dlaudit.rules.outcome import REFUTES, Outcome
from dlaudit.schemas.conditions import Environment
from dlaudit.schemas.evidence import Arm
from dlaudit.schemas.options import Options, Precision
from support.patches import claim


def completed(extra=None, **options):
    return of_known_names(Arm(options=Options(extra=extra or {}, **options)))


@pytest.mark.parametrize(
    ("extra", "part", "name"),
    [
        ({"precision": "fp8 e4m3"}, "compute", "e4m3"),
        ({"amp": "bf16"}, "compute", "bf16"),
        ({"torch_dtype": "torch.float16"}, "compute", "fp16"),
        ({"matmul": "INT8"}, "compute", "int8"),
        ({"weight_dtype": "int4"}, "weights", "int4"),
        ({"accumulator": "FP32"}, "accumulate", "fp32"),
        ({"allreduce format": "FP16"}, "communication", "fp16"),
    ],
)
def test_a_number_format(extra, part, name):
    assert getattr(completed(extra).options.precision, part) == name


@pytest.mark.parametrize("extra", [{"amp": True}, {"amp": "O2"}, {"loader": "bf16"}, {"precision": "bf16 or fp16"}])
def test_no_number_format(extra):
    assert completed(extra).options.precision is None


def test_what_is_stated_stays():
    assert completed({"amp": "fp16"}, precision=Precision(compute="bf16")).options.precision.compute == "bf16"
    assert completed({"amp": "fp16"}, precision=Precision(compute="mixed")).options.precision.compute == "fp16"


@pytest.mark.parametrize(("extra", "devices"), [({"gpus": 64.0}, 64), ({"num_gpus": "8"}, 8), ({"gpus": "many"}, None)])
def test_devices(extra, devices):
    assert completed(extra).devices == devices


def test_a_batch_beside_no_other():
    assert completed({"batch_size": 256.0}).options.global_batch == 256
    assert completed({"batch_size": 256}, per_device_batch=32).options.global_batch is None


def test_what_was_timed_and_what_was_read():
    assert completed({"timed": "attention layer"}).measurement.scope == "layer"
    assert completed({"timed": "layer and step"}).measurement is None
    assert completed({"input": "synthetic"}).measurement.pipeline.kind == "synthetic"
    assert completed({"input": "not synthetic"}).measurement is None


def test_a_driver_among_the_variables():
    arm = of_known_names(Arm(environment=Environment(variables={"NVIDIA_DRIVER": "470.82.01"})))
    assert arm.software.driver == "470.82.01"


def test_an_arm_without_free_options_is_the_same():
    arm = Arm()
    assert of_known_names(arm) is arm


def compared(left, right):
    return compare(Options(model="m", extra=left), Options(model="m", extra=right))


def test_an_unknown_one_that_differs_is_a_difference():
    found = compared({"gate": "soft"}, {"gate": "hard"})
    assert found.within("HARD") is Same.DIFFERENT
    assert found.differing("HARD") == (("extra.gate", "soft", "hard"),)


def test_one_that_only_one_side_has_is_never_equal():
    assert compared({"gate": "soft"}, {}).within("HARD") is Same.UNKNOWN


@pytest.mark.parametrize("name", ["seed", "log_path", "run name", "batch_size"])
def test_labels_and_names_of_fields_are_none(name):
    assert not compared({name: "1"}, {name: "2"}).different


@pytest.mark.parametrize(("fused", "plain"), [("soft", "hard"), ("8", "16")])
def test_a_quality_of_another_free_option_is_of_another_option_set(judged, fused, plain):
    both = {"attention": "exact"}
    arms = {
        "fused": {"options": both | {"extra": {"gate": fused}}},
        "plain": {"options": both | {"extra": {"gate": plain}}},
    }
    patch = claim("speedup", quality={"arm": "plain", "quality": "loss"}) | {"arms": arms}
    result = judged("training-pair", "W0801", "speedup", patch)
    assert (result.outcome, result.branch.effect) == (Outcome.VIOLATION, REFUTES)
