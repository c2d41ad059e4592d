// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import ServiceContract
package import ServiceCore

// Theory
// ======
//
// Bytes come in any chunks; whole lines become the header and steps. A line counts only with its line feed: bytes after
// the last one were cut off, are not read, and their number is reported. An unreadable whole line is an error, for
// another service than this one would decide what follows.
//
//   first ──header──► steps ──last line──► ended
//     └── anything else: error   └── step     └── anything more: error

/// Reads a recording, in memory that is bounded by its longest line.
package struct RecordingDecoder: Sendable {
  /// The limit of a line, bytes: a first line has the whole state of an earlier service, 300 bytes
  /// for each waiting delivery.
  package static let lineLimit = 67_108_864

  /// One line with its number.
  package struct Step: Sendable, Equatable {
    package let line: Int
    package let kind: Kind
  }

  package enum Kind: Sendable, Equatable {
    case input(ServiceInput, at: ServiceTime)
    /// The store's answer, and the line's bytes.
    case decision(LocationService.CommitOutcome, line: [UInt8])
    case effect(line: [UInt8])
  }

  /// The way in which a recording ended.
  package enum Ending: Sendable, Equatable {
    /// With its last line.
    case complete
    /// Without it: its recorder was ended before it could write it.
    case unfinished
    /// In the middle of a line, of which `bytes` were left.
    case cut(bytes: Int)
  }

  /// `nil` until the first line is whole.
  package private(set) var header: RecordingHeader?
  private var inputs = 0
  private var effects = 0
  /// Whole lines read so far.
  package private(set) var lines = 0
  private var pending: [UInt8] = []
  private var hasEnded = false
  private let lineLimit: Int

  package init(lineLimit: Int = lineLimit) { self.lineLimit = lineLimit }

  /// Takes the next bytes; appends the steps that became complete.
  package mutating func decode(
    _ bytes: borrowing Span<UInt8>, into steps: inout [Step]
  ) throws(InputError) {
    for index in bytes.indices {
      let byte = bytes[index]
      guard byte == 0x0A else {
        guard pending.count < lineLimit else {
          throw InputError(
            line: lines + 1, "the line is longer than \(lineLimit) bytes; none is")
        }
        pending.append(byte)
        continue
      }
      lines += 1
      do throws(InputError) {
        try take(into: &steps)
      } catch {
        throw InputError(line: lines, error.message)
      }
      pending.removeAll(keepingCapacity: true)
    }
  }

  /// Ends the input. Throws if there is not even a header.
  package func finish() throws(InputError) -> Ending {
    guard header != nil else {
      throw InputError(
        line: 1, "the recording was cut in its first line; nothing of it can be read")
    }
    if !pending.isEmpty { return .cut(bytes: pending.count) }
    return hasEnded ? .complete : .unfinished
  }

  private mutating func take(into steps: inout [Step]) throws(InputError) {
    guard header != nil else {
      header = try RecordingHeader(pending)
      return
    }
    guard !hasEnded else { throw InputError("something follows the last line") }
    let kind: Kind
    switch try RecordingForm.read(RecordedLine.self, pending) {
    case .input(let line):
      inputs += 1
      kind = .input(line.input, at: line.time)
    case .decision(let outcome): kind = .decision(outcome, line: pending)
    case .effect:
      effects += 1
      kind = .effect(line: pending)
    case .end(let end):
      guard end.class == RecordingForm.endName, (end.inputs, end.effects) == (inputs, effects)
      else {
        throw InputError(
          "a last line of \(end.inputs) inputs and \(end.effects) effects, but \(inputs) and \(effects) "
            + "stand before it: lines are missing")
      }
      hasEnded = true
      return
    }
    steps.append(Step(line: lines, kind: kind))
  }
}
