// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower

// Theory
// ======
//
// A run's price per event is not stated twice: small activities are given to the run's own meter, and their differences
// are the costs. The drawn times come from the run's own receiver: start number m takes draw m, the first one as the
// first start, the others hot; a draw that fails lasts until the timeout and the next one is added to it.

/// The source of a delivery's position.
package enum DeliveryMeans: Sendable, Equatable {
  /// A session of the receiver.
  case receiver
  /// A position of the network.
  case network
  /// Whichever is cheaper.
  case either

  /// What a run's policy can use; a service other than significant change has only the receiver.
  package init(of plan: RunPlan) {
    self = plan.policy?.kind.positions == .network ? .network : .receiver
  }
}

extension EventCosts {
  /// The costs of events in runs with these options over `judged` seconds.
  package init(
    _ options: ReplayOptions, scenario: RunPlan.Scenario, means: DeliveryMeans, judged: Double,
    draws: Int
  ) {
    self.init()
    let bench = Bench(options: options)
    let inFront =
      scenario == .foreground
      ? judged
      : min(judged, options.scenario.backgroundAfter + options.rules.lifecycle.suspendsAfter)
    standing = bench.resting(for: judged) + bench.awakeWatts * inFront
    awakeUntil = scenario == .foreground ? .never : EngineInstant.zero.advanced(bySeconds: inFront)
    awakeWatts = bench.awakeWatts
    workTime = min(options.scenario.workTime, options.rules.lifecycle.wakeBudget)
    purgesAfter = options.rules.lifecycle.purgesAfter
    delivery = bench.joules([.delivery])
    wake = bench.joules([.wake])
    launch = bench.joules([.launch])
    if options.uploads == .each, options.network?.frame == nil {
      // Batches are not charged: a clairvoyant would send all in one. Nor is a transfer that the law may hold back:
      // unsent, it costs nothing.
      upload = bench.joules([options.upload(options.transferBytes(1))])
      uploadTail = options.uploadTail
    }
    let scan = bench.joules([.wifiScan]) + bench.awakeWatts * options.device.locateTime
    guard means != .network else {
      session = scan
      return
    }
    let searching = bench.watts(of: options.device.starts.usual.state)
    firstAcquisitionWatts = bench.watts(of: options.firstStart.state)
    // In the foreground the processor is awake in any case.
    let processor = scenario == .foreground ? 0 : awakeWatts
    let sleeps = options.device.acquisition == .asleep
    acquisitionWatts = searching + (sleeps ? 0 : processor)
    // A held receiver needs no processor: looks within the hold keep it on.
    silence = SignificantPolicy.silence
    stayOnWatts = bench.watts(of: .trackGood) + (options.receiverHold > 0 ? 0 : processor)
    holdWatts = bench.watts(of: .trackGood)
    hold = options.receiverHold
    acquisitions = options.acquisitionSeconds(draws)
    session = bench.releaseJoules
    guard means == .either else { return }
    // Each event at its cheapest: the shortest acquisition, or a position of the network.
    let shortest = (acquisitions.min() ?? 0) * min(acquisitionWatts, firstAcquisitionWatts)
    session = min(scan, session + shortest)
    acquisitions = []
  }
}

extension ReplayOptions {
  /// Seconds of the first `count` acquisitions that end with a fix.
  fileprivate func acquisitionSeconds(_ count: Int) -> [Double] {
    var first = SimulatedReceiver(seed: seed, parameters: receiverParameters)
    var parameters = receiverParameters
    parameters.starts.first = device.starts.usual
    var later = SimulatedReceiver(seed: seed, parameters: parameters)
    var seconds: [Double] = []
    var failed = 0.0
    // A receiver that has never tracked makes every start like its first one.
    for start in 0..<(4 * count) where seconds.count < count {
      first.switchOn(at: .zero)
      later.switchOn(at: .zero)
      guard case .acquiring(_, let remaining, let fails) = start == 0 ? first.phase : later.phase
      else { break }
      failed += remaining
      if !fails {
        seconds.append(failed)
        failed = 0
      }
      later.switchOff()
    }
    return seconds
  }
}

/// Meters small activities of a device.
private struct Bench {
  let options: ReplayOptions

  /// Joules of a resting device with nothing going on.
  func resting(for seconds: Double) -> Double { metered([], for: seconds) }

  /// Joules of instantaneous events, above rest.
  func joules(_ events: [Activity.Event]) -> Double {
    metered(events.map { (0, $0) }, for: 1_000) - resting(for: 1_000)
  }

  /// Watts of being awake on the way, where most looks are.
  var awakeWatts: Double {
    metered([(0, .moving(true)), (0, .soc(.awakeIdle)), (1, .soc(.suspended))], for: 10)
      - metered([(0, .moving(true))], for: 10)
  }

  /// Watts of a receiver's state, less its power at rest.
  func watts(of state: Activity.GNSSState) -> Double {
    session(state, for: 101) - session(state, for: 100)
  }

  /// Joules of switching the receiver off: lingering.
  var releaseJoules: Double {
    let whole = session(.acquireHot, for: 100) - resting(for: 1_000)
    return max(0, whole - 100 * watts(of: .acquireHot))
  }

  private func session(_ state: Activity.GNSSState, for seconds: Double) -> Double {
    metered([(0, .gnss(state)), (seconds, .gnss(.off))], for: 1_000)
  }

  private func metered(_ events: [(Double, Activity.Event)], for seconds: Double) -> Double {
    var meter = EnergyMeter(device: options.device, network: options.network)
    meter.record(Activity(at: .zero, .metering(true)))
    for (at, event) in events {
      meter.record(Activity(at: EngineInstant.zero.advanced(bySeconds: at), event))
    }
    meter.finish(at: EngineInstant.zero.advanced(bySeconds: seconds))
    return meter.report().total.nominal
  }
}
