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
  /// Seconds of the rest after a release, at a low power.
  var lingering = 0.0
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
  /// By component, of `Self.links`.
  var links = [LinkUsage(), LinkUsage()]

  /// The components that carry data.
  static let links = ["cell", "wifi"]

  /// Nothing used yet.
  package init() {}

  /// The sums of many uses of one device; restored rests and gaps are told apart by octaves only.
  package mutating func walkSums(_ walk: inout SumWalk) {
    walk.quantity(&seconds, .energy)
    for index in receiver.indices { walk.quantity(&receiver[index], .energy) }
    walk.quantity(&lingering, .energy)
    rests.walkSums(&walk, kinds: 1)
    for amount in Self.times { walk.quantity(&self[keyPath: amount], .energy) }
    for amount in Self.counts { walk.events(&self[keyPath: amount], .energy) }
    for link in links.indices { links[link].walkSums(&walk) }
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
  package var usage: EnergyUsage { usage(in: .nominal) }

  /// The same, with the durations of a lane.
  func usage(in lane: Lane) -> EnergyUsage {
    var usage = EnergyUsage()
    usage.seconds = Double(now) / 1e6
    usage.receiver = receiver.time.map { Double($0) / 1e6 }
    (usage.lingering, usage.rests) = receiver.rests(in: lane)
    usage.awake = Double(processor.awake) / 1e6
    usage.active = Double(processor.active) / 1e6
    usage.moving = Double(processor.moving) / 1e6
    usage.motion = Double(motionSensor.time) / 1e6
    usage.launches = Double(processor.launches)
    usage.wakes = Double(processor.wakes)
    usage.deliveries = Double(processor.deliveries)
    usage.cellWakes = Double(processor.cellWakes)
    usage.scans = Double(scans)
    usage.commits = Double(commits)
    usage.links = links.map { $0?.usage(in: lane) ?? LinkUsage() }
    return usage
  }
}
