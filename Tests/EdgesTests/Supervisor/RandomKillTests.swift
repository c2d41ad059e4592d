// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import Glibc
import Host
import LocationModel
import ServiceContract
import Testing

extension RealProcesses {
  /// Daemons, keepers and apps die at any moment and in any order; every started process is either
  /// reported as ended or adopted, and at the end nothing is left.
  @Suite("Random kills", .serialized)
  struct RandomKillTests {
    static let apps = ["a", "b", "c"]

    @Test("None is forgotten", arguments: FreezeMeans.here, [1, 2, 3] as [UInt64])
    func kills(with freezer: FreezeMeans, seed: UInt64) async throws {
      let stage = try Stage(freezer)
      defer { stage.clear() }
      var random = SplitMix64(seed: seed)
      for _ in 0..<60 {
        let app = Self.apps.randomElement(using: &random) ?? "a"
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1, 2:
          stage.start(app, "trap '' HUP; setsid sleep 1000 & sleep 1000 & wait")
        case 3: stage.supervisor?.freeze(app)
        case 4: stage.supervisor?.thaw(app)
        case 5: killKeeper(of: app, stage)
        case 6:
          if let pid = stage.record(app)?.main?.pid { Glibc.kill(pid, SIGKILL) }
        default:
          await stage.die()
          if Bool.random(using: &random) { killKeeper(of: app, stage) }
          try stage.begin()
          _ = await stage.supervisor?.adopt()
        }
        _ = stage.stays({ true }, for: Double.random(in: 0...0.015, using: &random))
      }
      await stage.die()
      stage.forgetEvents()
      try stage.begin()
      let held = await stage.supervisor?.adopt() ?? []
      // Every living process is held. (A keeper whose daemon died before it began may still be leaving, and a held one
      // may just have been killed.)
      try stage.until("what runs is held: \(held) (seed \(seed))") {
        stage.leftovers.isEmpty || !held.isEmpty
      }
      for app in held { stage.supervisor?.kill(app) }
      for app in held { #expect(try stage.ending(of: app) == .signalled(SIGKILL), "seed \(seed)") }
      try stage.until("nothing runs (seed \(seed))") { stage.leftovers.isEmpty }
      // A start requested by a daemon that has died leaves only a note; its keeper may write it after a look for such
      // notes.
      try await stage.untilAwaited("no note is left (seed \(seed))") {
        #expect(await stage.supervisor?.adopt() == [])
        return Directory.names(in: "\(stage.directory)/run/keepers").isEmpty
      }
    }

    private func killKeeper(of app: String, _ stage: Stage) {
      if let keeper = stage.record(app)?.keeper.pid { Glibc.kill(keeper, SIGKILL) }
    }
  }
}
