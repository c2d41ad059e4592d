// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import RadioPower

/// Decodes a log written in a test.
func activities(_ log: String) throws -> [Activity] {
  var reader = ActivityLogReader()
  var activities: [Activity] = []
  let bytes = Array(log.utf8)
  try reader.decode(bytes.span, into: &activities)
  try reader.finish(into: &activities)
  return activities
}

/// Meters activities to the last of them.
func meter(_ activities: [Activity], _ device: DeviceProfile, _ network: NetworkProfile?)
  -> EnergyReport
{
  var meter = EnergyMeter(device: device, network: network)
  for activity in activities { meter.record(activity) }
  if let last = activities.last { meter.finish(at: last.at) }
  return meter.report()
}

/// The device of the vectors, where they do not name one.
let usual = "phone-2021-lte"

func device(_ name: String = usual) throws -> DeviceProfile {
  try #require(try ProfileLibrary.device(named: name))
}

func network(_ name: String) throws -> NetworkProfile {
  try #require(try ProfileLibrary.network(named: name))
}

/// Meters a log on a device and a named network.
func report(_ log: String, on name: String, device other: String = usual) throws -> EnergyReport {
  meter(try activities(log), try device(other), try network(name))
}

/// One zero-byte packet over the cell at each second, and an end.
func packets(at seconds: [Double], end: Double, upload: Int = 0) -> String {
  seconds.map { "{\"at_s\":\($0),\"component\":\"cell\",\"upload_bytes\":\(upload)}\n" }.joined()
    + "{\"at_s\":\(end),\"end\":true}\n"
}

extension Double {
  /// Whether the value lies within a share of another, 0.1 % by default.
  func isWithin(_ share: Double = 0.001, of other: Double) -> Bool {
    (self - other).magnitude <= other.magnitude * share
  }
}

extension EnergyReport {
  func row(_ component: String, _ state: String) -> Row? {
    components.first { $0.component == component && $0.state == state }
  }
}
