"""``mneme skill``: what it installs works at a session's start, where nothing else of mneme is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mneme.agents.claude import READING
from mneme.agents.manifest import digest
from tests.conftest import ROOT, Runner, cell

PAYLOAD = {
    "session_id": "abc", "transcript_path": "/tmp/t.jsonl", "cwd": "/", "hook_event_name": "SessionStart",
    "source": "startup",
}  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with memory, in a folder with blanks in its name."""
    folder = tmp_path / "my own project"
    (folder / ".git").mkdir(parents=True)
    (folder / "src").mkdir()
    (folder / "project.mneme").write_text(cell(), encoding="utf-8")
    return folder


def commands(settings: Path) -> list[str]:
    document = json.loads(settings.read_bytes())
    groups = document["hooks"]["SessionStart"]
    assert all(group["matcher"] == "startup|resume|clear|compact" for group in groups)
    return [handler["command"] for group in groups for handler in group["hooks"]]


def start_session(command: str, project: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a session-start command as the host does: a bare environment, the payload on standard input."""
    python = Path(getattr(sys, "_base_executable", sys.executable)).parent
    plain = {"PATH": f"{python}:/usr/bin:/bin", "HOME": os.environ["HOME"], "MNEME_TODAY": os.environ["MNEME_TODAY"]}
    return subprocess.run(
        ["sh", "-c", command], input=json.dumps(PAYLOAD).encode(), capture_output=True, check=False, cwd=project,
        env={**plain, "CLAUDE_PROJECT_DIR": str(project), **environment}, timeout=60,
    )  # fmt: skip


def test_a_session_starts_with_the_spine(mneme: Runner, project: Path) -> None:
    result = mneme("skill", "install", "--claude", cwd=project / "src")
    assert result.code == 0, result.err
    assert result.out == ""
    (command,) = commands(project / ".claude" / "settings.json")
    done = start_session(command, project)
    assert done.returncode == 0
    assert "DEC-0001 use: Local cache uses SQLite" in done.stdout.decode()
    elsewhere = start_session(command, project, CLAUDE_PROJECT_DIR="")
    assert elsewhere.stdout == done.stdout


def test_a_session_start_is_never_longer_than_the_host_takes(mneme: Runner, project: Path) -> None:
    mneme("skill", "install", "--claude", cwd=project)
    (command,) = commands(project / ".claude" / "settings.json")
    cells = "\n".join(cell(f"DEC-{number:04}", gist=f"第 {number} 项决定：缓存使用 SQLite") for number in range(1, 400))
    (project / "project.mneme").write_text(cells, encoding="utf-8")
    (project / "broken.mneme").write_bytes(b"@ \xff\n")
    done = start_session(command, project, LC_ALL="C", LANG="C")
    assert done.returncode == 0
    said = b"mneme: the project memory could not be shown in full; this says why: "
    shown, _, why = done.stdout.partition(said)
    assert 7000 < len(shown) <= 8000
    assert len(done.stdout) < 8500
    assert why == b"python3 .claude/skills/mneme/scripts/mneme.pyz lint\n"
    left = 399 - shown.count(b"\n- ")
    assert f"\n{left} of 399 cells left out for want of room: `mneme find WORDS` finds them.\n" in shown.decode()
    assert "第 399 项决定" in done.stdout.decode("utf-8", "strict") or "第 1 项决定" in done.stdout.decode()


@pytest.mark.parametrize("what", ["configuration", "memory", "tool", "python", "project"])
def test_a_session_starts_whatever_is_broken(mneme: Runner, project: Path, what: str) -> None:
    mneme("skill", "install", "--claude", cwd=project)
    (command,) = commands(project / ".claude" / "settings.json")
    environment = {}
    if what == "configuration":
        (project / "mneme.toml").write_text("lint = [", encoding="utf-8")
    elif what == "memory":
        (project / "project.mneme").write_bytes(b"@ DEC-0001\ngist  \xff\n")
    elif what == "tool":
        (project / ".claude/skills/mneme/scripts/mneme.pyz").unlink()
    elif what == "python":
        (project / "bin").mkdir()
        for name in ("sh", "head"):
            (project / "bin" / name).symlink_to(f"/bin/{name}" if Path(f"/bin/{name}").exists() else f"/usr/bin/{name}")
        environment = {"PATH": str(project / "bin")}
    else:
        environment = {"CLAUDE_PROJECT_DIR": str(project / "gone")}
    done = start_session(command, project, **environment)
    assert done.returncode == 0
    assert done.stderr == b"" or what == "python"
    assert done.stdout.decode().endswith(
        "mneme: the project memory could not be shown in full; this says why:"
        " python3 .claude/skills/mneme/scripts/mneme.pyz lint\n"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["spine", "--all"], ["show", "DEC-0001"], ["why", "DEC-0001"], ["find", "cache"], ["history", "DEC-0001"],
        ["at", "HEAD", "spine"], ["blame", "--all"], ["check-evidence"], ["check-evidence", "--staged"],
        ["rule", "duplicate-id"], ["new-id", "DEC"], ["lint"],
    ],
)  # fmt: skip
def test_what_needs_no_asking_only_reads(
    mneme: Runner, project: Path, git: Callable[..., str], arguments: list[str]
) -> None:
    assert arguments[0] in (*READING, "lint")
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "memory"]):
        git("-C", str(project), *command)
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    assert mneme(*arguments, cwd=project).code == 0
    after = {
        path: path.read_bytes() for path in project.rglob("*") if path.is_file() and ".mneme_cache" not in path.parts
    }
    assert after == before


def test_for_all_projects_of_a_person(mneme: Runner, project: Path, tmp_path: Path) -> None:
    home = Path(os.environ["HOME"])
    result = mneme("skill", "install", "--claude", "--global", cwd=tmp_path)
    assert result.code == 0, result.err
    assert (home / ".claude/skills/mneme/SKILL.md").is_file()
    (command,) = commands(home / ".claude" / "settings.json")
    done = start_session(command, project, PATH="/usr/bin:/bin")
    assert done.returncode == 0
    assert "DEC-0001 use: " in done.stdout.decode()
    assert mneme("skill", "install", "--claude", "--global", "--uninstall", cwd=tmp_path).code == 0
    assert [entry for entry in home.iterdir() if entry.name != ".cache"] == []


def test_install_and_uninstall_restore_the_settings(mneme: Runner, project: Path) -> None:
    settings = project / ".claude" / "settings.json"
    settings.parent.mkdir()
    text = (
        b'{\r\n   // ours\r\n   "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "mneme"}]}]},\r\n}'
    )
    settings.write_bytes(text)
    result = mneme("skill", "install", "--claude", cwd=project)
    assert result.code == 0
    assert "comments or trailing commas" in result.err
    once = settings.read_bytes()
    assert mneme("skill", "install", "--claude", cwd=project).code == 0
    assert settings.read_bytes() == once
    assert mneme("skill", "install", "--claude", "--uninstall", cwd=project).code == 0
    assert settings.read_bytes() == text
    assert [path.name for path in settings.parent.iterdir()] == ["settings.json"]


def test_settings_that_do_not_parse_are_left_alone(mneme: Runner, project: Path) -> None:
    settings = project / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_bytes(b'{\n  "model": \n}')
    result = mneme("skill", "install", "--claude", cwd=project)
    assert result.code == 2
    assert "settings.json:3:1: not valid JSON" in result.err
    assert settings.read_bytes() == b'{\n  "model": \n}'
    assert [path.name for path in settings.parent.iterdir()] == ["settings.json"]


def test_printing_changes_nothing(mneme: Runner, project: Path) -> None:
    result = mneme("skill", "install", "--claude", "--print", cwd=project)
    assert result.code == 0
    printed = json.loads(result.out)
    assert printed["hooks"]["SessionStart"][0]["hooks"][0]["timeout"] > 0
    assert "Bash(mneme find:*)" in printed["permissions"]["allow"]
    assert not (project / ".claude").exists()
    skills = project / ".claude" / "skills"
    assert f"mneme.pyz, which is not there: mneme skill install '{skills}'" in result.err
    mneme("skill", "install", str(skills), cwd=project)
    assert "not there" not in mneme("skill", "install", "--claude", "--print", cwd=project).err
    mneme("skill", "install", "--claude", cwd=project)
    assert json.loads((project / ".claude" / "settings.json").read_bytes()) == printed


def test_any_host_that_reads_skills(mneme: Runner, project: Path) -> None:
    result = mneme("skill", "install", ".agents/skills", cwd=project)
    assert result.code == 0, result.err
    folder = project / ".agents" / "skills" / "mneme"
    assert (folder / "SKILL.md").is_file()
    assert not (project / ".claude").exists()
    for tool in ("mneme.pyz", "mneme_tool.py"):
        done = subprocess.run(
            ["python3", folder / "scripts" / tool, "spine", "project.mneme"], cwd=project, capture_output=True,
            check=False, env={"PATH": "/usr/bin:/bin", "HOME": "/nowhere"},
        )  # fmt: skip
        assert done.stdout.decode() == mneme("spine", "project.mneme", cwd=project).out, done.stderr
    assert mneme("skill", "install", ".agents/skills", "--uninstall", cwd=project).code == 0
    assert not (project / ".agents").exists()


def test_the_installed_tool_installs_and_uninstalls_itself(mneme: Runner, project: Path) -> None:
    mneme("skill", "install", "--claude", cwd=project)
    first = project / ".claude/skills/mneme"
    tool = first / "scripts" / "mneme.pyz"
    content = {
        path.relative_to(first): path.read_bytes() for path in first.rglob("*.*") if path.suffix in (".md", ".pyz")
    }

    def run(*arguments: str) -> None:
        done = subprocess.run(
            ["python3", tool, *arguments], cwd=project, capture_output=True, check=False,
            env={"PATH": "/usr/bin:/bin", "HOME": "/nowhere"},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr.decode()
        assert b"Traceback" not in done.stderr

    run("skill", "install", "other skills")
    second = project / "other skills" / "mneme"
    assert {name: (second / name).read_bytes() for name in content} == content
    run("skill", "install", "--claude", "--uninstall")
    assert not (project / ".claude").exists()


def test_foreign_and_changed_files_are_told(mneme: Runner, project: Path) -> None:
    skill = project / "skills" / "mneme" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("mine\n", encoding="utf-8")
    result = mneme("skill", "install", "skills", cwd=project)
    assert result.code == 2
    assert "SKILL.md" in result.err
    skill.unlink()
    assert mneme("skill", "install", "skills", cwd=project).code == 0
    skill.write_text("mine\n", encoding="utf-8")
    result = mneme("skill", "install", "skills", "--uninstall", cwd=project)
    assert result.code == 0
    assert "changed since it was installed, so it stays" in result.err
    assert [path.name for path in skill.parent.iterdir()] == ["SKILL.md"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["install"],
        ["install", "x", "--project"],
        ["install", "x", "--print"],
        ["install", "--claude", "--print", "--uninstall"],
    ],
)
def test_what_does_not_go_together(mneme: Runner, project: Path, arguments: list[str]) -> None:
    assert mneme("skill", *arguments, cwd=project).code == 2
    assert not (project / "x").exists()


def test_nothing_to_uninstall_is_fine(mneme: Runner, project: Path) -> None:
    result = mneme("skill", "install", "skills", "--uninstall", cwd=project)
    assert result.code == 0
    assert "nothing there" in result.err


@pytest.mark.parametrize(("language", "title"), [("en", "# Mneme: the memory"), ("zh-CN", "# Mneme：本项目的记忆")])
def test_show(mneme_process: Runner, language: str, title: str) -> None:
    result = mneme_process("skill", "show", "--lang", language)
    assert result.code == 0
    assert result.out.startswith(title), "no front matter above it"
    assert "](" not in result.out, "a link leads nowhere in another file"
    headings = [line for line in result.out.splitlines() if line.startswith("## ")]
    raw = mneme_process("skill", "show", "--raw", "--lang", language).out
    name = "SKILL.md" if language == "en" else f"reference/SKILL.{language}.md"
    assert raw == (ROOT / "skills" / "mneme" / name).read_text(encoding="utf-8")
    assert headings == [line for line in raw.splitlines() if line.startswith("## ")][:-1], "all but the list of links"
    kept = set(result.out.splitlines())
    assert [line for line in raw.partition(title)[2].splitlines()[1:] if line not in kept and "](" not in line] == [
        line for line in raw.splitlines() if line.startswith("## ")
    ][-1:]


def test_a_clone_cannot_reach_what_is_outside_of_it(mneme: Runner, project: Path, tmp_path: Path) -> None:
    home = Path(os.environ["HOME"])
    victim = tmp_path / "victim.conf"
    victim.write_bytes(b"mine\n")
    mneme("skill", "install", "--claude", "--global", cwd=tmp_path)
    theirs = (home / ".claude" / "settings.json").read_bytes()
    mneme("skill", "install", "--claude", cwd=project)
    manifest = project / ".claude/skills/mneme/.mneme-install.json"
    data = json.loads(manifest.read_bytes())
    key = os.path.relpath(home / ".claude" / "settings.json", manifest.parent)
    data["uses"]["."][key] = next(
        iter(json.loads((home / ".claude/skills/mneme" / manifest.name).read_bytes())["uses"]["."].values())
    )
    manifest.write_text(
        json.dumps({**data, "files": {**data["files"], str(victim): digest(b"mine\n")}}), encoding="utf-8"
    )
    for further in ([], ["--uninstall"]):
        result = mneme("skill", "install", "--claude", *further, cwd=project)
        assert result.code == 2
        assert "no installation wrote" in result.err
    manifest.write_text(json.dumps(data), encoding="utf-8")
    result = mneme("skill", "install", "--claude", "--uninstall", cwd=project)
    assert result.code == 0, result.err
    assert "not of this scope" in result.err
    assert victim.read_bytes() == b"mine\n"
    assert (home / ".claude" / "settings.json").read_bytes() == theirs
    assert not (project / ".claude").exists()


@pytest.mark.parametrize("gone", ["folder", "manifest"])
@pytest.mark.parametrize("before", [None, '{"model": "large"}\n'])
def test_entries_go_though_nothing_is_left_of_the_skill(
    mneme: Runner, project: Path, gone: str, before: str | None
) -> None:
    settings = project / ".claude" / "settings.json"
    if before is not None:
        settings.parent.mkdir()
        settings.write_text(before, encoding="utf-8")
    mneme("skill", "install", "--claude", cwd=project)
    folder = project / ".claude" / "skills" / "mneme"
    if gone == "folder":
        shutil.rmtree(folder)
    else:
        (folder / ".mneme-install.json").unlink()
        mneme("skill", "install", "--claude", cwd=project)
    result = mneme("skill", "install", "--claude", "--uninstall", cwd=project)
    assert result.code == 0, result.err
    assert "settings.json" in result.err
    assert settings.exists() == (before is not None)
    assert before is None or json.loads(settings.read_bytes()) == json.loads(before)
    assert "nothing there" in mneme("skill", "install", "--claude", "--uninstall", cwd=project).err


def test_a_changed_command_is_named(mneme: Runner, project: Path) -> None:
    settings = project / ".claude" / "settings.json"
    mneme("skill", "install", "--claude", cwd=project)
    text = settings.read_text(encoding="utf-8").replace("--max-bytes 8000", "--max-bytes 2000")
    settings.write_text(text, encoding="utf-8")
    for further in ([], ["--uninstall"]):
        result = mneme("skill", "install", "--claude", *further, cwd=project)
        assert result.code == 0
        assert "was changed since it was installed, so it stays: '{ python3" in result.err
    (command,) = commands(settings)
    assert "--max-bytes 2000" in command
