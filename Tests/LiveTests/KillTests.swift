// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

extension Live {
  /// Kills, and the data that must survive them, counted by the numbers of the deliveries.
  @Suite("Kills lose nothing")
  struct KillTests {
    /// The number of kills of the daemon; `LIVE_KILLS=100` for the long run.
    static let kills = ProcessInfo.processInfo.environment["LIVE_KILLS"].flatMap(Int.init) ?? 12

    static let listener =
      "modes: [location]\nauthorization: always\nservice: continuous"

    /// Every number from 1 to the last was delivered; after a greeting that states the acknowledged number the next one
    /// comes first, and an acknowledged one never comes again.
    private func expectComplete(
      _ account: [[String: Any]], sourceLocation: SourceLocation = #_sourceLocation
    ) {
      var seen: Set<Int> = []
      var acknowledged = 0
      var isFirst = false
      for message in account.compactMap({ $0["told"] as? [String: Any] }) {
        switch message["class"] as? String {
        case "WELCOME":
          let now = message["acknowledged"] as? Int ?? -1
          #expect(
            now >= acknowledged, "acknowledged numbers never go back",
            sourceLocation: sourceLocation)
          acknowledged = now
          isFirst = true
        case "LOCATION":
          let number = message["sequence"] as? Int ?? -1
          #expect(
            number > acknowledged, "\(number) was acknowledged", sourceLocation: sourceLocation)
          if isFirst {
            #expect(
              number == acknowledged + 1, "the next number comes first",
              sourceLocation: sourceLocation)
          }
          isFirst = false
          seen.insert(number)
        default: break
        }
      }
      let last = seen.max() ?? 0
      let holes = (1...max(1, last)).filter { !seen.contains($0) }
      #expect(holes.isEmpty, "never delivered: \(holes.prefix(10))", sourceLocation: sourceLocation)
    }

    @Test("kill -9 of the daemon, again and again, at random moments")
    func daemon() throws {
      let station = try Station()
      try station.startGPSD()
      try station.startDaemon()
      try station.addListener("count", Self.listener)
      Waiting.until("fixes come") { station.told("count", "LOCATION").count > 3 }
      let process = try #require(station.pid("count"))
      var seed: UInt64 = 42
      for kill in 1...Self.kills {
        // Knuth's MMIX constants; up to 0.6 s after the daemon answers.
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        Waiting.pass(Double(seed >> 40) / Double(1 << 24) * 0.6)
        station.killDaemon()
        #expect(
          HostProcess.state(process) != nil, "the app lives on without a daemon (kill \(kill))")
        let before = station.told("count", "LOCATION").count
        try station.startDaemon()
        Waiting.until("the same process hears fixes again (kill \(kill))") {
          station.told("count", "LOCATION").count > before
        }
      }
      #expect(station.pid("count") == process, "adopted, never started anew")
      expectComplete(station.account("count"))
      let gaps = try station.document(["status"])["gaps"] as? [[String: Any]]
      #expect(gaps?.isEmpty == false, "the time that nobody watched is recorded")
      station.stopDaemon()
      #expect(HostProcess.state(process) == nil)
    }

    @Test("kill -9 of gpsd, of the app, and a feed that is unplugged")
    func others() throws {
      let station = try Station()
      try station.startGPSD()
      try station.startDaemon()
      try station.addListener("count", Self.listener)
      Waiting.until("fixes come") { station.told("count", "LOCATION").count > 3 }

      station.killGPSD()
      Waiting.until("it is said that gpsd is gone") { station.daemonLog.contains("gpsd is gone") }
      var before = station.told("count", "LOCATION").count
      try station.startGPSD()
      Waiting.until("gpsd is back, and so are the fixes", limit: 30) {
        station.told("count", "LOCATION").count > before + 3
      }

      let first = try #require(station.pid("count"))
      kill(first, SIGKILL)
      Waiting.until("the app that crashed is launched again") {
        station.pid("count").map { $0 != first } == true
      }
      before = station.told("count", "LOCATION").count
      Waiting.until("and hears fixes") { station.told("count", "LOCATION").count > before + 3 }

      station.feed.silence(true)
      Waiting.pass(1)
      before = station.told("count", "LOCATION").count
      station.feed.silence(false)
      Waiting.until("the feed is plugged in again") {
        station.told("count", "LOCATION").count > before + 3
      }
      expectComplete(station.account("count"))
    }

    @Test("A frozen app stays frozen without a daemon, and is found again")
    func frozen() throws {
      let station = try Station()
      try station.startGPSD()
      try station.startDaemon()
      try station.addListener("rare", "authorization: always\nservice: significant")
      Waiting.until("its process is frozen") {
        station.pid("rare").map { HostProcess.isFrozen($0) } == true
      }
      let process = try #require(station.pid("rare"))
      station.killDaemon()
      Waiting.pass(0.5)
      #expect(HostProcess.isFrozen(process), "frozen apps stay frozen without a daemon")
      try station.startDaemon()
      #expect(try station.state("rare") == "suspended")
      #expect(try station.document(["apps", "show", "rare"])["pid"] as? Int == Int(process))
      #expect(HostProcess.isFrozen(process))
      station.stopDaemon()
      #expect(HostProcess.state(process) == nil)
      // A keeper that has reported its app's end may still be leaving.
      Waiting.until("no keeper is left") { station.keepers().isEmpty }
    }
  }
}
