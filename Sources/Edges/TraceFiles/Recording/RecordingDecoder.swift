// SPDX-License-Identifier: Apache-2.0

import FixFormats
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

  /// How a recording ended.
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
  package var lines: Int { splitter.number }
  private var splitter: LineSplitter
  private var hasEnded = false

  package init(lineLimit: Int = lineLimit) { splitter = LineSplitter(limit: lineLimit) }

  /// Takes the next bytes; appends the steps that became complete.
  package mutating func decode(
    _ bytes: borrowing Span<UInt8>, into steps: inout [Step]
  ) throws(InputError) {
    var position = 0
    while let line = splitter.nextLine(bytes, from: &position) {
      do throws(InputError) {
        try checkLength()
        try readLine(line, into: &steps)
      } catch {
        throw InputError(line: lines, error.message)
      }
    }
    try checkLength()
  }

  /// Throws if the current line, whole or not, is too long.
  private func checkLength() throws(InputError) {
    guard splitter.isCut else { return }
    throw InputError(line: lines + 1, "the line is longer than \(splitter.limit) bytes; none is")
  }

  /// Ends the input. Throws if there is not even a header.
  package func finishInput() throws(InputError) -> Ending {
    guard header != nil else {
      throw InputError(
        line: 1, "the recording was cut in its first line; nothing of it can be read")
    }
    var rest = splitter
    if let line = rest.lastLine() { return .cut(bytes: line.count) }
    return hasEnded ? .complete : .unfinished
  }

  private mutating func readLine(_ line: [UInt8], into steps: inout [Step]) throws(InputError) {
    guard header != nil else {
      header = try RecordingHeader(line)
      return
    }
    guard !hasEnded else { throw InputError("something follows the last line") }
    let kind: Kind
    switch try RecordingForm.readValue(RecordedLine.self, line) {
    case .input(let input):
      inputs += 1
      kind = .input(input.input, at: input.time)
    case .decision(let outcome): kind = .decision(outcome, line: line)
    case .effect:
      effects += 1
      kind = .effect(line: line)
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
