"""What the commands of hot memory share: the folder, who writes, and what was taken in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from mneme.cli.app import App
    from mneme.memory.absorb import Change
    from mneme.memory.runtime import Runtime

Function = TypeVar("Function", bound=Callable[..., Any])

target_option = click.option(
    "--target", type=click.Choice(["user", "memory"]), required=True,
    help="user: USER.md, who the user is. memory: MEMORY.md, what the project knows.",
)  # fmt: skip


def data_dir_option(function: Function) -> Function:
    """Add ``--data-dir``."""
    return click.option(
        "--data-dir", metavar="DIR", default="",
        help="The folder that holds runtime/ (also MNEMON_DATA_DIR); else .mnemon in the workspace.",
    )(function)  # fmt: skip


def runtime_of(app: App, data_dir: str, *, personal: bool = False) -> Runtime:
    """Return the hot memory that the options mean."""
    from mneme.cli.storing import now
    from mneme.cli.taken import ids_taken
    from mneme.cli.writing import git_author
    from mneme.graph.places import base_folder
    from mneme.memory.hot_pen import Hand
    from mneme.memory.recalling import Moment
    from mneme.memory.runtime import Runtime
    from mneme.memory.writer import writer_of

    workspace = app.workspace
    named = str(app.cwd / Path(data_dir).expanduser()) if data_dir else ""
    author = git_author(app, workspace)
    hand = Hand(
        Moment(app.today, now(app)), writer_of(app.environ, author), author, ids_taken(app, workspace), personal
    )
    return Runtime(workspace, base_folder(named, app.environ, workspace.root), app.environ, hand)


def change_lines(changes: Iterable[Change], *, planned: bool = False) -> list[str]:
    """Return what somebody else did and what it means, a line each; ``planned``: nothing is written yet."""
    from mneme.text.visible import quote

    lines = []
    for one in changes:
        new = "a new cell" if planned else one.new_id
        text = quote(one.content, 70)
        what = {
            "added": f"{new} says what was added: {text}",
            "replaced": f"{new} supersedes {one.id}: {text}",
            "vanished": f"{one.id} gets hot no, since its entry is gone; review it: {text}",
            "weighed": f"{one.id} gets the importance {one.importance}",
            "restored": f"{one.id} is hot again: {text}",
            "aside": f"{one.id} was changed on both sides: the text counts, and {new} is proposed: {text}",
        }[one.kind]
        lines.append(f"{one.source}: {what}")
    return lines
