# SPDX-License-Identifier: Apache-2.0
"""One valid form of each message of a client, and its answer on success."""

import base64

MANIFEST = 'name: registered\nkind: connected\ncommand: [sleep, "600"]\nlaunch: manual\n'


def manifest(text=MANIFEST, file="registered.yaml"):
    coded = base64.b64encode(text.encode()).decode()
    return {"file": file, "directory": "/", "manifest_base64": coded}


#: Members by name, of an app that has sent HELLO; the answer's class, or None if there is none.
APP = {
    "HELLO": ({"app": "walker"}, "WELCOME"),
    "START": (
        {
            "service": "standard",
            "desired_accuracy_m": 3000,
            "distance_filter_m": 1609.344,
            "pauses_automatically": False,
            "allows_background_updates": True,
        },
        None,
    ),
    "STOP": ({"service": "standard"}, None),
    "REQUEST": ({"desired_accuracy_m": 100}, None),
    "MOTION": ({"enable": False}, None),
    "REGION": (
        {"identifier": "home", "latitude": 52, "longitude": 5, "radius_m": 200, "notify_on_exit": False},
        None,
    ),
    "REGION_STATE": ({"identifier": "home"}, None),
    "STOP_REGION": ({"identifier": "home"}, None),
    "VISITS": ({"enable": False}, None),
    "HEADING": ({"enable": True, "filter_deg": 5}, None),
    "DEFER": ({"enable": False}, None),
    "AUTHORIZE": ({"authorization": "always"}, "AUTHORIZATION"),
    "ACK": ({"sequence": 0}, None),
    "DONE": ({}, None),
    "BEGIN_TASK": ({"task": 1, "name": "upload"}, None),
    "END_TASK": ({"task": 1}, None),
    "TIME_REMAINING": ({}, "TIME_REMAINING"),
    "FETCH": ({"interval_s": 3600}, None),
    "KEEP_ALIVE": ({"interval_s": None}, None),
    "SOCKET": ({"enable": False}, None),
    "AUDIO": ({"enable": False}, None),
    "RETURN": ({"reason": "fetch", "result": "no_data"}, None),
    "NOTIFY": (
        {
            "identifier": "stretch",
            "fire": "2130-05-04T07:00:00.000Z",
            "zone": {
                "name": "Europe/Berlin",
                "offsets": [{"from": "2130-03-26T01:00:00.000Z", "offset_s": 7200}],
            },
            "repeats": "day",
            "body": "Stand up",
            "badge": 1,
            "sound": "bell",
            "user_info": "{}",
        },
        None,
    ),
    "NOTIFICATIONS": ({}, "NOTIFICATIONS"),
    "CANCEL": ({"identifier": "stretch"}, None),
}
#: From any client.
GPSD = {
    "VERSION": ({}, "VERSION"),
    "DEVICES": ({}, "DEVICES"),
    "POLL": ({}, "POLL"),
}
#: From an app on the Unix socket, and any client on a gpsd port.
WATCH = {"WATCH": ({"enable": False, "json": True, "nmea": False, "device": "/dev/x"}, "WATCH")}
#: From its user, in this order.
USER = {
    "STATUS": ({}, "STATUS"),
    "ADD": (manifest(), "APP"),
    "UPDATE": ({**manifest(), "command": ["sleep", "601"]}, "APP"),
    "APPS": ({}, "APPS"),
    "OVERVIEW": ({}, "OVERVIEW"),
    "HISTORY": (
        {"from": "2026-05-04T00:00:00.000Z", "to": "2026-05-05T00:00:00.000Z", "count": 10},
        "HISTORY",
    ),
    "SINKS": ({}, "SINKS"),
    "SINK_TRIAL": ({"app": "days"}, "SINK_TRIAL"),
    "FORGET": ({"before": "2026-05-04T00:00:00.000Z", "trial": True}, "FORGOTTEN"),
    "APP": ({"app": "registered"}, "APP"),
    "LOG": ({"app": "registered", "count": 10}, "LOG"),
    "EXPLAIN": ({"app": "registered"}, "EXPLANATION"),
    "EVENTS": ({"app": "registered"}, "EVENTS"),
    "RESEND": ({"app": "registered"}, "OK"),
    "DISCARD": ({"app": "registered"}, "OK"),
    "SET": ({"app": "registered", "authorization": "always"}, "OK"),
    "EVENT": ({"app": "registered", "reason": "push"}, "OK"),
    "CONTROL": ({"app": "registered", "action": "release"}, "OK"),
    "DEVICE": ({"event": "network_changed"}, "OK"),
    "RELOAD": ({}, "OK"),
    "REMOVE": ({"app": "registered"}, "OK"),
}
#: The ones with a slow answer, which no other check waits for.
LATE = {"SINK_TRIAL"}
ALL = {**APP, **GPSD, **WATCH, **USER}
