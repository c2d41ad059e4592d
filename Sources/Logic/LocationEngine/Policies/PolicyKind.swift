// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// A policy's name, and what is known of the policy before it is made.
package struct PolicyKind: Sendable {
  /// All policies, in the order in which they are listed.
  package static let all: [PolicyKind] = [
    IOSPolicy.kind,
    IOSFieldPolicy.kind,
    OwnTracksPolicy.kind,
    AndroidPolicy.background,
    AndroidPolicy.work,
    ElasticPolicy.kind,
    ScheduledPolicy.periodic,
    ScheduledPolicy.receiver,
    MilepostPolicy.kind,
  ]

  package enum Positions: Sendable {
    /// The network: models of phones, which a device with only a receiver cannot follow.
    case network
    case receiver
  }

  /// The name on the command line and in reports.
  package let name: String
  /// The name in snapshots.
  let key: NameKey
  /// The source of its positions.
  package let positions: Positions
  /// Hints that it can use, and those without which it is of no use.
  package let hints: Senses
  package let needs: Senses
  /// Whether the seconds between its sessions can be set.
  package let hasInterval: Bool
  /// The system of a phone whose own behaviour it models; `nil` if it is none's.
  package let system: PhoneSystem?
  let make: @Sendable (PolicySettings) -> (any Policy)?
  let decode: @Sendable (KeyedDecodingContainer<NameKey>, NameKey) throws -> any Policy

  /// `key` is the name in snapshots, if different; `restore` adds to a decoded policy what its kind determines. `make`
  /// returns `nil` if a required setting is missing.
  init<P: Policy>(
    _ name: String, key: String? = nil, _ positions: Positions, hints: Senses = [],
    needs: Senses = [], hasInterval: Bool = false, system: PhoneSystem? = nil,
    restore: @escaping @Sendable (inout P) -> Void = { _ in },
    make: @escaping @Sendable (PolicySettings) -> P?
  ) {
    self.name = name
    self.key = NameKey(key ?? name)
    self.positions = positions
    self.hints = hints
    self.needs = needs
    self.hasInterval = hasInterval
    self.system = system
    self.make = make
    decode = { values, key in
      var policy = try values.decode(P.self, forKey: key)
      restore(&policy)
      return policy
    }
  }

  package static func named(_ name: String) -> PolicyKind? { all.first { $0.name == name } }

  /// The seconds between sessions that can be requested.
  static let intervals = 1.0...86_400.0

  /// The names of some kinds, and their possible settings: `ios, periodic; periodic=N has …`.
  package static func words(_ kinds: [PolicyKind] = all) -> String {
    let timed = kinds.filter(\.hasInterval).map { "\($0.name)=N" }
    let names = kinds.map(\.name).joined(separator: ", ")
    return names + "; \(timed.joined(separator: " and ")) have N seconds between sessions"
  }
}

/// A policy as it is requested: `milepost`, `periodic=900`.
package struct PolicyRequest: Sendable {
  package let kind: PolicyKind
  /// Seconds between sessions, if given.
  package let interval: Double?

  package enum Trouble: Error, Equatable {
    case unknown
    case hasNoInterval(String)
    case interval

    /// The fault of `text`; `known` lists the valid ones.
    package func message(_ text: String, known: String) -> String {
      switch self {
      case .unknown: "there is no policy '\(text)'; \(known)"
      case .hasNoInterval(let name): "the policy '\(name)' has no interval to set; \(known)"
      case .interval:
        "'\(text)': the seconds between sessions are a number from 1 to 86400"
      }
    }
  }

  package init(_ text: String) throws(Trouble) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard let kind = PolicyKind.named(parts[0]) else { throw .unknown }
    self.kind = kind
    guard parts.count > 1 else {
      interval = nil
      return
    }
    guard kind.hasInterval else { throw .hasNoInterval(kind.name) }
    guard parts.count == 2, let seconds = Double(parts[1]), PolicyKind.intervals.contains(seconds)
    else { throw .interval }
    interval = seconds
  }
}
