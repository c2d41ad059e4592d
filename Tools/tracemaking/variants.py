# SPDX-License-Identifier: Apache-2.0
"""A variant of a trace, with its truth beside it."""

import copy
from pathlib import Path

from . import catalogue, faults, formats, records
from .epochs import Unreadable, moment


def parse(text):
    """`loss` or `loss=0.3` to (name, amount)."""
    name, _, amount = text.partition("=")
    if name not in faults.FAULTS:
        raise Unreadable(f"there is no fault '{name}'; known: {', '.join(faults.FAULTS)}")
    if not amount:
        return name, faults.FAULTS[name][1]
    try:
        value = float(amount)
    except ValueError:
        value = -1.0
    unit = faults.FAULTS[name][2]
    if not 0 < value <= (0.8 if unit.startswith("share") else 1e6):
        raise Unreadable(f"{text}: '{amount}' is not an amount ({unit})")
    return name, value


def name_of(path, chosen):
    """`walk.nmea` with jumps and loss → `walk+jumps+loss.nmea`."""
    stem, dot, ending = path.name.rpartition(".")
    return "+".join([stem or ending, *(name for name, _ in chosen)]) + (dot + ending if stem else "")


def write(path, chosen, seed, folder, out=None):
    """Writes the variant and its truth; returns the variant's path."""
    path = Path(path)
    text = path.read_bytes().decode("utf-8-sig", errors="surrogateescape")
    log = records.read(text, path.name)
    truth = truth_of(path, log)
    log.epochs = [copy.copy(epoch) for epoch in log.epochs]
    for name, amount in chosen:
        rng = catalogue.generator(seed, f"{path.name}/{name}")
        log.epochs = faults.FAULTS[name][0](log.epochs, rng, amount)
    target = Path(out) if out else Path(folder) / name_of(path, chosen)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(log.text().encode("utf-8", errors="surrogateescape"))
    beside = target.with_name(catalogue.truth_name(target.name))
    beside.write_text(truth, encoding="ascii", newline="")
    return target


def truth_of(path, log):
    """The truth beside the clean trace, or the clean trace itself, from which the variant departs."""
    beside = path.with_name(catalogue.truth_name(path.name))
    if beside.is_file():
        return beside.read_text(encoding="ascii")
    lines, last = ["time,latitude,longitude"], None
    for epoch in log.epochs:
        if epoch.valid and (last is None or epoch.seconds > last):
            last = epoch.seconds
            time = formats.rfc3339(moment(epoch.seconds))
            lines.append(f"{time},{epoch.latitude:.7f},{epoch.longitude:.7f}")
    return "\n".join(lines) + "\n"
