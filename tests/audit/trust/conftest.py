"""A small but real study in a temporary folder, signed and recorded by the code under test."""

import hashlib
import json
from pathlib import Path

import pytest
from dlaudit.audit.cli import run
from dlaudit.audit.trust import dsse, keys
from dlaudit.audit.trust.ledger import slice_of
from dlaudit.audit.trust.recorder import LedgerRecorder

OPTION_SET = "sha256:" + "ab" * 32


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """Keep keys, ledger and memory of every test to itself."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv(keys.PASSPHRASE_FILE, raising=False)
    return tmp_path


@pytest.fixture
def cli(capsys):
    """Run one command line; return its exit code and everything it printed."""

    def call(*arguments):
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return call


@pytest.fixture
def make_key(tmp_path):
    """Make an unencrypted key; return its signer and the path of its private file."""

    def make():
        return keys.generate(tmp_path / "config" / "dlaudit" / "keys", None)

    return make


def digest(data):
    return hashlib.sha256(data).hexdigest()


def plan_of(study, spec, trials):
    return {
        "study": study,
        "title": "a study",
        "spec_sha256": digest(spec),
        "nonce": "4f2a",
        "arms": {"base": {"option_set": OPTION_SET}},
        "trials": [
            {"trial": trial, "arm": "base", "kind": "throughput", "seed": 7, "iterations": 3, "warmup": 1}
            for trial in trials
        ],
    }


def statement_of(plan, files, samples, part):
    trials = {
        trial: {
            "kind": "throughput",
            "outcome": "completed",
            "seed": 7,
            "samples_file": {"path": name, "sha256": digest(files[name]), "rows": 3},
        }
        for trial, name in samples.items()
    }
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": digest(data)}} for name, data in sorted(files.items())],
        "predicateType": "urn:dlaudit:study:v1",
        "predicate": {
            "dlaudit": "study/1",
            "tool": {"name": "dlaudit", "version": "0.1.0"},
            "libraries": {"numpy": "2.0"},
            "study": {
                "id": plan["study"],
                "title": plan["title"],
                "spec_sha256": plan["spec_sha256"],
                "spec": "spec.yaml",
                "started": "2026-01-01T00:00:00Z",
                "ended": "2026-01-01T00:01:00Z",
                "complete": True,
                "nonce": plan["nonce"],
            },
            "systems": {"here": {"name": "a machine"}},
            "arms": {"base": {"option_set": OPTION_SET, "trials": trials}},
            "plan": plan["trials"],
            **({"ledger": part} if part is not None else {}),
        },
    }


def write_manifest(folder, statement):
    data = json.dumps(statement, indent=1, sort_keys=True).encode() + b"\n"
    (folder / "manifest.json").write_bytes(data)
    return data


def read_manifest(folder):
    return json.loads((folder / "manifest.json").read_bytes())


@pytest.fixture
def make_study(tmp_path):
    """Write a study of two trials with its ledger; `name` keeps several apart."""

    def make(name="study", with_ledger=True, spec=b"dlaudit: spec/1\n"):
        folder = tmp_path / name
        (folder / "trials").mkdir(parents=True)
        files = {"spec.yaml": spec}
        samples = {}
        for number, trial in enumerate(("base-t1", "base-t2")):
            samples[trial] = f"trials/{trial}.samples.json"
            files[samples[trial]] = json.dumps({"step_time_s": [0.1 + number, 0.2, 0.3]}).encode()
        for path, data in files.items():
            (folder / path).write_bytes(data)
        plan = plan_of(f"id-of-{name}", spec, samples)
        (folder / "plan.json").write_text(json.dumps(plan))
        part = None
        if with_ledger:
            recorder = LedgerRecorder(tmp_path / "state" / "dlaudit" / "ledger.jsonl")
            recorder.planned(plan)
            for trial, path in samples.items():
                recorder.started(trial)
                recorder.ended(trial, "completed", digest(files[path]))
            part = slice_of(recorder.path, plan["study"])
        write_manifest(folder, statement_of(plan, files, samples, part))
        return folder

    return make


@pytest.fixture
def signed(make_study, make_key, cli, tmp_path):
    """A signed study and a trust file that lists its signer: the folder, the trust file, the signer."""
    folder = make_study()
    signer, path = make_key()
    assert cli("sign", folder, "--key", path)[0] == 0
    trust = tmp_path / "trust.json"
    assert cli("trust", "init", trust, "--name", "buyers")[0] == 0
    assert cli("trust", "add", trust, path.with_suffix(".pub"), "--owner", "Lab A")[0] == 0
    return folder, trust, signer


def resign(folder, signer):
    """Replace the envelope by one over the manifest as it is now, whatever it holds: what a dishonest signer can do."""
    payload = (folder / "manifest.json").read_bytes()
    (folder / "manifest.dsse.json").write_bytes(dsse.write(dsse.sign(dsse.STATEMENT_TYPE, payload, signer)))


@pytest.fixture
def tools():
    """Functions that several test files share."""

    class Tools:
        digest = staticmethod(digest)
        plan_of = staticmethod(plan_of)
        write_manifest = staticmethod(write_manifest)
        read_manifest = staticmethod(read_manifest)
        resign = staticmethod(resign)

    return Tools


@pytest.fixture
def ledger_path():
    return Path(__import__("os").environ["XDG_STATE_HOME"]) / "dlaudit" / "ledger.jsonl"
