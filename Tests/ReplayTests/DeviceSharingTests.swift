// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioPower
import Testing

@testable import Replay

@Suite("Several apps on one device")
struct DeviceSharingTests {
  private func together(_ plans: [RunPlan]) throws -> DeviceSharingResult {
    let options = try #require(try ReplayOptions.ofParts("phone-2021-lte"))
    let drive = Drawn.trace([(3_600, 10)])
    var together = DeviceSharing(
      plans, options: options, summary: Drawn.summary(drive), observed: nil)
    together.feed(drive)
    return together.finishTrace()
  }

  @Test("Two continuous apps share the receiver: the second adds its deliveries and nothing else")
  func shared() throws {
    let result = try together([RunPlan(.continuous, .pocket), RunPlan(.continuous, .pocket)])
    // 3,567 deliveries of 20 ms at 240.389 mW (see ComparisonTests).
    for app in result.apps {
      #expect(abs(result.adds(app) - 3_567 * 0.02 * 0.240389) < 1e-6)
      #expect(result.rows(added: app).map(\.state) == ["delivery"])
    }
    #expect(abs(result.apps[0].alone.total.nominal - 682.144) < 0.01)
  }

  @Test("A standard app beside a continuous one adds next to nothing, and less than alone")
  func besideContinuous() throws {
    let result = try together([RunPlan(.standard, .pocket), RunPlan(.continuous, .pocket)])
    // Its 31 deliveries until it is suspended: 31 × 0.02 s × 240.389 mW.
    #expect(abs(result.adds(result.apps[0]) - 0.14904) < 1e-4)
    let sum = result.apps.reduce(0) { $0 + $1.alone.total.nominal }
    #expect(result.whole.total.nominal < sum)
  }

  // In the pocket each app leaves the front, whichever plan comes first: no app's process keeps the processor awake
  // beside one that significant changes wake now and then.
  @Test("Whichever app comes first, two that are suspended take no more than each alone")
  func suspended() throws {
    let plans = [RunPlan(.standard, .pocket), RunPlan(.significant, .pocket)]
    let result = try together(plans)
    let alone = result.apps.map(\.alone.total.nominal)
    #expect(result.whole.total.nominal <= alone[0] + alone[1] + 1e-6)
    let other = try together(plans.reversed())
    #expect(abs(result.whole.total.nominal - other.whole.total.nominal) < 1)
  }

  @Test("An app alone adds what it takes")
  func alone() throws {
    let result = try together([RunPlan(.continuous, .pocket)])
    #expect(result.adds(result.apps[0]) == result.apps[0].alone.total.nominal)
  }
}
