"""MN309: a shared cell that leads into somebody's own file."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.lint.rule import Corpus, Hit, Settings, on_workspace
from mneme.lint.rules._links import target_span


@on_workspace("MN309", "personal-target")
def PERSONAL_TARGET(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A shared cell links to a personal one.

    Why: for everybody else the link leads nowhere, and it tells them of a cell that is not theirs.

    Bad:
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  relates PREF-0001
        --- me.local.mneme
        @ PREF-0001  me/style
        gist  Short answers, figures first
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   answers

    Good:
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        --- me.local.mneme
        @ PREF-0001  me/style
        gist  Short answers, figures first
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   answers
        link  relates DEC-0002

    Fix: none; link from the personal cell to the shared one, never the other way.
    """
    personal = {id(document) for document in corpus.documents if document.personal}
    if not personal:
        return
    for place in corpus.linked:
        if id(place.document) in personal:
            continue
        for index, link in enumerate(place.cell.links):
            target = corpus.by_id.get(link.target)
            if target is not None and id(target.document) in personal:
                yield Hit(
                    place, *target_span(place.cell, index),
                    f"{place.cell.id} is shared and links to {link.target}, which is personal",
                    "link the other way, or move that cell into a shared file",
                )  # fmt: skip
