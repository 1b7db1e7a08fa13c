"""What pyproject.toml asks for is what the code imports, and each dependency has its reason in decision 1."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = {"referencing", "markupsafe"}
"""Distributions that belong to jsonschema and jinja2: they come with them."""
NEEDED_BY_ANOTHER = {"bcrypt"}
"""`cryptography` needs it to write a key file in OpenSSH's format."""
ASKED_FOR = {"statsmodels", "accelerate"}
"""`compare` and `plan` say where it is not installed, and `lint` does without; the Trainer needs the other one."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def names(requirements):
    return {re.split(r"[<>=!~\[; ]", requirement)[0].lower().replace("_", "-") for requirement in requirements}


def imported(*floors):
    """Return the distributions that the modules of some floors import, by their names in lower case."""
    found = set()
    for path in (path for floor in floors for path in (ROOT / floor).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                found.add(node.module.split(".")[0])
    own = {"dlaudit", *sys.stdlib_module_names}
    distributions = packages_distributions()
    return names(name for module in found - own for name in distributions.get(module, [module])) - PARTS


DOCUMENTS = names(PROJECT["optional-dependencies"]["documents"])


def test_the_base_has_what_lint_imports_and_nothing_else():
    base = names(PROJECT["dependencies"])
    used = imported("schemas", "rules", "audit")
    assert used <= base | ASKED_FOR | DOCUMENTS
    assert used >= DOCUMENTS
    assert base <= used | imported("runners") | NEEDED_BY_ANOTHER


def test_the_extras_have_what_the_runners_import():
    extras = set().union(*(names(PROJECT["optional-dependencies"][extra]) for extra in ("run", "amd", "adapters")))
    used = imported("runners")
    assert used <= extras | names(PROJECT["dependencies"])
    assert extras <= used | ASKED_FOR


def test_every_dependency_has_its_reason():
    page = (ROOT / "docs/decisions/0001-dependencies.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| ([a-z0-9-]+) \|", page, re.MULTILINE)) - {"dependency"}
    optional = PROJECT["optional-dependencies"]
    asked = (names(optional[extra]) for extra in ("run", "amd", "adapters", "documents"))
    assert rows == names(PROJECT["dependencies"]).union(*asked)


def test_constraints_pin_every_dependency():
    pinned = names((ROOT / "constraints.txt").read_text(encoding="utf-8").split("\n"))
    wanted = names(PROJECT["dependencies"]).union(*map(names, PROJECT["optional-dependencies"].values()))
    assert wanted <= pinned
