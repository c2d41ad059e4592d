// SPDX-License-Identifier: Apache-2.0

import GPSDSource
import LocationModel
import ServiceContract
import Testing

@testable import DaemonRuntime

/// The doctor's words, word for word, from facts.
@Suite("Why there is no fix")
struct DiagnosisTests {
  static func facts(_ change: (inout DoctorFacts) -> Void) -> DoctorFacts {
    var facts = DoctorFacts(host: "localhost", port: 2_947)
    facts.isInstalled = true
    facts.watched = 10
    facts.version = .init(release: "3.22", major: 3, minor: 14)
    change(&facts)
    return facts
  }

  static func device(_ change: (inout DoctorFacts.Device) -> Void) -> DoctorFacts {
    facts {
      var device = DoctorFacts.Device(path: "/dev/ttyACM0")
      device.file = .usable
      device.isOpen = true
      change(&device)
      $0.devices = [device]
    }
  }

  static func text(_ facts: DoctorFacts) -> String { Diagnosis(facts).text }

  @Test("gpsd is not installed, not running, refuses, or is somewhere else")
  func unreachable() {
    #expect(
      Self.text(Self.facts { ($0.failure, $0.isInstalled) = (.refused, false) }) == """
        There is no fix.
        - nobody listens on localhost:2947: gpsd is not installed here.
          What to do: install it (Debian: apt install gpsd), or name another machine with --gpsd.

        """)
    #expect(
      Self.text(Self.facts { $0.failure = .refused }) == """
        There is no fix.
        - nobody listens on localhost:2947: gpsd is not running.
          What to do: start it: systemctl start gpsd.socket, or gpsd -N /dev/ttyACM0 in a terminal.

        """)
    #expect(
      Self.text(Self.facts { ($0.failure, $0.isInstalled) = (.refused, nil) }) == """
        There is no fix.
        - localhost:2947 refuses the connection.
          What to do: gpsd listens to other machines only when started with -G; start it there so.

        """)
    #expect(
      Self.text(Self.facts { $0.version = nil }) == """
        There is no fix.
        - localhost:2947 takes the connection, but nothing answers there: gpsd hangs, or it is no gpsd.
          What to do: start it again: systemctl restart gpsd; or name gpsd's own port with --gpsd HOST:PORT (2947 is the usual one).

        """)
    #expect(
      Self.text(Self.facts { ($0.version, $0.hasAnswered) = (nil, true) }) == """
        There is no fix.
        - localhost:2947 is open, but what answers there is no gpsd.
          What to do: name gpsd's own port with --gpsd HOST:PORT (2947 is the usual one).

        """)
  }

  @Test("A server that sends anything is told from one that hangs")
  func answering() {
    var notes = DoctorNotes(DoctorFacts(host: "localhost", port: 2_947))
    notes.note(
      event: .link(.lost(reason: "it says nothing", retryAfter: 1)), elapsed: 10, clock: .epoch)
    #expect(!notes.facts.hasAnswered)
    notes.note(event: .line(Array("SSH-2.0-OpenSSH_9.2".utf8)), elapsed: 11, clock: .epoch)
    #expect(notes.facts.hasAnswered && notes.facts.version == nil)
  }

  @Test("A device without a file, without permission, without data, without a fix")
  func device() {
    #expect(
      Self.text(Self.device { $0.file = .missing }) == """
        There is no fix.
        - /dev/ttyACM0 does not exist: the receiver is not plugged in.
          What to do: plug it in; if its name changed, give gpsd the new one (gpsdctl add).

        """)
    #expect(
      Self.text(Self.device { $0.file = .forbidden(user: "gpsd", group: "dialout") }) == """
        There is no fix.
        - /dev/ttyACM0 belongs to group dialout, and gpsd's user gpsd is not in it.
          What to do: usermod -aG dialout gpsd, then systemctl restart gpsd.

        """)
    #expect(
      Self.text(Self.device { _ in }) == """
        There is no fix.
        - /dev/ttyACM0 is open, and said nothing in 10 s.
          What to do: check cable, power and baud rate (stty -F, gpsd -s SPEED); no other program may \
        hold it (fuser -v).

        """)
    #expect(
      Self.text(
        Self.device { ($0.reports, $0.satellitesUsed, $0.satellitesInView) = (9, 2, 7) }) == """
          There is no fix.
          - /dev/ttyACM0 sends data, but had no fix in 10 s; it uses 2 of 7 satellites in view.
            What to do: give the antenna open sky; a cold receiver needs some minutes: try --wait 300.

          """)
  }

  @Test("A fix in two dimensions, with a stale time, or a good one")
  func fixes() {
    #expect(
      Self.text(Self.device { ($0.reports, $0.fixes, $0.bestMode) = (9, 9, 2) }) == """
        There is a fix.
        - /dev/ttyACM0 has a fix in two dimensions only: its height is a guess.
          What to do: give the antenna more sky; a fix with height needs four satellites.

        """)
    let rolledOver = Self.device {
      ($0.reports, $0.fixes, $0.bestMode, $0.clockOffset) = (9, 9, 3, -619_315_201)
    }
    #expect(
      Self.text(rolledOver) == """
        There is a fix.
        - /dev/ttyACM0 has a fix in three dimensions.
        - the time of /dev/ttyACM0 is 7168 days behind this machine's.
          What to do: it is off by 1024 weeks: the receiver's week counter has rolled over; newer \
        firmware or a newer gpsd corrects it.

        """)
    #expect(
      Self.text(Self.device { ($0.reports, $0.fixes, $0.bestMode, $0.clockOffset) = (9, 9, 3, 1) })
        == "There is a fix.\n- /dev/ttyACM0 has a fix in three dimensions.\n")
    #expect(Diagnosis(rolledOver).hasFix)
  }

  @Test("libgps and gpsd that do not go together are named beside the rest")
  func mismatch() {
    let facts = Self.facts { $0.mismatch = "gpsd 3.17, protocol 3.12, does not go with libgps" }
    #expect(
      Diagnosis(facts).findings.map(\.kind) == [.mismatch, .noDevice])
  }

  @Test("Notes of a session become facts")
  func notes() {
    var notes = DoctorNotes(DoctorFacts(host: "localhost", port: 2_947))
    let clock = UTCInstant(microseconds: 1_782_036_005_000_000)
    let line = #"{"class":"TPV","device":"a","mode":1,"time":"2026-06-21T10:00:00Z"}"#
    for event: GPSDEvent in [
      .link(.connected(release: "3.22", protocolMajor: 3, protocolMinor: 14)),
      .device(.opened(path: "a", driver: "NMEA0183")), .line(Array(line.utf8)),
      .line(Array(#"{"class":"SKY","device":"a","uSat":2,"nSat":7}"#.utf8)),
    ] {
      notes.note(event: event, elapsed: 1, clock: clock)
    }
    let device = notes.facts.devices.first
    #expect(notes.facts.devices.count == 1)
    #expect(device?.reports == 1 && device?.isOpen == true && device?.driver == "NMEA0183")
    #expect(device?.satellitesUsed == 2 && device?.satellitesInView == 7)
    // 2026-06-21T10:00:05Z is 1782036005 s after 1970.
    #expect(device?.clockOffset == -5)
  }

  @Test("The first class of a file's rights that fits decides, as in Unix")
  func rights() {
    // A serial port as Debian makes it: root, group 20 (dialout), rw-rw----.
    // As ls(1) shows it: 0o660 is rw-rw----.
    #expect(DeviceFile.words(0o100_660) == "rw-rw----" && DeviceFile.words(0o755) == "rwxr-xr-x")
    func mayUse(_ user: UInt32?, _ groups: [UInt32], mode: UInt32 = 0o660) -> Bool {
      DeviceFile.mayUse(mode: mode, owner: 0, group: 20, user: user, groups: groups)
    }
    #expect(mayUse(115, [20]))
    #expect(!mayUse(115, [115]))
    #expect(!mayUse(nil, []))
    #expect(mayUse(nil, [], mode: 0o666))
    #expect(!mayUse(115, [20], mode: 0o606))
  }

  @Test("Nobody on the port is a fact of the probe")
  func probe() async {
    // Port 1 (tcpmux) is served nowhere.
    let facts = await DoctorProbe.facts(
      .named(.init(host: "127.0.0.1", port: 1)), watching: 1)
    #expect(facts.failure == .refused)
    #expect(!Diagnosis(facts).hasFix)
  }
}
