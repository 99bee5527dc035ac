"""Recall, search and related over a store and its text: hits with all that a reader must know before relying on one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from mneme.bridge.bound import BoundStore
from mneme.bridge.reading import Standing, reading
from mneme.format.dates import parse_date
from mneme.format.model import CellState
from mneme.format.trust import HISTORY, Trust, trust
from mneme.graph.model import Insight
from mneme.graph.view import Scope
from mneme.recall.labels import hint
from mneme.recall.result import Answer, CellFacts, Hit

if TYPE_CHECKING:
    from mneme.bridge.embedding import Asker
    from mneme.graph.store import CellRow, Reader
    from mneme.recall.search import Found, Near

Result = TypeVar("Result")

PEER_STATE = "peer"
"""Shown in the place of a state for an insight that no cell made."""


class Known(NamedTuple):
    """What is known of an insight besides itself. ``cell`` is None for one that another program wrote.

    ``age`` is in days since it was last confirmed, None when that cannot be told.
    """

    cell: CellRow | None
    trust: Trust
    age: int | None

    def data(self) -> dict[str, Any]:
        """Return the keys that we add to the engine's own."""
        if self.cell is None:
            return {"state": None, "conf": None, "seen": None, "age_days": self.age, "trust": self.trust.word,
                    "verify": self.trust.reason or None}  # fmt: skip
        cell = self.cell
        return {
            "state": cell.state, "gist": cell.gist, "topic": cell.topic, "file": cell.path, "conf": cell.conf or "med",
            "seen": cell.seen, "age_days": self.age, "trust": self.trust.word, "verify": self.trust.reason or None,
        }  # fmt: skip


