# SPDX-License-Identifier: Apache-2.0
"""Tools/check-protocol finds the faults of a faulty client."""

import subprocess
import sys
import unittest

from . import ROOT

#: Acknowledges an event that has not come, sends an unknown member, and comes back at once.
WRONG = """
import json, os, socket, time
while True:
    try:
        line = socket.socket(socket.AF_UNIX)
        line.connect(os.environ["MILEPOST_SOCKET"])
        line.sendall(b'?HELLO={"app":"%s"}' % os.environ["MILEPOST_APP"].encode())
        line.sendall(b'?START={"service":"significant"};\\n')
        for text in line.makefile():
            message = json.loads(text)
            if message["class"] == "LOCATION":
                line.sendall(b'?ACK={"sequence":%d};\\n' % (message["sequence"] + 1))
            if message["class"] == "WARNING":
                line.sendall(b'?DONE={"sequence":1};\\n')
    except OSError:
        pass
    time.sleep(0.02)
"""


class CheckTests(unittest.TestCase):
    def test_a_wrong_client_is_told_what_it_gets_wrong(self):
        command = [sys.executable, str(ROOT / "Tools/check-protocol"), "client", sys.executable, "-c", WRONG]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for words in (
            "ok      After WELCOME it asks for a service\n",
            "FAILED  It acknowledges no number that did not come, and never goes back\n"
            "        5 events came, and it acknowledged [2, 3, 4, 5, 6]\n",
            "FAILED  Everything that it has said is a message of the protocol, and fits its schema\n"
            '        ?DONE={"sequence": 1}: ?DONE: sequence is not in the schema\n',
            "FAILED  While there is no daemon it tries less and less often, and comes back once there is one\n",
        ):
            self.assertIn(words, done.stdout)

    def test_it_says_how_it_is_used(self):
        command = [sys.executable, str(ROOT / "Tools/check-protocol"), "client"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("Tools/check-protocol client COMMAND...", done.stderr)
