// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// What a client says to the daemon: one line `?NAME;` or `?NAME={...};`, in gpsd's manner.
package enum ClientMessage: Sendable, Equatable, Codable {
  // As an app -------------------------------------------------------------------------------------

  /// Who is there. The first message of an app.
  case hello(Hello)
  /// Starts, or changes, one location service.
  case start(ServiceRequest)
  case stop(Service)
  /// One location, then no more; metres, or one of Core Location's negative constants. Answered by a
  /// location, or by `REQUEST_FAILED`.
  case requestLocation(accuracy: Double = -1)
  /// A wake when the device begins to move (`true`), or no longer.
  case monitorMotion(Bool)
  /// Asks the user, who answers with `milepost apps authorize`.
  case requestAuthorization(Authorization)
  /// The delivery of this number, and all before it, need not be sent again.
  case acknowledge(UInt64)
  /// The work for which the app was woken is done.
  case done

  // As an ordinary gpsd client --------------------------------------------------------------------

  case version
  case devices
  /// `enable` and `json` of `?WATCH`; gpsd's other members are accepted and change nothing.
  case watch(isOn: Bool)
  case poll

  // As the user -----------------------------------------------------------------------------------

  case status
  case apps
  case app(String)
  /// Registers an app: the text of its manifest, and the file's name, whose ending says the form.
  case add(Manifest)
  /// Replaces the manifest of an app that is registered; what waits for it, and what it may know, stay.
  case update(Manifest)
  case remove(String)
  case authorize(String, Authorization)
  case control(String, AppControl)
  /// The newest entries of an app's log, at most so many; of the daemon's own where the name is empty.
  case log(String, count: Int)
  /// Why an app hears nothing now.
  case explain(String)
  /// Reads the configuration again.
  case reload
  /// The deliveries of an app that were given up.
  case events(String)
  /// Sends again what was given up: the delivery of this number, or with `nil` all.
  case resend(String, UInt64?)
  /// Forgets what was given up: the delivery of this number, or with `nil` all.
  case discard(String, UInt64?)

  package struct Hello: Sendable, Equatable, Codable {
    /// The registered name. Whether the process is that app's, the kernel says: its process group.
    package var app: String

    package init(app: String) { self.app = app }
  }

  package struct ServiceRequest: Sendable, Equatable, Codable {
    /// `.standard` or `.significant`; standard updates of an app with the declared mode are continuous.
    package var service: Service
    /// Counts for standard updates only.
    package var request: StandardRequest

    package init(_ service: Service, _ request: StandardRequest = StandardRequest()) {
      self.service = service
      self.request = request
    }
  }

  package struct Manifest: Sendable, Equatable, Codable {
    /// `walker.toml`: the last part of the path.
    package var file: String
    /// Where the file lies, for commands relative to it.
    package var directory: String
    /// The file's bytes; base64 on the wire, since an Info.plist may be binary.
    package var bytes: [UInt8]
    /// The program and its arguments, in place of what the file says; `nil` leaves that to the file.
    package var command: [String]?

    package init(file: String, directory: String, bytes: [UInt8], command: [String]? = nil) {
      self.file = file
      self.directory = directory
      self.bytes = bytes
      self.command = command
    }
  }

  /// What a user does to an app.
  package enum AppControl: String, Sendable, CaseIterable, Codable {
    /// Starts it in the foreground.
    case launch
    case foreground
    case background
    /// Ends it in order: willTerminate, 5 s, SIGTERM, SIGKILL.
    case terminate
    /// Ends it at once, as a swipe does; some eras then never relaunch it.
    case quit
    /// Ends it as memory pressure does; only a suspended app can be purged.
    case purge
    /// Forgets its crashes, so that it is launched again.
    case release
  }
}
