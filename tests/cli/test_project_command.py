"""``mneme project``: what is written where, what stays, and what never gets in."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mneme.bridge.projection.blocks import BEGIN, END
from tests.conftest import Runner, cell

Git = Callable[..., str]

MEMORY = "\n".join([
    cell("DEC-0001", gist="Pages are numbered from one", topic="api/paging"),
    cell("DEC-0002", gist="Tokens live for one hour", topic="api/auth", state="stale"),
    cell("DEC-0003", gist="Maybe conda", state="proposed"),
    cell("PREF-0001", gist="Answers in short sentences", topic="style"),
])  # fmt: skip
PERSONAL = cell("PREF-0009", gist="SECRETLY fond of tea", topic="me")


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


def test_a_file_is_no_folder_to_write_to(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"project.mneme": MEMORY})
    done = mneme("project", "--out", "project.mneme")
    assert (done.code, done.out) == (2, "")
    assert "project.mneme is a file; nothing was written" in done.err
    assert tree(tmp_path) == {"project.mneme": MEMORY.encode()}


def test_two_files_as_hosts_read_them(mneme: Runner, tmp_path: Path) -> None:  # tests 1, 2 and 11
    write(tmp_path, {"project.mneme": MEMORY})
    done = mneme("project", "--out", "rt")
    assert (done.code, done.out) == (0, "")
    assert (tmp_path / "rt/USER.md").read_text() == "[PREF-0001] Answers in short sentences\n"
    text = (tmp_path / "rt/MEMORY.md").read_text()
    assert text == "[DEC-0001] Pages are numbered from one\n§\n[DEC-0002] (stale) Tokens live for one hour\n"
    assert sorted(tree(tmp_path / "rt")) == ["MEMORY.md", "USER.md"]  # no lock file, no temporary file
    report = json.loads(mneme("project", "--out", "rt", "--format", "json").out)
    assert [one["used"] for one in report["files"]] == [
        len((tmp_path / name).read_bytes()) - 1 for name in ("rt/USER.md", "rt/MEMORY.md")
    ]
    assert (tmp_path / "project.mneme").read_text() == MEMORY


def test_twice_changes_nothing_and_check_agrees(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"project.mneme": MEMORY, "rt/MEMORY.md": "# Notes\r\n\r\nmine, keep me"})
    assert mneme("project", "--out", "rt", "--check").code == 1
    assert (tmp_path / "rt/MEMORY.md").read_bytes() == b"# Notes\r\n\r\nmine, keep me"
    mneme("project", "--out", "rt")
    before = tree(tmp_path)
    assert before["rt/MEMORY.md"].startswith("# Notes\r\n\r\nmine, keep me\n§\n[DEC-0001] ".encode())
    stamp = (tmp_path / "rt/MEMORY.md").stat().st_mtime_ns
    assert mneme("project", "--out", "rt").code == 0
    assert tree(tmp_path) == before
    assert (tmp_path / "rt/MEMORY.md").stat().st_mtime_ns == stamp
    done = mneme("project", "--out", "rt", "--check")
    assert (done.code, done.out) == (0, "")


def test_check_says_which_is_behind_and_by_what(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"project.mneme": MEMORY})
    mneme("project", "--out", "rt")
    write(tmp_path, {"project.mneme": MEMORY.replace("state stale", "state live")})
    done = mneme("project", "--out", "rt", "--check")
    assert done.code == 1
    assert done.out == (
        "rt/MEMORY.md is behind: 1 entry to add, 1 to remove\n"
        "  + [DEC-0002] Tokens live for one hour\n  - [DEC-0002] (stale) Tokens live for one hour\n"
    )


@pytest.mark.parametrize(
    "hand",
    [
        "# House notes\n\nhand-written line, keep me\n", "no newline at the end", "one\n§\ntwo\n", "a\r\n§\r\nb\r\n",
        "\ufeff# With a mark\n", "- [DEC-9999] an ID of nobody\n", "[DEC-0001] not what the cell says\n",
        "quoted:\n[DEC-0001] Pages are numbered from one\nin a paragraph\n", "[mneme] a remark of mine\n",
    ],
)  # fmt: skip
def test_hand_written_text_stays_to_the_letter(hand: str, mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"project.mneme": MEMORY, "rt/MEMORY.md": hand})
    for _ in range(2):
        assert mneme("project", "--out", "rt").code == 0
        data = (tmp_path / "rt/MEMORY.md").read_bytes()
        assert data.startswith(hand.encode())
        assert data.endswith("§\n[DEC-0002] (stale) Tokens live for one hour\n".encode())
    write(
        tmp_path,
        {"project.mneme": MEMORY.replace("state live", "state retired").replace("state stale", "state retired")},
    )
    mneme("project", "--out", "rt")
    left = (tmp_path / "rt/MEMORY.md").read_bytes()
    assert left in (hand.encode(), hand.encode() + b"\n")


def test_notes_below_and_above_our_entries_stay(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"project.mneme": MEMORY})
    mneme("project", "--out", "rt")
    path = tmp_path / "rt/MEMORY.md"
    path.write_text(f"above\n{path.read_text()}below\n§\nbetween\n")
    mneme("project", "--out", "rt")
    assert path.read_text() == (
        "above\n§\nbelow\n§\nbetween\n§\n[DEC-0001] Pages are numbered from one\n§\n"
        "[DEC-0002] (stale) Tokens live for one hour\n"
    )


def test_an_entry_changed_by_hand_is_kept_and_said(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"project.mneme": MEMORY, "rt/MEMORY.md": "[DEC-0001] Pages are numbered from ten\n"})
    done = mneme("project", "--out", "rt")
    assert (
        "an entry that no cell makes was kept as hand-written text: [DEC-0001] Pages are numbered from ten" in done.err
    )


def test_entries_of_other_files_and_old_numbers_are_known_as_ours(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"a.mneme": cell("DEC-0001"), "b.mneme": cell("DEC-0002", gist="Another belief")})
    mneme("project", "--out", "rt")
    mneme("project", "--out", "rt", "b.mneme")
    assert (tmp_path / "rt/MEMORY.md").read_text() == "[DEC-0002] Another belief\n"
    write(tmp_path, {"b.mneme": cell("DEC-0007", gist="Another belief")})
    mneme("project", "--out", "rt", "b.mneme")
    assert (tmp_path / "rt/MEMORY.md").read_text() == "[DEC-0007] Another belief\n"


def test_no_room(mneme: Runner, tmp_path: Path) -> None:  # tests 7 and 14
    cells = [cell(f"DEC-{n:04}", gist=f"Belief {n} " + "本" * 60, topic="a/b", cue=f"c{n}") for n in range(1, 80)]
    cells[70] = cells[70].replace("state live", "state live   imp 5")
    write(tmp_path, {"project.mneme": "\n".join(cells)})
    done = mneme("project", "--out", "rt")
    data = (tmp_path / "rt/MEMORY.md").read_bytes()
    assert 9216 < len(data) - 1 <= 10240
    last = data.decode().rstrip("\n").split("\n§\n")[-1]
    assert "left out at the limit of 10240 bytes" in last
    assert "mneme recall" in last
    assert "[DEC-0071]" in data.decode()
    assert "left out at the limit of 10240 bytes" in done.err
    write(tmp_path, {"mneme.toml": "[projections]\nmemory-limit = 300\n"})
    mneme("project", "--out", "rt")
    assert len((tmp_path / "rt/MEMORY.md").read_bytes()) - 1 <= 300


def test_nearly_full_is_said(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"project.mneme": cell("PREF-0001", gist="x" * 3700)})
    done = mneme("project", "--out", "rt")
    assert "mneme: warning: rt/USER.md is 90 % full (3712 of 4096 bytes)" in done.err


# --- what is personal ---------------------------------------------------------------------------------------

CONFIG = """\
[projections]
out = "rt"
blocks = ["CLAUDE.md", "AGENTS.md", "GEMINI.md", ".cursor/rules/mneme.mdc"]
claude-memory = "memory"
"""


def holders(folder: Path) -> set[str]:
    return {name for name, data in tree(folder).items() if b"SECRETLY" in data}


def test_personal_cells_stay_out_of_what_git_may_share(mneme: Runner, git: Git, tmp_path: Path) -> None:
    git("init", "-q", ".")
    write(tmp_path, {"project.mneme": MEMORY, "me.local.mneme": PERSONAL, "mneme.toml": CONFIG})
    done = mneme("project")
    assert done.code == 0
    assert holders(tmp_path) == {"me.local.mneme"}
    assert "rt/USER.md is not ignored by git: personal cells stay out of it (1)" in done.err

    write(tmp_path, {".gitignore": "rt/\nmemory/\nCLAUDE.md\n"})
    mneme("project")
    own = {"memory/MEMORY.md", "memory/mneme-me.md"}
    assert holders(tmp_path) == {"me.local.mneme", "rt/USER.md", *own}  # a block never has them

    write(tmp_path, {".gitignore": "rt/\nmemory/MEMORY.md\n"})  # the index alone: the topic files are shared
    mneme("project")
    assert holders(tmp_path) == {"me.local.mneme", "rt/USER.md"}
    write(tmp_path, {".gitignore": "rt/\nmemory/\nCLAUDE.md\n"})
    mneme("project")

    git("add", "-f", "rt/USER.md")  # tracked: others get it, whatever the ignore rules say
    mneme("project")
    assert holders(tmp_path) == {"me.local.mneme", *own}

    git("rm", "-q", "-f", "--cached", "rt/USER.md")
    write(tmp_path, {"shared/USER.md": ""})
    (tmp_path / "rt/USER.md").unlink()
    (tmp_path / "rt/USER.md").symlink_to("../shared/USER.md")
    mneme("project")
    assert holders(tmp_path) == {"me.local.mneme", *own}  # what counts is the file that is written


def test_no_output_tells_what_is_personal(mneme: Runner, git: Git, tmp_path: Path) -> None:
    git("init", "-q", ".")
    write(tmp_path, {"project.mneme": MEMORY, "me.local.mneme": PERSONAL, "mneme.toml": CONFIG})
    for arguments in (["--check"], ["--format", "json"], [], ["--check", "--format", "json"], ["--check", "--shared"]):
        done = mneme("project", *arguments)
        assert "SECRETLY" not in done.out + done.err
    git("add", ".")
    git("reset", "-q", "me.local.mneme")
    git("commit", "-q", "-m", "all that others get")
    assert "SECRETLY" not in git("grep", "-h", "", "HEAD")


def test_the_user_s_own_file_and_links_to_personal_ones_are_personal(mneme: Runner, git: Git, tmp_path: Path) -> None:
    git("init", "-q", ".")
    home = Path(os.environ["HOME"])
    write(home, {".mneme/user.mneme": PERSONAL})
    write(tmp_path, {"project.mneme": MEMORY, "x.local.mneme": PERSONAL.replace("PREF-0009", "FACT-0009")})
    (tmp_path / "looks-shared.mneme").symlink_to("x.local.mneme")
    mneme("project", "--out", "rt")
    assert {name for name in holders(tmp_path) if name.startswith("rt/")} == set()
    mneme("project", "--out", tmp_path / "rt", "user.mneme", cwd=home / ".mneme")
    assert {name for name in holders(tmp_path) if name.startswith("rt/")} == set()


# --- marked blocks -------------------------------------------------------------------------------------------


def test_blocks_of_all_kinds(mneme: Runner, tmp_path: Path) -> None:
    outside = ("\ufeff# Ours\r\n\r\nread this\r\n", "\r\nand this")
    config = CONFIG.replace('out = "rt"\n', "").replace("mneme.mdc", "*.mdc").replace('claude-memory = "memory"\n', "")
    write(tmp_path, {
        "project.mneme": MEMORY, "mneme.toml": config, "CLAUDE.md": f"{outside[0]}{BEGIN}\r\nold\r\n{END}{outside[1]}",
        "AGENTS.md": "# Agents", ".cursor/rules/a.mdc": "---\nx: 1\n---\n",
        ".cursor/rules/b.mdc": f"---\n---\n{BEGIN}\n{END}\n",
    })  # fmt: skip
    done = mneme("project")
    assert done.code == 0, done.err
    assert not (tmp_path / "MEMORY.md").exists()
    files = tree(tmp_path)
    made = files["CLAUDE.md"].decode()
    assert made.startswith(outside[0])
    assert made.endswith(outside[1])
    assert made.count("\n") == made.count("\r\n")
    assert "- [DEC-0002] (stale) Tokens live for one hour\r\n" in made
    assert "a line that somebody wrote between the marks goes: old" in done.err
    assert files["AGENTS.md"].startswith(b"# Agents\n\n<!-- mneme:begin")
    assert files["GEMINI.md"].startswith(b"<!-- mneme:begin")
    assert files[".cursor/rules/a.mdc"] == b"---\nx: 1\n---\n"
    assert b"[DEC-0001]" in files[".cursor/rules/b.mdc"]
    assert mneme("project", "--check").code == 0
    mneme("project")
    assert tree(tmp_path) == files


def test_a_mark_without_its_end_is_an_error_and_nothing_is_written(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"project.mneme": MEMORY, "mneme.toml": CONFIG, "GEMINI.md": f"# Hi\n{BEGIN}\nold\n"})
    before = tree(tmp_path)
    done = mneme("project")
    assert done.code == 2
    assert "GEMINI.md:2: a begin mark (mneme:begin) without its end mark; nothing was written" in done.err
    assert tree(tmp_path) == before
    assert not (tmp_path / "rt").exists()


def test_one_file_under_two_names_is_written_once(mneme: Runner, tmp_path: Path) -> None:
    config = '[projections]\nblocks = ["CLAUDE.md", "AGENTS.md"]\n'
    write(tmp_path, {"project.mneme": MEMORY, "mneme.toml": config, "AGENTS.md": "# Agents\n"})
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    assert mneme("project").code == 0
    assert (tmp_path / "CLAUDE.md").is_symlink()
    assert (tmp_path / "AGENTS.md").read_text().count("mneme:begin") == 1
    assert mneme("project", "--check").code == 0
    (tmp_path / "rt").mkdir()
    (tmp_path / "rt/MEMORY.md").symlink_to("../AGENTS.md")
    done = mneme("project", "--out", "rt")
    assert done.code == 2
    assert "are one file; nothing was written" in done.err
    assert not (tmp_path / "rt/USER.md").exists()


def test_what_may_not_be_written_stops_all_of_it(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"project.mneme": MEMORY, "rt": "a file, no folder"})
    done = mneme("project", "--out", "rt")
    assert done.code == 2
    assert (tmp_path / "rt").read_text() == "a file, no folder"
    write(tmp_path, {"other/MEMORY.md/x": ""})
    done = mneme("project", "--out", "other")
    assert done.code == 2
    assert "other/MEMORY.md: a folder, not a file" in done.err
    assert not (tmp_path / "other/USER.md").exists()


def test_a_new_cursor_rule_has_front_matter(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"project.mneme": MEMORY, "mneme.toml": CONFIG})
    mneme("project")
    rule = (tmp_path / ".cursor/rules/mneme.mdc").read_text()
    assert rule.startswith("---\ndescription: ")
    assert "alwaysApply: true\n---\n<!-- mneme:begin" in rule


@pytest.mark.parametrize("name", ["../CLAUDE.md", "/etc/CLAUDE.md"])
def test_blocks_lie_in_the_workspace(name: str, mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"project.mneme": MEMORY, "mneme.toml": f'[projections]\nblocks = ["{name}"]\n'})
    done = mneme("project")
    assert done.code == 2
    assert "lies outside the workspace" in done.err


def test_named_files_leave_configured_ones_alone(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"project.mneme": MEMORY, "mneme.toml": CONFIG})
    mneme("project", "--out", "other", "project.mneme")
    assert sorted(tree(tmp_path)) == ["mneme.toml", "other/MEMORY.md", "other/USER.md", "project.mneme"]


# --- Claude Code's auto-memory folder ------------------------------------------------------------------------------


def test_claude_code_s_folder(mneme: Runner, git: Git, tmp_path: Path) -> None:
    git("init", "-q", ".")
    write(tmp_path, {"project.mneme": MEMORY, "mneme.toml": '[projections]\nclaude-memory = "auto"\n'})
    name = "".join(char if char.isalnum() and char.isascii() else "-" for char in str(tmp_path.resolve()))
    folder = Path(os.environ["HOME"]) / ".claude/projects" / name / "memory"
    write(folder, {"MEMORY.md": "- its own note\n", "debugging.md": "its own\n"})
    done = mneme("project")
    assert done.code == 0
    files = tree(folder)
    assert sorted(files) == ["MEMORY.md", "debugging.md", "mneme-api.md", "mneme-style.md"]
    assert files["MEMORY.md"].startswith(b"- its own note\n\n<!-- mneme:begin")
    assert b"- [api](mneme-api.md): 2\n" in files["MEMORY.md"]
    assert "lines and" in done.err
    assert mneme("project", "--check").code == 0
    style = cell("PREF-0001", gist="Answers in short sentences", topic="style")
    write(tmp_path, {"project.mneme": MEMORY.replace(style, style.replace("state live", "state retired"))})
    mneme("project")
    assert sorted(tree(folder)) == ["MEMORY.md", "debugging.md", "mneme-api.md"]


def test_the_index_stays_within_what_is_read(mneme: Runner, tmp_path: Path) -> None:
    cells = [cell(f"DEC-{n:04}", gist=f"Belief {n} " + "b" * 90, topic=f"t{n % 60}/x") for n in range(1, 400)]
    write(tmp_path, {"project.mneme": "\n".join(cells), "mneme.toml": '[projections]\nclaude-memory = "memory"\n'})
    for own in ("", "own\n" * 120, "o" * 20_000 + "\n"):
        write(tmp_path, {"memory/MEMORY.md": own})
        mneme("project")
        index = (tmp_path / "memory/MEMORY.md").read_text()
        assert index.startswith(own)
        assert index.count("\n") <= 200
        assert len(index.encode()) <= 25_000
        assert index.count("\n") > 190 or len(index.encode()) > 24_800
    topics = list((tmp_path / "memory").glob("mneme-*.md"))
    assert len(topics) == 40
    assert sum(path.read_text().count("\n- [DEC-") for path in topics) == 399
    write(tmp_path, {"memory/MEMORY.md": "own\n" * 250})
    assert "Claude Code does not read all of it" in mneme("project").err


def test_a_file_in_the_way_is_nobody_s_to_replace(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {
        "project.mneme": MEMORY, "mneme.toml": '[projections]\nclaude-memory = "memory"\n',
        "memory/mneme-api.md": "mine\n",
    })  # fmt: skip
    done = mneme("project")
    assert done.code == 2
    assert "memory/mneme-api.md is in the way" in done.err
    assert (tmp_path / "memory/mneme-api.md").read_text() == "mine\n"


# --- what stops it ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"bad.mneme": "@ DEC-0002 x\n<<<<<<< ours\ngist  a\n=======\n>>>>>>> b\n"}, "holds conflict markers"),
        ({"rt/MEMORY.md": "\0"}, "NUL byte"),
    ],
)
def test_refused_and_nothing_written(files: dict[str, str], says: str, mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"project.mneme": MEMORY, **files})
    before = tree(tmp_path)
    done = mneme("project", "--out", "rt")
    assert done.code == 2
    assert says in done.err
    assert tree(tmp_path) == before


def test_unreadable_memory_is_no_reason_to_drop_cells(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"project.mneme": MEMORY})
    mneme("project", "--out", "rt")
    before = tree(tmp_path / "rt")
    (tmp_path / "project.mneme").write_bytes(b"\xff\xfe")
    assert mneme("project", "--out", "rt").code == 2
    assert tree(tmp_path / "rt") == before


def test_shared_looks_only_at_what_others_get(mneme: Runner, git: Git, tmp_path: Path) -> None:
    git("init", "-q", ".")
    write(tmp_path, {"project.mneme": MEMORY, "mneme.toml": CONFIG, ".gitignore": "rt/\nmemory/\n"})
    done = mneme("project", "--check", "--shared", "--format", "json")
    assert done.code == 1
    names = [Path(one["path"]).name for one in json.loads(done.out)["files"]]
    assert names == ["CLAUDE.md", "AGENTS.md", "GEMINI.md", "mneme.mdc"]


def test_a_link_stays_a_link_and_a_mode_stays(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"project.mneme": MEMORY, "real/MEMORY.md": "", "rt/x": ""})
    (tmp_path / "real/MEMORY.md").chmod(0o600)
    (tmp_path / "rt/MEMORY.md").symlink_to("../real/MEMORY.md")
    mneme("project", "--out", "rt")
    assert (tmp_path / "rt/MEMORY.md").is_symlink()
    assert b"[DEC-0001]" in (tmp_path / "real/MEMORY.md").read_bytes()
    assert (tmp_path / "real/MEMORY.md").stat().st_mode & 0o777 == 0o600


def test_the_same_bytes_under_any_hash_seed(mneme_process: Runner, tmp_path: Path) -> None:
    cells = [cell(f"DEC-{n:04}", gist=f"Belief {n} " + "本" * 60, topic=f"t{n % 50}") for n in range(1, 120)]
    write(tmp_path, {"project.mneme": "\n".join(cells), "mneme.toml": CONFIG})
    seen = []
    for seed in ("0", "1", "4711"):
        assert mneme_process("project", env={"PYTHONHASHSEED": seed}).code == 0
        seen.append(tree(tmp_path))
        for path in tree(tmp_path):
            if path not in ("project.mneme", "mneme.toml"):
                (tmp_path / path).unlink()
    assert seen[0] == seen[1] == seen[2]
