"""``mneme review``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mneme.cli.common import format_option, print_json, tell_unreadable
from mneme.errors import ExitCode, MnemeError

if TYPE_CHECKING:
    from mneme.cli.app import App
    from mneme.history.repo import Repository
    from mneme.memory.due import Due
    from mneme.memory.links import LinkIndex
    from mneme.workspace import Workspace

KEYS = {
    "c": "confirm", "a": "accept", "s": "stale", "u": "supersede", "r": "retire", "d": "diff", "k": "skip", "q": "quit",
}  # fmt: skip


@click.command("review")
@click.option("--topic", "topics", multiple=True, metavar="GLOB", help="Only topics that match, e.g. 'storage/*'.")
@click.option("--limit", type=click.IntRange(min=1), help="At most so many cells, the worst.")
@click.option(
    "--diff-lines", type=click.IntRange(min=0), default=60, show_default=True, help="Lines of each evidence diff."
)
@format_option("text", "json")
@click.pass_obj
def command(app: App, topics: tuple[str, ...], limit: int | None, diff_lines: int, format_: str) -> ExitCode:
    """Look again at what is due, worst first: confirm, mark stale, supersede, retire, or skip.

    Due are live cells whose evidence is gone or changed since they were confirmed, live cells past their limit, stale
    cells, and proposals that wait too long. On a terminal each is shown with its reasons and asked about; elsewhere
    they are listed. --format json is for agents: text, diff of the evidence, and the command for each decision.

    \b
    Example:
      mneme review
      mneme review --limit 5 --format json
    """
    from fnmatch import fnmatchcase

    from mneme.history.repo import Repository
    from mneme.memory.due import due_cells
    from mneme.memory.links import LinkIndex
    from mneme.memory.review import due_data, due_line, judge_evidence
    from mneme.workspace import git_top

    workspace = app.workspace
    world = app.world(())
    code = tell_unreadable(app, world.unreadable)
    placed = [place for document in world.documents for place in document.placed]
    repository = Repository(app.cwd, app.environ)
    judged = judge_evidence(workspace, placed, repository, cache=app.cache)
    due = [
        entry
        for entry in due_cells(placed, judged, workspace.config, app.today)
        if not topics or any(fnmatchcase(entry.place.cell.topic, glob) for glob in topics)
    ]
    shown = due[:limit]
    if format_ == "json":
        inside = repository if git_top(workspace.root) else None
        print_json(app, "review", {"due": [due_data(entry, inside, diff_lines) for entry in shown], "total": len(due)})
        return code
    if not due:
        app.say("mneme: nothing is due")
    elif sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        _walk(app, workspace, shown, LinkIndex(placed), repository, diff_lines)
    else:
        for entry in shown:
            click.echo(due_line(entry))
        app.say(f"mneme: {len(due)} due; on a terminal mneme review asks about each, --format json is for agents")
    return code


def _walk(
    app: App, workspace: Workspace, due: list[Due], links: LinkIndex, repository: Repository, diff_lines: int
) -> None:
    """Show one after the other and do what is answered."""
    from mneme.format.trust import trust
    from mneme.memory.review import actions, due_text, evidence_diff
    from mneme.text.visible import visible

    for number, entry in enumerate(due, 1):
        cell = entry.place.cell
        trusted = trust(cell.status, app.today, workspace.config.decay_for(cell.id))
        click.echo(due_text(entry, number, len(due), links, trusted, app.today))
        possible = [*actions(entry), *(["diff"] if entry.doubts else []), "skip", "quit"]
        keys = [key for key, name in KEYS.items() if name in possible]
        while True:
            question = "  ".join(f"[{key}] {KEYS[key]}" for key in keys)
            answer = click.prompt(
                question, type=click.Choice(keys), show_choices=False, default="k", show_default=False
            )
            if answer == "q":
                return
            if answer == "d":
                for doubt in entry.doubts:
                    lines = evidence_diff(repository, doubt).splitlines() or [doubt.words]
                    click.echo("\n".join([visible(line) for line in lines[:diff_lines]]))
                    if len(lines) > diff_lines:
                        click.echo(f"… {len(lines) - diff_lines} more lines (--diff-lines)")
                continue
            try:
                if _decide(app, workspace, cell.id, KEYS[answer]):
                    break
            except MnemeError as error:
                click.echo(f"mneme: {error.message}" + (f"\n  hint: {error.hint}" if error.hint else ""))
        click.echo()


def _decide(app: App, workspace: Workspace, cell_id: str, decision: str) -> bool:
    """Do what was decided about a cell; False when nothing was."""
    from mneme.cli.taken import ids_taken
    from mneme.cli.writing import git_author
    from mneme.memory import status
    from mneme.memory.new_cell import Given
    from mneme.memory.supersede import supersede
    from mneme.memory.target import Wanted

    match decision:
        case "confirm":
            status.confirm(workspace, [cell_id], today=app.today)
        case "accept":
            status.accept(workspace, [cell_id], today=app.today)
        case "stale":
            status.set_fields(workspace, [cell_id], state="stale", today=app.today)
        case "retire":
            status.retire(workspace, [cell_id])
        case "supersede":
            gist = click.prompt("what holds now, in one line (empty: go back)", default="", show_default=False).strip()
            if not gist:
                return False
            body = click.prompt("why (one line, may be empty)", default="", show_default=False).strip()
            done = supersede(
                workspace, cell_id, Given(gist, body=(body,) if body else ()), Wanted(), today=app.today,
                author=git_author(app, workspace), taken=ids_taken(app, workspace),
            )  # fmt: skip
            click.echo(f"{done.new.id} written")
            return True
        case _:
            return True
    click.echo(f"{cell_id}: {decision}")
    return True
