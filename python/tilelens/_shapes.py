"""The shapes of answers, taken from the type hints of their dataclasses."""

import types
from dataclasses import MISSING, fields, is_dataclass
from fractions import Fraction
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from . import answers
from ._native import Shape

Described = tuple[Any, ...]


def _object(cls: type) -> Described:
    hints = get_type_hints(cls, vars(answers))
    described = []
    for field in fields(cls):
        optional = field.default is not MISSING
        name = field.metadata.get("name", field.name)
        described.append((name, _shape(hints[field.name]), optional, field.default if optional else None))
    return cls, described


def _shape(hint: Any) -> Described:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        # `None` is no shape of its own.
        arguments = tuple(argument for argument in arguments if argument is not type(None))
        if len(arguments) == 2 and all(map(is_dataclass, arguments)):
            return "either", _object(arguments[0]), _object(arguments[1])
        return _shape(arguments[0]) if len(arguments) == 1 else ("plain",)
    if origin is list:
        return "list", _shape(arguments[0])
    if origin is dict:
        return "dict", _shape(arguments[1])
    if hint is Fraction:
        return ("amount",)
    if origin is Literal or hint is answers.Name:
        return ("name",)
    if isinstance(hint, type) and is_dataclass(hint):
        return "object", _object(hint)
    return ("plain",)


def shape(hint: Any) -> Shape:
    """The shape of an answer with this type."""
    return Shape(_shape(hint))
