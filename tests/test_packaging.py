"""The wheel holds every module and every data file of the house, and nothing else."""

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOORS = ("audit", "rules", "runners", "schemas")
DATA_SUFFIXES = {".json", ".pyi", ".yaml", ".toml", ".html", ".j2", ".css", ".typed", ".txt", ".csv", ".md"}


def checked_in() -> list[Path]:
    """Return the files that git tracks, or would, relative to the root."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("not a git checkout")
    paths = (Path(name) for name in done.stdout.split("\0") if name)
    return [path for path in paths if (ROOT / path).is_file()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> zipfile.ZipFile:
    """Build the wheel from a clean copy: a stale build folder would ship files that are gone."""
    copy = tmp_path_factory.mktemp("source")
    for path in checked_in():
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, copy / path)
    command = [sys.executable, "-P", "-m", "build", "--wheel", "--no-isolation", "--outdir", "dist", "."]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    (path,) = (copy / "dist").glob("*.whl")
    return zipfile.ZipFile(path)


def shipped(wheel: zipfile.ZipFile) -> set[str]:
    names = (name for name in wheel.namelist() if not name.split("/")[0].endswith(".dist-info"))
    return {name.removeprefix("dlaudit/") for name in names}


def test_every_module_is_in_the_wheel_and_nothing_else(wheel):
    modules = {path.as_posix() for path in checked_in() if path.suffix == ".py" and path.parts[0] in FLOORS}
    found = {name for name in shipped(wheel) if name.endswith(".py")}
    assert found == modules | {"__init__.py"}


def test_every_data_file_is_in_the_wheel(wheel):
    data = {
        path.as_posix()
        for path in checked_in()
        if path.parts[0] in FLOORS and path.suffix != ".py" and path.suffix in DATA_SUFFIXES
    }
    assert {"schemas/json/common.schema.json", "schemas/json/submission.schema.json"} <= data
    assert {name for name in shipped(wheel) if not name.endswith(".py")} == data | {"py.typed"}


def test_every_folder_with_modules_is_listed():
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    listed = config["tool"]["setuptools"]["packages"]
    folders = {path.parent for path in checked_in() if path.suffix == ".py" and path.parts[0] in FLOORS}
    assert sorted(listed) == sorted(["dlaudit", *(".".join(("dlaudit", *folder.parts)) for folder in folders)])
    assert all((ROOT / folder / "__init__.py").is_file() for folder in folders)


def test_the_console_script_and_the_licence_are_in_the_wheel(wheel):
    information = {name.split("/", 1)[1]: name for name in wheel.namelist() if ".dist-info/" in name}
    assert "dlaudit = dlaudit.audit.cli:main" in wheel.read(information["entry_points.txt"]).decode()
    assert "licenses/LICENSE" in information
