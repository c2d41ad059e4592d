// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import Testing

/// gpsd's regression logs, if `Tools/logs/gpsd` holds them: over a hundred receivers.
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
      let name = log.lastPathComponent
      let bytes = try Corpus.bytes(log)
      if let protocolFound = refusal(of: bytes) {
        #expect(protocolFound == .binary, "\(name)")
      } else {
        let result = try decode(bytes) { $0.allowsUndated = true }
        #expect(result.unaccounted == 0, "\(name)")
        #expect(result.ledger.fixes == result.fixes.count, "\(name)")
      }
    }
  }

  @Test(.enabled(if: Corpus.gpsd != nil, "gpsd's logs have not been fetched"))
  func `NMEA logs agree with gpsd's reports`() throws {
    var logs = 0
    var reports = 0
    var agreeing = 0
    var early = 0
    for log in try Self.logs() {
      let name = log.lastPathComponent
      let bytes = try Corpus.bytes(log)
      guard isNMEA(bytes), refusal(of: bytes) == nil,
        FileManager.default.fileExists(atPath: log.path + ".chk")
      else { continue }
      let agreement = try GPSDAgreement(log: log)
      if agreement.reports == 0 { continue }
      #expect(agreement.unexplained.isEmpty, "\(name): \(agreement)")
      #expect(agreement.agreeing > 0, "\(name): \(agreement)")
      logs += 1
      reports += agreement.reports
      agreeing += agreement.agreeing
      early += agreement.early
      if agreement.early > 0 { print("gpsd \(name): \(agreement)") }
    }
    print(
      "gpsd's logs: \(logs) compared, \(reports) reports, \(agreeing) agree, \(early) are early")
  }
}
