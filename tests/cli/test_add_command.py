"""``mneme add``: the ID, the cell, the file it goes into, and what is refused."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import TODAY, Runner, cell

CELL = "@ DEC-0001\ngist  Local cache uses SQLite\nstate live   conf med   since 2026-11-25   seen 2026-11-25\n"

Git = Callable[..., str]


def errors(mneme: Runner) -> str:
    """What lint has to say at the level of errors, over everything."""
    result = mneme("lint", "--format", "concise")
    assert result.code == 0, result.out
    return result.out


def test_the_first_cell_of_a_project(mneme: Runner, tmp_path: Path) -> None:
    result = mneme("add", "DEC", "Local cache uses SQLite")
    assert (result.code, result.out) == (0, "DEC-0001\n")
    assert "project.mneme:1" in result.err
    assert (tmp_path / "project.mneme").read_text() == CELL
    assert [path.name for path in tmp_path.iterdir()] == ["project.mneme"]


def test_every_value(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(cell("DEC-0007"))
    result = mneme(
        "add", "DEC", "Use C# for #42", "--topic", "storage/cache", "--cue", "slow queries / CI/CD", "--cue", "I/O",
        "--cue", "a, b", "--body", "Why.\r\n  More.", "--body", "", "--body", "-", "--conf", "high", "--imp", "4",
        "--state", "proposed", "--link", "relates=DEC-0007", "--link", "blocks=DEC-0007", "--link", "relates=DEC-0007",
        "--ref", "src/a.py", "--ref", "src/b.py:open",
        stdin="\ufefffrom stdin\r\n\r\n@ no header\r\n".encode(),
    )  # fmt: skip
    assert (result.code, result.out) == (0, "DEC-0008\n"), result.err
    assert (tmp_path / "project.mneme").read_text() == cell("DEC-0007") + (
        "\n@ DEC-0008  storage/cache\n"
        "gist  Use C# for #42\n"
        f"state proposed   conf high   since {TODAY}   seen {TODAY}   imp 4\n"
        "cue   slow queries / CI/CD / I/O / a / b\n"
        "> Why.\n>   More.\n>\n> from stdin\n>\n> @ no header\n"
        "ref   src/a.py src/b.py:open\n"
        "link  relates DEC-0007\n"
        "link  blocks DEC-0007\n"
    )
    assert "error" not in errors(mneme)


def test_as_json(mneme: Runner) -> None:
    result = mneme("add", "DEC", "A gist", "--link", "relats=DEC-9", "--format", "json")
    data = json.loads(result.out)
    assert {key: data[key] for key in ("version", "kind", "id", "path", "line", "personal")} == {
        "version": 1, "kind": "add", "id": "DEC-0010", "path": "project.mneme", "line": 1, "personal": False,
    }  # fmt: skip
    assert len(data["notes"]) == 2


class TestTheId:
    """Unique over everything there is: heads in every state, look-alikes, link targets, personal files."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (cell("DEC-0041", state="retired"), "DEC-0042"),
            (cell("DEC-0041", more="link  relates DEC-0077\n"), "DEC-0078"),
            (cell("dec-0050"), "DEC-0051"),
            (cell("DEC\u20130060"), "DEC-0061"),
            (cell("FACT-0041"), "DEC-0001"),
            (cell("DEC-9999"), "DEC-10000"),
            (cell("DEC-0041", more="> see DEC-0099\n"), "DEC-0042"),
        ],
        ids=["retired", "linked", "lower case", "dash", "other prefix", "five digits", "mentioned"],
    )
    def test_after_what_is_in_use(self, mneme: Runner, tmp_path: Path, text: str, expected: str) -> None:
        (tmp_path / "other.mneme").write_text(text)
        assert mneme("add", "DEC", "A gist", "--file", "new.mneme").out == f"{expected}\n"

    def test_personal_files_count(self, mneme: Runner, tmp_path: Path) -> None:
        own = Path.home() / ".mneme" / "user.mneme"
        own.parent.mkdir()
        own.write_text(cell("DEC-0500"))
        (tmp_path / "project.local.mneme").write_text(cell("DEC-0400"))
        assert mneme("add", "DEC", "A gist").out == "DEC-0501\n"

    def test_the_cells_own_links_count(self, mneme: Runner) -> None:
        result = mneme("add", "DEC", "A gist", "--link", "relates=DEC-0001")
        assert result.out == "DEC-0002\n"
        assert "leads nowhere yet" in result.err

    def test_random(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "mneme.toml").write_text('ids = "random"\n')
        ids = [mneme("add", "DEC", f"Gist {number}").out.strip() for number in range(3)]
        assert len(set(ids)) == 3
        assert all(len(cell_id) == 12 for cell_id in ids)
        assert mneme("supersede", ids[0], "Another").out.strip() not in {*ids, "DEC-0001"}

    def test_an_unreadable_file_hides_ids(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "bad.mneme").write_bytes(b"@ DEC-0009\n\xff")
        result = mneme("add", "DEC", "A gist")
        assert result.code == 2
        assert "bad.mneme" in result.err
        assert not (tmp_path / "project.mneme").exists()

    def test_an_unknown_prefix_is_welcome(self, mneme: Runner) -> None:
        assert mneme("add", "RISK2", "A gist").out == "RISK2-0001\n"

    @pytest.mark.parametrize("prefix", ["dec", "DEC-1", "", "2D", "ДЕС"])
    def test_a_malformed_prefix_is_not(self, mneme: Runner, tmp_path: Path, prefix: str) -> None:
        result = mneme("add", prefix, "A gist")
        assert result.code == 2
        assert "is no ID prefix" in result.err
        assert list(tmp_path.iterdir()) == []


