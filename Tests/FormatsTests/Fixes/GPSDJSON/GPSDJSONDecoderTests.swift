// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

private func read(_ text: String) throws -> (events: [TraceEvent], ledger: TraceLedger) {
  try decoded(GPSDJSONDecoder(options: DecodingOptions()), text)
}

private let epoch = """
  {"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}
  {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0"}]}
  {"class":"SKY","device":"/dev/ttyACM0","hdop":0.9,"satellites":[{"PRN":1,"ss":40,"used":true},{"PRN":2,"ss":0,"used":false}]}
  {"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-05-04T07:08:09.000Z","lat":45.5,"lon":13.25}
  {"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-05-04T07:08:09.000Z","lat":45.5,"lon":13.25,"altHAE":146.5,"altMSL":100.5,"speed":2.5,"track":270,"eph":4.2,"epv":8}
  {"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-05-04T07:08:10.000Z","lat":45.6,"lon":13.25,"epx":3,"epy":4}
  {"class":"TPV","device":"/dev/ttyACM0","mode":1,"time":"2026-05-04T07:08:11.000Z"}

  """

struct GPSDJSONDecoderTests {
  @Test func severalReportsOfOneEpochMakeOneFix() throws {
    let (events, ledger) = try read(epoch)
    let fixes = positions(events)
    #expect(fixes.count == 2)
    #expect(fixes[0].time?.rfc3339 == "2026-05-04T07:08:09.000Z")
    #expect(fixes[0].horizontalAccuracy == 4.2)
    #expect(fixes[0].verticalAccuracy == 8)
    #expect(fixes[0].altitude == 100.5)
    #expect(fixes[0].ellipsoidalHeight == 146.5)
    #expect(fixes[0].speed == 2.5)
    #expect(fixes[0].course == 270)
    #expect(fixes[0].satellites == 1)
    #expect(fixes[0].hdop == 0.9)
    // √(3² + 4²): the substitute for a missing eph.
    #expect(fixes[1].horizontalAccuracy == 5)
    #expect(events.count == 3)
    #expect(ledger.noFixEpochs == 1)
    #expect(ledger.read == 7)
    #expect(ledger.used == 7)
    #expect(ledger.types == ["VERSION": 1, "DEVICES": 1, "SKY": 1, "TPV": 4])
    #expect(ledger.satellitesInView.greatest == 2)
    #expect(ledger.signal.count == 1)
  }

  @Test func anyCutGivesTheSameEvents() throws {
    #expect(
      try isIndifferentToCuts({ GPSDJSONDecoder(options: DecodingOptions()) }, epoch))
  }

  @Test func aTwoDimensionalFixHasNoHeight() throws {
    let (events, _) = try read(
      #"{"class":"TPV","mode":2,"time":"2026-05-04T07:08:09Z","lat":1,"lon":2,"altMSL":3,"epv":4}"#)
    #expect(positions(events).first?.altitude == nil)
    #expect(positions(events).first?.verticalAccuracy == nil)
  }

  @Test func aLostFixDoesNotReachBackIntoTheEpochBefore() throws {
    let (events, _) = try read(
      """
      {"class":"TPV","mode":3,"time":"2026-05-04T07:08:09Z","lat":1,"lon":2}
      {"class":"TPV","mode":1}
      """)
    #expect(positions(events).count == 1)
    #expect(events.last == .noFix(time: nil, line: 2))
  }

  @Test func badLinesAreSkippedByReason() throws {
    let (_, ledger) = try read(
      """
      # a header
      $GPRMC,,V,,,,,,,,,,N*53

      {"class":"TPV","mode":3,"time":"2026-05-04T07:08:09Z","lat":1,"lon":
      {"class":"TPV","mode":3,"time":"soon","lat":1,"lon":2}
      {"mode":3}
      {"class":"AIS","type":5}
      {"class":"TPV","mode":3,"time":"2026-05-04T07:08:09Z","lat":1,"lon":NaN}
      """)
    #expect(
      ledger.skipped == [
        "comment": 1, "not JSON": 1, "blank": 1, "malformed JSON": 2, "time not understood": 1,
        "no class": 1, "other report": 1,
      ])
    #expect(ledger.read == 8)
  }

  // gpsd_json(5): eps is in metres per second, epd in degrees; a receiver that says nothing leaves them out.
  @Test func whatSpeedAndCourseMayBeOffByIsTaken() throws {
    func accuracies(_ members: String) throws -> [Double?] {
      let (events, _) = try read(
        #"{"class":"TPV","mode":3,"time":"2026-05-04T07:08:09Z","lat":1,"lon":2\#(members)}"#)
      let fix = try #require(positions(events).first)
      return [fix.speedAccuracy, fix.courseAccuracy]
    }
    #expect(try accuracies(#","eps":0.82,"epd":21.5"#) == [0.82, 21.5])
    #expect(try accuracies("") == [nil, nil])
    #expect(try accuracies(#","eps":0,"epd":0"#) == [nil, nil])
    #expect(try accuracies(#","eps":-1,"epd":180"#) == [nil, 180])
    // Half a turn is as far off as a direction can be.
    #expect(try accuracies(#","epd":180.1"#) == [nil, nil])
  }

  @Test func anotherReceiverIsFollowedOnlyAfterSilence() throws {
    func report(_ device: String, _ second: Int) -> String {
      let text = second < 10 ? "0\(second)" : "\(second)"
      return
        #"{"class":"TPV","device":"\#(device)","mode":3,"time":"2026-05-04T07:08:\#(text)Z","lat":1,"lon":2}"#
    }
    let (events, ledger) = try read(
      [report("a", 0), report("b", 0), report("a", 1), report("b", 2), report("b", 40)]
        .joined(separator: "\n"))
    #expect(positions(events).count == 3)
    #expect(ledger.skipped == ["another device": 2])
    #expect(ledger.findings.map(\.kind) == ["several_devices"])
  }
}

