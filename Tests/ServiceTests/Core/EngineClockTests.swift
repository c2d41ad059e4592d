// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract
import ServiceCore
import Testing

/// Seconds as microseconds.
private func s(_ seconds: Int64) -> Int64 { seconds * 1_000_000 }

@Suite("The engine's axis over restarts")
struct EngineClockTests {
  /// The daemon was at 1,000 s of its axis, 200 s after the machine's start, at UTC 50,000 s.
  private let moment = StoredMoment(
    engine: EngineInstant(microseconds: s(1_000)), utc: UTCInstant(microseconds: s(50_000)),
    boot: "one", bootClock: s(200))

  private func clock(boot: String, bootClock: Int64, utc: Int64) -> EngineClock {
    EngineClock(
      continuing: moment, boot: boot, bootClock: bootClock, utc: UTCInstant(microseconds: utc))
  }

  @Test("Without a stored moment the axis begins at the boot clock, and nobody was away")
  func first() {
    let clock = EngineClock(
      continuing: nil, boot: "one", bootClock: s(200), utc: UTCInstant(microseconds: s(50_000)))
    #expect(clock.gap == nil)
    #expect(clock.start.seconds == 200)
    #expect(clock.instant(atBootClock: s(230)).seconds == 230)
  }

  @Test("Within one boot the boot clock goes on, whatever UTC says")
  func sameBoot() {
    for utc in [s(0), s(50_045), s(9_000_000)] {
      let clock = clock(boot: "one", bootClock: s(245), utc: utc)
      #expect(clock.start.seconds == 1_045)
      #expect(clock.instant(atBootClock: s(250)).seconds == 1_050)
      #expect(clock.gap?.seconds == 45)
      #expect(clock.gap?.isReboot == false)
      #expect(clock.gap?.toUTC.microseconds == utc)
      #expect(clock.gap?.isMeasured == true)
      // By the clock at the end, if that went back.
      #expect(clock.gap?.beganUTC?.microseconds == (utc == 0 ? s(-45) : s(50_000)))
    }
  }

  @Test("Over a reboot UTC goes on, and then the new boot's clock")
  func otherBoot() {
    let clock = clock(boot: "two", bootClock: s(30), utc: s(50_600))
    #expect(clock.start.seconds == 1_600)
    #expect(clock.instant(atBootClock: s(31)).seconds == 1_601)
    #expect(clock.gap?.from.seconds == 1_000)
    #expect(clock.gap?.to.seconds == 1_600)
    #expect(clock.gap?.isReboot == true)
  }

  //  moment: 1,000 s of the axis at 50,000 s of UTC; then 45 s on the same boot, or 600 s to another
  @Test("What the earlier service dated is put on its axis by its own clock, whatever UTC says now")
  func earlier() {
    func place(_ clock: EngineClock, _ utc: Int64) -> Double? {
      clock.instant(ofEarlier: UTCInstant(microseconds: s(utc)))?.seconds
    }
    for utc in [s(0), s(50_045), s(9_000_000)] {
      let clock = clock(boot: "one", bootClock: s(245), utc: utc)
      #expect(place(clock, 49_700) == 700 && place(clock, 50_000) == 1_000)
      // Dated after the moment was stored, and before the service ended.
      #expect(place(clock, 50_020) == 1_020)
      #expect(place(clock, 50_046) == nil, "it is yet to come: the clock was set back")
      #expect(place(clock, 0) == 0, "before the axis began")
    }
    #expect(place(clock(boot: "two", bootClock: s(30), utc: s(50_600)), 50_300) == 1_300)
    #expect(place(clock(boot: "two", bootClock: s(30), utc: 0), 50_300) == nil)
    #expect(
      EngineClock(continuing: nil, boot: "one", bootClock: s(200), utc: .epoch)
        .instant(ofEarlier: .epoch) == nil)
  }

  @Test("A host that starts without the time has a gap of 0, and never runs backwards")
  func withoutTime() {
    let clock = clock(boot: "two", bootClock: s(30), utc: 0)
    #expect(clock.start.seconds == 1_000)
    #expect(clock.gap?.seconds == 0)
    #expect(clock.gap?.hasClockGoneBack == true)
    #expect(clock.gap?.isMeasured == false)
    #expect(clock.gap?.beganUTC == nil)
    #expect(clock.instant(atBootClock: s(10)).seconds == 1_000)
    #expect(clock.instant(atBootClock: s(40)).seconds == 1_010)
  }

  @Test("A boot clock before the stored one on the same boot is no measure: UTC decides")
  func restoredMachine() {
    let clock = clock(boot: "one", bootClock: s(150), utc: s(50_070))
    #expect(clock.start.seconds == 1_070)
    #expect(clock.gap?.isReboot == false)
    #expect(clock.instant(atBootClock: s(160)).seconds == 1_080)
  }

  @Test("Three daemons in a row: each goes on where the one before stopped")
  func chain() {
    let second = clock(boot: "one", bootClock: s(260), utc: s(50_060))
    let stored = second.moment(
      boot: "one",
      at: ServiceTime(
        at: EngineInstant(microseconds: s(1_100)), utc: UTCInstant(microseconds: s(50_100))))
    #expect(stored.bootClock == s(300))
    let third = EngineClock(
      continuing: stored, boot: "two", bootClock: s(5), utc: UTCInstant(microseconds: s(50_130)))
    #expect(third.start.seconds == 1_130)
    #expect(third.gap?.seconds == 30)
  }

  @Test("The boot clock of an instant is the way back, for timers")
  func wayBack() {
    let clock = clock(boot: "two", bootClock: s(30), utc: s(50_600))
    #expect(clock.bootClock(at: EngineInstant(microseconds: s(1_700))) == s(130))
    #expect(clock.bootClock(at: EngineInstant(microseconds: s(5))) == s(30))
    #expect(clock.instant(atBootClock: s(130)).seconds == 1_700)
  }

  @Test("The largest and smallest values that a damaged row can hold crash nothing")
  func extremes() {
    for value in [Int64.min, -1, 0, .max] {
      for other in [Int64.min, 0, .max] {
        let stored = StoredMoment(
          engine: EngineInstant(microseconds: value), utc: UTCInstant(microseconds: other),
          boot: "one", bootClock: other)
        for boot in ["one", "two"] {
          let clock = EngineClock(
            continuing: stored, boot: boot, bootClock: value,
            utc: UTCInstant(microseconds: value))
          #expect(clock.start >= stored.engine)
          #expect(clock.instant(atBootClock: other) >= clock.start)
          #expect(clock.bootClock(at: .zero) >= value)
        }
      }
    }
  }
}
