"""``mneme project``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mneme.cli import complete
from mneme.cli.common import format_option, paths_argument, print_json, put
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App
    from mneme.memory.projection import Projection


@click.command("project")
@paths_argument
@click.option(
    "--out",
    metavar="DIR",
    shell_complete=complete.files,
    help="Write DIR/USER.md and DIR/MEMORY.md.  [default: projections.out, else the workspace]",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when a projection is behind, and say by what.")
@click.option("--shared", is_flag=True, help="Only files that others get: none that git ignores (for hooks and CI).")
@format_option("text", "json")
@click.pass_obj
def command(app: App, paths: tuple[str, ...], out: str | None, check: bool, shared: bool, format_: str) -> ExitCode:
    """Write the working memory as the files that agent hosts read: USER.md, MEMORY.md, and what is configured.

    Preferences (PREF) go to USER.md, all other live and stale cells to MEMORY.md. What somebody wrote there stays and
    counts. When room is short, what matters most is kept, and the rest is named. Personal cells go only into files
    that git ignores.

    The configuration can name more (projections.blocks, projections.claude-memory): a marked block in CLAUDE.md,
    AGENTS.md, GEMINI.md or a Cursor rule, and Claude Code's own memory folder. With a PATH they are left alone.

    \b
    Example:
      mneme project
      mneme project --out .mnemon/runtime
      mneme project --check
    """
    from mneme.cli.app import read_stdin
    from mneme.memory.project import project
    from mneme.memory.projection import Asked

    folder = None if out is None else app.cwd / Path(out).expanduser()
    stdin = read_stdin() if "-" in paths else None
    asked = Asked(paths, folder, check=check, shared=shared, stdin=stdin)
    found = project(app.workspace_of(paths), asked, app.environ)
    behind = [one for one in found if one.behind]
    if format_ == "json":
        print_json(
            app, "project", {"files": [_data(one) for one in found], "behind": len(behind), "written": not check}
        )
    for one in found:
        if format_ == "text":
            _tell(app, one, check=check)
        for note in one.notes:
            app.say(f"mneme: {note}")
        _tell_room(app, one)
    if check and not behind and format_ == "text":
        app.say(f"mneme: {len(found)} {'projection is' if len(found) == 1 else 'projections are'} up to date")
    return ExitCode.FINDINGS if check and behind else ExitCode.OK


def _tell(app: App, one: Projection, *, check: bool) -> None:
    from mneme.text.visible import visible

    if not check:
        state = "wrote" if one.behind and one.text is not None else "removed" if one.behind else "unchanged:"
        room = f": {_entries(one.entries)}, {one.used} of {one.limit} bytes" if one.limit else ""
        app.say(f"mneme: {state} {one.name}{room}")
        return
    if one.behind:
        lines = [f"{one.name} is behind: {_by_what(one)}"]
        lines += [f"  + {line}" for line in one.added] + [f"  - {line}" for line in one.removed]
        put("".join(f"{visible(line)}\n" for line in lines))


def _by_what(one: Projection) -> str:
    if one.text is None:
        return "no cell speaks of its topic any more"
    if one.source is None:
        return f"it is missing, {_entries(one.added)}"
    if not one.added and not one.removed:
        return "the entries are right, their order or what stands around them is not"
    return f"{_entries(one.added)} to add, {len(one.removed)} to remove"


def _entries(found: list[str]) -> str:
    return f"{len(found)} {'entry' if len(found) == 1 else 'entries'}"


def _tell_room(app: App, one: Projection) -> None:
    if one.left_out:
        shown = ", ".join(one.left_out[:5]) + (f" and {len(one.left_out) - 5} more" if len(one.left_out) > 5 else "")
        app.say(f"mneme: {one.name}: {len(one.left_out)} left out at the limit of {one.limit} bytes: {shown}")
    elif one.nearly_full:
        share = 100 * one.used // one.limit
        app.say(f"mneme: warning: {one.name} is {share} % full ({one.used} of {one.limit} bytes)")


def _data(one: Projection) -> dict[str, Any]:
    return {
        "path": str(one.path), "kind": one.kind, "up_to_date": not one.behind, "used": one.used,
        "limit": one.limit or None, "entries": one.entries, "left_out": one.left_out, "hand_bytes": one.hand,
        "personal_left_out": one.personal_out, "nearly_full": one.nearly_full,
        "added": one.added, "removed": one.removed, "notes": one.notes,
    }  # fmt: skip
