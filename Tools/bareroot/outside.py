# SPDX-License-Identifier: Apache-2.0
"""The service's contacts with the outside: servers, brokers, and existing programs."""

import json
import re
import shutil
import time

from . import recorder
from .driver import ROOT, guide_block
from .words import expect, fail, say

# The guide's 500 m and 300 s would take hours here.
QUICK = "significant_distance_m: 100\nsignificant_interval_s: 4\n"


def certificate(machine, folder, name, authority):
    """`authority` (a certificate, made if it is missing, with its key beside it) signs one for `name`."""
    key = str(authority).rsplit(".", 1)[0] + ".key"
    make = ["openssl", "req", "-newkey", "rsa:2048", "-nodes", "-batch"]
    if not (machine.root / str(authority).lstrip("/")).exists():
        machine.run(*make, "-x509", "-days", "2", "-subj", f"/CN=authority of {name}", "-keyout", key,
                    "-out", authority)
    place = f"{folder}/{name}"
    machine.run(*make, "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}",
                "-keyout", f"{place}.key", "-out", f"{place}.csr")
    machine.run("openssl", "x509", "-req", "-days", "2", "-in", f"{place}.csr", "-CA", authority, "-CAkey", key,
                "-CAcreateserial", "-copy_extensions", "copy", "-out", f"{place}.pem")
    return f"{place}.pem", f"{place}.key"


def tried(driver, words, code=None):
    """Expects this output of `milepost sinks test map`."""
    said = driver.milepost("sinks", "test", "map", code=code)
    expect(words in " ".join(said.split()), f"milepost sinks test map says '{words}': {said}")


def check_guide(machine, driver):
    page = "Your-van-on-your-map"
    machine.named("maps.example")
    machine.install("nginx-light", "openssl", "curl", "ca-certificates")
    kind = recorder.start(machine, machine.options.recorder)
    # Step 2, with a certificate of an authority that this machine trusts.
    authority = "/usr/local/share/ca-certificates/ours.crt"
    made = certificate(machine, "/etc/nginx", "maps.example", authority)
    for ending, path in zip(("pem", "key"), made):
        machine.run("cp", path, f"/etc/nginx/maps.{ending}")
    machine.run("update-ca-certificates")
    (machine.root / "etc/nginx/sites-enabled/maps").write_text(
        guide_block(page, "server {"))
    machine.run("sh", "-c", "printf 'jane:%s\\n' \"$(echo s3cret | openssl passwd -apr1 -stdin)\""
                " | tee /etc/nginx/maps.users")
    nginx = machine.start("nginx", "-g", "daemon off;", log=machine.root.parent / "nginx.log")
    # Steps 3 to 5, on a machine without any configuration; each line of the table that is possible here.
    driver.stop()
    shutil.rmtree(driver.home / ".config/milepost")
    tried(driver, "no milepostd listens here")
    driver.start()
    tried(driver, "there is no sink 'map'")
    driver.secret("map.secret", "wrong")
    driver.configure(guide_block(page, "sinks:\n      map:"))
    machine.wait("a reload takes up the file that has appeared", lambda: driver.sink("map"), 10, driver.said)
    tried(driver, "does not let us in")
    (driver.home / ".config/milepost/map.secret").chmod(0o644)
    tried(driver, "everybody on this machine may read")
    driver.secret("map.secret", "s3cret")
    (driver.home / ".config/milepost/map.secret").chmod(0o600)
    nginx.terminate()
    nginx.wait()
    tried(driver, "cannot be reached")
    nginx = machine.start("nginx", "-g", "daemon off;", log=machine.root.parent / "nginx.log")
    (machine.root / authority.lstrip("/")).rename(machine.root / "etc/nginx/ours.crt")
    machine.run("update-ca-certificates", "--fresh")
    tried(driver, "is not to be trusted")
    (machine.root / "etc/nginx/ours.crt").rename(machine.root / authority.lstrip("/"))
    machine.run("update-ca-certificates", "--fresh")
    tried(driver, "map can be reached: https://maps.example answered 200; it", code=0)
    # Step 6.
    web = ["curl", "--silent", "--show-error", "--max-time", "10"]
    jane = [*web, "--user", "jane:s3cret"]

    def last():
        found = json.loads(machine.run(*jane, "https://maps.example/api/0/last?user=jane&device=van"))
        return found[0] if found else None

    machine.wait("the position is on the server", last, 30, driver.said)
    first = last()
    driver.configure(QUICK + guide_block(page, "sinks:\n      map:"))
    driver.restart()
    machine.wait("the next ones follow", lambda: last()["tst"] > first["tst"] + 10, 60, driver.said)
    expect(52 < last()["lat"] < 53 and last()["lon"] == 5 and last()["m"] == 1, f"it was there: {last()}")
    for words, code in ((web, "401"), (jane, "200")):
        for path in ("/last/index.html", "/api/0/last"):
            have = machine.run(*words, "--output", "/dev/null", "--write-out", "%{http_code}",
                               f"https://maps.example{path}?user=jane&device=van")
            expect(have == code, f"{path} is answered {code} to {words[-1]}: {have}")
    socket = machine.run(
        *jane, "--http1.1", "--max-time", "2", "--include", "--header", "Connection: Upgrade",
        "--header", "Upgrade: websocket", "--header", "Sec-WebSocket-Version: 13",
        "--header", "Sec-WebSocket-Key: bWlsZXBvc3QgbWlsZXBvcw==", "https://maps.example/ws/last", code=None)
    expect("101 Switching Protocols" in socket, f"the page's web socket gets through: {socket}")
    row = driver.sink("map")
    expect(row["taken"] > 1 and row["pending"] == 0 and row["given_up"] == 0, f"all was taken: {row}")
    machine.end(nginx)
    say(f"guide      Your van on your map, as written, before {kind}: {row['taken']} positions over TLS, and each "
        "thing that its table of mistakes can be shown here")


