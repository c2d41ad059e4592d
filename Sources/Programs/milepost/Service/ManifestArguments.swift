// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol
import Glibc
import Host
import JSONText
import TraceFiles

/// A manifest named by an argument: read here, parsed by the service.
struct ManifestArguments: ParsableArguments {
  @Argument(file: "The manifest.")
  var manifest: String

  @Argument(
    parsing: .postTerminator,
    help: "The program and its arguments, after --, in place of what the manifest says.")
  var command: [String] = []

  /// The number of bytes that fit into one message in base64.
  private static let limit = 48_000

  /// The message for the service; without a command the file's applies. Throws `Complaint` if the file cannot be read,
  /// or is too long for a manifest.
  func message() throws -> ClientMessage.Manifest {
    try Self.message(of: manifest, command: command)
  }

  /// The same from a file only.
  static func message(
    of manifest: String, command: [String] = []
  ) throws -> ClientMessage.Manifest {
    guard let resolved = realpath(manifest, nil) else {
      throw Complaint("\(manifest): \(SystemError.reading())")
    }
    defer { free(resolved) }
    let path = String(cString: resolved)
    var bytes: [UInt8] = []
    try UnpackedFile.forEachChunk(of: path) { chunk in
      bytes += Array(chunk)
      guard bytes.count <= limit else {
        throw Complaint("\(manifest): a manifest has at most \(limit) bytes; is this one?")
      }
    }
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    return .init(
      file: String(path[path.index(after: slash)...]),
      directory: slash == path.startIndex ? "/" : String(path[..<slash]), bytes: bytes,
      command: command.isEmpty ? nil : command)
  }
}
