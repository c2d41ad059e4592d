// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel

/// Decides a recording again: a new engine gets the recorded inputs, and must command what was recorded.
///
/// Commands are compared by their text in a recording, byte for byte.
package struct RecordingPlayer: Sendable {
  package private(set) var engine: LocationEngine
  private var commands: [EngineCommand] = []

  /// The first thing that was decided otherwise.
  package struct Difference: Sendable, Equatable {
    /// The line of the recording, from 1.
    package let line: Int
    package let at: EngineInstant
    /// Which command of that line, from 1.
    package let command: Int
    /// Its text; `nil` where the recording has no further command.
    package let recorded: String?
    /// What this engine commands there; `nil` where it commands nothing further.
    package let decided: String?
  }

  /// Begins with the engine that the header describes. `snapshot` is the engine that a recording with
  /// a snapshot begins with; the caller has read it.
  ///
  /// Throws where the policy is not known here, or a snapshot is there and not given.
  package init(
    _ header: RecordingHeader, restoring snapshot: LocationEngine.Snapshot? = nil
  ) throws(RecordingError) {
    if let snapshot {
      engine = LocationEngine(restoring: snapshot)
      return
    }
    guard header.snapshot == nil else {
      throw RecordingError(
        line: 1,
        "the recording begins with an engine that had been running, and that cannot be read here"
      )
    }
    guard let policy = header.policy.policy else {
      throw RecordingError(
        line: 1,
        "the policy '\(header.policy.name.prefix(60))' is not known here with these settings")
    }
    engine = LocationEngine(rules: header.rules, policy: policy)
  }

  /// Takes one step; answers what is decided otherwise, or `nil`. The engine goes on by its own decision.
  package mutating func play(_ step: RecordingDecoder.Step) -> Difference? {
    commands.removeAll(keepingCapacity: true)
    engine.handle(step.record.input, at: step.record.at, into: &commands)
    let recorded = step.record.commands
    for index in 0..<max(recorded.count, commands.count) {
      let old = index < recorded.count ? recorded[index].recordedText : nil
      let new = index < commands.count ? commands[index].recordedText : nil
      if old != new {
        return Difference(
          line: step.line, at: step.record.at, command: index + 1, recorded: old, decided: new)
      }
    }
    return nil
  }
}
