#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An app that says how far from home the device is, at every significant change.

    location_example.py [--latitude DEGREES] [--longitude DEGREES]

It behaves as Sources/Programs/location-example, which is written in Swift, except for its --replay. It ends on request.
"""

import argparse
import asyncio
from typing import Optional

from milepost import (
    Authorization,
    AuthorizationChanged,
    Disconnected,
    LocationUpdate,
    Milepost,
    NoFix,
    WakeReason,
)


def say(line: str) -> None:
    print(line, flush=True)


def account(event: LocationUpdate, latitude: float, longitude: float) -> str:
    fix = event.fix
    time = fix.time or event.received
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ") if time else "at an unknown time"
    accuracy = "of unknown accuracy" if fix.accuracy_m is None else f"within {fix.accuracy_m:.0f} m"
    kilometres = fix.distance_to_m(latitude, longitude) / 1_000
    place = f"{fix.latitude:.5f} {fix.longitude:.5f}"
    return f"{when} {place}, {accuracy}, {kilometres:.1f} km from home"


async def main(latitude: float, longitude: float) -> None:
    async with Milepost.connect(wait=True) as app:
        reason: Optional[WakeReason] = app.launch_reason
        say(f"launched by {reason.value if reason else 'the user'}")
        app.on(NoFix, lambda message: say(f"no location: {message.reason}"))
        app.on(Disconnected, lambda message: say(f"no location: {message.reason}"))
        app.on(AuthorizationChanged, denied)
        await app.request_authorization(Authorization.ALWAYS)
        async for event in app.significant_changes():
            say(account(event, latitude, longitude))


def denied(message: AuthorizationChanged) -> None:
    if message.authorization == Authorization.DENIED:
        say("no location is allowed")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="How far from home the device is.")
    parser.add_argument("--latitude", type=float, default=48.1375, help="degrees north of home")
    parser.add_argument("--longitude", type=float, default=11.5755, help="degrees east of home")
    options = parser.parse_args()
    try:
        asyncio.run(main(options.latitude, options.longitude))
    except KeyboardInterrupt:
        pass
