// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract

extension LocationService {
  /// One connection.
  struct Client: Sendable, Equatable {
    let origin: ClientEvent.Origin
    var role = Role.user

    enum Role: Sendable, Equatable {
      /// A client that has not said hello: a user's command.
      case user
      case app(AppID)
      case listener(AppID)
    }
  }

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
    indirect case effect(ServiceEffect)
  }
}
