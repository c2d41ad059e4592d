// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationEngine
import LocationModel
import RadioPower
import Replay
import ServiceCore
import Testing

/// A day of two commutes, for the service as it runs live and for a replay.
enum Commute {
  /// Metres east of home: there from 8:00 on and back from 17:00 on, 27 km in half an hour each.
  static func east(at second: Double) -> Double {
    let (there, back) = (second - 8 * 3_600, second - 17 * 3_600)
    return 15 * (min(max(there, 0), 1_800) - min(max(back, 0), 1_800))
  }

  /// The seconds at which a replay of this day tells, with the same policy, profile and hot start.
  static func replayed() throws -> [Double] {
    let device = try #require(try ProfileLibrary.device(named: "pi-zero-neo-m8"))
    let start = UTCInstant(microseconds: 1_800_000_000_000_000)
    let events = (0...86_400).map { second -> TraceEvent in
      .fix(
        Stage.fix(east: east(at: Double(second)), at: start.advanced(bySeconds: Double(second))),
        line: second + 1)
    }
    var survey = TraceSurvey()
    survey.include(events: events)
    var options = ReplayOptions(device: device, network: nil)
    (options.environment, options.drawsAcquisition) = (.open, false)
    let plan = RunPlan(.significant, .pocket, policy: .named("milepost", for: device))
    var run = Comparison([plan], options: options, summary: survey.finished(), records: .events)
    run.feed(events)
    _ = run.finishTrace()
    return run.drainEvents(ofRun: 0).compactMap { event in
      if case .decided(.deliver(_, let delivery)) = event.kind, !delivery.isCached {
        event.at.seconds
      } else {
        nil
      }
    }
  }

  /// The lateness of each event of the two ways, seconds: after the instant from which on it was due, 500 m and 300 s
  /// from the event before.
  static func lateness(_ told: [Double]) -> [Double] {
    var late: [Double] = []
    var anchor: (at: Double, east: Double)?
    for second in told {
      if let anchor {
        let due = (Int(anchor.at)...Int(second)).first {
          Double($0) - anchor.at >= 300 && (east(at: Double($0)) - anchor.east).magnitude >= 500
        }
        if let due { late.append(second - Double(due)) }
      }
      anchor = (second, east(at: second))
    }
    return late
  }

  /// The lateness of those that follow another on the same way: due 300 s after it, for 500 m take 34 s.
  static func underWay(_ told: [Double]) -> [Double] {
    zip(told, told.dropFirst()).map { $1 - $0 - 300 }.filter { (0..<300).contains($0) }
  }
}
