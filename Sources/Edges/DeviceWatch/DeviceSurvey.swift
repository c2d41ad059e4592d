// SPDX-License-Identifier: Apache-2.0

import CUnix
import Glibc
import Host
package import ServiceContract

/// The machine's abilities to report its memory, power and motion, examined once.
package struct DeviceSurvey: Sendable, Equatable {
  package var pressure: Pressure
  /// `nil` if there is none.
  package var battery: BatteryReading?
  /// Whether the machine runs on power from outside; `nil` if no supply says so.
  package var isOnPower: Bool?
  /// Why a machine that sleeps cannot be woken; `nil` if it can.
  package var cannotWake: String?
  /// Those that tell of motion come first.
  package var accelerometers: [Accelerometer] = []

  package enum Pressure: Sendable, Equatable {
    /// Reported as it happens; the share of the last 10 s, per cent, in which programs waited for memory.
    case told(Double)
    case notTold(PressureTrouble)
  }

  package init(pressure: Pressure, battery: BatteryReading?) {
    self.pressure = pressure
    self.battery = battery
  }

  /// Examines the machine; sets a trigger as the service does, and removes it at once.
  package static func taken(_ paths: DeviceWatch.Paths = .init()) -> DeviceSurvey {
    var survey = Self(
      pressure: pressure(paths.pressure), battery: MachineBattery.reading(in: paths.supplies))
    survey.isOnPower = ExternalPower.reading(in: paths.supplies)
    survey.accelerometers = Accelerometer.all(in: paths.sensors, devices: paths.devices)
    survey.cannotWake = cannotWake(paths.clocks)
    return survey
  }

  private static func cannotWake(_ clocks: String) -> String? {
    let timer = unix_boot_timer(1)
    guard timer >= 0 else { return "this user may not set an alarm (\(SystemError.text()))" }
    close(timer)
    return Directory.names(in: clocks).isEmpty ? "it has no RTC (\(clocks))" : nil
  }

  private static func pressure(_ path: String) -> Pressure {
    switch MemoryPressure.descriptor(path) {
    case .failure(let trouble): return .notTold(trouble)
    case .success(let descriptor):
      close(descriptor)
      let text = SmallFile.text(of: path) ?? ""
      return .told(MemoryPressure.shares(in: text)?.some ?? 0)
    }
  }
}
