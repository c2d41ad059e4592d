# SPDX-License-Identifier: Apache-2.0
"""Checks values against the JSON Schemas that `milepost schema` prints, as far as those use JSON Schema.

An unknown keyword is an error, so that none goes unchecked.
"""

import json
import re
import subprocess

from .station import programs

REMARKS = {"$schema", "title", "description"}
#: The schemas of documents, by class.
DOCUMENTS = {
    "STATUS": "status",
    "APPS": "apps",
    "APP": "app",
    "LOG": "app-log",
    "EXPLANATION": "explanation",
    "EVENTS": "app-events",
    "OVERVIEW": "overview",
    "HISTORY": "history",
    "SINKS": "sinks",
    "SINK_TRIAL": "sink-trial",
    "FORGOTTEN": "forgotten",
}
TYPES = {
    "null": lambda v: v is None,
    "boolean": lambda v: isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": lambda v: not isinstance(v, bool) and isinstance(v, (int, float)) and v == int(v),
    "string": lambda v: isinstance(v, str),
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, dict),
}


def load(name):
    return json.loads(subprocess.check_output([programs() / "milepost", "schema", name]))


def errors(value, schema, place="$"):
    """All faults of `value`, with their places."""
    found = []
    for keyword, rule in schema.items():
        if keyword not in REMARKS:
            found += _errors(keyword, rule, value, schema, place)
    return found


def _errors(keyword, rule, value, schema, place):
    if keyword == "type":
        names = rule if isinstance(rule, list) else [rule]
        return [] if any(TYPES[name](value) for name in names) else [f"{place}: not {names}"]
    if keyword == "const":
        return [] if value == rule else [f"{place}: not {rule!r}"]
    if keyword == "enum":
        return [] if value in rule else [f"{place}: {value!r} is not one of {rule}"]
    if keyword in ("minimum", "maximum"):
        if not TYPES["number"](value):
            return []
        is_inside = value >= rule if keyword == "minimum" else value <= rule
        return [] if is_inside else [f"{place}: {value} breaks the {keyword} {rule}"]
    if keyword == "pattern":
        is_right = not isinstance(value, str) or re.search(rule, value)
        return [] if is_right else [f"{place}: {value!r} does not match {rule}"]
    if keyword == "required":
        missing = [name for name in rule if name not in value] if isinstance(value, dict) else []
        return [f"{place}: no {name}" for name in missing]
    if keyword == "properties":
        there = [name for name in rule if name in value] if isinstance(value, dict) else []
        return [e for n in there for e in errors(value[n], rule[n], f"{place}.{n}")]
    if keyword == "additionalProperties":
        known = schema.get("properties", {})
        others = [name for name in value if name not in known] if isinstance(value, dict) else []
        if rule is False:
            return [f"{place}: {name} is not in the schema" for name in others]
        return [e for n in others for e in errors(value[n], rule, f"{place}.{n}")]
    if keyword == "items":
        items = value if isinstance(value, list) else []
        return [e for i, item in enumerate(items) for e in errors(item, rule, f"{place}[{i}]")]
    if keyword == "oneOf":
        results = [errors(value, each, place) for each in rule]
        fits = sum(not result for result in results)
        return [] if fits == 1 else [f"{place}: fits {fits} of {len(rule)}: {results}"]
    return [f"{place}: the keyword {keyword} is not known to this check"]


class Messages:
    """The messages on the wire, in both directions."""

    def __init__(self):
        #: The schema of the object after `?NAME=`, by NAME.
        self.client = {}
        for form in load("control-client")["oneOf"]:
            self.client.update(form["properties"])
        #: The schema of a line of the daemon, by its class.
        self.daemon = {f["properties"]["class"]["const"]: f for f in load("control-daemon")["oneOf"]}
        for name, file in DOCUMENTS.items():
            document = load(file)
            # An answer carries the id of its question.
            document["properties"]["id"] = {"type": "string"}
            self.daemon[name] = document

    def errors_of_daemon(self, message):
        """The faults of a line of the daemon."""
        name = message.get("class") if isinstance(message, dict) else None
        if name not in self.daemon:
            return [f"there is no class {name!r}"]
        return errors(message, self.daemon[name], name)

    def errors_of_client(self, name, members):
        """The faults of a message of a client."""
        if name not in self.client:
            return [f"there is no message ?{name}"]
        if name == "WATCH":
            # It accepts all of gpsd's members.
            known = self.client[name]["properties"]
            members = {key: value for key, value in members.items() if key in known}
        # Members that may be null may be missing.
        schema = self.client[name]
        nulls = [n for n in schema["required"] if not errors(None, schema["properties"][n])]
        return errors({**{n: None for n in nulls}, **members}, schema, f"?{name}")
