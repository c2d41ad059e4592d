// SPDX-License-Identifier: Apache-2.0

import GPSDSource
import LocationModel

/// What the daemon has seen of the world, for those who ask how it is.
struct LiveFacts: Sendable {
  /// What `link` says before anybody needed a fix.
  static let notAsked = "not asked yet"

  /// The line to gpsd, in words, since when that is so, and whether it is there.
  var link = notAsked
  var linkSince = HostClock.utc
  var isConnected = false
  /// Whether gpsd was asked for, and is not there.
  var isUnreachable: Bool { !isConnected && link != Self.notAsked }
  /// Since when the receiver is on, or off.
  var planSince = HostClock.utc
  var isWatching = false
  /// gpsd's release; `nil` before it has said it.
  var release: String?
  /// Paths of open devices, with their drivers.
  var devices: [Device] = []

  struct Device: Sendable {
    let path: String
    let driver: String?
    /// When its last report came.
    var lastReport: EngineInstant?
  }
  /// The newest fix of any device, when it came, and from which.
  var lastFix: Fix?
  var lastFixAt: EngineInstant?
  var lastFixReceived: UTCInstant?
  var lastDevice: String?
  /// How many fixes and empty epochs came.
  var fixes = 0
  var emptyEpochs = 0
  /// What was wrong with what gpsd sent, and how often; bounded by the kinds there are.
  var troubles: [String: Int] = [:]
  /// Why nothing can be written now; `nil` where all is well.
  var storeTrouble: String?
  /// What was wrong with the database that was found.
  var storeWarning: String?
  /// Joules by component of all daemons before this one.
  var energyBefore: [String: Double] = [:]
  /// The time before this start in which nobody watched; `nil` at a first start.
  var gap: EngineClock.Gap?
  var startedAt: UTCInstant = HostClock.utc

  init(storeTrouble: String?, storeWarning: String?) {
    self.storeTrouble = storeTrouble
    self.storeWarning = storeWarning
  }
}
