// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// Theory
// ======
//
// A TCP port for ordinary gpsd clients is one app of the engine: in the foreground while somebody
// watches, not running else. What the engine delivers to it goes to all its watchers as reports in
// gpsd's form. A report that a watcher cannot take is gone, as with gpsd itself: there is no outbox, no
// number and nothing to acknowledge, and the store knows nothing of it.

/// One port for gpsd clients, as an app.
struct GPSDListenerApp: Sendable, Equatable {
  /// Numbers of the listeners' apps begin here; registered apps count from 1.
  static let firstID: UInt32 = 0xFFFF_0000

  let id: AppID
  let listener: ServiceBeginning.Listener
  var watchers: [ClientID] = []
  /// The newest position that it let through.
  var lastFix: Fix?

  /// What its reports give as the device.
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
