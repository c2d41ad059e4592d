// SPDX-License-Identifier: Apache-2.0

import RadioPower
import RadioWorld

// What the profile says to the world and to the run.

extension ReplayOptions {
  /// How the profile's receiver starts in the chosen environment.
  var receiverParameters: Receiver.Parameters {
    Receiver.Parameters(
      cold: acquisition(.cold), warm: acquisition(.warm), hot: acquisition(.hot),
      assisted: acquisition(.assisted), firstStart: firstStart, isDrawn: drawsAcquisition,
      timeout: device.acquisitionTimeout.nominal, losesSupply: device.forgetsWhenOff)
  }

  private func acquisition(_ start: ReceiverStart) -> Receiver.Acquisition {
    let outlook = device.timeToFirstFix(start: start, environment: environment.ofProfile)
    return .init(seconds: outlook.mean, failure: outlook.failureProbability)
  }

  /// One upload, over the network where there is a cellular one, else over Wi-Fi.
  func upload(_ bytes: Int) -> Activity.Event {
    network == nil
      ? .wifiTransfer(uploadBytes: bytes, downloadBytes: 0, rateMbps: nil)
      : .cellTransfer(uploadBytes: bytes, downloadBytes: 0, rateMbps: nil)
  }

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
