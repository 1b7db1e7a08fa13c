"""What pyproject.toml asks for is what the code imports, and each dependency has its reason in decision 1."""

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = {"referencing", "markupsafe"}
"""Distributions that belong to jsonschema and jinja2: they come with them."""
NEEDED_BY_ANOTHER = {"bcrypt"}
"""`cryptography` needs it to write a key file in OpenSSH's format."""
ASKED_FOR = {"statsmodels", "accelerate", "scikit-learn"}
"""`compare` and `plan` say where the first is missing; the Trainer needs the second; the third brings the digits."""
NAMED_OTHERWISE = {"mlperf_loadgen": ["mlcommons-loadgen"]}
"""Modules whose distribution has another name, where it is not installed."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def names(requirements):
    return {re.split(r"[<>=!~\[; ]", requirement)[0].lower().replace("_", "-") for requirement in requirements}


@cache
def distributions():
    """Return the distributions of every module that is installed."""
    return NAMED_OTHERWISE | packages_distributions()


def statements(tree):
    """Yield the statements below a node; to go over all expressions takes ten times as long."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.expr):
            yield node
            yield from statements(node)


@cache
def modules_of(floor):
    """Return the modules that the files of a floor import from elsewhere."""
    found = set()
    for path in (ROOT / floor).rglob("*.py"):
        for node in statements(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                found.add(node.module.split(".")[0])
    return found - {"dlaudit", *sys.stdlib_module_names}


def imported(*floors):
    """Return the distributions that the modules of some floors import, by their names in lower case."""
    modules = set().union(*map(modules_of, floors))
    return names(name for module in modules for name in distributions().get(module, [module])) - PARTS


OPTIONAL = {extra: names(wanted) for extra, wanted in PROJECT["optional-dependencies"].items()}
OF_AUDIT = ("documents", "mcp", "parquet", "ray", "tensorboard", "mlflow", "wandb")
OF_RUNNERS = ("run", "amd", "loadgen", "serving", "adapters")
OF_BOTH = ("ray",)


def of(extras):
    return set().union(*(OPTIONAL[extra] for extra in extras))


def test_the_base_has_what_lint_imports_and_nothing_else():
    base = names(PROJECT["dependencies"])
    used = imported("schemas", "rules", "audit")
    assert used <= base | ASKED_FOR | of(OF_AUDIT)
    assert used >= OPTIONAL["documents"]
    assert base <= used | imported("runners") | NEEDED_BY_ANOTHER


def test_the_extras_have_what_the_runners_import():
    used = imported("runners")
    assert used <= of((*OF_RUNNERS, *OF_BOTH)) | names(PROJECT["dependencies"])
    assert of(OF_RUNNERS) <= used | ASKED_FOR


def test_every_dependency_has_its_reason():
    page = (ROOT / "docs/decisions/0001-dependencies.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| ([a-z0-9-]+) \|", page, re.MULTILINE)) - {"dependency"}
    assert rows == names(PROJECT["dependencies"]) | of((*OF_RUNNERS, *OF_AUDIT))


def test_constraints_pin_every_dependency():
    pinned = names((ROOT / "constraints.txt").read_text(encoding="utf-8").split("\n"))
    wanted = names(PROJECT["dependencies"]).union(*map(names, PROJECT["optional-dependencies"].values()))
    assert wanted <= pinned
