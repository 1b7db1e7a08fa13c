"""Fixed frequency of every processor: the lowest and the highest that its policy permits, set to one value.

A policy is a group of processors with one clock. Its limits are what is set. Where the clock then stands is seen in
`scaling_cur_freq` while processors of the policy are at work, and by a probe after the trial: an idle processor's
reading is an old one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median

from ...trial.events import Scalar
from ...trial.kernel_lists import parse_cpu_list
from .. import effective_clock, hostfile
from .interface import Reading, Refused, Restoration, Scope, Verification

NAME = "cpu_frequency_mhz"
SCOPE: Scope = "host"
SAMPLED = True

POLICIES = f"{hostfile.PROCESSORS}/cpufreq"
NEAR = 0.03
"""Share by which a clock may lie off: the kernel's readings are means over some milliseconds."""
SHARE = 0.01
"""Share of the samples under load that may lie further off."""
BUSY = 0.5
"""Share of the time since the reading before in which the processors of a policy worked; from it on under load."""

Limits = tuple[int, int]
"""Lowest and highest frequency of a policy, in kHz."""


def read(target: str) -> Reading:
    """Return by policy its limits, its clock, and how long its processors have worked since the start of the machine.

    `min_khz` and `max_khz` are limits, `cur_khz` the clock, None where the kernel does not tell it; `busy_ticks` of
    `ticks` is the time in which the processors worked.
    """
    ticks = _ticks(target)
    found = {}
    for policy in hostfile.numbered(target, POLICIES, "policy"):
        place = f"{POLICIES}/{policy}"
        # Separated by spaces here; empty where the processors of a policy are offline.
        cpus = parse_cpu_list(hostfile.read(target, f"{place}/affected_cpus").replace(" ", ","))
        if cpus:
            busy, total = (sum(ticks.get(cpu, (0, 0))[part] for cpu in cpus) for part in (0, 1))
            found[policy] = {
                "min_khz": _khz(target, f"{place}/scaling_min_freq"),
                "max_khz": _khz(target, f"{place}/scaling_max_freq"),
                "cur_khz": _khz_or_none(target, f"{place}/scaling_cur_freq"),
                "busy_ticks": busy,
                "ticks": total,
            }
    if not found:
        evidence = "the kernel shows no frequency policy (usual in a virtual machine)"
        raise Refused("unverifiable", evidence, "set it on the host of the virtual machine")
    return found


def apply(target: str, requested: int) -> Scalar:
    """Set the limits of every policy to the nearest frequency that all of them have, or change nothing.

    Raises:
        Refused: a policy does not reach it, or the policies have no such frequency in common.
    """
    now = read(target)
    chosen = {policy: _nearest(target, policy, requested * 1000) for policy in now}
    if len(set(chosen.values())) > 1:
        told = ", ".join(sorted({f"{khz / 1000:g}" for khz in chosen.values()}))
        raise Refused("unverifiable", f"the processors have no frequency in common there, but {told} MHz")
    khz = next(iter(chosen.values()))
    _set(target, now, dict.fromkeys(now, (khz, khz)))
    return khz // 1000 if khz % 1000 == 0 else khz / 1000


def verify(target: str, applied: Scalar, readings: Sequence[Reading]) -> Verification:
    """Compare the limits at every reading, and look at the clock under load."""
    wanted = round(float(applied) * 1000)
    off = sum(_limits(policy) != (wanted, wanted) for reading in readings for policy in reading.values())
    loaded = list(under_load(readings))
    outside = sum(abs(khz - wanted) > NEAR * wanted for khz in loaded)
    probed = _probed_mhz(target)
    astray = probed is not None and abs(probed * 1000 - wanted) > NEAR * wanted
    evidence = f"limits of {len(readings[-1])} policies, {len(readings)} readings"
    evidence += f", {off} limits otherwise" if off else ", none otherwise"
    measured = {"policies": float(len(readings[-1])), "samples_loaded": float(len(loaded))}
    if loaded:
        low, high = min(loaded) / 1000, max(loaded) / 1000
        measured |= {"clock_low_mhz": low, "clock_high_mhz": high, "share_outside": outside / len(loaded)}
        evidence += f"; {len(loaded)} samples under load from {low:g} to {high:g} MHz"
        evidence += f", {outside} of them more than {NEAR:.0%} off" if outside else ""
    if probed is not None:
        measured["effective_clock_mhz"] = probed
        evidence += f"; a probe ran at {probed:g} MHz"
    found = median(loaded) / 1000 if loaded else probed
    if off or astray or outside > SHARE * len(loaded):
        return Verification("contradicted", evidence, found, measured)
    if found is None:
        return Verification("unverifiable", f"{evidence}; no sample of the clock was taken under load", None, measured)
    return Verification("verified", evidence, found, measured)


