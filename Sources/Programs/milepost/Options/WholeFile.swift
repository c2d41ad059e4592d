// SPDX-License-Identifier: Apache-2.0

import Host
import JSONText
import TraceFiles

/// A small file, or standard input, in memory.
enum WholeFile {
  /// The kind of a file, with its limit of bytes.
  struct Kind {
    let name: String
    let limit: Int

    static let profile = Self(name: "a profile", limit: 1 << 20)
    static let baseline = Self(name: "a document of milepost compare --json", limit: 64 << 20)
    static let deliveries = Self(name: "a list of deliveries", limit: 256 << 20)
  }

  static func readBytes(of path: String, as kind: Kind) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try UnpackedFile.forEachChunk(of: path) { chunk in
      bytes += chunk
      guard bytes.count <= kind.limit else {
        throw Complaint(
          "\(InputName.full(path)): larger than \(kind.limit >> 20) MB; this is not \(kind.name)")
      }
    }
    return bytes
  }
}
