// SPDX-License-Identifier: Apache-2.0

package import LocationModel

package struct DeviceProfile: Sendable, Equatable {
  package var name: String
  package var hasMotionSensor: Bool { true }
  package func upload(_ bytes: Int) -> Activity.Event {
    .cellTransfer(uploadBytes: bytes, downloadBytes: 0, rateMbps: nil)
  }
}

package struct NetworkProfile: Sendable, Equatable {
  package var name: String
}

package struct EnergyMeter: Sendable, Equatable {
  package init(device: DeviceProfile, network: NetworkProfile?) {}
  package mutating func record(_ activity: Activity) {}
  package mutating func finish(at: EngineInstant) {}
  package func report() -> EnergyReport { EnergyReport(components: [], baseline: [], seconds: 0) }
}
extension EnergyReport {
  package var receiverOnSeconds: Double { 0 }
}
