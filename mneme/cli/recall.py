"""``mneme recall``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mneme.cli.common import put, put_json
from mneme.cli.storing import bound_store, now, store_options, tell_standing
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mneme.bridge.bound import BoundStore
    from mneme.cli.app import App
    from mneme.memory.recalling import Asking, Moment, Recalled
    from mneme.recall.result import Hit


@click.command("recall", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, required=True, metavar="QUESTION...")
@store_options
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="How many hits at most.")
@click.option("--cat", "category", default="", metavar="CATEGORY", help="Only this category, e.g. decision.")
@click.option("--source", default="", metavar="NAME", help="Only what is from this source: user, agent, ...")
@click.option("--intent", default="", metavar="INTENT", help="WHY, WHEN, ENTITY or GENERAL, instead of what is read.")
@click.option("--all", "everything", is_flag=True, help="Proposed, retired and archived cells, too.")
@click.option("--ranker", default="", metavar="NAME", help="How to rank: magma is the engine's own arithmetic.")
@click.option(
    "--attach",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Tell up to N linked cells with each hit, causes first, instead of beside it.",
)
@click.option(
    "--pin",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Tell up to N standing rules (PREF) after the hits: those nearest to what is asked.",
)
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    metavar="0-1",
    help="Answer nothing when the chance that this is an answer is less; 0 always answers.",
)
@click.option("--basic", is_flag=True, help="What holds the question as it stands, without ranking.")
@click.option("--verbose", is_flag=True, help="JSON: whole insights and their signals.")
@click.option("--brief", is_flag=True, help="JSON on one line: the piece of each hit that the question is about.")
@click.option(
    "--excerpt-chars",
    type=click.IntRange(min=1),
    default=240,
    show_default=True,
    help="How long such a piece is at most.",
)
@click.option("--readonly", is_flag=True, help="Do not count which cells were used.")
@click.option("--smart", is_flag=True, hidden=True)
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)
@click.pass_obj
def command(app: App, /, words: tuple[str, ...], format_: str, **options: Any) -> ExitCode:
    """Recall what memory holds about a question, best first, from the compiled store.

    Words make one question; when an argument holds several words, each argument is a question of its own, and one
    answer serves them all: take a long task apart like this. Questions are text and never syntax. Each hit says how
    far to trust it. Cells that changed since the last compile are taken from the text, so an answer is never old;
    without a store everything is. For a why-question, causes come before their effects. Nothing found is exit code 0
    and a line on standard error.

    \b
    Example:
      mneme recall why do we lock the folder
      mneme recall "page size limits" "who may call the export" --attach 2
      mneme recall 并发写入 --format json
    """
    from mneme.bridge.embedding import Asker
    from mneme.memory.recalling import Asking, Moment

    if options["brief"] and options["verbose"]:
        raise UsageError("--brief and --verbose contradict each other", "choose one of them")
    questions = _questions(words)
    if not questions:
        raise UsageError("nothing is asked", "give a question, or words of it")
    bound = bound_store(app, options["db"], options["store_name"], options["data_dir"])
    asking = Asking(
        options["limit"], options["category"], options["source"], options["intent"], options["everything"],
        options["ranker"], options["attach"], options["min_confidence"],
        Asker(app.environ), pin=options["pin"],
    )  # fmt: skip
    moment = Moment(app.today, now(app))
    if options["brief"] or options["verbose"]:
        format_ = "json"
    if options["basic"]:
        return _basic(app, bound, " ".join(words), asking, moment, options, format_)
    return _recall(app, bound, questions, asking, moment, options, format_)


def _questions(words: Sequence[str]) -> list[str]:
    """Return the questions: words are one; arguments that hold blanks, as one quotes them, are one each."""
    given = [word for word in words if word.strip()]
    return given if any(len(word.split()) > 1 for word in given) else [" ".join(given)] if given else []


def _recall(
    app: App, bound: BoundStore, questions: list[str], asking: Asking, moment: Moment, options: dict[str, Any],
    format_: str,
) -> ExitCode:  # fmt: skip
    from mneme.graph.go_json import dumps
    from mneme.memory.recalling import count_access, lines, recall
    from mneme.recall import forms

    found = recall(bound, questions, asking, moment)
    hits = found.answer.hits
    if format_ == "text":
        printed = lines([(hit.insight, found.known[hit.id], _note(hit, len(questions))) for hit in hits])
        for line, hit in zip(printed, hits, strict=True):
            put(f"{line}\n")
            hanging = [(one.insight, found.known[one.insight.id], f"<- {one.relation}") for one in hit.attached]
            put("".join([f"    {below}\n" for below in lines(hanging)]))
        if all(hit.via == "pinned" for hit in hits):
            app.say("mneme: nothing here is about that")
    elif options["brief"]:
        value = forms.brief(
            found.answer, " ".join(questions), characters=options["excerpt_chars"], extras=found.extras(questions)
        )
        put_json(dumps(_meta(value, found), indent=False, html=False) + "\n")
    else:
        form = forms.verbose if options["verbose"] else forms.compact
        put_json(dumps(_meta(form(found.answer, found.extras(questions)), found)) + "\n")
    code = max((tell_standing(app, part, standing) for part, standing in found.standings), default=ExitCode.OK)
    if not options["readonly"]:
        for part, _ in found.standings:
            count_access(part, [hit.id for hit in hits if found.holders[hit.id] is part], moment.now)
    return code


def _basic(
    app: App, bound: BoundStore, question: str, asking: Asking, moment: Moment, options: dict[str, Any], format_: str
) -> ExitCode:  # fmt: skip
    from mneme.graph.go_json import dumps
    from mneme.memory.recalling import basic, count_access, lines
    from mneme.recall import forms

    listed = basic(bound, question, asking, moment)
    if format_ == "text":
        put("".join([f"{line}\n" for line in lines([(one, listed.known[one.id], "") for one in listed.found])]))
        if not listed.found:
            app.say("mneme: nothing holds that")
    elif options["brief"]:
        value = forms.brief_basic(listed.found, question, asking.limit, characters=options["excerpt_chars"])
        put_json(dumps(value, indent=False, html=False) + "\n")
    else:
        put_json(dumps(forms.basic(listed.found)) + "\n")
    code = tell_standing(app, bound, listed.standing)
    if not options["readonly"]:
        count_access(bound, [one.id for one in listed.found], moment.now)
    return code


def _note(hit: Hit, asked: int) -> str:
    """Return what there is to say on a hit's line besides itself."""
    from mneme.text.visible import visible

    notes = []
    if asked > 1 and hit.serves:
        notes.append(f"answers {', '.join(str(number + 1) for number in hit.serves)}")
    if hit.rivals:
        notes.append(f"contradicted by {', '.join(map(visible, hit.rivals))}")
    if hit.via == "pinned":
        notes.append("standing rule")
    if hit.path:
        step = hit.path[-1]
        notes.append(f"by {visible(step.edge.metadata.get('sub_type') or step.edge.type)} from {visible(step.origin)}")
    return f"<- {'; '.join(notes)}" if notes else ""


def _meta(value: dict[str, Any], found: Recalled) -> dict[str, Any]:
    """Add how likely it is that the question is answered at all, where the ranker can tell."""
    if found.answer.answerable is None:
        return value
    return {**value, "meta": {**value.get("meta", {}), "answerable": round(found.answer.answerable, 3)}}