class TestTheFile:
    """--file, else --personal, else file-per."""

    def test_a_file_by_name_needs_neither_git_nor_configuration(self, mneme: Runner, tmp_path: Path) -> None:
        assert mneme("add", "DEC", "A gist", "--topic", "a/b", "--file", "notes.mneme").out == "DEC-0001\n"
        assert (tmp_path / "notes.mneme").is_file()

    def test_its_folder_is_made(self, mneme: Runner, tmp_path: Path) -> None:
        result = mneme("add", "DEC", "A gist", "--file", "deep/er/notes.mn")
        assert result.code == 0
        assert f"deep{os.sep}er{os.sep}notes.mn:1".replace(os.sep, "/") in result.err
        assert (tmp_path / "deep" / "er" / "notes.mn").is_file()

    def test_it_only_names_the_target(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "a.mneme").write_text(cell("FACT-0001"))
        (tmp_path / "sub").mkdir()
        added = mneme("add", "FACT", "A gist", "--file", "sub/x.mneme")
        assert (added.out, "not part" in added.err) == ("FACT-0002\n", False)
        assert mneme("supersede", "FACT-0001", "Another", "--file", "sub/b.mneme").out == "FACT-0003\n"
        assert mneme("lint", "--select", "MN1,MN3").code == 0

    def test_outside_the_workspace_its_neighbours_count_and_it_is_said(self, mneme: Runner, tmp_path: Path) -> None:
        for name in ("here/deep", "there/deep"):
            (tmp_path / name).mkdir(parents=True)
        (tmp_path / "here" / "mneme.toml").write_text("")
        (tmp_path / "there" / "a.mneme").write_text(cell("DEC-0300"))
        (tmp_path / "there" / "deep" / "b.mneme").write_text(cell("DEC-0900"))
        result = mneme("add", "DEC", "A gist", "--file", "../there/x.mneme", cwd=tmp_path / "here")
        assert result.out == "DEC-0301\n"
        assert "../there/x.mneme is not part of the workspace" in result.err
        result = mneme("add", "DEC", "A gist", "--file", "../new/folder/x.mneme", cwd=tmp_path / "here")
        assert (result.code, result.out) == (0, "DEC-0001\n"), result.err
        (tmp_path / "there" / "bad.mneme").write_bytes(b"\xff")
        result = mneme("add", "DEC", "A gist", "--file", "../there/x.mneme", cwd=tmp_path / "here")
        assert (result.code, "bad.mneme" in result.err) == (2, True)

    def test_git_remembers_the_ids_of_the_other_workspace_too(self, mneme: Runner, tmp_path: Path, git: Git) -> None:
        (tmp_path / "here").mkdir()
        (tmp_path / "here" / "mneme.toml").write_text("")
        there = tmp_path / "there"
        there.mkdir()
        git("init", "-q", cwd=there)
        (there / "a.mneme").write_text(cell("DEC-0300"))
        git("add", ".", cwd=there)
        git("commit", "-q", "-m", "x", cwd=there)
        (there / "a.mneme").unlink()
        result = mneme("add", "DEC", "A gist", "--file", "../there/x.mneme", cwd=tmp_path / "here")
        assert result.out == "DEC-0301\n"

    def test_from_a_folder_below_nothing_is_warned_of(self, mneme: Runner, tmp_path: Path, git: Git) -> None:
        git("init", "-q")
        (tmp_path / "sub").mkdir()
        (tmp_path / "project.mneme").write_text(cell())
        for options in ([], ["--file", "new.mneme"], ["--file", "../other.mneme"]):
            result = mneme("add", "DEC", "A gist", "--topic", "a/b", "--cue", "x", *options, cwd=tmp_path / "sub")
            assert (result.code, "warning" in result.err) == (0, False), result.err

    def test_the_ids_of_its_own_workspace_count(self, mneme: Runner, tmp_path: Path) -> None:
        for name, first in (("one", "DEC-0100"), ("two", "DEC-0200")):
            (tmp_path / name).mkdir()
            (tmp_path / name / "mneme.toml").write_text("")
            (tmp_path / name / "project.mneme").write_text(cell(first))
        result = mneme("add", "DEC", "A gist", "--file", "../two/more.mneme", cwd=tmp_path / "one")
        assert result.out == "DEC-0201\n"
        (tmp_path / "mneme.toml").write_text("")
        result = mneme("add", "DEC", "A gist", "--file", "two/more.mneme", "--link", "relates=DEC-0200")
        assert result.out == "DEC-0202\n"
        assert "two/more.mneme is not part of the workspace" in result.err
        assert "leads nowhere" not in result.err
        result = mneme("add", "DEC", "A gist", "--file", "../one/more.mneme", cwd=tmp_path / "two")
        assert result.out == "DEC-0203\n"

    @pytest.mark.parametrize("existing", [["notes.mneme"], ["a/first.mneme", "zeta.mneme"]])
    def test_the_shared_file_there_is(self, mneme: Runner, tmp_path: Path, existing: list[str]) -> None:
        for number, name in enumerate(existing):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(cell(f"FACT-{number}"))
        (tmp_path / "me.local.mneme").write_text(cell("FACT-9"))
        assert f"{existing[-1]}:6" in mneme("add", "DEC", "A gist").err

    def test_project_mneme_comes_first(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "a.mneme").write_text(cell("FACT-1"))
        (tmp_path / "project.mneme").write_text("")
        assert "project.mneme:1" in mneme("add", "DEC", "A gist").err

    @pytest.mark.parametrize(
        ("layout", "topic", "expected"),
        [
            ("topic", "Storage/Cache", "memory/storage.mneme"),
            ("topic", "缓存/层", "memory/缓存.mneme"),
            ("topic", "../..", "memory/general.mneme"),
            ("topic", "", "memory/general.mneme"),
            ("topic", "aux/x", "memory/aux-.mneme"),
            ("topic", "a.local/x", "memory/a-local.mneme"),
            ("month", "x", "memory/2026-11.mneme"),
        ],
    )
    def test_one_a_topic_or_month(self, mneme: Runner, tmp_path: Path, layout: str, topic: str, expected: str) -> None:
        (tmp_path / "mneme.toml").write_text(f'file-per = "{layout}"\n')
        result = mneme("add", "DEC", "A gist", "--topic", topic)
        assert result.code == 0, result.err
        assert (tmp_path / expected).is_file()

    def test_a_month_of_an_early_year(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "mneme.toml").write_text('file-per = "month"\n')
        assert mneme("--today", "0001-01-01", "add", "DEC", "A gist").code == 0
        assert [path.name for path in (tmp_path / "memory").iterdir()] == ["0001-01.mneme"]

    @pytest.mark.parametrize(
        ("key", "value", "expected"), [("name", "Åsa B. Öhn", "åsa-b-öhn"), ("email", "me@example.invalid", "me")]
    )
    def test_one_an_author(self, mneme: Runner, tmp_path: Path, git: Git, key: str, value: str, expected: str) -> None:
        git("init", "-q")
        git("config", f"user.{key}", value)
        (tmp_path / "mneme.toml").write_text('file-per = "author"\n')
        assert mneme("add", "DEC", "A gist").code == 0
        assert (tmp_path / "memory" / f"{expected}.mneme").is_file()

    def test_an_author_nobody_knows(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "mneme.toml").write_text('file-per = "author"\n')
        result = mneme("add", "DEC", "A gist")
        assert result.code == 2
        assert "git config user.name" in result.err
        assert not (tmp_path / "memory").exists()

    def test_a_file_that_no_command_reads_is_said(self, mneme: Runner, tmp_path: Path, git: Git) -> None:
        git("init", "-q")
        (tmp_path / ".gitignore").write_text("tmp/\n")
        result = mneme("add", "DEC", "A gist", "--file", "tmp/x.mneme")
        assert result.code == 0
        assert "no command reads it" in result.err
        assert mneme("add", "DEC", "Another", "--file", "tmp/x.mneme").out == "DEC-0002\n"

    @pytest.mark.parametrize("name", ["notes.txt", "notes.mneme.bak", "-", "notes"])
    def test_what_is_no_memory_file_is_refused(self, mneme: Runner, tmp_path: Path, name: str) -> None:
        result = mneme("add", "DEC", "A gist", "--file", name)
        assert result.code == 2
        assert "no memory file by its name" in result.err
        assert list(tmp_path.iterdir()) == []

    def test_what_cannot_be_read_is_refused(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "d.mneme").mkdir()
        (tmp_path / "dangling.mneme").symlink_to("nowhere")
        (tmp_path / "loop.mneme").symlink_to("loop.mneme")
        for name in ("d.mneme", "dangling.mneme", "loop.mneme"):
            result = mneme("add", "DEC", "A gist", "--file", name)
            assert result.code == 2, name
            assert "mneme: error: " in result.err
        assert not (tmp_path / "nowhere").exists()

    def test_line_ends_bom_mode_and_link_stay(self, mneme: Runner, tmp_path: Path) -> None:
        real = tmp_path / "real" / "notes.mneme"
        real.parent.mkdir()
        before = "\ufeff" + cell("DEC-0001").replace("\n", "\r\n").removesuffix("\r\n")
        real.write_bytes(before.encode())
        real.chmod(0o600)
        (tmp_path / "project.mneme").symlink_to(Path("real", "notes.mneme"))
        assert mneme("add", "DEC", "A gist").out == "DEC-0002\n"
        assert (tmp_path / "project.mneme").is_symlink()
        assert stat.S_IMODE(real.stat().st_mode) == 0o600
        after = real.read_bytes().decode()
        assert after.startswith(before + "\r\n\r\n@ DEC-0002\r\n")
        assert after.count("\n") == after.count("\r\n")


