"""What the functions of the package answer: the fields of the program's JSON, as dataclasses.

Amounts are exact: a ``Fraction``, also where it is a whole number. Seats are winds, ``"E"``, ``"S"``, ``"W"``, ``"N"``.
Tiles are codes and hands are text, as everywhere in Tilelens (docs/notation.md).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, NewType, TypeAlias

#: Text out of a small number: the id of an item or a ruling, a unit, a rule set.
Name = NewType("Name", str)
Seat: TypeAlias = Literal["E", "S", "W", "N"]
ErrorKind: TypeAlias = Literal["bad_request", "bad_hand", "not_allowed", "not_complete", "below_minimum"]


@dataclass(slots=True)
class Item:
    """A pattern of the hand and its value."""

    id: Name
    value: Fraction
    unit: Name
    #: The tiles that earn it; ``None`` where hands are only compared (`waits`).
    tiles: str | None = None
    #: Whether a hand that has not won waits for it.
    fishing: bool = False


@dataclass(slots=True)
class PointItem:
    """Auxiliary points of a set, a pair, a flower, or of the win."""

    id: Name
    value: Fraction


@dataclass(slots=True)
class HandOfLoser:
    """What the hand of a player who has not won is worth."""

    items: list[Item]
    faan: Fraction
    score: Fraction
    points: int | None = None
    point_items: list[PointItem] | None = None


@dataclass(slots=True)
class Step:
    """A step from the counted items to the payments."""

    kind: Name
    text: str
    #: The text as a sentence with its values, for translation.
    said: Any
    #: The payer, where there is one, and the amount.
    seat: Seat | None = None
    amount: Fraction | None = None


@dataclass(slots=True)
class LeftOut:
    """An item that the hand has and that does not count."""

    id: Name
    why: str


@dataclass(slots=True)
class RunnerUp:
    """The best reading of the hand that was not taken."""

    arrangement: str
    faan: Fraction
    score: Fraction


@dataclass(slots=True)
class Ruling:
    """A ruling that, decided otherwise, changes the payments, or whether the hand wins."""

    id: Name
    choice: Name
    ok: bool = True
    payments: dict[Seat, Fraction] | None = None
    #: Why the hand would not win.
    error: ErrorKind | None = None
    #: The score of a hand that has not won.
    score: Fraction | None = None


@dataclass(slots=True)
class Score:
    """A hand that wins."""

    ok: Literal[True]
    rules: Name
    items: list[Item]
    faan: Fraction
    score: Fraction
    #: The gain of each player (negative: he pays).
    payments: dict[Seat, Fraction]
    #: The sets of the hand; ``+`` stands before the one that the winning tile completes.
    arrangement: str
    #: Auxiliary points or fu, where the rules have them, and the parts where the rules list them.
    points: int | None = None
    point_items: list[PointItem] | None = None
    #: The faan that the dealer pays or is paid besides.
    dealer_faan: Fraction | None = None
    #: The worth of the riichi sticks on the table.
    sticks: Fraction | None = None
    #: The losers' hands, where all four were given.
    hands: dict[Seat, HandOfLoser] | None = None


@dataclass(slots=True)
class Explanation(Score):
    """A hand that wins, and what led to its score."""

    steps: list[Step] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    next: RunnerUp | None = None
    rulings: list[Ruling] = field(default_factory=list)


@dataclass(slots=True)
class LoserScore:
    """A hand that has not won, under rules that score it (``win="none"``)."""

    ok: Literal[True]
    rules: Name
    items: list[Item]
    faan: Fraction
    score: Fraction
    points: int | None = None
    point_items: list[PointItem] | None = None
    rulings: list[Ruling] | None = None


@dataclass(slots=True)
class Refusal:
    """Why a hand has no score."""

    ok: Literal[False]
    error: ErrorKind
    #: The cause, and what can be done about it.
    message: str
    rules: Name | None = None
    #: The value of a hand that is worth too little.
    faan: Fraction | None = None
    #: Rulings under which it would win.
    rulings: list[Ruling] | None = None


@dataclass(slots=True)
class ImageSize:
    """Pixels of the upright picture."""

    width: int
    height: int


@dataclass(slots=True)
class TileSeen:
    """A tile of a picture."""

    id: int
    #: ``x`` lies face down, ``?`` is not recognised.
    code: str
    #: From the face's own top left, clockwise, in pixels.
    corners: tuple[tuple[float, float], ...]
    confidence: float
    #: Other faces that it may show, the likelier first, with their probabilities.
    alternatives: list[tuple[str, float]]
    role: Literal["concealed", "meld", "winning", "bonus", "other"]
    group: int | None


@dataclass(slots=True)
class Doubt:
    """What is unsure or wrong, or why there is no score."""

    #: The number of a tile; ``None``: all of the hand.
    tile: int | None
    why: str
    #: The hand as it would be otherwise.
    otherwise: str | None = None


@dataclass(slots=True)
class HandSeen:
    """The hand of a picture."""

    text: str
    confidence: float
    doubts: list[Doubt]


@dataclass(slots=True)
class Reading:
    """A picture as it was read."""

    image: ImageSize
    tiles: list[TileSeen]
    #: ``None`` where no hand is shown; `refusal` says why.
    hand: HandSeen | None
    #: ``None`` until who won, and how, is given, and the reading is sure enough.
    score: Explanation | Refusal | None
    refusal: str | None = None


@dataclass(slots=True)
class WinOnTile:
    """What a win on a tile is worth."""

    ok: Literal[True]
    faan: Fraction
    score: Fraction
    payments: dict[Seat, Fraction]
    items: list[Item]


@dataclass(slots=True)
class NoWinOnTile:
    """Why a tile does not win."""

    ok: Literal[False]
    error: ErrorKind
    faan: Fraction | None = None


@dataclass(slots=True)
class Wait:
    """A tile that completes the hand."""

    tile: str
    #: Copies that neither the hand nor the seen tiles hold.
    unseen: int
    #: Its worth self-drawn, and claimed from each player; ``None`` where claimed sets of the hand are not written.
    self_draw: WinOnTile | NoWinOnTile | None = None
    claimed: dict[Seat, WinOnTile | NoWinOnTile] | None = field(default=None, metadata={"name": "from"})


@dataclass(slots=True)
class Waits:
    """The tiles that complete a hand one tile short."""

    rules: Name
    waits: list[Wait]
    #: The number of claimed sets that the hand text leaves out.
    unwritten_sets: int = 0


@dataclass(slots=True)
class Help:
    """A tile that brings the hand nearer, and the number of copies left."""

    tile: str
    left: int


@dataclass(slots=True)
class Worth:
    """What one win brings."""

    faan: Fraction
    score: Fraction
    payments: dict[Seat, Fraction]


@dataclass(slots=True)
class WorthRange:
    """The wins that bring least and most."""

    least: Worth
    most: Worth
    #: Whether some wins are worth too little.
    some_refused: bool


@dataclass(slots=True)
class Discard:
    """A discard, and the hand after it."""

    discard: str
    #: Tiles away from waiting: 0 waits.
    shanten: int
    helps: list[Help]
    left: int
    #: Tiles of which the hand holds all four and a fifth would help; whether it would wait only for these.
    held_out: list[str] | None = None
    not_ready: bool = False
    worth: WorthRange | None = None


@dataclass(slots=True)
class Advice:
    """How far a hand is from complete, and what each discard leaves."""

    hand: str
    rules: Name
    tiles: int
    unwritten_sets: int
    #: -1 is complete, 0 waits.
    shanten: int
    #: Of a hand that has drawn, the best first.
    discards: list[Discard] | None = None
    #: Of a hand that draws next.
    helps: list[Help] | None = None
    left: int | None = None
    held_out: list[str] | None = None
    not_ready: bool = False
    worth: WorthRange | None = None


@dataclass(slots=True)
class Converted:
    """A hand in another notation."""

    text: str
    #: What the notation cannot say.
    notes: list[str]
