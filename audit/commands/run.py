"""`dlaudit run`: measure a spec into a manifest, sign it, and draft the submission that cites it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ...schemas.errors import UserError
from ..terminal import safe

if TYPE_CHECKING:
    from ...runners.study.homes import Homes
    from ...runners.study.plan import Plan
    from ...runners.study.program import Program
    from ...schemas.source import Source
    from ...schemas.spec import Spec
    from ..trust.dsse import Signer

INTERRUPTED = 130
CANNOT_TELL = 3
FILES_SHOWN = 4


TEXT_LIMIT = 4000
"""Characters of a text in a submission."""


def _text(_context: click.Context, _parameter: click.Parameter, given: str | None) -> str | None:
    if given is not None and not 0 < len(given.strip()) <= TEXT_LIMIT:
        raise click.BadParameter(f"give a sentence or two, at most {TEXT_LIMIT} characters")
    return given


class How(NamedTuple):
    """What is asked for beside the spec, as the options of the command say it."""

    resume: bool = False
    new_arm: bool = False
    dry_run: bool = False
    preflight: bool | None = None
    unsigned: bool = False
    key: str | None = None
    passphrase_fd: int | None = None
    ledger: Path | None = None
    tuning: str | None = None


@click.command()
@click.argument("words", metavar="SPEC | -- PROGRAM [ARGUMENT]...", nargs=-1, required=True)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder for the study [default: the spec's name, with -study]."
)
@click.option("--resume", is_flag=True, help="Continue the study in the folder; no trial is repeated or left out.")
@click.option("--new-arm", is_flag=True, help="With --resume: what changed since goes on as an arm of its own.")
@click.option("--dry-run", is_flag=True, help="Print the plan and what would be changed on the machine; run nothing.")
@click.option(
    "--preflight/--no-preflight",
    default=None,
    help="First run one step and one evaluation of each arm, and stop if one fails.  [default: where it is cheap]",
)
@click.option(
    "--tuning",
    metavar="TEXT",
    callback=_text,
    help="What it took to find the options, in your words, for the drafted submission: no record can show it.",
)
@click.option("--unsigned", is_flag=True, help="Do not sign; `dlaudit sign` can, later and elsewhere.")
@click.option("--key", help="Private key: a file, or the beginning of a keyid [default: the only key of this account].")
@click.option("--passphrase-fd", type=int, help="Read the passphrase from this open file descriptor.")
@click.option(
    "--trials", type=click.IntRange(1), default=5, show_default=True, help="For PROGRAM: number of fresh processes."
)
@click.option("--warmup", type=click.IntRange(0), default=5, show_default=True, help="For PROGRAM: steps of warm-up.")
@click.option("--iterations", type=click.IntRange(1), default=50, show_default=True, help="For PROGRAM: timed steps.")
@click.option("--ledger", type=click.Path(path_type=Path), help="Ledger of plans and starts [default: this account's].")
def command(
    words: tuple[str, ...],
    out: Path | None,
    resume: bool,
    new_arm: bool,
    dry_run: bool,
    preflight: bool | None,
    tuning: str | None,
    unsigned: bool,
    key: str | None,
    passphrase_fd: int | None,
    trials: int,
    warmup: int,
    iterations: int,
    ledger: Path | None,
) -> int:
    """Run the study that SPEC describes, or time a PROGRAM that uses the meter.

    For a PROGRAM a spec is written and kept in the study's folder. The program times its steps with `dlaudit.study`
    or with a callback of its library, makes as many steps as are planned, and ends.

    The plan is fixed before the first trial. Each trial runs in a process of its own; its records go into the
    study's folder, with the manifest, its signature and a drafted submission.

    A trial that has ended, successfully or not, is never run again. One whose process vanished is repeated once,
    and --resume repeats one that was interrupted; the manifest says how often each was started. Over other code,
    options, packages or variables it does not go on, unless --new-arm has the arm measured anew under a new name.
    """
    from ...schemas.validation import load
    from .. import written_spec

    if written_spec.is_command(words):
        source = written_spec.source(words, warmup, iterations, trials)
        spec_path = Path(f"{written_spec.stem(words)}.yaml")
    else:
        spec_path = Path(words[0])
        source = load(spec_path, "spec")
    how = How(resume, new_arm, dry_run, preflight, unsigned, key, passphrase_fd, ledger, tuning)
    return measure(source, spec_path, out or Path(f"{spec_path.stem}-study"), how)


def measure(source: Source, spec_path: Path, out: Path, how: How) -> int:
    """Run a spec into a folder, and tell what came out.

    Args:
        source: the spec.
        spec_path: where it lies, or would.
        out: the study's folder.
        how: what was asked for beside it.
    """
    from ...runners.study import homes, impossible, interruption, sweep
    from ...runners.study import plan as planning
    from ...schemas.digest import sha256_hex
    from ...schemas.model import to_model
    from ...schemas.spec import Spec
    from ...schemas.validation import InvalidDocument

    spec = sweep.expanded(to_model(source.value, Spec))
    plan = planning.make(spec, sha256_hex(source.data), str(spec_path))
    wrong = impossible.problems(spec, folder=spec_path.parent)
    if wrong:
        raise InvalidDocument(source, "spec", wrong)
    with interruption.once(), homes.made(spec, spec_path.parent) as places:
        if how.dry_run:
            return _dry_run(spec, plan, places, how)
        return _measured(source, spec, plan, spec_path.parent, places, out, how)


def _dry_run(spec: Spec, plan: Plan, places: Homes, how: How) -> int:
    from ...runners.environment import preview
    from ...runners.study import required
    from ...runners.study.program import of_plan

    foreseen = preview.foreseen(spec)
    click.echo("\n".join([_describe(plan, of_plan(plan, places)), *(safe(one.line) for one in foreseen)]))
    required.check_foreseen(spec, foreseen)
    if how.preflight:
        _preflight(spec, plan, places)
    return 0


def _measured(source: Source, spec: Spec, plan: Plan, folder: Path, places: Homes, out: Path, how: How) -> int:
    from ...runners.study import execute as study
    from ...runners.study import preflight, renewal
    from ...runners.study.folder import PLAN
    from .. import closing, implied
    from ..trust.ledger import default_path
    from ..trust.recorder import LedgerRecorder

    if how.resume and not (out.is_dir() and any(out.iterdir())):
        raise UserError("there is no study to resume", "leave out --resume, or name its folder: --out", str(out))
    if how.new_arm and not how.resume:
        raise UserError("--new-arm goes on with a study", "add --resume", str(out))
    _check_torch(spec)
    signer = None if how.unsigned else _signer(how.key, how.passphrase_fd)
    if how.preflight or (how.preflight is None and not how.resume and preflight.is_cheap(plan)):
        _preflight(spec, plan, places)
    recorder = LedgerRecorder(how.ledger or default_path())
    suffix = f".{source.format}"
    finished = study.run(
        spec,
        plan,
        source.data,
        suffix,
        out,
        recorder,
        resume=how.resume,
        new_arm=how.new_arm,
        spec_folder=folder,
        homes=places,
    )
    if (out / PLAN).exists():
        spec, plan = renewal.standing(out)
    manifest = _write_manifest(out, spec, plan, recorder, signer, how.tuning)
    if manifest is None:
        closing.warn("interrupted before the first trial")
        return INTERRUPTED
    drafted = (out / "submission.json").exists()
    verdict = _judge(out) if finished and drafted else None  # every file stands before a line is printed
    arms = manifest["predicate"]["arms"]
    closing.tell(out, arms, spec, signer.keyid if signer is not None else None, verdict)
    if not finished:
        closing.warn(f"interrupted; go on with --resume --out {out}")
        return INTERRUPTED
    if not drafted:
        closing.warn(closing.nothing_to_claim(arms))
        return CANNOT_TELL
    for clause in implied.not_compared(arms, spec):
        closing.warn(f"{clause}; the trials' logs say why")
    return CANNOT_TELL if implied.without_number(arms) else 0


def _preflight(spec: Spec, plan: Plan, places: Homes) -> None:
    """Try each arm, and say what that showed.

    Raises:
        UserError: one cannot be run.
    """
    from ...runners.study import preflight

    for line in preflight.lines(spec, plan, preflight.run(spec, plan, places)):
        click.echo(safe(line))


def _check_torch(spec: Spec) -> None:
    """Make sure that a bundled workload finds torch, before a key is unlocked and a plan is remembered.

    Raises:
        UserError: it is not installed.
    """
    from importlib.util import find_spec

    workloads = [spec.workload, *(arm.workload for arm in spec.arms.values())]
    bundled = [one for one in workloads if one is not None and one.name is not None and "url" not in one.parameters]
    if bundled and find_spec("torch") is None:
        raise UserError(
            "the bundled workloads need torch, which is not installed", "pip install '.[run]' in the checkout"
        )


def _judge(out: Path) -> str:
    """Judge the drafted submission as a reader without a trust file does; write verdict.json and report.html."""
    from ...schemas.files import write_atomic
    from ..lint.lint import lint
    from ..lint.read import read_documents
    from ..lint.settings import Settings
    from ..renderers import html, json

    linted = lint(read_documents([str(out / "submission.json")])[0], Settings())
    write_atomic(out / "verdict.json", json.render((linted.report,)).encode())
    write_atomic(out / "report.html", html.render((linted,)).encode())
    verdict = linted.report.verdict
    return verdict.words if verdict is not None else "no verdict"


def _signer(key: str | None, passphrase_fd: int | None) -> Signer:
    """Find and unlock the signing key, before anything runs.

    Raises:
        UserError: there is none, or it does not open.
    """
    from ..trust import keys

    try:
        path = keys.find_key(key)
    except UserError as error:
        raise UserError(error.what, f"{error.todo}, or run with --unsigned", error.where) from None
    return keys.load_signer(path, keys.passphrase_source(passphrase_fd))


def _write_manifest(
    out: Path, spec: Spec, plan: Plan, recorder: Any, signer: Signer | None, tuning: str | None
) -> dict[str, Any] | None:
    """Write the manifest of what the folder holds, its signature and the drafted submission.

    Returns:
        the manifest, or None where the study was interrupted before there was anything to tell.

    Raises:
        UserError: a workload told something that no manifest can hold.
    """
    from ...runners.record import manifest as manifests
    from ...runners.record import rates
    from ...runners.study.folder import ENVIRONMENT, write_json
    from ...schemas.digest import sha256_hex
    from ...schemas.validation import validate
    from .. import implied
    from ..trust.ledger import slice_of
    from ..trust.signing import sign_study
    from ..trust.verify import ENVELOPE, MANIFEST

    if not recorder.study or not (out / ENVIRONMENT / "1.json").exists():
        return None
    manifest = manifests.build(out, spec, plan, slice_of(recorder.path, recorder.study))
    problems = validate("manifest", manifest)
    if problems:
        first = problems[0]
        raise UserError(
            f"the manifest would not be valid at {first.pointer}: {first.what}",
            "correct what the workload says about itself; the raw files are kept",
            str(out),
        )
    for name in (ENVELOPE, "submission.json"):  # of an earlier, partial manifest
        (out / name).unlink(missing_ok=True)
    data = write_json(out / MANIFEST, manifest)
    if signer is not None:
        sign_study(out, signer)
    exact = rates.per_trial(out, manifest["predicate"]["arms"])
    submission = implied.submission(manifest, sha256_hex(data), spec, rates=exact, tuning=tuning)
    if submission["claims"]:
        write_json(out / "submission.json", submission)
    return manifest


def _describe(plan: Plan, programs: Mapping[str, Program]) -> str:
    """Return the plan as a table, and what each arm runs and requests."""
    lines = [f"{safe(plan.title)}: {len(plan.trials)} trials, {plan.order}, order seed {plan.order_seed}"]
    width = max(len(trial.trial) for trial in plan.trials)
    for trial in plan.trials:
        if trial.kind == "throughput":
            work = f"{trial.warmup} + {trial.iterations} iterations"
        elif trial.kind == "convergence":
            work = f"up to {trial.max_samples} samples"
        else:
            work = "operations of one step" if trial.kind == "accounting" else "phases of a step"
        lines.append(f"{trial.trial:<{width}}  {trial.kind:<11}  seed {trial.seed:<6}  {work}")
    for name, arm in plan.arms.items():
        asked = ", ".join(f"{key} = {json.dumps(value)}" for key, value in arm.options.items())
        digest = f"; digest of the request {arm.option_set}" if asked else ""
        lines.append(f"arm {name}: runs {safe(_runs(programs[name]))}")
        lines.append(f"arm {name}: requests {safe(asked) or 'no options'}{digest}")
    return "\n".join(lines)


def _runs(program: Program) -> str:
    """Return what an arm runs, with the values it is given and the files of its own code."""
    what = program.name or program.entry or " ".join(program.command)
    given = ", ".join(f"{key} = {value}" for key, value in program.parameters.items()) if not program.command else ""
    code = ", ".join(f"{name} {digest[:12]}" for name, digest in list(program.files.items())[:FILES_SHOWN])
    more = f" and {len(program.files) - FILES_SHOWN} more files" if len(program.files) > FILES_SHOWN else ""
    return what + (f" with {given}" if given else "") + (f"; code {code}{more}" if code else "")
