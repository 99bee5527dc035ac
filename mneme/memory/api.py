"""The Python API: the verbs an agent thinks in, over a workspace's text and the store that is compiled from it.

    from mneme import Memory

    memory = Memory("path/to/project")
    memory.remember("Sessions end after 30 minutes", category="decision", tags=["auth"])
    for hit in memory.recall("when do sessions end").answer.hits:
        print(hit.id, hit.insight.content)

What the verbs return are frozen values; text is written by the same functions that the commands call, and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mneme.bridge.bound import BoundStore
from mneme.errors import UsageError
from mneme.workspace import Workspace, git_top

if TYPE_CHECKING:
    from mneme.bridge.compiling import Outcome
    from mneme.bridge.embedding import Asker
    from mneme.graph.model import Insight
    from mneme.graph.store import Operation
    from mneme.memory.briefing import Brief
    from mneme.memory.forget import Forgotten
    from mneme.memory.importing import Imported
    from mneme.memory.link import Linked
    from mneme.memory.recalling import Known, Listed, Moment, Recalled
    from mneme.memory.remember import Remembered
    from mneme.memory.retention import Retained, Survey
    from mneme.memory.store_report import Status


class Memory:
    """The memory of the workspace around ``folder``.

    ``db`` names a store by its file, ``store`` and ``data_dir`` by name and place, as the options of the same names do.
    With ``readonly`` nothing is written, and use is not counted. ``environ``, ``today`` and ``clock`` stand for the
    process's environment, the person's day, and the time (UTC); tests give their own.

    Raises:
        ConfigError: the workspace's configuration cannot be used.
        UsageError: no store can be called so.
    """

    def __init__(
        self,
        folder: str | Path = ".",
        *,
        db: str | Path | None = None,
        store: str = "",
        data_dir: str | Path = "",
        readonly: bool = False,
        environ: Mapping[str, str] | None = None,
        today: date | None = None,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        self._environ = os.environ if environ is None else environ
        self._today = today
        self._clock = clock
        self.readonly = readonly
        home = self._environ.get("HOME") or self._environ.get("USERPROFILE")
        self.workspace = Workspace.find(Path(folder).resolve(), home=Path(home) if home else None)
        """The workspace: root folder and configuration."""
        if db is not None:
            if store or data_dir:
                raise UsageError("db names a file: store and data_dir have no meaning with it")
            self.store = BoundStore.named(self.workspace, Path(db).absolute())
        else:
            self.store = BoundStore.chosen(
                self.workspace, self._environ, data_dir=str(data_dir and Path(data_dir).absolute()), store=store
            )
        """The store, bound to the files that it is compiled from."""

    @cached_property
    def _asker(self) -> Asker:
        """What embeds questions: one for all of them, since a model is loaded once."""
        from mneme.bridge.embedding import Asker

        return Asker(self._environ)

    # --- reading ----------------------------------------------------------------------------------------

    def recall(
        self,
        *questions: str,
        limit: int = 10,
        category: str = "",
        source: str = "",
        intent: str = "",
        everything: bool = False,
        ranker: str = "",
        attach: int = 0,
        min_confidence: float | None = None,
    ) -> Recalled:
        """Return what memory holds about ``questions``: one answer that says which hit serves which question.

        ``limit`` is at least 1; ``everything`` admits proposed, retired and archived cells; ``attach`` hangs so many
        linked cells at most on each hit; below ``min_confidence`` (0 to 1) the answer is empty.

        Raises:
            UsageError: nothing is asked, or there is no such intent, ranker or limit.
            StoreError: the store cannot be read.
        """
        from mneme.memory.recalling import Asking, count_access, recall

        asked = [question for question in questions if question.strip()]
        if not asked:
            raise UsageError("nothing is asked", "give a question")
        asking = Asking(limit, category, source, intent, everything, ranker, attach, min_confidence, asker=self._asker)
        found = recall(self.store, asked, asking, self._moment)
        if not self.readonly:
            for part, _ in found.standings:
                count_access(part, [key for key, holder in found.holders.items() if holder is part], self._moment.now)
        return found

    def search(self, words: str, *, limit: int = 10, everything: bool = False) -> Listed:
        """Return the insights that hold most of ``words``, without ranking beyond that.

        Raises:
            UsageError: ``limit`` is below 1.
            StoreError: the store cannot be read.
        """
        from mneme.memory.recalling import count_access, search

        listed = search(self.store, words, limit=limit, everything=everything, moment=self._moment)
        if not self.readonly:
            count_access(self.store, [one.insight.id for one in listed.found], self._moment.now)
        return listed

    def related(self, insight_id: str, *, edge_type: str = "", depth: int = 2, everything: bool = False) -> Listed:
        """Return what is at most ``depth`` edges away from an insight, the near first.

        Raises:
            UsageError: there is no such insight or edge type, or ``depth`` is below 1.
        """
        from mneme.memory.recalling import related

        return related(
            self.store, insight_id, edge_type=edge_type, depth=depth, everything=everything, moment=self._moment
        )

    def show(self, insight_id: str) -> tuple[Insight, Known]:
        """Return one active insight whole, and what is known of it.

        Raises:
            UsageError: there is none of that ID.
        """
        from mneme.memory.recalling import count_access, insight

        found, known, _ = insight(self.store, insight_id, self._moment)
        if not self.readonly:
            count_access(self.store, [insight_id], self._moment.now)
        return found, known

    def status(self) -> Status:
        """Return counts, with the engine's keys and ours."""
        from mneme.memory.store_report import status

        return status(self.store, today=self._moment.today, now=self._moment.now)

    def brief(self, size: int = 2000) -> Brief:
        """Return the cells worth most in at most ``size`` bytes: what must survive a compaction."""
        from mneme.memory.briefing import brief

        return brief(self.store, size, today=self._moment.today, now=self._moment.now)

    def survey(self) -> Survey:
        """Return every insight with what it is worth, for ``gc``."""
        from mneme.memory.retention import survey

        return survey(self.store, today=self._moment.today, now=self._moment.now)

    def log(self, limit: int = 20) -> list[Operation]:
        """Return what was done to the store, the newest first."""
        from mneme.memory.store_report import operations

        return operations(self.store, limit)

    # --- writing ----------------------------------------------------------------------------------------

    def remember(
        self,
        text: str,
        *,
        category: str = "general",
        importance: int | None = None,
        tags: Sequence[str] = (),
        entities: Sequence[str] = (),
        entity_mode: str = "merge",
        source: str = "",
        topic: str = "",
        cues: Sequence[str] = (),
        personal: bool = False,
        compare: bool = True,
    ) -> Remembered:
        """Write ``text`` as a cell and compile it; what is there already, byte for byte, is not written again.

        ``importance`` is 1 to 5; ``entity_mode`` is merge, provided or auto; ``compare=False`` looks for nothing alike.

        Raises:
            UsageError: readonly, or a value that cannot be written, or a store without text.
            MnemeError: a file cannot be read or written; then nothing was.
        """
        from mneme.memory.memo import Memo
        from mneme.memory.prune import Limits
        from mneme.memory.remember import remember
        from mneme.memory.writer import writer_of

        self._refuse("remember")
        memo = Memo(
            text, category, importance, tuple(tags), tuple(entities), entity_mode, source, topic, tuple(cues),
            personal, compare,
        )  # fmt: skip
        return remember(
            self.store, memo, writer_of(self._environ, self._author), self._moment, author=self._author,
            taken=() if personal or self.store.personal else self._taken(), limits=Limits.of(self._environ),
        )  # fmt: skip

    def link(
        self,
        source: str,
        target: str,
        *,
        edge_type: str = "semantic",
        weight: float | None = None,
        meta: Mapping[str, str] | None = None,
    ) -> Linked:
        """Link two cells, in the text and in the store; a pair that is linked so already gets the other weight.

        Raises:
            UsageError: readonly, no such active cell or type, a weight outside of 0 to 1.
            MnemeError: a file cannot be read or written; then nothing was.
        """
        from mneme.memory.link import link

        self._refuse("link")
        return link(self.store, source, target, self._moment, edge_type=edge_type, weight=weight, meta=meta)

    def forget(self, cell_id: str) -> Forgotten:
        """Retire a cell: the text keeps it, recall does not.

        Raises:
            UsageError: readonly, or there is no such active cell.
            MnemeError: a file cannot be read or written; then nothing was.
        """
        from mneme.memory.forget import forget

        self._refuse("forget")
        return forget(self.store, cell_id, self._moment)

    def import_draft(self, draft: bytes, *, compare: bool = True) -> Imported:
        """Write a draft of insights (JSON, schema 1) as cells, all of them or none, and compile them.

        What a cell says already, byte for byte, is not written again, unless ``compare`` is false.

        Raises:
            UsageError: readonly, it is no draft (names the item by its index), or a store without text.
            MnemeError: a file cannot be read or written; then nothing was.
        """
        from mneme.bridge.import_draft import read_draft
        from mneme.memory.importing import import_draft
        from mneme.memory.writer import writer_of

        self._refuse("import")
        return import_draft(
            self.store, read_draft(draft, "the draft"), writer_of(self._environ, self._author), self._moment,
            compare=compare, environ=self._environ, author=self._author,
            taken=() if self.store.personal else self._taken(),
        )  # fmt: skip

    def keep(self, insight_id: str) -> Retained:
        """Count three more uses of an insight, so that nothing proposes to drop it.

        Raises:
            UsageError: readonly, or there is no such active insight.
            MnemeError: the count cannot be written.
        """
        from mneme.memory.retention import keep

        self._refuse("keep")
        return keep(self.store, insight_id, today=self._moment.today, now=self._moment.now)

    def compile(self, *, check: bool = False, rebuild: bool = False, accept: Sequence[str] = ()) -> Outcome:
        """Bring the store up to date with its text, personal cells not included; ``check`` only looks.

        Raises:
            UsageError: readonly without ``check``, or a store without text.
            MnemeError: the store cannot be written, or content was edited outside of git.
        """
        from mneme.bridge.compiling import compile_store

        if not check:
            self._refuse("compile")
        return compile_store(
            self.store, today=self._moment.today, now=self._moment.now, check=check, rebuild=rebuild, accept=accept
        )

    # --- what the verbs are told -------------------------------------------------------------------------

    @property
    def _moment(self) -> Moment:
        from mneme.memory.recalling import Moment

        now = self._clock() if self._clock else datetime.now(UTC)
        # Without a day given, the person's own calendar day is meant.
        return Moment(self._today or date.today(), now.replace(microsecond=0))  # noqa: DTZ011

    @cached_property
    def _git(self) -> Callable[[], str]:
        from mneme.memory.privacy import Git

        return Git(self.workspace.root, self._environ).author

    def _author(self) -> str:
        return self._git()

    def _taken(self) -> frozenset[str]:
        from mneme.memory.taken import taken
        from mneme.text.cachefile import cache_folder

        if self.workspace.config.ids == "random" or git_top(self.workspace.root) is None:
            return frozenset()
        return taken(self.workspace, self._environ, cache_folder(self._environ, self.workspace.home)).ids

    def _refuse(self, action: str) -> None:
        if self.readonly:
            raise UsageError(f"{action} is unavailable: this memory was opened readonly", "open it without readonly")
