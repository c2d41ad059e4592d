// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Glibc

/// A manifest that an argument names: read here, understood by the service.
struct ManifestArgument {
  private let file: String
  private let directory: String
  private let bytes: [UInt8]

  /// As much as fits into one message in base64.
  private static let limit = 48_000

  /// Throws `Complaint` where it cannot be read, or is too long for a manifest.
  init(_ manifest: String) throws {
    guard let resolved = realpath(manifest, nil) else {
      throw Complaint("\(manifest): \(String(cString: strerror(errno))); check the path")
    }
    defer { free(resolved) }
    let path = String(cString: resolved)
    var bytes: [UInt8] = []
    try WholeFile.forEachChunk(of: path) { chunk in
      bytes += Array(chunk)
      guard bytes.count <= Self.limit else {
        throw Complaint("\(manifest): a manifest has at most \(Self.limit) bytes; is this one?")
      }
    }
    self.bytes = bytes
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    directory = slash == path.startIndex ? "/" : String(path[..<slash])
    file = String(path[path.index(after: slash)...])
  }

  /// For the service; an empty `command` leaves that to the file.
  func message(_ command: [String]) -> ClientMessage.Manifest {
    .init(
      file: file, directory: directory, bytes: bytes, command: command.isEmpty ? nil : command)
  }
}
