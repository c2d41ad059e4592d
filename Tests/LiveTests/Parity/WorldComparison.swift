// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import LocationModel

// Theory
// ======
//
// Two worlds have one service, one trace and one user. Only these differences are permitted:
//
// 1. Live is later, never earlier. A command, the start of a process and gpsd's reports take the machine some time, and
//    a time lapse turns it into seconds: every decision is within `latest` of the replay's.
// 2. So an act of the user falls between two other fixes: those that came in the meantime are judged as if it had not
//    happened yet, and the first fix that it lets through is that of its second.
// 3. Accuracy. An NMEA log has none; gpsd computes it in its way, and our decoder in ours (dilution times the
//    receiver's range error). Coordinates agree to gpsd's ninth decimal, which is less than a millimetre.
// 4. The end. A live service is stopped, and notifies its apps; a trace is over. Both accounts end with the trace.
//    `location-example` prints an account at the end of a replay and has none live.
//
// All else is a difference: another verdict on a fix, a repeated or missing fix, another event for an app or another
// order, one more start or end, or another reason for it.

/// The events in one world.
struct World: Sendable {
  /// The app that listens for significant changes, and the continuous one.
  var rare = LifeAccount()
  var always = LifeAccount()
  /// The messages of the first app (`ToldLines`).
  var told: [String] = []
  /// The output of `location-example`.
  var printed: [String] = []
}

/// Finds the differences of a live world from the replay.
struct WorldComparison {
  let replayed: World
  /// The permitted lateness of live, seconds of the trace.
  let latest: Double
  /// The times when the user changed the first app's permissions.
  let permissions: [UTCInstant]

  /// The error of nine decimals of a degree at both ends of two legs, metres.
  private static let rounding = 0.001

  /// A sentence for each difference that is not permitted above.
  func differences(of live: World) -> [String] {
    differences("rare", live.rare, replayed.rare, permissions)
      + differences("always", live.always, replayed.always, [])
      + differences("rare is told", live.told, replayed.told)
      + differences(
        "location-example prints", live.printed.map(ExamplePrint.init),
        replayed.printed.map(ExamplePrint.init))
  }

  // MARK: Apps

  private func differences(
    _ name: String, _ live: LifeAccount, _ replayed: LifeAccount, _ acts: [UTCInstant]
  ) -> [String] {
    differences(name, live.steps, replayed.steps)
      + differences("\(name), otherwise", live.others, replayed.others)
      + differences("\(name) gets", live.deliveries, replayed.deliveries, acts)
      + judgements(name, live, replayed, acts)
  }

  private func differences(
    _ name: String, _ live: [LifeAccount.Step], _ replayed: [LifeAccount.Step]
  ) -> [String] {
    differences(name, live.map(\.words), replayed.map(\.words))
      + zip(live, replayed).compactMap { live, replayed in
        lateness("\(name): \(live.words)", live.at, replayed.at)
      }
  }

  private func differences(
    _ name: String, _ live: [LifeAccount.Handed], _ replayed: [LifeAccount.Handed],
    _ acts: [UTCInstant]
  ) -> [String] {
    func words(_ handed: LifeAccount.Handed) -> String {
      let delivery = handed.delivery
      return "no. \(delivery.sequence), \(delivery.service)" + (delivery.isCached ? ", old" : "")
    }
    let own = differences(name, live.map(words), replayed.map(words))
    return own
      + zip(live, replayed).flatMap { live, replayed -> [String] in
        let name = "\(name) \(words(live))"
        let (fix, expected) = (live.delivery.fix, replayed.delivery.fix)
        var found = [lateness(name, live.at, replayed.at)].compactMap(\.self)
        if let time = fix.time, let other = expected.time, time != other {
          // Only the first one that an act lets through may be of another second.
          let isLetThrough = acts.contains {
            $0 <= other && isSoon($0, other) && isSoon(other, time)
          }
          if !isLetThrough { found.append("\(name): of \(time.rfc3339), not \(other.rfc3339)") }
        }
        return found + place(name, fix)
      }
  }

