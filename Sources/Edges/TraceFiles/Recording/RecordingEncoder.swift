// SPDX-License-Identifier: Apache-2.0

package import ServiceContract
package import ServiceCore

/// Writes a recording, line by line; `RecordingForm` describes the form.
///
/// Throws if a value cannot be written: settings whose profiles are not Milepost's own.
package struct RecordingEncoder: Sendable {
  /// The number of inputs and effects written so far.
  package private(set) var inputs = 0
  package private(set) var effects = 0
  private let hasStore: Bool

  /// Appends the first line.
  package init(_ header: RecordingHeader, into bytes: inout [UInt8]) throws {
    hasStore = header.beginning.host.hasStore
    Self.append(line: try RecordingForm.line(header), to: &bytes)
  }

  /// Appends an input.
  package mutating func write(
    input: ServiceInput, at time: ServiceTime, into bytes: inout [UInt8]
  ) throws {
    inputs += 1
    Self.append(line: try RecordingForm.line(InputLine(input, at: time)), to: &bytes)
  }

  /// Appends a decision: the change to write (none without a store), the store's answer, and the effects.
  package mutating func write(
    change: StoreChange?, _ outcome: LocationService.CommitOutcome, _ effects: [ServiceEffect],
    into bytes: inout [UInt8]
  ) throws {
    self.effects += effects.count
    for line in try Self.lines(of: hasStore ? change : nil, outcome, effects) {
      Self.append(line: line, to: &bytes)
    }
  }

  /// Appends the last line.
  package func finish(into bytes: inout [UInt8]) throws {
    let end = EndLine(class: RecordingForm.endName, inputs: inputs, effects: effects)
    Self.append(line: try RecordingForm.line(end), to: &bytes)
  }

  /// The lines of a decision.
  static func lines(
    of change: StoreChange?, _ outcome: LocationService.CommitOutcome, _ effects: [ServiceEffect]
  ) throws -> [[UInt8]] {
    let decision = DecisionLine(commit: outcome, writes: change.map(WrittenChange.init))
    return [try RecordingForm.line(decision)]
      + (try effects.map { try RecordingForm.line(EffectLine(effect: $0)) })
  }

  private static func append(line: [UInt8], to bytes: inout [UInt8]) {
    bytes += line
    bytes.append(0x0A)
  }
}
