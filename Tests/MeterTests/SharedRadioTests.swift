// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioPower
import Testing

struct SharedRadioTests {
  @Test func `Profiles say whether receiver and modem share a radio; most do not`() throws {
    #expect(try device("tracker-ltem-nrf9160").radio == .shared)
    #expect(try device("phone-2021-lte").radio == .separate)
  }

  @Test func `The link says how long it will be busy`() throws {
    let device = try device("tracker-ltem-nrf9160")
    var meter = EnergyMeter(device: device, network: try network(device.network))
    func send(at seconds: Double) {
      meter.record(
        Activity(
          at: .zero.advanced(bySeconds: seconds),
          .cellTransfer(uploadBytes: 0, downloadBytes: 0, rateMbps: nil)))
    }
    send(at: 0)
    // 1.5 s to connect, 0.3 s on air, 10 s until the network lets go.
    #expect(meter.cellBusySeconds.isWithin(1e-9, of: 11.8))
    meter.record(Activity(at: .zero.advanced(bySeconds: 5), .cellWake))
    #expect(meter.cellBusySeconds.isWithin(1e-9, of: 6.8))
    // Within the tail it needs no connection.
    send(at: 8)
    #expect(meter.cellBusySeconds.isWithin(1e-9, of: 10.3))
    meter.record(Activity(at: .zero.advanced(bySeconds: 100), .cellWake))
    #expect(meter.cellBusySeconds == 0)
  }

  @Test func `A receiver that waits for the modem draws nothing, and its search goes on behind it`()
    throws
  {
    let log = """
      {"at_s":0,"component":"gnss","state":"acquire_hot"}
      {"at_s":3,"component":"gnss","state":"blocked"}
      {"at_s":15,"component":"gnss","state":"acquire_hot"}
      {"at_s":19,"component":"gnss","state":"track"}
      {"at_s":20,"component":"soc","event":"delivery"}
      {"at_s":21,"component":"gnss","state":"off"}
      {"at_s":30,"end":true}
      """
    let device = try device("tracker-ltem-nrf9160")
    var meter = EnergyMeter(device: device, network: nil)
    for activity in try activities(log) { meter.record(activity) }
    meter.finish(at: .zero.advanced(bySeconds: 30))
    // Seven seconds of search and two of tracking at 163.9 mW.
    #expect(meter.receiverOnSeconds == 9)
    let gnss = meter.report().components.filter { $0.component == "gnss" }
    #expect(gnss.reduce(0) { $0 + $1.energy.nominal }.isWithin(1e-9, of: 9 * 0.1639))
    #expect(meter.waste.fixlessSearches.count == 0 && meter.waste.unheardSessions.count == 0)
  }
}
