// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import RadioPower

// The profile's figures for the world and the run.

extension ReplayOptions {
  /// The profile's receiver.
  var receiver: SimulatedReceiver {
    var places: [Environment: SimulatedReceiver.Parameters] = [:]
    if mixesEnvironments {
      for place in Environment.allCases { places[place] = receiverParameters(in: place) }
    }
    return SimulatedReceiver(
      seed: seed, parameters: receiverParameters(in: environment), places: places,
      hold: receiverHold)
  }

  /// The start parameters of the profile's receiver; at its best if places differ, as a bound needs it.
  var receiverParameters: SimulatedReceiver.Parameters {
    receiverParameters(in: mixesEnvironments ? .open : environment)
  }

  /// The starts of the profile's receiver, the first as it is asked for.
  private var starts: ReceiverStarts {
    var starts = device.starts
    starts.first = firstStart
    return starts
  }

  /// The start parameters of the profile's receiver in an environment.
  private func receiverParameters(in environment: Environment) -> SimulatedReceiver.Parameters {
    SimulatedReceiver.Parameters(
      cold: acquisition(.cold, environment), warm: acquisition(.warm, environment),
      hot: acquisition(.hot, environment), assisted: acquisition(.assisted, environment),
      starts: starts, isDrawn: drawsAcquisition, timeout: device.acquisitionTimeout.nominal)
  }

  private func acquisition(
    _ start: ReceiverStart, _ environment: Environment
  ) -> SimulatedReceiver.Acquisition {
    let outlook = device.timeToFirstFix(start: start, environment: environment.ofProfile)
    return .init(seconds: outlook.mean, failure: outlook.failureProbability)
  }

  /// The price of a look that finds no sky, as a share of one that finds the position.
  var vainLook: Double { min(1, SignificantPolicy.silence / usualStart.seconds) }

  /// The price of a long pause; a device that forgets everything pays it each time.
  var staleStart: StaleStart {
    let parameters = receiverParameters
    let usual = usualStart.seconds
    return StaleStart(
      hot: usual, warm: parameters.starts.later == .byAge ? parameters.warm.seconds : usual)
  }

  private var usualStart: SimulatedReceiver.Acquisition {
    receiverParameters.acquisition(for: device.starts.usual)
  }

  /// One upload, over the cellular network if there is one, else over Wi-Fi.
  func upload(_ bytes: Int) -> Activity.Event { transfer(up: bytes, down: 0) }

  /// The same both ways.
  func transfer(up: Int, down: Int) -> Activity.Event {
    network == nil
      ? .wifiTransfer(uploadBytes: up, downloadBytes: down, rateMbps: nil)
      : .cellTransfer(uploadBytes: up, downloadBytes: down, rateMbps: nil)
  }

  /// The duration of a transfer of `bytes` bytes, seconds.
  func transferDuration(of bytes: Int) -> Double {
    network?.transferDuration(of: bytes) ?? device.wifiTransferDuration(of: bytes)
  }

  /// The bytes of a transfer of `items` deliveries. LoRa has no connection, and counts its headers itself.
  func transferBytes(_ items: Int) -> Int {
    items * itemBytes + (network?.frame == nil ? overheadBytes : 0)
  }

  /// Whether the receiver must wait while the modem is connected.
  package var sharesRadio: Bool { device.radio == .shared && network?.isCellular == true }

  /// Seconds from the request of a small transfer to the end of its tail.
  var uploadTail: Double { network?.tailDuration ?? device.wifiTailDuration }
}

extension Environment {
  fileprivate var ofProfile: ReceiverEnvironment {
    switch self {
    case .open: .open
    case .pocket: .pocket
    case .indoors: .indoors
    }
  }
}

extension SimulatedReceiver {
  var isAcquiring: Bool {
    if case .acquiring = phase { true } else { false }
  }

  /// The meter's name of its phase; `mutating`, so that a receiver, which is large, is asked in place.
  mutating func state(isSkyPoor: Bool) -> Activity.GNSSState {
    if case .off = phase { return .off }
    if blockedUntil != nil { return .blocked }
    return switch phase {
    case .off: .off
    case .acquiring(.cold, _, _): .acquireCold
    case .acquiring(.warm, _, _): .acquireWarm
    case .acquiring(.hot, _, _), .searching: .acquireHot
    case .acquiring(.assisted, _, _): .acquireAssisted
    case .tracking: isSkyPoor ? .trackPoor : .trackGood
    }
  }
}
