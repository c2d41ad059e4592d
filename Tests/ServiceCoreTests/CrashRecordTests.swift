// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import ServiceCore

@Suite("Crashes: pauses that double, then a hold")
struct CrashRecordTests {
  private func at(_ seconds: Double) -> EngineInstant {
    EngineInstant.zero.advanced(bySeconds: seconds)
  }

  @Test("1, 2, 4, 8 s, and held at the limit")
  func pauses() {
    var record = CrashRecord()
    var now = 100.0
    for pause in [1.0, 2, 4, 8] {
      let answer = record.crashed(at: at(now), limit: 5)
      #expect(answer == pause)
      now += pause + 1
    }
    let held = record.crashed(at: at(now), limit: 5)
    #expect(held == nil)
    record.release()
    #expect(record.crashes.isEmpty)
  }

  @Test("A crash in ten minutes' time counts from the start")
  func forgotten() {
    var record = CrashRecord()
    _ = record.crashed(at: at(0), limit: 3)
    _ = record.crashed(at: at(10), limit: 3)
    let answer = record.crashed(at: at(611), limit: 3)
    #expect(answer == 1)
  }

  @Test("A limit that is lowered holds from the next crash on; one that is raised gives more")
  func changedLimit() {
    var record = CrashRecord()
    for second in 0..<3 { _ = record.crashed(at: at(Double(second)), limit: 5) }
    let held = record.crashed(at: at(3), limit: 2)
    #expect(held == nil)
    var patient = CrashRecord()
    _ = patient.crashed(at: at(0), limit: 2)
    let answer = patient.crashed(at: at(1), limit: 3)
    #expect(answer == 2)
  }

  @Test("The longest pause is a minute")
  func longest() {
    var record = CrashRecord()
    var last: Double?
    for second in 0..<20 { last = record.crashed(at: at(Double(second)), limit: 100) }
    #expect(last == 60)
  }
}
