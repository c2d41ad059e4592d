// SPDX-License-Identifier: Apache-2.0

import FixFormats
import JSONText
import Testing
import TraceFiles

@testable import SettingsFiles

/// Inputs that took minutes, or more memory than there is, before their cost was bounded; now each is handled at once.
/// The limit holds for the wait behind all other tests too, which takes minutes of a busy machine.
@Suite("Cost follows the length of what is read", .timeLimit(.minutes(10)))
struct CostTests {
  /// An array that names one array twice, which names another twice, and so on: 2⁶⁰ texts in 300 bytes. From 15
  /// elements on their count is separate: 16⁸ texts.
  @Test("A binary property list that unfolds without end is refused", arguments: [2, 16])
  func unfoldingList(names: Int) throws {
    let depth: UInt8 = names == 2 ? 60 : 8
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for number in 0..<depth {
      offsets.append(UInt8(bytes.count))
      bytes += names == 2 ? [0xA2] : [0xAF, 0x10, UInt8(names)]
      bytes += [UInt8](repeating: number + 1, count: names)
    }
    offsets.append(UInt8(bytes.count))
    bytes += [0x51, UInt8(ascii: "x")]
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [depth + 1, 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
    let error = #expect(throws: Complaint.self) {
      _ = try SettingsFile.document(bytes, name: "x.plist", orInfoPlist: true).value
    }
    #expect(error?.message == "x.plist: nested too deeply, or too many values")
  }

  @Test("Below a long key of YAML no line is kept for messages, and what is short has its own")
  func longKey() throws {
    let key = String(repeating: "k", count: 300_000)
    let elements = String(repeating: "1,", count: 50_000)
    let text = "a:\n  b: 1\n? \(key)\n: [\(elements)1]\n"
    let document = try SettingsFile.document(Array(text.utf8), name: "x.yaml")
    #expect(document.value[key]?.array?.count == 50_001)
    #expect(document.lines["a.b"] == 2)
    #expect(document.lines.keys.allSatisfy { $0.utf8.count <= YAMLText.pathLimit })
  }

  @Test("The beginning of a frame at every other byte", arguments: [0xB562, 0xA0A1] as [UInt16])
  func frames(beginning: UInt16) {
    let frame = [UInt8(beginning >> 8), UInt8(truncatingIfNeeded: beginning)]
    let bytes = (0..<TraceFormat.prefixLength / 2).flatMap { _ in frame }
    #expect(BinaryProtocol.recognise(bytes.span) == nil)
  }

  @Test("Keys that GeoJSON has too, and no GeoJSON, in the first bytes of a trace")
  func keys() {
    let text = "{" + String(repeating: "\"type\":1,", count: 7_000)
    let bytes = Array(text.utf8.prefix(TraceFormat.prefixLength))
    #expect(throws: TraceError.self) { _ = try TraceFormat.recognise(bytes.span) }
  }
}
