// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import RadioPower
import RadioWorld

// What the profile says to the world and to the run.

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

  /// How the profile's receiver starts; at its best where places differ, as a bound needs it.
  var receiverParameters: SimulatedReceiver.Parameters {
    receiverParameters(in: mixesEnvironments ? .open : environment)
  }

  /// How the profile's receiver starts in an environment.
  private func receiverParameters(in environment: Environment) -> SimulatedReceiver.Parameters {
    SimulatedReceiver.Parameters(
      cold: acquisition(.cold, environment), warm: acquisition(.warm, environment),
      hot: acquisition(.hot, environment), assisted: acquisition(.assisted, environment),
      firstStart: firstStart, isDrawn: drawsAcquisition,
      timeout: device.acquisitionTimeout.nominal, losesSupply: device.forgetsWhenOff)
  }

  private func acquisition(
    _ start: ReceiverStart, _ environment: Environment
  ) -> SimulatedReceiver.Acquisition {
    let outlook = device.timeToFirstFix(start: start, environment: environment.ofProfile)
    return .init(seconds: outlook.mean, failure: outlook.failureProbability)
  }

  /// What a look that finds no sky costs, of a hot start that finds where the device is.
  var vainLook: Double { min(1, SignificantPolicy.silence / receiverParameters.hot.seconds) }

  /// One upload, over the network where there is a cellular one, else over Wi-Fi.
  func upload(_ bytes: Int) -> Activity.Event { transfer(up: bytes, down: 0) }

  /// The same both ways.
  func transfer(up: Int, down: Int) -> Activity.Event {
    network == nil
      ? .wifiTransfer(uploadBytes: up, downloadBytes: down, rateMbps: nil)
      : .cellTransfer(uploadBytes: up, downloadBytes: down, rateMbps: nil)
  }

  /// Seconds that so many bytes take.
  func transferDuration(of bytes: Int) -> Double {
    network?.transferDuration(of: bytes) ?? device.wifiTransferDuration(of: bytes)
  }

  /// Bytes of a transfer of so many deliveries. LoRa has no connection, and counts its headers itself.
  func transferBytes(_ items: Int) -> Int {
    items * itemBytes + (network?.frame == nil ? overheadBytes : 0)
  }

  /// Whether the receiver has to wait while the modem is connected.
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

  /// What the meter calls its phase; `mutating`, so that a receiver, which is large, is asked in place.
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