def restore(target: str, original: Reading) -> Restoration:
    """Set the earlier limits; a policy whose processors are offline by now keeps its own."""
    before = {policy: told for policy, told in read(target).items() if policy in original}
    _set(target, before, {policy: _limits(original[policy]) for policy in before})
    now = read(target)
    same = all(_limits(now[policy]) == _limits(original[policy]) for policy in before)
    told = sorted({f"{low / 1000:g} to {high / 1000:g} MHz" for low, high in map(_limits, now.values())})
    return Restoration("restored" if same else "failed", f"read back: {', '.join(told)}")


def writes(now: Limits, wanted: Limits) -> tuple[tuple[str, int], ...]:
    """Return in which order the two limits of a policy are written: never is the lowest above the highest between.

    Linux before 5.3 refuses that, and later ones lower the other limit meanwhile.
    """
    low, high = ("scaling_min_freq", wanted[0]), ("scaling_max_freq", wanted[1])
    return (low, high) if wanted[1] < now[0] else (high, low)


def under_load(readings: Sequence[Reading]) -> Iterator[int]:
    """Yield the clocks that were read while a trial ran and the processors of their policy were at work, in kHz."""
    for before, reading in pairwise(readings[:-1]):
        for policy, told in reading.items():
            earlier = before.get(policy)
            if earlier is None or told["cur_khz"] is None:
                continue
            passed = told["ticks"] - earlier["ticks"]
            if passed > 0 and told["busy_ticks"] - earlier["busy_ticks"] >= BUSY * passed:
                yield told["cur_khz"]


def _set(target: str, now: Mapping[str, Mapping[str, int]], wanted: Mapping[str, Limits]) -> None:
    files = {
        f"{POLICIES}/{policy}/{name}": str(khz)
        for policy, limits in wanted.items()
        for name, khz in writes(_limits(now[policy]), limits)
    }
    hostfile.write_all(target, files)


def _limits(policy: Mapping[str, int]) -> Limits:
    return policy["min_khz"], policy["max_khz"]


def _nearest(target: str, policy: str, khz: int) -> int:
    """Return the frequency of a policy next to the requested one; that one itself where the kernel lists none."""
    place = f"{POLICIES}/{policy}"
    low, high = _khz(target, f"{place}/cpuinfo_min_freq"), _khz(target, f"{place}/cpuinfo_max_freq")
    if not low <= khz <= high:
        words = f"{policy} runs at {low / 1000:g} to {high / 1000:g} MHz"
        raise Refused("unverifiable", words, "ask for a frequency in between")
    known: list[int] = []
    for name in ("scaling_available_frequencies", "scaling_boost_frequencies"):
        try:
            known += [int(word) for word in hostfile.read(target, f"{place}/{name}").split() if word.isdigit()]
        except Refused:
            continue  # most drivers list none
    return min(known or [khz], key=lambda one: abs(one - khz))


def _probed_mhz(target: str) -> float | None:
    """Return the clock that a probe sees on this processor; a copied tree has none."""
    probed = effective_clock.ghz() if target == "/" else None
    return float(f"{probed.value * 1000:.4g}") if probed is not None and probed.known else None


def _ticks(target: str) -> dict[int, tuple[int, int]]:
    """Return by processor how many ticks it has worked, and how many have passed (proc_stat, the first 8 columns)."""
    found = {}
    for line in hostfile.read(target, "/proc/stat").splitlines():
        name, *fields = line.split() or [""]
        numbers = [int(field) for field in fields[:8] if field.isdigit()]
        if name[:3] == "cpu" and name[3:].isdigit() and len(numbers) > 4:
            idle = numbers[3] + numbers[4]
            found[int(name[3:])] = (sum(numbers) - idle, sum(numbers))
    return found


def _khz(target: str, path: str) -> int:
    text = hostfile.read(target, path)
    if not text.isdigit():
        raise Refused("unverifiable", f"{path} gives no frequency")
    return int(text)


def _khz_or_none(target: str, path: str) -> int | None:
    try:
        return _khz(target, path)
    except Refused:
        return None
