// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel
import Testing

@testable import LocationEngine

// The state of the policy as written by release 0.1, without the parts that were never read again: whereabouts,
// outlook, motion, stroll, progress and the like.

@Suite("The policy milepost of release 0.1, read by this one")
struct MilepostUpgradeTests {
  private func read(phase: String) throws -> SignificantPolicy {
    let state = #"""
      {"milepost":{"_0":{"cellChanges":0,"failures":0,"memory":{"logMedian":2.25,"timeout":180},
      "phase":\#(phase),"receiverHold":60,"senses":3,"vain":2}}}
      """#
    return try JSONDecoder().decode(SignificantPolicy.self, from: Data(state.utf8))
  }

  @Test("What it learnt of the receiver is kept, and it looks at once")
  func rests() throws {
    var policy = try read(phase: #"{"resting":{"_0":{"microseconds":7200000000}}}"#)
    #expect(policy.settings.senses == [.motion, .cells])
    #expect(policy.settings.receiverHold == 60)
    #expect(policy.settings.timeout == 180)
    #expect(policy.settings.hotStart == 2.25)
    #expect(!policy.strategy.wantsSession)
    let now = EngineInstant.zero.advanced(bySeconds: 5_000)
    #expect(policy.strategy.nextDeadline.map { $0 <= now } == true)
    _ = policy.strategy.handle(event: .timePassed, at: now)
    #expect(policy.strategy.wantsSession)
  }

  @Test("Where nobody monitored it stands still")
  func stopped() throws {
    let policy = try read(phase: #"{"stopped":{}}"#)
    #expect(policy.strategy.nextDeadline == nil)
    #expect(!policy.strategy.wantsSession)
  }
}
