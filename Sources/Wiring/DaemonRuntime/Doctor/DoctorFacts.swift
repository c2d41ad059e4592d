// SPDX-License-Identifier: Apache-2.0

package import AppKeeping
package import DeviceWatch
package import GPSDSource
package import LocationModel
package import MessageBus
package import ServiceContract
package import ServiceCore

/// The prober's facts about gpsd and its receivers, without any judgement.
package struct DoctorFacts: Sendable, Equatable {
  package var host: String
  package var port: Int
  /// The time for which gpsd was watched, seconds.
  package var watched = 0.0
  /// The reason why no connection was made; `nil` if one was.
  package var failure: ReachFailure?
  /// Whether gpsd's program is installed on this machine; `nil` if gpsd is on another.
  package var isInstalled: Bool?
  package var version: Version?
  /// Whether anything was sent on the connection.
  package var hasAnswered = false
  /// The protocol of the libgps that this was built with, if it does not match gpsd's.
  package var mismatch: String?
  /// Whether the connection broke during the watch.
  package var wasDropped = false
  /// The first few faults that gpsd reported.
  package var reported: [String] = []
  package var devices: [Device] = []
  /// Serial ports of this machine, by their usual names; `nil` if gpsd is on another.
  package var ports: [Port]?
  /// Paths that gpsd was told to use here, with the state of each.
  package var assigned: [Port] = []
  /// The control socket of a gpsd on this machine; `nil` if none is seen.
  package var control: Control?
  /// Whether gpsd runs with the option never to close its devices (`-n`).
  package var isAlwaysOpen = false
  package var service = Service.notAsked
  /// The fault of the user's configuration, with which no service starts; `nil` if there is none.
  package var configurationFault: String?
  package var modem = ModemSurvey?.none
  package var device = DeviceSurvey?.none
  /// What NetworkManager says of the connection; `nil` if it cannot be asked.
  package var connection = ConnectionQuestion.Answer?.none
  package var notifier = NotifierSurvey?.none

  package static let reportedLimit = 5
  package static let deviceLimit = 64
  package static let portLimit = 16

  /// Whether a host name means this machine, whatever its network calls it.
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
    /// What gpsd says of its kind.
    package var identity = ReceiverIdentity()
    /// Whether gpsd has it open.
    package var isOpen = false
    package var file: File = .notAFile
    /// The number of its TPV reports.
    package var reports = 0
    package var fixes = 0
    package var bestMode = 0
    /// Satellites used and in view, of the last SKY report.
    package var satellitesUsed: Int?
    package var satellitesInView: Int?
    package var firstTime: UTCInstant?
    package var lastTime: UTCInstant?
    /// Seconds between the first and the last report with a time, by this machine's clock.
    package var timeSpan = 0.0
    /// The receiver's UTC minus this machine's, seconds, at the last report.
    package var clockOffset: Double?

    package init(path: String) { self.path = path }
  }

  /// The file of a device, as it is on this machine.
  package enum File: Sendable, Equatable {
    /// Not a path, or gpsd is on another machine, or this user may not look at it.
    case notAFile
    case missing
    case usable
    /// gpsd's user is not in `group`, which may read and write it.
    case forbidden(user: String, group: String)
    /// Neither gpsd's user nor its group may use it; `mode` as in ls(1).
    case closed(user: String, mode: String)
  }

  /// gpsd's control socket.
  package struct Control: Sendable, Equatable {
    package var path: String
    /// Whether this user may write to it.
    package var isWritable: Bool

    /// The path in Debian's gpsd.socket.
    static let usualPath = "/run/gpsd.sock"
  }

  /// A file that may be a receiver's.
  package struct Port: Sendable, Equatable {
    package var path: String
    /// Other names that lead to it: those in /dev/serial/by-id, and udev's links.
    package var names: [String] = []
    package var file: File
  }

  /// The answer of this user's service.
  package enum Service: Sendable, Equatable {
    case notAsked
    /// No process listens on the socket.
    case absent(socket: String)
    /// A process listens, but gave no intelligible answer.
    case silent(socket: String, reason: String)
    case running(Running)

    package struct Running: Sendable, Equatable {
      package var socket: String
      package var release: String
      /// The host on which it looks for gpsd.
      package var host: String
      package var port: Int
      /// Why nothing that it decides is written; `nil` if it is.
      package var storeTrouble: String?
      /// Seconds for which gpsd keeps the receiver on after each look.
      package var hold = 0.0
      package var apps: [App] = []
      /// Its sinks, its ports for gpsd clients, the address of its live page, and its GeoClue clients.
      package var outlets: [StatusDocument.Outlet] = []
      /// The outcome of trying its sinks, except for unauthorized ones.
      package var trials: [SinkTrialDocument] = []
      package var gpsdPorts: [Int] = []
      package var web: String?
      package var geoCluePrograms: [String] = []
    }
  }

  /// An app of the service.
  package struct App: Sendable, Equatable {
    package var row: AppRow
    /// Crashes that currently count towards holding it.
    package var crashes = 0
    /// The fault of its program; `nil` if there is none, or if it starts itself.
    package var fault: ProgramSearch.Fault?

    package init(row: AppRow) { self.row = row }
  }
}
