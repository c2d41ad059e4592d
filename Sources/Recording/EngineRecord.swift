// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel

/// One step of a recording: an input of the engine with its instant, and what the engine then commanded.
package struct EngineRecord: Sendable, Equatable {
  package var at: EngineInstant
  package var input: EngineInput
  package var commands: [EngineCommand]

  package init(at: EngineInstant, input: EngineInput, commands: [EngineCommand]) {
    self.at = at
    self.input = input
    self.commands = commands
  }
}
