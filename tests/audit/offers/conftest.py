"""Studies made from the honest example: its raw numbers with another speed, spec or nonce, recorded and signed anew."""

import json
import shutil
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from dlaudit.audit import implied
from dlaudit.audit.tender.init import Facts, begin
from dlaudit.audit.tender.tender import read_tender, with_nonce
from dlaudit.audit.trust import keys, trustedit
from dlaudit.audit.trust.ledger import slice_of
from dlaudit.audit.trust.recorder import LedgerRecorder
from dlaudit.audit.trust.signing import sign_study
from dlaudit.runners.record import manifest as manifests
from dlaudit.runners.record import rates
from dlaudit.runners.study import plan as planning
from dlaudit.runners.study import sweep
from dlaudit.runners.study.folder import write_json
from dlaudit.schemas.digest import sha256_hex
from dlaudit.schemas.model import to_model
from dlaudit.schemas.source import parse
from dlaudit.schemas.spec import Spec

ROOT = Path(__file__).parents[3]
HONEST = ROOT / "examples" / "honest"
CALM = 0.2
"""Share of the example's noise that is kept."""
STEP_S = 0.008


def scaled(value, factor):
    """Scale the times of an event or of a sample file; noise about the example's usual step shrinks with it."""
    if isinstance(value, list):
        return [round(factor * (STEP_S + CALM * (item - STEP_S)), 9) for item in value]
    return round(factor * value, 9)


def retimed(document, factor):
    """Return an event, or the columns of a sample file, whose times are of another speed."""
    return {
        key: scaled(value, factor)
        if key in ("step_time_s", "wall_s", "time_s", "evaluation_s")
        else retimed(value, factor)
        if isinstance(value, dict)
        else value
        for key, value in document.items()
    }


def lost(share):
    """Return the record of a trial that lost a share of its time to other programs."""
    told = {"window_s": 10.0, "others_s": 20.0 * share, "cpu_pressure_s": 10.0 * share, "processors": 2.0}
    return {"verified": "not_requested", "measured": told}


def measured(out, spec, signer, factor=1.0, energy=None, ledger=None, busy=0.0):
    """Make a study of a spec in a folder: the example's trials, `factor` times as slow.

    Args:
        out: the folder.
        spec: bytes of the spec (YAML).
        signer: who signs; None leaves it unsigned.
        factor: how much slower than the example.
        energy: energy of the arm as the manifest states it.
        ledger: where plan and trials are entered.
        busy: share of its time that each trial lost to other programs.
    """
    shutil.copytree(HONEST / "study", out)
    for name in ("manifest.json", "manifest.dsse.json", "submission.json"):
        (out / name).unlink()
    (out / "spec.yaml").write_bytes(spec)
    environment = out / "environment" / "1.json"
    ran = {"digits": {"name": "digits-cnn", "parameters": {"width": 32}}}
    environment.write_text(json.dumps(json.loads(environment.read_text()) | {"programs": ran}))
    for path in (out / "trials").glob("*.events.jsonl"):
        events = [retimed(json.loads(line), factor) for line in path.read_text().splitlines()]
        path.write_text("".join(json.dumps(event) + "\n" for event in events))
    digests = {}
    for path in (out / "trials").glob("*.samples.json"):
        data = json.dumps(retimed(json.loads(path.read_text()), factor)).encode()
        path.write_bytes(data)
        digests[path.name.split(".")[0]] = sha256_hex(data)
    model = sweep.expanded(to_model(parse(spec, "spec.yaml").value, Spec))
    plan = planning.make(model, sha256_hex(spec))
    document = json.loads((out / "plan.json").read_text())
    document |= {"study": str(uuid.uuid4()), "spec_sha256": plan.spec_sha256, "nonce": plan.nonce}
    write_json(out / "plan.json", document)
    recorder = LedgerRecorder(ledger or out.parent / f"{out.name}.ledger.jsonl")
    recorder.planned(document)
    for trial in plan.trials:
        path = out / "trials" / f"{trial.trial}.record.json"
        record = json.loads(path.read_text()) | {"samples_sha256": digests[trial.trial]}
        write_json(path, record)
        recorder.started(trial.trial)
        recorder.ended(trial.trial, "completed", digests[trial.trial])
    manifest = manifests.build(out, model, plan, slice_of(recorder.path, recorder.study))
    if energy is not None:
        for arm in manifest["predicate"]["arms"].values():
            arm["energy"] = energy
    if busy:
        for arm in manifest["predicate"]["arms"].values():
            for trial in arm["trials"].values():
                trial["controls"]["other_load"] = lost(busy)
    data = write_json(out / "manifest.json", manifest)
    if signer is not None:
        sign_study(out, signer)
    exact = rates.per_trial(out, manifest["predicate"]["arms"])
    write_json(out / "submission.json", implied.submission(manifest, sha256_hex(data), model, rates=exact))
    recorder.path.unlink(missing_ok=True)
    return out


