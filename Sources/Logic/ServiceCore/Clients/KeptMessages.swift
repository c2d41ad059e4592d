// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel

// What becomes of a message that an app cannot hear now.

extension ServerMessage {
  var isOfAuthorization: Bool {
    if case .authorization = self { true } else { false }
  }

  var isOfAccuracy: Bool {
    if case .accuracy = self { true } else { false }
  }

  /// The call that it is, with the seconds for its answer; `nil` for a state, which is told again at its next change.
  var call: (AppLink.Call.What, Double?)? {
    if case .wake(let reason, let seconds) = self { return (.wake(reason), seconds) }
    if case .tasksExpire(let tasks, let seconds) = self { return (.tasksExpire(tasks), seconds) }
    if case .notification(let notification) = self { return (.notification(notification), nil) }
    return nil
  }
}
