// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import Testing

/// gpsd's regression logs, where `Tools/logs/gpsd` holds them: over a hundred receivers.
struct GPSDLogTests {
  private static func logs() throws -> [URL] {
    guard let folder = Corpus.gpsd else { return [] }
    return try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "log" }.sorted { $0.path < $1.path }
  }

  @Test(.enabled(if: Corpus.gpsd != nil, "gpsd's logs have not been fetched"))
  func `every log is read without a crash and its totals add up`() throws {
    for log in try Self.logs() {
      let bytes = try Corpus.bytes(log)
      do {
        let result = try decode(bytes) { $0.allowsUndated = true }
        #expect(result.unaccounted == 0, "\(log.lastPathComponent)")
        #expect(result.ledger.fixes == result.fixes.count, "\(log.lastPathComponent)")
      } catch let error as TraceError {
        #expect(error.code == .binary, "\(log.lastPathComponent): \(error.message)")
      }
    }
  }

  @Test(.enabled(if: Corpus.gpsd != nil, "gpsd's logs have not been fetched"))
  func `NMEA logs agree with gpsd's reports`() throws {
    for log in try Self.logs() where NMEASniffer.recognises(try Corpus.bytes(log).span) {
      let name = log.lastPathComponent
      guard FileManager.default.fileExists(atPath: log.path + ".chk") else { continue }
      do {
        let agreement = try GPSDAgreement(log: log)
        guard agreement.reports > 0 else { continue }
        print("gpsd \(name): \(agreement)")
      } catch let error as TraceError {
        #expect(error.code == .binary, "\(name)")
      }
    }
  }
}
