"""MN305: superseded, by nothing."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.lint.rule import Corpus, Hit, Settings, on_workspace


@on_workspace("MN305", "no-successor")
def NO_SUCCESSOR(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A superseded cell does not say which cell replaces it, and no cell says that it does.

    Why: a reader learns that this no longer holds, and not what does.

    Bad:
        @ DEC-0001  api/limits
        gist  Page size is capped at 100
        state superseded   conf high   since 2026-10-01   seen 2026-11-01
        cue   paging

    Good:
        @ DEC-0001  api/limits
        gist  Page size is capped at 100
        state superseded   conf high   since 2026-10-01   seen 2026-11-01
        cue   paging
        link  superseded-by DEC-0002

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  supersedes DEC-0001

    Fix: none; add the link. What was dropped without a replacement is retired, not superseded.
    """
    places = corpus.by_state.get("superseded")
    if not places:
        return
    replaced = {old.cell.id for _, old, _, _ in corpus.supersessions}
    for place in places:
        cell = place.cell
        if cell.id not in replaced and not any(link.relation == "superseded-by" for link in cell.links):
            yield Hit(
                place, *cell.span("state"),
                f"{cell.id} is superseded but has no superseded-by link",
                "add a line: link  superseded-by ID",
            )  # fmt: skip
