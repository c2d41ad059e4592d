// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RadioPower
import Reports
import ServiceContract
import TraceFiles

/// `milepost meter ACTIVITY`
struct Meter: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "meter",
    abstract: "Meter a log of radio activity.",
    usage: "milepost meter [<options>] <activity>",
    discussion: """
      The log is JSON lines in the order of time; at_s is the moment of the request in seconds:

        {"at_s":0,"component":"gnss","state":"acquire_cold"}
        {"at_s":12,"component":"cell","upload_bytes":10240,"rate_mbps":2}
        {"at_s":60,"component":"wifi","scan":true}
        {"at_s":120,"end":true}

      milepost replay --radio-log writes one; metering it gives the replay's joules.
      """)

  @Argument(file: "Activity log to meter; - is standard input.", "activity")
  var activity: String

  @Flag(help: "One JSON document (schema milepost.energy/1).")
  var json = false

  @OptionGroup(title: "Profile options") var profiles: ProfileOptions

  @Flag(help: "The receiver's supply is cut while it is off.")
  var vbusOff = false

  func run() throws {
    var device = try profiles.device()
    let network = try profiles.network(of: device)
    if vbusOff { device.gnssWhenOff = .vbusOff }
    var meter = EnergyMeter(device: device, network: network)
    try read(into: &meter)
    try Console.show(json ? MeterReport.json(meter) : nil, MeterReport.report(meter))
  }

  private func read(into meter: inout EnergyMeter) throws {
    let name = InputName.short(activity)
    let log = try ActivityFile.readActivities(activity) { meter.record($0) }
    meter.finish(at: log.last)
    if !log.hasEnd {
      Console.remark(
        "\(name): the log has no end record; it was metered up to its last record")
    }
    if meter.unmetered > 0 {
      Console.remark(
        "\(name): \(Figures.count(meter.unmetered, "record", "records")) of parts that the profile "
          + "\(meter.device.name) does not have were not metered")
    }
  }
}
