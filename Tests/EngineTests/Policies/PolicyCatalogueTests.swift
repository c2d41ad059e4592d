// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel
import Testing

@testable import LocationEngine

@Suite("The catalogue of policies")
struct PolicyCatalogueTests {
  @Test("Each policy is made by its name, says it again with its settings, and they make it equal")
  func settings() throws {
    for kind in PolicyKind.all {
      let policy = try #require(
        PolicySettings(
          name: kind.name, senses: [.motion, .cells], seed: 3, timeout: 90, hotStart: 7,
          receiverHold: 60
        ).policy)
      #expect(policy.name == kind.name)
      #expect(policy.settings.policy == policy)
      #expect((policy.interval != nil) == kind.hasInterval)
      #expect(policy.strategy.usesReceiver == (kind.positions == .receiver))
    }
    #expect(Set(PolicyKind.all.map(\.name)).count == PolicyKind.all.count)
  }

  /// Policies as a snapshot has them.
  private static let written: [(String, String, Int64)] = [
    (#"{"ios":{"_0":{"isAsking":true,"retryAt":{"microseconds":5}}}}"#, "ios", 5),
    (#"{"ownTracks":{"_0":{"next":{"microseconds":6}}}}"#, "owntracks-significant", 6),
    (
      #"""
      {"periodic":{"_0":{"interval":300,"timeout":60,"accuracy":100,
        "phase":{"session":{"until":{"microseconds":7},"next":{"microseconds":90}}}}}}
      """#, "periodic", 7
    ),
    (
      #"""
      {"receiver":{"_0":{"interval":300,"timeout":60,"accuracy":100,
        "phase":{"session":{"until":{"microseconds":8}}}}}}
      """#, "receiver", 8
    ),
  ]

  @Test("A written policy is read, and written as it was", arguments: written)
  func stored(text: String, name: String, deadline: Int64) throws {
    let data = Data(text.utf8)
    let policy = try JSONDecoder().decode(SignificantPolicy.self, from: data)
    #expect(policy.name == name)
    #expect(policy.strategy.nextDeadline == EngineInstant(microseconds: deadline))
    let again = try JSONSerialization.jsonObject(with: JSONEncoder().encode(policy))
    #expect(
      try again as? NSDictionary == JSONSerialization.jsonObject(with: data) as? NSDictionary)
  }

  @Test("An interval that is none of the policy's, or none at all, is refused")
  func requests() {
    #expect(throws: PolicyRequest.Trouble.unknown) { try PolicyRequest("often") }
    #expect(throws: PolicyRequest.Trouble.hasNoInterval("ios")) { try PolicyRequest("ios=5") }
    for text in ["periodic=", "periodic=0.5", "periodic=86401", "periodic=1=2", "receiver=nan"] {
      #expect(throws: PolicyRequest.Trouble.interval) { try PolicyRequest(text) }
    }
    #expect((try? PolicyRequest("periodic=86400"))?.interval == 86_400)
  }
}
