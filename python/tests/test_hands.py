"""Hands: the same answers as the program's, on the worked hands of every rule set."""

import json
import threading
import time
from fractions import Fraction
from pathlib import Path
from typing import get_type_hints

import pytest
import tilelens

from conftest import ROOT, Program, in_json, less_nothing

HAND = "123m456m789p23s55s +4s"
WON = {"seat": "W", "round": "E", "win": "discard", "from_": "S"}

WORKED = [*sorted((ROOT / "tests" / "hands").glob("*.jsonl")), *sorted((ROOT / ".." / "shared" / "rules").glob("*.jsonl"))]


def requests_of(file: Path) -> list[dict[str, object]]:
    requests = [json.loads(line)["request"] for line in file.read_text().splitlines()]
    return [request for request in requests if "hand" in request]


@pytest.mark.parametrize("file", WORKED, ids=lambda file: file.name)
def test_worked_hands_are_answered_as_by_the_program(file: Path, program: Program) -> None:
    requests = requests_of(file)
    assert len(requests) > 10
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    for brief, ask in [(["--brief"], tilelens.score), ([], tilelens.explain)]:
        printed = program.lines("score", "--batch", "-", *brief, given=lines)
        for request, answer, expected in zip(requests, ask(requests), printed, strict=True):
            found = in_json(answer)
            for part in [found, *found.get("items", [])]:
                # Always there in Python, and in the JSON only where it is true.
                if part.get("fishing") is False:
                    del part["fishing"]
            for loser in found.get("hands", {}).values():
                loser["items"] = [{k: v for k, v in item.items() if v is not False} for item in loser["items"]]
            for ruling in found.get("rulings", []):
                if ruling["ok"]:
                    del ruling["ok"]
            assert found == less_nothing(expected), request


def test_one_hand_and_a_list_are_answered_alike() -> None:
    alone = tilelens.score(HAND, **WON)
    assert (alone.score, alone.payments["S"]) == (20, Fraction(-20))
    assert tilelens.score([HAND, {"hand": HAND, "from": "N"}], **WON)[0] == alone
    other = tilelens.score([HAND, {"hand": HAND, "from": "N"}], **WON)[1]
    assert isinstance(other, tilelens.Score) and other.payments["N"] == -20


def test_a_list_keeps_its_order_over_all_processors() -> None:
    hands = [HAND, "123m456m789p23s55s +1z", "111m"] * 700
    answers = tilelens.score(hands, **WON)
    assert [answer.ok for answer in answers] == [True, False, False] * 700
    refused = answers[1]
    assert isinstance(refused, tilelens.Refusal) and refused.error == "not_complete"


@pytest.mark.parametrize(
    ("hand", "fields", "error", "said"),
    [
        ("123q", {}, tilelens.BadHand, "q"),
        ("123m456m789p23s55s +1z", {}, tilelens.NotComplete, "one tile short"),
        (HAND, {"rules": "mcr"}, tilelens.BelowMinimum, "minimum"),
        (HAND, {"rules": "nobody's"}, tilelens.BadRequest, "expected mmm"),
        (HAND, {"seat": "X"}, tilelens.BadRequest, "expected E, S, W or N"),
        (HAND, {"colour": "red"}, tilelens.BadRequest, "unknown field `colour`"),
        (HAND, {"from_": "W"}, tilelens.NotAllowed, "from"),
        (HAND, {"minimum": object}, tilelens.BadRequest, "amount"),
    ],
)
def test_errors_name_the_cause(hand: str, fields: dict[str, object], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        tilelens.score(hand, **{**WON, **fields})


def test_what_is_wrong_holds_the_answer() -> None:
    with pytest.raises(tilelens.BelowMinimum) as raised:
        tilelens.explain(HAND, **{**WON, "rules": "mcr"})
    assert raised.value.refusal is not None and 0 < raised.value.refusal.faan < 8
    assert isinstance(raised.value, tilelens.NoWin)


def test_the_types_have_every_field_of_a_request() -> None:
    with pytest.raises(tilelens.BadRequest) as raised:
        tilelens.score(HAND, **{**WON, "colour": "red"})
    listed = {part for place, part in enumerate(str(raised.value).split("`")) if place % 2} - {"colour"}
    assert listed == {"rules", "hand"} | {name.rstrip("_") for name in get_type_hints(tilelens.Fields)}


def test_waits_and_advice_are_those_of_the_program(program: Program) -> None:
    for hand, rules, seen in [
        ("123m456p78s99s (7'77z)", "mmm", "6s9s"),
        ("123m456p78s99s", "mmm", ""),
        ("1112345678999m", "riichi", ""),
        ("123m456p678s9s1z (7'77z)", "mmm", "55s"),
        ("123456789m1111z", "riichi", ""),
    ]:
        arguments = [hand, "--rules", rules, "--seen", seen, "--seat", "S", "--round", "E", "--json"]
        fields = {"rules": rules, "seen": seen, "seat": "S", "round": "E"}
        [advice] = program.lines("advise", *arguments)
        found = in_json(tilelens.advise(hand, **fields))
        for part in [found, *found.get("discards", [])]:
            if "held_out" not in part:
                del part["not_ready"]
        assert found == advice
        if "discards" not in found:
            [waits] = program.lines("waits", *arguments)
            found = in_json(tilelens.waits(hand, **fields))
            for wait in found["waits"]:
                for outcome in [wait.get("self_draw", {}), *wait.get("from", {}).values()]:
                    for item in outcome.get("items", []):
                        del item["fishing"]
            assert found == {"unwritten_sets": 0} | waits


def test_a_hand_in_another_notation() -> None:
    converted = tilelens.convert('[12,13,14,"p474747"]', from_="tenhou-log")
    assert converted.text == "234m (7'77z)"
    with pytest.raises(tilelens.BadRequest, match="expected one of tilelens, tenhou"):
        tilelens.convert("1m", from_="morse")
    with pytest.raises(tilelens.BadHand):
        tilelens.waits("123m", seat="S")


def test_pythons_lock_is_free_while_hands_are_priced() -> None:
    done, ran = threading.Event(), 0

    def price() -> None:
        tilelens.explain([HAND] * 20_000, **WON)
        done.set()

    thread = threading.Thread(target=price)
    begun = time.monotonic()
    thread.start()
    longest = 0.0
    last = begun
    while not done.is_set():
        now = time.monotonic()
        longest, last, ran = max(longest, now - last), now, ran + 1
    thread.join()
    # Were the lock held, this thread would stand still for the whole of the work.
    assert ran > 1000
