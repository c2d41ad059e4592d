// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import Geodesy
package import LocationModel

// Theory
// ======
//
// An expectation is judged by one life: by the events of its account, and by the truth, which says when a border was
// crossed. A crossing counts if the device then stays on the new side for as long as the app is given: who turns back
// at once was nowhere, and no system tells it. So does one whose time is over before the trace is, or a gap begins.
//
//   truth      ──► crossings of the places ──┐
//   account    ──► wakes, told events, … ────┴──► what failed, when, and in which words
//
// An expectation for which nothing happened fails too: a test that cannot fail is none.

/// Judges what is expected of a scenario by one life of it.
package struct ExpectationJudge: Sendable {
  let scenario: Scenario
  private var borders: [String: BorderWatch] = [:]
  var lives: [String: AppAccount] = [:]
  var reboots: [UTCInstant] = []
  /// Whether the account of Android apps has begun.
  var hasBegun = false
  /// The first and the last instant of the truth.
  private var span: (begin: UTCInstant, end: UTCInstant)?

  /// What does not hold.
  package struct Failure: Sendable, Equatable {
    package var expectation: Expectation
    /// When; `nil` for what is of the whole trace.
    package var time: UTCInstant?
    /// `4 min 12 s after it left home`.
    package var words: String

    package init(_ expectation: Expectation, at time: UTCInstant?, _ words: String) {
      self.expectation = expectation
      self.time = time
      self.words = words
    }
  }

  package init(_ scenario: Scenario) {
    self.scenario = scenario
    for expectation in scenario.expectations {
      for place in places(of: expectation) { borders[place.name] = BorderWatch(place) }
    }
    for app in scenario.apps { lives[app.name] = AppAccount() }
    for app in scenario.android?.apps ?? [] { lives[app.name] = AppAccount() }
  }

  /// The places whose borders an expectation asks for.
  private func places(of expectation: Expectation) -> [Place] {
    switch expectation.claim {
    case .woken(_, let border): [border.place]
    case .told: fences(of: expectation.app)
    case .wakes, .relaunched, .neverWhileDenied, .silence, .energy: []
    }
  }

  /// The regions that an app monitors in any of its handlers.
  private func fences(of name: String?) -> [Place] {
    if let script = scenario.android { return script.geofences(of: name) }
    let app = scenario.apps.first { $0.name == name }
    return (app?.handlers ?? []).flatMap(\.steps).compactMap {
      if case .monitorRegion(let place) = $0 { place } else { nil }
    }
  }

  // MARK: What happens

  /// Takes the next events of the truth.
  package mutating func takeTruth(_ events: [TraceEvent]) {
    for event in events {
      switch event {
      case .fix(let fix, _):
        guard let time = fix.time else { continue }
        span = (span?.begin ?? time, time)
        for name in borders.keys { borders[name]?.move(to: fix.coordinate, at: time) }
      case .segmentEnd:
        for name in borders.keys { borders[name]?.loseSight() }
      case .noFix: break
      }
    }
  }

  /// Takes the next events of the account.
  package mutating func takeAccount(_ events: [ReplayEvent]) {
    for event in events {
      switch event.kind {
      case .decided(let command):
        if let name = event.name { lives[name]?.follow(command, at: event.time) }
      case .user(.authorize(let app, let level, _)):
        lives[app]?.authorize(level, at: event.time)
      case .user(.device(.rebooted)): reboots.append(event.time)
      case .sent: if let name = event.name { lives[name]?.sent(at: event.time) }
      case .user, .callbacks, .radio, .gap, .did, .refused, .notPlayed: break
      }
    }
  }

  // MARK: What it means

  /// The failures, in the order of the file. `joules` is the energy of the life.
  package func failures(joules: Double) -> [Failure] {
    scenario.expectations.compactMap { failure(of: $0, joules) }
  }

  private func failure(of expectation: Expectation, _ joules: Double) -> Failure? {
    let life = expectation.app.flatMap { lives[$0] } ?? AppAccount()
    func failed(_ words: String, at time: UTCInstant? = nil) -> Failure {
      Failure(expectation, at: time, words)
    }
    switch expectation.claim {
    case .energy(let most):
      return joules <= most ? nil : failed("\(Self.rounded(joules)) J")
    case .wakes(let most):
      return life.wakes.count <= most
        ? nil : failed("\(life.wakes.count) wakes", at: life.wakes.dropFirst(most).first)
    case .relaunched:
      if reboots.isEmpty { return failed("the device never starts anew") }
      let late = reboots.indices.first { index in
        let next = reboots[(index + 1)...].first
        return !life.launches.contains { time in
          time >= reboots[index] && next.map { time < $0 } ?? true
        }
      }
      return late.map { failed("it is not started again", at: reboots[$0]) }
    case .neverWhileDenied:
      if life.denials.isEmpty { return failed("nobody ever denies it a location") }
      return life.heardWhileDenied.map { failed("it got a location", at: $0) }
    case .silence(let limit):
      return silence(of: life, beyond: limit).map { failed($0.words, at: $0.time) }
    case .woken(let time, let border):
      return wokenLate(life, time, border).map { failed($0.words, at: $0.time) }
    case .told(let time):
      return toldLate(life, time, fences(of: expectation.app)).map {
        failed($0.words, at: $0.time)
      }
    }
  }

  private typealias Late = (words: String, time: UTCInstant?)

  /// The first silence that is longer.
  private func silence(of life: AppAccount, beyond limit: Double) -> Late? {
    guard let span, !life.sendings.isEmpty else { return ("it never sends anything", nil) }
    var last = span.begin
    for next in life.sendings + [span.end] {
      let seconds = UTCInstant.seconds(from: last, to: next)
      if seconds > limit { return ("silent for \(Self.words(seconds))", last) }
      last = next
    }
    return nil
  }

  private func wokenLate(
    _ life: AppAccount, _ limit: Double, _ border: Expectation.Border
  ) -> Late? {
    let name = border.place.name
    let crossings = (borders[name]?.crossings ?? []).filter {
      $0.isLeaving == border.isLeaving && $0.lasted >= limit
    }
    let verb = border.isLeaving ? "leaves" : "reaches"
    if crossings.isEmpty {
      return ("the device never \(verb) \(name) for so long over this trace", nil)
    }
    for crossing in crossings where !life.runs(at: crossing.time) {
      let next = life.wakes.first { $0 >= crossing.time }
      let delay = next.map { UTCInstant.seconds(from: crossing.time, to: $0) } ?? .infinity
      guard delay > limit else { continue }
      let passed = border.isLeaving ? "it left" : "it reached"
      return (
        next == nil
          ? "it is not woken after \(passed) \(name)"
          : "woken \(Self.words(delay)) after \(passed) \(name)", crossing.time
      )
    }
    return nil
  }

  private func toldLate(_ life: AppAccount, _ limit: Double, _ fences: [Place]) -> Late? {
    if fences.isEmpty { return ("it monitors no region", nil) }
    var judged = 0
    for fence in fences {
      for crossing in borders[fence.name]?.crossings ?? []
      where crossing.lasted >= limit && life.isBorn(before: crossing.time) {
        judged += 1
        let verb = crossing.isLeaving ? "left" : "reached"
        // The receiver's error may show a crossing before it is one.
        let told = life.told.first {
          $0.region == fence.name && $0.isLeaving == crossing.isLeaving
            && UTCInstant.seconds(from: crossing.time, to: $0.time) >= -limit
        }
        let delay =
          told.map { UTCInstant.seconds(from: crossing.time, to: $0.time) } ?? .infinity
        guard delay > limit else { continue }
        return (
          delay < crossing.lasted
            ? "told \(Self.words(delay)) after it \(verb) \(fence.name)"
            : "not told that it \(verb) \(fence.name)", crossing.time
        )
      }
    }
    return judged > 0 ? nil : ("no region is crossed for so long over this trace", nil)
  }

  /// `4 min 12 s`.
  private static func words(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    let (minutes, rest) = (whole / 60, whole % 60)
    return minutes == 0 ? "\(rest) s" : rest == 0 ? "\(minutes) min" : "\(minutes) min \(rest) s"
  }

  private static func rounded(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}
