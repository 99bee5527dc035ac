"""The result cache never changes an answer, whatever happens to its file."""

from __future__ import annotations

import random
import stat
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mneme.format import parser
from mneme.lint.session import Session
from mneme.text.cachefile import cache_folder
from mneme.workspace import Workspace
from tests.conftest import TODAY, cell

DAY = date.fromisoformat(TODAY)

CELLS = [
    cell("DEC-0001"),
    cell("DEC-0001", gist="Another one with the same number"),
    cell("DEC-0002", gist="Tokens live one hour", seen="2026-01-01"),
    cell("FACT-0003", gist="Two nodes", more="link  relates DEC-0001\n"),
    cell("FACT-0004", gist="It is slow", more="gits  slip\n"),
    cell("PREF-0005", gist="Short names", conf="medium"),
    "@ broken\n",
    "@ DEC-7\u00a0 a/b\n  gist  indented\nstate Live since 2026-6-3 seen 2026-11-20 # note\n",
]


def findings(root: Path, names: list[str], cache: Path | None, today: date = DAY) -> list[tuple[object, ...]]:
    """Return what lint finds, in a fresh process as far as remembered parses go."""
    parser.forget()
    workspace = Workspace.find(root)
    session = Session.open(workspace, today, cache_in=cache)
    world = workspace.world(names)
    report = session.lint(world.documents, world.unreadable)
    return [finding[:9] + finding[11:] + (finding.fix,) for finding in report.findings]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "mneme.toml").write_text("")
    (root / "a.mneme").write_text("\n".join(CELLS), encoding="utf-8")
    return root


def test_second_run_gives_the_same_answer_and_reads_the_cache(project: Path, tmp_path: Path) -> None:
    cold = findings(project, [], None)
    assert cold
    assert findings(project, [], tmp_path / "cache") == cold
    assert len(list((tmp_path / "cache").iterdir())) == 1
    assert findings(project, [], tmp_path / "cache") == cold


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(order=st.lists(st.sampled_from(CELLS), max_size=8), day=st.integers(0, 400))
def test_cached_equals_fresh_over_edits_and_days(project: Path, tmp_path: Path, order: list[str], day: int) -> None:
    (project / "a.mneme").write_text("\n".join(order), encoding="utf-8")
    today = DAY + timedelta(days=day % 3)
    assert findings(project, [], tmp_path / "cache", today) == findings(project, [], None, today)


def test_damaged_file_changes_nothing(project: Path, tmp_path: Path) -> None:
    cold = findings(project, [], None)
    findings(project, [], tmp_path / "cache")
    (path,) = (tmp_path / "cache").iterdir()
    whole = path.read_bytes()
    rng = random.Random(7)
    for turn in range(60):
        at = rng.randrange(len(whole))
        damaged = (
            whole[:at] if turn % 2 else whole[:at] + bytes([whole[at] ^ (1 + rng.randrange(255))]) + whole[at + 1 :]
        )
        path.write_bytes(damaged)
        assert findings(project, [], tmp_path / "cache") == cold
        assert findings(project, [], tmp_path / "cache") == cold


def test_torn_append_is_left_behind(project: Path, tmp_path: Path) -> None:
    findings(project, [], tmp_path / "cache")
    (path,) = (tmp_path / "cache").iterdir()
    (project / "a.mneme").write_text("\n".join([*CELLS, cell("DEC-0009", gist="New one")]), encoding="utf-8")
    before = path.stat().st_size
    findings(project, [], tmp_path / "cache")
    assert path.stat().st_size > before
    path.write_bytes(path.read_bytes()[:-5])
    assert findings(project, [], tmp_path / "cache") == findings(project, [], None)


def test_configuration_is_part_of_the_key(project: Path, tmp_path: Path) -> None:
    findings(project, [], tmp_path / "cache")
    (project / "mneme.toml").write_text("[lint]\nmax-gist-width = 5\n")
    assert findings(project, [], tmp_path / "cache") == findings(project, [], None)


def test_folder_that_cannot_be_written(project: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert findings(project, [], tmp_path / "file" / "cache") == findings(project, [], None)


def test_only_the_person_can_read_it(project: Path, tmp_path: Path) -> None:
    findings(project, [], tmp_path / "cache")
    (path,) = (tmp_path / "cache").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_old_files_are_pruned(project: Path, tmp_path: Path) -> None:
    for width in range(10, 20):
        (project / "mneme.toml").write_text(f"[lint]\nmax-gist-width = {width}\n")
        findings(project, [], tmp_path / "cache")
    assert len(list((tmp_path / "cache").iterdir())) == 4


def test_folder_by_environment() -> None:
    home = Path("/home/somebody")
    assert cache_folder({"MNEME_CACHE_DIR": "/x"}, home) == Path("/x")
    assert cache_folder({"XDG_CACHE_HOME": "/c"}, home) in (Path("/c/mneme"), home / "Library/Caches/mneme")
    assert cache_folder({}, None) is None
