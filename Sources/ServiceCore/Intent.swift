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
      /// Nobody who has said so: a user's command.
      case user
      case app(AppID)
      case listener(AppID)
    }
  }

  /// Things looked at after the store has committed, in order. Large ones are `indirect`: most are no more than
  /// `flush`.
  enum Intent: Sendable, Equatable {
    case start(AppID)
    case freeze(AppID)
    case thaw(AppID)
    case end(AppID)
    case kill(AppID)
    /// Send what waits in its outbox.
    case flush(AppID)
    indirect case tell(AppID, ServerMessage)
    indirect case answer(ClientID, ServerMessage, id: String?)
    /// Say that what was done could not be stored, if that is so.
    indirect case warnUnstored(ClientID, id: String?)
    /// A watch of gpsd, or of the modem, as the plan is then.
    case watch
    case listen
    indirect case effect(ServiceEffect)
  }
}