class TestRemarks:
    """What lint would say of the new cell is said at once, in a few lines; a secret above all."""

    AWS = "AKIA" + "Q7ZP4XKD2MW9RTB5"

    def test_what_lint_would_say(self, mneme: Runner, tmp_path: Path) -> None:
        result = mneme("add", "DEC", "It uses SQLite")
        assert result.err.splitlines() == [
            "mneme: DEC-0001 written: project.mneme:1",
            "mneme: warning: no-cue: no cue to recall it by",
            "mneme: warning: no-topic: no topic",
            "mneme: warning: leaning-gist: the gist leans on what is not there: 'It'",
        ]
        assert mneme("-q", "add", "DEC", "It uses SQLite").err == ""
        result = mneme("supersede", "DEC-0001", "It uses DuckDB")
        assert "warning: leaning-gist" in result.err
        (tmp_path / "mneme.toml").write_text('lint.ignore = ["leaning-gist", "no-cue"]\n')
        result = mneme("add", "DEC", "It uses SQLite")
        assert [line for line in result.err.splitlines() if "warning" in line] == ["mneme: warning: no-topic: no topic"]

    def test_at_most_three(self, mneme: Runner) -> None:
        gist = "It uses SQLite. It also uses Loki; the pipeline uses Kafka. " + "And so on and on. " * 20
        assert mneme("add", "DEC", gist, "--imp", "3").err.count("warning") == 3

    def test_rules_that_do_not_exist(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "mneme.toml").write_text('lint.ignore = ["no-such-rule"]\n')
        result = mneme("add", "DEC", "A gist")
        assert (result.code, result.out) == (0, "DEC-0001\n")
        assert "unknown rule 'no-such-rule'" in result.err

    @pytest.mark.parametrize("options", [[], ["--body"], ["--cue"]], ids=" ".join)
    def test_a_secret_is_told_of_and_never_shown(self, mneme: Runner, tmp_path: Path, options: list[str]) -> None:
        (tmp_path / "mneme.toml").write_text('lint.ignore = ["ALL"]\n')
        words = ["add", "DEC", "A gist", *options, f"password {self.AWS}"]
        if not options:
            words = ["add", "DEC", f"password {self.AWS}"]
        for quiet in ([], ["-q"]):
            result = mneme(*quiet, *words)
            assert result.code == 0
            assert "warning: secret: it holds what looks like this: AWS access key" in result.err
            assert self.AWS not in result.err + result.out
        result = mneme("supersede", "DEC-0001", f"password {self.AWS}")
        assert "AWS access key" in result.err
        assert self.AWS not in result.err + result.out


