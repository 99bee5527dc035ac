"""``mneme conflicts``: which cells disagree, which one holds, and that the printed command settles it.

The cases of tests/cases/conflicts/*.case: ``=== TITLE``, ``--- input [NAME]`` is a file (``project.mneme`` unless
named), ``--- expect`` is what the command prints, to the letter.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, Result, Runner, cell


def read_cases() -> dict[str, tuple[dict[str, str], str]]:
    """Return files and expected output by title."""
    found: dict[str, tuple[dict[str, str], str]] = {}
    for path in sorted((ROOT / "tests" / "cases" / "conflicts").glob("*.case")):
        for case in re.split(r"(?m)^=== ", path.read_text(encoding="utf-8"))[1:]:
            title, _, rest = case.partition("\n")
            files, expect = {}, ""
            for section in re.split(r"(?m)^--- ", rest)[1:]:
                head, _, body = section.partition("\n")
                text = f"{body.strip(chr(10))}\n" if body.strip() else ""
                if head == "expect":
                    expect = text
                else:
                    files[head.removeprefix("input").strip() or "project.mneme"] = text
            found[title] = files, expect
    return found


CASES = read_cases()


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")


def typed(command: str, mneme: Runner) -> Result:
    program, *arguments = shlex.split(command)
    assert program == "mneme"
    return mneme(*arguments)


def squeezed(text: str) -> list[str]:
    return [re.sub(r"(?<=\S) {2,}", "  ", line) for line in text.splitlines()]


def test_there_are_cases() -> None:
    assert len(CASES) >= 8


@pytest.mark.parametrize("title", CASES)
def test_case(title: str, mneme: Runner, tmp_path: Path) -> None:
    files, expect = CASES[title]
    write(tmp_path, files)
    result = mneme("conflicts")
    assert squeezed(result.out) == squeezed(expect)
    assert (result.code, result.err) == ((1, "") if expect else (0, "mneme: no conflicts\n"))


@pytest.mark.parametrize("title", [title for title, (_, expect) in CASES.items() if "run:" in expect])
def test_the_printed_commands_settle_it(title: str, mneme: Runner, tmp_path: Path) -> None:
    files, _ = CASES[title]
    write(tmp_path, files)
    shown = json.loads(mneme("conflicts", "--format", "json").out)["conflicts"]
    for number, conflict in enumerate(shown):
        for choice in conflict["choices"]:
            write(tmp_path, files)
            for command in choice["commands"]:
                assert typed(command, mneme).code == 0
            left = json.loads(mneme("conflicts", "--format", "json").out)["conflicts"]
            assert without_lines(left) == without_lines(shown[:number] + shown[number + 1 :])
            states = [f"{known['id']} {state_of(tmp_path, known['id'])}" for known in conflict["cells"]]
            assert states == [
                f"{known['id']} {'live' if known['id'] == choice['keep'] else 'superseded'}"
                for known in conflict["cells"]
            ]
            assert mneme("lint").code == 0, "no error is left, and none came instead"


def without_lines(conflicts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**conflict, "cells": [{**known, "line": 0} for known in conflict["cells"]]} for conflict in conflicts]


def state_of(folder: Path, cell_id: str) -> str:
    texts = [path.read_text(encoding="utf-8") for path in folder.rglob("*.mneme")]
    found = re.search(rf"(?m)^@ {cell_id}  .*\n(?:.*\n)*?state (\w+)", "\n".join(texts))
    assert found
    return found[1]


def test_lint_and_diff_name_the_fork_and_this_command(mneme: Runner, tmp_path: Path, git: Callable[..., str]) -> None:
    files, _ = CASES["A fork that confidence decides, in two files"]
    git("init", "-q", "-b", "main")
    write(tmp_path, {"project.mneme": cell("DEC-0009", topic="api/auth")})
    git("add", "-A")
    git("commit", "-q", "-m", "memory")
    write(tmp_path, files)
    assert "mneme conflicts" in mneme("lint", "--select", "forked-supersession").out
    assert "DEC-0001 is superseded by 2 live cells: DEC-0002, DEC-0003; settle it: mneme conflicts" in mneme("diff").out


def test_named_files_are_the_world_and_another_workspace_is_named(mneme: Runner, tmp_path: Path) -> None:
    files, expect = CASES["A fork that confidence decides, in two files"]
    write(tmp_path, files)
    assert mneme("conflicts", "project.mneme").code == 0
    other = tmp_path / "other one"
    write(other, {"mneme.toml": "", **files})
    assert mneme("conflicts").out.count("run:") == 1
    result = mneme("conflicts", other)
    assert f"mneme -C '{other}' supersede DEC-0002 --by DEC-0003" in result.out
    assert typed(re.findall("run: (.*)", result.out)[0], mneme).code == 0
    assert mneme("conflicts", other).code == 0
    assert squeezed(mneme("conflicts").out) == squeezed(expect)


def test_what_cannot_be_read_is_exit_2(mneme: Runner, tmp_path: Path) -> None:
    files, _ = CASES["A fork that confidence decides, in two files"]
    write(tmp_path, files)
    (tmp_path / "bad.mneme").write_bytes(b"@ DEC-0001\xff\n")
    result = mneme("conflicts")
    assert result.code == 2
    assert "run: mneme" in result.out
    assert "bad.mneme" in result.err


def test_an_id_that_is_none_goes_into_no_command(mneme: Runner, tmp_path: Path) -> None:
    files, _ = CASES["A fork that confidence decides, in two files"]
    write(tmp_path, {name: text.replace("DEC-0003", "DEC-1;ls") for name, text in files.items()})
    result = mneme("conflicts")
    assert "run:" not in result.out
    assert "first: DEC-1;ls is no ID" in result.out


# --- mneme supersede OLD --by ID -------------------------------------------------------------------------------------


def test_by_writes_state_and_both_links_and_nothing_else(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"a.mneme": cell("DEC-0001", gist="One"), "b.mneme": cell("DEC-0002", gist="Two")})
    result = mneme("supersede", "DEC-0001", "--by", "DEC-0002")
    assert (result.code, result.out) == (0, "DEC-0002\n")
    assert (tmp_path / "a.mneme").read_text() == cell(
        "DEC-0001", gist="One", state="superseded", more="link  superseded-by DEC-0002\n"
    )
    assert (tmp_path / "b.mneme").read_text() == cell("DEC-0002", gist="Two", more="link  supersedes DEC-0001\n")


def test_by_completes_a_pair_of_which_one_half_is_there(mneme: Runner, tmp_path: Path) -> None:
    half = cell("DEC-0002", gist="Two", more="link  supersedes DEC-0001\n")
    write(tmp_path, {"project.mneme": f"{cell('DEC-0001', gist='One')}\n{half}"})
    assert mneme("supersede", "DEC-0001", "--by", "DEC-0002").code == 0
    whole = cell("DEC-0001", gist="One", state="superseded", more="link  superseded-by DEC-0002\n")
    assert (tmp_path / "project.mneme").read_text() == f"{whole}\n{half}"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["DEC-0001"], "what holds instead?"),
        (["DEC-0001", "A gist", "--by", "DEC-0002"], "goes with OLD alone"),
        (["DEC-0001", "--by", "DEC-0002", "--topic", "a/b"], "goes with OLD alone"),
        (["DEC-0001", "--by", "DEC-0002", "--personal"], "goes with OLD alone"),
        (["DEC-0001", "--by", "DEC-0001"], "cannot supersede itself"),
        (["DEC-0001", "--by", "DEC-0077"], "no cell has the ID 'DEC-0077'"),
        (["DEC-0001", "--by", "DEC-0003"], "DEC-0003 is proposed: it replaces nothing"),
        (["DEC-0001", "--by", "DEC-0004"], "DEC-0004 is retired: it replaces nothing"),
        (["DEC-0004", "--by", "DEC-0001"], "retired"),
        (["DEC-0005", "--by", "DEC-0001"], "DEC-0005 is superseded already, by DEC-0007"),
        (["DEC-0001", "--by", "DEC-0099"], "one of the two is personal"),
        (["DEC-0007", "--by", "DEC-0002"], "would go round in a circle"),
    ],
)
def test_by_refuses(arguments: list[str], said: str, mneme: Runner, tmp_path: Path) -> None:
    cells = [
        cell("DEC-0001"),
        cell("DEC-0002", more="link  superseded-by DEC-0006\n"),
        cell("DEC-0003", state="proposed"),
        cell("DEC-0004", state="retired"),
        cell("DEC-0005", state="superseded", more="link  superseded-by DEC-0006\n"),
        cell("DEC-0006", state="superseded", more="link  supersedes DEC-0005\nlink  superseded-by DEC-0007\n"),
        cell("DEC-0007", more="link  supersedes DEC-0006\n"),
    ]
    files = {"project.mneme": "\n".join(cells), "my.local.mneme": cell("DEC-0099")}
    write(tmp_path, files)
    result = mneme("supersede", *arguments)
    assert result.code == 2
    assert said in result.err
    assert {name: (tmp_path / name).read_text() for name in files} == files