MIXED = """\
dlaudit: submission/1
title: "Server C: 31000 samples per second at 97.7 % accuracy"
claims:
  rate:
    statement: "Server C trains at 31000 samples per second and reaches 97.7 % test accuracy."
    value: "31000"
    unit: samples/s
    quantity: rate
    form: absolute
    scope: step
    mode: training
    compares: none
    work: samples
    measured: {arm: fast, metric: rate}
    quality: {arm: exact, quality: accuracy}
arms:
  fast:
    options: {model: digits-cnn-w32, precision: {compute: int8}, global_batch: 512}
    measurement: {scope: step, pipeline: {kind: real}}
    performance:
      rate: {quantity: rate, value: "31000", unit: samples/s}
  exact:
    options: {model: digits-cnn-w32, precision: {compute: fp32}, global_batch: 128}
    quality:
      accuracy: {metric: accuracy, value: "0.977", direction: higher, split: test}
"""


def offered(folder, vendor, price):
    stated = f"{{amount: {price}, currency: EUR, per: system}}"
    text = f'dlaudit: offer/1\nvendor: {vendor}\nsystem: "Server of {vendor}"\nprice: {stated}\n'
    (folder / "offer.yaml").write_text(text)


def tendered(folder, spec, names):
    """Write a tender for the digits workload, and return it as it is read."""
    source = folder / "digits.yaml"
    folder.mkdir(parents=True)
    source.write_bytes(spec)
    begin(
        folder / "tender",
        [source],
        Facts(
            "Two training servers", "Computing centre", "2026-11-23", "2027-01-29", None, "EUR", "system", "net", names
        ),
    )
    path = folder / "tender" / "tender.yaml"
    text = path.read_text().split("  digits-time:")[0] + "conditions:" + path.read_text().split("conditions:")[1]
    text = text.replace("per: [device, cost]", "per: [device, joule, cost]").replace(
        '    # least: "1000"   # what is acceptable', '    least: "9000"'
    )
    path.write_text(text.replace("conditions: []", 'conditions: ["Three years of service on site"]'))
    return read_tender(path)


def four_vendors(folder, spec):
    """Make a tender with the hand-ins of four vendors and of one whose file is broken; return it with a trust file.

    A is honest; B replays a study that carries another nonce; C mixes option sets in a leaflet; D is slower, and does
    more work per joule.
    """
    issued = tendered(folder, spec, ["Vendor A", "Vendor B", "Vendor C", "Vendor D", "Vendor E"])
    hand, now = folder / "offers", datetime.now(UTC)
    trust = folder / "trust.json"
    trustedit.init(trust, "purchase", now, timedelta(days=200), {"lab": 1})
    signers = {}
    for name in issued.content.vendors:
        (hand / name).mkdir(parents=True)
        signers[name], _ = keys.generate(folder / "keys" / name, None)
        trustedit.add(trust, signers[name].public_raw, f"laboratory of {name}", ("lab",), now, timedelta(days=100))
        offered(hand / name, name, 90000 if name != "vendor-d" else 70000)
    usual = {"boundary": "device", "method": "counter", "duration_s": 40.0, "updates": 400}
    a = {**usual, "energy_j": 12000.0, "mean_power_w": 300.0, "work": 640000.0}
    d = {**usual, "energy_j": 6000.0, "mean_power_w": 150.0, "work": 450000.0}
    measured(hand / "vendor-a" / "digits", issued.nonced("digits", "vendor-a"), signers["vendor-a"], 1.0, a)
    old = with_nonce(spec, "0f1e2d3c4b5a6978", "spec.yaml")
    measured(hand / "vendor-b" / "digits", old, signers["vendor-b"], 0.8)
    (hand / "vendor-c" / "leaflet.yaml").write_text(MIXED)
    measured(hand / "vendor-d" / "digits", issued.nonced("digits", "vendor-d"), signers["vendor-d"], 1.4, d)
    (hand / "vendor-e" / "submission.json").write_text(
        '{"dlaudit": "submission/1", "title": "<script>alert(1)</script>"'
    )
    return issued, hand, trust


@pytest.fixture(scope="session")
def tender(tmp_path_factory):
    return four_vendors(tmp_path_factory.mktemp("procurement") / "p", (HONEST / "spec.yaml").read_bytes())


@pytest.fixture(scope="session")
def spec_bytes():
    return (HONEST / "spec.yaml").read_bytes()


@pytest.fixture(scope="session")
def key(tmp_path_factory):
    """A key and a trust file that lists it."""
    folder = tmp_path_factory.mktemp("keys")
    signer, _ = keys.generate(folder, None)
    return signer


@pytest.fixture(scope="session")
def mixed():
    return MIXED


@pytest.fixture(scope="session")
def make():
    return measured


def doctored(study, copy, factor=3):
    """Copy a study and make its rate so many times better, in the manifest and in the submission."""
    shutil.copytree(study, copy)
    submission = json.loads((copy / "submission.json").read_text())
    manifest = json.loads((copy / "manifest.json").read_text())
    claim = next(item for item in submission["claims"].values() if item["quantity"] == "rate")
    arm = manifest["predicate"]["arms"][claim["measured"]["arm"]]
    better = f"{factor * float(claim['value']):.6g}"
    claim["value"] = arm["performance"]["rate"]["value"] = better
    (copy / "manifest.json").write_text(json.dumps(manifest))
    (copy / "submission.json").write_text(json.dumps(submission))
    return copy


@pytest.fixture(scope="session")
def doctor():
    return doctored
