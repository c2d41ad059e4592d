// SPDX-License-Identifier: Apache-2.0

import Testing

/// `milepostd config`
@Suite("A configuration file, explained and checked")
struct ConfigTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func config(_ arguments: String...) throws -> Program.Answer {
    try Program.run(["config"] + arguments, of: "milepostd")
  }

  @Test("What is printed is fine as it stands")
  func explained() throws {
    let answer = try config()
    #expect(answer.code == 0 && answer.errors.isEmpty)
    #expect(
      answer.output.hasPrefix(
        """
        # Configuration of milepostd. Every option stands here with its default; what is left out has
        # that default. The file is read at the start, and again at SIGHUP (systemctl --user reload
        # milepostd): a change then counts at once, or after a restart of the service where that is said.

        # Where gpsd runs. Allowed: a host name or an address. Changes count at once.
        gpsd_host: localhost

        """))
    #expect(!answer.output.contains("milepost reload"))
    let file = try scratch.write("milepostd.yaml", answer.output)
    let checked = try config("--check", file)
    #expect(checked.output == "\(file): fine\n", "\(checked.errors)")
    #expect(checked.code == 0 && checked.errors.isEmpty)
  }

  @Test("What cannot be written is an error", arguments: ["config", "doctor --schema"])
  func full(command: String) throws {
    let program = Program.path(of: "milepostd")
    let answer = try Program.shell("\(program) \(command) > /dev/full", in: scratch)
    #expect(answer.code == 2)
    #expect(answer.errors == "milepostd: error: stdout: No space left on device\n")
  }

  @Test("An address of tiles has places for their numbers")
  func tiles() throws {
    let file = try scratch.write("bad.yaml", "web_tiles: foo\n")
    let answer = try config("--check", file)
    #expect(answer.code == 2)
    #expect(
      answer.errors
        == "milepostd: error: \(file):1: web_tiles: 'foo' is no address with {z}, {x} and {y}\n")
  }

  @Test("A URL with markup in it is no URL, of a sink as of tiles; a place for a token is none")
  func urls() throws {
    let file = try scratch.write(
      "bad.yaml",
      """
      web_tiles: 'https://t.example/{z}/{x}/{y}.png?<svg/onload=alert(1)>'
      sinks:
        van: {kind: owntracks, url: 'https://h.example/<svg/onload=alert(1)>', user: u, device: d}

      """)
    let answer = try config("--check", file)
    #expect(answer.code == 2 && answer.output.isEmpty)
    #expect(
      answer.errors == """
        milepostd: error: \(file):1: web_tiles: holds '<', which no URL may; write it percent-encoded
        \(file):3: sinks.van.url: holds '<', which no URL may; write it percent-encoded

        """, "\(answer.errors)")
    let fine = try scratch.write(
      "fine.yaml",
      """
      web_tiles: 'https://{s}.t.example/{z}/{x}/{y}{r}.png?key=a%20b'
      sinks:
        van: {kind: webhook, url: 'https://h.example/{token}?lat=%LAT', token_file: t}

      """)
    #expect(try config("--check", fine).errors.isEmpty)
  }

  @Test("Two sinks do not write into the same files")
  func sharedFiles() throws {
    _ = try Program.shell("mkdir '\(scratch.path("tracks"))'", in: scratch)
    let file = try scratch.write(
      "bad.yaml",
      """
      sinks:
        a: {kind: file, folder: tracks, format: gpx}
        b: {kind: file, folder: ./tracks/, format: gpx}
        c: {kind: file, folder: tracks}
        d: {kind: file, folder: other, format: gpx}

      """)
    let answer = try config("--check", file)
    #expect(answer.code == 2 && answer.output.isEmpty)
    #expect(
      answer.errors
        == "milepostd: error: \(file):3: sinks.b.folder: the sink a writes files of that name there; say "
        + "another folder, or another format\n")
  }

  @Test("A usual configuration that cannot be looked at is not taken for none")
  func closed() throws {
    // A link to itself: for root no folder is closed.
    let place = scratch.path("config/milepost")
    let program = Program.path(of: "milepostd")
    let answer = try Program.shell(
      "mkdir -p \(place) && ln -s milepostd.yaml \(place)/milepostd.yaml && "
        + "XDG_CONFIG_HOME=\(scratch.path("config")) timeout 5 \(program) serve "
        + "--state \(scratch.path("state")) --runtime \(scratch.path("run"))",
      in: scratch)
    #expect(answer.code == 2, "\(answer.errors)")
    #expect(answer.errors.contains("milepostd.yaml: ") && answer.errors.contains("symbolic links"))
  }

  @Test("Everything that is wrong is said at once")
  func wrong() throws {
    let file = try scratch.write("bad.yaml", "gpsd_port: 0\ncrash_limit: 5000\nera: ios5\n")
    let answer = try config("--check", file)
    #expect(answer.code == 2 && answer.output.isEmpty)
    #expect(
      answer.errors == """
        milepostd: error: \(file):1: gpsd_port: 0 is not a whole number from 1 to 65535
        \(file):3: era: 'ios5' is not one of ios4, ios7, ios13, today; did you mean 'ios4'?
        \(file):2: crash_limit: 5000 is not a whole number from 1 to 1000

        """)
    // Sinks are read by others than settings.
    let both = try scratch.write(
      "both.yaml", "gpsd_port: 0\nsinks:\n  van:\n    kind: traccar\n    url: http://a\n")
    #expect(
      try config("--check", both).errors == """
        milepostd: error: \(both):1: gpsd_port: 0 is not a whole number from 1 to 65535
        \(both):3: sinks.van.device: missing; say the identifier under which the server knows the device

        """)
    let absent = scratch.path("none.yaml")
    let missing = try config("--check", absent)
    #expect(missing.code == 2 && missing.output.isEmpty)
    #expect(missing.errors == "milepostd: error: \(absent): no such file; check the path\n")
  }
}
