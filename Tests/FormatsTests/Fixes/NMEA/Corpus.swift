// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel

/// The paths of recorded traces, which are not part of the project.
enum Corpus {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The shared public corpus, `MILEPOST_CORPUS` or beside the package.
  static let shared: URL? = {
    if let path = ProcessInfo.processInfo.environment["MILEPOST_CORPUS"] {
      return existing(URL(filePath: path))
    }
    return existing(root.appending(path: "../shared/corpus/public"))
  }()

  /// gpsd's regression logs, as the script in `Tools` fetches them.
  static let gpsd: URL? = existing(root.appending(path: "Tools/logs/gpsd"))

  private static func existing(_ url: URL) -> URL? {
    FileManager.default.fileExists(atPath: url.path) ? url : nil
  }

  static func bytes(_ url: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }

  /// One row of `MANIFEST.tsv`.
  struct Entry {
    var file: String
    var fixes: Int
    var start: String
    var end: String
  }

  static func manifest() throws -> [Entry] {
    guard let shared else { return [] }
    let text = try String(contentsOf: shared.appending(path: "MANIFEST.tsv"), encoding: .utf8)
    return text.split(separator: "\n").compactMap { row in
      let cells = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells.count > 7, cells[4] == "NMEA 0183", let fixes = Int(cells[5]) else { return nil }
      return Entry(file: cells[0], fixes: fixes, start: cells[6], end: cells[7])
    }
  }

  /// A position report of gpsd.
  struct TPV {
    var micros: Int64
    var latitude: Double
    var longitude: Double
  }

  /// The reports of a `.chk` that hold time and position.
  static func reports(_ url: URL) throws -> [TPV] {
    let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    var reports: [TPV] = []
    for row in text.split(whereSeparator: \.isNewline) where row.hasPrefix("{\"class\":\"TPV\"") {
      guard
        let object = try? JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any],
        let time = object["time"] as? String, let instant = RFC3339.parse(time)?.instant,
        let latitude = object["lat"] as? Double, let longitude = object["lon"] as? Double
      else { continue }
      reports.append(
        TPV(micros: instant.microseconds, latitude: latitude, longitude: longitude))
    }
    return reports
  }
}
