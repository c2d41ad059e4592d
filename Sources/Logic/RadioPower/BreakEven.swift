// SPDX-License-Identifier: Apache-2.0

extension DeviceProfile {
  /// The pause without need of a fix, seconds, beyond which switching the receiver off is cheaper than tracking
  /// through: `nil` if it never is (a dongle that draws as much when it is off).
  ///
  /// The ski-rental threshold `L·(P_acq − P_off)/(P_track − P_off)` for a start that takes `seconds`.
  package func breakEvenPause(start: ReceiverStart, seconds: Double) -> Double? {
    let off = values["gnss", gnssWhenOff.rawValue, "power"].nominal
    let track = values["gnss", "track_good", "power"].nominal
    let acquire = values["gnss", start.state.rawValue, "power"].nominal
    guard track > off else { return nil }
    return seconds * (acquire - off) / (track - off)
  }

  /// Joules above the baseline of a start of the receiver that takes `seconds`, on the way, with the processor if it must
  /// stay awake meanwhile.
  package func lookEnergy(start: ReceiverStart, seconds: Double) -> Double {
    let off = values["gnss", gnssWhenOff.rawValue, "power"].nominal
    let acquire = values["gnss", start.state.rawValue, "power"].nominal
    let processor = acquisition == .awake ? awakeOnTheWay : 0
    // Profiles state milliwatts.
    return seconds * max(0, acquire - off + processor) / 1_000
  }

  /// Seconds from a request to the network's answer [estimate: a Wi-Fi scan and a look-up].
  package static let networkAnswer = 1.0

  /// Joules of a position of the network on the way: a scan for Wi-Fi, and the processor until the answer; `nil` for a
  /// device without Wi-Fi.
  package var networkEnergy: Double? {
    guard hasWiFi else { return nil }
    let scan =
      values["wifi", "scan", "power"].nominal * values["wifi", "scan", "duration"].nominal
    return (scan + Self.networkAnswer * awakeOnTheWay) / 1_000
  }

  /// Milliwatts of a processor that is awake while the device moves.
  private var awakeOnTheWay: Double {
    values["soc", "awake_idle", "power"].nominal + values["soc", "moving", "power"].nominal
  }
}
