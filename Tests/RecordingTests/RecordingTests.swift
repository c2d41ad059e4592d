// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Recording
import Testing

@Suite("Recordings are read and decided again")
struct RecordingTests {
  private struct Reading {
    var decoder = RecordingDecoder()
    var steps: [RecordingDecoder.Step] = []
    var ending: RecordingDecoder.Ending?
    var error: RecordingError?

    /// Reads `bytes` in chunks of so many.
    init(_ bytes: [UInt8], chunk: Int = .max) {
      do throws(RecordingError) {
        var position = 0
        while position < bytes.count {
          let end = chunk < bytes.count - position ? position + chunk : bytes.count
          try decoder.decode(bytes[position..<end].span, into: &steps)
          position = end
        }
        ending = try decoder.finish()
      } catch {
        self.error = error
      }
    }
  }

  private static let policies: [SignificantPolicy] = [
    .ios(IOSPolicy()), .iosField(IOSFieldPolicy(seed: 3)),
    .receiver(ReceiverPolicy(timeout: 60)),
    .milepost(
      MilepostPolicy(
        senses: [.motion, .cells], memory: AcquisitionMemory(hot: 7, timeout: 120))),
  ]

  @Test("A run of 400 steps is written, read and decided the same", arguments: 0..<4)
  func same(policy: Int) throws {
    let drive = Drive(seed: UInt64(policy) + 11, steps: 400, policy: Self.policies[policy])
    let reading = Reading(drive.bytes)
    #expect(reading.ending == .complete)
    #expect(reading.steps.map(\.record) == drive.records)
    #expect(drive.records.contains { $0.commands.count > 2 })
    var player = try RecordingPlayer(try #require(reading.decoder.header))
    for step in reading.steps { #expect(player.play(step) == nil) }
  }

  @Test("Any chunks of the same bytes give the same steps")
  func chunks() {
    let bytes = Drive(seed: 5, steps: 30).bytes
    let whole = Reading(bytes)
    for chunk in [1, 2, 7, 100, 1_000] {
      let reading = Reading(bytes, chunk: chunk)
      #expect(reading.steps == whole.steps)
      #expect(reading.ending == .complete)
    }
  }

  @Test("Of a recording that is cut at any byte everything up to the last whole line is read")
  func cut() {
    let bytes = Drive(seed: 6, steps: 14).bytes
    let whole = Reading(bytes)
    let firstLine = (bytes.firstIndex(of: 0x0A) ?? 0) + 1
    for length in bytes.indices {
      let reading = Reading(Array(bytes.prefix(length)))
      guard length >= firstLine else {
        #expect(reading.error?.line == 1)
        continue
      }
      let lines = bytes.prefix(length).count { $0 == 0x0A }
      #expect(reading.steps == Array(whole.steps.prefix(lines - 1)), "\(length) bytes")
      let left = length - ((bytes.prefix(length).lastIndex(of: 0x0A) ?? 0) + 1)
      #expect(reading.ending == (left > 0 ? .cut(bytes: left) : .unfinished), "\(length) bytes")
    }
  }

  @Test("A decision that was changed is found, with its line and both texts")
  func changed() throws {
    let drive = Drive(seed: 7, steps: 200)
    var text = String(decoding: drive.bytes, as: UTF8.self)
    let lines = text.split(separator: "\n")
    let line = try #require(
      lines.firstIndex { $0.contains("\"deliver\"") && $0.contains("\"moved_m\"") })
    let changed = lines[line].replacing(
      "\"cached\":false", with: "\"cached\":true", maxReplacements: 1)
    #expect(changed != lines[line])
    text = text.replacing(String(lines[line]), with: String(changed))
    let reading = Reading(Array(text.utf8))
    var player = try RecordingPlayer(try #require(reading.decoder.header))
    var found: RecordingPlayer.Difference?
    for step in reading.steps where found == nil { found = player.play(step) }
    let difference = try #require(found)
    #expect(difference.line == line + 1)
    #expect(difference.recorded?.contains("\"cached\":true") == true)
    #expect(difference.decided?.contains("\"cached\":false") == true)
    #expect(difference.recorded?.hasPrefix("{\"deliver\":{\"app\":") == true)
  }

  @Test("A command too many and one too few are differences too")
  func counts() throws {
    let drive = Drive(seed: 8, steps: 40)
    let index = try #require(drive.records.firstIndex { $0.commands.count > 1 })
    for isLonger in [true, false] {
      var player = try RecordingPlayer(drive.header)
      var found: RecordingPlayer.Difference?
      var bytes: [UInt8] = []
      var encoder = RecordingEncoder()
      encoder.begin(drive.header, into: &bytes)
      for (number, record) in drive.records.enumerated() {
        var record = record
        if number == index, isLonger { record.commands.append(.requestNetworkPosition) }
        if number == index, !isLonger { record.commands.removeLast() }
        encoder.write(record, into: &bytes)
      }
      for step in Reading(bytes).steps where found == nil { found = player.play(step) }
      #expect(found?.line == index + 2)
      #expect((found?.decided == nil) == isLonger)
      #expect((found?.recorded == nil) == !isLonger)
    }
  }

  @Test("Changed bytes anywhere are an error or another recording, never a crash")
  func damage() {
    let bytes = Drive(seed: 9, steps: 20).bytes
    for index in stride(from: 0, to: bytes.count, by: 5) {
      var changed = bytes
      changed[index] ^= UInt8(truncatingIfNeeded: 1 + index % 255)
      let reading = Reading(changed)
      guard let header = reading.decoder.header, var player = try? RecordingPlayer(header) else {
        continue
      }
      for step in reading.steps { _ = player.play(step) }
    }
  }

  @Test(
    "What is wrong is told with its line",
    arguments: [
      ("{\"class\":\"TPV\"}", 1, "not a recording: its class is not MILEPOST_RECORDING"),
      (
        "{\"class\":\"MILEPOST_RECORDING\",\"version\":2}", 1,
        "a recording of version 2, and this release reads version 1; use the release that made it"
      ),
      ("HEADER\n{\"at_us\":1", 0, ""),
      ("HEADER\n{\"at_us\":1}\n", 2, "'commands' of 'the line' is not an array"),
      ("HEADER\n{]\n", 2, "not JSON: a key was expected at byte 2"),
      (
        "HEADER\n{\"at_us\":1,\"input\":\"sunrise\",\"commands\":[]}\n", 2,
        "the input 'sunrise' is not known here"
      ),
      (
        "HEADER\n{\"at_us\":1e300,\"input\":\"time_passed\",\"commands\":[]}\n", 2,
        "'at_us' of 'the line' is not a whole number"
      ),
      (
        "HEADER\n{\"class\":\"MILEPOST_RECORDING_END\",\"steps\":3}\n", 2,
        "a last line of 3 steps, but 0 stand before it: lines are missing"
      ),
      (
        "HEADER\n{\"class\":\"MILEPOST_RECORDING_END\",\"steps\":0}\n{}\n", 3,
        "something follows the last line"
      ),
    ])
  func errors(text: String, line: Int, message: String) {
    var header: [UInt8] = []
    RecordingEncoder().begin(Drive.header(.ios(IOSPolicy())), into: &header)
    let first = String(decoding: header.dropLast(), as: UTF8.self)
    let bytes = Array((text.replacing("HEADER", with: first) + (line == 1 ? "\n" : "")).utf8)
    let reading = Reading(bytes)
    #expect(reading.error?.message ?? "" == message)
    #expect(reading.error?.line ?? 0 == line)
  }

  @Test("A line without end is refused, and not kept")
  func endless() {
    var decoder = RecordingDecoder()
    var steps: [RecordingDecoder.Step] = []
    let chunk = [UInt8](repeating: 0x20, count: 1_048_576)
    #expect(throws: RecordingError.self) {
      for _ in 0..<5 { try decoder.decode(chunk.span, into: &steps) }
    }
  }

  @Test("A recording that begins with a running engine needs that engine")
  func snapshot() throws {
    let drive = Drive(seed: 10, steps: 120)
    var engine = try RecordingPlayer(drive.header).engine
    var commands: [EngineCommand] = []
    for record in drive.records.prefix(60) {
      engine.handle(record.input, at: record.at, into: &commands)
    }
    var header = drive.header
    header.snapshot = "opaque"
    #expect(throws: RecordingError.self) { try RecordingPlayer(header) }
    var player = try RecordingPlayer(header, restoring: engine.snapshot)
    for step in Reading(drive.bytes).steps.dropFirst(60) { #expect(player.play(step) == nil) }
  }
}
