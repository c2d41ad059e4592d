// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Errors of `milepostd track` before it contacts gpsd.
@Suite("What track refuses")
struct TrackErrorTests {
  private static let usage = """
    Usage: milepostd track <options>
      See 'milepostd track --help' for more information.

    """

  private static let policies =
    "these can run: milepost, periodic, receiver; periodic=N and receiver=N have N seconds between "
    + "sessions"

  @Test(
    "Options that make no sense",
    arguments: [
      (
        ["--mode", "sometimes"],
        """
        The value 'sometimes' is invalid for '--mode <mode>'. Please provide one of 'standard', \
        'significant' or 'continuous'.
        Help:  --mode <mode>  How the app asks for locations.
        """
      ),
      (["--distance-filter=-5"], "--distance-filter is -5; it must be above 0 metres"),
      (["--distance-filter", "nan"], "--distance-filter is nan; it must be above 0 metres"),
      (
        ["--mode", "significant", "--distance-filter", "50"],
        "--distance-filter is for --mode standard and continuous; significant has its own 500 m"
      ),
      (["--policy", "milepost"], "--policy is for --mode significant; continuous has none"),
      (["--count", "0"], "--count is 0; it must be at least 1"),
      (["--duration", "0"], "--duration is 0; it must be above 0 seconds"),
      (["--duration", "inf"], "--duration is inf; it must be above 0 seconds"),
      (["--receiver-hold=-1.5"], "--receiver-hold is -1.5; it must be 0 seconds or more"),
      (["--format", "gpx"], "--format is for --output; name its file, or -"),
      (
        ["-o", "-", "--json"],
        "-o - has standard output for itself; leave --json, --lines, --verbose and --why out, or name "
          + "a file"
      ),
    ])
  func options(arguments: [String], words: String) throws {
    let answer = try Program.run(["track"] + arguments, of: "milepostd")
    #expect(answer.code == 2)
    #expect(answer.output.isEmpty)
    #expect(answer.errors == "milepostd: error: \(words)\n" + Self.usage)
  }

  @Test(
    "Values that name nothing",
    arguments: [
      (
        ["--mode", "significant", "--policy", "ios"],
        "the policy 'ios' cannot run here: it needs network positions or a motion sensor; "
          + Self.policies
      ),
      (
        ["--mode", "significant", "--policy", "often"],
        "there is no policy 'often'; \(Self.policies)"
      ),
      (
        ["--mode", "significant", "--policy", "milepost=10"],
        "the policy 'milepost' has no interval to set; \(Self.policies)"
      ),
      (
        ["--mode", "significant", "--policy", "periodic=0"],
        "'periodic=0': the seconds between sessions are a number from 1 to 86400"
      ),
      (
        ["--profile", "abacus"],
        "there is no device profile 'abacus'; known: phone-2010-3g, phone-2013-lte, phone-2014-iphone6, "
          + "phone-2014-nexus6, phone-2020-lowpower, phone-2021-lte, phone-2023-iphone15, phone-2023-pixel8, "
          + "pi-zero-at6558, pi-zero-l76k, pi-zero-l80r, pi-zero-max-7, pi-zero-mtk3339, "
          + "pi-zero-neo-m8, pi-zero-neo-m9, pi-zero-neo6m, pi-zero-sam-m10, pi-zero-sirf4, pi-zero-ublox7, pi5-ublox-m9, "
          + "tracker-esp32s3-m10, tracker-lora-m10, tracker-ltem-nrf9160, tracker-ltem-nrf9161"
      ),
      (
        ["--gpsd", "localhost:gps"],
        "'localhost:gps' is no address of gpsd; write HOST:PORT, for example localhost:2947 or "
          + "[::1]:2947"
      ),
      (
        ["--gpsd", "::1"],
        "'::1' is no address of gpsd; write HOST:PORT, for example localhost:2947 or [::1]:2947"
      ),
      (
        ["-o", "trip.kml"],
        "trip.kml: the ending says no format; use one of .gpx, .nmea, .geojson, .csv, .jsonl, or state "
          + "it with --format"
      ),
      (["--observe", "-o", "-"], "--observe needs a file for its trace; -o - is none"),
    ])
  func values(arguments: [String], words: String) throws {
    let answer = try Program.run(["track", "--duration", "1"] + arguments, of: "milepostd")
    #expect(answer.code == 2)
    #expect(answer.output.isEmpty)
    #expect(answer.errors == "milepostd: error: \(words)\n")
  }

  @Test("Files that are there already, and folders that are not; nothing is left behind")
  func files() throws {
    let scratch = try Scratch()
    let there = try scratch.write("there.gpx", "mine")
    let new = scratch.path("new.gpx")
    func errors(_ arguments: [String]) throws -> String {
      let answer = try Program.run(["track", "--duration", "1"] + arguments, of: "milepostd")
      #expect(answer.code == 2)
      return answer.errors
    }
    #expect(
      try errors(["-o", there])
        == "milepostd: error: \(there): it is there already; name another file, nothing is written "
        + "over\n")
    #expect(
      try errors(["-o", new, "--record", there])
        == "milepostd: error: \(there): it is there already; name another file, no recording is "
        + "written over\n")
    #expect(!FileManager.default.fileExists(atPath: new))
    let beside = scratch.path("trip.recording")
    _ = try scratch.write("trip.recording.gpsd", "mine")
    #expect(
      try errors(["--record", beside])
        == "milepostd: error: \(beside).gpsd: it is there already; name another file, no recording is "
        + "written over\n")
    #expect(!FileManager.default.fileExists(atPath: beside))
    let nowhere = scratch.path("nowhere/trip.gpx")
    #expect(
      try errors(["-o", nowhere]) == "milepostd: error: \(nowhere): the folder does not exist\n")
    #expect(try scratch.read("there.gpx") == "mine")
  }
}
