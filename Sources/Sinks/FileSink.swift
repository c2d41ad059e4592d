// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Files
import Glibc
import LocationModel
import ServiceContract
import Settings

extension SinkKind {
  /// Files of JSON lines, one for each day (UTC): `deliveries-2026-11-22.jsonl`.
  static let file = SinkKind("file") { table, directory in
    let folder = table.absolutePath("folder", from: directory)
    if !table.states("folder") { table.note("folder", "missing; say where the files go") }
    return folder.map { FileSink(folder: $0) }
  }
}

/// Adds each delivery, as the `LOCATION` message that an app would get, to the file of the day on which it
/// was decided.
struct FileSink: Sink {
  let folder: String

  func fault() -> String? {
    guard access(folder, F_OK) == 0 else {
      return errno == ENOENT
        ? "there is no folder \(folder); make it, as the user that the service runs as"
        : "the folder \(folder) cannot be reached: \(SystemError.text())"
    }
    guard access(folder + "/.", W_OK | X_OK) == 0 else {
      return "nothing can be written in \(folder): \(SystemError.text())"
    }
    return nil
  }

  func take(_ deliveries: [PendingDelivery]) throws(SinkError) -> SinkReceipt {
    // The host's clock may step back over midnight: the order within a file is that of the numbers.
    var rest = deliveries[...]
    while let first = rest.first {
      let day = Self.day(of: first)
      let batch = rest.prefix { Self.day(of: $0) == day }
      rest = rest.dropFirst(batch.count)
      let lines = batch.flatMap {
        ServerMessage.location($0.delivery, received: $0.received).encode()
      }
      let path = "\(folder)/deliveries-\(day).jsonl"
      if let error = LineFile.append(lines, to: path) {
        throw SinkError("cannot write \(path): \(SystemError.text(error))")
      }
    }
    return SinkReceipt()
  }

  func probe() throws(SinkError) -> String {
    if let fault = fault() { throw SinkError(fault) }
    return "files can be written in \(folder)"
  }

  /// `2026-11-22`, UTC.
  private static func day(of delivery: PendingDelivery) -> Substring {
    delivery.received.rfc3339.prefix { $0 != "T" }
  }
}
