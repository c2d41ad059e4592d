// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

/// What a machine wants of the engine, of the other machines and of the service's logs, at once: the service performs
/// each with all its own consequences before the next one.
enum Consequence: Sendable {
  /// An input of the engine, whose commands follow.
  case engine(EngineInput)
  /// A task for after the commit.
  case intent(Intent)
  /// One line in an app's log, or with `nil` in that of the service, and in the journal.
  indirect case note(AppID?, kind: String, String)
  /// The same, in the log only.
  indirect case record(AppID?, kind: String, String)
  indirect case remember(History.Entry)

  indirect case apps(AppOrder)
  indirect case clients(Clients.Order)
  indirect case processes(Processes.Order)
  indirect case outboxes(Outboxes.Order)
  indirect case sinks(Sinks.Order)
  indirect case world(World.Order)
  indirect case service(ServiceOrder)
}

/// What concerns the engine as a whole, or all machines.
enum ServiceOrder: Sendable {
  /// The engine goes on by the present rules, cells and price of lateness; `saysWorth` has the worth of a look told.
  case reconfigure(saysWorth: Bool)
  case continueSequence(of: AppID, after: UInt64)
  /// The processes of an earlier service are known: the service serves.
  case serve
  /// An app is registered: each machine keeps a row of it.
  case open(AppID)
  case remove(AppID)
  case close(AppID, name: String)
  case forgetPlaces(ForgottenPlaces)
  /// A document answers a client.
  case document(ServiceDocuments.Question, ClientID, String?)
  /// Programs that ask GeoClue are launched.
  case startPrograms
}
