"""mneme.pyz runs every command on a bare Python, is the same whoever builds it, and carries the classic tool."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import stat
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from mneme.cli.main import COMMANDS
from tests.conftest import ROOT, cell
from tests.packaging.conftest import Distributions, Environment

pytestmark = pytest.mark.install

MEMORY = (
    cell("DEC-0041") + "\n" + cell("PREF-0001", state="proposed", topic="style", gist="Commit messages are in English")
)
SPINE = "DEC-0041       live   Local cache uses SQLite instead of JSON files  [storage/cache]\n"

CALLS: dict[str, list[str]] = {
    "spine": [],
    "show": ["DEC-0041"],
    "why": ["DEC-0041"],
    "find": ["cache"],
    "add": ["DEC", "Logs rotate daily", "--topic", "ops/logs", "--cue", "disk is full"],
    "supersede": ["DEC-0041", "Local cache uses files again", "--topic", "storage/cache", "--cue", "cache"],
    "seen": ["DEC-0041"],
    "set": ["DEC-0041", "--conf", "low"],
    "accept": ["PREF-0001"],
    "retire": ["DEC-0041"],
    "new-id": ["DEC"],
    "history": ["DEC-0041"],
    "at": ["HEAD", "spine"],
    "blame": [],
    "lint": [],
    "review": [],
    "decay": [],
    "archive": [],
    "check-evidence": [],
    "rule": ["duplicate-id"],
    "fmt": [],
    "init": [],
    "install-hook": [],
    "install-git": [],
    "resolve": [],
    "merge-driver": ["project.mneme", "project.mneme", "theirs.mneme"],
    "skill": ["install", "skills"],
    "completion": ["bash"],
    "diff": [],
    "conflicts": [],
    "redact": ["DEC-0041", "--field", "gist", "--reason", "names a customer"],
    "renumber": ["DEC-0041"],
    "compile": [],
    "project": [],
    "sync": [],
    "runtime": ["add", "Logs rotate daily", "--target", "memory"],
    "maintain": ["plan", "--target", "memory"],
    "status": [],
    "log": [],
    "receipt": [],
    "viz": [],
    "store": ["list"],
    "from-store": [],
    "gc": ["--propose"],
    "brief": [],
    "import": ["draft.json"],
    "import-memory": ["CLAUDE.md", "--apply"],
    "embed": ["--status"],
    "recall": ["why", "SQLite"],
    "remember": ["Logs rotate daily", "--cat", "fact", "--tags", "ops"],
    "link": ["DEC-0041", "PREF-0001"],
    "forget": ["DEC-0041"],
    "search": ["cache"],
    "related": ["DEC-0041"],
}
"""A call of each command that succeeds on the memory above, committed."""


def test_every_command_has_a_call_here() -> None:
    """The one test that fails for a new command: the others go by the table."""
    assert set(COMMANDS) - set(CALLS) == set(), "add a call that succeeds to CALLS in tests/packaging/test_zipapp.py"
    assert set(CALLS) - set(COMMANDS) == set(), "take it out of CALLS in tests/packaging/test_zipapp.py"


@pytest.fixture
def project(tmp_path: Path, git: Callable[..., str]) -> Path:
    """Return a repository with a memory in its first commit."""
    git("init", "-q", ".")
    (tmp_path / "project.mneme").write_text(MEMORY, encoding="utf-8")
    git("add", "project.mneme")
    git("commit", "-q", "-m", "memory")
    return tmp_path


@pytest.mark.parametrize("command", CALLS)
def test_runs_on_a_bare_python(command: str, project: Path, pyz: Path, bare_environment: Environment) -> None:
    memory = project / "project.mneme"
    before = MEMORY.replace("@ DEC-0041  ", "@ DEC-0041 \t ")  # for fmt to straighten
    if command == "renumber":
        before += f"\n{MEMORY[MEMORY.index('@ DEC-0041') :].replace('Local', 'Remote')}"
    if command == "merge-driver":
        (project / "theirs.mneme").write_text(f"{before}\n{cell('DEC-0042')}", encoding="utf-8")
    if command == "import":
        draft = '{"schema_version": "1", "insights": [{"content": "Logs rotate daily"}]}'
        (project / "draft.json").write_text(draft, encoding="utf-8")
    if command == "import-memory":
        (project / "CLAUDE.md").write_text("- Logs rotate daily\n", encoding="utf-8")
    if command == "from-store":
        assert bare_environment.run(pyz, "compile", cwd=project, home=project).returncode == 0
    if command == "init":
        memory.unlink()
    else:
        memory.write_text(before, encoding="utf-8")
    done = bare_environment.run(pyz, command, *CALLS[command], cwd=project, home=project)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout or done.stderr or memory.read_text(encoding="utf-8") != before, "it says or does something"


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_on_a_bare_python(command: str, tmp_path: Path, pyz: Path, bare_environment: Environment) -> None:
    done = bare_environment.run(pyz, *command.split(), "--help", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage: mneme" in done.stdout
    assert "Example" in done.stdout


def test_runs_as_a_program(tmp_path: Path, pyz: Path) -> None:
    """The file is executable, and its first line finds python3."""
    (tmp_path / "project.mneme").write_text(MEMORY, encoding="utf-8")
    done = subprocess.run(
        [pyz, "spine"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}"},
    )  # fmt: skip
    assert (done.stdout, done.stderr, done.returncode) == (SPINE, "", 0)


def test_classic_tool_inside(tmp_path: Path, pyz: Path, bare_environment: Environment) -> None:
    (tmp_path / "project.mneme").write_text(MEMORY, encoding="utf-8")
    done = bare_environment.run(pyz, "mneme_tool", cwd=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("\nlint: 2 cells, 0 error, 0 warn\n", "", 0)


# --- what is inside ------------------------------------------------------------------------------------------


def test_holds_what_the_wheel_holds(pyz: Path, distributions: Distributions) -> None:
    with zipfile.ZipFile(distributions.wheel) as wheel, zipfile.ZipFile(pyz) as archive:
        of_wheel = {name: wheel.read(name) for name in wheel.namelist() if name.startswith("mneme/")}
        of_pyz = {name: archive.read(name) for name in archive.namelist() if name.startswith("mneme/")}
    assert of_pyz == of_wheel


def test_licences_are_inside(pyz: Path) -> None:
    with zipfile.ZipFile(pyz) as archive:
        names = archive.namelist()
    described = {name.split("/")[0] for name in names if name.endswith(".dist-info/METADATA")}
    licensed = {name.split("/")[0] for name in names if ".dist-info/" in name and re.search("LICENSE|COPYING", name)}
    assert described == licensed
    present = {info.removesuffix(".dist-info").rpartition("-")[0] for info in described}
    ours = {"lark", "click", "python_dateutil", "pathspec", "filelock", "budoux", "snowballstemmer", "mneme_cells"}
    assert ours <= present


def test_reads_the_model_for_thai_where_it_lies(tmp_path: Path, pyz: Path, bare_environment: Environment) -> None:
    code = "import sys; sys.path.insert(0, sys.argv[1]); from mneme.graph.thai import words_of; print(words_of('{}'))"
    done = bare_environment.run("-X", "utf8", "-c", code.format("ฐานข้อมูล"), pyz, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("['ฐาน', 'ข้อมูล']\n", "")


def test_nothing_depends_on_the_machine(pyz: Path) -> None:
    assert stat.S_IMODE(pyz.stat().st_mode) == 0o755
    assert pyz.read_bytes().startswith(b"#!/usr/bin/env python3\n")
    with zipfile.ZipFile(pyz) as archive:
        infos = archive.infolist()
    assert [info.filename for info in infos] == sorted(info.filename for info in infos)
    assert {info.date_time for info in infos} == {(1980, 1, 1, 0, 0, 0)}
    assert {info.external_attr >> 16 for info in infos} == {0o100644}
    assert not [info.filename for info in infos if info.filename.endswith((".pyc", ".so", ".pyd"))]


def test_reproducible(tmp_path: Path, pyz: Path, checkout: Path) -> None:
    """Another folder, other file times and modes, another folder for temporary files: the same bytes."""
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(checkout, elsewhere, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
    for path in elsewhere.rglob("*"):
        if path.is_file():
            os.utime(path, (1_000_000_000, 1_000_000_000))
            path.chmod(0o600)
    (tmp_path / "temporary").mkdir()
    done = subprocess.run(
        [sys.executable, "scripts/build_zipapp.py", "--output", tmp_path / "again.pyz"], cwd=elsewhere,
        env={**os.environ, "TMPDIR": str(tmp_path / "temporary"), "TZ": "Pacific/Apia"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "again.pyz").read_bytes() == pyz.read_bytes()


def test_is_built_after_a_plain_install(
    tmp_path: Path, checkout: Path, wheel_environment: Environment, bare_environment: Environment
) -> None:
    """What the README says: nothing but mneme and what it needs is installed."""
    done = wheel_environment.run("scripts/build_zipapp.py", "--output", tmp_path / "plain.pyz", cwd=checkout)
    assert (done.returncode, done.stderr) == (0, "")
    (tmp_path / "project.mneme").write_text(MEMORY, encoding="utf-8")
    assert bare_environment.run(tmp_path / "plain.pyz", "spine", cwd=tmp_path).stdout == SPINE


def test_nothing_installed_is_told(tmp_path: Path, checkout: Path, bare_environment: Environment) -> None:
    done = bare_environment.run("scripts/build_zipapp.py", "--output", tmp_path / "bare.pyz", cwd=checkout)
    assert (done.returncode, done.stdout) == (2, "")
    error, hint = done.stderr.splitlines()
    assert re.fullmatch(r"build_zipapp: error: [a-z-]+ is not installed in this environment, .*", error)
    assert hint.startswith("  hint: ")
    assert ".venv/bin/pip install . && .venv/bin/python scripts/build_zipapp.py" in hint
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("have", "want", "fits"),
    [
        ("1.2.0", "lark>=1.2,<2", True),
        ("1.10", "lark>=1.2,<2", True),
        ("1.2", "lark>=1.2.0", True),
        ("1.1.9", "lark>=1.2,<2", False),
        ("2.0.0", "lark>=1.2,<2", False),
        ("2.0rc1", "lark>=1.2,<2", False),
        ("2.9.0.post0", "lark>=2.9", True),
        ("2.10", "lark>=2.9", True),
    ],
)
def test_other_versions_than_the_project_wants_are_refused(have: str, want: str, fits: bool) -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "build_zipapp.py"))
    installed = {"lark": SimpleNamespace(version=have)}
    if fits:
        script["check_versions"]([want], installed)
    else:
        with pytest.raises(script["BuildError"], match=f"{want} is wanted, {have} is installed"):
            script["check_versions"]([want], installed)


# --- scripts/mneme_tool.py -----------------------------------------------------------------------------------


@pytest.fixture
def placed(tmp_path: Path, pyz: Path) -> Path:
    """Return a folder as the skill makes it: the script and the archive side by side, no checkout around."""
    folder = tmp_path / "skill" / "scripts"
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / "mneme_tool.py", folder)
    shutil.copy(pyz, folder / "mneme.pyz")
    (tmp_path / "project.mneme").write_text(MEMORY, encoding="utf-8")
    return folder


def script_dependencies() -> list[str]:
    """Return what the script's own metadata block (PEP 723) asks for."""
    lines = (ROOT / "scripts" / "mneme_tool.py").read_text(encoding="utf-8").splitlines()
    start, end = lines.index("# /// script"), lines.index("# ///")
    found: list[str] = tomllib.loads("\n".join(line[2:] for line in lines[start + 1 : end]))["dependencies"]
    return found


