// SPDX-License-Identifier: Apache-2.0

/// What an activity does with a device, apart from its cost: times, counts and transfers.
///
/// The energy can be recomputed from this with changed profile numbers, without metering again. Its
/// size does not grow with the trace.
package struct EnergyUsage: Sendable, Equatable, Codable {
  /// Metered seconds.
  package internal(set) var seconds = 0.0
  /// Seconds by index of the receiver's state; lingering counts as rest.
  var receiver = [Double](repeating: 0, count: Activity.GNSSState.allCases.count)
  /// The state in which it rests.
  var rest = Activity.GNSSState.off
  /// The rest after each release.
  var rests = SpanTally()
  var awake = 0.0
  var active = 0.0
  var motion = 0.0
  var launches = 0.0
  var wakes = 0.0
  var deliveries = 0.0
  var cellWakes = 0.0
  var scans = 0.0
  var commits = 0.0
  var cell = TrafficTally()
  var wifi = TrafficTally()

  /// Nothing used yet; several traces are added up from here.
  package init() {}

  /// Whether the decoded value is valid: each of the receiver's states has its seconds, and no tally has
  /// a bin twice, or out of order.
  package var isWhole: Bool {
    receiver.count == Activity.GNSSState.allCases.count && rests.isWhole && cell.isWhole
      && wifi.isWhole
  }

  /// Adds the use of the same device on another trace.
  package static func += (a: inout Self, b: Self) {
    a.seconds += b.seconds
    for index in a.receiver.indices { a.receiver[index] += b.receiver[index] }
    a.rest = b.rest
    a.rests += b.rests
    a.awake += b.awake
    a.active += b.active
    a.motion += b.motion
    a.launches += b.launches
    a.wakes += b.wakes
    a.deliveries += b.deliveries
    a.cellWakes += b.cellWakes
    a.scans += b.scans
    a.commits += b.commits
    a.cell += b.cell
    a.wifi += b.wifi
  }
}

extension EnergyMeter {
  /// What was used up to the last `finish`.
  package var usage: EnergyUsage {
    var usage = EnergyUsage()
    usage.seconds = Double(now) * 1e-6
    usage.receiver = receiver.time.map { Double($0) * 1e-6 }
    usage.rest = receiver.restState
    usage.rests = receiver.restsUpToNow
    usage.awake = Double(processor.awake) * 1e-6
    usage.active = Double(processor.active) * 1e-6
    usage.motion = Double(motionSensor.time) * 1e-6
    usage.launches = Double(processor.launches)
    usage.wakes = Double(processor.wakes)
    usage.deliveries = Double(processor.deliveries)
    usage.cellWakes = Double(processor.cellWakes)
    usage.scans = Double(scans)
    usage.commits = Double(commits)
    usage.cell = cellTraffic.ended(at: now)
    usage.wifi = wifiTraffic.ended(at: now)
    return usage
  }
}

extension LinkTable {
  /// What a transfer carries over this link; `rate` is in Mbit/s, `nil` or 0 for the profile's own.
  func load(upload: Int, download: Int, rate asked: Double?) -> TrafficTally.Load {
    var load = TrafficTally.Load()
    load.kilobytes = Double(upload + download) / 1024
    if let frame { load.seconds = frame.airtime(ofMessage: upload + download) }
    let rate = asked.map { $0 > 0 ? $0 : self.rate } ?? self.rate
    guard transfer == .byRate, rate > 0 else { return load }
    load.megabitsUp = Double(upload) * 8e-6
    load.megabitsDown = Double(download) * 8e-6
    load.seconds = (load.megabitsUp + load.megabitsDown) / rate
    return load
  }
}
