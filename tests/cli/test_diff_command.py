"""``mneme diff``: by cell, in three formats, between any two states."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result, Runner, cell

Git = Callable[..., str]

AUTH = cell("DEC-0001", gist="Tokens live for one hour", topic="api/auth", cue="tokens")
LIMIT = cell("DEC-0002", gist="Page size is capped at 200", topic="api/limits", cue="paging")
ORDER = cell("DEC-0003", gist="Pages are sorted by date", topic="api/paging", cue="order")


@pytest.fixture
def repo(tmp_path: Path, git: Git) -> Path:
    """A repository with three committed cells."""
    git("init", "-q", "-b", "main")
    commit(tmp_path, git, {"project.mneme": f"{AUTH}\n{LIMIT}\n{ORDER}"})
    return tmp_path


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")


def commit(folder: Path, git: Git, files: dict[str, str]) -> None:
    write(folder, files)
    git("add", "-A")
    git("commit", "-q", "-m", "a change")


def lines(result: Result) -> list[str]:
    assert (result.code, result.err) == (0, "")
    return [re.sub(" {2,}", "  ", line.strip()) for line in result.out.splitlines()]


def test_what_becomes_of_cells(repo: Path, mneme: Runner) -> None:
    assert mneme("supersede", "DEC-0002", "Page size is capped at 500").code == 0
    assert mneme("seen", "DEC-0001").code == 0
    text = (repo / "project.mneme").read_text(encoding="utf-8")
    start, end = text.index("@ DEC-0003"), text.index("@ DEC-0004")
    write(repo, {"project.mneme": text[:start] + text[end:]})
    write(repo, {"topics/paging.mneme": text[start:end].rstrip("\n") + "\nlink  depends-on DEC-0001\n"})
    assert lines(mneme("diff")) == [
        "project.mneme",
        "confirmed  DEC-0001  seen 2026-11-20 -> 2026-11-25",
        "superseded  DEC-0002  live -> superseded by DEC-0004  Page size is capped at 200",
        "added  DEC-0004  added: live, med in api/limits  Page size is capped at 500",
        "topics/paging.mneme",
        "linked  DEC-0003  link added: depends-on DEC-0001; moved from project.mneme",
        "against HEAD: 1 added, 1 superseded, 1 confirmed, 1 linked",
    ]
    assert lines(mneme("diff", "topics"))[1:] == [
        "linked  DEC-0003  link added: depends-on DEC-0001; moved from project.mneme",
        "against HEAD: 1 linked",
    ]


def test_what_is_not_allowed(repo: Path, mneme: Runner) -> None:
    changed = LIMIT.replace("200", "500").replace("live", "proposed").replace("seen 2026-11-20", "seen 2026-11-19")
    write(repo, {"project.mneme": f"{AUTH}\n{changed}"})
    assert lines(mneme("diff"))[1:] == [
        (
            'violation  DEC-0002  gist edited: "Page size is capped at 200" -> "Page size is capped at 500"; '
            "live -> proposed: not allowed; seen moved back: 2026-11-20 -> 2026-11-19"
        ),
        "violation  DEC-0003  deleted: cells are never deleted  Pages are sorted by date",
        "against HEAD: 2 not allowed",
    ]


def test_state_fields_order_and_numbers(repo: Path, mneme: Runner) -> None:
    retired = ORDER.replace("state live", "state retired")
    other = LIMIT.replace("conf high", "conf low") + "ref   src/paging.py\n"
    write(repo, {"project.mneme": f"{retired}\n{AUTH}\n{other}"})
    assert lines(mneme("diff"))[1:] == [
        "retired  DEC-0003  live -> retired; moved within the file  Pages are sorted by date",
        "changed  DEC-0002  conf high -> low; ref unset -> src/paging.py",
        "against HEAD: 1 retired, 1 changed",
    ]
    write(repo, {"project.mneme": f"{AUTH}\n{LIMIT}\n{ORDER.replace('DEC-0003', 'DEC-0009')}"})
    assert lines(mneme("diff"))[1:] == [
        "renumbered  DEC-0009  was DEC-0003  Pages are sorted by date",
        "against HEAD: 1 renumbered",
    ]


def test_spacing_comments_and_line_ends_are_nothing(repo: Path, mneme: Runner) -> None:
    text = f"# ours\n\n{AUTH}\n\n{LIMIT}# a remark\n\n{ORDER}".replace("state ", "state   ").replace("\n", "\r\n")
    write(repo, {"project.mneme": text})
    assert lines(mneme("diff")) == ["against HEAD: nothing changed"]


def test_repairs_and_unread_fields(repo: Path, mneme: Runner, git: Git) -> None:
    commit(repo, git, {"project.mneme": f"{AUTH}\n{LIMIT.replace('gist', 'Gist')}\n{ORDER}"})
    write(repo, {"project.mneme": f"{AUTH}\n{LIMIT}\n{ORDER}"})
    assert lines(mneme("diff"))[1:-1] == ['repaired  DEC-0002  gist repaired: "" -> "Page size is capped at 200"']


def test_between_commits(repo: Path, mneme: Runner, git: Git) -> None:
    git("checkout", "-q", "-b", "work")
    commit(repo, git, {"project.mneme": f"{AUTH}\n{LIMIT}\n{ORDER.replace('conf high', 'conf med')}"})
    git("checkout", "-q", "main")
    commit(repo, git, {"other.mneme": cell("DEC-0009", gist="Only of the trunk")})
    git("checkout", "-q", "work")
    changed = ["project.mneme", "changed  DEC-0003  conf high -> med"]
    assert lines(mneme("diff", "main")) == [*changed, "against main: 1 changed"]
    assert lines(mneme("diff", "main...work")) == [*changed, "against main: 1 changed"]
    assert lines(mneme("diff", "main..work"))[:2] == [
        "other.mneme",
        "violation  DEC-0009  deleted: cells are never deleted  Only of the trunk",
    ]
    assert lines(mneme("diff", "HEAD~1", "project.mneme"))[-1] == "against HEAD~1: 1 changed"
    assert lines(mneme("diff", "HEAD~1", "other.mneme"))[-1] == "against HEAD~1: nothing changed"
    assert lines(mneme("diff")) == ["against HEAD: nothing changed"]


def test_what_is_staged(repo: Path, mneme: Runner, git: Git) -> None:
    write(repo, {"project.mneme": f"{AUTH}\n{LIMIT}\n{ORDER.replace('conf high', 'conf med')}"})
    assert lines(mneme("diff", "--staged")) == ["against HEAD: nothing changed"]
    git("add", "-A")
    write(repo, {"project.mneme": f"{AUTH}\n{LIMIT}\n{ORDER}"})
    assert lines(mneme("diff", "--staged"))[-1] == "against HEAD: 1 changed"
    result = mneme("diff", "--staged", "HEAD")
    assert result.code == 2


def test_before_the_first_commit(tmp_path: Path, mneme: Runner, git: Git) -> None:
    git("init", "-q")
    write(tmp_path, {"project.mneme": AUTH, "me.local.mneme": LIMIT})
    assert lines(mneme("diff"))[1:] == [
        "added  DEC-0001  added: live, high in api/auth  Tokens live for one hour",
        "against nothing: 1 added",
    ]


def test_words_that_are_neither_revision_nor_file(repo: Path, mneme: Runner, tmp_path: Path) -> None:
    result = mneme("diff", "nowhere")
    assert result.code == 2
    assert "neither a revision nor a file" in result.err
    (repo / "project.mneme").unlink()
    assert lines(mneme("diff", "project.mneme"))[-1] == "against HEAD: 3 not allowed"
    outside = tmp_path.parent / "outside"
    outside.mkdir(exist_ok=True)
    assert mneme("diff", cwd=outside).code == 2


def test_two_live_successors_are_told(repo: Path, mneme: Runner, git: Git) -> None:
    old = (
        LIMIT.replace("state live", "state superseded") + "link  superseded-by DEC-0004\nlink  superseded-by DEC-0005\n"
    )
    new = [
        cell(number, gist=gist, topic="api/limits", more="link  supersedes DEC-0002\n")
        for number, gist in (("DEC-0004", "Page size is capped at 500"), ("DEC-0005", "Pages hold 1 MB"))
    ]
    write(repo, {"project.mneme": "\n".join([AUTH, old, ORDER, *new])})
    told = "DEC-0002 is superseded by 2 live cells: DEC-0004, DEC-0005"
    assert told in mneme("diff").out
    assert ":warning: `DEC-0002` is superseded by 2 live cells" in mneme("diff", "--format", "markdown").out
    assert json.loads(mneme("diff", "--format", "json").out)["forked"] == [
        {"cell": "DEC-0002", "successors": ["DEC-0004", "DEC-0005"]}
    ]
    git("commit", "-q", "-a", "-m", "both")
    assert told not in mneme("diff").out


def test_markdown_puts_every_text_into_code(repo: Path, mneme: Runner) -> None:
    rude = "a ``b`` <img src=x> @somebody #12 [x](http://y) | * _z_"
    write(repo, {"project.mneme": f"{AUTH}\n{LIMIT}\n{ORDER}\n{cell('DEC-0004', gist=rude, topic='a|b')}"})
    out = mneme("diff", "--format", "markdown").out
    assert out == (
        "### Memory: 1 added\n\n**Added**\n\n"
        f"- `DEC-0004` ```{rude}```: added: `live, high` in `a|b` (`project.mneme`)\n"
    )


def test_markdown_is_short(repo: Path, mneme: Runner, git: Git) -> None:
    many = [cell(f"DEC-{number:04}", gist=f"Server {number} has a disk") for number in range(10, 60)]
    write(repo, {"many.mneme": "\n".join(many)})
    write(repo, {"project.mneme": f"{AUTH}\n{LIMIT}\n{ORDER}".replace("2026-11-20", "2026-11-24")})
    out = mneme("diff", "--format", "markdown").out
    assert "<details><summary>and 30 more</summary>" in out
    assert "**Confirmed**\n\n- `DEC-0001`, `DEC-0002`, `DEC-0003`\n" in out
    git("add", "-A")
    git("commit", "-q", "-m", "many")
    assert mneme("diff", "--format", "markdown").out == "### Memory: nothing changed\n"


def test_no_format_prints_a_secret(repo: Path, mneme: Runner, git: Git) -> None:
    token = "AKIAIOSFODNN7EXAMPLE"
    commit(repo, git, {"project.mneme": f"{AUTH}\n{LIMIT.replace('200', token)}"})
    write(repo, {"project.mneme": f"{AUTH}\n{LIMIT}\n{cell('DEC-0007', gist=f'The key is {token}')}"})
    for format_ in ("text", "markdown", "json"):
        out = mneme("diff", "--format", format_).out
        assert "DEC-0007" in out
        assert token not in out


def test_json(repo: Path, mneme: Runner) -> None:
    write(repo, {"project.mneme": f"{AUTH}\n{LIMIT}\n{ORDER.replace('state live', 'state retired')}"})
    found = json.loads(mneme("diff", "--format", "json").out)
    assert (found["kind"], found["base"], found["counts"]) == ("diff", "HEAD", {"retired": 1})
    (entry,) = found["cells"]
    assert (entry["id"], entry["word"], entry["path"], entry["line"]) == ("DEC-0003", "retired", "project.mneme", 11)
    assert entry["differences"] == [{"kind": "state", "field": "state", "before": "live", "after": "retired"}]
