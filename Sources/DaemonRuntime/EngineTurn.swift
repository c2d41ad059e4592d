// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel

// Theory
// ======
//
// What a command causes at the same instant (an app that is launched has its service started) is told to
// the engine after all commands of the input that caused it, never in the middle of them. So inputs wait
// in a line, and whoever adds one while another is being performed leaves it to the one who is at it.

/// Inputs of the engine that wait, told one after the other, and recorded with what they led to.
struct EngineTurn {
  private var waiting: [EngineInput] = []
  private var isTaken = false

  /// Adds an input; `true` where the caller is to call `next` until it answers `nil`.
  mutating func add(_ input: EngineInput) -> Bool {
    waiting.append(input)
    defer { isTaken = true }
    return !isTaken
  }

  /// Tells the engine the next input; answers its commands, in order, `nil` where nothing waits.
  mutating func next(
    _ engine: inout LocationEngine, at now: EngineInstant, recording recorder: LiveRecorder?
  ) -> [EngineCommand]? {
    guard !waiting.isEmpty else {
      isTaken = false
      return nil
    }
    let input = waiting.removeFirst()
    var commands: [EngineCommand] = []
    engine.handle(input, at: now, into: &commands)
    recorder?.record(input, at: now, commands: commands)
    return commands
  }
}
