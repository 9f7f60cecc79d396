from typing import Any

MOST_BYTES: int

class Shape:
    def __init__(self, described: tuple[Any, ...]) -> None: ...

def score(hands: list[Any], fields: dict[str, Any], brief: bool, won: Shape, lost: Shape) -> list[Any]: ...
def read(
    picture: Any,
    fields: dict[str, Any],
    fixes: list[tuple[int, str]],
    winning: str | None,
    hidden: str,
    kongs_claimed: bool | None,
    shape: Shape,
) -> Any: ...
def waits(hand: str, seen: str, fields: dict[str, Any], shape: Shape) -> Any: ...
def advise(hand: str, seen: str, fields: dict[str, Any], shape: Shape) -> Any: ...
def convert(text: str, from_: str, to: str) -> tuple[str, list[str]]: ...
