"""The classic tool says what the format's own script says, byte for byte: tests/cases/classic."""

from __future__ import annotations

import io
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import ROOT, Runner

CASES = sorted((Path(__file__).parent.parent / "cases" / "classic").glob("*.case"))


class Case(NamedTuple):
    """A case as its file says it."""

    arguments: list[str]
    files: dict[str, bytes]
    out: str
    err: str
    code: int


def read_case(path: Path) -> Case:
    sections: dict[str, list[str]] = {"about": []}
    lines = sections["about"]
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.startswith("--- "):
            lines = sections.setdefault(line[4:].strip(), [])
        else:
            lines.append(line)
    texts = {name: "".join(part) for name, part in sections.items()}
    files = {
        name.removeprefix("file "): text.replace("\\r", "\r")
        .replace("\\uFEFF", "\ufeff")
        .encode()
        .replace(b"\\xE9", b"\xe9")
        for name, text in texts.items()
        if name.startswith("file ")
    }
    known = {"about", "command", "stdout", "stderr", "exit", *(f"file {name}" for name in files)}
    assert set(texts) <= known, f"{path}: unknown section"
    return Case(
        shlex.split(texts["command"]), files, texts.get("stdout", ""), texts.get("stderr", ""), int(texts["exit"])
    )


def lay_out(case: Case, folder: Path) -> None:
    for name, data in case.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path, tmp_path: Path, mneme_tool: Runner) -> None:
    case = read_case(path)
    lay_out(case, tmp_path)
    result = mneme_tool(*case.arguments)
    assert result.out == case.out
    assert result.err == case.err
    assert result.code == case.code
    assert {name: (tmp_path / name).read_bytes() for name in case.files} == case.files


NAMED = [path for path in CASES if len(read_case(path).arguments) > 1 and read_case(path).code < 2]


@pytest.mark.parametrize("path", NAMED, ids=lambda path: path.stem)
def test_mneme_says_the_same_of_a_named_file(path: Path, tmp_path: Path, mneme: Runner) -> None:
    case = read_case(path)
    lay_out(case, tmp_path)
    compat = ["--format", "compat"] if case.arguments[0] == "lint" else []
    result = mneme(*case.arguments, *compat)
    assert (result.out, result.code) == (case.out, case.code)


def _zip(**members: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/") + ".py", text)
    return target.getvalue()


@pytest.mark.parametrize(
    "data",
    [b"", b"no archive", _zip(other="")[:-30], _zip(mneme_else=""), _zip(mneme__cli__classic="def entry(:")],
    ids=["empty", "text", "cut", "without", "syntax"],
)
def test_a_damaged_archive_beside_the_script(tmp_path: Path, data: bytes) -> None:
    shutil.copy(ROOT / "skills" / "mneme" / "scripts" / "mneme_tool.py", tmp_path)
    (tmp_path / "mneme.pyz").write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-S", "-E", tmp_path / "mneme_tool.py", "spine"], cwd=tmp_path, capture_output=True,
        check=False, text=True,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith(f"mneme_tool: error: {tmp_path / 'mneme.pyz'} is damaged (")
    assert "\n  hint: " in done.stderr
    assert "Traceback" not in done.stderr
