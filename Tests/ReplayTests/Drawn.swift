// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import RadioPower

@testable import Replay

/// Traces drawn by hand: legs of (seconds, metres per second east), one fix every `step` seconds.
enum Drawn {
  static let origin = Coordinate(clampingLatitude: 48, wrappingLongitude: 11)
  static let start = UTCInstant(microseconds: 1_790_000_000_000_000)

  static func trace(
    _ legs: [(seconds: Double, speed: Double)], every step: Double = 1
  ) -> [TraceEvent] {
    var events: [TraceEvent] = []
    var elapsed = 0.0
    var east = 0.0
    func add() { events.append(fix(at: elapsed, east: east, line: events.count + 1)) }
    add()
    for leg in legs {
      var rest = leg.seconds
      while rest > 1e-9 {
        let part = min(step, rest)
        elapsed += part
        east += part * leg.speed
        rest -= part
        add()
      }
    }
    return events
  }

  static func fix(
    at seconds: Double, east: Double, north: Double = 0, accuracy: Double = 5, line: Int = 1
  ) -> TraceEvent {
    .fix(
      Fix(
        time: start.advanced(bySeconds: seconds),
        coordinate: LocalFrame(origin: origin).point(east: east, north: north),
        horizontalAccuracy: accuracy), line: line)
  }

  static func summary(_ events: [TraceEvent]) -> TraceSummary {
    var survey = TraceSurvey()
    survey.include(events: events)
    return survey.finished()
  }

  static func steps(_ events: [TraceEvent], isRecorded: Bool = true) -> TruthSteps {
    var stream = TruthStream(summary(events), isRecorded: isRecorded)
    var steps = TruthSteps()
    for event in events { stream.takeEvent(event, into: &steps) }
    stream.finish(into: &steps)
    return steps
  }
}

extension ReplayOptions {
  /// A device for arithmetic by hand: its parts alone, without what a whole phone spends around them, and a cold start.
  /// Without Wi-Fi its 100 m ask the receiver.
  static func ofParts(_ name: String, withWiFi: Bool = true) throws -> ReplayOptions? {
    guard let file = ProfileLibrary.file(named: name) else { return nil }
    let rows = String(decoding: file, as: UTF8.self).split(separator: "\n").filter {
      !$0.hasPrefix("soc,moving,") && !$0.hasPrefix("gnss,track_still,")
        && (withWiFi || !$0.hasPrefix("wifi,"))
    }
    let bytes = Array(rows.joined(separator: "\n").utf8)
    let device = try DeviceProfile.parse(bytes.span, name: name)
    var options = ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: device.network))
    options.firstStart = .cold
    options.drawsAcquisition = false
    return options
  }
}

extension [TruthSample] {
  /// The sums over all samples: metres, and seconds. (The compiler takes seconds for `map(\.travelled).reduce(0, +)`.)
  var travelled: Double { reduce(0) { $0 + $1.travelled } }
  var elapsed: Double { reduce(0) { $0 + $1.elapsed } }
}
