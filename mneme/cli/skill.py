"""``mneme skill``."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import click

from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from mneme.agents.claude import Scope
    from mneme.agents.place import Place
    from mneme.agents.skill import Outcome, Settings
    from mneme.cli.app import App

LANGUAGES = ("en", "zh-CN")


@click.group("skill")
def command() -> None:
    """Teach an agent host the protocol: when to look things up, what to write down, what to trust.

    \b
    Example:
      mneme skill install --claude           this project, for everybody who opens it with Claude Code
      mneme skill install .agents/skills     any other host that reads Agent Skills
      mneme skill show
    """


@command.command("show")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Which language.")
@click.option("--raw", is_flag=True, help="The file as it is: with front matter and links.")
@click.pass_obj
def show(app: App, lang: str, *, raw: bool) -> ExitCode:  # noqa: ARG001 - every command takes the invocation
    """Print the skill's text, for hosts without skills: paste it into their instructions.

    The front matter, which such a host does not read, and links to files that lie beside the skill are left out.

    \b
    Example:
      mneme skill show >> AGENTS.md
      mneme skill show --lang zh-CN
      mneme skill show --raw
    """
    from mneme.agents.skill import pasted_text, skill_text

    click.echo(skill_text(lang) if raw else pasted_text(lang), nl=False)
    return ExitCode.OK


@command.command("install")
@click.argument("directory", required=False, metavar="[DIR]")
@click.option("--claude", is_flag=True, help="Also show the spine at the start of every Claude Code session.")
@click.option("--project", "scope", flag_value="project", help="With --claude: in this project (default).")
@click.option("--global", "scope", flag_value="global", help="With --claude: for you, in all projects.")
@click.option("--print", "print_", is_flag=True, help="With --claude: print the settings to paste; change nothing.")
@click.option("--uninstall", is_flag=True, help="Take away exactly what was installed.")
@click.pass_obj
def install(
    app: App, directory: str | None, *, claude: bool, scope: str | None, print_: bool, uninstall: bool
) -> ExitCode:
    """Put the skill into DIR, the folder where an agent host looks for skills: as DIR/mneme/SKILL.md.

    With it goes mneme.pyz, all of mneme in one file, so that it works where mneme is not installed: python3 (3.11 or
    later) is enough. Installing again brings everything up to date. Files that you changed are neither replaced nor
    removed.

    With --claude, Claude Code's settings.json also gets one SessionStart entry, which shows the spine, and rules that
    allow the commands that only read. Nothing else in the file is touched, and --uninstall restores it. DIR is
    .claude/skills of the project, or with --global that of your home (or of CLAUDE_CONFIG_DIR).

    \b
    Example:
      mneme skill install --claude
      mneme skill install --claude --global
      mneme skill install --claude --print
      mneme skill install .agents/skills
      mneme skill install .agents/skills --uninstall
    """
    from mneme.agents import skill
    from mneme.agents.onefile import running
    from mneme.agents.place import Place

    if not claude and (scope or print_):
        raise UsageError(f"--{scope or 'print'} goes with --claude")
    if print_ and uninstall:
        raise UsageError("--print and --uninstall exclude each other")
    host = _host(app, scope) if claude else None
    if directory is not None:
        folder = app.cwd / directory
    elif host is not None:
        folder = host.skills
    else:
        raise UsageError("name the folder for the skill", "for Claude Code: mneme skill install --claude")
    place = Place.below(folder)
    interpreter = getattr(sys, "_base_executable", "") or sys.executable
    if uninstall:
        _tell_removed(app, place, skill.uninstall(place, _settings_around(app, place, host, interpreter)))
        return ExitCode.OK
    settings = host.settings(place, interpreter) if host else None
    if settings and print_:
        click.echo(settings.wanted.text, nl=False)
        app.say(f"mneme: the entries to paste into {settings.path}")
        if not (place.folder / skill.ARCHIVE).is_file():
            skills = shlex.quote(str(place.named.parent))
            app.say(f"mneme: they run {place.named / skill.ARCHIVE}, which is not there: mneme skill install {skills}")
        return ExitCode.OK
    _tell_written(app, place, skill.install(place, skill.skill_files(running()), settings), settings)
    if host and host.is_shown_twice(app.cwd, app.environ):
        app.say("mneme: both your own settings and this project's show the spine now: sessions here get it twice")
    return ExitCode.OK


def _host(app: App, scope: str | None) -> Scope:
    from mneme.agents.claude import Scope, project_root

    if scope == "global":
        return Scope.of_person(app.home, app.environ)
    return Scope.of_project(project_root(app.cwd), app.home, app.environ)


def _settings_around(app: App, place: Place, host: Scope | None, interpreter: str) -> Settings | None:
    """Return the settings to take our entries out of: those of ``host``, else those that the place belongs to."""
    from mneme.agents.claude import Scope, project_root

    if host is not None:
        return host.settings(place, interpreter)
    try:
        return Scope.around(place, project_root(app.cwd), app.home, app.environ).settings(place, interpreter)
    except UsageError:  # outside the project: no settings of it can run what lies there
        return None


def _tell_written(app: App, place: Place, outcome: Outcome, settings: Settings | None) -> None:
    files = [path for path in outcome.written if settings is None or path.name != settings.path.name]
    if not outcome.written:
        app.say(f"mneme: {place.named} is up to date")
    if files:
        app.say(f"mneme: {place.named}: {len(files)} {'file' if len(files) == 1 else 'files'} written")
    if settings and len(files) < len(outcome.written):
        shown = "" if outcome.changed else "session start shows the spine, "
        app.say(f"mneme: {settings.path}: {shown}reading commands need no asking")
    if outcome.lenient:
        app.say(f"mneme: {outcome.lenient} holds comments or trailing commas: some releases skip such a file")
    _tell_kept(app, outcome)


def _tell_removed(app: App, place: Place, outcome: Outcome) -> None:
    from mneme.text.visible import visible

    files = [path for path in outcome.removed if path.is_relative_to(place.folder)]
    for path in outcome.written:
        app.say(f"mneme: {path}: our entries removed")
    for path in outcome.removed:
        if path not in files:
            app.say(f"mneme: {path} removed: it was made for our entries")
    if outcome.users:
        app.say(f"mneme: {place.named} stays: it is in use as {visible(', '.join(outcome.users))}")
    elif files:
        app.say(f"mneme: {place.named}: {len(files)} {'file' if len(files) == 1 else 'files'} removed")
    elif not outcome.written and not outcome.kept:
        app.say(f"mneme: {place.named}: nothing there that mneme installed")
    for name in outcome.elsewhere:
        app.say(f"mneme: {visible(name)} may hold entries too: it is not of this scope, so it was left alone")
    _tell_kept(app, outcome)


def _tell_kept(app: App, outcome: Outcome) -> None:
    from mneme.text.visible import quote

    for command in outcome.changed:
        app.say(
            f"mneme: the session-start command was changed since it was installed, so it stays: {quote(command, 200)}"
        )
    for path in outcome.kept:
        app.say(f"mneme: {path}: changed since it was installed, so it stays")
