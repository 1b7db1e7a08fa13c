"""The recorder that keeps a study's course in the ledger (see `runners.recorder.Recorder`).

The runner may repeat a call after a crash, so each method first looks at what the ledger already says of the trial. A
trial that starts again while an earlier start is open has lost its earlier attempt, and the ledger says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from ...schemas.digest import canonical, sha256_hex
from ...schemas.errors import VerificationFailed
from .chain import Entry, open_starts
from .ledger import append, read
from .process import is_gone, own_mark

PLANNED_FIELDS = ("trial", "arm", "kind", "seed", "iterations", "warmup")
"""What of a planned trial its digest covers: what the manifest repeats."""
GONE = "the process of the study was gone and had recorded no end"
STARTED_AGAIN = "the trial was started again before an end was recorded"


def plan_digest(trials: Any) -> str:
    """Return the digest of planned trials, from plan.json or from a manifest."""
    kept = [{field: trial[field] for field in PLANNED_FIELDS if trial.get(field) is not None} for trial in trials]
    return sha256_hex(canonical(kept))


def differs_from(entered: Sequence[Mapping[str, Any]], spec_sha256: str, trials: Sequence[Any]) -> bool:
    """Whether a plan is another than the ledger's: each of its entries holds the first trials, and more than before.

    Args:
        entered: the plans of the study in the ledger, in their order.
        spec_sha256: of the plan.
        trials: of the plan.
    """
    counts = [one["trials"] for one in entered]
    return (
        any(later <= sooner for sooner, later in pairwise([*counts, len(trials) + 1]))
        or any(one["spec_sha256"] != spec_sha256 for one in entered)
        or any(one["plan_sha256"] != plan_digest(trials[: one["trials"]]) for one in entered)
    )


class LedgerRecorder:
    """Writes the course of one study to a ledger."""

    def __init__(self, path: Path) -> None:
        """Take up a ledger; it is begun at the first entry where it does not exist."""
        self.path = path
        self.study = ""
        """Its id, once the ledger has its plan."""
        self.found_lost: tuple[Entry, ...] = ()
        """Starts of other studies without an end whose process was gone; the ledger tells them as lost now."""
        self._nonce: str | None = None
        self._last: dict[str, Entry] = {}

    def planned(self, plan: Mapping[str, Any]) -> None:
        """Enter the plan, unless the ledger has this very plan of this study already; it may grow, and only that.

        Args:
            plan: the content of plan.json.

        Raises:
            UserError: the ledger cannot be read or written.
            VerificationFailed: its chain is broken, or it knows another plan of this study.
        """
        study = plan["study"]
        self._nonce = plan.get("nonce")
        event = {
            "event": "plan",
            "study": study,
            "spec_sha256": plan["spec_sha256"],
            "plan_sha256": plan_digest(plan["trials"]),
            "option_sets": sorted({arm["option_set"] for arm in plan["arms"].values()}),
            "trials": len(plan["trials"]),
        }
        self.found_lost = enter_lost(self.path, study)
        own = [entry for entry in read(self.path).entries if entry.study == study]
        self._last = {entry.trial: entry for entry in own if entry.trial}
        before = [entry.value for entry in own if entry.event == "plan"]
        left_out = {digest for one in before for digest in one["option_sets"]} - set(event["option_sets"])
        if left_out or differs_from(before, plan["spec_sha256"], plan["trials"]):
            raise VerificationFailed(f"{self.path}: the study {study} was planned differently before")
        if not before or before[-1]["trials"] < event["trials"]:
            append(self.path, [event])
        self.study = study

    def started(self, trial: str) -> None:
        """Enter a start; it is on disk before this returns."""
        start = {"event": "start", "study": self.study, "trial": trial, **own_mark()}
        if self._nonce:
            start["nonce"] = self._nonce
        last = self._last.get(trial)
        events = [start]
        if last is not None and last.event == "start":
            events.insert(0, self._loss(trial, STARTED_AGAIN))
        self._enter(trial, events)

    def ended(self, trial: str, outcome: str, artifact_digest: str) -> None:
        """Enter an end.

        Args:
            trial: its id.
            outcome: `completed`, `diverged` or `failed`.
            artifact_digest: SHA-256 of its sample file, with or without the prefix `sha256:`; empty where it left none.
        """
        event = {"event": "end", "study": self.study, "trial": trial, "outcome": outcome}
        digest = artifact_digest.removeprefix("sha256:")
        if digest:
            event["artifact_sha256"] = digest
        self._enter_once(trial, event)

    def lost(self, trial: str, reason: str) -> None:
        """Enter the loss of a trial whose process left no result."""
        self._enter_once(trial, self._loss(trial, reason))

    def _loss(self, trial: str, reason: str) -> dict[str, Any]:
        told = reason[:400].encode(errors="replace").decode() or "no reason given"
        return {"event": "lost", "study": self.study, "trial": trial, "reason": told}

    def _enter_once(self, trial: str, event: dict[str, Any]) -> None:
        last = self._last.get(trial)
        if last is None or any(last.value.get(key) != value for key, value in event.items()):
            self._enter(trial, [event])

    def _enter(self, trial: str, events: list[dict[str, Any]]) -> None:
        self._last[trial] = append(self.path, events)[-1]


def enter_lost(path: Path, resumed: str = "") -> tuple[Entry, ...]:
    """Enter starts without an end as lost where their process is certainly gone, and return them.

    Args:
        path: the ledger.
        resumed: a study that goes on now and will itself say what became of its trials.

    Raises:
        VerificationFailed: the chain is broken.
    """
    chain = read(path)
    if chain.break_line is not None:
        raise VerificationFailed(f"{path}:{chain.break_line}: the ledger is broken: {chain.break_what}")
    gone = tuple(entry for entry in open_starts(chain.entries) if entry.study != resumed and is_gone(entry.value))
    if gone:
        append(path, [{"event": "lost", "study": item.study, "trial": item.trial, "reason": GONE} for item in gone])
    return gone
