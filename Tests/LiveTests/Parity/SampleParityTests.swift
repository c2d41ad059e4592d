// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServiceContract
import Testing

extension Live {
  /// The permitted differences are listed above `SampleLife`.
  @Suite("Sample apps of three generations hear live what they hear in a replay")
  struct SampleParityTests {
    @Test("Over one outing: purged, relaunched by a location, a region and visits, and two loops")
    func outing() async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let log = try Outing.write(into: folder.path)
      let profile = folder.appendingPathComponent(
        DaemonConfiguration().deviceProfile + ".csv"
      ).path
      try Story.quickProfile.write(toFile: profile, atomically: true, encoding: .utf8)
      let lives = [SampleLife.deliveries, .reminders, .runner]
      var replayed: [String: [String]] = [:]
      for life in lives { replayed[life.name] = try await life.replayed(log, profile: profile) }
      // The comparison has enough content.
      #expect(
        replayed["reminders"].map { $0.map { SampleLine($0).words.joined(separator: " ") } } == [
          "launched by its user", "leaves home", "launched by visit", "visits",
          "launched by visit", "has visited", "launched by region", "enters home",
        ])
      #expect(replayed["deliveries"]?.count { $0 == "launched for a location" } == 2)
      // 3,000 m away and 3,000 m back.
      #expect(
        replayed["runner"].map { SampleLife.runner.voices(of: $0) } == [
          ["home", "away", "home"], ["mile 1", "mile 2", "mile 3"],
        ])

      let lived = try SampleLives(lives: lives).lived(log)
      for life in lives {
        let (live, expected) = (lived.said[life.name] ?? [], replayed[life.name] ?? [])
        let count = live.count == expected.count
        let same = zip(life.voices(of: live).joined(), life.voices(of: expected).joined())
          .allSatisfy {
            !SampleLine($0).differs(
              from: SampleLine($1), seconds: SampleLife.latest, speed: Outing.speed)
          }
        #expect(
          count && same,
          """
          \(life.name) says live:
          \(live.joined(separator: "\n"))
          and in the replay:
          \(expected.joined(separator: "\n"))
          The service's log:
          \(lived.logs[life.name] ?? "")
          """)
      }
      // Notifications are the service's: on a machine without a desktop they are in its log.
      let body = "You are leaving home: is the stove off?"
      #expect(lived.logs["reminders"]?.contains("notification") == true)
      #expect(lived.logs["reminders"]?.contains(body) == true)
      for reason in ["visit", "region"] {
        #expect(lived.logs["reminders"]?.contains("relaunched by \(reason)") == true)
      }
    }
  }
}
