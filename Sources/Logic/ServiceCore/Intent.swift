// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract

/// Tasks handled after the store has committed, in order. Large cases are `indirect`: most are no more than `flush`.
enum Intent: Sendable, Equatable {
  case start(AppID)
  case freeze(AppID)
  case thaw(AppID)
  case end(AppID)
  case kill(AppID)
  /// Send the waiting deliveries in its outbox.
  case flush(AppID)
  indirect case tell(AppID, ServerMessage)
  indirect case answer(ClientID, ServerMessage, id: String?)
  /// Warn that the change could not be stored, if that is so.
  indirect case warnUnstored(ClientID, id: String?)
  /// Watch gpsd, or the modem, by the plan at that time.
  case watch
  case listen
  /// The ending of that app's process is stored: its keeper may forget it.
  indirect case forgetEnding(String)
  indirect case effect(ServiceEffect)
}
