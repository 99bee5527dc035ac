"""``mneme redact``: the one change of content, and that no byte of the text is left anywhere but in git."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Runner, cell

Git = Callable[..., str]

SECRET = "Zwiebelkuchen"
BEFORE = cell("DEC-0001", gist="Tokens live for one hour", topic="api/auth", cue="tokens")
AFTER = cell("DEC-0003", gist="Page size is capped at 200", topic="api/limits", cue="paging")
COMMENT = "# for the next one\n"


def bad(**values: str) -> str:
    return (
        f"@ FACT-0002  people\n# {SECRET} here\ngist  Our customer is {SECRET}\n"
        f"state live   conf high   since 2026-11-01   seen 2026-11-20\ncue   {SECRET}, customer\ncue   other {SECRET}\n"
        f"> About {SECRET}.\n>\n> More about {SECRET}.\nnobody reads {SECRET}\norigin from={SECRET} by=me\n"
        f"link  relates DEC-0001\n{values.get('more', '')}"
    )


@pytest.fixture
def repo(tmp_path: Path, mneme: Runner, git: Git, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a cell that should not be, linted, so that caches are full."""
    folder = tmp_path / "repo"
    folder.mkdir()
    monkeypatch.setenv("MNEME_CACHE_DIR", str(tmp_path / "cache"))
    git("init", "-q", "-b", "main", cwd=folder)
    (folder / "project.mneme").write_text(f"{BEFORE}\n{bad()}\n{COMMENT}{AFTER}", encoding="utf-8")
    git("add", "-A", cwd=folder)
    git("commit", "-q", "-m", "memory", cwd=folder)
    mneme("lint", cwd=folder)
    return folder


def places_with(needle: str, *folders: Path) -> list[Path]:
    """Every file below ``folders`` that holds the bytes of ``needle``, git's own left out."""
    return [
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and ".git" not in path.parts and needle.encode() in path.read_bytes()
    ]


def everywhere(tmp_path: Path) -> list[Path]:
    return places_with(SECRET, tmp_path, Path(os.environ["HOME"]))


def test_no_byte_is_left(repo: Path, tmp_path: Path, mneme: Runner, git: Git) -> None:
    assert len(everywhere(tmp_path)) > 1  # the file, and the cache of lint
    result = mneme("redact", "FACT-0002", "--reason", "names a customer", cwd=repo)
    assert result.code == 0
    assert result.out == "FACT-0002  gist, cue, body, origin redacted  project.mneme:6\n"
    assert "git still has the old text" in result.err
    assert everywhere(tmp_path) == []
    text = (repo / "project.mneme").read_text(encoding="utf-8")
    assert text.startswith(f"{BEFORE}\n@ FACT-0002  people\n# mneme: redacted[gist, cue, body, origin] m1:")
    assert " 2026-11-25 names a customer\ngist  [redacted]\nstate live" in text
    assert text.endswith(f"origin [redacted]\nlink  relates DEC-0001\n\n{COMMENT}{AFTER}")

    for format_ in ("text", "markdown", "json"):
        out = mneme("diff", "--format", format_, cwd=repo).out
        assert "FACT-0002" in out
        assert SECRET not in out
    for options in ([], ["--staged"], ["--base", "HEAD~1"]):
        if options:
            git("add", "-A", cwd=repo)
        if "--base" in options:
            git("commit", "-q", "-m", "redacted", cwd=repo)
        found = json.loads(mneme("lint", "--format", "json", *options, cwd=repo).out)["findings"]
        assert not [entry for entry in found if entry["severity"] == "error"]
    assert everywhere(tmp_path) == []


def test_one_field_and_then_another(repo: Path, mneme: Runner, git: Git) -> None:
    assert mneme("redact", "FACT-0002", "--field", "body", "--reason", "a name", cwd=repo).code == 0
    text = (repo / "project.mneme").read_text(encoding="utf-8")
    assert f"gist  Our customer is {SECRET}\n" in text
    assert "\n> [redacted]\nnobody reads" in text
    assert mneme("lint", "--select", "content-edited", cwd=repo).code == 0
    git("commit", "-q", "-a", "-m", "one", cwd=repo)
    assert mneme("redact", "FACT-0002", "--field", "topic", "--field", "gist", "--reason", "a name", cwd=repo).code == 0
    assert "@ FACT-0002  [redacted]\n" in (repo / "project.mneme").read_text(encoding="utf-8")
    assert mneme("lint", "--select", "content-edited", cwd=repo).code == 0
    assert "redacted    FACT-0002  topic redacted; gist redacted" in mneme("diff", cwd=repo).out


def test_a_forged_comment_does_not_help(repo: Path, mneme: Runner) -> None:
    mneme("redact", "FACT-0002", "--field", "gist", "--reason", "a name", cwd=repo)
    path = repo / "project.mneme"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("gist  [redacted]", "gist  Something else"), encoding="utf-8")
    assert mneme("lint", "--select", "content-edited", cwd=repo).code == 1
    path.write_text(text.replace("> About", "> [redacted]").replace(f" {SECRET}.\n>\n", "\n"), encoding="utf-8")
    assert mneme("lint", "--select", "content-edited", cwd=repo).code == 1
    digest = text.partition("m1:")[2][:64]
    path.write_text(text.replace(digest, "0" * 64), encoding="utf-8")
    assert mneme("lint", "--select", "content-edited", cwd=repo).code == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["FACT-0009", "--reason", "x"], "no cell has the ID"),
        (["DEC-0001", "--field", "body", "--reason", "x"], "DEC-0001 has no body"),
        (["DEC-0001"], "--reason"),
        (["DEC-0001", "--reason", "two\nlines"], "one line"),
        (["DEC-0001", "--field", "since", "--reason", "x"], "since"),
    ],
)
def test_what_is_refused(repo: Path, mneme: Runner, arguments: list[str], words: str) -> None:
    before = (repo / "project.mneme").read_bytes()
    result = mneme("redact", *arguments, cwd=repo)
    assert result.code == 2
    assert words in result.err
    assert (repo / "project.mneme").read_bytes() == before


def test_nothing_is_left_to_blank(repo: Path, mneme: Runner) -> None:
    assert mneme("redact", "DEC-0001", "--reason", "x", cwd=repo).code == 0
    result = mneme("redact", "DEC-0001", "--reason", "x", cwd=repo)
    assert result.code == 2
    assert "nothing is left" in result.err


def test_line_ends_json_and_personal_files(tmp_path: Path, mneme: Runner) -> None:
    text = bad().replace("\n", "\r\n").removesuffix("\r\n")
    (tmp_path / "me.local.mneme").write_bytes(text.encode())
    result = mneme("redact", "FACT-0002", "--reason", "mine", "--format", "json")
    found = json.loads(result.out)
    assert (found["kind"], found["fields"], found["path"]) == (
        "redact",
        ["gist", "cue", "body", "origin"],
        "me.local.mneme",
    )
    assert not result.err
    data = (tmp_path / "me.local.mneme").read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n")
    assert SECRET.encode() not in data
