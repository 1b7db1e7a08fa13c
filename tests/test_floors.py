"""The house has four floors: a file imports from its own floor or from one below, never upward."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOORS = {"schemas": 1, "rules": 2, "runners": 3, "audit": 4}


def modules():
    """Yield the files of the package, by their path below the root."""
    for floor in FLOORS:
        for path in sorted((ROOT / floor).rglob("*.py")):
            yield path.relative_to(ROOT)


def imported(tree, path):
    """Yield (line, absolute dotted name) of all imports in a file, those inside functions included."""
    package = ["dlaudit", *path.parts[:-1]]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = [*base, *(node.module.split(".") if node.module else [])]
            yield from ((node.lineno, ".".join([*origin, alias.name])) for alias in node.names)
        elif (
            isinstance(node, ast.Call)
            and getattr(node.func, "attr", getattr(node.func, "id", "")) in ("import_module", "__import__")
            and node.args
            and isinstance(node.args[0], ast.JoinedStr | ast.Constant)
        ):
            first = node.args[0].values[0] if isinstance(node.args[0], ast.JoinedStr) else node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield node.lineno, first.value


def upward(imports, path):
    """Return those imports of a file that lead to a higher floor."""
    own = FLOORS[path.parts[0]]
    found = []
    for line, name in imports:
        steps = name.split(".")
        if steps[0] == "dlaudit" and len(steps) > 1 and FLOORS.get(steps[1], 0) > own:
            found.append(f"{path}:{line} imports {name}")
    return found


@cache
def imports():
    """Return the imports of each file, as (line, absolute dotted name)."""
    return {path: tuple(imported(ast.parse((ROOT / path).read_bytes()), path)) for path in modules()}


def test_no_file_imports_from_a_floor_above():
    assert {path.parts[0] for path in imports()} == set(FLOORS)
    assert [line for path, found in imports().items() for line in upward(found, path)] == []


@pytest.mark.parametrize(
    ("code", "place", "count"),
    [
        ("from ..runners import plan", "rules/a.py", 1),
        ("from ...runners.plan import x", "rules/facts/a.py", 1),
        ("from .. import audit, runners, schemas", "rules/a.py", 2),
        ("def f():\n    import dlaudit.audit.cli", "schemas/a.py", 1),
        ("from dlaudit.rules import engine", "schemas/a.py", 1),
        ("importlib.import_module(f'dlaudit.audit.commands.{x}')", "runners/a.py", 1),
        (
            "from ..rules import engine\nfrom . import plan\nimport dlaudit.schemas\nfrom .. import __version__",
            "runners/a.py",
            0,
        ),
        ("from ..facts import runners", "rules/ways/a.py", 0),
        ("from .facts import x", "rules/a.py", 0),
    ],
)
def test_the_check_sees_every_form_of_import(code, place, count):
    assert len(upward(imported(ast.parse(code), Path(place)), Path(place))) == count


def test_torch_is_imported_by_the_runners_alone():
    outside = [(path, found) for path, found in imports().items() if path.parts[0] != "runners"]
    assert [f"{path}:{line}" for path, found in outside for line, name in found if name.split(".")[0] == "torch"] == []


def test_the_root_holds_the_version_alone():
    assert [path.name for path in ROOT.glob("*.py")] == ["__init__.py"]
    tree = ast.parse((ROOT / "__init__.py").read_bytes())
    names = [node.targets[0].id for node in tree.body if isinstance(node, ast.Assign)]
    assert names == ["__version__"]


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("audit.cli", {"yaml", "jsonschema", "jsonschema_rs", "numpy", "scipy", "jinja2", "cryptography", "torch"}),
        ("schemas.source", {"yaml", "jsonschema", "jsonschema_rs", "numpy"}),
        ("schemas.validation", {"yaml", "jsonschema", "jsonschema_rs", "numpy"}),
        ("schemas.samples", {"yaml", "jsonschema", "jsonschema_rs", "numpy"}),
        ("schemas.digest", {"rfc8785"}),
    ],
)
def test_importing_a_module_loads_nothing_heavy(module, absent):
    code = f"import sys, dlaudit.{module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert absent & set(done.stdout.split()) == set()
