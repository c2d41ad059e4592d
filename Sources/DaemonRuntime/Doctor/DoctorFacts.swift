// SPDX-License-Identifier: Apache-2.0

package import GPSDSource
package import LocationModel

/// What the prober saw of gpsd and its receivers; nothing in it is judged yet.
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
  /// What gpsd said was wrong, the first few.
  package var reported: [String] = []
  package var devices: [Device] = []
  /// Serial ports of this machine that gpsd does not use, by their usual names.
  package var unusedPorts: [String] = []

  package static let reportedLimit = 5
  package static let deviceLimit = 64

  package init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

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
    /// The user that gpsd runs as may not read and write it; `group` owns it.
    case forbidden(user: String, group: String)
  }
}
