// SPDX-License-Identifier: Apache-2.0

import ServiceContract

// Theory
// ======
//
// Places for connections are few, and any client may take all of them: a program that opens one for each event and
// closes none, ten thousand processes, another user's program on an unauthenticated gpsd port. The user's own commands
// still get in, since the last places are reserved for them:
//
//     0 ─────────────── ordinary ───────────────┬──── the last `commands` ────┤ `clients`
//        anybody: apps, commands, gpsd's clients    a process that has no other connection,
//        (of these at most `gpsdClients`)           and only as long as it does not say that it is an app
//
// A client that has sent something is never displaced. A client on one of the last places that has not sent a whole
// message in `silence` seconds yields to the next arrival: a command sends its request at once, and a hundred hanging
// processes must not lock out the command that would look for them. Silence is checked when a client arrives, so that
// it needs no timer.
//
// This does not keep out a malicious process of the same user: it could end the daemon as well.

/// The clients with a place.
struct Admission: Sendable, Equatable {
  enum Peer: Sendable, Equatable {
    case process(Int32)
    case gpsdClient
  }

  /// What a client may do with its place.
  enum Place: Sendable, Equatable {
    case ordinary
    /// It may not register as an app.
    case forCommands
  }

  enum Refusal: Error, Sendable, Equatable {
    case full
    case gpsdFull
    case lastPlaces

    func words(_ limits: ControlServer.Limits) -> String {
      switch self {
      case .full: "\(limits.clients) clients are connected, and more are not served; close some"
      case .gpsdFull:
        "\(limits.gpsdClients) clients are connected to ports for gpsd clients, and more are not served; close "
          + "some"
      case .lastPlaces:
        "\(limits.clients - limits.forCommands) clients are connected, and the \(limits.forCommands) places that are "
          + "left are for commands of processes that have no other connection; close some"
      }
    }
  }

  /// A place that was taken.
  struct Entry: Sendable, Equatable {
    let place: Place
    /// The client that lost its place because it sent nothing.
    var silent: ClientID?
  }

  /// The text for a client that loses its place.
  static func silentWords(_ limits: ControlServer.Limits) -> String {
    "nothing was said here for \(Int(limits.silence)) s, and another command needs the place; connect again"
  }

  private struct Silent: Sendable, Equatable {
    let client: ClientID
    let peer: Peer
    /// Nanoseconds, on the clock of `enter`.
    let since: UInt64
  }

  private var count = 0
  private var gpsdClients = 0
  private var processes: [Int32: Int] = [:]
  /// The clients on the last places that have sent nothing, the oldest first.
  private var silent: [Silent] = []

  /// Takes a place for `client`; `now` is nanoseconds of a monotonic clock.
  mutating func enter(
    _ peer: Peer, as client: ClientID, at now: UInt64, _ limits: ControlServer.Limits
  ) -> Result<Entry, Refusal> {
    let gone = count < limits.clients ? nil : giveUp(to: peer, at: now, limits)
    guard count < limits.clients else { return .failure(.full) }
    let isOrdinary = count < limits.clients - limits.forCommands
    switch peer {
    case .gpsdClient:
      guard gpsdClients < limits.gpsdClients else { return .failure(.gpsdFull) }
      guard isOrdinary else { return .failure(.lastPlaces) }
      gpsdClients += 1
    case .process(let pid):
      guard isOrdinary || processes[pid] == nil else { return .failure(.lastPlaces) }
      processes[pid, default: 0] += 1
    }
    count += 1
    guard !isOrdinary else { return .success(Entry(place: .ordinary)) }
    silent.append(Silent(client: client, peer: peer, since: now))
    return .success(Entry(place: .forCommands, silent: gone))
  }

  /// Removes the oldest client that was silent for too long, if `peer` may have its place.
  private mutating func giveUp(
    to peer: Peer, at now: UInt64, _ limits: ControlServer.Limits
  ) -> ClientID? {
    guard case .process(let pid) = peer, processes[pid] == nil, let oldest = silent.first,
      now >= oldest.since + UInt64(limits.silence * 1e9)
    else { return nil }
    leave(oldest.peer, oldest.client)
    return oldest.client
  }

  /// Notes that a client has sent a message.
  mutating func spoke(_ client: ClientID) { silent.removeAll { $0.client == client } }

  /// Returns a place.
  mutating func leave(_ peer: Peer, _ client: ClientID) {
    spoke(client)
    count -= 1
    switch peer {
    case .gpsdClient: gpsdClients -= 1
    case .process(let pid):
      let others = (processes[pid] ?? 1) - 1
      processes[pid] = others > 0 ? others : nil
    }
  }
}
