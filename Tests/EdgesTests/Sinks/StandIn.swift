// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import Testing

/// A server of the tests (`Servers/stand_in.py`); it ends with this value.
final class StandIn {
  /// A received request.
  struct Request {
    let line: JSONValue

    var method: String { line["method"]?.string ?? "" }
    var target: String { line["target"]?.string ?? "" }
    var body: String { line["body"]?.string ?? "" }
    var connection: Double? { line["connection"]?.number }
    /// The number of positions that the receiver would have stored.
    var stored: Double { line["stored"]?.number ?? -1 }
    /// Octets of the request, and of the answer.
    var up: Int { Int(line["up"]?.number ?? -1) }
    var down: Int { Int(line["down"]?.number ?? -1) }

    /// A header, by its name in lower case.
    func header(_ name: String) -> String? { line["headers"]?[name]?.string }
  }

  let port: Int
  private let process = Process()
  private let input = Pipe()
  private let lines: FileHandle
  private var buffer = Data()
  /// Lines that came during another wait.
  private var held: [JSONValue] = []

  /// With a certificate it speaks TLS; a quiet one reports no requests. `clients`: clients must
  /// show a certificate of this authority.
  init(
    certificate: String? = nil, key: String? = nil, clients: String? = nil, isQuiet: Bool = false
  ) throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Servers/stand_in.py").path
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script] + [certificate, key, clients].compactMap { $0 }
    if isQuiet {
      process.environment = ProcessInfo.processInfo.environment
        .merging(["STAND_IN_IS_QUIET": "1"]) { $1 }
    }
    process.standardInput = input
    process.standardOutput = output
    lines = output.fileHandleForReading
    var first = Data()
    try process.run()
    while let byte = try lines.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) {
      first += byte
    }
    let line = try JSONValue.parse(String(decoding: first, as: UTF8.self))
    port = try #require(line["port"]?.number.map { Int($0) })
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// Sets the answers to the next requests, in order.
  func plan(_ answers: String...) throws {
    for answer in answers {
      try input.fileHandleForWriting.write(contentsOf: Data((answer + "\n").utf8))
      while true {
        let line = try line()
        if line["heard"] != nil { break }
        held.append(line)
      }
    }
  }

  /// The next request; those that end connections are skipped.
  func request() throws -> Request {
    while true {
      let line = held.isEmpty ? try line() : held.removeFirst()
      if line["target"] != nil { return Request(line: line) }
    }
  }

  func requests(_ count: Int) throws -> [Request] { try (0..<count).map { _ in try request() } }

  /// The next line; throws if the server has ended.
  func line() throws -> JSONValue {
    while true {
      if let feed = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let text = String(decoding: buffer[..<feed], as: UTF8.self)
        buffer = Data(buffer[(feed + 1)...])
        return try JSONValue.parse(text)
      }
      let more = lines.availableData
      try #require(!more.isEmpty, "the server of the tests has ended")
      buffer += more
    }
  }
}
