// SPDX-License-Identifier: Apache-2.0

/// The hints that a device gives without its receiver, on which a policy may rely.
package struct Senses: OptionSet, Sendable, Codable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A sensor that fires when the device begins to move, and again for as long as it moves.
  package static let motion = Senses(rawValue: 1)
  /// A modem whose changes of cell reach the processor.
  package static let cells = Senses(rawValue: 2)

  /// The triggers that go with them.
  var triggers: Triggers {
    var triggers: Triggers = []
    if contains(.motion) { triggers.insert(.motion) }
    if contains(.cells) { triggers.insert(.cells) }
    return triggers
  }
}
