#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Looks at a page with a real browser (Chromium, over its DevTools pipe).

    look.py CHROMIUM PROFILE URL WIDTH light|dark [--print] [--vision DEFICIENCY] [--shot FILE] EXPRESSION...

--print shows the page as paper has it, --vision as somebody with protanopia, deuteranopia, tritanopia or achromatopsia
sees it, and --shot keeps a picture of all of it.

Each EXPRESSION is JavaScript that is evaluated until it is true, for 15 s at most. On standard output stands one
JSON object: `failed` (expressions that stayed false, with their last values), `log` (what the browser complained
of: errors of scripts, violations of the content security policy, requests that failed), and `hosts` (whom the
page asked for anything).
"""

import json
import os
import subprocess
import sys
import time
from base64 import b64decode
from urllib.parse import urlsplit

PATIENCE = 15


class Browser:
    def __init__(self, program, profile):
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()

        def descriptors():
            # The pipes' ends may have the numbers of the others: copies do not.
            commands, answers = os.dup(to_read), os.dup(from_write)
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
             "--disable-dev-shm-usage", "--disable-background-networking", f"--user-data-dir={profile}",
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=descriptors, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.commands, self.answers = to_write, from_read
        self.buffer, self.count, self.session = b"", 0, None
        self.log, self.hosts = [], set()

    def message(self):
        while b"\0" not in self.buffer:
            part = os.read(self.answers, 65536)
            if not part:
                raise SystemExit("the browser is gone")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **params):
        self.count += 1
        request = {"id": self.count, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.commands, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.count:
                return answer.get("result", answer.get("error"))
            self.heard(answer)

    def heard(self, event):
        params = event.get("params", {})
        if event.get("method") == "Log.entryAdded":
            self.log.append(params["entry"]["text"])
        elif event.get("method") == "Runtime.exceptionThrown":
            self.log.append(params["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif event.get("method") == "Network.requestWillBeSent":
            url = urlsplit(params["request"]["url"])
            if url.scheme != "data":
                self.hosts.add(url.netloc)

    def value(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            return result["exceptionDetails"].get("exception", {}).get("description", "exception")
        return result["result"].get("value")


def main():
    program, profile, url, width, scheme, *expressions = sys.argv[1:]
    shot, media, vision = None, "screen", None
    while expressions and expressions[0].startswith("--"):
        if expressions[0] == "--print":
            media, expressions = "print", expressions[1:]
        elif expressions[0] == "--vision":
            vision, expressions = expressions[1], expressions[2:]
        else:
            shot, expressions = expressions[1], expressions[2:]
    browser = Browser(program, profile)
    try:
        target = browser.ask("Target.createTarget", url="about:blank")["targetId"]
        browser.session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Log", "Runtime", "Network", "Page"):
            browser.ask(domain + ".enable")
        browser.ask("Emulation.setDeviceMetricsOverride", width=int(width), height=900, deviceScaleFactor=1,
                    mobile=int(width) < 600)
        if vision:
            browser.ask("Emulation.setEmulatedVisionDeficiency", type=vision)
        browser.ask("Emulation.setEmulatedMedia", media=media, features=[
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"}])
        browser.ask("Page.navigate", url=url)
        failed = []
        for expression in expressions:
            end = time.monotonic() + PATIENCE
            value = browser.value(expression)
            while value is not True and time.monotonic() < end:
                time.sleep(0.1)
                value = browser.value(expression)
            if value is not True:
                failed.append([expression, value])
        if shot:
            height = browser.value("document.documentElement.scrollHeight")
            browser.ask("Emulation.setDeviceMetricsOverride", width=int(width), height=int(height),
                        deviceScaleFactor=1, mobile=int(width) < 600)
            time.sleep(0.3)
            picture = browser.ask("Page.captureScreenshot")["data"]
            with open(shot, "wb") as file:
                file.write(b64decode(picture))
        print(json.dumps({"failed": failed, "log": browser.log, "hosts": sorted(browser.hosts)}))
    finally:
        browser.process.terminate()
        browser.process.wait()


main()
