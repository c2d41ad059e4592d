// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Testing

struct WasteTests {
  private func waste(_ log: String, _ name: String = "phone-2021-lte") throws -> (
    Waste, EnergyReport
  ) {
    let device = try device(name)
    var meter = EnergyMeter(device: device, network: try network(device.network))
    let activities = try activities(log)
    for activity in activities { meter.record(activity) }
    meter.finish(at: try #require(activities.last).at)
    return (meter.waste, meter.report())
  }

  @Test func `A session in which nothing is delivered is unheard, one with a delivery is not`()
    throws
  {
    let (waste, _) = try waste(
      """
      {"at_s":0,"component":"gnss","state":"acquire_hot"}
      {"at_s":4,"component":"gnss","state":"track"}
      {"at_s":10,"component":"soc","event":"delivery"}
      {"at_s":14,"component":"gnss","state":"off"}
      {"at_s":100,"component":"gnss","state":"acquire_hot"}
      {"at_s":104,"component":"gnss","state":"track"}
      {"at_s":124,"component":"gnss","state":"off"}
      {"at_s":130,"component":"soc","event":"delivery"}
      {"at_s":200,"end":true}
      """)
    #expect(waste.unheardSessions.count == 1)
    #expect(waste.unheardSessions.seconds == 24)
    // 4 s × 88.43 mW + 20 s × 78.81 mW; low 4 × 70 + 20 × 40, high 4 × 130 + 20 × 120.
    #expect(waste.unheardSessions.energy.nominal.isWithin(1e-9, of: 0.35372 + 1.5762))
    #expect(waste.unheardSessions.energy.low.isWithin(1e-9, of: 1.08))
    #expect(waste.unheardSessions.energy.high.isWithin(1e-9, of: 2.92))
    #expect(waste.fixlessSearches.count == 0 && waste.fixlessSearches.seconds == 0)
  }

  @Test func `A search without a fix is apart from its session, heard or not`() throws {
    let (waste, _) = try waste(
      """
      {"at_s":0,"component":"gnss","state":"acquire_cold"}
      {"at_s":60,"component":"gnss","state":"acquire_warm"}
      {"at_s":90,"component":"gnss","state":"search_backoff"}
      {"at_s":100,"component":"gnss","state":"acquire_hot"}
      {"at_s":103,"component":"gnss","state":"track"}
      {"at_s":105,"component":"soc","event":"delivery"}
      {"at_s":110,"component":"gnss","state":"off"}
      {"at_s":200,"component":"gnss","state":"acquire_hot"}
      {"at_s":320,"component":"gnss","state":"off"}
      {"at_s":400,"component":"gnss","state":"acquire_cold"}
      {"at_s":410,"end":true}
      """)
    // 0–90 in a heard session, 200–320 and the one that the end cut off in unheard ones.
    #expect(waste.fixlessSearches.count == 3)
    #expect(waste.fixlessSearches.seconds == 90 + 120 + 10)
    #expect(waste.fixlessSearches.energy.nominal.isWithin(1e-9, of: 220 * 0.08843))
    #expect(waste.unheardSessions.count == 2)
    #expect(waste.unheardSessions.seconds == 0)
  }

  @Test func `Tails are those of the radios and the receiver's lingering`() throws {
    let (waste, report) = try waste(
      """
      {"at_s":0,"component":"gnss","state":"track"}
      {"at_s":1,"component":"soc","event":"delivery"}
      {"at_s":2,"component":"gnss","state":"off"}
      {"at_s":2,"component":"cell","upload_bytes":0}
      {"at_s":30,"component":"wifi","upload_bytes":0}
      {"at_s":60,"end":true}
      """, "phone-2013-lte")
    // LTE (1.060 + 0.015464) W × 11.576 s, lingering 2 s × 20 mW, Wi-Fi 0.2381 s × 119.3 mW.
    #expect(waste.tails.count == 2)
    #expect(waste.tails.energy.nominal.isWithin(1e-4, of: 12.44957 + 0.04 + 0.028405))
    #expect(waste.tails.seconds.isWithin(1e-9, of: 11.576 + 2 + 0.2381))
    #expect(waste.total.nominal < report.total.nominal)
  }

  @Test(arguments: EnergyPropertiesTests.pairs)
  func `Waste is never more than the energy, and asking for it changes nothing`(
    _ pair: (String, String)
  ) throws {
    let device = try device(pair.0)
    let network = try network(pair.1.isEmpty ? device.network : pair.1)
    // Two logs of 300 activities, each queried afterwards, for each of twenty pairs: 12,000 times.
    for seed in 60...61 as ClosedRange<UInt64> {
      var meter = EnergyMeter(device: device, network: network)
      var asked = meter
      let activities = randomActivity(seed: seed)
      for activity in activities {
        meter.record(activity)
        asked.record(activity)
        asked.finish(at: activity.at)
        _ = asked.waste
      }
      meter.finish(at: try #require(activities.last).at)
      let (one, other) = (asked.waste, meter.waste)
      #expect(one.fixlessSearches == other.fixlessSearches)
      #expect(one.unheardSessions == other.unheardSessions)
      #expect(one.tails.count == other.tails.count && one.tails.seconds == other.tails.seconds)
      // A split interval adds its joules in another order.
      #expect(one.tails.energy.high.isWithin(1e-12, of: other.tails.energy.high))
      let (waste, total) = (meter.waste.total, meter.report().total)
      #expect(waste.nominal <= total.nominal * (1 + 1e-12))
      #expect(waste.low <= total.low * (1 + 1e-12))
      #expect(waste.high <= total.high * (1 + 1e-12))
    }
  }
}
