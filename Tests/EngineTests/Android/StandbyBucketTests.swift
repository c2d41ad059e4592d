// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import LocationEngine

@Suite("Standby buckets")
struct StandbyBucketTests {
  // developer.android.com, power details: both of its versions.
  @Test("Jobs and alarms have the documented quotas")
  func quotas() {
    func jobs(_ bucket: StandbyBucket, _ release: AndroidRelease) -> String {
      bucket.jobs(in: release).map { "\(Int($0.amount / 60)) min in \(Int($0.window / 3_600)) h" }
        ?? "no limit"
    }
    #expect(StandbyBucket.allCases.allSatisfy { jobs($0, .android8) == "no limit" })
    #expect(jobs(.active, .android14) == "no limit")
    #expect(jobs(.active, .android16) == "20 min in 1 h")
    #expect(jobs(.workingSet, .android12) == "10 min in 2 h")
    #expect(jobs(.workingSet, .android14) == "10 min in 4 h")
    #expect(jobs(.frequent, .android12) == "10 min in 8 h")
    #expect(jobs(.frequent, .android14) == "10 min in 12 h")
    #expect(jobs(.rare, .android14) == "10 min in 24 h")
    func alarms(_ bucket: StandbyBucket) -> Double? { bucket.alarms(in: .android14)?.amount }
    #expect(alarms(.active) == nil)
    #expect([.workingSet, .frequent, .rare].map { alarms($0) } == [10, 2, 1])
    #expect(StandbyBucket.restricted.alarms(in: .android14)?.window == 86_400)
  }

  @Test("A quota is free again when its oldest use leaves the window")
  func window() {
    let start = EngineInstant.zero
    func at(_ seconds: Double) -> EngineInstant { start.advanced(bySeconds: seconds) }
    var ledger = QuotaLedger()
    let quota = BucketQuota(amount: 2, window: 3_600)
    #expect(ledger.allows(quota, at: start) == start)
    ledger.used(1, at: at(0))
    ledger.used(1, at: at(600))
    #expect(ledger.allows(quota, at: at(700)) == at(3_600))
    #expect(ledger.allows(quota, at: at(3_600)) == at(3_600))
    #expect(ledger.allows(nil, at: at(700)) == at(700))
  }
}
