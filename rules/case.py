"""The case that rules judge: a submission, the studies it cites, and the profile's thresholds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from msgspec import Struct, field

from ..schemas.conditions import System
from ..schemas.evidence import Arm, Metric, Quality, Trial
from ..schemas.manifest import Predicate
from ..schemas.requests import Requests, problems
from ..schemas.submission import Base, Claim, MetricRef, QualityRef, Row, Submission, Table
from .caching import fact
from .completion.reads import Read
from .free_options import of_known_names
from .metric_names import of_one_name
from .outcome import Tier
from .raw_columns import of_own_columns, of_requests
from .tables.own import OwnTable
from .trace import Logged, Trace, inline_trace

Columns = Mapping[str, Sequence[float]]
Signature = Literal["trusted", "unlisted", "absent", "invalid", "unread"]


def inline(trial: Trial) -> Columns:
    """Return the raw columns that a trial carries itself."""
    return trial.samples


def inline_requests(trial: Trial) -> Requests | None:
    """Return the requests that a trial carries itself."""
    return trial.requests


def inline_readings(trial: Trial) -> Columns:
    """Return the readings of sensors that a trial carries itself."""
    return trial.telemetry.columns if trial.telemetry is not None else {}


class Study(Struct, frozen=True):
    """A cited study, read and verified.

    Attributes:
        id: the submission's name for it; its nodes' places begin with `<id>:`.
        record: the manifest's predicate, or None where it could not be read.
        signature: what verification said.
        problems: what does not hold, one sentence each.
        read: gives the raw columns of one of its trials, without warm-up.
        plans: plans of the same spec in the signer's ledger, where it is known.
        witnessed: whether an independent witness co-signed the ledger.
        read_telemetry: gives the readings of sensors during one of its trials.
        read_requests: gives the requests of one of its trials, where it served some.
    """

    id: str
    record: Predicate | None
    signature: Signature
    problems: tuple[str, ...] = ()
    read: Callable[[Trial], Columns] = inline
    plans: int | None = None
    witnessed: bool = False
    read_telemetry: Callable[[Trial], Columns] = inline_readings
    read_requests: Callable[[Trial], Requests | None] = inline_requests


class Side(Struct, frozen=True):
    """An arm together with the system it ran on and the study it comes from."""

    id: str
    arm: Arm
    system: System | None
    study: Study | None

    @property
    def devices(self) -> int | None:
        """Devices of the arm, from its options or its system where it does not say itself."""
        if self.arm.devices is not None:
            return self.arm.devices
        if self.arm.options is not None and self.arm.options.devices is not None:
            return self.arm.options.devices
        if self.system is not None and self.system.nodes is not None and self.system.devices_per_node is not None:
            return self.system.nodes * self.system.devices_per_node
        return None

    @property
    def timed_kind(self) -> str:
        """Kind of the trials that speeds are taken from: whole training runs where there are no others."""
        kinds = {trial.kind for trial in self.arm.trials.values()}
        return "convergence" if kinds == {"convergence"} else "throughput"

    def raw(self, kind: str | None = None) -> tuple[tuple[str, Trial, Columns], ...]:
        """Return (id, trial, columns) of every trial of a kind that holds raw numbers, in the order of the document."""
        read, wanted = self.study.read if self.study is not None else inline, kind or self.timed_kind
        kept = ((key, trial) for key, trial in self.arm.trials.items() if trial.kind == wanted)
        return tuple((key, trial, read(trial)) for key, trial in kept if trial.samples or trial.samples_file)

    def requests(self) -> tuple[tuple[str, Requests], ...]:
        """Return (id, requests) of every timed trial that served some, in the order of the document.

        Requests that a document holds and that contradict themselves are none.
        """
        read = self.study.read_requests if self.study is not None else inline_requests
        timed = ((key, trial) for key, trial in self.arm.trials.items() if trial.kind == self.timed_kind)
        found = ((key, read(trial)) for key, trial in timed if trial.requests is not None or trial.samples_file)
        return tuple((key, requests) for key, requests in found if requests is not None and not any(problems(requests)))

    def readings(self, trial: Trial) -> Columns:
        """Return the readings of sensors during one of its trials."""
        return self.study.read_telemetry(trial) if self.study is not None else inline_readings(trial)


class Published(Struct, frozen=True):
    """The document that a submission was taken from, as it reads now.

    Attributes:
        name: how the submission, or the user, names it; places in it are `published:<line>`.
        text: its text; None where it cannot be read, or is no text.
        sha256: digest of its bytes; empty where they cannot be read.
        marks: where the marked sentences begin, by claim; None where nothing is marked: each may stand anywhere.
        shown: its text as a reader sees it, on the same lines; None where that is how it is written.
        is_named: whether the submission names it as its source: then every claim stands in it, marked or not.
    """

    name: str
    text: str | None = None
    sha256: str = ""
    marks: Mapping[str, int] | None = None
    shown: str | None = None
    is_named: bool = False


class ResultFile(Struct, frozen=True):
    """A file of results in which a submission says that numbers stand, as it reads now.

    Attributes:
        text: its text; None where it cannot be read.
        sha256: digest of its bytes; empty where they cannot be read.
        problem: why it cannot be read.
    """

    text: str | None = None
    sha256: str = ""
    problem: str = ""


class Case(Struct, frozen=True):
    """Everything that a rule may read.

    Attributes:
        submission: the claims with their evidence.
        studies: cited studies by the submission's names for them.
        profile: name of the profile.
        thresholds: thresholds by rule code and option name, as the profile and the configuration set them.
        today: day of the judgement, ISO 8601, for rules on age; the publication's day where it states one.
        nonce: what the reader gave out before the runs, or None where nothing was.
        waivers_inside: place and name of files of waivers that came with the submission.
        whole: the case of the whole folder, where this one is a single result of it; None where this is all there is.
        traces: logs of runs that foreign files hold, by arm and run; those that the submission holds are read from it.
        tables: tables of devices and data sets that whoever judges keeps; their entries replace ours.
        otherwise: the same case in the other way in which its document may be read, where there is one.
        cosmetic: plain names of free options that whoever judges takes for not there; its documents hold none of them.
        reads: what words gave to fields that claims and arms leave out, by place; None where all is as stated.
        published: the document that the claims were taken from, where one is named.
        results: files of results in which the submission says that numbers stand, by their paths from its folder.
        code: SHA-256 of program files that whoever judges has.
    """

    submission: Submission
    studies: Mapping[str, Study] = field(default_factory=dict)
    profile: str = "reviewer"
    thresholds: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    today: str | None = None
    nonce: str | None = None
    waivers_inside: tuple[tuple[str, str], ...] = ()
    traces: Mapping[tuple[str, str], Trace] = field(default_factory=dict)
    whole: Case | None = None
    tables: tuple[OwnTable, ...] = ()
    cosmetic: frozenset[str] = frozenset()
    otherwise: Case | None = None
    reads: Mapping[str, tuple[Read, ...]] | None = None
    published: Published | None = None
    results: Mapping[str, ResultFile] = field(default_factory=dict)
    code: frozenset[str] = frozenset()
    cache: dict[object, Any] = field(default_factory=dict)

    def read(self, claim: Claim) -> tuple[Read, ...]:
        """Return what words gave to fields that a claim leaves out, and that the arms behind it do."""
        reads = self.reads or {}
        sides = (self.subject(claim), self.base(claim)) if reads else ()
        of_arms = (item for side in sides if side is not None for item in reads.get(side.arm.at, ()))
        return (*reads.get(claim.at, ()), *of_arms)

    def side(self, ref: MetricRef | QualityRef | Base | None) -> Side | None:
        """Return the arm that a reference names, or None where it names none or one that is not there."""
        if ref is None or ref.arm is None:
            return None
        if ref.manifest is not None:
            study = self.studies.get(ref.manifest)
            return self.cited(study, ref.arm) if study is not None else None
        return self.own(ref.arm)

    @fact
    def own(self, name: str) -> Side | None:
        """Return an arm of the submission itself, or None where there is none of that name."""
        arm = self.submission.arms.get(name)
        if arm is None:
            return None
        system = self.submission.systems.get(arm.system or "")
        return Side(name, of_own_columns(of_requests(of_known_names(of_one_name(arm)))), system, None)

    @fact
    def cited(self, study: Study, name: str) -> Side | None:
        """Return an arm of a study, or None where it cannot be read or has none of that name."""
        if study.record is None or name not in study.record.arms:
            return None
        arm = study.record.arms[name]
        return Side(f"{study.id}:{name}", arm, study.record.systems.get(arm.system or ""), study)

    @fact
    def sides(self) -> tuple[Side, ...]:
        """Return every arm of the submission and of the studies it cites."""
        found = [self.own(name) for name in self.submission.arms]
        for study in self.studies.values():
            found += [self.cited(study, name) for name in (study.record.arms if study.record is not None else ())]
        return tuple(side for side in found if side is not None)

    def subject(self, claim: Claim) -> Side | None:
        """Return the arm behind a claim: the one it names, that of its row, or for accuracy that of its quality."""
        side = self.side(claim.measured)
        if side is None:
            row = self.row(claim)
            side = self.own(row.arm) if row is not None and row.arm is not None else None
        if side is None and claim.quantity == "accuracy":
            side = self.side(claim.quality)
        return side

    def runs(self, claim: Claim) -> tuple[Logged, ...]:
        """Return the logged runs behind a claim, in the order of the document; none where its arm has none."""
        side = self.subject(claim)
        return self.runs_of(side) if side is not None else ()

    @fact
    def runs_of(self, side: Side) -> tuple[Logged, ...]:
        """Return the logged runs of an arm, in the order of the document, each with its trace."""
        return tuple(
            Logged(name, run, self.traces.get((side.id, name)) or inline_trace(run))
            for name, run in side.arm.runs.items()
        )

    def base(self, claim: Claim) -> Side | None:
        """Return the arm that a ratio is relative to."""
        return self.side(claim.base)

    def table(self, claim: Claim) -> Table | None:
        """Return the table that a claim is about."""
        return self.submission.tables.get(claim.row.table) if claim.row is not None else None

    def row(self, claim: Claim) -> Row | None:
        """Return the table row that a claim is about."""
        table = self.table(claim)
        return table.rows.get(claim.row.row or "") if table is not None and claim.row is not None else None

    def metric(self, ref: MetricRef | Base | None) -> Metric | None:
        """Return the performance number that a reference names; the arm's only one where it names none."""
        side = self.side(ref)
        if side is None or ref is None:
            return None
        return _named_or_only(side.arm.performance, ref.metric)

    def quality(self, ref: QualityRef | None) -> Quality | None:
        """Return the quality number that a reference names; the arm's only one where it names none."""
        side = self.side(ref)
        if side is None or ref is None:
            return None
        return _named_or_only(side.arm.quality, ref.quality)

    def tier(self, claim: Claim) -> Tier:
        """Return the tier of the evidence behind a claim (T3 and T4 exist only under a trust file)."""
        side = self.subject(claim)
        if side is None:
            return Tier.T1
        own = side.study is None
        raw = any(
            trial.samples or (trial.samples_file and not own) or trial.evaluations for trial in side.arm.trials.values()
        )
        if side.study is not None and side.study.signature == "invalid":
            return Tier.T1
        if side.study is not None and side.study.signature == "trusted":
            return Tier.T4 if raw else Tier.T3
        return Tier.T2 if raw else Tier.T1


V = TypeVar("V")


def _named_or_only(values: Mapping[str, V], name: str | None) -> V | None:
    if name is not None:
        return values.get(name)
    return next(iter(values.values())) if len(values) == 1 else None
