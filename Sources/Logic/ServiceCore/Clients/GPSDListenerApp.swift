// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// Theory
// ======
//
// A TCP port for ordinary gpsd clients is one app of the engine: in the foreground while a client
// watches, else not running. The engine's deliveries to it go to all its watchers as reports in gpsd's
// form. A report that a watcher cannot take is lost, as with gpsd itself: there is no outbox, no number
// and nothing to acknowledge, and it is not stored.

/// One port for gpsd clients, as an app.
struct GPSDListenerApp: Sendable, Equatable {
  /// Numbers of the listeners' apps begin here; registered apps count from 1.
  static let firstID: UInt32 = 0xFFFF_0000

  let id: AppID
  let listener: ServiceBeginning.Listener
  var watchers: [Watcher] = []
  /// The newest position that it let through.
  var lastFix: Fix?

  /// The arrival of its first watcher, UTC of the host; `nil` while there is none.
  var activated: UTCInstant?

  /// A watching client, and its forms.
  struct Watcher: Sendable, Equatable {
    let client: ClientID
    var reports: Bool
    /// RMC, GGA and GST, made from the fixes that pass the filter.
    var sentences: Bool
  }

  /// Seconds for which a sky goes with a report; receivers send theirs every second to every fifth.
  static let skyAge = 10.0

  /// The device that its reports name.
  var device: String { "milepost:\(listener.service.rawValue)" }

  var declaration: AppDeclaration {
    var declaration = AppDeclaration()
    declaration.declaresLocationMode = listener.service == .continuous
    return declaration
  }

  var request: StandardRequest {
    var request = StandardRequest()
    request.distanceFilter = listener.distanceFilter
    return request
  }
}
