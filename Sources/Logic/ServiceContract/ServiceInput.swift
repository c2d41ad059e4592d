// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel
package import RadioPower

/// The time at which an input reached the service: on the engine's axis, which orders and times, and in UTC as the host
/// states it, which is only recorded.
package struct ServiceTime: Sendable, Equatable {
  package var at: EngineInstant
  package var utc: UTCInstant

  package init(at: EngineInstant, utc: UTCInstant) {
    self.at = at
    self.utc = utc
  }
}

/// Every input of the service.
package enum ServiceInput: Sendable, Equatable, Codable {
  /// The sockets are open; processes left by an earlier service were reported before this.
  case began(adopted: [String])
  case client(ClientEvent)
  /// The manifest that a client sent, as read from its file.
  indirect case manifest(ClientID, ManifestReading, id: String?, isUpdate: Bool = false)
  case process(ProcessEvent)
  case sink(SinkEvent)
  case gpsd(GPSDEvent)
  case modem(ModemEvent)
  case geoClue(GeoClueEvent)
  /// The memory and the battery of a real machine.
  case machine(MachineEvent)
  /// A report of a simulated radio.
  case radio(RadioEvent)
  /// The configuration has been read again, for a client or without one.
  indirect case settings(SettingsReading, for: ClientID?, id: String?)
  /// `count` of these found the host's inbox full since the last time, and are lost.
  case refused(RefusableEvent, count: Int)
  /// A deadline may have come.
  case timePassed
  /// The service must end.
  case stop
}

/// An event that a host refuses while its queue is full; all others always fit.
package enum RefusableEvent: String, Sendable, Codable, CaseIterable {
  case gpsd, client, modem, sink

  /// The loss of `count` of them, as a phrase for people.
  package func words(_ count: Int) -> String {
    let (thing, source) =
      switch self {
      case .gpsd: ("event", "gpsd")
      case .client: ("message", "clients")
      case .modem: ("cell", "the modem")
      case .sink: ("wish", "sinks")
      }
    return
      "\(count) \(thing)\(count == 1 ? "" : "s") of \(source) lost, since too many events waited: "
      + "this machine does not keep up"
  }
}

/// The outcome of reading a manifest.
package enum ManifestReading: Sendable, Equatable, Codable {
  /// `missingProgram` is the reason why its command cannot be run; `nil` if it can. `unknownModes` are those of an
  /// Info.plist that change nothing here; `nil` is none.
  case read(AppManifest, missingProgram: String?, unknownModes: [String]? = nil)
  case refused(String)
}

/// The outcome of reading a configuration file.
package enum SettingsReading: Sendable, Equatable, Codable {
  /// `changes` are lines for the journal.
  case read(ServiceSettings, changes: [String])
  /// `isError` if there is a file, and it cannot be used.
  case refused(String, isError: Bool)
}

/// A report of a simulated device's radios; live, gpsd and a modem send it.
package enum RadioEvent: Sendable, Equatable, Codable {
  indirect case fix(Fix)
  indirect case networkFix(Fix)
  case networkPositionFailed
  case cellChanged(CellHint)
  /// The motion sensor fired in `windows` windows, at least 1.
  case motionFelt(windows: Int)
  /// The searching receiver begins or ceases to hear satellites.
  case signal(isHeard: Bool)
  /// The receiver's present activity, an app's transfer, or an unknown span: for the meter.
  case activity(Activity.Event)

  /// The motion sensor fired.
  package static let motionBegan = Self.motionFelt(windows: 1)
}
