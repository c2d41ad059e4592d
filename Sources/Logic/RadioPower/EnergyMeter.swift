// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// The meter: activity in, joules out.
//
// Time. Records arrive in the order of time. A record earlier than the last is taken at the time of the last and
// counted in `clamped`. Inside, time is *meter time*: microseconds since the first record, less all unknown spans.
// `metering(false)` therefore freezes everything (states, tails, timers, the floor) without any machine knowing about
// it. While frozen, states may change, but impulses, scans and transfers do not count: they are unknown.
//
// Baseline. The floor runs as long as the meter does. A link's idle power (paging, eDRX, beacons) is
// baseline too, for as long as the link is idle; in promotion, transfer and tail the published powers
// already contain it. So `total + baselineTotal` is everything, with nothing counted twice. The floor of a whole phone
// (`DeviceProfile.Floor.whole`) was measured with its radio camping: then the link's idle power is within it.
//
// Range. Every number of a profile has a range. The links' times are metered three times, with all nominal, all low and
// all high durations; the rest is linear, so one set of times is enough. A longer tail can spare a promotion, so the
// high lane of a row is not always the dearer one: a row's range is the least and the greatest of its three lanes.
// Ranges of rows are added up as if all were low or high together, which is the widest honest statement; ratios between
// modes deserve common draws instead. What the times cost is said once: EnergyFormula.

/// Energy of one device, from its profile and its activity.
package struct EnergyMeter: Sendable, Equatable {
  package let device: DeviceProfile
  package let network: NetworkProfile?
  /// The number of records earlier than the one before.
  package private(set) var clamped = 0
  /// Records for a part that the profiles lack (a Wi-Fi scan on a tracker): not metered.
  package private(set) var unmetered = 0

  var receiver: ReceiverTimes
  var processor = Processor()
  var motionSensor = Switch()
  /// By component, of `EnergyUsage.links`; `nil` for one that the profiles lack.
  var links: [MeteredLink?]
  /// What all of it costs.
  let formula: EnergyFormula
  var scans = 0
  var commits = 0
  /// Meter time.
  private(set) var now: Int64 = 0
  private var last: EngineInstant?
  private var isFrozen = false

  /// A meter for a device on a network; `nil` for a device without one.
  package init(device: DeviceProfile, network: NetworkProfile?) {
    self.device = device
    self.network = network
    receiver = ReceiverTimes(device)
    links = [
      network.map { MeteredLink($0.shape, component: "cell", $0.values) },
      device.hasWiFi ? MeteredLink(.wifi, component: "wifi", device.values) : nil,
    ]
    formula = EnergyFormula(device: device, network: network)
  }

  /// Takes one record; if it is earlier than the last record, it gets that one's time. Bytes are at least 0.
  package mutating func record(_ activity: Activity) {
    pass(to: activity.at)
    switch activity.event {
    case .delivery:
      guard !isFrozen else { break }
      processor.deliveries += 1
      receiver.delivered()
    case .gnss(let state): receiver.enter(state, at: now)
    case .soc(let state): processor.enter(state, at: now)
    case .motionSensor(let on): motionSensor.set(on, at: now)
    case .moving(let moves):
      receiver.move(moves, at: now)
      processor.move(moves, at: now)
    case .metering(let on): isFrozen = !on
    case .end: break
    case .launch where !isFrozen: processor.launches += 1
    case .wake where !isFrozen: processor.wakes += 1
    case .cellWake where !isFrozen: processor.cellWakes += 1
    case .flashCommit where !isFrozen: commits += 1
    case .wifiScan where !isFrozen: if device.hasWiFi { scans += 1 } else { unmetered += 1 }
    case .cellTransfer(let up, let down, let rate) where !isFrozen: transfer(0, up, down, rate)
    case .wifiTransfer(let up, let down, let rate) where !isFrozen: transfer(1, up, down, rate)
    case .launch, .wake, .cellWake, .flashCommit, .wifiScan, .cellTransfer, .wifiTransfer: break
    }
  }

  /// Takes `count` deliveries of one instant, as that many records.
  package mutating func record(deliveries count: Int, at instant: EngineInstant) {
    guard count > 0 else { return }
    record(Activity(at: instant, .delivery))
    if !isFrozen { processor.deliveries += count - 1 }
  }

  /// Lets time pass up to `instant`; more may be recorded afterwards, and finishing in between changes
  /// no sum.
  package mutating func finish(at instant: EngineInstant) {
    pass(to: instant)
    receiver.advance(to: now)
    processor.advance(to: now)
    motionSensor.advance(to: now)
    for link in links.indices { links[link]?.advance(to: now) }
  }

  private mutating func transfer(_ link: Int, _ up: Int, _ down: Int, _ rate: Double?) {
    if links[link]?.transfer(at: now, upload: up, download: down, rate: rate) == nil {
      unmetered += 1
    }
  }

  /// Joules above the baseline up to `instant`, which is not before the last record, nominal. Meant for curves, not
  /// for every fix.
  package func joules(at instant: EngineInstant) -> Double {
    var meter = self
    meter.finish(at: instant)
    return formula.joules(meter.usage, formula.nominal)
  }

  /// Seconds in which the receiver searched or tracked, up to the last `finish`.
  package var receiverOnSeconds: Double { Double(receiver.onTime) / 1e6 }

  /// Seconds from the last record until the cellular link is idle, nominal, without further requests.
  package var cellBusySeconds: Double {
    links[0].map { Double($0.timeToIdle(at: now)) * 1e-6 } ?? 0
  }

  private mutating func pass(to instant: EngineInstant) {
    guard let last else {
      self.last = instant
      return
    }
    guard instant >= last else {
      clamped += 1
      return
    }
    if !isFrozen { now += instant.microseconds - last.microseconds }
    self.last = instant
  }
}
