"""``mneme store``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mneme.cli.common import format_option, print_json, put
from mneme.cli.storing import now, readonly_option, refuse_readonly
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App
    from mneme.graph.places import Places

Function = TypeVar("Function", bound=Callable[..., Any])


def _data_dir(function: Function) -> Function:
    return click.option(
        "--data-dir", metavar="DIR", default="",
        help="The folder that holds the stores (also MNEMON_DATA_DIR); else .mnemon in the workspace.",
    )(function)  # fmt: skip


@click.group("store", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """List the graph stores, make one, choose the active one, remove one. Memory files are never touched.

    \b
    Example:
      mneme store list
      mneme store create scratch
      mneme store set scratch
    """


@command.command("list")
@_data_dir
@format_option("text", "json")
@click.pass_obj
def list_(app: App, data_dir: str, format_: str) -> ExitCode:
    """Print the stores, the active one marked with a star; those of other programs, too.

    \b
    Example:
      mneme store list
    """
    from mneme.memory.stores import listed

    found = listed(app.workspace, _places(app, data_dir))
    if format_ == "json":
        stores = [{**one._asdict(), "path": str(one.path), "trouble": one.trouble or None} for one in found]
        print_json(app, "stores", {"stores": stores})
        return ExitCode.OK
    put("".join(f"{'* ' if one.active else '  '}{one.name}\n" for one in found))
    for one in found:
        if one.trouble:
            app.say(f"mneme: warning: {one.trouble}")
    return ExitCode.OK


@command.command("create")
@click.argument("name")
@_data_dir
@readonly_option
@click.pass_obj
def create(app: App, name: str, data_dir: str, *, readonly: bool) -> ExitCode:
    """Make an empty store. [tool.mneme.stores.NAME] in the configuration says which memory files it is compiled from.

    \b
    Example:
      mneme store create scratch
    """
    from mneme.memory.stores import create as make

    refuse_readonly("store create", readonly=readonly)
    path = make(app.workspace, _places(app, data_dir), name, now=now(app))
    app.say(f"mneme: store {name} made: {app.workspace.display(path)}")
    return ExitCode.OK


@command.command("set")
@click.argument("name")
@_data_dir
@readonly_option
@click.pass_obj
def set_(app: App, name: str, data_dir: str, *, readonly: bool) -> ExitCode:
    """Make a store the active one: what commands take when none is named.

    \b
    Example:
      mneme store set default
    """
    from mneme.memory.stores import set_active

    refuse_readonly("store set", readonly=readonly)
    set_active(app.workspace, _places(app, data_dir), name, now=now(app))
    app.say(f"mneme: store {name} is the active one")
    return ExitCode.OK


@command.command("remove")
@click.argument("name")
@_data_dir
@readonly_option
@click.pass_obj
def remove(app: App, name: str, data_dir: str, *, readonly: bool) -> ExitCode:
    """Delete a store that is not the active one. What cells say is in the text, and stays.

    \b
    Example:
      mneme store remove scratch
    """
    from mneme.memory.stores import remove as delete

    refuse_readonly("store remove", readonly=readonly)
    delete(_places(app, data_dir), name)
    app.say(f"mneme: store {name} removed")
    return ExitCode.OK


def _places(app: App, data_dir: str) -> Places:
    from mneme.graph.places import Places, base_folder

    folder = str(app.cwd / Path(data_dir).expanduser()) if data_dir else ""
    return Places(base_folder(folder, app.environ, app.workspace.root))
