"""The rules, one file a rule or a tight family. This tuple is the whole list: adding a rule adds a line here."""

from __future__ import annotations

from mneme.lint.rule import Rule
from mneme.lint.rules.bad_date import BAD_DATE
from mneme.lint.rules.bare_key_word import BARE_KEY_WORD
from mneme.lint.rules.cell_deleted import CELL_DELETED
from mneme.lint.rules.changed_evidence import CHANGED_EVIDENCE
from mneme.lint.rules.conflict_marker import CONFLICT_MARKER
from mneme.lint.rules.content_edited import CONTENT_EDITED
from mneme.lint.rules.contradiction import CONTRADICTION
from mneme.lint.rules.dangling_link import DANGLING_LINK
from mneme.lint.rules.dead_dependency import DEAD_DEPENDENCY
from mneme.lint.rules.detected_secret import DETECTED_SECRET
from mneme.lint.rules.duplicate_field import DUPLICATE_FIELD
from mneme.lint.rules.duplicate_id import DUPLICATE_ID
from mneme.lint.rules.extra_header_token import EXTRA_HEADER_TOKEN
from mneme.lint.rules.file_deleted import FILE_DELETED
from mneme.lint.rules.forked_supersession import FORKED_SUPERSESSION
from mneme.lint.rules.full_width_mark import FULL_WIDTH_MARK
from mneme.lint.rules.future_date import FUTURE_DATE
from mneme.lint.rules.gist_comment import GIST_COMMENT
from mneme.lint.rules.hot_memory_full import HOT_MEMORY_FULL
from mneme.lint.rules.id_reused import ID_REUSED
from mneme.lint.rules.identity_swapped import IDENTITY_SWAPPED
from mneme.lint.rules.illegal_transition import ILLEGAL_TRANSITION
from mneme.lint.rules.incomplete_link import INCOMPLETE_LINK
from mneme.lint.rules.indented_key import INDENTED_KEY
from mneme.lint.rules.instruction_text import INSTRUCTION_TEXT
from mneme.lint.rules.invisible_character import INVISIBLE_CHARACTER
from mneme.lint.rules.key_slip import KEY_SLIP
from mneme.lint.rules.leaning_gist import LEANING_GIST
from mneme.lint.rules.link_cycle import LINK_CYCLE
from mneme.lint.rules.link_removed import LINK_REMOVED
from mneme.lint.rules.live_in_archive import LIVE_IN_ARCHIVE
from mneme.lint.rules.long_body import LONG_BODY
from mneme.lint.rules.long_gist import LONG_GIST
from mneme.lint.rules.look_alike_id import LOOK_ALIKE_ID
from mneme.lint.rules.malformed_header import MALFORMED_HEADER
from mneme.lint.rules.malformed_id import MALFORMED_ID
from mneme.lint.rules.mention_left_behind import MENTION_LEFT_BEHIND
from mneme.lint.rules.missing_evidence import MISSING_EVIDENCE
from mneme.lint.rules.missing_field import MISSING_FIELD
from mneme.lint.rules.mixed_line_ends import MIXED_LINE_ENDS
from mneme.lint.rules.near_duplicate import NEAR_DUPLICATE
from mneme.lint.rules.no_cue import NO_CUE
from mneme.lint.rules.no_successor import NO_SUCCESSOR
from mneme.lint.rules.no_topic import NO_TOPIC
from mneme.lint.rules.odd_blank import ODD_BLANK
from mneme.lint.rules.one_sided_supersession import ONE_SIDED_SUPERSESSION
from mneme.lint.rules.overdue import OVERDUE
from mneme.lint.rules.pasted_blob import PASTED_BLOB
from mneme.lint.rules.personal_target import PERSONAL_TARGET
from mneme.lint.rules.proposed_too_long import PROPOSED_TOO_LONG
from mneme.lint.rules.same_number import SAME_NUMBER
from mneme.lint.rules.secret import SECRET
from mneme.lint.rules.seen_before_since import SEEN_BEFORE_SINCE
from mneme.lint.rules.seen_moved_back import SEEN_MOVED_BACK
from mneme.lint.rules.self_link import SELF_LINK
from mneme.lint.rules.several_claims import SEVERAL_CLAIMS
from mneme.lint.rules.stale_too_long import STALE_TOO_LONG
from mneme.lint.rules.successor_not_live import SUCCESSOR_NOT_LIVE
from mneme.lint.rules.suppression import UNKNOWN_SUPPRESSION, UNUSED_SUPPRESSION
from mneme.lint.rules.text_outside_cell import TEXT_OUTSIDE_CELL
from mneme.lint.rules.trailing_comment import TRAILING_COMMENT
from mneme.lint.rules.union_merge import UNION_MERGE
from mneme.lint.rules.unknown_conf import UNKNOWN_CONF
from mneme.lint.rules.unknown_importance import UNKNOWN_IMPORTANCE
from mneme.lint.rules.unknown_line import UNKNOWN_LINE
from mneme.lint.rules.unknown_prefix import UNKNOWN_PREFIX
from mneme.lint.rules.unknown_relation import UNKNOWN_RELATION
from mneme.lint.rules.unknown_state import UNKNOWN_STATE
from mneme.lint.rules.unknown_token import UNKNOWN_TOKEN
from mneme.lint.rules.unreadable import UNREADABLE_FILE

