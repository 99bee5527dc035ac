"""Standard streams that are closed, full, or of another encoding; file names that are not text; options on the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Runner, cell

MNEME = f"{sys.executable} -m mneme"


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    path = tmp_path / "project.mneme"
    path.write_text(cell(gist="Überlänge 长"), encoding="utf-8")
    return path


def shell(folder: Path, line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["sh", "-c", line], cwd=folder, capture_output=True, check=False, env={**os.environ, **environment}
    )


@pytest.mark.parametrize("command", ["spine", "lint", "add FACT Gist --topic a/b --cue c", "spine --format json"])
def test_a_closed_output_is_no_bug(memory: Path, command: str) -> None:
    done = shell(memory.parent, f"{MNEME} {command} >&-")
    assert (done.returncode, b"bug" in done.stderr) == (0, False)
    assert memory.read_text(encoding="utf-8").startswith(cell(gist="Überlänge 长"))


def test_a_closed_error_output_is_no_bug(memory: Path) -> None:
    assert shell(memory.parent, f"{MNEME} show NOPE-0001 2>&-").returncode == 2


@pytest.mark.parametrize("command", ["spine -", "lint -", "fmt -", "add FACT Gist --topic a/b --cue c --body -"])
def test_a_closed_input_is_named(memory: Path, command: str) -> None:
    done = shell(memory.parent, f"{MNEME} {command} <&-")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"mneme: error: standard input is closed\n" in done.stderr


@pytest.mark.parametrize("cells", [1, 2000])
@pytest.mark.parametrize("command", ["lint", "spine", "fmt -", "spine --format json"])
def test_a_full_disk_is_named(tmp_path: Path, command: str, cells: int) -> None:
    if not Path("/dev/full").exists():
        return  # no full device here
    text = "\n".join([cell(f"DEC-{number:04}") for number in range(1, cells + 1)])
    (tmp_path / "project.mneme").write_text(text, encoding="utf-8")
    done = shell(tmp_path, f"{MNEME} {command} < project.mneme > /dev/full")
    assert (done.returncode, done.stderr) == (2, b"mneme: error: standard output: No space left on device\n")


def test_another_encoding_loses_no_json_and_says_what_text_lost(memory: Path) -> None:
    told = shell(memory.parent, f"{MNEME} show DEC-0001 --format json", PYTHONIOENCODING="cp1252")
    assert json.loads(told.stdout)["cells"][0]["gist"] == "Überlänge 长"
    assert told.stderr == b""
    told = shell(memory.parent, f"{MNEME} spine", PYTHONIOENCODING="cp1252")
    assert told.stdout.decode("cp1252") == "DEC-0001       live   Überlänge ?  [storage/cache]\n"
    assert told.stderr.count(b"standard output is cp1252: '?' stands for what it cannot hold") == 1


@pytest.mark.parametrize("name", ["x\udcff.mneme", "x\nerror: forged\x1b[31m.mneme"])
def test_odd_file_names_are_shown_and_hide_nothing(mneme: Runner, tmp_path: Path, name: str) -> None:
    try:
        (tmp_path / name).write_text(cell() + "\n" + cell(), encoding="utf-8")
    except OSError:
        return  # no such name on this file system
    (tmp_path / f"bad{name}").write_bytes(b"\xff\xfe")
    for form in ("full", "concise", "github", "hook"):
        result = mneme("lint", "--format", form)
        assert result.code == 2
        assert all(line.isprintable() and not line.startswith("error: f") for line in result.out.split("\n"))
    paths = {finding["path"] for finding in json.loads(mneme("lint", "--format", "json").out)["findings"]}
    assert paths == {name, f"bad{name}"}
    log = json.loads(mneme("lint", "--format", "sarif").out)
    uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in log["runs"][0]["results"]}
    assert uris <= {f"{bad}x%FF.mneme" for bad in ("", "bad")} | {
        f"{bad}x%0Aerror%3A%20forged%1B%5B31m.mneme" for bad in ("", "bad")
    }
    said = mneme("spine").err
    assert all(line.isprintable() for line in said.split("\n"))
    assert said.startswith("mneme: error: badx<U+")


@pytest.mark.parametrize("text", ["tool = 1\n", 'tool = ["mneme"]\n'])
def test_a_project_file_of_another_shape_is_not_ours(mneme: Runner, memory: Path, text: str) -> None:
    (memory.parent / "pyproject.toml").write_text(text, encoding="utf-8")
    assert mneme("lint").code == 0
    named = mneme("--config", "pyproject.toml", "lint")
    assert (named.code, "tool is not a table" in named.err) == (2, True)


def test_a_deeply_nested_configuration_is_unusable(mneme: Runner, memory: Path) -> None:
    (memory.parent / "mneme.toml").write_text(f"ids = {'[' * 5000}{']' * 5000}\n", encoding="utf-8")
    assert mneme("lint").code == 2


@pytest.mark.parametrize(
    "program", [f"{MNEME} spine", f"{sys.executable} -c 'from mneme.cli.classic import entry; entry()'"]
)
def test_a_working_folder_that_is_gone(tmp_path: Path, program: str) -> None:
    done = shell(tmp_path, f"mkdir gone; cd gone; rmdir ../gone; {program}")
    assert done.returncode == 2
    assert b"mneme: error: " in done.stderr
    assert b"Traceback" not in done.stderr


def test_folders_add_up(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "project.mneme").write_text(cell(), encoding="utf-8")
    assert mneme("-C", "a", "-C", "b", "spine", "project.mneme").out.startswith("DEC-0001")


@pytest.mark.parametrize(("value", "coloured"), [("", True), ("1", False)])
def test_only_a_value_of_no_color_counts(monkeypatch: pytest.MonkeyPatch, value: str, coloured: bool) -> None:
    from mneme.cli.app import App

    app = App.from_environment({"NO_COLOR": value}, cwd=Path(), today="2026-11-25")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert app.coloured is coloured


INTERRUPT = """
import sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
from mneme.cli.start import {0}
{0}()
"""


@pytest.mark.parametrize("name", ["mneme", "mneme_tool"])
def test_an_interrupt_while_loading_is_quiet(tmp_path: Path, name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPT.format(name)], cwd=tmp_path, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
    from mneme.cli.start import INTERRUPTED
    from mneme.errors import ExitCode

    assert ExitCode.INTERRUPTED == INTERRUPTED
