// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("The host's clock is set")
struct ClockStepTests {
  private static let client = ClientID(7)

  private static func time(_ at: Double, _ utc: Double) -> ServiceTime {
    ServiceTime(
      at: .zero.advanced(bySeconds: at), utc: UTCInstant(microseconds: 0).advanced(bySeconds: utc))
  }

  private static func status(_ stage: inout Stage) throws -> StatusDocument {
    stage.say(.status)
    let documents = stage.take().compactMap { effect -> String? in
      if case .send(.document(let json), _, _) = effect { json } else { nil }
    }
    return try StatusDocument(json: try #require(documents.last))
  }

  @Test(
    "A clock that runs a tenth too fast is being put right; one that leaps was set",
    arguments: [
      (10.0, 10.0, nil), (10, 11.9, nil), (10, 12.1, 2.1), (10, 8.1, nil), (10, 7.9, -2.1),
      (3_600, 3_960, nil), (3_600, 3_962, 362), (0, -3_600, -3_600), (0, 0.9, nil),
    ] as [(Double, Double, Double?)])
  func threshold(elapsed: Double, shown: Double, step: Double?) throws {
    let found = ClockStep(from: Self.time(100, 5_000), to: Self.time(100 + elapsed, 5_000 + shown))
    #expect((found == nil) == (step == nil))
    if let found, let step { #expect(abs(found.seconds - step) < 1e-6) }
  }

  @Test("It is said which way and by how much, once")
  func words() {
    var stage = Stage()
    stage.pass(60)
    stage.now.utc = stage.now.utc.advanced(bySeconds: 7_200)
    stage.tell(.timePassed)
    stage.pass(60)
    stage.tell(.timePassed)
    // 1,800,000,000 s after 1970 is 2027-01-15T08:00:00Z (date -u -d @1800000000).
    #expect(
      stage.changes.flatMap(\.log).filter { $0.kind == "clock" }.map(\.text) == [
        "the machine's clock was set forward by 2 h: from 2027-01-15T08:01:00.000Z to "
          + "2027-01-15T10:01:00.000Z"
      ])
    stage.now.utc = stage.now.utc.advanced(bySeconds: -90)
    stage.tell(.timePassed)
    #expect(
      stage.changes.flatMap(\.log).last?.text
        == "the machine's clock was set back by 90 s: from 2027-01-15T10:02:00.000Z to "
        + "2027-01-15T10:00:30.000Z")
  }

  @Test(
    "A notification comes when the clock says so, also where that was set on an idle machine",
    arguments: [7_200.0, -7_200])
  func notification(step: Double) {
    var stage = Stage.running([], in: .ios4, as: Self.client)
    var notification = LocalNotification("stretch")
    notification.fire = stage.now.utc.advanced(bySeconds: 10_800)
    stage.say(.schedule(notification), as: Self.client)
    stage.pass(60)
    _ = stage.take()
    // The shell's reaction when the kernel reports that the clock was set.
    stage.now.utc = stage.now.utc.advanced(bySeconds: step)
    stage.tell(.timePassed)
    let left = 10_800 - 60 - step
    stage.pass(left - 1)
    #expect(!stage.take().contains(.send(.notification(notification), to: Self.client)))
    stage.pass(1)
    #expect(stage.take().contains(.send(.notification(notification), to: Self.client)))
  }

  @Test("What status says of the present is by the clock's new reading, and can be read")
  func status() throws {
    for step in [-3_600.0, 3_600, -1.8e9, 2e9] {
      var stage = Stage()
      stage.pass(100)
      stage.fix()
      stage.pass(20)
      stage.now.utc = stage.now.utc.advanced(bySeconds: step)
      stage.tell(.timePassed)
      let status = try Self.status(&stage)
      #expect(status.since == stage.now.utc.advanced(bySeconds: -120))
      #expect(status.uptime == 120)
      #expect(status.lastFix?.age == 20)
      #expect(status.lastFix?.received == stage.now.utc.advanced(bySeconds: -20))
    }
  }

  @Test(
    "A clock that is wrong for a minute forgets nothing; one that stays so is believed after an hour"
  )
  func retention() throws {
    var stage = Stage { $0.keepsFor = 7 * 86_400 }
    stage.pass(7_200)
    stage.tell(.timePassed)
    func expiries() -> Int { stage.changes.flatMap(\.expiredLogs).count }
    let before = expiries()
    stage.now.utc = stage.now.utc.advanced(bySeconds: 30 * 86_400)
    stage.tell(.timePassed)
    stage.pass(60)
    stage.now.utc = stage.now.utc.advanced(bySeconds: -30 * 86_400)
    stage.tell(.timePassed)
    #expect(expiries() == before)
    stage.now.utc = stage.now.utc.advanced(bySeconds: 30 * 86_400)
    stage.tell(.timePassed)
    stage.pass(3_599)
    stage.tell(.timePassed)
    #expect(expiries() == before)
    stage.pass(1)
    stage.tell(.timePassed)
    #expect(expiries() > before)
  }

  @Test("What is too old goes also where the clock is put right by some seconds all day")
  func smallSteps() throws {
    var stage = Stage { $0.keepsFor = 7 * 86_400 }
    func expiries() -> Int { stage.changes.flatMap(\.expiredLogs).count }
    let before = expiries()
    for _ in 0..<5 {
      stage.pass(1_800)
      stage.now.utc = stage.now.utc.advanced(bySeconds: 300)
      stage.tell(.timePassed)
    }
    #expect(expiries() > before)
  }
}
