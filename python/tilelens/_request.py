"""The fields of a win, for type checkers: those of a scoring request without `rules` and `hand`."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, TypedDict

from .answers import Seat


class Fields(TypedDict, total=False):
    """Fields of a win. Rule sets ignore those that they do not know."""

    seat: Seat
    round: Seat
    win: Literal["self_draw", "discard", "rob_kong", "none"]
    from_: Seat
    minimum: int | Fraction | str
    players: Literal[3, 4]
    pao: Seat
    rulings: Mapping[str, str]
    dora_indicators: str
    ura_indicators: str
    honba: int
    sticks: int
    responsible: Literal["E", "S", "W", "N", "none"]
    north: int
    won: str
    missing: Literal["m", "p", "s"]
    others: Mapping[Seat, str]
    dead: Sequence[Seat] | str
    fishing: Sequence[Seat] | str
    last_tile: bool
    supplement: bool
    kong_on_kong: bool
    first_turn: bool
    last_visible: bool
    first_draw: bool
    riichi: bool
    double_riichi: bool
    ippatsu: bool
    safe: bool
    original_call: bool
    ninth_east_win: bool
    kong_discard: bool