def check_broker(machine, driver):
    machine.named("broker.example")
    machine.install("mosquitto", "mosquitto-clients")
    machine.run("install", "-d", "/srv/broker")
    pem, key = certificate(machine, "/srv/broker", "broker.example", "/srv/broker/authority.pem")
    (machine.root / "srv/broker/mosquitto.conf").write_text(
        f"listener 8883\ncertfile {pem}\nkeyfile {key}\nallow_anonymous false\n"
        "password_file /srv/broker/users\nuser root\n")
    machine.run("mosquitto_passwd", "-b", "-c", "/srv/broker/users", "jane", "s3cret")
    broker = machine.start("mosquitto", "-c", "/srv/broker/mosquitto.conf", log=machine.root.parent / "broker.log")
    driver.secret("map.password", "s3cret")
    table = guide_block("Uplinks", "sinks:\n      map:")
    driver.configure(QUICK + table)
    machine.wait("the reload is taken", lambda: driver.sink("map")["host"] == "broker.example", 10, driver.said)
    tried(driver, "it is not trusted: certificate verify failed; name the authority that signed")
    driver.write(driver.home / ".config/milepost/ours.pem",
                 (machine.root / "srv/broker/authority.pem").read_text())
    driver.configure(QUICK + table + "    ca_file: ours.pem\n")
    time.sleep(1)
    # A trial publishes nothing.
    tried(driver, "mqtts://broker.example lets us in as jane with MQTT 5; whether it takes 'owntracks/jane/van' is seen "
          "with the first position", code=0)
    heard = machine.run(
        "mosquitto_sub", "-h", "broker.example", "-p", "8883", "--cafile", "/srv/broker/authority.pem", "-u", "jane",
        "-P", "s3cret", "-t", "owntracks/#", "-C", "4", "-W", "60", "-F", "%t %p")
    places = [json.loads(line.split(" ", 1)[1])["lat"] for line in heard.splitlines()]
    expect(all(line.startswith("owntracks/jane/van {") for line in heard.splitlines()), heard)
    expect(places == sorted(places) and 52 < places[0] < 53, f"they come in order, northwards: {places}")
    machine.end(broker)
    say(f"broker     mosquitto {machine.version('mosquitto')} with TLS, a password and an authority of one's own: "
        f"{len(places)} positions in order; not trusted without the authority")


