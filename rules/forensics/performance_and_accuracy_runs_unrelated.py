"""F47: performance of one build, accuracy of another."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...schemas.pattern import Pattern
from ...schemas.submission import Claim
from ..case import Case
from ..facts.runs.times import is_unix, span_ms
from ..fields import field_of
from ..outcome import C3, CAVEAT, REFUTES, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule
from ..trace import Logged, normalised

ITEM = "tool release of both runs"
PROVIDE = """\
arms:
  offline:
    runs:
      performance:
        role: performance
        tool: {name: LoadGen, release: "5.0", commit: 7f54d0a4c1, mode: performance}
      accuracy:
        role: accuracy
        tool: {name: LoadGen, release: "5.0", commit: 7f54d0a4c1, mode: accuracy}
"""
MODES = {
    "performanceonly": "performance",
    "performance": "performance",
    "accuracyonly": "accuracy",
    "accuracy": "accuracy",
}
MODE_KEYS = ("effective_test_mode", "test_mode", "effective_mode")
SIZES = ("qsl_reported_total_count", "qsl_total_size", "effective_qsl_total_size")
SIZE = "data set size"
MODELS = ("model_sha256", "model_digest", "effective_model_sha256", "engine_sha256")
DAY_MS, MOST_DAYS = 86_400_000, 7
STATUS_KEYS = ("loadgen_git_status_message",)
_CHANGED = Pattern(r"(?:^|\n) ?[MADRU]{1,2} +([^\s;]{1,200})")
"""Lines of `git status --short`; those of files that are not tracked begin with two question marks."""
SYSTEMS = ("system_name", "system_id")


@rule(
    "F47",
    "performance-and-accuracy-runs-unrelated",
    effect=REFUTES,
    confidence=C3,
    applies="has(pair) and has(trace)",
    origin="MEAS, S1.8",
    also=("W0804",),
)
def performance_and_accuracy_runs_unrelated(claim: Claim, case: Case) -> Iterator[Branch]:
    """A performance log and an accuracy log that are not of one build, mode or system.

    ## What it does
    Compares the logs of the performance and the accuracy run behind a result: the mode in which each ran, release and
    commit of the harness and what was changed against it, the size of the data set, and system and digest of the model
    where they are logged.

    ## Why it misleads
    A program can be fast in one mode and exact in the other. Only one build on one system shows that it is both.

    ## Branches
    - (a) refutes, C3: the accuracy log was written in performance mode, or the performance log in accuracy mode.
    - (b) undermines, C3: the model or the system differs, or speed was measured on more data than quality.
    - (c) caveat, C3: the release of the harness is one, and its commit is not.
    - (d) caveat, C3: a run was made with a harness whose files had been changed against its commit.
    - not shown: a log of the two, or the release of its harness, is missing, or the releases differ. Required (tool
      release of both runs) of results of an inference suite, from the reviewer profile on.
    - not shown: the runs were made on two hosts, more than a week apart, and the system has one: whether it is one
      machine.
    - not applicable: no harness here has a performance and an accuracy mode.
    - guard: an accuracy run that serves several scenarios of one system; the name of the harness's adapter, which is no
      system; the hosts of a cluster; a harness that holds a part of the data set where only speed is measured.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"arms": {"offline": {"runs": {"accuracy": {"tool": {"mode": "performance"},
      "events": {"5": {"value": "PerformanceOnly"}}}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`, whose two logs are of one commit on one host.

    ## How to fix
    Run accuracy with the same build on the same system, directly after performance.

    ## References
    Twelve ways to fool the masses, way 8; measured on published inference logs.
    """
    side = case.subject(claim)
    runs = {role: [run for run in case.runs(claim) if run.role == role] for role in ("performance", "accuracy")}
    if not any(runs.values()):
        if field_of("suite", claim, case) == "inference":
            yield NotShown("neither a performance nor an accuracy log is there", claim.at, ITEM, PROVIDE)
        else:
            yield Inapplicable("no harness here has a performance and an accuracy mode")
        return
    if not all(runs.values()):
        there, missing = ("accuracy", "performance") if runs["accuracy"] else ("performance", "accuracy")
        yield NotShown(f"there is no {missing} log beside that of {there}", runs[there][0].place(), ITEM, PROVIDE)
    for role, found in runs.items():
        for run in found:
            yield from _mode(role, run)
            yield from _changed(run)
    for performance in runs["performance"]:
        for accuracy in runs["accuracy"]:
            yield from _pair(performance, accuracy)
            if side is not None and side.system is not None and side.system.nodes == 1:
                yield from _machine(performance, accuracy)


def _mode(role: str, run: Logged) -> Iterator[Branch]:
    stated = run.run.tool.mode if run.run.tool is not None else None
    places = {stated: run.place("tool", "mode")} if stated in {"performance", "accuracy"} else {}
    for event in run.trace.of(*MODE_KEYS):
        mode = MODES.get(str(event.value).casefold().replace(" ", "").rpartition("::")[2])
        if mode is not None:
            places[mode] = run.trace.place(event)
    for mode, at in places.items():
        if mode != role:
            message = f"{run.name} is handed in as the {role} log and was written in {mode} mode"
            yield Violation("a", REFUTES, C3, message, at, role, mode)
            return
    if not places:
        yield NotShown(f"{run.name} does not say in which mode it ran", run.place(), provide=PROVIDE)


def _changed(run: Logged) -> Iterator[Violation]:
    """Yield the files of the harness that its own log calls changed; files that its commit does not know are none."""
    for event in run.trace.of(*STATUS_KEYS):
        files = _CHANGED.findall(event.value) if isinstance(event.value, str) else []
        if files:
            named = ", ".join(files[:3]) + (f" and {len(files) - 3} more" if len(files) > 3 else "")
            message = f"{run.name} was made with a harness that had been changed: {named[:200]}"
            yield Violation("d", CAVEAT, C3, message, run.trace.place(event), None, named[:200])
            return


def _pair(performance: Logged, accuracy: Logged) -> Iterator[Branch]:
    for what, read in READ.items():
        left, right = read(performance), read(accuracy)
        if left is not None and right is not None and left != right and not _part_of(what, left, right):
            message = f"{performance.name} is of {what} {left}, {accuracy.name} of {what} {right}"
            related = (Related(performance.place(), f"{what} {left}"),)
            yield Violation("b", UNDERMINES, C3, message, accuracy.place(), str(left), str(right), related)
    yield from _build(performance, accuracy)


def _part_of(what: str, performance: str, accuracy: str) -> bool:
    """Whether two sizes of a data set go together: a harness may hold a part of it where only speed is measured."""
    return what == SIZE and float(performance) < float(accuracy)


def _machine(performance: Logged, accuracy: Logged) -> Iterator[Branch]:
    """Yield two hosts of a system that has one; runs of one day may bear names that their containers drew."""
    hosts = performance.run.host, accuracy.run.host
    spans = span_ms(performance), span_ms(accuracy)
    if None in hosts or hosts[0] == hosts[1] or spans[0] is None or spans[1] is None:
        return
    days = abs(spans[1][0] - spans[0][0]) / DAY_MS
    if is_unix(performance) and is_unix(accuracy) and days > MOST_DAYS:
        message = f"{performance.name} ran on {hosts[0]}, {accuracy.name} on {hosts[1]}, {days:.0f} days apart"
        related = (Related(performance.place("host"), str(hosts[0])),)
        at = accuracy.place("host")
        yield NotShown(f"{message}: whether that is one machine", at, "", PROVIDE, related, question=True)


def _build(performance: Logged, accuracy: Logged) -> Iterator[Branch]:
    tools = performance.run.tool, accuracy.run.tool
    releases = [tool.release if tool is not None else None for tool in tools]
    if None in releases:
        run = performance if releases[0] is None else accuracy
        yield NotShown(f"the release of the harness of {run.name} is not stated", run.place(), ITEM, PROVIDE)
        return
    if releases[0] != releases[1]:
        message = f"the harness is {releases[0]} for performance and {releases[1]} for accuracy"
        related = (Related(performance.place("tool", "release"), str(releases[0])),)
        yield NotShown(message, accuracy.place("tool", "release"), ITEM, PROVIDE, related, question=True)
        return
    commits = [tool.commit if tool is not None else None for tool in tools]
    if commits[0] is None or commits[1] is None:
        run = performance if commits[0] is None else accuracy
        yield NotShown(f"the commit of the harness of {run.name} is not stated", run.place(), "", PROVIDE)
    elif not (commits[0].startswith(commits[1]) or commits[1].startswith(commits[0])):
        message = f"release {releases[0]} is at commit {commits[0]} for performance and at {commits[1]} for accuracy"
        related = (Related(performance.place("tool", "commit"), commits[0]),)
        yield Violation("c", CAVEAT, C3, message, accuracy.place("tool", "commit"), commits[0], commits[1], related)


def _logged(*keys: str) -> Callable[[Logged], str | None]:
    def read(run: Logged) -> str | None:
        found = {str(normalised(event.value)) for event in run.trace.of(*keys) if event.value not in {None, ""}}
        return found.pop() if len(found) == 1 else None

    return read


READ: dict[str, Callable[[Logged], str | None]] = {
    SIZE: _logged(*SIZES),
    "model": _logged(*MODELS),
    "system": _logged(*SYSTEMS),
}