  /// Wherever it was delivered, a fix is that of its second: the continuous app of the replay has them all.
  private func place(_ name: String, _ fix: Fix) -> [String] {
    let same = replayed.always.deliveries.first { $0.delivery.fix.time == fix.time }
    guard let same else { return ["\(name): no such fix in the replay"] }
    let metres = fix.coordinate.distance(to: same.delivery.fix.coordinate)
    return metres <= Self.rounding ? [] : ["\(name): \(metres) m off"]
  }

  private func judgements(
    _ name: String, _ live: LifeAccount, _ replayed: LifeAccount, _ acts: [UTCInstant]
  ) -> [String] {
    Set(live.verdicts.keys).union(replayed.verdicts.keys).sorted().compactMap { fix in
      let (one, other) = (live.verdicts[fix], replayed.verdicts[fix])
      guard one != other, !acts.contains(where: { isSoon($0, fix) }) else { return nil }
      let words = [one, other].map { $0?.rawValue ?? "not at all" }
      return "\(name): the fix of \(fix.rfc3339) is judged \(words[0]), not \(words[1])"
    }
  }

  // MARK: Lines and times

  private func differences<Line: Equatable>(
    _ name: String, _ live: [Line], _ replayed: [Line]
  ) -> [String] {
    live.difference(from: replayed).map { change in
      switch change {
      case .insert(let offset, let line, _): "\(name), line \(offset): only live: \(line)"
      case .remove(let offset, let line, _): "\(name), line \(offset): only replayed: \(line)"
      }
    }
  }

  private func isSoon(_ begin: UTCInstant, _ time: UTCInstant) -> Bool {
    (0...latest).contains(UTCInstant.seconds(from: begin, to: time))
  }

  private func lateness(
    _ name: String, _ live: UTCInstant, _ replayed: UTCInstant
  ) -> String? {
    isSoon(replayed, live)
      ? nil : "\(name): at \(live.rfc3339), and in the replay at \(replayed.rfc3339)"
  }

  /// Lines of `location-example`: equal except for the list.
  private func differences(
    _ name: String, _ live: [ExamplePrint], _ replayed: [ExamplePrint]
  ) -> [String] {
    let shapes = differences(name, live.map(\.shape), replayed.map(\.shape))
    return shapes
      + zip(live, replayed).flatMap { live, replayed -> [String] in
        guard let time = live.time, let other = replayed.time else { return [] }
        var found = [lateness("\(name) \(live.line)", time, other)].compactMap(\.self)
        let fix = self.replayed.always.deliveries.first { $0.delivery.fix.time == time }
        if let fix, live.isOf(fix.delivery.fix.coordinate) { return found }
        found.append("\(name) \(live.line): the trace was elsewhere then")
        return found
      }
  }
}

/// A line that `location-example` printed.
struct ExamplePrint: Equatable {
  let line: String
  /// For a location: its time, and its numbers without the accuracy.
  let time: UTCInstant?
  private let numbers: [Double]
  /// The subject of the line: a location and its words, or all of it.
  let shape: String

  /// `2026-01-15T05:26:38Z 39.12657 83.44081, within 19 m, 5671.0 km from home`.
  init(_ line: String) {
    self.line = line
    let words = line.split { $0 == " " || $0 == "," }.map(String.init)
    guard let first = words.first, let date = ISO8601DateFormatter().date(from: first) else {
      (time, numbers, shape) = (nil, [], line)
      return
    }
    time = UTCInstant(microseconds: Int64(date.timeIntervalSince1970) * 1_000_000)
    let all = words.dropFirst().compactMap(Double.init)
    numbers = all.count == 4 ? [all[0], all[1], all[3]] : []
    shape = words.dropFirst().filter { Double($0) == nil }.joined(separator: " ")
  }

  /// Whether that is the place, to the last printed digit; Munich is home by default.
  func isOf(_ coordinate: Coordinate) -> Bool {
    guard let home = Coordinate(latitude: 48.1375, longitude: 11.5755), numbers.count == 3 else {
      return false
    }
    let kilometres = coordinate.distance(to: home) / 1_000
    return abs(numbers[0] - coordinate.latitude) < 1e-5
      && abs(numbers[1] - coordinate.longitude) < 1e-5 && abs(numbers[2] - kilometres) < 0.1
  }
}
