// SPDX-License-Identifier: Apache-2.0

import DaemonRuntime
import LocationModel
import Testing

@Suite("The clocks of the host")
struct HostClockTests {
  @Test("The boot clock does not run backwards, UTC is after 2020, and a boot has a name")
  func clocks() {
    let before = HostClock.bootClock
    #expect(before > 0)
    #expect(HostClock.bootClock >= before)
    #expect(HostClock.utc.microseconds > 1_577_836_800_000_000)
    #expect(HostClock.bootID.count == 36)
  }
}