def check_gpsd_clients(machine, driver):
    machine.install("gpsd-clients", "gpsd-tools", "python3-gps", "python3-gi", "gir1.2-gtk-3.0", "xvfb", "bsdutils")
    # The commands that follow come after the setting.
    setting, *_ = guide_block("Writing-an-app", "gpsd_listeners").splitlines()
    driver.configure(QUICK + setting + "\n")
    driver.restart()
    port = "localhost:2948"

    def run(*words, **more):
        return machine.run("timeout", "30", *words, **{**driver.here, **more})

    reports = [json.loads(line) for line in run("gpspipe", "-w", "-n", "12", port).splitlines()]
    kinds = {report["class"] for report in reports}
    expect({"VERSION", "DEVICES", "WATCH", "TPV"} <= kinds, f"gpspipe sees of us: {sorted(kinds)}")
    expect(all(52 < r["lat"] < 53 for r in reports if r["class"] == "TPV"), f"{reports[-1]}")
    drawn = driver.folder / "cgps"
    machine.run("timeout", "8", "script", "-qfc", f"stty rows 40 cols 100; exec cgps {port}", f"{driver.VAN}/cgps",
                code=None, **{**driver.here, "environment": {**driver.here["environment"], "TERM": "vt100"}})
    text = drawn.read_text(errors="replace")
    expect(re.search(r"52\.\d+ N", text) and "5.00000000 E" in text, f"cgps draws a position: {text[-600:]!r}")
    track = machine.run("timeout", "8", "gpxlogger", port, code=None, **driver.here)
    expect(track.count("<trkpt") > 2, f"gpxlogger writes a track: {track[-600:]}")
    script = ("import gps; s = gps.gps(host='localhost', port='2948', mode=gps.WATCH_ENABLE | gps.WATCH_JSON);"
              " print(next(r for r in s if r['class'] == 'TPV')['lat'])")
    expect(run("python3", "-c", script).startswith("52."), "Python's gps module reads a position")
    shutil.copy(ROOT / "Tests/LiveTests/Apps/window.py", driver.folder)
    xgps = machine.run(
        "timeout", "60", "sh", "-c", "Xvfb -displayfd 3 -nolisten tcp 3>number 2>/dev/null & server=$!; "
        "while [ ! -s number ]; do sleep 0.1; done; "
        f"DISPLAY=:$(cat number) python3 window.py '52\\.[0-9]+ N' /usr/bin/xgps {port} 2>&1; code=$?; "
        "kill $server; exit $code", **driver.here)
    expect("3D FIX" in xgps, f"xgps shows a position: {xgps}")
    say(f"gpsd       gpspipe, cgps, gpxlogger, Python's gps and xgps {machine.version('gpsd-clients')} read positions "
        "at a port of ours")


def check_geoclue(machine, driver):
    machine.install("geoclue-2-demo", "dbus")
    example = machine.root / "usr/share/doc/milepostd/examples/milepost-geoclue.conf"
    if not example.exists():
        # dpkg of a small image may leave out documentation.
        driver.write(example, (ROOT / "Tools/dbus/milepost-geoclue.conf").read_text())
    commands = guide_block("Writing-an-app", 'sed "s/USER')
    commands = commands.replace("sudo ", "").replace("systemctl --user restart milepostd", ":")
    machine.run("sh", "-ec", commands, environment={"USER": "driver"})
    machine.run("install", "-d", "/run/dbus")
    bus = machine.start("dbus-daemon", "--system", "--nofork", log=machine.root.parent / "bus.log")
    machine.wait("the bus listens", lambda: (machine.root / "run/dbus/system_bus_socket").exists(), 10)
    driver.configure(QUICK + "geoclue: answer\n")
    driver.restart()
    machine.wait("it answers", lambda: "programs that ask GeoClue are answered" in driver.said(), 20, driver.said)
    command = guide_block("Writing-an-app", "/usr/libexec/geoclue-2.0").strip()
    shown = machine.run("timeout", "20", *command.split(), "-t", "10", code=None, **driver.here)
    found = re.search(r"Latitude: +(52\.\d+)", shown)
    if not found:
        fail(f"where-am-i is told where the device is: {shown}\n{driver.said()}")
    status = driver.milepost("status")
    expect("geoclue-where-am-i asks for exact" in status, f"status says who asked: {status}")
    machine.end(bus)
    (machine.root / "etc/dbus-1/system.d/milepost-geoclue.conf").unlink()
    say(f"geoclue    where-am-i {machine.version('geoclue-2-demo')} is told {found.group(1)} N on the system bus, "
        "without an agent")


