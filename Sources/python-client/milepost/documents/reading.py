# SPDX-License-Identifier: Apache-2.0
"""Values of JSON to the dataclasses of this package, by their types. No input, no output."""

from __future__ import annotations

import dataclasses
import functools
import keyword
from datetime import datetime
from typing import Any, Callable, Dict, List, Literal, Mapping, Type, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from ..errors import ProtocolViolation

Document = TypeVar("Document")


def read(kind: Type[Document], value: Any) -> Document:
    """The value as this dataclass. Members that it does not know are left out: the program may be newer.

    Raises ``ProtocolViolation`` where a member is missing, or is no value of its type.
    """
    document: Document = _reader(cast(Any, kind))(value)
    return document


def _name(attribute: str) -> str:
    """The member's name in JSON."""
    return attribute[:-1] if keyword.iskeyword(attribute[:-1]) else attribute


@functools.lru_cache(maxsize=None)
def _reader(kind: Any) -> Callable[[Any], Any]:
    if kind is datetime:
        return _time
    if dataclasses.is_dataclass(kind):
        return _object(kind)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Union:
        return _union(inner)
    if origin is list:
        item = _reader(inner[0])
        return lambda value: [item(one) for one in _checked(value, list, "an array")]
    if origin is dict:
        item = _reader(inner[1])
        return lambda value: {key: item(one) for key, one in _checked(value, dict, "an object").items()}
    if kind is float:
        return lambda value: float(_checked(value, (int, float), "a number"))
    if origin is Literal:
        # Words may be added by a later release.
        return lambda value: value
    return lambda value: _checked(value, kind, f"of type {kind.__name__}")


def _checked(value: Any, kind: Any, expected: str) -> Any:
    # A truth value is a whole number in Python, but not in JSON.
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ProtocolViolation(f"{value!r} should be {expected}")
    return value


def _time(value: Any) -> datetime:
    try:
        return datetime.fromisoformat(_checked(value, str, "a time").replace("Z", "+00:00"))
    except ValueError:
        raise ProtocolViolation(f"{value!r} should be a time of the years 1 to 9999") from None


def _object(kind: Any) -> Callable[[Any], Any]:
    # Types of a dataclass may name classes that stand below it, so they are looked up at the first value.
    @functools.lru_cache(maxsize=None)
    def members() -> List[Any]:
        types = get_type_hints(kind)
        return [
            (field.name, _name(field.name), _reader(types[field.name]), field.default is dataclasses.MISSING)
            for field in dataclasses.fields(kind)
        ]

    def read_object(value: Any) -> Any:
        said: Mapping[str, Any] = _checked(value, dict, "an object")
        arguments: Dict[str, Any] = {}
        for attribute, name, reader, is_required in members():
            if name in said:
                try:
                    arguments[attribute] = reader(said[name])
                except ProtocolViolation as error:
                    raise ProtocolViolation(f"{name}: {error}") from None
            elif is_required:
                raise ProtocolViolation(f"{name} is missing in a {kind.__name__}")
        return kind(**arguments)

    return read_object


def _union(kinds: Any) -> Callable[[Any], Any]:
    """The first of the types that the value fits; of objects, by constant words and required members."""
    readers = [(kind, _reader(kind)) for kind in kinds if kind is not type(None)]

    @functools.lru_cache(maxsize=None)
    def marks() -> List[Any]:
        return [(_marks(kind), reader) for kind, reader in readers]

    def read_union(value: Any) -> Any:
        if value is None and type(None) in kinds:
            return None
        if isinstance(value, dict):
            for (constants, required), reader in marks():
                if required <= value.keys() and all(value[name] == word for name, word in constants):
                    return reader(value)
            raise ProtocolViolation(f"{value!r} is none of the objects that are known here")
        for kind, reader in readers:
            try:
                return reader(value)
            except ProtocolViolation:
                if kind is readers[-1][0]:
                    raise

    return read_union


def _marks(kind: Any) -> Any:
    if not dataclasses.is_dataclass(kind):
        return (), frozenset()
    types = get_type_hints(kind)
    constants = [
        (_name(name), get_args(hint)[0])
        for name, hint in types.items()
        if get_origin(hint) is Literal and len(get_args(hint)) == 1
    ]
    required = {_name(field.name) for field in dataclasses.fields(kind) if field.default is dataclasses.MISSING}
    return tuple(constants), frozenset(required)
