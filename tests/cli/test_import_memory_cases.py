"""Samples of what people have, and the cells that ``mneme import-memory`` makes of them.

A case is a file of sections that begin with ``=== NAME``: files of the project by their path; ``options``, ``source``
(else the first file) and ``exit`` where they are not the usual; ``cells`` is the expected preview, ``said`` the talk.
``python -m tests.cli.test_import_memory_cases`` writes the last two anew, to be read before they are committed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from mneme.format.parser import parse
from tests.conftest import ROOT, TODAY, Runner

FOLDER = ROOT / "tests" / "cases" / "imports"
CASES = sorted(path.stem for path in FOLDER.glob("*.case"))
ABOUT = ("options", "source", "exit", "cells", "said")


class Case:
    """One sample."""

    def __init__(self, name: str) -> None:
        self.path = FOLDER / f"{name}.case"
        text = self.path.read_text(encoding="utf-8")
        self.sections: dict[str, str] = {}
        for part in text.split("=== ")[1:]:
            head, _, body = part.partition("\n")
            self.sections[head] = body
        self.files = {name: body for name, body in self.sections.items() if name not in ABOUT}
        self.source = self.sections.get("source", "").strip() or next(iter(self.files))
        self.options = self.sections.get("options", "").split()
        self.exit = int(self.sections.get("exit", "0"))

    def unpack(self, folder: Path) -> None:
        """Write the files of the project."""
        for name, body in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(body, encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_a_sample(name: str, mneme: Runner, tmp_path: Path) -> None:
    case = Case(name)
    case.unpack(tmp_path)
    before = tree(tmp_path)
    shown = mneme("import-memory", case.source, *case.options)
    assert shown.code == case.exit
    assert without_chance(shown.out) == case.sections.get("cells", "")
    assert shown.err == case.sections["said"]
    assert tree(tmp_path) == before, "a preview writes nothing"

    applied = mneme("import-memory", case.source, *case.options, "--apply", "--format", "json")
    assert applied.code == case.exit
    made = json.loads(applied.out)["cells"]
    after = tree(tmp_path)
    assert {path: text for path, text in after.items() if path in before} == before, "the source is as it was"
    written = "".join(text for path, text in after.items() if path.endswith(".mneme"))
    for one in made:
        assert one["text"] in written
    if "--personal" not in case.options:
        expected = [(cell.id, cell.gist, cell.body) for cell in parse(shown.out).cells]
        assert [(cell.id, cell.gist, cell.body) for cell in parse(written).cells] == expected
    lint = mneme("lint", "--no-cache", "--format", "json")
    assert [found for found in json.loads(lint.out)["findings"] if found["severity"] == "error"] == []

    again = mneme("import-memory", case.source, *case.options, "--apply")
    assert again.code == case.exit
    assert "nothing new" in again.err
    assert tree(tmp_path) == after, "a second import adds nothing"


def tree(folder: Path) -> dict[str, str]:
    """Return every file below ``folder`` but what keeps personal files out of git."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".gitignore"
    }


def without_chance(text: str) -> str:
    """Return ``text`` with the random IDs of personal cells as x."""
    return re.sub(r"(?<=[A-Z]-)[0-9a-z]{8}\b", "xxxxxxxx", text)


def test_every_kind_has_two_samples() -> None:
    from mneme.bridge.imports.table import KINDS

    for kind in KINDS:
        if kind != "mnemon":  # no text: tests/cli/test_import_memory_command.py makes them
            assert len([name for name in CASES if name.startswith(f"{kind}-")]) >= 2, kind


if __name__ == "__main__":
    for name in CASES:
        case = Case(name)
        with tempfile.TemporaryDirectory() as work:
            case.unpack(Path(work))
            home = {"HOME": work + "-home", "MNEME_TODAY": TODAY}
            command = [sys.executable, "-m", "mneme", "import-memory", case.source, *case.options]
            keep = {key: value for key, value in os.environ.items() if key in ("PATH", "PYTHONPATH")}
            done = subprocess.run(
                command, cwd=work, capture_output=True, text=True, check=False, env=keep | home | {"LC_ALL": "C.UTF-8"}
            )
        sections = {key: body for key, body in case.sections.items() if key not in ("cells", "said", "exit")}
        sections |= {"exit": f"{done.returncode}\n"} if done.returncode else {}
        sections |= {"cells": without_chance(done.stdout)} if done.stdout else {}
        sections["said"] = done.stderr
        case.path.write_text("".join(f"=== {key}\n{body}" for key, body in sections.items()), encoding="utf-8")
