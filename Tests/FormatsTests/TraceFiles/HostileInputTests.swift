// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import LocationModel
import Testing
import TraceFiles

private let samples: [(format: TraceFormat, text: String)] = [
  (
    .gpx,
    """
    <?xml version="1.0"?><gpx><wpt lat="1" lon="2"/><trk><trkseg><trkpt lat="45.5" lon="13.5">
    <ele>1.5</ele><time>2026-05-04T07:08:09.5Z</time><cmt>acc=4 speed=1 course=2</cmt><sat>9</sat>
    <extensions><x:speed>1e3</x:speed></extensions></trkpt></trkseg></trk></gpx>
    """
  ),
  (
    .gpsdJSON,
    """
    {"class":"SKY","hdop":0.9,"satellites":[{"ss":40,"used":true}]}
    {"class":"TPV","mode":3,"time":"2026-05-04T07:08:09.000Z","lat":45.5,"lon":13.25,"eph":-1e9}

    """
  ),
  (
    .geojson,
    """
    {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point",
    "coordinates":[13.5,45.5,1]},"properties":{"time":1777878489,"segment":1e14}}]}
    """
  ),
  (.csv, "time,lat,lon,segment,sat\n1777878489,45.5,13.5,3,9\n\"2026-05-04\",1,2,9,99\n"),
  (
    .recording,
    """
    {"class":"MILEPOST_RECORDING","version":4}
    {"at_us":1,"input":{"gpsd":{"_0":{"fix":{"_0":{"coordinate":{"latitude":45.5,"longitude":13.5},
    "time":{"microseconds":1777878489000000}}}}}}}
    {"at_us":2,"input":{"timePassed":{}},"utc_us":2}

    """
  ),
  (
    .nmea,
    """
    $GPRMC,120000,A,5230.0000,N,01324.3540,E,10.0,90.0,040526,,
    $GPGGA,120000,5230.0000,N,01324.3540,E,1,08,1.1,34.5,M,44.9,M,,
    $GPVTG,360.0,T,034.4,M,005.5,N,018.0,K,A
    $GNGSA,A,3,80,71,73,79,69,,,,,,,,1.83,1.09,1.47,1
    $GPGSV,1,1,01,03,03,111,40
    $GPGST,120001,15.5,15.3,7.2,21.8,0.6,0.8,0.5
    $GPZDA,120001.71,04,05,2026,-1,00
    $GNGNS,120002.00,3844.24011,N,00908.43828,W,AN,03,10.5,45.6,50.1,,
    $GPGLL,4916.45,N,12311.12,W,120003,A
    """
  ),
  (.jsonl, "{\"lat\":45.5,\"lon\":13.5,\"time\":1777878489.25,\"satellites\":9}\n{\"gap\":true}\n"),
  (
    .timeline,
    """
    {"semanticSegments":[{"startTime":"2026-05-04T07:00:00.000+02:00","endTime":
    "2026-05-04T09:00:00.000+02:00","timelinePath":[{"point":"-24.05°, 15.25°","time":
    "2026-05-04T07:12:00.000+02:00"}]}],"rawSignals":[{"position":{"LatLng":"-24.0°, 15.0°",
    "accuracyMeters":20,"timestamp":"2026-05-04T07:11:00.000+02:00"}}]}
    """
  ),
  (
    .plt,
    """
    Geolife trajectory
    WGS 84
    Altitude is in Feet
    Reserved 3
    0,2,255,My Track,0,0,2,8421376
    0
    39.906631,116.385564,0,492,40097.5864583333,2009-10-11,14:04:30
    39.906554,116.385625,1,-777,40097.5865162037,04-May-26, 7:14:00 AM

    """
  ),
]

struct HostileInputTests {
  @Test("No format is left out of these")
  func everyFormat() {
    #expect(Set(samples.map(\.format.identifier)) == Set(TraceFormat.all.map(\.identifier)))
  }

  /// No changed, doubled or dropped byte makes a decoder crash or lose count.
  @Test(arguments: samples)
  func mutatedInputIsReadOrRefusedAndTheAccountAddsUp(
    sample: (format: TraceFormat, text: String)
  ) {
    var random = SplitMix64(seed: 7)
    let original = Array(sample.text.utf8)
    let pieces = ["1e308", "-1e308", "99999999999999", "null", "\"\n", "0000", "nan"].map {
      Array($0.utf8)
    }
    let alphabet = Array("<>&;\"'{}[],:-+.eE0123456789\n\r\\ \u{0}#".utf8) + [0xFF, 0xC3, 0x80]
    for round in 0..<2_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = alphabet.randomElement(using: &random) ?? 0
        case 1: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: place)
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 40)], at: place)
        }
      }
      var decoder = sample.format.decoder(options: DecodingOptions())
      var events: [TraceEvent] = []
      do {
        try decoder.decode(bytes.span, into: &events)
        try decoder.finish(into: &events)
        let ledger = decoder.ledger
        #expect(ledger.read == ledger.used + ledger.skipped.values.reduce(0, +))
        let fixes = events.count { if case .fix = $0 { true } else { false } }
        #expect(fixes == ledger.fixes)
        guard round % 20 == 0 else { continue }
        for format in OutputFormat.all { writeAndReadBack(events, as: format) }
      } catch {}
    }
  }

  /// Everything that was read is written in a form that is read again without a malformed line.
  private func writeAndReadBack(_ events: [TraceEvent], as format: OutputFormat) {
    var writer = TraceWriter(format: format)
    var bytes: [UInt8] = []
    writer.begin(into: &bytes)
    for event in events { writer.encode(event, into: &bytes) }
    writer.finish(into: &bytes)
    guard let read = TraceFormat.all.first(where: { $0.output == format }), !bytes.isEmpty else {
      return
    }
    var options = DecodingOptions()
    options.strict = true
    options.allowsUndated = true
    var decoder = read.decoder(options: options)
    var again: [TraceEvent] = []
    do throws(TraceError) {
      try decoder.decode(bytes.span, into: &again)
      try decoder.finish(into: &again)
    } catch {
      #expect(
        error.code != .malformed,
        "\(format.identifier): \(error.message): \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  /// The same for recognizing formats.
  @Test func randomBytesAreToldOrRefused() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...64, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = try? TraceFormat.recognise(bytes.span)
    }
  }
}
