"""The classes of the classifier, in the order of its output, and what their shapes allow.

Order: 1m-9m, 1p-9p, 1s-9s, 1z-7z (East South West North White Green Red), 1f-8f (flowers, seasons),
x (a tile's back), reject (no whole tile).
"""

FACES = (
    [f"{n}{suit}" for suit in "mps" for n in range(1, 10)]
    + [f"{n}z" for n in range(1, 8)]
    + [f"{n}f" for n in range(1, 9)]
    + ["x", "reject"]
)
INDEX = {code: index for index, code in enumerate(FACES)}
BACK = INDEX["x"]
REJECT = INDEX["reject"]
WHITE = INDEX["5z"]
FIVES = frozenset(INDEX[code] for code in ("5m", "5p", "5s"))
BONUS = frozenset(range(INDEX["1f"], INDEX["8f"] + 1))

# Faces that look the same after half a turn: their turn is known modulo 180 degrees only.
HALF_TURN_ALIKE = frozenset(
    INDEX[code]
    for code in "1p 2p 3p 4p 5p 8p 9p 2s 4s 5s 6s 8s 9s 5z x".split()
)
