"""What the table of data sets knows: how many examples an evaluation customarily counts, and the native input."""

from __future__ import annotations

from msgspec import Struct

from ...caching import fact
from ...case import Case
from ...tables.datasets import Dataset, Datasets, datasets, indexed, plain


class Counted(Struct, frozen=True):
    """A metric on a data set.

    Attributes:
        dataset: id in the table.
        examples: examples that an evaluation customarily counts; None where it is not known, or not customary.
        is_count: whether the metric is a plain proportion of the examples (right ones of all); None where the table
            does not know the metric.
        sizes: every number of examples that a split of the data set has, or that logs show (padded, dropped, batches).
    """

    dataset: str
    examples: int | None
    is_count: bool | None
    sizes: frozenset[int]


@fact
def dataset_table(case: Case) -> Datasets:
    """Return the table of data sets in force: ours, with the entries of whoever judges in place of ours."""
    own = {key: entry for table in case.tables for key, entry in table.datasets.items()}
    return indexed({**datasets().datasets, **own}) if own else datasets()


def named_dataset(case: Case, name: str | None) -> Dataset | None:
    """Return the data set of a printed name; None where it is not stated or the table does not know it."""
    table = dataset_table(case)
    key = table.named(name) if name is not None else None
    return table.datasets[key] if key is not None else None


@fact
def counted(case: Case, dataset: str | None, metric: str) -> Counted | None:
    """Return what a metric counts on a data set; None where the table does not know the data set.

    Args:
        case: the case.
        dataset: its printed name, as `options.dataset` holds it.
        metric: the metric's printed name.
    """
    table = dataset_table(case)
    key = table.named(dataset) if dataset is not None else None
    if key is None:
        return None
    entry = table.datasets[key]
    by_name = {_usual(name): is_count for name, is_count in entry.metrics.items()}
    sizes = {size for size in (entry.train, entry.validation, entry.test, entry.evaluated, *entry.logged) if size}
    return Counted(key, entry.evaluated, by_name.get(_usual(metric)), frozenset(sizes))


def _usual(metric: str) -> str:
    """Return a metric's name in plain characters: "top-1 accuracy" is "top-1", "acc" is "accuracy"."""
    name = plain(metric)
    for split in ("validation", "val", "test", "evaluation", "eval"):
        name = name.removeprefix(split) or name
    for top in ("top1", "top5"):
        if name in {top, f"{top}accuracy", f"{top}acc"}:
            return top
    return {"acc": "accuracy", "exactmatch": "em"}.get(name, name)
