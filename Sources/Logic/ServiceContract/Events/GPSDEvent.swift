// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// An event of the line to gpsd; each can be reported to the user in plain words.
package enum GPSDEvent: Sendable, Equatable, Codable {
  /// One epoch of one device, its TPV reports merged.
  indirect case fix(Fix, device: String)
  /// An epoch without a position: the receiver searches.
  case searching(device: String)
  /// The receiver hears no satellite, or hears some again; sent with each report of none, and with the first of some.
  case signal(isHeard: Bool)
  /// The heading of a sensor of attitude.
  indirect case heading(Heading, device: String)
  /// Degrees by which magnetic north lies east of true north, if changed.
  case declination(Double)
  /// The receiver's view of the sky; only if requested.
  indirect case sky(Sky, device: String)
  /// A raw line, without its end.
  case line([UInt8])
  case link(Link)
  case device(Device)
  case trouble(Trouble)

  /// The connection.
  package enum Link: Sendable, Equatable, Codable {
    /// gpsd answered: its release and its protocol's version.
    case connected(release: String, protocolMajor: Int, protocolMinor: Int)
    /// No listener there, or the name is unknown; retried after `retryAfter` seconds.
    case unreachable(reason: String, retryAfter: Double)
    /// gpsd went away; retried after `retryAfter` seconds.
    case lost(reason: String, retryAfter: Double)
    /// The watch began, or ended: gpsd may close its devices now.
    case watching(Bool)
  }

  package enum Device: Sendable, Equatable, Codable {
    /// gpsd knows no device at all.
    case none
    case opened(path: String, driver: String?)
    /// gpsd has found out more about a device that it has open.
    indirect case identified(path: String, ReceiverIdentity)
    /// gpsd closed it, or it was unplugged.
    case closed(path: String)
    /// gpsd closed it when no watcher was left.
    case released(path: String)
    /// The same, and the receiver was sent to sleep before, by the command of its family.
    case asleep(path: String, by: ReceiverFamily)
  }

  package enum Trouble: Sendable, Equatable, Codable {
    /// UTC of the reports went back by `seconds` seconds.
    case timeWentBack(seconds: Double, device: String)
    /// A line longer than the limit, bytes; it was skipped.
    case overlongLine(limit: Int)
    /// A line that is no report, and why; it was skipped.
    case badLine(String)
    /// libgps and the line disagree on a field; the line is believed.
    case unpackDiffers(field: String)
    /// gpsd speaks an older or newer protocol than libgps.
    case protocolMismatch(server: String, library: String)
    /// gpsd could not be told to close its devices, and why.
    case notReleased(String)
    /// A receiver could not be sent to sleep, and why.
    case notAsleep(String)
    /// gpsd itself reported an error.
    case reported(String)
  }
}
