// SPDX-License-Identifier: Apache-2.0

/// A report of a real machine about itself as a whole; the service decides the consequences.
package enum MachineEvent: Sendable, Equatable, Codable {
  /// Programs have been waiting for memory; repeated for as long as they do.
  case memoryIsShort(MemoryReading)
  /// The battery's charge or charging state has changed, or is seen for the first time.
  case battery(BatteryReading)
  /// The external power has changed, or is seen for the first time; `nil` if the machine does not report it.
  case externalPower(Bool?)
  /// The accelerometer that tells of motion is found, or is another one; `nil` if there is none.
  case motionSensor(MotionSource?)
  /// It felt motion in a window that ends now. Reported only while motion is armed.
  case motionFelt
  /// Data arrived on the socket that this frozen app has handed over, or its line has ended.
  case socketIsReady(app: String)
  /// The network has changed, or is seen for the first time.
  case network(NetworkReading)
  /// The Wi-Fi network that carries its traffic has changed, or is seen for the first time; `nil` if none does.
  case wifi(String?)
  /// A thing that is not watched here, and why, in words.
  case trouble(String)
}

/// An accelerometer of a machine.
package struct MotionSource: Sendable, Equatable, Codable {
  /// As its driver calls it.
  package var name: String
  /// Seconds from one reading to the next; `nil` if it tells of motion by itself, which wakes nobody while it is still.
  package var every: Double?

  package init(name: String, every: Double? = nil) {
    self.name = name
    self.every = every
  }

  /// For people.
  package var words: String {
    "the accelerometer \(name), "
      + (every.map { "read every \(Figures.span($0))" } ?? "which tells of motion by itself")
  }
}

/// The memory of a machine, megabytes.
package struct MemoryReading: Sendable, Equatable, Codable {
  package var total: Double
  /// The memory that programs could still be given without swapping, as the kernel estimates it.
  package var available: Double

  package init(total: Double, available: Double) {
    self.total = total
    self.available = available
  }
}

/// The battery of a machine.
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

/// The connection of a machine to others.
package struct NetworkReading: Sendable, Equatable, Codable {
  /// Whether there is a default route.
  package var isUp: Bool
  /// Whether traffic is metered; `nil` if unknown.
  package var isMetered: Bool?

  package init(isUp: Bool, isMetered: Bool? = nil) {
    self.isUp = isUp
    self.isMetered = isMetered
  }

  /// For people.
  package var words: String {
    guard isUp else { return "there is no network" }
    return switch isMetered {
    case true?: "there is a network, and it is metered"
    case false?: "there is a network, and it is not metered"
    case nil: "there is a network"
    }
  }
}