class Recalled(NamedTuple):
    """An answer, what is known of each insight in it, and how each store that was asked stood to its text."""

    answer: Answer
    known: Mapping[str, Known]
    standings: tuple[tuple[BoundStore, Standing], ...]
    holders: Mapping[str, BoundStore]
    """For each hit the store that it came from."""

    def extras(self, questions: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return by ID what is added to the engine's keys: how far to trust a hit, and why it is there."""
        return {hit.id: {**self.known[hit.id].data(), **self._why(hit, questions)} for hit in self.answer.hits}

    def _why(self, hit: Hit, questions: Sequence[str]) -> dict[str, Any]:
        path = [
            {"from": step.origin, "to": step.target, "edge_type": step.edge.type,
             "sub_type": step.edge.metadata.get("sub_type")}
            for step in hit.path
        ]  # fmt: skip
        why: dict[str, Any] = {
            "matched_words": list(hit.words), "matched_cue": hit.cue or None, "path": path,
            "contradicted_by": list(hit.rivals),
        }  # fmt: skip
        if len(questions) > 1:
            why["answers"] = [questions[number] for number in hit.serves]
        if hit.attached:
            why["attached"] = [
                {"id": one.insight.id, "relation": one.relation, "content": one.insight.content,
                 **self.known[one.insight.id].data()}
                for one in hit.attached
            ]  # fmt: skip
        return why


class Asking(NamedTuple):
    """How a question is asked; see :func:`mneme.recall.pipeline.recall`. Without ``asker`` words alone count."""

    limit: int = 10
    category: str = ""
    source: str = ""
    intent: str = ""
    everything: bool = False
    ranker: str = ""
    attach: int = 0
    min_confidence: float | None = None
    asker: Asker | None = None
    pin: int = 0


class Moment(NamedTuple):
    """The day to judge trust by, and the time to write down."""

    today: date
    now: datetime


def recall(bound: BoundStore, questions: Sequence[str], asking: Asking, moment: Moment) -> Recalled:
    """Return what memory holds about ``questions``, best first; of the default store with the personal one beside it.

    Raises:
        UsageError: an intent, ranker or limit that there is not.
        StoreError: a store that cannot be read.
    """
    from mneme.recall.answerable import THRESHOLD
    from mneme.recall.pins import pinned
    from mneme.recall.pipeline import DEFAULT_RANKER
    from mneme.recall.pipeline import recall as ask

    scope = Scope(asking.category, asking.source, asking.everything)
    least = THRESHOLD if asking.min_confidence is None else asking.min_confidence

    def work(reader: Reader) -> tuple[Answer, dict[str, CellRow], list[Hit]]:
        view = reader.view(scope)
        answer = ask(
            view, questions, intent=asking.intent, limit=asking.limit,
            ranker=asking.ranker or DEFAULT_RANKER, facts=Facts(reader), attach=asking.attach, min_confidence=0,
            embed=asking.asker.for_store(reader) if asking.asker is not None else None,
        )  # fmt: skip
        rules = pinned(view, questions, asking.pin)
        return answer, {row.id: row for row in reader.cells(_shown([*answer.hits, *rules]))}, rules

    parts = _each(bound, work, moment)
    answers = [answer for _, (answer, _, _), _ in parts]
    rows = {key: row for _, (_, found, _), _ in parts for key, row in found.items()}
    holders = {hit.id: part for part, (answer, _, rules), _ in reversed(parts) for hit in (*answer.hits, *rules)}
    merged = _merged(answers, asking.limit)
    if merged.answerable is not None and merged.answerable < least:
        merged = merged._replace(hits=(), hint=hint(0, asking.limit))
    there = {hit.id for hit in merged.hits}
    rules = [rule for _, (_, _, found), _ in parts for rule in found if rule.id not in there]
    merged = merged._replace(hits=(*merged.hits, *rules[: asking.pin]))
    shown = {one.id: one for hit in merged.hits for one in (hit.insight, *(other.insight for other in hit.attached))}
    known = {key: _known(bound, one, rows.get(key), moment.today) for key, one in shown.items()}
    standings = tuple((part, standing) for part, _, standing in parts)
    return Recalled(merged, known, standings, {hit.id: holders[hit.id] for hit in merged.hits})


def _each(
    bound: BoundStore, work: Callable[[Reader], Result], moment: Moment
) -> list[tuple[BoundStore, Result, Standing]]:
    """Return what ``work`` finds in a store and, of the default one, in the personal store that goes with it."""
    stores = [bound]
    sibling = bound.sibling()
    if sibling is not None and (sibling.path.exists() or sibling.files(None)):
        stores.append(sibling)
    return [(one, *reading(one, work, today=moment.today, now=moment.now)) for one in stores]


def _merged(answers: Sequence[Answer], limit: int) -> Answer:
    """Return one answer: hits of several stores by score, the order of each kept; shared memory first on a tie."""
    first, *others = answers
    if not any(other.hits for other in others):
        return first
    queues = [list(answer.hits) for answer in answers]
    hits: list[Hit] = []
    while len(hits) < limit and any(queues):
        queue = max((queue for queue in queues if queue), key=lambda queue: queue[0].score)
        hits.append(queue.pop(0))
    told = [answer.answerable for answer in answers if answer.answerable is not None]
    return first._replace(
        hits=tuple(hits),
        anchor_count=sum(answer.anchor_count for answer in answers),
        traversed=sum(answer.traversed for answer in answers),
        hint=first.hint if len(hits) < limit else "",
        answerable=max(told) if told else None,
    )


class Facts(Mapping[str, CellFacts]):
    """What cells say of themselves, looked up when a ranker asks: it decides between two that contradict each other."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._found: dict[str, CellFacts | None] = {}

    def __getitem__(self, key: str) -> CellFacts:
        """Return what the cell ``key`` says.

        Raises:
            KeyError: no cell made it.
        """
        if key not in self._found:
            rows = self._reader.cells([key])
            against = tuple(sorted(self._reader.marked_against(key)))
            self._found[key] = CellFacts(rows[0].state, rows[0].conf, rows[0].seen, against) if rows else None
        facts = self._found[key]
        if facts is None:
            raise KeyError(key)
        return facts

    def __iter__(self) -> Iterator[str]:
        """Iterate over the IDs of all cells."""
        return iter([row.id for row in self._reader.stood()])

    def __len__(self) -> int:
        """Return how many cells there are."""
        return len(self._reader.stood())


def _shown(hits: Sequence[Hit]) -> list[str]:
    return [one.id for hit in hits for one in (hit.insight, *(other.insight for other in hit.attached))]


def _known(bound: BoundStore, insight: Insight, row: CellRow | None, today: date) -> Known:
    if row is None:
        seen = parse_date((insight.last_accessed_at or insight.created_at)[:10])
        word = Trust(HISTORY) if insight.deleted_at else Trust("verify", "not from this project's text")
        return Known(None, word, None if seen is None else (today - seen).days)
    decay = bound.workspace.config.decay_for(row.id)
    judged = trust(CellState(row.state, row.conf, row.seen), today, decay)
    seen = parse_date(row.seen)
    return Known(row, judged, None if seen is None else (today - seen).days)


def lines(hits: Sequence[tuple[Insight, Known, str]]) -> list[str]:
    """Return one line a hit: ID, state, gist, topic, how far to trust it; then a note. Nothing in it is hidden."""
    from mneme.text.visible import visible

    states = [known.cell.state if known.cell else PEER_STATE for _, known, _ in hits]
    widths = (
        max((len(visible(insight.id)) for insight, _, _ in hits), default=0),
        max((len(visible(state)) for state in states), default=0),
    )
    printed = []
    for (insight, known, note), state in zip(hits, states, strict=True):
        cell = known.cell
        gist = cell.gist if cell else insight.content.strip().partition("\n")[0]
        topic = cell.topic if cell else insight.category
        line = f"{visible(insight.id):<{widths[0]}}  {visible(state):<{widths[1]}}  {visible(gist)}  [{visible(topic)}]"
        printed.append(f"{line}  ({', '.join(_trust_words(known))}){f'  {note}' if note else ''}")
    return printed


def _trust_words(known: Known) -> Iterator[str]:
    from mneme.text.visible import visible

    yield f"{known.trust.word}: {visible(known.trust.reason)}" if known.trust.reason else known.trust.word
    if known.cell is not None:
        yield f"conf {visible(known.cell.conf or 'med')}"
    if known.age is not None:
        yield (
            "seen today" if known.age == 0 else f"seen {known.age} d ago" if known.age > 0 else f"{-known.age} d ahead"
        )


# --- search, related --------------------------------------------------------------------------------------------


class Listed(NamedTuple):
    """Insights that were found, with what is known of each, and how the store stood to its text."""

    found: tuple[Any, ...]
    known: Mapping[str, Known]
    standing: Standing


def search(bound: BoundStore, text: str, *, limit: int, everything: bool, moment: Moment) -> Listed:
    """Return the insights that hold most of the words of ``text`` (:func:`mneme.recall.search.search`)."""
    from mneme.recall.search import search as look

    def work(reader: Reader) -> tuple[list[Found], dict[str, CellRow]]:
        found = look(reader.view(Scope(every_state=everything)), text, limit=limit)
        return found, _rows(reader, [one.insight.id for one in found])

    (found, rows), standing = reading(bound, work, today=moment.today, now=moment.now)
    known = {one.insight.id: _known(bound, one.insight, rows.get(one.insight.id), moment.today) for one in found}
    return Listed(tuple(found), known, standing)


def basic(bound: BoundStore, text: str, asking: Asking, moment: Moment) -> Listed:
    """Return the insights whose content holds ``text`` as it stands."""
    from mneme.recall.search import basic as look

    scope = Scope(asking.category, asking.source, asking.everything)

    def work(reader: Reader) -> tuple[list[Insight], dict[str, CellRow]]:
        found = look(reader.view(scope), text, limit=asking.limit)
        return found, _rows(reader, [one.id for one in found])

    (found, rows), standing = reading(bound, work, today=moment.today, now=moment.now)
    known = {one.id: _known(bound, one, rows.get(one.id), moment.today) for one in found}
    return Listed(tuple(found), known, standing)


def related(bound: BoundStore, start: str, *, edge_type: str, depth: int, everything: bool, moment: Moment) -> Listed:
    """Return what is at most ``depth`` edges away from ``start`` (:func:`mneme.recall.search.related`)."""
    from mneme.recall.search import related as look

    def work(reader: Reader) -> tuple[list[Near], dict[str, CellRow]]:
        found = look(reader.view(Scope(every_state=everything)), start, edge_type=edge_type, depth=depth)
        return found, _rows(reader, [one.insight.id for one in found])

    (found, rows), standing = reading(bound, work, today=moment.today, now=moment.now)
    known = {one.insight.id: _known(bound, one.insight, rows.get(one.insight.id), moment.today) for one in found}
    return Listed(tuple(found), known, standing)


def insight(bound: BoundStore, insight_id: str, moment: Moment) -> tuple[Insight, Known, Standing]:
    """Return one active insight whole.

    Raises:
        UsageError: there is none of that ID.
    """
    from mneme.errors import UsageError

    def work(reader: Reader) -> tuple[Insight | None, dict[str, CellRow]]:
        return reader.insights([insight_id], deleted=False).get(insight_id), _rows(reader, [insight_id])

    (found, rows), standing = reading(bound, work, today=moment.today, now=moment.now)
    if found is None:
        raise UsageError(f"insight {insight_id} not found, or deleted", "`mneme search` finds insights by their words")
    return found, _known(bound, found, rows.get(insight_id), moment.today), standing


def _rows(reader: Reader, ids: Iterable[str]) -> dict[str, CellRow]:
    return {row.id: row for row in reader.cells(ids)}


def count_access(bound: BoundStore, ids: Sequence[str], now: datetime) -> None:
    """Note that insights were handed out: best effort, beside the stores and never in them."""
    if bound.usage is not None and bound.name and ids:
        from mneme.graph.usage import record

        record(bound.usage, bound.name, ids, now.strftime("%Y-%m-%dT%H:%M:%SZ"))
