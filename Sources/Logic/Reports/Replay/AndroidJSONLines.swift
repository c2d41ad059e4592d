// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel
import RadioPower
package import Replay

// The lines of an Android scenario: `android` for what happens to an app, `android_phone` for the phone, `android_app` and
// `android_end` for what became of them. What user and system do, gaps, and acts that never came are as in other scenarios.

extension ReplayJSONLines {
  /// Appends a line of the account of Android apps.
  package mutating func writeAndroid(_ line: AndroidLine, into bytes: inout [UInt8]) {
    switch line.what {
    case .act(let act): numbered(line, act.words).append(as: Self.user, to: &bytes)
    case .notPlayed(let act): numbered(line, act.words).append(as: Self.notPlayed, to: &bytes)
    case .gap(let start):
      numbered(line, (start: start, end: line.time, cause: "no data"))
        .append(as: Self.gap, to: &bytes)
    case .need, .dozed: numbered(line, line.what).append(as: Self.androidPhone, to: &bytes)
    case .state, .woken, .notWoken, .startRefused, .told, .crossed, .activity, .workLost:
      numbered(line, line.what).append(as: Self.android, to: &bytes)
    }
  }

  /// Appends the last lines.
  package mutating func finish(android result: AndroidResult, into bytes: inout [UInt8]) {
    for app in result.apps {
      Line(
        sequence: nextSequence(), time: result.time, app: Self.named, name: app.app, part: app
      ).append(as: Self.androidApp, to: &bytes)
    }
    Line(sequence: nextSequence(), time: result.time, part: result)
      .append(as: Self.androidEnd, to: &bytes)
  }

  private mutating func numbered<Part>(_ line: AndroidLine, _ part: Part) -> Line<Part> {
    Line(
      sequence: nextSequence(), time: line.time, app: line.app.map { _ in Self.named },
      name: line.app, part: part)
  }

  // MARK: Lines

  static let android = line("android") { (what: inout JSONTable<AndroidHappening>) in
    what.value(
      "what", .words(AndroidHappening.kinds), about: "What happened to the app.", \.kind)
    what.optionalValue("state", .words(AndroidAppState.allCases.map(\.rawValue))) {
      if case .state(_, let to) = $0 { to.rawValue } else { nil }
    }
    what.optionalValue(
      "wake", .words(AndroidWake.allCases.map(\.rawValue)), about: "What it was run for, or not."
    ) {
      switch $0 {
      case .woken(let wake), .notWoken(let wake, _): wake.rawValue
      case .state, .startRefused, .told, .crossed, .activity, .workLost, .need, .dozed, .act,
        .notPlayed, .gap:
        nil
      }
    }
    what.optionalValue("locations", .whole(in: 1...Int64(Int32.max))) {
      if case .told(let count, _, _) = $0 { count } else { nil }
    }
    what.optionalValue(
      "accuracy_m", .number(in: 0...1e15, decimals: 1), about: "Of the latest location."
    ) {
      if case .told(_, let accuracy, _) = $0 { accuracy } else { nil }
    }
    what.optionalValue("transition", .words(GeofenceTransition.allCases.map(\.rawValue))) {
      if case .crossed(let transition, _) = $0 { transition.rawValue } else { nil }
    }
    what.value("text", \.words)
  }

  static let androidPhone = line("android_phone", isOfApp: false) {
    (what: inout JSONTable<AndroidHappening>) in
    what.value(
      "what", .words(["radios", "doze"]),
      about: "What the phone did, or its radios were asked for.",
      \.kind)
    what.value("text", \.words)
  }

  static let androidApp = line("android_app") { (totals: inout JSONTable<AndroidTotals>) in
    totals.value("locations", .count, \.told)
    totals.value(
      "wakes", .count, about: "Events for which it was run.", \.wakes)
    totals.value(
      "not_woken", .count, about: "Events for which it was not."
    ) { $0.notWoken.reduce(0) { $0 + $1.count } }
    totals.value("refused_starts", .count, \.refusedStarts)
  }

  static let androidEnd = line("android_end", isOfApp: false) {
    (end: inout JSONTable<AndroidResult>) in
    end.number("energy_j", decimals: 3, \.energy.total.nominal)
    end.number("energy_low_j", decimals: 3, \.energy.total.low)
    end.number("energy_high_j", decimals: 3, \.energy.total.high)
    end.number("gnss_on_s", decimals: 1, \.receiverOnSeconds)
  }
}

extension AndroidHappening {
  fileprivate static let kinds = [
    "state", "woken", "not_woken", "start_refused", "told", "geofence", "activity", "work_lost",
  ]

  fileprivate var kind: String {
    switch self {
    case .state: "state"
    case .woken: "woken"
    case .notWoken: "not_woken"
    case .startRefused: "start_refused"
    case .told: "told"
    case .crossed: "geofence"
    case .activity: "activity"
    case .workLost: "work_lost"
    case .need: "radios"
    case .dozed: "doze"
    case .act: "user"
    case .notPlayed: "not_played"
    case .gap: "gap"
    }
  }
}
