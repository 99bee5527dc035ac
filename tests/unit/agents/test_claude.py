"""Claude Code: which files, which command, which rules."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from mneme.agents.claude import READING, Scope, project_root
from mneme.agents.place import Place
from mneme.agents.settings import Wanted
from mneme.cli.main import COMMANDS
from mneme.errors import UsageError

ASKING = {
    "add", "supersede", "seen", "set", "accept", "retire", "lint", "review", "decay", "archive", "fmt", "init",
    "install-hook", "install-git", "resolve", "merge-driver", "skill", "completion", "redact", "renumber",
    "remember", "link", "forget", "compile", "project", "sync", "runtime", "maintain", "store", "viz", "from-store",
    "gc", "import", "import-memory",
    "embed",
}  # fmt: skip
"""The commands that are not in READING: they write, or have options that do, or are of no use to an agent."""


def wanted(scope: Scope, directory: Path, interpreter: str = "/usr/bin/python3") -> Wanted:
    return scope.settings(Place.below(directory), interpreter).wanted


def test_a_project_names_no_folder_of_this_machine(tmp_path: Path) -> None:
    scope = Scope.of_project(tmp_path / "my project", tmp_path, {})
    settings = scope.settings(Place.below(scope.skills), "/opt/python")
    assert settings.path == tmp_path / "my project" / ".claude" / "settings.json"
    text = settings.wanted.text
    assert str(tmp_path) not in text
    assert "/opt/python" not in text
    tool = 'python3 -X utf8 "${CLAUDE_PROJECT_DIR:-.}"/.claude/skills/mneme/scripts/mneme.pyz'
    assert settings.wanted.command.startswith(
        f'{{ {tool} -C "${{CLAUDE_PROJECT_DIR:-.}}" spine --format markdown --max-bytes 8000 2>/dev/null || echo '
    )
    assert settings.wanted.matcher == "startup|resume|clear|compact"


def test_a_person_s_settings_name_interpreter_and_tool_in_full(tmp_path: Path) -> None:
    scope = Scope.of_person(tmp_path, {})
    made = wanted(scope, scope.skills, "/opt/my python/bin/python3")
    tool = tmp_path / ".claude" / "skills" / "mneme" / "scripts" / "mneme.pyz"
    assert made.command.startswith(f"{{ '/opt/my python/bin/python3' -X utf8 {tool} -C ")
    assert "Bash(python3 ~/.claude/skills/mneme/scripts/mneme.pyz find:*)" in made.rules


def test_the_configuration_folder_of_the_environment_counts(tmp_path: Path) -> None:
    scope = Scope.of_person(None, {"CLAUDE_CONFIG_DIR": str(tmp_path / "my config")})
    assert scope.skills == tmp_path / "my config" / "skills"
    tool = shlex.quote(str(scope.skills / "mneme" / "scripts" / "mneme.pyz"))
    assert f"Bash(python3 {tool} find:*)" in wanted(scope, scope.skills).rules
    for name, folder in (("~", "home"), ("~/", "home"), ("~/my config", "home/my config")):
        person = Scope.of_person(tmp_path / "home", {"CLAUDE_CONFIG_DIR": name})
        assert person.skills == tmp_path / folder / "skills"
    with pytest.raises(UsageError, match="no home folder"):
        Scope.of_person(None, {})


def test_a_project_in_the_home_folder_is_the_person(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "alias").symlink_to(tmp_path / "home", target_is_directory=True)
    assert Scope.of_project(tmp_path / "alias", tmp_path / "home", {}).root is None
    assert Scope.of_project(tmp_path / "home" / "project", tmp_path / "home", {}).root is not None


def test_what_lies_in_a_project_has_no_say_on_a_person_s_settings(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    person, team = Scope.of_person(home, {}), Scope.of_project(project, home, {})
    assert person.settings(Place.below(person.skills), "python3").trusting
    assert team.settings(Place.below(team.skills), "python3").trusting
    assert not person.settings(Place.below(team.skills), "python3").trusting
    team.folder.mkdir(parents=True)
    (team.folder / "settings.json").symlink_to(home / ".claude" / "settings.json")
    assert not team.settings(Place.below(team.skills), "python3").trusting


def test_a_place_tells_its_scope(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    person, team = Scope.of_person(home, {}), Scope.of_project(project, home, {})
    assert Scope.around(Place.below(person.skills), project, home, {}) == person
    assert Scope.around(Place.below(team.skills), project, home, {}) == team
    assert Scope.around(Place.below(team.skills), project, None, {}).root == project


def test_rules_allow_reading_only(tmp_path: Path) -> None:
    rules = wanted(Scope.of_project(tmp_path, None, {}), tmp_path / ".claude" / "skills").rules
    prefixes = [rule.removesuffix(":*)").rsplit(maxsplit=1)[-1] for rule in rules if rule.endswith(":*)")]
    assert set(prefixes) == set(READING)
    assert [rule for rule in rules if not rule.endswith(":*)")] == [
        "Bash(mneme lint)",
        "Bash(python3 .claude/skills/mneme/scripts/mneme.pyz lint)",
    ]


def test_every_command_asks_or_only_reads() -> None:
    """Whoever adds a command decides whether an agent may run it without asking, whatever its options."""
    listed = {*READING, *ASKING}
    assert set(COMMANDS) - listed == set(), "add it to READING (mneme/agents/claude.py) or to ASKING (here)"
    assert listed - set(COMMANDS) == set(), "take it out of READING (mneme/agents/claude.py) or ASKING (here)"
    assert not set(READING) & ASKING


def test_a_project_can_keep_its_skills_elsewhere_in_it(tmp_path: Path) -> None:
    scope = Scope.of_project(tmp_path, None, {})
    made = wanted(scope, tmp_path / "my agents" / "skills")
    assert "\"${CLAUDE_PROJECT_DIR:-.}\"/'my agents/skills/mneme/scripts/mneme.pyz'" in made.command
    with pytest.raises(UsageError, match="outside the project"):
        wanted(scope, tmp_path.parent / "skills")


def test_the_project_is_the_work_tree_or_the_nearest_folder_with_settings(tmp_path: Path) -> None:
    inner = tmp_path / "work" / "packages" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / ".claude").mkdir()  # a home folder's, say: nothing to do with what lies below
    assert project_root(inner) == inner
    (tmp_path / "work" / ".git").mkdir()
    assert project_root(inner) == tmp_path / "work"
    (tmp_path / "work" / "packages" / ".claude").mkdir()
    assert project_root(inner) == tmp_path / "work" / "packages"


def test_both_scopes_together_are_noticed(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    person, team = Scope.of_person(home, {}), Scope.of_project(project, home, {})
    for scope in (person, team):
        scope.folder.mkdir(parents=True)
        assert not scope.is_shown_twice(project, {})
        (scope.folder / "settings.json").write_text(wanted(scope, scope.skills).text, encoding="utf-8")
    assert person.is_shown_twice(project, {})
    assert team.is_shown_twice(project, {})
    assert not person.is_shown_twice(home, {})