class TestPersonal:
    """Personal cells stay with the person."""

    def test_outside_git(self, mneme: Runner, tmp_path: Path) -> None:
        result = mneme("add", "PREF", "I like tabs", "--personal", "--topic", "me/style", "--cue", "tabs")
        assert (result.code, result.err.count("\n")) == (0, 1)
        assert [path.name for path in tmp_path.iterdir()] == ["project.local.mneme"]

    def test_ids_are_random_since_nobody_else_sees_them(self, mneme: Runner) -> None:
        assert mneme("add", "PREF", "A gist", "--personal").out != "PREF-0001\n"
        assert mneme("add", "PREF", "A gist").out == "PREF-0001\n"

    def test_git_is_told_to_ignore_it(self, mneme: Runner, git: Git, tmp_path: Path) -> None:
        git("init", "-q")
        result = mneme("add", "PREF", "I like tabs", "--personal")
        assert "git ignores project.local.mneme" in result.err
        assert git("status", "--porcelain") == ""
        assert (tmp_path / ".git" / "info" / "exclude").read_text().endswith("\n*.local.mneme\n")
        assert "ignore" not in mneme("add", "PREF", "I like tabs more", "--personal").err
        assert (tmp_path / ".git" / "info" / "exclude").read_text().count("local") == 1

    def test_in_a_linked_worktree(self, mneme: Runner, git: Git, tmp_path: Path) -> None:
        git("init", "-q", "main")
        git("commit", "-q", "--allow-empty", "-m", "x", cwd=tmp_path / "main")
        git("worktree", "add", "-q", "../linked", cwd=tmp_path / "main")
        assert mneme("add", "PREF", "I like tabs", "--personal", cwd=tmp_path / "linked").code == 0
        assert git("status", "--porcelain", cwd=tmp_path / "linked") == ""

    def test_an_ignore_rule_of_the_project_is_enough(self, mneme: Runner, git: Git, tmp_path: Path) -> None:
        git("init", "-q")
        (tmp_path / ".gitignore").write_text("*.local.mneme\n")
        before = (tmp_path / ".git" / "info" / "exclude").read_bytes()
        assert "ignore" not in mneme("add", "PREF", "I like tabs", "--personal").err
        assert (tmp_path / ".git" / "info" / "exclude").read_bytes() == before

    def test_where_git_cannot_be_told(self, mneme: Runner, git: Git, tmp_path: Path) -> None:
        git("init", "-q")
        exclude = tmp_path / ".git" / "info" / "exclude"
        exclude.unlink()
        exclude.mkdir()
        result = mneme("add", "PREF", "I like tabs", "--personal")
        assert result.code == 0
        assert "is not ignored by git" in result.err
        assert "add the line *.local.mneme to .gitignore" in result.err

    def test_without_git_on_the_path(
        self, mneme: Runner, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        git("init", "-q")
        monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
        result = mneme("add", "PREF", "I like tabs", "--personal")
        assert result.code == 0
        assert "add the line *.local.mneme to .gitignore" in result.err

    def test_a_file_that_git_tracks_is_said(self, mneme: Runner, git: Git, tmp_path: Path) -> None:
        git("init", "-q")
        (tmp_path / "my.local.mneme").write_text(cell("PREF-0001"))
        git("add", "-f", ".")
        result = mneme("add", "PREF", "I like tabs", "--personal")
        assert "my.local.mneme is tracked by git" in result.err
        assert "git rm --cached my.local.mneme" in result.err

    def test_the_persons_own_file(self, mneme: Runner, tmp_path: Path) -> None:
        result = mneme("add", "PREF", "I like tabs", "--personal", "--file", "~/.mneme/user.mneme")
        assert result.code == 0, result.err
        own = Path.home() / ".mneme" / "user.mneme"
        assert own.is_file()
        assert stat.S_IMODE(own.parent.stat().st_mode) == 0o700
        assert list(tmp_path.iterdir()) == []
        assert mneme("show", result.out.strip()).code == 0

    def test_the_persons_own_file_in_a_home_under_git(
        self, mneme: Runner, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MNEME_CACHE_DIR", str(tmp_path / "cache"))
        git("init", "-q", cwd=Path.home())
        result = mneme("add", "PREF", "I like tabs", "--file", "~/.mneme/user.mneme")
        assert "git ignores user.mneme" in result.err
        assert git("status", "--porcelain", cwd=Path.home()) == ""

    def test_a_shared_file_is_not_personal(self, mneme: Runner, tmp_path: Path) -> None:
        result = mneme("add", "PREF", "A gist", "--personal", "--file", "notes.mneme")
        assert result.code == 2
        assert "notes.mneme is not a personal file" in result.err
        assert list(tmp_path.iterdir()) == []

    def test_a_link_from_shared_to_personal_is_refused(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "me.local.mneme").write_text(cell("PREF-0001"))
        (tmp_path / "project.mneme").write_text(cell("DEC-0001"))
        result = mneme("add", "DEC", "A gist", "--link", "relates=PREF-0001")
        assert result.code == 2
        assert "a shared cell must not link to it" in result.err
        assert (tmp_path / "project.mneme").read_text() == cell("DEC-0001")
        assert mneme("add", "PREF", "A gist", "--personal", "--link", "relates=DEC-0001").code == 0
        assert mneme("add", "PREF", "Mine", "--personal", "--link", "relates=PREF-0001").code == 0


class TestRefusals:
    """Each says what is wrong and what to do; exit 2, nothing written."""

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (["two\nlines"], "--body"),
            (["  "], "the gist is empty"),
            (["a\x1bb"], "U+001B"),
            (["\udcff"], "not valid UTF-8"),
            (["A gist", "--topic", "two words"], "path/of/words"),
            (["A gist", "--conf", "medium"], "high, med, low"),
            (["A gist", "--state", "alive"], "proposed, live"),
            (["A gist", "--imp", "9"], "1, 2, 3, 4, 5"),
            (["A gist", "--ref", "my file"], "my?file.py"),
            (["A gist", "--ref", "seen"], "./seen"),
            (["A gist", "--body", "-", "--body", "-"], "given twice"),
            (["A gist", "--link", "DEC-0001"], "is not REL=ID"),
            (["A gist", "--link", "relates="], "is not REL=ID"),
            (["A gist", "--link", "relates=dec-1"], "did you mean DEC-1?"),
            (["A gist", "--link", "relates=that one"], "is no cell ID"),
            (["A gist", "--link", "a b=DEC-1"], "REL=ID"),
            (["A gist", "--link", "supersedes=DEC-0001"], 'mneme supersede DEC-0001 "new gist" --prefix DEC'),
            (["A gist", "--link", "superseded-by=DEC-0001"], "--state superseded"),
            (["A gist", "--state", "superseded"], "--link superseded-by=ID"),
        ],
    )  # fmt: skip
    def test_values(self, mneme: Runner, tmp_path: Path, arguments: list[str], says: str) -> None:
        result = mneme("add", "DEC", *arguments)
        assert result.code == 2
        assert says in result.err
        assert "hint: " in result.err
        assert list(tmp_path.iterdir()) == []

    def test_standard_input_that_is_no_text(self, mneme: Runner, tmp_path: Path) -> None:
        result = mneme("add", "DEC", "A gist", "--body", "-", stdin=b"\xff")
        assert result.code == 2
        assert "<stdin>:1:1: not valid UTF-8" in result.err
        assert list(tmp_path.iterdir()) == []


