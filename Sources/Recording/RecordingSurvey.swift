// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel

/// Whether the fixes of a recording tell the whole way: they do where the receiver was never switched off.
///
/// What an orderly end switches off does not count: the recording may go on for `tolerance` after it.
package struct RecordingSurvey: Sendable, Equatable {
  /// Seconds.
  package static let tolerance = 10.0

  /// A time for which nobody knows where the device was.
  package struct Hole: Sendable, Equatable {
    /// The line on which the receiver was switched off.
    package let line: Int
    package let at: EngineInstant
    package let why: ReceiverPlan.Off
  }

  /// The first; `nil` where there is none.
  package private(set) var hole: Hole?
  private let isAlwaysOn: Bool
  private var isOn: Bool
  private var off: Hole?

  package init(_ header: RecordingHeader) {
    isAlwaysOn = header.receiver == .alwaysOn
    // An engine that had been running may have had it on.
    isOn = header.snapshot != nil
  }

  package mutating func include(_ step: RecordingDecoder.Step) {
    guard !isAlwaysOn, hole == nil else { return }
    if let off, EngineInstant.seconds(from: off.at, to: step.record.at) > Self.tolerance {
      hole = off
    }
    for case .receiver(let plan) in step.record.commands {
      if case .off(let why) = plan, isOn {
        off = Hole(line: step.line, at: step.record.at, why: why)
      } else if plan.isOn {
        hole = hole ?? off
      }
      isOn = plan.isOn
    }
  }
}
