// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel

// The form
// ========
//
// One JSON object per line: the header, then one line per step, then a last line that counts the steps.
//
//     {"class":"MILEPOST_RECORDING","version":1,"release":"0.1.0","started":"2026-05-04T07:08:09.000Z",...}
//     {"at_us":1000000,"input":{"app":{"id":1,"does":"launched"}},"commands":[{"transition":{...}}]}
//     {"at_us":2000000,"input":{"fix":{"time":"2026-05-04T07:08:10.000Z","latitude":45.5,...}},"commands":[]}
//     {"class":"MILEPOST_RECORDING_END","steps":2}
//
// `at_us` is the engine's instant, microseconds. A line is written after its step was decided, so a
// recorder that is killed leaves whole lines and at most one that is cut; without a last line the
// recording ended before its recorder did. Nothing is skipped: a recorder that cannot write stops.

/// Writes a recording, line by line.
package struct RecordingEncoder: Sendable {
  /// The `class` of the last line.
  package static let endName = "MILEPOST_RECORDING_END"

  /// Steps written so far.
  package private(set) var steps = 0

  package init() {}

  /// Appends the first line.
  package func begin(_ header: RecordingHeader, into bytes: inout [UInt8]) {
    var json = JSONWriter()
    header.write(into: &json)
    bytes += json.bytes
    bytes.append(0x0A)
  }

  /// Appends one step.
  package mutating func write(_ record: EngineRecord, into bytes: inout [UInt8]) {
    steps += 1
    var json = JSONWriter()
    json.object { json in
      json.whole("at_us", record.at.microseconds)
      json.key("input")
      record.input.write(into: &json)
      json.key("commands")
      json.array { json in
        for command in record.commands { command.write(into: &json) }
      }
    }
    bytes += json.bytes
    bytes.append(0x0A)
  }

  /// Appends the last line.
  package func finish(into bytes: inout [UInt8]) {
    var json = JSONWriter()
    json.object { json in
      json.member("class", Self.endName)
      json.member("steps", steps)
    }
    bytes += json.bytes
    bytes.append(0x0A)
  }
}
