// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import DaemonRuntime

@Suite("Crashes: pauses that double, then a hold")
struct CrashRecordTests {
  private func at(_ seconds: Double) -> EngineInstant {
    EngineInstant.zero.advanced(bySeconds: seconds)
  }

  @Test("1, 2, 4, 8 s, and held at the limit")
  func pauses() {
    var record = CrashRecord(limit: 5)
    var now = 100.0
    for pause in [1.0, 2, 4, 8] {
      record.crashed(at: at(now))
      #expect(!record.mayLaunch)
      #expect(record.relaunchAt == at(now + pause))
      let early = record.mayRelaunch(at: at(now + pause - 0.001))
      #expect(!early)
      let due = record.mayRelaunch(at: at(now + pause))
      #expect(due)
      #expect(record.mayLaunch)
      now += pause + 1
    }
    record.crashed(at: at(now))
    #expect(record.isHeld)
    #expect(!record.mayLaunch)
    #expect(record.relaunchAt == nil)
    record.release()
    #expect(record.mayLaunch)
    #expect(record.crashes.isEmpty)
  }

  @Test("A crash in ten minutes' time counts from the start")
  func forgotten() {
    var record = CrashRecord(limit: 3)
    record.crashed(at: at(0))
    record.crashed(at: at(10))
    record.crashed(at: at(611))
    #expect(!record.isHeld)
    #expect(record.relaunchAt == at(612))
  }

  @Test("A limit that is lowered holds from the next crash on; one that is raised gives more")
  func changedLimit() {
    var record = CrashRecord(limit: 5)
    for second in 0..<3 { record.crashed(at: at(Double(second))) }
    record.limit = 2
    #expect(!record.isHeld)
    record.crashed(at: at(3))
    #expect(record.isHeld)
    var patient = CrashRecord(limit: 2)
    patient.crashed(at: at(0))
    patient.limit = 3
    patient.crashed(at: at(1))
    #expect(!patient.isHeld)
  }

  @Test("The longest pause is a minute")
  func longest() {
    var record = CrashRecord(limit: 100)
    for second in 0..<20 { record.crashed(at: at(Double(second))) }
    #expect(record.relaunchAt == at(19 + 60))
  }
}
