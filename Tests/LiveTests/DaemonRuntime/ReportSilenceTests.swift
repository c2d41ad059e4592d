// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceCore
import Testing

@Suite("A receiver that falls silent is noticed, once")
struct ReportSilenceTests {
  private func at(_ seconds: Double) -> EngineInstant {
    EngineInstant.zero.advanced(bySeconds: seconds)
  }

  @Test("Ten seconds without a report; the next report ends it")
  func once() {
    var silence = ReportSilence()
    #expect(silence.deadline == nil)
    silence.began(at: at(100))
    #expect(silence.deadline == at(110))
    #expect(silence.heard(at: at(103)) == false)
    #expect(silence.heard(at: at(104)) == false)
    #expect(silence.passed(to: at(113)) == nil)
    #expect(silence.deadline == at(114))
    #expect(silence.passed(to: at(114.5)) == 10.5)
    #expect(silence.isSilent)
    #expect(silence.deadline == nil)
    #expect(silence.passed(to: at(200)) == nil)
    #expect(silence.heard(at: at(200)) == true)
    #expect(!silence.isSilent)
  }

  @Test("A receiver that takes its time is known after once; a long loss counts for a minute")
  func slow() {
    var silence = ReportSilence()
    silence.began(at: at(0))
    #expect(silence.heard(at: at(5)) == false)
    #expect(silence.passed(to: at(15)) == 10)
    #expect(silence.heard(at: at(25)) == true)
    // Three pauses of 20 s.
    #expect(silence.deadline == at(85))
    #expect(silence.passed(to: at(85)) == 60)
    #expect(silence.heard(at: at(4_000)) == true)
    #expect(silence.deadline == at(4_180))
  }

  @Test("Nobody asks: nothing is missing; the wait for the first report is no pause")
  func unasked() {
    var silence = ReportSilence()
    silence.began(at: at(0))
    #expect(silence.heard(at: at(9)) == false)
    #expect(silence.deadline == at(19))
    silence.ended()
    #expect(silence.deadline == nil)
    #expect(silence.passed(to: at(1_000)) == nil)
    silence.began(at: at(1_000))
    #expect(silence.deadline == at(1_010))
  }
}
