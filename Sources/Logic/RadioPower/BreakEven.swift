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

  /// Joules above the baseline of a start of the receiver that takes `seconds`, with the processor if it must stay
  /// awake meanwhile.
  package func lookEnergy(start: ReceiverStart, seconds: Double) -> Double {
    let off = values["gnss", gnssWhenOff.rawValue, "power"].nominal
    let acquire = values["gnss", start.state.rawValue, "power"].nominal
    let processor = acquisition == .awake ? values["soc", "awake_idle", "power"].nominal : 0
    // Profiles state milliwatts.
    return seconds * max(0, acquire - off + processor) / 1_000
  }

  /// Joules of a position of the network, which takes a scan for Wi-Fi; `nil` for a device without Wi-Fi.
  package var networkEnergy: Double? {
    guard hasWiFi else { return nil }
    return values["wifi", "scan", "power"].nominal * values["wifi", "scan", "duration"].nominal
      / 1_000
  }
}
