// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
package import ServiceContract

/// The machine's abilities to report its memory and battery, examined once.
package struct DeviceSurvey: Sendable, Equatable {
  package var pressure: Pressure
  /// `nil` if there is none.
  package var battery: BatteryReading?

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
    let battery = PowerSupply.reading(in: paths.supplies)
    switch MemoryPressure.descriptor(paths.pressure) {
    case .failure(let trouble): return Self(pressure: .notTold(trouble), battery: battery)
    case .success(let descriptor):
      close(descriptor)
      let text = SmallFile.text(of: paths.pressure) ?? ""
      return Self(
        pressure: .told(MemoryPressure.shares(in: text)?.some ?? 0), battery: battery)
    }
  }
}
