"""Reads mahjong hands in pictures, and says what they are worth and who pays whom.

    >>> import tilelens
    >>> won = tilelens.score("123m456m789p23s55s +4s", rules="mmm", seat="W", round="E", win="discard", from_="S")
    >>> print(won.score, won.payments["S"])
    20 -20

`read` takes a picture; `score` and `explain` price hands; `waits` and `advise` look at hands that are not complete;
`convert` reads and writes the notations of other programs. Fields of a win are those of a scoring request
(docs/scoring.md); `from` is a word of Python's own, so it is written `from_`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Literal, Unpack, overload

from . import _native
from ._pictures import Picture, numbers_of
from ._request import Fields
from ._shapes import shape
from .answers import (
    Advice,
    Converted,
    Explanation,
    LoserScore,
    Reading,
    Refusal,
    Score,
    Waits,
)
from .errors import (
    BadHand,
    BadPicture,
    BadRequest,
    BelowMinimum,
    NotAllowed,
    NotComplete,
    NoWin,
    ReaderFailed,
    TilelensError,
    error_of,
)

__all__ = [
    "Advice", "BadHand", "BadPicture", "BadRequest", "BelowMinimum", "Converted", "Explanation", "Fields", "LoserScore",
    "NoWin", "NotAllowed", "NotComplete", "Reading", "ReaderFailed", "Refusal", "Score", "TilelensError", "Waits", "advise",
    "convert", "explain", "read", "score", "waits",
]  # fmt: skip

_SCORE, _EXPLANATION = shape(Score | Refusal), shape(Explanation | Refusal)
_LOSER, _READING = shape(LoserScore | Refusal), shape(Reading)
_WAITS, _ADVICE = shape(Waits), shape(Advice)


def _answers(hand: Any, fields: Mapping[str, Any], won: _native.Shape) -> Any:
    """The answers to a list of hands, or the answer to one, which is raised where it is a refusal."""
    brief = won is _SCORE
    if not isinstance(hand, (str, dict)):
        return _native.score(list(hand), dict(fields), brief, won, _LOSER)
    [answer] = _native.score([hand], dict(fields), brief, won, _LOSER)
    if isinstance(answer, Refusal):
        raise error_of(answer)
    return answer


# Text is a list of texts for type checkers; one text means one hand.
@overload
def score(  # type: ignore[overload-overlap]
    hand: str | dict[str, Any], *, rules: str = "mmm", **win: Unpack[Fields]
) -> Score: ...
@overload
def score(
    hand: Iterable[str | dict[str, Any]], *, rules: str = "mmm", **win: Unpack[Fields]
) -> list[Score | Refusal]: ...
def score(hand: Any, *, rules: str = "mmm", **win: Any) -> Any:
    """The worth of a hand, and who pays whom.

    `hand` is hand text, or a dict with the fields of a request; a list of them is answered on all processors, and has
    a `Refusal` in place of the score of a hand that has none. `win` holds the fields of the win (`seat`, `round`,
    `win`, `from_` and so on), which a list shares as far as its requests have not their own. With `win="none"`, under
    rules that score hands which have not won, the answer is a `LoserScore`.

    Raises `BadRequest`, `BadHand`, `NotAllowed`, `NotComplete` or `BelowMinimum` for one hand.
    """
    return _answers(hand, {"rules": rules, **win}, _SCORE)


@overload
def explain(  # type: ignore[overload-overlap]
    hand: str | dict[str, Any], *, rules: str = "mmm", **win: Unpack[Fields]
) -> Explanation: ...
@overload
def explain(
    hand: Iterable[str | dict[str, Any]], *, rules: str = "mmm", **win: Unpack[Fields]
) -> list[Explanation | Refusal]: ...
def explain(hand: Any, *, rules: str = "mmm", **win: Any) -> Any:
    """`score` with what led to it: the steps, items that do not count, the runner-up, and what rulings change."""
    return _answers(hand, {"rules": rules, **win}, _EXPLANATION)


def read(
    picture: Picture,
    *,
    rules: str = "mmm",
    fixes: Mapping[int, str] | None = None,
    winning: str | None = None,
    hidden: str = "",
    kongs: Literal["concealed", "claimed"] | None = None,
    **win: Unpack[Fields],
) -> Reading:
    """The tiles of a picture, its hand, and the score where `seat`, `round` and `win` are given.

    `picture` is a file's name or bytes, a PIL image, or an array of height, width and red, green, blue (uint8; OpenCV
    has them in the other order: `frame[:, :, ::-1]`). `fixes` corrects tiles by their numbers, `{3: "5p"}`; `winning`
    names the winning tile where it is not marked; `hidden` the tiles of concealed kongs of four backs; `kongs` says
    whether kongs that only the number of tiles shows were claimed.

    Raises `BadPicture`, `ReaderFailed`, `BadRequest`, `NotAllowed`, or `OSError` for a file.
    """
    if kongs not in (None, "concealed", "claimed"):
        raise BadRequest(f'`kongs` is "{kongs}": expected concealed or claimed')
    claimed = None if kongs is None else kongs == "claimed"
    numbers, fields = numbers_of(picture), {"rules": rules, **win}
    try:
        reading: Reading = _native.read(numbers, fields, list((fixes or {}).items()), winning, hidden, claimed, _READING)
    except BadPicture as error:
        if isinstance(picture, (str, os.PathLike)):
            raise BadPicture(f"{os.fspath(picture)}: {error}") from error
        raise
    return reading


def waits(hand: str, *, rules: str = "mmm", seen: str = "", **win: Unpack[Fields]) -> Waits:
    """The tiles that complete a hand one tile short, and what each is worth. `seen`: tiles face up elsewhere."""
    found: Waits = _native.waits(hand, seen, {"rules": rules, **win}, _WAITS)
    return found


def advise(hand: str, *, rules: str = "mmm", seen: str = "", **win: Unpack[Fields]) -> Advice:
    """How far a hand is from complete, and what each discard leaves. `seen`: tiles face up elsewhere."""
    advice: Advice = _native.advise(hand, seen, {"rules": rules, **win}, _ADVICE)
    return advice


def convert(text: str, *, from_: str, to: str = "tilelens") -> Converted:
    """A hand in another notation: tilelens, tenhou, tenhou-log, mjai, gb, botzone, kajongg or unicode."""
    return Converted(*_native.convert(text, from_, to))