@Suite struct GPSDValueTests {
  @Test func nullIsUnknownAndWhatIsNoNumberIsLeftOutAndTold() throws {
    let text =
      #"{"class":"TPV","mode":3,"time":"2026-05-04T07:08:09Z","lat":1,"lon":2,"alt":null,"speed":"fast"}"#
    let (events, ledger) = try decoded(GPSDJSONDecoder(options: DecodingOptions()), text)
    #expect(positions(events).map(\.speed) == [nil])
    #expect(ledger.findings.map(\.text) == ["left out: speed is 'fast', not a number"])
  }
}

/// Epochs of gpsd's own regression output, merged by a Python script that joins consecutive TPV
/// objects of one device and time: fixes, epochs without one, last time, last latitude.
private let merged: [(file: String, fixes: Int, without: Int, end: String, latitude: Double)] = [
  ("gpsd-ais-nmea.log.chk", 164, 0, "2020-04-07T21:42:33.000Z", 52.842_294_5),
  ("gpsd-beidou-bd.log.chk", 4, 0, "2034-10-11T07:41:59.799Z", 31.248_238_333),
  ("gpsd-bt451.log.chk", 12, 0, "2029-07-25T14:33:08.000Z", 55.780_329_167),
  ("gpsd-bu303-moving.log.chk", 12, 0, "2005-06-09T14:34:55.280Z", 46.498_339_529),
  ("gpsd-bundg_zeus_9.log.chk", 148, 0, "2018-08-20T09:50:04.000Z", 52.847_881_667),
  ("gpsd-et-332.log.chk", 19, 0, "2029-12-07T15:34:05.000Z", 39.678_308_333),
  ("gpsd-gp-320fw-2019-04-07-coldboot.log.chk", 1, 8, "2019-04-07T00:03:45.030Z", 48.149_988_333),
  ("gpsd-haicom-305N.log.chk", 67, 0, "2026-11-22T09:54:15.787Z", -27.210_673_333),
  ("gpsd-hemi.log.chk", 6, 111, "2018-09-07T19:41:00.000Z", 42.363_725_87),
  ("gpsd-hp58534a.log.chk", 1, 0, "2030-06-10T22:24:50.000Z", -33.817_228_333),
  ("gpsd-ublox-neo-m9n-nmea.log.chk", 61, 0, "2020-07-11T22:38:45.000Z", 38.110_501),
]

@Suite(.enabled(if: realTrace("MANIFEST.tsv") != nil, "the corpus of real traces is not here"))
struct GPSDRegressionTests {
  @Test(arguments: merged)
  func realOutputOfGPSDMergesAsAnIndependentScriptMergesIt(
    row: (file: String, fixes: Int, without: Int, end: String, latitude: Double)
  ) throws {
    let bytes = try #require(realTrace(row.file))
    #expect(try TraceFormat.recognise(bytes.span, among: [.nmea, .gpsdJSON]) == .gpsdJSON)
    let (events, ledger) = try decoded(
      GPSDJSONDecoder(options: DecodingOptions()), bytes, chunk: 4_096)
    #expect(ledger.fixes == row.fixes)
    #expect(ledger.noFixEpochs == row.without)
    #expect(positions(events).last?.time?.rfc3339 == row.end)
    #expect(positions(events).last?.coordinate.latitude == row.latitude)
    #expect(ledger.read == ledger.used + ledger.skipped.values.reduce(0, +))
    #expect(ledger.read == bytes.count { $0 == 0x0A })
  }

  @Test func positionsWithoutATimeDoNotOverwriteOneAnother() throws {
    var options = DecodingOptions()
    options.allowsUndated = true
    let (events, ledger) = try decoded(
      GPSDJSONDecoder(options: options),
      """
      {"class":"TPV","device":"/dev/a","mode":3,"time":"2026-05-04T12:00:00Z","lat":45,"lon":13.5}
      {"class":"TPV","device":"/dev/a","mode":3,"lat":46,"lon":13.5}
      {"class":"TPV","device":"/dev/a","mode":3,"lat":47,"lon":13.5}
      {"class":"TPV","device":"/dev/a","mode":3,"time":"2026-05-04T12:00:04Z","lat":49,"lon":13.5}

      """)
    #expect(positions(events).map(\.coordinate.latitude) == [45, 46, 47, 49])
    #expect(positions(events).map { $0.time == nil } == [false, true, true, false])
    #expect(ledger.used == 4)
  }
}
