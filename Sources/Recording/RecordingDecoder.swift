// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel

// Theory
// ======
//
// Bytes come in any chunks; whole lines become the header and steps. A line counts only with its line
// feed: what follows the last one was cut, is not read, and is reported with its length. A whole line that
// cannot be read is an error, for whatever follows would be decided by another engine than this one.
//
//   first ──header──► steps ──last line──► ended
//     └── anything else: error   └── step     └── anything more: error

/// Reads a recording, in memory that is bounded by its longest line.
package struct RecordingDecoder: Sendable {
  /// Bytes of a line at most: a fix judged for all apps that an engine serves takes some 700 kB.
  package static let lineLimit = 4_194_304

  /// One step, and on which line it stands.
  package struct Step: Sendable, Equatable {
    package let line: Int
    package let record: EngineRecord
  }

  /// How a recording ended.
  package enum Ending: Sendable, Equatable {
    /// With its last line.
    case complete
    /// Without it: its recorder was ended before it could write it.
    case unfinished
    /// In the middle of a line, of which so many bytes were left.
    case cut(bytes: Int)
  }

  /// `nil` until the first line is whole.
  package private(set) var header: RecordingHeader?
  /// Steps read so far.
  package private(set) var steps = 0
  /// Whole lines read so far.
  package private(set) var lines = 0
  private var pending: [UInt8] = []
  private var hasEnded = false

  package init() {}

  /// Takes the next bytes; appends the steps that became whole.
  package mutating func decode(
    _ bytes: borrowing Span<UInt8>, into steps: inout [Step]
  ) throws(RecordingError) {
    for index in bytes.indices {
      let byte = bytes[index]
      guard byte == 0x0A else {
        guard pending.count < Self.lineLimit else {
          throw RecordingError(
            line: lines + 1, "the line is longer than \(Self.lineLimit) bytes; no step is")
        }
        pending.append(byte)
        continue
      }
      lines += 1
      do throws(RecordingError) {
        try take(into: &steps)
      } catch {
        throw RecordingError(line: lines, error.message)
      }
      pending.removeAll(keepingCapacity: true)
    }
  }

  /// Says that no more bytes follow. Throws where there is not even a header.
  package func finish() throws(RecordingError) -> Ending {
    guard header != nil else {
      throw RecordingError(
        line: 1, "the recording was cut in its first line; nothing of it can be read")
    }
    if !pending.isEmpty { return .cut(bytes: pending.count) }
    return hasEnded ? .complete : .unfinished
  }

  private mutating func take(into steps: inout [Step]) throws(RecordingError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(pending.span)
    } catch {
      throw RecordingError("not JSON: \(error.message) at byte \(error.offset + 1)")
    }
    guard header != nil else {
      header = try RecordingHeader(recorded: value)
      return
    }
    guard !hasEnded else { throw RecordingError("something follows the last line") }
    let members = try Members(value, "the line")
    if members.has("class") {
      let count: Int = try members.whole("steps")
      guard try members.text("class") == RecordingEncoder.endName, count == self.steps else {
        throw RecordingError(
          "a last line of \(count) steps, but \(self.steps) stand before it: lines are missing")
      }
      hasEnded = true
      return
    }
    guard let list = members.value["commands"]?.array else {
      throw members.failure("commands", "an array")
    }
    var commands: [EngineCommand] = []
    for value in list { commands.append(try EngineCommand(recorded: value)) }
    let record = EngineRecord(
      at: try members.instant("at_us"), input: try EngineInput(recorded: members.value["input"]),
      commands: commands)
    self.steps += 1
    steps.append(Step(line: lines, record: record))
  }
}
