"""``mneme check-evidence``: cells against the code they lean on, in real repositories."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Runner, cell
from tests.past import Past

CODE = """\
import os


def load(path):
    return open(path).read()


class Store:
    def put(self, key):
        self.data[key] = 1

    def get(self, key):
        return self.data[key]
"""


def leaning(
    more: str, *, cell_id: str = "DEC-0001", seen: str = "2026-11-10", gist: str = "The cache is a file"
) -> str:
    return cell(cell_id, gist=gist, since="2026-11-01", seen=seen, more=more)


@pytest.fixture
def past(tmp_path: Path) -> Past:
    """Code of 1 November, and a cell that names ``src/store.py`` in its body, confirmed on the 10th."""
    past = Past(tmp_path)
    past.commit("code", {"src/store.py": CODE, "src/other.py": "x = 1\n", "README.md": "# Hi\n"}, day="2026-11-01")
    past.commit("memory", {"project.mneme": leaning("> See src/store.py.\n")}, day="2026-11-10", by="Bob")
    return past


def doubts(mneme: Runner, *arguments: str, cwd: Path | None = None) -> list[dict[str, Any]]:
    result = mneme("check-evidence", "--format", "json", *arguments, cwd=cwd)
    assert not result.err
    found: list[dict[str, Any]] = json.loads(result.out)["doubts"]
    assert result.code == (1 if found else 0)
    return found


def told(mneme: Runner, *arguments: str) -> list[str]:
    return [f"{doubt['kind']} {doubt['id']} {doubt['message']}" for doubt in doubts(mneme, *arguments)]


def test_nothing_changed(past: Past, mneme: Runner) -> None:
    assert doubts(mneme) == []
    said = mneme("check-evidence")
    assert (said.code, said.out) == (0, "")
    assert said.err == "mneme: nothing speaks against 1 cells that lean on code\n"
    past.commit("other", {"src/other.py": "x = 2\n"}, day="2026-11-12")
    assert doubts(mneme) == []


def test_an_edit(past: Past, mneme: Runner) -> None:
    past.commit("one", {"src/store.py": CODE + "# a\n# b\n"}, day="2026-11-12", by="Cyd")
    past.commit("two", {"src/store.py": CODE + "# a\n"}, day="2026-11-13", by="Dee")
    past.commit("three", {"src/store.py": CODE + "# c\n"}, day="2026-11-14", by="Cyd")
    [doubt] = doubts(mneme)
    assert doubt["message"] == "src/store.py changed since 2026-11-10: 3 commits by Cyd, Dee, +3 -2 lines"
    assert [commit["subject"] for commit in doubt["commits"]] == ["three", "two", "one"]
    assert (doubt["kind"], doubt["evidence"], doubt["uncommitted"]) == ("changed", ["src/store.py"], False)
    line = mneme("check-evidence").out
    assert line == (
        "project.mneme:1: changed DEC-0001: src/store.py changed since 2026-11-10: 3 commits by Cyd, Dee, +3 -2 lines\n"
    )
    assert mneme("check-evidence", "--exit-zero").code == 0
    past.commit("confirmed", {"project.mneme": leaning("> See src/store.py.\n", seen="2026-11-15")}, day="2026-11-15")
    assert doubts(mneme) == []


def test_changed_and_changed_back(past: Past, mneme: Runner) -> None:
    past.commit("one", {"src/store.py": CODE + "# a\n"}, day="2026-11-12")
    past.commit("two", {"src/store.py": CODE}, day="2026-11-13")
    assert doubts(mneme) == []


def test_what_is_committed_with_the_cell_is_known_to_it(past: Past, mneme: Runner) -> None:
    files = {"src/store.py": CODE + "# a\n", "project.mneme": leaning("> See src/store.py.\n", seen="2026-11-12")}
    past.commit("both", files, day="2026-11-12T10:00:00+00:00")
    assert doubts(mneme) == []
    past.commit("later that day", {"src/store.py": CODE}, day="2026-11-12T18:00:00+00:00")
    assert len(doubts(mneme)) == 1


def test_an_older_change_that_a_branch_brings_later_counts(past: Past, mneme: Runner) -> None:
    past.git("checkout", "-q", "-b", "side", "HEAD~1")
    past.commit("on a branch", {"src/store.py": CODE + "# a\n"}, day="2026-11-05", by="Cyd")
    past.git("checkout", "-q", "main")
    assert doubts(mneme) == []
    past.git("merge", "-q", "--no-edit", "side", day="2026-11-20")
    assert told(mneme) == ["changed DEC-0001 src/store.py changed since 2026-11-10: 1 commit by Cyd, +1 -0 lines"]


def test_a_newer_change_that_the_cell_already_knew_does_not_count(past: Past, mneme: Runner) -> None:
    past.git("checkout", "-q", "-b", "side")
    past.commit("work", {"other.txt": ""}, day="2026-11-11")
    past.git("checkout", "-q", "main")
    past.commit("code", {"src/store.py": CODE + "# a\n"}, day="2026-11-12")
    past.commit("seen", {"project.mneme": leaning("> See src/store.py.\n", seen="2026-11-12")}, day="2026-11-12")
    past.git("checkout", "-q", "side")
    past.git("merge", "-q", "--no-edit", "main", day="2026-11-20")
    assert doubts(mneme) == []


def test_renamed_deleted_and_renamed_again(past: Past, mneme: Runner) -> None:
    past.git("mv", "src/store.py", "src/cache.py")
    assert told(mneme, "--staged") == ["missing DEC-0001 src/store.py is no longer there: it went to src/cache.py"]
    commit = past.commit("rename", {}, day="2026-11-12", by="Cyd")
    assert told(mneme) == [
        f"missing DEC-0001 src/store.py is no longer there: it went to src/cache.py ({commit[:8]}, 2026-11-12, Cyd)"
    ]
    past.git("mv", "src/cache.py", "lib.py")
    past.commit("again", {}, day="2026-11-13")
    assert doubts(mneme)[0]["moved_to"] == "lib.py"
    commit = past.commit("gone", {"lib.py": None}, day="2026-11-14", by="Dee")
    assert doubts(mneme)[0]["moved_to"] == ""
    assert "deleted" in doubts(mneme)[0]["message"]


def test_deleted_on_disk_and_deleted_for_good(past: Past, mneme: Runner) -> None:
    past.put({"src/store.py": None})
    assert told(mneme) == ["missing DEC-0001 src/store.py is deleted, and that is not committed yet"]
    assert doubts(mneme, "--staged") == []
    commit = past.commit("gone", {}, day="2026-11-12", by="Cyd")
    assert told(mneme) == [f"missing DEC-0001 src/store.py is no longer there: deleted ({commit[:8]}, 2026-11-12, Cyd)"]
    past.commit("back", {"src/store.py": CODE}, day="2026-11-13")
    assert doubts(mneme) == []  # the same bytes are there again


def test_uncommitted_changes(past: Past, mneme: Runner) -> None:
    past.put({"src/store.py": CODE + "# a\n"})
    assert told(mneme) == ["changed DEC-0001 src/store.py changed since 2026-11-10: a change that is not committed yet"]
    assert doubts(mneme, "--staged") == []
    past.git("add", "-A")
    assert len(doubts(mneme, "--staged")) == 1
    hook = mneme("check-evidence", "--staged", "--format", "hook", "--exit-zero")
    assert hook.code == 0
    assert hook.out.splitlines()[1] == "mneme: 1 live cell to look at again (mneme review)"
    past.put({"project.mneme": leaning("> See src/store.py.\n", seen="2026-11-25")})
    assert doubts(mneme) == []  # confirmed in the same breath
    assert len(doubts(mneme, "--staged")) == 1  # which is not staged
    past.git("add", "-A")
    assert doubts(mneme, "--staged") == []
    assert mneme("check-evidence", "--staged", "--format", "hook").out == ""


@pytest.mark.parametrize("arguments", [[], ["--staged"]])
def test_a_file_that_cannot_be_read_is_told(past: Past, mneme: Runner, arguments: list[str]) -> None:
    (past.folder / "bad.mneme").write_bytes(b"\xff")
    past.git("add", "-A")
    result = mneme("check-evidence", *arguments)
    assert result.code == 2
    assert "bad.mneme:1:1: not valid UTF-8" in result.err
    assert mneme("check-evidence", "--exit-zero", *arguments).code == 0


def test_a_touched_file_is_not_a_changed_one(past: Past, mneme: Runner) -> None:
    path = past.folder / "src/store.py"
    path.write_bytes(path.read_bytes())
    assert doubts(mneme) == []


WORDS = """\
> and/or either/or CI/CD 1/2 24/7 km/h input/output client/server n/a I/O src/nothing docs/guide
> e.g. i.e. v1.2 3.14 Node.js config.yaml example.com/page.html https://example.com/src/store.py
> /etc/hosts ~/.bashrc ../elsewhere/src/store.py C:\\src\\x.py never/was/here.py src src/ storage/cache
> README CHANGELOG *.xyz 见src和other 前/后
"""


def test_words_that_only_look_like_paths(past: Past, mneme: Runner) -> None:
    past.commit("words", {"project.mneme": leaning(WORDS), "docs/x.md": ""}, day="2026-11-10")
    past.commit("much", {"src/store.py": "", "README.md": "", "docs/x.md": "y", "src/nothing.py": ""}, day="2026-11-12")
    assert [doubt["reference"] for doubt in doubts(mneme)] == ["src/"]  # written as a folder, and one


@pytest.mark.parametrize(
    "text",
    [
        "> see `src/store.py`, it says so\n", "> (src/store.py)\n", "> **src/store.py**\n", "> ./src/store.py:12\n",
        "> src/store.py#L10\n", "> 见src/store.py，里面\n", "> 在`src/store.py`里\n", "> src/*.py\n", "> src/**\n",
        "> src/\n", "ref src/store.py\n", "ref src\n", "ref src/\n", "ref src/st*.py\n", "ref **/store.py\n",
        "ref src/store.py:load\n", "> src/store.py:Store.put\n", "> src/store.py::load\n",
    ],
)  # fmt: skip
def test_ways_to_name_a_path(past: Past, mneme: Runner, text: str) -> None:
    past.commit("cell", {"project.mneme": leaning(text)}, day="2026-11-10")
    assert doubts(mneme) == []
    changed = CODE.replace("open(path)", "open(path, 'rb')").replace("= 1", "= 2")
    past.commit("change", {"src/store.py": changed}, day="2026-11-12")
    [doubt] = doubts(mneme)
    assert (doubt["kind"], doubt["evidence"]) == ("changed", ["src/store.py"])


@pytest.mark.parametrize(
    ("symbol", "change", "kind"),
    [
        ("load", ("= 1", "= 2"), None),
        ("load", ("open(path)", "open(path, 'rb')"), "changed"),
        ("load", ("def load", "def read"), "symbol-missing"),
        ("Store.get", ("= 1", "= 2"), None),
        ("Store.put", ("= 1", "= 2"), "changed"),
        ("Store.put", ("def put", "def set"), "symbol-missing"),
        ("Store", ("def put", "def set"), "changed"),
        ("Store", ("import os", "import sys"), None),
    ],
)
def test_symbols(past: Past, mneme: Runner, symbol: str, change: tuple[str, str], kind: str | None) -> None:
    past.commit("cell", {"project.mneme": leaning(f"ref src/store.py:{symbol}\n")}, day="2026-11-10")
    past.put({"src/store.py": CODE.replace(*change)})
    assert [doubt["kind"] for doubt in doubts(mneme)] == ([kind] if kind else [])
    past.commit("change", {}, day="2026-11-12")
    found = doubts(mneme, "--staged")
    assert [doubt["kind"] for doubt in found] == ([kind] if kind else [])
    if kind == "symbol-missing":
        assert found[0]["message"] == f"src/store.py defines no {symbol} any more"


@pytest.mark.parametrize(
    ("ref", "kinds"),
    [
        ("src/stroe.py", ["missing"]),  # a slip: nobody ever had it
        ("src/*.rs", ["missing"]),
        ("untracked.txt", []),
        ("ignored.log", []),
        ("build/out.bin", []),  # not there, and need not be
        ("../outside.py", []),
        ("/etc/hosts", []),
        ("https://example.com/a.py", []),
    ],
)
def test_explicit_references(past: Past, mneme: Runner, ref: str, kinds: list[str]) -> None:
    past.commit("cell", {"project.mneme": leaning(f"ref {ref}\n"), ".gitignore": "*.log\nbuild/\n"}, day="2026-11-10")
    past.put({"untracked.txt": "x", "ignored.log": "x"})
    assert [doubt["kind"] for doubt in doubts(mneme)] == kinds


def test_who_confirms_a_cell_knows_what_is_gone_by_then(past: Past, mneme: Runner) -> None:
    text = "> See src/store.py and src/other.py:x\n"
    past.commit("cell", {"project.mneme": leaning(text)}, day="2026-11-10")
    past.commit("gone", {"src/store.py": None, "src/other.py": "y = 1\n"}, day="2026-11-12")
    assert [doubt["kind"] for doubt in doubts(mneme)] == ["missing", "symbol-missing"]
    past.put({"project.mneme": leaning(text, seen="2026-11-25")})
    assert doubts(mneme) == []
    past.commit("confirmed", {}, day="2026-11-25")
    assert doubts(mneme) == []
    explicit = leaning("ref src/store.py src/other.py:x\n", seen="2026-11-25")
    past.commit("a ref can be corrected", {"project.mneme": explicit}, day="2026-11-26")
    assert [doubt["kind"] for doubt in doubts(mneme)] == ["missing", "symbol-missing"]


def test_a_folder_that_was_renamed(past: Past, mneme: Runner) -> None:
    past.commit("cell", {"project.mneme": leaning("ref src\n")}, day="2026-11-10")
    past.git("mv", "src", "lib")
    assert doubts(mneme, "--staged")[0]["moved_to"] == "lib/"
    past.commit("rename", {}, day="2026-11-12")
    [doubt] = doubts(mneme)
    assert (doubt["kind"], doubt["moved_to"]) == ("missing", "lib/")


def test_only_live_cells_count(past: Past, mneme: Runner) -> None:
    text = leaning("> src/store.py\n").replace("state live", "state stale")
    past.commit("stale", {"project.mneme": text}, day="2026-11-10")
    past.commit("change", {"src/store.py": ""}, day="2026-11-12")
    assert doubts(mneme) == []


def test_paths_count_from_workspace_repository_and_the_files_own_folder(past: Past, mneme: Runner) -> None:
    files = {
        "app/mneme.toml": "", "app/lib/a.py": "1\n", "app/notes/b.py": "1\n",
        "app/notes/x.mneme": leaning("> lib/a.py\n"),
        "app/notes/y.mneme": leaning("> src/store.py and notes/b.py\n", cell_id="DEC-0002"),
        "app/notes/z.mneme": leaning("> ./b.py\n", cell_id="DEC-0003"),
    }  # fmt: skip
    past.commit("app", files, day="2026-11-10")
    past.commit("change", {"app/lib/a.py": "2\n", "app/notes/b.py": "2\n", "src/store.py": ""}, day="2026-11-12")
    found = [(doubt["id"], doubt["evidence"]) for doubt in doubts(mneme, cwd=past.folder / "app")]
    assert found == [
        ("DEC-0001", ["app/lib/a.py"]), ("DEC-0002", ["src/store.py"]), ("DEC-0002", ["app/notes/b.py"]),
        ("DEC-0003", ["app/notes/b.py"]),
    ]  # fmt: skip
    everything = doubts(mneme, "--staged")
    assert {doubt["id"] for doubt in everything if doubt["path"].startswith("app/")} == {
        f"DEC-000{n}" for n in (1, 2, 3)
    }


def test_names_with_blanks_and_other_scripts(mneme: Runner, tmp_path: Path) -> None:
    past = Past(tmp_path / "Ordner mit Blank")
    past.commit(
        "a",
        {"源/缓存.py": "1\n", "a[1].py": "1\n", "project.mneme": leaning("ref 源/缓存.py\n> a[1].py\n")},
        day="2026-11-10",
    )
    assert doubts(mneme, cwd=past.folder) == []
    past.commit("b", {"源/缓存.py": "2\n"}, day="2026-11-12")
    assert [doubt["evidence"] for doubt in doubts(mneme, cwd=past.folder)] == [["源/缓存.py"]]


def test_outside_git_and_before_the_first_commit(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(leaning("> src/store.py\n"), encoding="utf-8")
    result = mneme("check-evidence")
    assert result.code == 2
    assert "is not in a git repository" in result.err
    past = Past(tmp_path)
    past.put({"src/store.py": ""})
    assert doubts(mneme) == []
    past.put({"project.mneme": leaning("ref src/gone.py\n")})
    assert [doubt["kind"] for doubt in doubts(mneme)] == ["missing"]


def test_a_worktree_and_a_sparse_checkout(past: Past, mneme: Runner, tmp_path: Path) -> None:
    past.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked tree"))
    linked = tmp_path / "linked tree"
    assert doubts(mneme, cwd=linked) == []
    (linked / "src/store.py").write_text("", encoding="utf-8")
    assert len(doubts(mneme, cwd=linked)) == 1
    past.git("sparse-checkout", "set", "--no-cone", "/project.mneme")
    assert not (tmp_path / "src").exists()
    assert doubts(mneme) == []
    past.git("worktree", "remove", "--force", "linked tree")


def test_a_shallow_clone_judges_by_days(past: Past, mneme: Runner, tmp_path: Path) -> None:
    past.commit("change", {"src/store.py": ""}, day="2026-11-12")
    past.git("clone", "-q", "--depth", "2", f"file://{tmp_path}", "shallow")
    assert len(doubts(mneme, cwd=tmp_path / "shallow")) == 1


def test_what_is_kept_never_changes_an_answer(
    past: Past, mneme: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    past.commit("change", {"src/store.py": CODE + "# a\n"}, day="2026-11-12")
    assert len(doubts(mneme)) == 1
    past.commit("seen", {"project.mneme": leaning("> src/store.py\n", seen="2026-11-13")}, day="2026-11-13")
    assert doubts(mneme) == []
    second = leaning("> src/other.py\n", cell_id="DEC-0002", seen="2026-11-01")
    past.put({"second.mneme": second})
    past.commit("recorded late", {"src/other.py": "x = 2\n"}, day="2026-11-14")  # in one commit: it knew
    assert doubts(mneme) == []
    past.commit("change", {"src/other.py": "x = 3\n", "src/store.py": ""}, day="2026-11-15")
    before = doubts(mneme)
    assert [doubt["id"] for doubt in before] == ["DEC-0001", "DEC-0002"]
    for damage in (b"", b"torn"):
        for kept in Path(tmp_path_of_cache()).glob("*.seen"):
            kept.write_bytes(damage)
        assert doubts(mneme) == before
    past.git("reset", "-q", "--hard", "HEAD~2")  # history taken back: what was kept of it counts no more
    past.commit("other", {"src/store.py": ""}, day="2026-11-16")
    assert [doubt["id"] for doubt in doubts(mneme)] == ["DEC-0001"]
    monkeypatch.setenv("MNEME_CACHE_DIR", str(tmp_path / "new"))
    assert [doubt["id"] for doubt in doubts(mneme)] == ["DEC-0001"]


def tmp_path_of_cache() -> str:
    return f"{os.environ['HOME']}/.cache/mneme"
