// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// One request to a radio, the processor or a sensor, at an instant.
///
/// A sequence of these, in order of time, is the meter's only input. `milepost replay --radio-log` writes
/// it as JSON lines and `milepost meter` reads it back; metering the log gives the replay's joules.
package struct Activity: Sendable, Equatable {
  /// The moment of the request.
  package var at: EngineInstant
  package var event: Event

  package init(at: EngineInstant, _ event: Event) {
    self.at = at
    self.event = event
  }

  package enum Event: Sendable, Equatable, Codable {
    /// The receiver is put into this state and stays there until told otherwise.
    case gnss(GNSSState)
    /// A transfer over the cellular network.
    case cellTransfer(uploadBytes: Int, downloadBytes: Int, rateMbps: Double?)
    /// The modem reports a change of cell to the application processor.
    case cellWake
    /// A scan for Wi-Fi networks.
    case wifiScan
    /// A transfer over Wi-Fi.
    case wifiTransfer(uploadBytes: Int, downloadBytes: Int, rateMbps: Double?)
    /// The processor is put into this state and stays there until told otherwise.
    case soc(SoCState)
    /// An app's process is started: fixed cost of the processor.
    case launch
    /// A suspended app is woken: fixed cost of the processor.
    case wake
    /// A location is delivered to an app: fixed cost of the processor.
    case delivery
    /// The motion sensor is armed (`true`) or not.
    case motionSensor(Bool)
    /// The device moves from here on (`true`), or lies still, as a phone knows from its motion coprocessor.
    case moving(Bool)
    /// A record is committed to flash.
    case flashCommit
    /// An unknown span from here on (`false`) until the next `true`: the meter stands still,
    /// and so do tails and timers.
    case metering(Bool)
    /// The end of the log.
    case end
  }

  @usableFromInline package enum GNSSState: String, Sendable, CaseIterable, Codable {
    /// Not in use; the profile states the cost (backup supply, or a USB dongle's full current).
    case off
    /// Not in use, with only the backup supply on.
    case backup
    /// Not in use, but still powered and running: a USB dongle.
    case usbIdle = "usb_idle"
    /// Not in use and without any supply; the next start is cold.
    case vbusOff = "vbus_off"
    case acquireCold = "acquire_cold"
    case acquireWarm = "acquire_warm"
    case acquireHot = "acquire_hot"
    case acquireAssisted = "acquire_assisted"
    /// Waiting after a failed acquisition until the next search.
    case searchBackoff = "search_backoff"
    case trackGood = "track_good"
    case trackPoor = "track_poor"
    /// Tracking while the device lies still: what a phone's system does with its receiver then.
    case trackStill = "track_still"
    case powersave
    /// Switched on, but the modem has the shared radio: it hears nothing and draws nothing.
    case blocked

    /// Whether it is on and has no fix yet.
    package var isAcquiring: Bool {
      switch self {
      case .acquireCold, .acquireWarm, .acquireHot, .acquireAssisted, .searchBackoff: true
      case .off, .backup, .usbIdle, .vbusOff, .trackGood, .trackPoor, .trackStill, .powersave,
        .blocked:
        false
      }
    }
  }

  package enum SoCState: String, Sendable, CaseIterable, Codable {
    case suspended
    case awakeIdle = "awake_idle"
    case active
  }
}
