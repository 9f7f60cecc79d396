"""Exceptions. Each message has the cause, and what can be done about it."""

from .answers import ErrorKind, Refusal


class TilelensError(Exception):
    """Any error of this package."""

    #: The rest of the answer, of a hand that has no score.
    refusal: Refusal | None = None


class BadRequest(TilelensError, ValueError):
    """An unknown rule set, field, value or ruling."""


class BadHand(TilelensError, ValueError):
    """Text that is no hand, or a hand with the wrong tiles."""


class NotAllowed(TilelensError, ValueError):
    """Circumstances that contradict each other."""


class NoWin(TilelensError):
    """A legal hand that does not win."""


class NotComplete(NoWin):
    """No reading of the tiles is a winning hand."""


class BelowMinimum(NoWin):
    """Complete, but worth too little."""


class BadPicture(TilelensError, ValueError):
    """A picture that cannot be read."""


class ReaderFailed(TilelensError, RuntimeError):
    """The networks do not run."""


_KINDS: dict[ErrorKind, type[TilelensError]] = {
    "bad_request": BadRequest,
    "bad_hand": BadHand,
    "not_allowed": NotAllowed,
    "not_complete": NotComplete,
    "below_minimum": BelowMinimum,
}


def error_of(refusal: Refusal) -> TilelensError:
    """The exception for a hand that has no score."""
    error = _KINDS[refusal.error](refusal.message)
    error.refusal = refusal
    return error
