// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import Geodesy
import LocationModel

/// All events of a document fed in pieces of `chunk` bytes, and the account.
func readGPX(
  _ bytes: [UInt8], chunk: Int = .max, options: DecodingOptions = DecodingOptions()
) throws -> (events: [TraceEvent], ledger: TraceLedger) {
  var decoder = GPXDecoder(options: options)
  var events: [TraceEvent] = []
  var start = 0
  while start < bytes.count {
    let end = chunk == .max ? bytes.count : min(bytes.count, start + chunk)
    let piece = Array(bytes[start..<end])
    try decoder.decode(piece.span, into: &events)
    start = end
  }
  try decoder.finish(into: &events)
  return (events, decoder.ledger)
}

func readGPX(
  _ text: String, options: DecodingOptions = DecodingOptions()
) throws -> (events: [TraceEvent], ledger: TraceLedger) {
  try readGPX(Array(text.utf8), options: options)
}

func fixes(_ events: [TraceEvent]) -> [Fix] {
  events.compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } }
}

/// A GPX 1.1 document with one track of one segment.
func track(_ points: String) -> String {
  """
  <?xml version="1.0" encoding="UTF-8"?>
  <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
  \(points)
  </trkseg></trk></gpx>
  """
}

/// The folder of real traces, if it is present.
enum GPXCorpus {
  static let folder: URL? = {
    let environment = ProcessInfo.processInfo.environment["MILEPOST_CORPUS"]
    let url =
      environment.map { URL(fileURLWithPath: $0) }
      ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("shared/corpus/public")
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }()

  static func bytes(_ name: String) throws -> [UInt8] {
    guard let folder else { return [] }
    return Array(try Data(contentsOf: folder.appendingPathComponent(name)))
  }
}
