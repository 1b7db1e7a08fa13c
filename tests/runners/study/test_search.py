"""Tuning effort, read from real records: a study of our own, and storages that Optuna itself wrote."""

import json
from pathlib import Path

import pytest
from dlaudit.runners.study.search import read, searches
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.model import to_model
from dlaudit.schemas.spec import SearchSource, Spec
from dlaudit.schemas.validation import validate

ROOT = Path(__file__).parents[3]


def source(path, study=None):
    return SearchSource(at="/search", source=str(path), study=study)


def test_a_study_of_our_own_counts_every_trial_that_was_begun():
    found = read(source("examples/honest/study"), ROOT, "/search")
    record = json.loads((ROOT / "examples/honest/study/manifest.json").read_text(encoding="utf-8"))["predicate"]
    trials = [trial for arm in record["arms"].values() for trial in arm["trials"].values()]
    assert found["trials"] == len(trials)
    assert found["device_hours"] == pytest.approx(sum(trial["wall_s"] for trial in trials) / 3600, rel=1e-4)
    assert record["study"]["id"] in found["method"]
    assert len(found["sha256"]) == 64


def objective(trial):
    import optuna

    trial.suggest_float("learning_rate", 1e-4, 1e-1, log=True)
    trial.suggest_categorical("global_batch", [32, 64])
    if trial.number == 1:
        raise optuna.TrialPruned
    return trial.suggest_int("layers", 1, 4)


@pytest.fixture(params=["database", "journal"])
def storage(request, tmp_path):
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    path = tmp_path / request.param
    kept = f"sqlite:///{path}"
    if request.param == "journal":
        from optuna.storages.journal import JournalFileBackend

        kept = optuna.storages.JournalStorage(JournalFileBackend(str(path)))
    for name, trials in (("first", 4), ("second", 2)):
        optuna.create_study(storage=kept, study_name=name).optimize(objective, n_trials=trials)
    return path


def test_a_storage_of_optuna_counts_pruned_trials_too(storage):
    found = read(source(storage.name, "first"), storage.parent, "/search")
    assert found["trials"] == 4
    assert found["tuned_options"] == ["global_batch", "layers", "learning_rate"]
    assert "learning_rate: 0.0001 to 0.1 (log)" in found["space"]
    assert "global_batch: 32, 64" in found["space"]
    assert found["device_hours"] >= 0


def test_of_several_studies_one_has_to_be_named(storage):
    with pytest.raises(UserError, match="first, second"):
        read(source(storage.name), storage.parent, "/search")
    assert read(source(storage.name, "second"), storage.parent, "/search")["trials"] == 2


@pytest.mark.parametrize("text", [b"", b"{", b"[1]", b'{"op_code": 4}', b"SQLite format 3\0 and no more"])
def test_what_is_no_record_is_one_clear_error(text, tmp_path):
    (tmp_path / "x").write_bytes(text)
    with pytest.raises(UserError):
        read(source("x"), tmp_path, "/search")


def test_an_arm_of_a_spec_names_its_search():
    value = {
        "dlaudit": "spec/1",
        "title": "t",
        "workload": {"name": "mlp"},
        "arms": {"a": {"search": {"source": "examples/honest/study"}}, "b": {}},
        "throughput": {"iterations": 1},
    }
    assert validate("spec", value) == ()
    assert list(searches(to_model(value, Spec), ROOT)) == ["a"]
