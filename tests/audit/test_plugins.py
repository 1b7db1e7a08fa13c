"""Rules of installed packages: the example plugin in an environment of its own, and what is refused."""

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from dlaudit.rules import plugins
from dlaudit.rules.bases import base
from dlaudit.rules.documentation import merge_patch
from dlaudit.schemas.errors import UserError

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "plugin"


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A virtual environment with the plugin, which sees dlaudit and its dependencies in this one."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    here = sysconfig.get_path("purelib")
    (Path(site) / "dlaudit.pth").write_text(f"import site; site.addsitedir({here!r})\n")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    copy = folder / "plugin"
    subprocess.run(["cp", "-r", EXAMPLE, copy], check=True)
    subprocess.run([*install, "--target", site, copy], check=True)
    return python


@pytest.fixture
def here(tmp_path):
    flagged = {"claims": {"rate": {"statement": "One A100 trains ResNet-50 very fast."}}}
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "flagged.json").write_text(json.dumps(merge_patch(base("rate"), flagged)))
    (tmp_path / "claims" / "accepted.json").write_text(json.dumps(base("rate")))
    return tmp_path


def dlaudit(python, here, *arguments):
    command = [python, "-P", "-c", "from dlaudit.audit.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=here, capture_output=True, text=True)


def codes(done):
    document = json.loads(done.stdout)["documents"][0]
    return {finding["code"] for claim in document["claims"].values() for finding in claim["findings"]}


def test_the_example_judges_where_the_configuration_asks_for_it(environment, here):
    (here / "dlaudit.toml").write_text("plugins = true\n")
    assert "X01" in codes(dlaudit(environment, here, "lint", "--format", "json", "claims/flagged.json"))
    assert "X01" not in codes(dlaudit(environment, here, "lint", "--format", "json", "claims/accepted.json"))
    assert "statement-without-number" in dlaudit(environment, here, "rules", "X").stdout
    assert dlaudit(environment, here, "explain", "X01").stdout.startswith("# X01 statement-without-number")
    assert "plugin X01" in dlaudit(environment, here, "lint", "--show-settings").stdout
    assert '"X01"' in dlaudit(environment, here, "lint", "--format", "sarif", "claims/flagged.json").stdout


def test_without_the_configuration_no_package_changes_a_verdict(environment, here):
    assert "X01" not in codes(dlaudit(environment, here, "lint", "--format", "json", "claims/flagged.json"))


def test_its_options_are_set_and_checked_like_any_other(environment, here):
    (here / "dlaudit.toml").write_text("plugins = true\n[rules.X01]\ndigits = 9\n")
    assert "X01" not in codes(dlaudit(environment, here, "lint", "--format", "json", "claims/flagged.json"))
    (here / "dlaudit.toml").write_text("plugins = true\n[rules.X01]\ndigit = 9\n")
    done = dlaudit(environment, here, "lint", "claims/flagged.json")
    assert done.returncode == 2
    assert "did you mean 'digits'" in done.stderr


class Point:
    """An entry point as a package may offer it."""

    dist = None
    name = "rule"
    value = "package.module:rule"

    def __init__(self, offered):
        self.offered = offered

    def load(self):
        if isinstance(self.offered, Exception):
            raise self.offered
        return self.offered


@pytest.mark.parametrize("offered", [ImportError("no such module"), "a string", None])
def test_what_is_no_rule_is_refused_by_name(offered, monkeypatch):
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [Point(offered)])
    plugins.installed.cache_clear()
    with pytest.raises(UserError, match=r"package\.module:rule"):
        plugins.installed()
    plugins.installed.cache_clear()


def test_a_built_in_code_cannot_be_taken(monkeypatch):
    from dlaudit.rules.book import by_code

    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [Point(by_code("M04"))])
    plugins.installed.cache_clear()
    with pytest.raises(UserError, match="no X with"):
        plugins.installed()
    plugins.installed.cache_clear()