RULES: tuple[Rule, ...] = (
    UNREADABLE_FILE,
    CONFLICT_MARKER,
    MALFORMED_HEADER,
    TEXT_OUTSIDE_CELL,
    UNKNOWN_LINE,
    KEY_SLIP,
    FULL_WIDTH_MARK,
    INDENTED_KEY,
    ODD_BLANK,
    TRAILING_COMMENT,
    EXTRA_HEADER_TOKEN,
    MIXED_LINE_ENDS,
    UNKNOWN_TOKEN,
    INCOMPLETE_LINK,
    BARE_KEY_WORD,
    GIST_COMMENT,
    DUPLICATE_ID,
    MALFORMED_ID,
    LOOK_ALIKE_ID,
    SAME_NUMBER,
    UNKNOWN_PREFIX,
    MISSING_FIELD,
    DUPLICATE_FIELD,
    BAD_DATE,
    SEEN_BEFORE_SINCE,
    UNKNOWN_STATE,
    UNKNOWN_CONF,
    FUTURE_DATE,
    NO_CUE,
    NO_TOPIC,
    UNKNOWN_IMPORTANCE,
    DANGLING_LINK,
    UNKNOWN_RELATION,
    SELF_LINK,
    ONE_SIDED_SUPERSESSION,
    NO_SUCCESSOR,
    SUCCESSOR_NOT_LIVE,
    LINK_CYCLE,
    DEAD_DEPENDENCY,
    PERSONAL_TARGET,
    FORKED_SUPERSESSION,
    OVERDUE,
    STALE_TOO_LONG,
    PROPOSED_TOO_LONG,
    LIVE_IN_ARCHIVE,
    LONG_GIST,
    LEANING_GIST,
    SEVERAL_CLAIMS,
    NEAR_DUPLICATE,
    CONTRADICTION,
    LONG_BODY,
    PASTED_BLOB,
    HOT_MEMORY_FULL,
    SECRET,
    INVISIBLE_CHARACTER,
    INSTRUCTION_TEXT,
    DETECTED_SECRET,
    CONTENT_EDITED,
    CELL_DELETED,
    FILE_DELETED,
    ID_REUSED,
    ILLEGAL_TRANSITION,
    SEEN_MOVED_BACK,
    IDENTITY_SWAPPED,
    LINK_REMOVED,
    UNION_MERGE,
    MENTION_LEFT_BEHIND,
    MISSING_EVIDENCE,
    CHANGED_EVIDENCE,
    UNUSED_SUPPRESSION,
    UNKNOWN_SUPPRESSION,
)
