// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
import LocationModel

// Theory
// ======
//
//   wait(for: input) ─► engine ─► commands ─► next: each is performed, and may have more inputs wait
//
// All commands of one input are performed before the engine hears of what they caused. Whoever finds the queue at rest
// performs until nothing is left (`beginWork`); whoever finds it at work only adds to it.

/// The inputs that wait for the engine, and its decisions in the order in which they are performed.
package struct CommandQueue: Sendable {
  /// The decisions of the present input, or if they are kept, those since they were last forgotten; besides inputs, fixes
  /// and new rules add to them.
  package internal(set) var commands: [EngineCommand] = []
  /// Whether `commands` are kept until they are forgotten.
  package var areKept = false
  /// The number of commands that were handed out.
  private var done = 0
  private var waiting: [EngineInput] = []
  private var next = 0
  private var isAtWork = false

  /// Returns the decisions since the last time, and forgets them.
  package mutating func takeDecisions() -> [EngineCommand] {
    defer { forgetDecisions() }
    return commands
  }

  /// Forgets the decisions, which were performed; their memory is reused.
  package mutating func forgetDecisions() {
    commands.empty()
    done = 0
  }

  mutating func wait(for input: EngineInput) { waiting.append(input) }

  /// Whether the caller is the one who performs.
  mutating func beginWork() -> Bool {
    defer { isAtWork = true }
    return !isAtWork
  }

  /// The next command to perform; `nil` when the engine has nothing more to say.
  mutating func next(_ engine: inout LocationEngine, at now: EngineInstant) -> EngineCommand? {
    while done == commands.count {
      guard next < waiting.count else {
        rest()
        return nil
      }
      engine.handle(waiting[next], at: now, into: &commands)
      next += 1
    }
    defer { done += 1 }
    return commands[done]
  }

  private mutating func rest() {
    waiting.empty()
    (next, isAtWork) = (0, false)
    if !areKept { forgetDecisions() }
  }
}