def check_page(machine, driver):
    machine.install("curl")
    driver.configure(QUICK + "web: 127.0.0.1:8080\n")
    driver.restart()
    web = ["curl", "--silent", "--show-error", "--max-time", "10", "--cookie-jar", "jar", "--cookie", "jar"]

    def get(*words, **more):
        return machine.run(*web, *words, **{**driver.here, **more})

    code = ["--output", "/dev/null", "--write-out", "%{http_code}"]
    stranger = get(*code, "http://127.0.0.1:8080/status")
    expect(stranger in ("401", "403"), f"who has no token sees nothing: {stranger}")
    page = get("--location", "--include", driver.milepost("web").strip())
    expect("Content-Security-Policy: default-src 'none'" in page and "<title>" in page, f"the page: {page[:600]}")
    status = json.loads(get("http://127.0.0.1:8080/status"))
    expect(status["schema"].startswith("milepost.status/"), f"{status}")
    events = get("--no-buffer", "--max-time", "6", "http://127.0.0.1:8080/events", code=None)
    expect(events.count("data:") > 1, f"it is told as things happen: {events}")
    foreign = get(*code, "--header", "Host: evil.example", "http://127.0.0.1:8080/status")
    expect(foreign in ("400", "403", "421"), f"a name that is not ours is refused: {foreign}")
    seen = "its browser was not asked for (--browser)"
    if machine.options.browser:
        machine.install("chromium", "python3")
        shutil.copy(ROOT / "Tests/LiveTests/Apps/look.py", driver.folder)
        look = json.loads(machine.run(
            "python3", "look.py", "/usr/bin/chromium", f"{driver.HOME}/profile", driver.milepost("web").strip(), "1280",
            "light", "document.getElementById('line').textContent === 'Live'",
            "document.getElementById('fix-note').textContent.startsWith('52.')",
            "document.querySelector('[data-app=moved] .why') !== null", **driver.here))
        expect(not look["failed"] and not look["log"] and look["hosts"] == ["127.0.0.1:8080"], f"Chromium sees: {look}")
        seen = f"Chromium {machine.version('chromium')} shows it"
    say(f"page       guarded, with its policy; {events.count('data:')} events in 6 s; {seen}")


def check_python(machine, driver):
    machine.install("python3-venv", "python3-pip", "python3-setuptools", "python3-wheel")
    place = machine.root / "srv/client"
    shutil.copytree(ROOT / "Sources/python-client", place)
    machine.run("chown", "-R", "driver:driver", "/srv/client")
    machine.run("python3", "-m", "venv", "--system-site-packages", f"{driver.HOME}/venv", **driver.here)
    # The page's command with the folder in place of the repository's address, and nothing from elsewhere.
    machine.run(f"{driver.HOME}/venv/bin/pip", "install", "--quiet", "--no-index", "--no-build-isolation", "/srv/client",
                **driver.here)
    driver.configure(QUICK)
    driver.restart()
    example = guide_block("Writing-an-app", "import asyncio")
    driver.write(driver.folder / "commuter.py", example)
    log = machine.root.parent / "commuter.log"
    app = machine.start(f"{driver.HOME}/venv/bin/python3", "-u", "commuter.py", log=log, **driver.here)
    machine.wait("it asks its user",
                 lambda: driver.milepost("apps", "authorize", "commuter", "always", code=None) == "", 20, log.read_text)
    machine.wait("it prints events", lambda: log.read_text().count(" 52.") > 1, 60,
                 lambda: log.read_text() + driver.said())
    machine.end(app)
    driver.milepost("apps", "remove", "commuter")
    shutil.rmtree(place)
    say(f"python     the client, by pip, and the example of its page: {len(log.read_text().splitlines())} events")
