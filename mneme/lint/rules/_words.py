"""Lists of words that the rules about gists share."""

from __future__ import annotations


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


FILLERS = _set("a an the is are be been we our please currently now just simply really very that which there")
"""Words without which a gist says the same."""

PREPOSITIONS = _set(
    "for in on at when if with by from to under before after during since until within via while unless"
)
"""Words that begin a phrase which may stand at either end of a gist."""

NEGATIONS = _set("not no never none nor cannot 不 未 没 勿 别 無 沒 別")
"""Words that deny; of Han, characters."""

AUXILIARIES = _set("do does did 有 再 要")
"""Words that come and go with a negation."""

UNITS = _set(
    """
    % ms s sec min h hr d day days hour hours minute minutes second seconds week weeks month months year years row
    rows request requests retry retries time times attempt attempts item items replica replicas node nodes pod pods
    worker workers connection connections thread threads character characters char chars digit digits column columns
    line lines byte bytes b kb mb gb tb kib mib gib percent user users file files entry entries record records
    message messages event events copy copies core cores cpu cpus approval approvals reviewer reviewers people
    person euro euros dollar dollars space spaces token tokens x kg g km m cm mm 天 秒 次 条 條 行 页 頁 份 台 核 倍
    元 万 年 周 小 分 毫 个 個 人 位
    """
)
"""What a number may count; of Han, the first character."""

VALUE_WORDS = _set("to at is = most least exactly than over under limit max maximum min minimum be 为 是 上")
"""Words after which a bare number says how much."""

LABELS = _set("step phase version section port attempt chapter part level tier stage issue rule")
"""Words after which a number is a name."""

TELLING = _set(
    """
    not no never none nor neither without cannot only except excluding unless until but if when while before after
    during min max minimum maximum most least over under above below up down more less than almost about nearly half
    twice double first last next previous old new former second third other another some few many test tests testing
    prod production staging stage dev development local remote preview demo sandbox ci qa uat canary beta alpha
    internal external public private primary secondary replica master backup main legacy ios android windows linux
    macos mac web mobile desktop server client frontend backend eu us uk asia europe north south east west left
    right front back top bottom daily nightly weekly monthly yearly hourly annual weekday weekdays weekend weekends
    morning evening night monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december spring summer autumn winter read write reads writes input
    output incoming outgoing inbound outbound upload download request response sync async manual automatic optional
    required soft hard blue green red unit integration one two three four five can could might may should must
    """
)
"""Words that make two memories of what would be one."""

HARMLESS = _set(
    """
    always also then all every each single own whole full entire good well still again here there together directly
    instead anyway generally usually normally typically fully completely entirely explicitly strictly per as of for
    to in on its their shall will need needs has have gets
    """
)
"""Words that may be added anywhere without making another memory."""

BEFORE_NOUNS = _set("the a an our its their this that every each in on of for to from by with at per and or as")
"""Words after which one that is added says which thing is meant."""
