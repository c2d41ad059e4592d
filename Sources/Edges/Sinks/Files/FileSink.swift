// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import FixFormats
import Glibc
import Host
import JSONText
import LocationModel
import ServiceContract

extension SinkKind {
  /// Files, one for each day (UTC): `deliveries-2026-11-22.jsonl`, or as GPX or GeoJSON.
  static let file = SinkKind("file") { table, directory in
    let folder = table.absolutePath("folder", from: directory)
    let format = table.choice("format", among: FileSink.Format.allCases) ?? .lines
    if !table.states("folder") {
      table.noteProblem(at: "folder", "missing; say where the files go")
    }
    return folder.map { FileSink(folder: $0, format: format) }
  }
}

/// Adds each delivery, as the `LOCATION` message for an app, to the file of the day of its decision; or only its
/// position, as a point of that day's track.
struct FileSink: Sink {
  /// The format of the files; the raw values are used in manifests and as file extensions.
  enum Format: String, CaseIterable {
    /// Lines of JSON, with all data of an app's message.
    case lines = "jsonl"
    /// One track with one segment. Events at regions and places are points like others, and repeated positions are left
    /// out.
    case gpx
    /// The same as points of a FeatureCollection.
    case geojson
  }

  let folder: String
  var format = Format.lines

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

  var files: String? {
    "\(RealPath.resolved(folder) ?? folder)/deliveries-*.\(format.rawValue)"
  }

  /// Runs on a separate thread: another program's lock, or a slow disk, may block it for any time.
  func send(
    deliveries: [PendingDelivery], arrived: @escaping @Sendable (UInt64) -> Void
  ) async throws(SinkError) -> SinkReceipt {
    let outcome: Result<SinkReceipt, SinkError>
    do throws(BlockingThread.Missing) {
      outcome = try await BlockingThread.run {
        Result { () throws(SinkError) in try save(deliveries, arrived: arrived) }
      }
    } catch {
      throw SinkError(error.description)
    }
    return try outcome.get()
  }

  private func save(
    _ deliveries: [PendingDelivery], arrived: (UInt64) -> Void
  ) throws(SinkError) -> SinkReceipt {
    // The host's clock may step back over midnight: within a file the order of the numbers holds.
    var rest = deliveries[...]
    var passed: UInt64?
    while let first = rest.first {
      let day = first.received.day
      let batch = rest.prefix { $0.received.day == day }
      rest = rest.dropFirst(batch.count)
      let path = "\(folder)/deliveries-\(day).\(format.rawValue)"
      if let words = append(batch: batch, to: path) {
        throw SinkError("cannot write \(path): \(words)", passed: passed)
      }
      passed = batch.last?.delivery.sequence
      if let passed { arrived(passed) }
    }
    return SinkReceipt()
  }

  /// Returns the fault in words.
  private func append(batch: ArraySlice<PendingDelivery>, to path: String) -> String? {
    let fixes = batch.filter { !$0.delivery.isCached }.map(\.delivery.fix)
    switch format {
    case .lines:
      let lines = batch.flatMap {
        ServerMessage.handing($0.delivery, received: $0.received).encode()
      }
      return LineFile.append(lines: lines, to: path).map { SystemError.text($0) }
    case .gpx: return PointFile.gpx.append(fixes: fixes, to: path)
    case .geojson: return PointFile.geoJSON.append(fixes: fixes, to: path)
    }
  }

  func probe() throws(SinkError) -> String {
    if let fault = fault() { throw SinkError(fault) }
    var disk = statvfs()
    // A file system that counts no blocks has 0 of both.
    if statvfs(folder, &disk) == 0, disk.f_blocks > 0, disk.f_bavail == 0 {
      throw SinkError("nothing can be written in \(folder): \(SystemError.text(ENOSPC))")
    }
    return "files can be written in \(folder)"
  }
}

extension PointFile<GPXWriter> {
  fileprivate static var gpx: Self {
    Self(
      wholePoint: { line in
        let isWhole =
          line.starts(with: "<trkpt ".utf8) && line.reversed().starts(with: ">tpkrt/<".utf8)
        return isWhole ? line.count : nil
      }, endsWithLineFeed: true)
  }
}

extension PointFile<GeoJSONWriter> {
  /// The line of a point ends with a comma, or with the start of the following text.
  fileprivate static var geoJSON: Self {
    Self(
      wholePoint: { line in
        guard line.starts(with: #"{"type":"Feature","#.utf8) else { return nil }
        var rest = line
        while let brace = rest.lastIndex(of: UInt8(ascii: "}")) {
          let candidate = Array(line[...brace])
          if (try? JSONValue.parse(candidate.span)) != nil { return candidate.count }
          rest = rest[..<brace]
        }
        return nil
      }, endsWithLineFeed: false)
  }
}
