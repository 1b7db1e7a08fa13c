"""An index follows the modules in its folders without being asked to, and costs nothing where nothing changed."""

import json
import time

import pytest
from dlaudit.rules import module_index
from dlaudit.rules.module_index import ModuleIndex

TICK_S = 0.02


class Folder:
    """Folders of modules, their index, and which modules were imported for it."""

    def __init__(self, path):
        self.path, self.imported = path, []
        for name in ("one", "two"):
            (path / name).mkdir()
        self.index = ModuleIndex(path / "index.json", ("one", "two"), self.row, lambda row: row["says"])

    def row(self, module):
        self.imported.append(module)
        says = self.path.joinpath(*module.split(".")).with_suffix(".py").read_text()
        return {"module": module, "says": says} if says else None

    def write(self, name, says):
        """Write a module, as a person does: a tick of the file system's clock after what was done before."""
        time.sleep(TICK_S)
        (self.path / name).write_text(says)

    def read(self):
        """Return what the index says, and the modules imported for that."""
        time.sleep(TICK_S)
        self.imported.clear()
        return [row["says"] for row in self.index.rows()], sorted(self.imported)


@pytest.fixture
def folder(tmp_path):
    found = Folder(tmp_path)
    for name, says in (("one/b.py", "b"), ("two/a.py", "a"), ("two/help.py", ""), ("one/_part.py", "x")):
        found.write(name, says)
    return found


ALL = ["one.b", "two.a", "two.help"]


def test_it_is_made_once_in_its_order(folder):
    assert folder.read() == (["a", "b"], ALL)
    assert [row["module"] for row in json.loads(folder.index.file.read_text())] == ["two.a", "one.b"]
    assert folder.read() == (["a", "b"], [])


def test_a_module_that_is_added_changed_or_removed_is_seen(folder):
    folder.read()
    folder.write("one/c.py", "c")
    assert folder.read() == (["a", "b", "c"], ["one.b", "one.c", "two.a", "two.help"])
    folder.write("two/help.py", "d")
    assert folder.read()[0] == ["a", "b", "c", "d"]
    time.sleep(TICK_S)
    (folder.path / "one" / "c.py").unlink()
    assert folder.read()[0] == ["a", "b", "d"]


def test_an_older_index_that_was_put_back_is_made_anew(folder):
    folder.read()
    older = folder.index.file.read_bytes()
    folder.write("one/c.py", "c")
    folder.read()
    folder.index.file.write_bytes(older)
    assert folder.read()[0] == ["a", "b", "c"]


def test_a_change_of_a_part_and_of_what_lies_beside_counts(folder):
    folder.read()
    folder.write("one/_part.py", "y")
    assert folder.read()[1] == ALL
    folder.write("registry.py", "")
    assert folder.read()[1] == ALL


def test_what_is_changed_while_it_is_made_counts_as_changed_after(folder):
    make = folder.row

    def meanwhile(module):
        row = make(module)
        folder.write("two/a.py", "z")
        return row

    folder.index = ModuleIndex(folder.index.file, folder.index.folders, meanwhile, folder.index.order)
    folder.read()
    assert "z" in folder.read()[0]


@pytest.mark.parametrize("data", [b"", b"<<<<<<< HEAD\n[]\n", b"\xff"])
def test_a_file_that_a_merge_broke_is_made_anew(folder, data):
    folder.index.file.write_bytes(data)
    assert folder.read() == (["a", "b"], ALL)
    assert folder.read() == (["a", "b"], [])


def test_where_it_cannot_be_written_it_is_right_all_the_same(folder):
    folder.index.file.mkdir()
    assert folder.read() == (["a", "b"], ALL)
    assert folder.read() == (["a", "b"], ALL)


def test_an_installed_package_does_not_look(folder, monkeypatch, tmp_path):
    folder.read()
    monkeypatch.setattr(module_index, "CHECKOUT", tmp_path / "pyproject.toml")
    folder.write("one/c.py", "c")
    assert folder.read() == (["a", "b"], [])
