// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import JSONText

/// The copy of a stream on disk, so that it can be read again.
///
/// A temporary file in `TMPDIR` that has no name once it is open, so that nothing is left of it however the program
/// ends. It is on disk, so that memory stays bounded, and limited, so that an endless stream does not fill the disk.
package struct Spool: Sendable, Equatable {
  /// The limit of kept bytes of a stream.
  package let limit: Int

  /// 4 GB: a year of GPX, one point a second [ours].
  package static let usual = Spool(limit: 4_000_000_000)

  package init(limit: Int) { self.limit = limit }

  /// Keeps `head`, and the bytes that `next` reads into a buffer until it returns 0; returns the copy's descriptor.
  ///
  /// `name` is the stream's name in messages.
  func keep(
    _ head: [UInt8], of name: String,
    then next: (inout [UInt8]) throws(Complaint) -> Int
  ) throws(Complaint) -> Int32 {
    let folder = Self.folder
    let copy = try Self.namelessFile(for: name)
    do throws(Complaint) {
      var kept = 0
      var chunk = head[...]
      var buffer = [UInt8](repeating: 0, count: TraceFile.chunkLength)
      while !chunk.isEmpty {
        kept += chunk.count
        guard kept <= limit else { throw tooLong(name, folder) }
        if let error = WholeWrite.write(chunk, to: copy).error {
          throw Complaint(error, folder, writing: true)
        }
        let count = try next(&buffer)
        chunk = buffer.prefix(count)
      }
    } catch {
      close(copy)
      throw error
    }
    return copy
  }

  private static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir }

  /// An empty temporary file without a name, to be read and written.
  static func namelessFile(for name: String) throws(Complaint) -> Int32 {
    var template = Array("\(folder)/milepost-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else {
      throw Complaint(
        "\(folder): \(SystemError.text()); a temporary file for \(name) is needed "
          + "(set TMPDIR to a folder that can be written)")
    }
    unlink(template)
    // Not for the programs that are started.
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    return file
  }

  private func tooLong(_ name: String, _ folder: String) -> Complaint {
    Complaint(
      "\(name): longer than \(limit / 1_000_000) MB, as much as is kept in \(folder) of what can be read only "
        + "once; write it to a file and name that")
  }
}
