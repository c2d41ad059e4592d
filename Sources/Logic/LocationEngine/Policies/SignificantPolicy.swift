// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// The policy that serves all apps, as a value of one type.
package struct SignificantPolicy: Sendable, Equatable {
  var strategy: any Policy

  init(_ strategy: some Policy) { self.strategy = strategy }

  fileprivate init(any strategy: any Policy) { self.strategy = strategy }

  package static func == (a: Self, b: Self) -> Bool { a.strategy.isEqual(to: b.strategy) }

  package var kind: PolicyKind { strategy.kind }
  /// The name on the command line and in reports.
  package var name: String { kind.name }
  /// Everything that is fixed when it is made.
  package var settings: PolicySettings { strategy.settings }
  /// Seconds from one session to the next, if it has that setting.
  package var interval: Double? { settings.interval }

  /// The policy's behaviour, in a sentence without its subject; `plain` writes a number.
  package func sentence(_ rules: EngineRules, plain: (Double) -> String) -> String {
    strategy.sentence(rules, plain: plain)
  }

  /// A number of the rules that a policy may have for itself.
  package enum Rule: Sendable, Equatable {
    case distance, interval, lateness
  }

  /// Whether a number of the rules matters to it, or it has its own.
  package func heeds(_ rule: Rule) -> Bool {
    guard let place = Coordinate(latitude: 0, longitude: 0) else { return false }
    let fix = Fix(time: nil, coordinate: place)
    let usual = EngineRules()
    var far = usual
    (far.significantDistance, far.significantInterval) = (1e6, 1e6)
    let (near, other) = (strategy.criteria(for: fix, usual), strategy.criteria(for: fix, far))
    return switch rule {
    case .distance: near.distance != other.distance
    case .interval: near.interval != other.interval
    case .lateness: strategy.worth(usual) != nil
    }
  }

  /// A new one that relies on a motion sensor, too; itself if it takes no such hints.
  package func feeling(_ motion: MotionSensing) -> SignificantPolicy {
    guard kind.hints.contains(.motion) else { return self }
    var settings = settings
    settings.senses.insert(.motion)
    settings.motion = motion
    return settings.policy ?? self
  }

  /// A new one that draws with another seed; one that draws nothing stays as it is.
  package func drawing(with seed: UInt64) -> SignificantPolicy {
    var settings = settings
    guard let drawn = settings.seed, drawn != seed else { return self }
    settings.seed = seed
    return settings.policy ?? self
  }
}

extension Policy {
  fileprivate func isEqual(to other: any Policy) -> Bool { (other as? Self) == self }
}

extension PolicySettings {
  /// A new policy; `nil` for an unknown name, or if a required setting is missing.
  package var policy: SignificantPolicy? {
    PolicyKind.named(name)?.make(self).map(SignificantPolicy.init(any:))
  }
}

// In a snapshot a policy has the form that the compiler makes of an enumeration of all policies, with one
// case each: {"ownTracks":{"_0":{…}}}.

extension SignificantPolicy: Codable {
  private static let state = NameKey("_0")

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: NameKey.self)
    guard let kind = PolicyKind.all.first(where: { values.contains($0.key) }) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "this policy is not known here"))
    }
    let stored = try values.nestedContainer(keyedBy: NameKey.self, forKey: kind.key)
    strategy = try kind.decode(stored, Self.state)
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: NameKey.self)
    var stored = values.nestedContainer(keyedBy: NameKey.self, forKey: kind.key)
    try stored.encode(strategy, forKey: Self.state)
  }
}
