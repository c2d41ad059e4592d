// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import Replay

@Suite("What a run counts")
struct CountersTests {
  @Test("Each outcome of a judgement has a place of its own, in the order of the list")
  func outcomes() {
    #expect(Verdict.Outcome.allCases.map(\.index) == Array(Counters().verdicts.indices))
  }
}
