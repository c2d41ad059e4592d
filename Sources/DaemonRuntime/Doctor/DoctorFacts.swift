// SPDX-License-Identifier: Apache-2.0

package import AppKeeping
package import ControlProtocol
package import DesktopNotifications
package import DeviceWatch
package import GPSDSource
package import LocationModel
package import ModemCells
import Settings

/// The prober's facts about gpsd and its receivers; nothing in it is judged yet.
package struct DoctorFacts: Sendable, Equatable {
  package var host: String
  package var port: Int
  /// How long gpsd was watched, seconds.
  package var watched = 0.0
  /// Why no connection came about; `nil` where one did.
  package var failure: ReachFailure?
  /// Whether gpsd's program is installed on this machine; `nil` where gpsd is on another.
  package var isInstalled: Bool?
  package var version: Version?
  /// The protocol of the libgps that this was built with, where it does not go with gpsd's.
  package var mismatch: String?
  /// The connection broke while watching.
  package var wasDropped = false
  /// The faults that gpsd told, the first few.
  package var reported: [String] = []
  package var devices: [Device] = []
  /// Serial ports of this machine, by their usual names; `nil` where gpsd is on another.
  package var ports: [Port]?
  /// Paths that gpsd was told to use here, with what is so of each.
  package var assigned: [Port] = []
  /// The control socket of a gpsd on this machine; `nil` where none is seen.
  package var control: Control?
  /// Whether gpsd was told never to close its devices (`-n`).
  package var isAlwaysOpen = false
  package var service = Service.notAsked
  package var modem = ModemSurvey?.none
  package var device = DeviceSurvey?.none
  package var notifier = NotifierSurvey?.none

  package static let reportedLimit = 5
  package static let deviceLimit = 64
  package static let portLimit = 16

  /// Whether a name of a host is that of this machine, whatever its network calls it.
  static func isHere(_ host: String) -> Bool { Loopback.holds(host) }

  package struct Version: Sendable, Equatable {
    package var release: String
    package var major: Int
    package var minor: Int

    package init(release: String, major: Int, minor: Int) {
      self.release = release
      self.major = major
      self.minor = minor
    }
  }

  package struct Device: Sendable, Equatable {
    package var path: String
    package var driver: String?
    /// Whether gpsd has it open.
    package var isOpen = false
    package var file: File = .notAFile
    /// TPV reports of it.
    package var reports = 0
    package var fixes = 0
    package var bestMode = 0
    /// Satellites used and in view, of the last SKY report.
    package var satellitesUsed: Int?
    package var satellitesInView: Int?
    package var firstTime: UTCInstant?
    package var lastTime: UTCInstant?
    /// Seconds between the first and the last report that states a time, as this machine counts.
    package var timeSpan = 0.0
    /// The receiver's UTC less this machine's, seconds, at the last report.
    package var clockOffset: Double?

    package init(path: String) { self.path = path }
  }

  /// The file of a device, as it is on this machine.
  package enum File: Sendable, Equatable {
    /// Not a path, or gpsd is on another machine.
    case notAFile
    case missing
    case usable
    /// The user that gpsd runs as is not in `group`, which may read and write it.
    case forbidden(user: String, group: String)
    /// The user that gpsd runs as may not use it, nor may its group; `mode` as in ls(1).
    case closed(user: String, mode: String)
  }

  /// gpsd's control socket.
  package struct Control: Sendable, Equatable {
    package var path: String
    /// Whether this user may write to it.
    package var isWritable: Bool

    /// Where Debian's gpsd.socket has it.
    static let usualPath = "/run/gpsd.sock"
  }

  /// A file that may be a receiver's.
  package struct Port: Sendable, Equatable {
    package var path: String
    /// Other names that lead to it: those in /dev/serial/by-id, and links of udev's.
    package var names: [String] = []
    package var file: File
  }

  /// The answer of this user's service.
  package enum Service: Sendable, Equatable {
    case notAsked
    /// Nobody listens on the socket.
    case absent(socket: String)
    /// Somebody listens, and there was no answer that is understood.
    case silent(socket: String, reason: String)
    case running(Running)

    package struct Running: Sendable, Equatable {
      package var socket: String
      package var release: String
      /// Where it looks for gpsd.
      package var host: String
      package var port: Int
      /// Seconds for which gpsd keeps the receiver on after each look.
      package var hold = 0.0
      package var apps: [App] = []
      /// Its sinks, its ports for gpsd clients, where its live page is, and who asked GeoClue.
      package var outlets: [StatusDocument.Outlet] = []
      /// What came of trying its sinks, but for those that are not authorized.
      package var trials: [SinkTrialDocument] = []
      package var gpsdPorts: [Int] = []
      package var web: String?
      package var geoCluePrograms: [String] = []
    }
  }

  /// An app of the service.
  package struct App: Sendable, Equatable {
    package var row: AppRow
    /// Crashes that count now towards its being held.
    package var crashes = 0
    /// The fault of its program; `nil` where there is none, or where it starts itself.
    package var fault: ProgramSearch.Fault?

    package init(row: AppRow) { self.row = row }
  }
}
