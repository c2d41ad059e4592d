// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import LocationEngine
package import LocationModel

/// An act of a shell for the service, in the order in which it is told.
package enum ServiceEffect: Sendable, Equatable, Codable {
  case start(ProcessStart)
  case freeze(String)
  case thaw(String)
  /// The app has taken back the socket that it had handed over: what is kept of it is closed.
  case releaseSocket(String)
  /// SIGTERM, thawed first, and SIGKILL after `grace` seconds.
  case end(String, grace: Double)
  case kill(String)
  /// How the process of that app ended is stored: its keeper may forget it.
  case forget(String)
  /// An order to an app's sink; `sink` answers.
  case sink(SinkOrder)
  /// `id` is what the client called its request; `nil` for what it did not ask for.
  case send(ServerMessage, to: ClientID, id: String? = nil)
  case close(ClientID)
  /// A program that asks GeoClue is to be told this position, which is as coarse as it asked.
  indirect case tellGeoClue(GeoClueClient, Fix)
  /// Whether gpsd is to be watched.
  case watch(Bool)
  /// gpsd is elsewhere now: the old connection is closed, a new one begins.
  case connect(host: String, port: Int, device: String?)
  /// Whether changes of cell are wanted of the modem.
  case listen(Bool)
  /// The user is to be asked for a level for that app; `authorize` of a client answers.
  case askUser(String, Authorization)
  /// The user is to be alerted to a local notification of that app.
  case notifyUser(app: String, LocalNotification)
  /// A position is asked of the network; `radio` answers.
  case askNetwork
  /// The triggers that the device's sensors are to tell.
  case arm(Triggers)
  /// The configuration file is to be read again; `settings` answers.
  case readSettings(for: ClientID?, id: String?)
  /// The rows of a log are to be read and sent; `nil` is the service's own. `unwritten` are the newest
  /// ones, which the store does not have.
  case sendLog(of: AppID?, name: String, count: Int, unwritten: [LogRow], to: ClientID, id: String?)
  /// The history from one instant to before another is to be read and sent. `unwritten` are the newest entries
  /// between them, which the store does not have.
  case sendHistory(HistoryRange, unwritten: [HistoryDocument.Entry], to: ClientID, id: String?)
  /// One line of the journal.
  case log(LogLevel, String)
}

/// How much a line of the journal matters.
package enum LogLevel: String, Sendable, Codable, CaseIterable {
  case debug, info, notice, warning, error
}
