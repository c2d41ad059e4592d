// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import ServiceCore

/// Decides a recording again: a new service gets the recorded inputs and the store's recorded answers, and its changes
/// and effects must equal the recorded ones, byte for byte.
package struct RecordingPlayer: Sendable {
  package private(set) var service: LocationService
  private let hasStore: Bool
  /// The lines of the current decision that have not been matched yet.
  private var expected: ArraySlice<[UInt8]> = []

  /// The first different decision.
  package struct Difference: Sendable, Equatable {
    /// The line of the recording, from 1.
    package let line: Int
    /// The recorded text; `nil` if there is none of this kind.
    package let recorded: String?
    /// The text of this service; `nil` if it decides nothing further.
    package let decided: String?
  }

  package init(_ header: RecordingHeader) {
    service = LocationService(header.beginning, at: header.started)
    service.decisions.areKept = true
    hasStore = header.beginning.host.hasStore
  }

  /// Plays one step; returns a difference, or `nil`. After a difference the two are no longer at the same place.
  package mutating func play(_ step: RecordingDecoder.Step) -> Difference? {
    switch step.kind {
    case .input(let input, let time):
      if let missing = missing(before: step.line) { return missing }
      service.handle(input, at: time)
      return nil
    case .decision(let outcome, let line):
      if let missing = missing(before: step.line) { return missing }
      guard let decision = service.decide() else {
        return difference(at: step.line, recorded: line, decided: nil)
      }
      let change = hasStore ? decision.change : nil
      let effects = service.effects(of: decision, after: outcome)
      let lines = try? RecordingEncoder.lines(of: change, outcome, effects)
      expected = (lines ?? [])[...]
      return compare(line, at: step.line)
    case .effect(let line): return compare(line, at: step.line)
    }
  }

  /// Ends the recording with its last line, `line`: no further decision may follow.
  package mutating func finish(at line: Int) -> Difference? {
    if let missing = missing(before: line) { return missing }
    guard let decision = service.decide() else { return nil }
    let change = hasStore ? decision.change : nil
    let lines = try? RecordingEncoder.lines(of: change, .noStore, [])
    return difference(at: line, recorded: nil, decided: lines?.first)
  }

  /// Returns the engine's decisions since the last call.
  package mutating func takeDecisions() -> [EngineCommand] { service.decisions.takeDecisions() }

  private mutating func compare(_ recorded: [UInt8], at line: Int) -> Difference? {
    let decided = expected.popFirst()
    return decided == recorded
      ? nil : difference(at: line, recorded: recorded, decided: decided)
  }

  private func missing(before line: Int) -> Difference? {
    expected.first.map { difference(at: line, recorded: nil, decided: $0) }
  }

  private func difference(
    at line: Int, recorded: [UInt8]?, decided: [UInt8]?
  ) -> Difference {
    Difference(
      line: line, recorded: recorded.map { String(decoding: $0, as: UTF8.self) },
      decided: decided.map { String(decoding: $0, as: UTF8.self) })
  }
}
