// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocationModel
import RadioPower
import Reports
import TraceFiles
import Wording

/// `milepost meter ACTIVITY`
struct Meter: ParsableCommand {
  static let configuration = CommandConfiguration(
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
    try Console.show(json ? MeterReport.json(meter) : nil) { MeterReport.text(meter, style: $0) }
  }

  private func read(into meter: inout EnergyMeter) throws {
    let name =
      activity == "-" ? "stdin" : activity.split(separator: "/").last.map(String.init) ?? activity
    var reader = ActivityLogReader()
    var activities: [Activity] = []
    var last: EngineInstant?
    func record() {
      for activity in activities { meter.record(activity) }
      last = activities.last?.at ?? last
      activities.removeAll(keepingCapacity: true)
    }
    do {
      try WholeFile.forEachChunk(of: activity) { chunk in
        try reader.decode(Array(chunk).span, into: &activities)
        record()
      }
      try reader.finish(into: &activities)
      record()
    } catch let error as ActivityLogError {
      throw Complaint("\(name):\(error.line): \(error.message)")
    }
    guard let last else {
      throw Complaint("\(name): no activity in this log (milepost meter --help shows the lines)")
    }
    meter.finish(at: last)
    if !reader.hasEnd {
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
