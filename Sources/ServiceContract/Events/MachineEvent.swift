// SPDX-License-Identifier: Apache-2.0

/// What a real machine tells of itself as a whole; what follows from it the service decides.
package enum MachineEvent: Sendable, Equatable, Codable {
  /// Programs have been waiting for memory; told again for as long as they do.
  case memoryIsShort(MemoryReading)
  /// The battery's charge, or whether it is being charged, has changed, or is seen for the first time.
  case battery(BatteryReading)
  /// Something came in on the socket that this app, which is frozen, has handed over, or its line has ended.
  case socketIsReady(app: String)
  /// What is not watched here, and why, in words.
  case trouble(String)
}

/// The memory of a machine, megabytes.
package struct MemoryReading: Sendable, Equatable, Codable {
  package var total: Double
  /// What programs could still be given without swapping, as the kernel estimates it.
  package var available: Double

  package init(total: Double, available: Double) {
    self.total = total
    self.available = available
  }
}

/// The battery that a machine runs on.
package struct BatteryReading: Sendable, Equatable, Codable {
  /// 0 to 100.
  package var percent: Double
  /// Whether it is charged, or full and connected.
  package var isCharging: Bool

  package init(percent: Double, isCharging: Bool) {
    self.percent = percent
    self.isCharging = isCharging
  }
}
