// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import Testing

@testable import Replay

@Suite("Policies and settings that are tried")
struct ConfigurationTests {
  private func options(_ profile: String) throws -> ReplayOptions {
    let device = try #require(try ProfileLibrary.device(named: profile))
    return ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: device.network))
  }

  @Test("Each configuration has a name of its own, and only what the device can follow is tried")
  func configurations() throws {
    let phone = Configuration.all(for: try options("phone-2021-lte").device, seed: 1)
    #expect(Set(phone.map(\.name)).count == phone.count)
    #expect(phone.contains { $0.name == "ios-field" && $0.isChoice })
    #expect(phone.contains { $0.name == "milepost" && !$0.isChoice })
    #expect(phone.count { $0.interval == 900 } == 2)
    #expect(phone.suffix(2).map(\.name) == ["visits", "regions"])
    let pi = Configuration.all(for: try options("pi-zero-ublox7").device, seed: 1)
    #expect(!pi.contains { $0.name.hasPrefix("ios") || $0.name.hasPrefix("owntracks") })
    #expect(pi.contains { $0.name == "milepost" && $0.isChoice })
    #expect(!pi.contains { $0.plan.pausesAutomatically })
  }
}
