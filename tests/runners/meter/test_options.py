"""What the objects of real libraries say of loading, loss scaling and parallelism."""

import pytest
from dlaudit.runners.meter import libraries

torch = pytest.importorskip("torch")


def test_a_loader_in_the_training_process_loads_nothing_ahead():
    found = libraries.of_loader(torch.utils.data.DataLoader([1, 2]))
    assert found == {
        "loader_workers": 0,
        "loader_prefetch": 0,
        "loader_pinned": False,
        "extra": {"persistent_workers": False},
    }
    assert libraries.of_loader([1, 2]) == {}


def test_a_scaler_that_is_on_scales_the_loss():
    on, off = (torch.amp.GradScaler("cpu", enabled=enabled) for enabled in (True, False))
    assert [libraries.of_scaler(one)["loss_scaling"] for one in (on, off, None)] == ["dynamic", "none", "none"]


def test_an_accelerator_says_how_it_is_parallel():
    accelerate = pytest.importorskip("accelerate")
    accelerator = accelerate.Accelerator(cpu=True)
    assert libraries.of_accelerator(accelerator) == {"loss_scaling": "none"}
    config = accelerate.parallelism_config.ParallelismConfig(tp_size=2)
    assert libraries.of_sizes(config) == {"tensor_parallel": 2, "context_parallel": 1}


def test_trainer_arguments_say_what_is_recomputed_and_shared(tmp_path):
    transformers = pytest.importorskip("transformers")
    from dlaudit.runners.adapters.hugging_face import of_arguments

    arguments = transformers.TrainingArguments(output_dir=str(tmp_path), use_cpu=True, gradient_checkpointing=True)
    assert of_arguments(arguments) == {
        "loss_scaling": "none",
        "activation_checkpointing": True,
        "sharding": "none",
    }
