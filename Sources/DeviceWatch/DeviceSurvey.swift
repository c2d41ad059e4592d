// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc
package import ServiceContract

/// What this machine can tell of its memory and battery, looked at once.
package struct DeviceSurvey: Sendable, Equatable {
  package var pressure: Pressure
  /// `nil` where there is none.
  package var battery: BatteryReading?

  package enum Pressure: Sendable, Equatable {
    /// Told as it happens; the share of the last 10 s, per cent, in which programs waited for memory.
    case told(Double)
    case notTold(PressureTrouble)
  }

  package init(pressure: Pressure, battery: BatteryReading?) {
    self.pressure = pressure
    self.battery = battery
  }

  /// Looks; sets a trigger as the service does, and takes it back at once.
  package static func taken(_ places: DeviceWatch.Places = .init()) -> DeviceSurvey {
    let battery = PowerSupply.reading(in: places.supplies)
    switch MemoryPressure.descriptor(places.pressure) {
    case .failure(let trouble): return Self(pressure: .notTold(trouble), battery: battery)
    case .success(let descriptor):
      close(descriptor)
      let text = SmallFile.text(of: places.pressure) ?? ""
      return Self(
        pressure: .told(MemoryPressure.shares(in: text)?.some ?? 0), battery: battery)
    }
  }
}