class TestLinks:
    """Links are checked when they are made."""

    def test_unknown_ones_are_written_and_said(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "project.mneme").write_text(cell("DEC-0042"))
        result = mneme("add", "DEC", "A gist", "--link", "relates=DEC-42", "--link", "depend-on=DEC-0042")
        assert result.code == 0
        assert "leads nowhere yet: did you mean DEC-0042?" in result.err
        assert "unknown relation 'depend-on': did you mean depends-on?" in result.err
        assert "known: supersedes" in mneme("add", "DEC", "B", "--link", "zzz=DEC-0042").err

    def test_an_old_decision_recorded_late_gets_the_pair(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "project.mneme").write_text(cell("DEC-0042"))
        result = mneme("add", "DEC", "Was JSON", "--state", "superseded", "--link", "superseded-by=DEC-0042")
        assert result.code == 0
        text = (tmp_path / "project.mneme").read_text()
        assert text.startswith(cell("DEC-0042", more="link  supersedes DEC-0043\n"))
        assert "link  superseded-by DEC-0042\n" in text
        assert "one-sided" not in errors(mneme)

    def test_its_successor_has_to_be_there_and_on_its_side(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "project.mneme").write_text(cell("DEC-0042"))
        late = ("add", "DEC", "Was JSON", "--state", "superseded", "--link")
        assert "no cell has the ID 'DEC-0041'" in mneme(*late, "superseded-by=DEC-0041").err
        result = mneme(*late, "superseded-by=DEC-0042", "--personal")
        assert result.code == 2
        assert "must not link to a personal cell" in result.err
        assert not (tmp_path / "project.local.mneme").exists()


def test_the_world_is_read_once_through_two_names(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(cell("DEC-0001"))
    (tmp_path / "alias.mneme").symlink_to("project.mneme")
    assert mneme("add", "DEC", "A gist", "--file", "alias.mneme").out == "DEC-0002\n"
    assert mneme("seen", "DEC-0001").code == 0
    assert (tmp_path / "project.mneme").read_text().count("@ ") == 2


def test_as_a_real_process(mneme_process: Runner, tmp_path: Path) -> None:
    result = mneme_process("add", "DEC", "A gist", "--body", "-", stdin=b"why\n")
    assert (result.code, result.out) == (0, "DEC-0001\n"), result.err
    assert (tmp_path / "project.mneme").read_bytes().endswith(b"\n> why\n")
