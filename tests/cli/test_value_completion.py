"""What a shell offers for values; and that it stays quiet when something is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from mneme.cli.main import cli
from tests.conftest import cell


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    states = ("live", "stale", "proposed", "superseded", "retired")
    cells = [cell(f"DEC-000{number}", state=state) for number, state in enumerate(states, 1)]
    (tmp_path / "project.mneme").write_text("\n".join([*cells, cell("RISK-0001"), cell("dec-0009"), cell("@x")]))
    (tmp_path / "mneme.toml").write_text('[prefixes]\nDEBT = "owed"\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def offered(words: str) -> list[str]:
    *args, incomplete = words.split(" ")
    return [item.value for item in ShellComplete(cli, {}, "mneme", "_X").get_completions(args, incomplete)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("show ", "DEC-0001 DEC-0002 DEC-0003 DEC-0004 DEC-0005 RISK-0001"),
        ("show dec-0001 r", "RISK-0001"),
        ("show RISK-0001 R", ""),
        ("why DEC-0004", "DEC-0004"),
        ("history x", ""),
        ("seen ", "DEC-0001 DEC-0002 RISK-0001"),
        ("accept ", "DEC-0003"),
        ("set D", "DEC-0001 DEC-0002 DEC-0003"),
        ("retire D", "DEC-0001 DEC-0002 DEC-0003"),
        ("supersede R", "RISK-0001"),
        ("at HEAD show R", "RISK-0001"),
        ("set DEC-0001 --state s", "stale superseded"),
        ("spine --state l", "live"),
        ("add DEC x --state p", "proposed"),
        ("add DEC x --conf ", "high med low"),
        ("add D", "DEC DEBT"),
        ("new-id R", "RISK"),
        ("supersede DEC-0001 x --prefix G", "GOTCHA"),
        ("add DEC x --link re", "relates= refines="),
        ("add DEC x --link relates=R", "relates=RISK-0001"),
        ("rule no-c", "no-cue"),
        ("rule mn208", "MN208"),
        ("lint --select no-cue,no-t", "no-cue,no-topic"),
        ("lint --ignore leaning", "leaning-gist"),
    ],
)
@pytest.mark.usefixtures("project")
def test_values(words: str, expected: str) -> None:
    assert offered(words) == expected.split()


@pytest.mark.usefixtures("project")
def test_gists_are_told_and_files_left_to_the_shell() -> None:
    complete = ShellComplete(cli, {}, "mneme", "_X")
    assert [item.help for item in complete.get_completions(["show"], "R")] == [
        "Local cache uses SQLite instead of JSON files"
    ]
    assert [item.type for item in complete.get_completions(["lint"], "pro")] == ["file"]


@pytest.mark.parametrize("options", ["-C nowhere", "--config nowhere", "--today nonsense"])
@pytest.mark.usefixtures("project")
def test_nothing_is_offered_where_something_is_wrong(options: str) -> None:
    assert offered(f"{options} add DEC x --link relates=") == []


def test_another_folder(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert offered("show R") == []
    assert offered(f"-C {project} show R") == ["RISK-0001"]


def test_a_shell_hears_nothing_of_errors(project: Path) -> None:
    (project / "mneme.toml").write_text("nonsense\n")
    (project / "bad.mneme").write_bytes(b"\xff")
    for words in ("mneme show D", "mneme nonsense D", "mneme add D"):
        done = subprocess.run(
            [sys.executable, "-m", "mneme"], capture_output=True, check=False,
            env={**os.environ, "_MNEME_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": "2"},
        )  # fmt: skip
        assert (done.returncode, done.stdout.strip(), done.stderr) == (0, b"", b""), words
