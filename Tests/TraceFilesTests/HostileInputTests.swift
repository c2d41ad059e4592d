// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import GPXFormat
import SeededRandom
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
    {"class":"MILEPOST_RECORDING","version":2}
    {"at_us":1,"input":{"gpsd":{"_0":{"fix":{"_0":{"coordinate":{"latitude":45.5,"longitude":13.5},
    "time":{"microseconds":1777878489000000}}}}}}}
    {"at_us":2,"input":{"timePassed":{}},"utc_us":2}

    """
  ),
  (.jsonl, "{\"lat\":45.5,\"lon\":13.5,\"time\":1777878489.25,\"satellites\":9}\n{\"gap\":true}\n"),
]

struct HostileInputTests {
  /// No byte that is changed, doubled or dropped makes a decoder crash or lose count.
  @Test(arguments: samples)
  func mutatedInputIsReadOrRefusedAndTheAccountAddsUp(
    sample: (format: TraceFormat, text: String)
  ) {
    var random = SplitMix64(seed: 7)
    let original = Array(sample.text.utf8)
    let alphabet = Array("<>&;\"'{}[],:-+.eE0123456789\n\r\\ \u{0}#".utf8) + [0xFF, 0xC3, 0x80]
    for _ in 0..<2_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = alphabet.randomElement(using: &random) ?? 0
        case 1: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: place)
        case 2: bytes.remove(at: place)
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
      } catch {}
    }
  }

  /// The same for telling formats apart.
  @Test func randomBytesAreToldOrRefused() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...64, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = try? TraceFormat.recognise(bytes.span)
    }
  }
}
