// SPDX-License-Identifier: Apache-2.0

import LocationEngine
package import LocationModel
package import Replay

// Theory
// ======
//
// The account of an Android scenario, line by line, becomes a lane for each app: a band for each state, a stroke for
// locations, a triangle for what it is run for, a cross where its process ends. Seconds count from the first line, on
// the trace's clock.

/// Every app's life in an Android scenario, as the lines for people and as lanes of a picture.
package struct AndroidTimeline: Sendable {
  /// A state from one instant to another, seconds from the start.
  struct Band: Sendable, Equatable {
    let state: AndroidAppState
    let from: Double
    var to: Double
  }

  /// One app's.
  struct Life: Sendable, Equatable {
    var bands = [Band(state: .notRunning, from: 0, to: 0)]
    var marks: [AppLife.Mark] = []

    mutating func enter(_ state: AndroidAppState, at seconds: Double) {
      extend(to: seconds)
      if bands.last?.from == seconds { bands.removeLast() }
      bands.append(Band(state: state, from: seconds, to: seconds))
      if state == .notRunning || state == .stopped { mark(.end, at: seconds) }
    }

    mutating func mark(_ kind: AppLife.Mark.Kind, at seconds: Double) {
      marks.append(AppLife.Mark(kind: kind, at: seconds))
    }

    mutating func extend(to seconds: Double) {
      guard let last = bands.indices.last else { return }
      bands[last].to = max(bands[last].to, seconds)
    }
  }

  /// In the order of the script.
  let names: [String]
  private(set) var lives: [String: Life] = [:]
  /// What users and the system do.
  private(set) var acts: [(at: Double, time: UTCInstant, words: String)] = []
  private(set) var gaps: [CurveRecord.Gap] = []
  /// The lines for people, at most `Timeline.partLimit`.
  private(set) var lines: [AndroidLine] = []
  private(set) var left = 0
  private(set) var start: UTCInstant?
  private(set) var end = 0.0

  package init(_ script: AndroidScript) {
    names = script.apps.map(\.name)
    for name in names { lives[name] = Life() }
  }

  /// Takes the next line of the account.
  package mutating func include(line: AndroidLine) {
    let at = seconds(of: line.time)
    end = max(end, at)
    if line.isForPeople {
      if lines.count < Timeline.partLimit { lines.append(line) } else { left += 1 }
    }
    switch line.what {
    case .state(_, let to): line.app.map { lives[$0]?.enter(to, at: at) }
    case .woken: line.app.map { lives[$0]?.mark(.wake, at: at) }
    case .told, .crossed, .activity: line.app.map { lives[$0]?.mark(.delivery, at: at) }
    case .act(let act): acts.append((at, line.time, act.words))
    case .gap(let from):
      let begin = seconds(of: from)
      if at > begin, gaps.count < CurveRecord.gapLimit {
        gaps.append(.init(from: begin, to: at, resumed: line.time))
      }
    case .notWoken, .startRefused, .workLost, .need, .dozed, .notPlayed: break
    }
  }

  /// Ends all lives with the trace.
  package mutating func finish(at time: UTCInstant) {
    end = max(end, seconds(of: time))
    for name in names { lives[name]?.extend(to: end) }
  }

  /// Whether it goes on past midnight, UTC.
  var hasDays: Bool {
    start.map { $0.date != $0.advanced(bySeconds: end).date } ?? false
  }

  private mutating func seconds(of time: UTCInstant) -> Double {
    let start = self.start ?? time
    self.start = start
    return max(0, UTCInstant.seconds(from: start, to: time))
  }
}
