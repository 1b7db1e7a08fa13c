"""The generated pages of docs/ on what the benches measured: hidden faults, results of suites, dishonest changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

DETECTION = """\
Printed by `make bench-detect`: honest submissions of different kinds, some drafted from real runs, and in each of
them faults of different size, one at a time, written by people who knew a rule's name and one sentence, never its
code. A fault is found where the rule that it was meant for says of the document what it does not say of the honest
one: a violation, or that something is not shown. Where it misses evidence in the honest one, too, other words
count, and are counted apart. Disputed are faults whose document does not hold the flaw in a form that a reader
would call so; each says why, and none counts. The rules were mended on these very faults: the figures say what the
book covers now. The estimate for faults that nobody thought of is the table of later sets: what was found of them at
first sight, before any rule was mended for them. Each set was written by other people, after the rules had been mended
on those before."""

SUITE_RESULTS = """\
Printed by `make bench-results`: hand-written folders of MLPerf results and statements about such results, and faults in
them, one at a time, written from what a reviewer of such a folder checks by people who saw no rule. A fault is seen
where something is said that is not said of the honest folder, numbers apart. The rules were mended on these very
faults; what was seen of them before stands beside it. What prose alone says is not read, and so not seen."""

GAMING = """\
Printed by `make bench-gaming`: somebody who had read the pages of this documentation, and had seen no code, changed
flawed documents so that the same claim should get a better verdict, and honest ones in the same ways as an honest
author would. No changed document was judged before all of them were written. A dishonest change succeeds where the
verdict or the exit code gets better; an honest one is punished where either gets worse. The rules were mended on these
very changes afterwards: what is said of a stranger's next attempt is the first sight, not the last column. Disputed
changes, each with its reason in the data, do not count: what remains of the document holds no contradiction that a
reader could find."""


def measured(code: str, detection: Mapping[str, Any], first_sight: Mapping[str, Any]) -> str:
    """Return a rule page's section on what was measured of it; empty where nothing was."""
    told = (_of_faults(detection["rules"].get(code), detection), _of_the_world(first_sight.get("rules", {}).get(code)))
    return "\n## Measured\n\n" + "\n".join(filter(None, told)) if any(told) else ""


def _of_the_world(row: Mapping[str, int] | None) -> str:
    if row is None or not sum(row.values()):
        return ""
    return f"On published results and documents its accusations were right at first sight in {_share(row)} cases.\n"


def _of_faults(row: Mapping[str, int] | None, detection: Mapping[str, Any]) -> str:
    if row is None:
        return ""
    others = f", {row['by_another']} more only by other rules" if row["by_another"] else ""
    return (
        f"Of {row['faults']} faults of this kind hidden in honest submissions it found {row['found']}{others}. "
        f"On {detection['bases']} honest submissions it raised {row['false_violations']} violations "
        "(`make bench-detect`).\n"
    )


def _share(row: Mapping[str, int]) -> str:
    """Return how many accusations were right of those that were judged."""
    return f"{row['true']} of {row['true'] + row['false'] + row['unfair']}"


def detection_page(detection: Mapping[str, Any], results: Mapping[str, Any]) -> str:
    """Return the page on what the fault benches measured: rule by rule, and on results of the MLPerf suites."""
    found, faults = detection.get("found", 0), detection["faults"]
    recall = f"{found / faults:.3f}" if faults else "-"
    lines = ["# Faults hidden in honest reports", "", DETECTION, ""]
    lines += ["| honest submissions | faults | found | recall | told by words only | verdict PASS | disputed |"]
    lines += ["|---|---|---|---|---|---|---|"]
    words, passed, disputed = (detection.get(name, 0) for name in ("in_other_words", "passed", "disputed"))
    lines += [f"| {detection['bases']} | {faults} | {found} | {recall} | {words} | {passed} | {disputed} |", ""]
    accused = detection.get("accused", [])
    lines += [f"Violations that refute or undermine on the honest submissions: {'; '.join(accused) or 'none'}.", ""]
    lines += ["| later set | faults | found at first sight | share |", "|---|---|---|---|"]
    for name, first in detection.get("first_sight", {}).items():
        share = f"{first['found'] / first['faults']:.3f}" if first["faults"] else "-"
        lines.append(f"| {name} | {first['faults']} | {first['found']} | {share} |")
    lines += [
        "",
        "Honest submissions came in later sets, too, each after the rules had been mended on those before:",
        "",
    ]
    lines += ["| later set | honest submissions | accused (refuted or undermined) at first sight |", "|---|---|---|"]
    for number, each in enumerate(detection.get("honest_first_sight", ()), 1):
        lines.append(f"| {number} | {each['submissions']} | {each['accused']} |")
    lines.append("")
    lines += ["| rule | faults | found | only by another rule | violations on honest ones |", "|---|---|---|---|---|"]
    for code, row in detection["rules"].items():
        cells = (row["faults"], row["found"], row["by_another"], row["false_violations"])
        lines.append(f"| [{code}](rules/{code}.md) | {' | '.join(map(str, cells))} |")
    return "\n".join([*lines, "", *_suite_results(results)]) + "\n"


def _suite_results(results: Mapping[str, Any]) -> Iterator[str]:
    yield from ("## Results of the MLPerf suites", "", SUITE_RESULTS, "")
    yield from ("| list | faults | seen at first sight | seen now | of these as not shown |", "|---|---|---|---|---|")
    for name, row in results["lists"].items():
        first = results["first_sight"][name]
        seen = f"{first['seen']} of {first['faults']}"
        yield f"| {name} | {row['faults']} | {seen} | {row['seen']} | {row['as_not_shown']} |"
    accused = ", ".join(results.get("accused", ())) or "none"
    yield ""
    yield (
        f"Honest folders: {results.get('bases', 0)}; accused of what refutes or undermines: {accused}. "
        f"Verdict PASS in spite of a fault: {results.get('passed', 0)}. Disputed: {results.get('disputed', 0)}."
    )


def gaming_page(gaming: Mapping[str, Any]) -> str:
    """Return the page on dishonest changes: how many succeeded at first sight and how many do now, by kind."""
    lines = ["# Changes that should talk the verdict round", "", GAMING, ""]
    for name, title, wrong in (("dishonest", "Dishonest", "succeed"), ("honest", "Honest", "are punished")):
        now, first = gaming.get(name, {}), gaming.get("first_sight", {}).get(name, {})
        lines += [f"## {title} changes", "", f"| kind | changes | {wrong} at first sight | {wrong} now |"]
        lines += ["|---|---|---|---|"]
        for kind, row in now.items():
            lines.append(f"| {kind} | {row['changes']} | {_wrong(first.get(kind))} | {row['wrong']} |")
        sums = [sum(row["changes"] for row in now.values()), _of_all(first), sum(row["wrong"] for row in now.values())]
        lines += [f"| all | {' | '.join(map(str, sums))} |", ""]
    lines.append(f"Disputed: {gaming.get('disputed', 0)}. [What stands against each attack](trust.md).")
    return "\n".join(lines) + "\n"


def _wrong(row: Mapping[str, int] | None) -> str:
    return f"{row['wrong']} of {row['changes']}" if row is not None else "-"


def _of_all(rows: Mapping[str, Mapping[str, int]]) -> str:
    return f"{sum(row['wrong'] for row in rows.values())} of {sum(row['changes'] for row in rows.values())}"
