// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import ServiceContract
import ServiceCore
import Testing
import TraceFiles

/// The result of reading some bytes.
struct Reading {
  var decoder = RecordingDecoder()
  var steps: [RecordingDecoder.Step] = []
  var ending: RecordingDecoder.Ending?
  var error: InputError?

  /// Reads `bytes` in chunks of `chunk` bytes.
  init(_ bytes: [UInt8], chunk: Int = .max) {
    do throws(InputError) {
      var position = 0
      while position < bytes.count {
        let end = chunk < bytes.count - position ? position + chunk : bytes.count
        try decoder.decode(bytes[position..<end].span, into: &steps)
        position = end
      }
      ending = try decoder.finishInput()
    } catch {
      self.error = error
    }
  }

  /// The first different decision of a new service.
  func difference() throws -> RecordingPlayer.Difference? {
    var player = RecordingPlayer(try #require(decoder.header))
    for step in steps {
      if let difference = player.play(step) { return difference }
    }
    return ending == .complete ? player.finish(at: decoder.lines) : nil
  }
}

@Suite("Recordings are read and decided again")
struct RecordingTests {
  private static let policies = PolicyKind.all.compactMap {
    PolicySettings(
      name: $0.name, senses: [.motion, .cells], seed: 3, timeout: 120, hotStart: 7
    ).policy
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func reading(_ lines: [String]) -> Reading {
    Reading(Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  @Test("A life of 500 inputs is written, read and decided the same", arguments: 0..<8)
  func same(number: Int) throws {
    let drive = try Drive(
      seed: UInt64(number) + 11, steps: 500, policy: Self.policies[number % Self.policies.count],
      hasStore: number < 6)
    let reading = Reading(drive.bytes)
    #expect(reading.ending == .complete)
    let lines = Self.lines(drive.bytes)
    for kind in ["start", "freeze", "send", "watch", "log", "sendLog", "forget"] {
      #expect(lines.contains { $0.hasPrefix("{\"effect\":{\"\(kind)\":") }, "\(kind)")
    }
    #expect(lines.contains { $0.contains("\"location\"") })
    #expect(try reading.difference() == nil)
  }

  @Test("A service that goes on from what an earlier one left decides the same again")
  func resumed() throws {
    let story = try Story(seconds: 900, every: 1, resumesAt: 650)
    let reading = Reading(story.shell.bytes)
    #expect(reading.decoder.header?.beginning.stored.engine != nil)
    #expect(try reading.difference() == nil)
  }

  @Test("Any chunks of the same bytes give the same steps")
  func chunks() throws {
    let bytes = try Drive(seed: 5, steps: 40).bytes
    let whole = Reading(bytes)
    for chunk in [1, 2, 7, 100, 1_000] {
      let reading = Reading(bytes, chunk: chunk)
      #expect(reading.steps == whole.steps)
      #expect(reading.ending == .complete)
    }
  }

  @Test("Of a recording that is cut at any byte everything up to the last whole line is read")
  func cut() throws {
    let bytes = try Drive(seed: 6, steps: 12).bytes
    let whole = Reading(bytes)
    let firstLine = (bytes.firstIndex(of: 0x0A) ?? 0) + 1
    for length in stride(from: 0, to: bytes.count, by: 29) {
      let reading = Reading(Array(bytes.prefix(length)))
      guard length >= firstLine else {
        #expect(reading.error?.line == 1)
        continue
      }
      let lines = bytes.prefix(length).count { $0 == 0x0A }
      #expect(reading.steps == Array(whole.steps.prefix(lines - 1)), "\(length) bytes")
      let left = length - ((bytes.prefix(length).lastIndex(of: 0x0A) ?? 0) + 1)
      #expect(reading.ending == (left > 0 ? .cut(bytes: left) : .unfinished), "\(length) bytes")
      #expect(try reading.difference() == nil, "a cut is no other decision")
    }
  }

  @Test(
    "What was changed is found, with its line and both texts",
    arguments: [
      ("{\"effect\":{\"send\":{\"_0\":{\"location\"", "\"isCached\":false", "\"isCached\":true"),
      ("{\"effect\":{\"start\"", "\"directory\":\"/opt\"", "\"directory\":\"/tmp\""),
      ("{\"commit\"", "\"kind\":\"delivered\"", "\"kind\":\"forgotten\""),
    ])
  func changed(mark: String, from: String, to: String) throws {
    var lines = Self.lines(try Drive(seed: 7, steps: 400).bytes)
    let index = try #require(lines.firstIndex { $0.hasPrefix(mark) && $0.contains(from) })
    lines[index] = lines[index].replacing(from, with: to, maxReplacements: 1)
    let difference = try #require(try Self.reading(lines).difference())
    #expect(difference.line == index + 1)
    #expect(difference.recorded?.contains(to) == true)
    #expect(difference.decided == lines[index].replacing(to, with: from, maxReplacements: 1))
  }

  @Test("An effect too many, one too few, and a decision too few are differences too")
  func counts() throws {
    var lines = Self.lines(try Drive(seed: 8, steps: 60).bytes)
    lines.removeLast()
    let index = try #require(lines.indices.last { lines[$0].hasPrefix("{\"effect\"") })
    let next = lines[(index + 1)...].first
    var longer = lines
    longer.insert("{\"effect\":{\"askNetwork\":{}}}", at: index + 1)
    let tooMany = try #require(try Self.reading(longer).difference())
    #expect(tooMany.line == index + 2)
    #expect(tooMany.recorded == longer[index + 1] && tooMany.decided == nil)
    var shorter = lines
    shorter.remove(at: index)
    if next != nil {
      let tooFew = try #require(try Self.reading(shorter).difference())
      #expect(tooFew.line == index + 1)
      #expect(tooFew.recorded == nil && tooFew.decided == lines[index])
    }
    var decided = lines
    decided.insert("{\"commit\":{\"written\":{\"seconds\":0}}}", at: index + 1)
    let extra = try #require(try Self.reading(decided).difference())
    #expect(extra.line == index + 2 && extra.decided == nil)
  }

  @Test("Nothing may be decided beyond the last line")
  func beyond() throws {
    var shell = try Shell(Shell.beginning(Shell.settings(), at: Shell.start))
    _ = try shell.give(.began(adopted: []))
    let lines = Self.lines(shell.bytes).prefix(2)
    let end = "{\"class\":\"MILEPOST_RECORDING_END\",\"effects\":0,\"inputs\":1}"
    let difference = try #require(try Self.reading(lines + [end]).difference())
    #expect(difference.line == 3)
    #expect(difference.recorded == nil && difference.decided?.hasPrefix("{\"commit\"") == true)
  }

  @Test("Changed bytes anywhere are an error or another recording, never a crash")
  func damage() throws {
    let bytes = try Drive(seed: 9, steps: 16).bytes
    for index in stride(from: 0, to: bytes.count, by: 101) {
      var changed = bytes
      changed[index] ^= UInt8(truncatingIfNeeded: 1 + index % 255)
      let reading = Reading(changed)
      if reading.decoder.header != nil { _ = try reading.difference() }
    }
  }

  @Test(
    "What is wrong is told with its line",
    arguments: [
      ("{\"class\":\"TPV\"}", 1, "not a recording: its class is not MILEPOST_RECORDING"),
      (
        "{\"class\":\"MILEPOST_RECORDING\",\"version\":1,\"release\":\"0.1.0\"}", 1,
        "a recording of version 1, and this release reads version 4; replay it with release 0.1.0, "
          + "which made it"
      ),
      (
        "{\"class\":\"MILEPOST_RECORDING\",\"version\":4,\"release\":\"9.0\"}", 1,
        "release 9.0 kept what the service begins with in another form ('service' is missing); replay "
          + "it with that release"
      ),
      ("HEADER\n{\"at_us\":1", 0, ""),
      ("HEADER\n{\"at_us\":1}", 2, "the line holds no input, decision or effect"),
      ("HEADER\n{\"at_us\":1,\"input\":{\"stop\":{}}}", 2, "'utc_us' is missing"),
      ("HEADER\n{]", 2, "not JSON: a key was expected at byte 2"),
      (
        "HEADER\n{\"at_us\":1,\"input\":{\"sunrise\":{}},\"utc_us\":1}", 2,
        "'input' is of no kind that is known here"
      ),
      (
        "HEADER\n{\"at_us\":1,\"input\":{\"gpsd\":{\"_0\":{\"rain\":{}}}},\"utc_us\":1}", 2,
        "'input.gpsd' is of no kind that is known here"
      ),
      (
        "HEADER\n{\"at_us\":9000000000000000000,\"input\":{\"stop\":{}},\"utc_us\":1}", 2,
        "'at_us': no instant within 36,000 years"
      ),
      (
        "HEADER\n{\"class\":\"MILEPOST_RECORDING_END\",\"effects\":3,\"inputs\":2}", 2,
        "a last line of 2 inputs and 3 effects, but 0 and 0 stand before it: lines are missing"
      ),
      (
        "HEADER\n{\"class\":\"MILEPOST_RECORDING_END\",\"effects\":0,\"inputs\":0}\n{}", 3,
        "something follows the last line"
      ),
    ])
  func errors(text: String, line: Int, message: String) throws {
    let first = try Shell(Shell.beginning(Shell.settings(), at: Shell.start)).bytes.dropLast()
    let end = line == 0 ? "" : "\n"
    let text = text.replacing("HEADER", with: String(decoding: first, as: UTF8.self)) + end
    let reading = Reading(Array(text.utf8))
    #expect(reading.error?.message ?? "" == message)
    #expect(reading.error?.line ?? 0 == line)
  }

  @Test("A line without end is refused, and not kept")
  func endless() {
    var decoder = RecordingDecoder(lineLimit: 50_000)
    var steps: [RecordingDecoder.Step] = []
    let chunk = [UInt8](repeating: 0x20, count: 12_000)
    #expect(throws: InputError.self) {
      for _ in 0..<5 { try decoder.decode(chunk.span, into: &steps) }
    }
  }
}
