"""W0504: some members of a suite, and no word about the others."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim, Table
from ..case import Case
from ..language.reading import read
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Violation
from ..registry import rule
from ..tables.names import plain

PROVIDE = """\
tables:
  results:
    members: [resnet, bert, dlrm, retinanet]     # all members of the suite
    subset_reason: "dlrm needs more memory than the device has"
"""


@rule(
    "W0504",
    "suite-subset-unexplained",
    effect=UNDERMINES,
    confidence=C3,
    applies="any",
    origin="S1.5, HB15.2",
)
def suite_subset_unexplained(claim: Claim, case: Case) -> Iterator[Branch]:
    """Results of a benchmark suite with members missing and no reason given.

    ## What it does
    Compares the members of the suite with those that the document reports anywhere: rows and columns of its tables, and
    the benchmarks that its claims quote. A missing member that a caption, a quote or a disclosure names counts as
    explained.

    ## Why it misleads
    Every system has a benchmark that it likes. Leaving out the others makes it look good at all of them.

    ## Branches
    - (a) undermines, C3: some members are reported, others are not, and no reason is given; or the mean over the
      reported ones is called the suite's.
    - not applicable: the table's rows are no members of the suite, or a claim quotes the result of one member of a
      public suite only. A table that lists members of its own is a suite, too.
    - not shown: the members of the suite are not stated.

    ## Flagged
    On `comparison` for claim `best`:
    ```json
    {"claims": {"best": {"suite": "training"}},
     "tables": {"systems": {"members": ["decoder 350M", "ResNet-50", "DLRM"],
                            "rows": {"ours": {"label": "decoder 350M"}, "theirs": {"label": "ResNet-50"}}}}}
    ```

    ## Accepted
    On `comparison` for claim `best`, where the reason stands with the table:
    ```json
    {"claims": {"best": {"suite": "training"}},
     "tables": {"systems": {"members": ["decoder 350M", "ResNet-50", "DLRM"],
                            "subset_reason": "DLRM needs more memory than one node has.",
                            "rows": {"ours": {"label": "decoder 350M"}, "theirs": {"label": "ResNet-50"}}}}}
    ```

    ## How to fix
    Report all members, or say why some are missing.

    ## References
    Hoefler, Twelve ways to fool the masses, way 5. Hoefler and Belli, Scientific benchmarking of parallel computing
    systems (2015), rule 2.
    """
    table = case.table(claim)
    if table is None:
        yield Inapplicable("no table")
        return
    if not table.members and claim.suite in {None, "none"}:
        yield Inapplicable("the table is of no suite")
        return
    if not table.members:
        yield NotShown("the members of the suite are not stated", table.at, provide=PROVIDE)
        return
    here, anywhere = _reported(table, case, [table]), _reported(table, case, list(case.submission.tables.values()))
    of_a_suite = claim.suite not in {None, "none"}
    single = of_a_suite and claim.row is not None and claim.row.row is not None and len(here) < 2
    if not here or single:
        yield Inapplicable("the table does not list members of the suite")
        return
    missing = [name for name in table.members if name not in anywhere]
    unexplained = [name for name in missing if not _explained(name, claim, case, table)]
    if unexplained and table.subset_reason is None:
        message = (
            f"{len(anywhere)} of {len(table.members)} members are reported, without a word on: {_list(unexplained)}"
        )
        yield Violation("a", UNDERMINES, C3, message, table.at)
    elif missing and _called_the_suites(claim, table):
        message = f"the mean over {len(anywhere)} of {len(table.members)} members is called that of the suite"
        yield Violation("a", UNDERMINES, C3, message, claim.place("statement"), claim.value)


def _reported(table: Table, case: Case, tables: list[Table]) -> set[str]:
    """Return the members that rows and columns of some tables report, or that claims of the document quote."""
    names: list[str] = []
    for item in tables:
        for key, row in item.rows.items():
            arm = case.submission.arms.get(row.arm or "")
            options = [row.options, arm.options if arm is not None else None]
            names += [key, row.label or "", arm.label or "" if arm is not None else ""]
            names += [option.model or "" for option in options if option is not None]
        names += list(item.columns)
    for claim in case.submission.claims.values():
        if claim.suite_result is not None and claim.suite_result.benchmark is not None:
            names.append(claim.suite_result.benchmark)
    return {member for member in table.members if any(_same(member, name) for name in names)}


def _same(member: str, name: str) -> bool:
    """Whether a name is that of a member, or holds it: "resnet" in "ResNet-50 v1.5, offline"."""
    short, long = sorted((plain(member), plain(name)), key=len)
    return short == long or (len(short) >= 3 and short in long)


def _explained(member: str, claim: Claim, case: Case, table: Table) -> bool:
    quotes = [*(item.quote for item in claim.said), *(item.quote for item in case.submission.disclosures)]
    return any(_same(member, text) for text in (table.caption or "", claim.statement, *quotes) if len(text) > 2)


def _called_the_suites(claim: Claim, table: Table) -> bool:
    """Whether a claim about the whole table gives one aggregate and does not say that it is over a part."""
    whole = claim.row is not None and claim.row.row is None and table.aggregator is not None
    words = read(claim.statement)
    return whole and words.has("whole_suite") and not words.has("part_of_suite")


def _list(names: list[str]) -> str:
    return ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
