"""``mneme import-memory``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mneme.cli import complete
from mneme.cli.common import format_option, print_json, put, tell_unreadable
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App
    from mneme.memory.import_memory import Imported, Source
    from mneme.workspace import Workspace

_KINDS = (
    "claude-md", "claude-memory", "agents-md", "cursor", "mnemon", "memories-json", "memory-server", "beads", "adr",
    "basic-memory", "list",
)  # fmt: skip


@click.command("import-memory")
@click.argument("source", metavar="SOURCE", shell_complete=complete.files)
@click.option("--as", "kind", type=click.Choice(_KINDS), metavar="KIND",
              help=f"What SOURCE is, where its name and content do not tell: {', '.join(_KINDS)}.")  # fmt: skip
@click.option("--apply", is_flag=True, help="Write the cells. Without it they are only shown.")
@click.option("--prefix", default="", metavar="PREFIX", help="Give all cells this prefix, instead of one by the words.")
@click.option("--file", "file", metavar="FILE", shell_complete=complete.files,
              help="Write to this file instead of the configured one.")  # fmt: skip
@click.option("--personal", is_flag=True, help="Keep them to yourself: a *.local.mneme file that git ignores.")
@format_option("text", "json")
@click.pass_obj
def command(
    app: App, source: str, kind: str | None, prefix: str, file: str | None, format_: str, *, apply: bool, personal: bool
) -> ExitCode:
    """Make cells of what you have: CLAUDE.md, AGENTS.md, Cursor rules, decision records, other programs' memory.

    SOURCE is a file or a folder; it is not changed. Without --apply the cells are only shown, as they would be written.
    Where each comes from stands on its origin line. What a cell says already is not written again, so the same call may
    be repeated. Headings, code and the like are no memories: they are left out, and counted.

    \b
    Example:
      mneme import-memory CLAUDE.md
      mneme import-memory docs/adr --apply
      mneme import-memory ~/.claude/projects/my-project/memory --personal --apply
    """
    from mneme.cli.taken import ids_taken
    from mneme.cli.writing import git_author, place_of
    from mneme.memory.import_memory import Wish, import_memory, preview, read_memory
    from mneme.memory.writer import writer_of

    workspace, wanted = place_of(app, {"file": file, "personal": personal})
    found = read_memory(workspace, app.cwd / Path(source).expanduser(), kind or "", app.today)
    taken = () if wanted.personal else ids_taken(app, workspace, wanted.owner)
    wish = Wish(
        wanted, app.today, git_author(app, workspace), prefix, writer_of(app.environ).agent, taken
    )  # fmt: skip
    done = (import_memory if apply else preview)(workspace, found, wish)
    if format_ == "json":
        print_json(app, "import-memory", _data(found, done, apply=apply))
    elif not apply:
        from mneme.text.visible import visible

        put("\n".join(["".join([f"{visible(line)}\n" for line in one.text.splitlines()]) for one in done.made]))
    _tell(app, found, done, apply=apply)
    if apply:
        _tell_private(app, workspace, done)
    return tell_unreadable(app, found.reading.unreadable)


def _data(source: Source, done: Imported, *, apply: bool) -> dict[str, Any]:
    return {
        "source": source.name,
        "as": source.kind.name,
        "applied": apply,
        "cells": [
            {
                "id": one.id, "gist": one.gist, "path": one.file, "line": one.line, "text": one.text,
                "from": {"path": one.note.path, "line": one.note.line, "item": one.note.item},
            }
            for one in done.made
        ],
        "same": [
            {"id": one.id, "gist": one.gist, "from": {"path": one.note.path, "line": one.note.line}}
            for one in done.same
        ],
        "changed": list(done.touched),
        "left_out": dict(done.left_out),
        "remarks": list(done.remarks),
        "unreadable": [error.message for error in source.reading.unreadable],
    }  # fmt: skip


_MOST = 20
"""Lines of one kind that are said."""


def _tell(app: App, source: Source, done: Imported, *, apply: bool) -> None:
    from mneme.lint.secrets import secrets_in
    from mneme.text.visible import visible

    files = ", ".join(dict.fromkeys(one.file for one in done.made))
    count = f"{len(done.made)} cell{'' if len(done.made) == 1 else 's'}"
    if done.made:
        what = f"{count} written to {files}" if apply else f"{count} for {files}; --apply writes them"
    else:
        what = "nothing new"
    app.say(f"mneme: {visible(source.name)} ({source.kind.name}): {what}")
    if done.same:
        shown = ", ".join(dict.fromkeys(one.id for one in done.same[:_MOST])) + (
            ", …" if len(done.same) > _MOST else ""
        )
        app.say(f"mneme: {len(done.same)} there already: {visible(shown)}")
    if done.touched:
        app.say(f"mneme: links {'added' if apply else 'to add'} to {visible(', '.join(done.touched))}")
    if done.left_out:
        app.say("mneme: left out: " + ", ".join(f"{reason} ({count})" for reason, count in done.left_out.items()))
    for remark in done.remarks[:_MOST]:
        app.say(f"mneme: warning: {remark}")
    if len(done.remarks) > _MOST:
        app.say(f"mneme: and {len(done.remarks) - _MOST} more warnings")
    for one in done.made:
        for kind in dict.fromkeys(secret.kind for secret in secrets_in(one.text)):
            app.say(f"mneme: warning: secret: {one.id} holds what looks like this: {kind}", level=-1)


def _tell_private(app: App, workspace: Workspace, done: Imported) -> None:
    """Say whether personal files are out of git's sight."""
    from mneme.memory.privacy import keep_private
    from mneme.workspace import is_personal

    for file in dict.fromkeys(one.file for one in done.made):
        path = Path(os.path.normpath(app.cwd / file))
        if is_personal(path) or path == workspace.user_file:
            kept = keep_private(path, app.environ)
            if kept.note:
                app.say(f"mneme: {kept.note}")
            if kept.hint:
                app.say(f"  hint: {kept.hint}")
