// SPDX-License-Identifier: Apache-2.0

/// A phone without its past.
package struct AndroidSituation: Sendable, Hashable {
  struct Once: Sendable, Hashable {
    let priority: FusedPriority
    let seconds: Double
  }
  struct App: Sendable, Hashable {
    let life: AndroidApp
    let bucket: StandbyBucket
    let request: FusedRequest?
    let sinceTold: Double?
    let kept: Int
    let until: Double?
    let once: Once?
    let turns: [WorkTurn]
    let jobs: QuotaLedger
    let alarms: QuotaLedger
  }
  let doze: Doze
  let isSaving: Bool
  let apps: [App]
}
