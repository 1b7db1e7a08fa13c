"""Studies of a service made from one that was measured: the same requests, answered in times drawn anew.

A first token comes after about 50 ms and each further one after about 10 ms, or so many times as late.
"""

import json
import random
import shutil
import uuid

from dlaudit.audit import implied
from dlaudit.audit.trust.ledger import slice_of
from dlaudit.audit.trust.recorder import LedgerRecorder
from dlaudit.audit.trust.signing import sign_study
from dlaudit.runners.record import manifest as manifests
from dlaudit.runners.study import plan as planning
from dlaudit.runners.study import sweep
from dlaudit.runners.study.folder import write_json
from dlaudit.schemas.digest import sha256_hex
from dlaudit.schemas.model import to_model
from dlaudit.schemas.source import parse
from dlaudit.schemas.spec import Spec

TTFT_S, GAP_S = 0.05, 0.01


def answered(requests, factor, source):
    """Return the columns of requests with the times of their answers drawn."""
    first, ended, content = [], [], []
    for due, tokens in zip(requests["scheduled_s"], requests["asked_output_tokens"], strict=True):
        at = due + factor * TTFT_S * source.lognormvariate(0, 0.1)
        times = [at]
        for _ in range(int(tokens) - 1):
            times.append(times[-1] + factor * GAP_S * source.lognormvariate(0, 0.1))
        first.append(at)
        content.append(times)
        ended.append(times[-1])
    drawn = {"first_chunk_s": first, "first_content_s": first, "ended_s": ended, "content_s": content}
    lasting = {name: column for name, column in requests.items() if name != "outcome"}
    done = {"sent_s": requests["scheduled_s"], "outcome": ["completed"] * len(first)}
    return lasting | drawn | done | {"output_tokens": requests["asked_output_tokens"]}


def retimed(value, factor, source):
    """Return an event or a sample file with its requests answered anew."""
    return value | {"requests": answered(value["requests"], factor, source)} if value.get("requests") else value


def _events(samples):
    file = samples.with_name(samples.name.replace(".samples.json", ".events.jsonl"))
    return [json.loads(line) for line in file.read_text().splitlines()]


def again(study, out, factor=1.0, draw=1, signer=None, spec=None):
    """Make a study of a service from another one.

    Args:
        study: the other one.
        out: folder of the new one.
        factor: how many times as late everything comes.
        draw: seed of the times.
        signer: who signs; None leaves it unsigned.
        spec: bytes of its spec; those of the other one where None.
    """
    shutil.copytree(study, out)
    for name in ("manifest.json", "manifest.dsse.json", "submission.json"):
        (out / name).unlink(missing_ok=True)
    (path,) = out.glob("spec.*")
    data = spec or path.read_bytes()
    path.write_bytes(data)
    digests = {}
    for file in (out / "trials").glob("*.events.jsonl"):
        source = random.Random(f"{draw} {file.name.split('.')[0]}")
        events = [retimed(json.loads(line), factor, source) for line in file.read_text().splitlines()]
        file.write_text("".join(json.dumps(event) + "\n" for event in events))
    for file in (out / "trials").glob("*.samples.json"):
        kept = [event["requests"] for event in _events(file) if event.get("requests") and not event.get("warmup")]
        text = json.dumps(json.loads(file.read_text()) | {"requests": kept[0]}).encode()
        file.write_bytes(text)
        digests[file.name.split(".")[0]] = sha256_hex(text)
    model = sweep.expanded(to_model(parse(data, path.name).value, Spec))
    plan = planning.make(model, sha256_hex(data))
    document = json.loads((out / "plan.json").read_text())
    document |= {"study": str(uuid.uuid4()), "spec_sha256": plan.spec_sha256, "nonce": plan.nonce}
    write_json(out / "plan.json", document)
    recorder = LedgerRecorder(out.parent / f"{out.name}.ledger.jsonl")
    recorder.planned(document)
    for trial in plan.trials:
        file = out / "trials" / f"{trial.trial}.record.json"
        write_json(file, json.loads(file.read_text()) | {"samples_sha256": digests[trial.trial]})
        recorder.started(trial.trial)
        recorder.ended(trial.trial, "completed", digests[trial.trial])
    manifest = manifests.build(out, model, plan, slice_of(recorder.path, recorder.study))
    for arm in manifest["predicate"]["arms"].values():
        for trial in arm["trials"].values():
            trial.get("controls", {}).pop("other_load", None)
    written = write_json(out / "manifest.json", manifest)
    if signer is not None:
        sign_study(out, signer)
    write_json(out / "submission.json", implied.submission(manifest, sha256_hex(written), model))
    return out
