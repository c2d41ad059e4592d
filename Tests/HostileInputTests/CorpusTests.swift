// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Whatever the bytes are, they are read or refused")
struct CorpusTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "Corpus")

  private static func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test("Seeds, and what broke a reader before, are read again", arguments: HostileReader.all)
  func corpus(_ reader: HostileReader) throws {
    let folder = Self.folder.appending(path: reader.name)
    let files = try Self.names(in: folder)
    // A fuzzer that begins with nothing finds the first keyword of a format after hours.
    #expect(!files.isEmpty, "Corpus/\(reader.name) holds no seed")
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: file)))
      do { try reader.read(bytes) } catch { Issue.record("\(reader.name)/\(file): \(error)") }
    }
  }

  @Test("Every folder of the corpus is some reader's, and every reader has its name once")
  func folders() throws {
    let names = HostileReader.all.map(\.name)
    #expect(Set(names).count == names.count)
    // The ledger of Tools/fuzz lies beside them.
    #expect(try Self.names(in: Self.folder).filter { $0 != "EXECUTIONS" } == names.sorted())
  }

  @Test("A seed that is cut anywhere is read or refused", arguments: HostileReader.all)
  func cuts(_ reader: HostileReader) throws {
    let folder = Self.folder.appending(path: reader.name)
    for file in try Self.names(in: folder) where file.hasPrefix("seed") {
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: file)))
      let step = max(1, bytes.count / 25)
      for end in stride(from: 0, to: bytes.count, by: step) {
        do { try reader.read(Array(bytes[..<end])) } catch {
          Issue.record("\(reader.name)/\(file), its first \(end) bytes: \(error)")
        }
      }
    }
  }
}

extension HostileReader {
  fileprivate static let all =
    traces + documents + settings + protocols + energy + answers + machine + kept + partials
    + ground + surveys
}

extension HostileReader: CustomTestStringConvertible {
  var testDescription: String { name }
}
