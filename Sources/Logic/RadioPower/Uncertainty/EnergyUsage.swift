// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// What an activity does with a device, apart from its cost: times, counts and transfers.
///
/// The energy can be recomputed from this with changed profile numbers, without metering again. Its
/// size does not grow with the trace.
package struct EnergyUsage: Sendable, Equatable {
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
  /// Awake while the device moved.
  var moving = 0.0
  var motion = 0.0
  var launches = 0.0
  var wakes = 0.0
  var deliveries = 0.0
  var cellWakes = 0.0
  var scans = 0.0
  var commits = 0.0
  var cell = TrafficTally()
  var wifi = TrafficTally()

  /// Nothing used yet.
  package init() {}

  /// The sums of many uses of one device; restored traffic is told apart by octaves only.
  package mutating func walkSums(_ walk: inout SumWalk) {
    walk.quantity(&seconds, .energy)
    for index in receiver.indices { walk.quantity(&receiver[index], .energy) }
    // One device has one.
    var state = Double(rest.index)
    walk.greatest(&state)
    rest = Activity.GNSSState.allCases[min(Int(min(state, 99)), receiver.count - 1)]
    rests.walkSums(&walk)
    for amount in Self.times { walk.quantity(&self[keyPath: amount], .energy) }
    for amount in Self.counts { walk.events(&self[keyPath: amount], .energy) }
    cell.walkSums(&walk)
    wifi.walkSums(&walk)
  }

  private static let times: [any WritableKeyPath<Self, Double> & Sendable] = [
    \.awake, \.active, \.moving, \.motion,
  ]

  private static let counts: [any WritableKeyPath<Self, Double> & Sendable] = [
    \.launches, \.wakes, \.deliveries, \.cellWakes, \.scans, \.commits,
  ]
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
    usage.moving = Double(processor.moving) * 1e-6
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
