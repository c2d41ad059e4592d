// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// Places for connections are few, and whoever may connect can take as many as there are: a program that opens one
// for each event and closes none, ten thousand processes, another user's program on a gpsd port, which asks nobody
// who he is. The user's own commands come in all the same, since the last places are theirs:
//
//     0 ─────────────── ordinary ───────────────┬──── the last `commands` ────┤ `clients`
//        anybody: apps, commands, gpsd's clients    a process that has no other connection,
//        (of these at most `gpsdClients`)           and only as long as it does not say that it is an app
//
// Nobody is put out for somebody else. A process of the user's own that means harm is not kept out by this: it could
// end the daemon as well.

/// Who has a place among the clients.
struct Admission: Sendable, Equatable {
  enum Peer: Sendable, Equatable {
    case process(Int32)
    case gpsdClient
  }

  /// What a client may do with its place.
  enum Place: Sendable, Equatable {
    case ordinary
    /// It may not say that it is an app.
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

  private var count = 0
  private var gpsdClients = 0
  private var processes: [Int32: Int] = [:]

  /// Takes a place.
  mutating func enter(
    _ peer: Peer, _ limits: ControlServer.Limits
  ) -> Result<Place, Refusal> {
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
    return .success(isOrdinary ? .ordinary : .forCommands)
  }

  /// Gives one back.
  mutating func leave(_ peer: Peer) {
    count -= 1
    switch peer {
    case .gpsdClient: gpsdClients -= 1
    case .process(let pid):
      let others = (processes[pid] ?? 1) - 1
      processes[pid] = others > 0 ? others : nil
    }
  }
}
