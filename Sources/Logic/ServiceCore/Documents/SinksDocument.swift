// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import JSONText
package import LocationModel

/// `SINKS`: the destinations of events without a program, and their state.
package struct SinksDocument: ControlDocument {
  package static let documentClass = DocumentClass.sinks

  package var sinks: [SinkRow]

  package static let empty = Self(sinks: [])
  package static let table = JSONTable<Self> { document in document.field("sinks", \.sinks) }
}

/// One sink.
package struct SinkRow: JSONObject, Equatable {
  package enum State: String, Sendable, JSONWord, CaseIterable {
    /// Nothing waits.
    case idle
    /// Its events are gathered, or wait for a network.
    case gathering
    /// A batch is on its way.
    case sending
    /// It took nothing, and is retried.
    case failing
  }

  package var name: String
  package var kind: String
  /// The other side's host; `nil` for a sink that sends nothing over a network.
  package var host: String?
  package var state: State
  /// The reason, in plain words, why waiting deliveries are not on their way; `nil` if none wait.
  package var text: String?
  /// Waiting deliveries, and the wait of the oldest in seconds; `nil` if none wait.
  package var pending: Int
  package var oldest: Double?
  /// Given-up deliveries.
  package var givenUp: Int
  /// The last time that the other side took something, UTC of the host.
  package var lastTaken: UTCInstant?
  /// Since it was added: deliveries safe there, transfers, and octets above TCP.
  package var taken: Int
  package var transfers: Int
  package var sentBytes: Int
  package var receivedBytes: Int
  /// Seconds of silence after which it repeats its position while the device rests; `nil` if it never does.
  package var heartbeat: Double?
  /// Joules that its transfers added since then by the network's profile, nominal, and the same a day; `nil` if nothing
  /// is metered, as for one on this machine, or for less than an hour.
  package var energy: Double?
  package var energyPerDay: Double?

  package static let empty = Self(
    name: "", kind: "", host: nil, state: .idle, text: nil, pending: 0, oldest: nil, givenUp: 0,
    lastTaken: nil, taken: 0, transfers: 0, sentBytes: 0, receivedBytes: 0, heartbeat: nil,
    energy: nil, energyPerDay: nil)
  package static let table = JSONTable<Self> { sink in
    sink.field("name", \.name, .appName)
    sink.field("kind", \.kind)
    sink.field("host", \.host)
    sink.field("state", \.state)
    sink.field("text", \.text)
    sink.field("pending", \.pending)
    sink.field("oldest_s", \.oldest, .number(in: 0...1e15))
    sink.field("given_up", \.givenUp)
    sink.field("last_taken", \.lastTaken)
    sink.field("taken", \.taken)
    sink.field("transfers", \.transfers)
    sink.field("sent_bytes", \.sentBytes)
    sink.field("received_bytes", \.receivedBytes)
    sink.field("heartbeat_s", \.heartbeat, .number(in: 0...1e15))
    sink.field("energy_j", \.energy, .number(in: 0...1e15))
    sink.field("energy_j_per_day", \.energyPerDay, .number(in: 0...1e15))
  }
}

/// `SINK_TRIAL`: whether a sink's other side is reachable and refuses nothing; whether it takes an event may show only
/// with the first.
package struct SinkTrialDocument: ControlDocument {
  package static let documentClass = DocumentClass.sinkTrial

  package var name: String
  package var isReached: Bool
  /// The sink's finding, or the reason why it did not get through.
  package var text: String

  package init(name: String, isReached: Bool, text: String) {
    self.name = name
    self.isReached = isReached
    self.text = text
  }

  package static let empty = Self(name: "", isReached: false, text: "")
  package static let table = JSONTable<Self> { trial in
    trial.field("name", \.name, .appName)
    trial.field("reached", \.isReached)
    trial.field("text", \.text)
  }
}
