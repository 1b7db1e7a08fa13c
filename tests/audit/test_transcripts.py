"""Command-line sessions as a person would have them: tests/audit/transcripts/*.md are run and compared.

A block ```yaml name.yaml``` (or json) is a file; a block ```console``` holds commands after `$ `, each followed by what
it prints and, where it is not 0, its exit code as `[exit N]`. DLAUDIT_UPDATE=1 rewrites what is printed.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "transcripts"
ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<name>[\w./-]+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


def run(command, folder):
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / ".config"),
        "XDG_STATE_HOME": str(folder / ".state"),
        "COLUMNS": "100",
        "EXAMPLES": str(ROOT / "examples"),
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    code = f"[exit {done.returncode}]\n" if done.returncode else ""
    return done.stdout + ("" if done.stdout.endswith("\n") or not done.stdout else "\n") + code


def replay(body, folder):
    """Run the commands of a console block and return the block as it came out."""
    commands = re.findall(r"^\$ (.*)$", body, re.MULTILINE)
    return "\n".join(f"$ {command}\n{run(command, folder)}" for command in commands)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.md")), ids=lambda path: path.stem)
def test_transcript(path, tmp_path):
    text = path.read_text(encoding="utf-8")

    def block(match):
        if match["language"] != "console":
            if match["name"]:
                (tmp_path / match["name"]).write_text(match["body"], encoding="utf-8")
            return match[0]
        return f"```console\n{replay(match['body'], tmp_path)}```"

    came_out = BLOCK.sub(block, text)
    if os.environ.get("DLAUDIT_UPDATE"):
        path.write_text(came_out, encoding="utf-8")
    assert came_out == text


def test_there_are_transcripts():
    assert len(list(FOLDER.glob("*.md"))) >= 3
