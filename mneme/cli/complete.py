"""What a shell may offer for a value: IDs, rules, states, relations, prefixes. Quiet whatever happens.

The functions fit click's ``shell_complete``; what they need is imported when a shell asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from mneme.cli.app import App
    from mneme.format.model import Cell

Offer = tuple[str, str]
"""A value, and what is said about it."""

Complete = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]


def _quiet(offers: Callable[[click.Context, str], Iterable[Offer]]) -> Complete:
    """Make a ``shell_complete`` of a function that gives all offers: those that begin as what is typed, in any case."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        given = ctx.params.get(param.name or "")
        chosen = given if isinstance(given, tuple) else ()
        start = incomplete.casefold()
        try:
            return [
                CompletionItem(value, help=said or None)
                for value, said in offers(ctx, incomplete)
                if value.casefold().startswith(start) and value not in chosen
            ]
        except Exception:  # noqa: BLE001 - whatever it is, nobody wants to read it while typing
            return []

    return complete


def _app(ctx: click.Context) -> App:
    """Return the invocation that the words typed so far would make."""
    import os
    from pathlib import Path

    from mneme.cli.app import App

    said = ctx.find_root().params
    folders = [Path(folder).expanduser() for folder in said.get("directory") or ()]
    cwd = Path.cwd().joinpath(*folders).resolve(strict=True)
    return App.from_environment(os.environ, cwd=cwd, config_file=said.get("config_file"), today=said.get("today"))


def _cells(ctx: click.Context, wanted: Callable[[Cell], bool]) -> list[Offer]:
    from mneme.format.ids import is_id
    from mneme.text.visible import visible

    app = _app(ctx)
    cells = [cell for document in app.world(()).documents for cell in document.cells]
    app.close()
    return list({cell.id: visible(cell.gist) for cell in cells if is_id(cell.id) and wanted(cell)}.items())


def cell_ids(*states: str) -> Complete:
    """Offer the IDs of cells, with their gists: those in one of ``states``, or all."""
    return _quiet(lambda ctx, _: _cells(ctx, lambda cell: not states or cell.status.state in states))


def _relations(ctx: click.Context, incomplete: str) -> Iterable[Offer]:
    from mneme.format.vocabulary import INVERSES, RELATIONS

    relation, equals, _ = incomplete.partition("=")
    if equals:
        return [(f"{relation}={cell_id}", gist) for cell_id, gist in _cells(ctx, lambda _: True)]
    return [(f"{name}=", "") for name in RELATIONS if name not in INVERSES]


def _rules(_ctx: click.Context, incomplete: str) -> Iterable[Offer]:
    from mneme.lint.rules import RULES

    before, comma, _ = incomplete.rpartition(",")
    names = [(rule.name, rule.what) for rule in RULES]
    if incomplete[len(before) + len(comma) :][:2].upper() == "MN":
        names = [(rule.code, rule.what) for rule in RULES]
    return [(f"{before}{comma}{name}", said) for name, said in names]


def _prefixes(ctx: click.Context, _incomplete: str) -> Iterable[Offer]:
    from mneme.format.vocabulary import PREFIXES

    own = {name: prefix.meaning for name, prefix in _app(ctx).workspace.config.prefixes.items()}
    used = {cell_id.partition("-")[0]: "" for cell_id, _ in _cells(ctx, lambda _: True)}
    return {**used, **PREFIXES, **own}.items()


def _states(_ctx: click.Context, _incomplete: str) -> Iterable[Offer]:
    from mneme.format.vocabulary import STATES

    return [(state, "") for state in STATES]


def _confidences(_ctx: click.Context, _incomplete: str) -> Iterable[Offer]:
    from mneme.format.vocabulary import CONFIDENCES

    return [(word, "") for word in CONFIDENCES]


relations = _quiet(_relations)
rules = _quiet(_rules)
prefixes = _quiet(_prefixes)
states = _quiet(_states)
confidences = _quiet(_confidences)


def files(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell offer files."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]
