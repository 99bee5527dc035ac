"""MN301: a link to a cell that is not there."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.lint.rule import Corpus, Hit, Settings, on_workspace
from mneme.lint.rules._links import meant, target_span


@on_workspace("MN301", "dangling-link")
def DANGLING_LINK(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A link names a cell that none of the checked files holds.

    Why: whoever follows the link finds nothing, and the number it names is taken for good.

    Bad:
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  relates DEC-0001

    Good:
        @ DEC-0001  api/style
        gist  List endpoints are paged
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   lists

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  relates DEC-0001

    Fix: none; add the right link, or check the file that holds the cell too.
    """
    known = corpus.by_id
    for place in corpus.linked:
        for index, link in enumerate(place.cell.links):
            target = link.target
            if target not in known:
                near = meant(target, corpus)
                yield Hit(
                    place, *target_span(place.cell, index),
                    f"link {link.relation} {target}: target not found",
                    f"did you mean {near}?" if near else "no checked file holds that cell",
                )  # fmt: skip
