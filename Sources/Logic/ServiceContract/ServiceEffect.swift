// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import LocationEngine
package import LocationModel

/// An act of a shell for the service, in the order of the requests.
package enum ServiceEffect: Sendable, Equatable, Codable {
  // Large cases are `indirect`: most effects send a message.

  indirect case start(ProcessStart)
  case freeze(String)
  case thaw(String)
  /// The app has taken back its socket: the kept descriptor is closed.
  case releaseSocket(String)
  /// SIGTERM, thawed first, and SIGKILL after `grace` seconds.
  case end(String, grace: Double)
  case kill(String)
  /// The ending of that app's process is stored: its keeper may forget it.
  case forget(String)
  /// An order to an app's sink; `sink` answers.
  indirect case sink(SinkOrder)
  /// `id` is the client's name for its request; `nil` without a request.
  case send(ServerMessage, to: ClientID, id: String? = nil)
  case close(ClientID)
  /// A position for a program that asks GeoClue, as coarse as it asked.
  indirect case tellGeoClue(GeoClueClient, Fix)
  /// Whether to watch gpsd. At the end of a watch, the receiver may sleep for the rest that is foreseen; `nil` leaves it
  /// awake.
  case watch(Bool, sleep: RestSpan? = nil)
  /// gpsd is elsewhere now: the old connection is closed, a new one begins.
  case connect(host: String, port: Int, device: String?)
  /// Whether to listen to the modem's changes of cell.
  case listen(Bool)
  /// Asks the user for a level for that app; `authorize` of a client answers.
  case askUser(String, Authorization)
  /// Alerts the user to a local notification of that app.
  indirect case notifyUser(app: String, LocalNotification)
  /// Asks the network for a position; `radio` answers.
  case askNetwork
  /// The triggers for the device's sensors.
  case arm(Triggers)
  /// Reads the configuration file again; `settings` answers.
  case readSettings(for: ClientID?, id: String?)
  /// Reads and sends the rows of a log; `nil` is the service's. `unwritten` are the newest ones, not yet in the store.
  indirect case sendLog(
    of: AppID?, name: String, count: Int, unwritten: [LogRow], to: ClientID, id: String?)
  /// Reads and sends the history from one instant to before another. `unwritten` are the newest entries between them,
  /// not yet in the store.
  indirect case sendHistory(
    HistoryRange, unwritten: [HistoryDocument.Entry], to: ClientID, id: String?)
  /// One line of the journal.
  case log(LogLevel, String)
}

/// The importance of a line of the journal.
package enum LogLevel: String, Sendable, Codable, CaseIterable {
  case debug, info, notice, warning, error
}
