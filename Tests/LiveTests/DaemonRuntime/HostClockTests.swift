// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import DaemonRuntime

@Suite("The clocks of the host")
struct HostClockTests {
  @Test("The boot clock does not run backwards, UTC is after 2020, and a boot has a name")
  func clocks() {
    let clock = HostClock()
    let before = clock.bootClock
    #expect(before > 0)
    #expect(clock.bootClock >= before)
    #expect(clock.utc.microseconds > 1_577_836_800_000_000)
    #expect(HostClock.bootID.count == 36)
    #expect(clock.machineSeconds(5) == 5)
  }

  @Test("A clock that shows no year of four digits counts as the nearest that does")
  func writable() {
    #expect(HostClock.writable(.max).rfc3339 == "9999-12-31T23:59:59.000Z")
    #expect(HostClock.writable(.min).rfc3339 == "0000-01-01T00:00:00.000Z")
    #expect(HostClock.writable(0).rfc3339 == "1970-01-01T00:00:00.000Z")
  }

  @Test(
    "In a time lapse an hour passes in a minute, from the stated instant on")
  func lapse() {
    let machine = HostClock()
    let now = machine.bootClock
    let shows = UTCInstant(microseconds: 1_768_454_400_000_000)
    // A minute ago it showed `shows`: it is an hour later now, and some.
    let lapse = HostClock.TimeLapse(rate: 60, since: now - 60_000_000, shows: shows)
    let clock = HostClock(lapse)
    let passed = clock.utc.microseconds - shows.microseconds
    #expect(passed >= 3_600_000_000)
    let least = now - 60_000_000 + 3_600_000_000
    let boot = clock.bootClock
    let most = now - 60_000_000 + 60 * (machine.bootClock - now + 60_000_000)
    #expect((least...most).contains(boot))
    // 10 s of a wake's budget are a sixth of one of the machine's.
    #expect(abs(clock.machineSeconds(10) - 1.0 / 6) < 1e-9)
    // Before the stated instant it runs the same.
    let early = HostClock(.init(rate: 60, since: now + 60_000_000, shows: shows))
    #expect(early.utc.microseconds < shows.microseconds - 3_500_000_000)
  }
}
