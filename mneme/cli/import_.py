"""``mneme import``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import format_option, print_json, put_json
from mneme.cli.storing import bound_store, now, readonly_option, refuse_readonly, store_options
from mneme.errors import ExitCode, UnreadableFile

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("import")
@click.argument("file", metavar="FILE", shell_complete=complete.files)
@store_options
@click.option("--dry-run", is_flag=True, help="Check the draft, say what it holds, write nothing.")
@click.option("--no-diff", is_flag=True, help="Write insights again that are there already.")
@readonly_option
@format_option("text", "json")
@click.pass_obj
def command(
    app: App, file: str, db: str | None, store_name: str, data_dir: str, format_: str, *, dry_run: bool, no_diff: bool,
    readonly: bool,
) -> ExitCode:  # fmt: skip
    """Import a draft of insights (JSON, schema version 1; - reads standard input): they become cells, in one step.

    Everything is checked before anything is written. What a cell says already, byte for byte, is not written again;
    edges become links, also to cells that were there.

    \b
    Example:
      mneme import draft.json --dry-run
      mneme import draft.json
    """
    from mneme.bridge.import_draft import read_draft
    from mneme.cli.taken import ids_taken
    from mneme.cli.writing import git_author
    from mneme.memory.importing import ADDED, SKIPPED, import_draft
    from mneme.memory.recalling import Moment
    from mneme.memory.writer import writer_of

    if not dry_run:
        refuse_readonly("import", readonly=readonly)
    draft = read_draft(_bytes(app, file), file)
    if dry_run:
        app.say(f"mneme: {file} is sound: {len(draft.insights)} insights and {len(draft.edges)} edges; nothing written")
        if format_ == "json":
            data = {"dry_run": True, "insights": len(draft.insights), "edges": len(draft.edges)}
            print_json(app, "import", data)
        return ExitCode.OK
    bound = bound_store(app, db, store_name, data_dir)
    author = git_author(app, bound.workspace)
    done = import_draft(
        bound, draft, writer_of(app.environ, author), Moment(app.today, now(app)), compare=not no_diff,
        environ=app.environ, author=author, taken=() if bound.personal else ids_taken(app, bound.workspace),
    )  # fmt: skip
    if format_ == "json":
        from mneme.graph.go_json import dumps

        put_json(dumps(done.data()) + "\n")
    else:
        for item in done.items:
            click.echo(f"{item.id} {item.action}")
        app.say(
            f"mneme: {done.count(ADDED)} cells added to {done.path}, {done.count(SKIPPED)} were there already, "
            f"{done.edges} edges"
        )
    for note in done.notes:
        app.say(f"mneme: warning: {note}")
    if done.pruned:
        app.say(f"mneme: deleted, of other programs' insights: {', '.join(done.pruned)}")
    return ExitCode.OK


def _bytes(app: App, file: str) -> bytes:
    from mneme.cli.app import read_stdin

    if file == "-":
        return read_stdin()
    try:
        return (app.cwd / Path(file).expanduser()).read_bytes()
    except OSError as error:
        raise UnreadableFile(file, str(error.strerror), line=0) from None
