// SPDX-License-Identifier: Apache-2.0
import LocationModel
import StateStore

struct EngineClock: Sendable {
  var offset: Int64 = 0
  var gap: (from: UTCInstant, to: UTCInstant)?
  init(continuing moment: StateStore.Moment?, at reading: HostClock.Reading) {}
  func instant(at bootClock: Int64) -> EngineInstant {
    EngineInstant(microseconds: bootClock + offset)
  }
  func moment(at reading: HostClock.Reading) -> StateStore.Moment {
    .init(
      engine: instant(at: reading.bootClock), utc: reading.utc, boot: reading.boot,
      bootClock: reading.bootClock)
  }
}
