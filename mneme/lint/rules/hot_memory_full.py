"""MN508: hot memory is nearly full."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.config import ProjectionsConfig
from mneme.format.entry import MEMORY, USER, entry, is_hot, is_nearly_full, target_of, used_bytes, worth
from mneme.format.model import Placed
from mneme.lint.rule import Corpus, Hit, Settings, on_workspace


@on_workspace("MN508", "hot-memory-full")
def HOT_MEMORY_FULL(corpus: Corpus, settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """The entries of `USER.md` or `MEMORY.md` take 90 % of its limit or more (only with `[projections]` configured).

    The cell it points at is the one that is left out first.

    Why: what does not fit is left out of what an agent reads at every turn.

    Bad:
        @ PREF-0001  style/answers
        gist  Answers are short and name the file
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   answers
        --- mneme.toml
        [projections]
        user-limit = 50

    Good:
        @ PREF-0001  style/answers
        gist  Answers are short and name the file
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   answers
        --- mneme.toml
        [projections]
        user-limit = 500

    Fix: none; retire what no longer matters, let one cell supersede several, or `mneme set ID --hot no`.
    """
    projections = settings.config.projections
    if projections == ProjectionsConfig():
        return
    hot = [place for place in corpus.placed if is_hot(place.cell)]
    for target, name, limit in (
        (USER, "USER.md", projections.user_limit), (MEMORY, "MEMORY.md", projections.memory_limit),
    ):  # fmt: skip
        found = [(entry(place.cell), place) for place in hot if target_of(place.cell.id, settings.config) == target]
        used = used_bytes(dict.fromkeys(made.text for made, _ in found))
        if is_nearly_full(used, limit):
            least, place = max(found, key=lambda one: worth(one[0]))
            share = f"{100 * used // limit} % full" if limit else "full"
            yield Hit(
                place, *place.cell.span("id"),
                f"{name} is {share}: {used} of {limit} bytes in {len(found)} entries; {least.id} matters least",
                "retire or supersede cells, or keep some out: mneme set ID --hot no",
            )  # fmt: skip