@pytest.fixture(scope="module")
def script_environment(new_environment: Callable[..., Environment]) -> Environment:
    return new_environment(*script_dependencies())


def test_script_beside_the_archive(placed: Path, tmp_path: Path, bare_environment: Environment) -> None:
    for arguments, out in (
        (["spine"], SPINE),
        (["new-id", "DEC"], "DEC-0042\n"),
        ([], "\nlint: 2 cells, 0 error, 0 warn\n"),
    ):
        done = bare_environment.run(placed / "mneme_tool.py", *arguments, cwd=tmp_path)
        assert (done.stdout, done.stderr, done.returncode) == (out, "", 0)


def test_script_beside_the_archive_where_its_imports_are_installed(
    placed: Path, tmp_path: Path, script_environment: Environment
) -> None:
    done = script_environment.run(placed / "mneme_tool.py", "spine", cwd=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == (SPINE, "", 0)


def test_script_in_a_checkout_needs_only_what_its_metadata_lists(
    tmp_path: Path, checkout: Path, script_environment: Environment
) -> None:
    """It runs the checkout it lies in, though that is not installed."""
    (tmp_path / "project.mneme").write_text(MEMORY, encoding="utf-8")
    done = script_environment.run(checkout / "scripts" / "mneme_tool.py", "spine", cwd=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == (SPINE, "", 0)


def test_script_in_a_checkout_with_nothing_installed(
    tmp_path: Path, checkout: Path, pyz: Path, bare_environment: Environment
) -> None:
    (tmp_path / "project.mneme").write_text(MEMORY, encoding="utf-8")
    script = checkout / "scripts" / "mneme_tool.py"
    refused = bare_environment.run(script, "spine", cwd=tmp_path)
    assert (refused.stdout, refused.returncode) == ("", 2)
    assert "not installed: lark, click, dateutil" in refused.stderr
    assert "pip install lark click python-dateutil" in refused.stderr
    beside = script.with_name("mneme.pyz")
    shutil.copy(pyz, beside)
    try:
        done = bare_environment.run(script, "spine", cwd=tmp_path)
    finally:
        beside.unlink()
    assert (done.stdout, done.stderr, done.returncode) == (SPINE, "", 0)


def test_script_alone_says_what_to_do(placed: Path, tmp_path: Path, bare_environment: Environment) -> None:
    (placed / "mneme.pyz").unlink()
    done = bare_environment.run(placed / "mneme_tool.py", "spine", cwd=tmp_path)
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr.startswith("mneme_tool: error: no mneme.pyz beside mneme_tool.py\n  hint: ")


def test_script_alone_runs_what_is_installed(placed: Path, tmp_path: Path, wheel_environment: Environment) -> None:
    (placed / "mneme.pyz").unlink()
    done = wheel_environment.run(placed / "mneme_tool.py", "spine", cwd=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == (SPINE, "", 0)


def test_script_is_not_misled_by_another_program_called_mneme(
    placed: Path, tmp_path: Path, new_environment: Callable[..., Environment]
) -> None:
    environment = new_environment()
    (site,) = environment.folder.glob("lib/python*/site-packages")
    (site / "mneme.py").write_text("raise SystemExit('the other program')\n", encoding="utf-8")
    done = environment.run(placed / "mneme_tool.py", "spine", cwd=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == (SPINE, "", 0)
    (placed / "mneme.pyz").unlink()
    refused = environment.run(placed / "mneme_tool.py", "spine", cwd=tmp_path)
    assert (refused.stdout, refused.returncode) == ("", 2)
    assert "no mneme.pyz beside mneme_tool.py" in refused.stderr
