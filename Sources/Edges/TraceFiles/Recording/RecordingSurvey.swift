// SPDX-License-Identifier: Apache-2.0

package import LocationModel
import ServiceContract

/// Checks whether the fixes of a recording cover the whole journey: they do if the receiver was never switched off.
///
/// Switching off at an orderly end does not count: the recording may go on for `tolerance` after it.
package struct RecordingSurvey: Sendable {
  /// Seconds.
  package static let tolerance = 10.0

  /// A time for which the device's position is unknown.
  package struct Hole: Sendable, Equatable {
    /// The line on which the receiver was switched off.
    package let line: Int
    /// The time by the host's clock.
    package let utc: UTCInstant
  }

  /// The first hole; `nil` if there is none.
  package private(set) var hole: Hole?
  private var now = ServiceTime(at: .zero, utc: UTCInstant(microseconds: 0))
  private var isOn = false
  private var off: (hole: Hole, at: EngineInstant)?

  package init() {}

  package mutating func include(step: RecordingDecoder.Step) {
    guard hole == nil else { return }
    switch step.kind {
    case .input(_, let time):
      now = time
      if let off, EngineInstant.seconds(from: off.at, to: now.at) > Self.tolerance {
        hole = off.hole
      }
    case .decision: break
    case .effect(let line):
      guard let isWanted = Self.watch(line) else { return }
      if isWanted { hole = off?.hole }
      if !isWanted, isOn { off = (Hole(line: step.line, utc: now.utc), now.at) }
      isOn = isWanted
    }
  }

  /// Whether gpsd is watched from this line on; `nil` if the line does not concern that.
  private static func watch(_ line: [UInt8]) -> Bool? {
    guard line.starts(with: Array("{\"effect\":{\"watch\"".utf8)),
      let effect = try? RecordingForm.readValue(EffectLine.self, line).effect,
      case .watch(let isOn, _) = effect
    else { return nil }
    return isOn
  }
}
