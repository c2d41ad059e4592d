// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

private func utc(_ text: String) -> UTCInstant {
  RFC3339.parse(text)?.instant ?? .epoch
}

/// Summer time of Berlin in 2026: from 29 March, 01:00 UTC, to 25 October, 01:00 UTC.
private let berlin = CivilZone(
  name: "Europe/Berlin",
  offsets: [
    .init(from: .epoch, seconds: 3_600), .init(from: utc("2026-03-29T01:00:00Z"), seconds: 7_200),
    .init(from: utc("2026-10-25T01:00:00Z"), seconds: 3_600),
  ])

@Suite("Local notifications")
struct NotificationTests {
  /// The times, up to `end`, at which a notification is due.
  private func times(
    _ fire: String, _ unit: CalendarUnit?, in zone: CivilZone?, until end: String
  ) -> [String] {
    var stage = Stage()
    var rules = EngineRules()
    rules.era = .ios4
    stage = Stage(rules: rules)
    stage.leave(modes: [], asking: [])
    stage.app(.woken(.location))
    var notification = LocalNotification("n", fire: utc(fire))
    notification.zone = zone
    notification.repeats = unit
    stage.app(.schedule(notification, at: utc(fire).advanced(bySeconds: -1)))
    var times: [String] = []
    while let next = stage.engine.nextNotification, next <= utc(end) {
      stage.tell(.utc(next))
      times.append(String(next.rfc3339.prefix(16)))
    }
    return times
  }

  @Test("A daily one comes at the same reading of the clock, over both changes of summer time")
  func daily() {
    #expect(
      times("2026-03-27T06:30:00Z", .day, in: berlin, until: "2026-03-30T23:00:00Z")
        == ["2026-03-27T06:30", "2026-03-28T06:30", "2026-03-29T05:30", "2026-03-30T05:30"])
    #expect(
      times("2026-10-24T05:30:00Z", .day, in: berlin, until: "2026-10-26T23:00:00Z")
        == ["2026-10-24T05:30", "2026-10-25T06:30", "2026-10-26T06:30"])
  }

  @Test(
    "A reading that summer time skips comes an hour later; of one that comes twice the first counts"
  )
  func skipped() {
    // 02:30 of Berlin.
    #expect(
      times("2026-03-28T01:30:00Z", .day, in: berlin, until: "2026-03-30T23:00:00Z")
        == ["2026-03-28T01:30", "2026-03-29T01:30", "2026-03-30T00:30"])
    #expect(
      times("2026-10-24T00:30:00Z", .day, in: berlin, until: "2026-10-26T23:00:00Z")
        == ["2026-10-24T00:30", "2026-10-25T00:30", "2026-10-26T01:30"])
  }

  @Test("A monthly one of the 31st comes on the last day of shorter months, and on the 31st again")
  func monthly() {
    #expect(
      times("2026-01-31T12:00:00Z", .month, in: nil, until: "2026-06-01T00:00:00Z")
        == [
          "2026-01-31T12:00", "2026-02-28T12:00", "2026-03-31T12:00", "2026-04-30T12:00",
          "2026-05-31T12:00",
        ])
    #expect(
      times("2024-02-29T12:00:00Z", .year, in: nil, until: "2028-03-01T00:00:00Z").last
        == "2028-02-29T12:00")
  }

  @Test("Weeks, hours and minutes are what they are; one that does not repeat comes once")
  func others() {
    #expect(
      times("2026-03-27T06:30:00Z", .week, in: berlin, until: "2026-04-05T00:00:00Z")
        == ["2026-03-27T06:30", "2026-04-03T05:30"])
    #expect(
      times("2026-03-29T00:30:00Z", .hour, in: berlin, until: "2026-03-29T02:40:00Z")
        == ["2026-03-29T00:30", "2026-03-29T01:30", "2026-03-29T02:30"])
    #expect(
      times("2026-03-29T00:30:00Z", nil, in: berlin, until: "2030-01-01T00:00:00Z").count == 1)
  }

  @Test("What was missed comes once, not once for each time, whatever time went by")
  func missed() {
    var stage = Stage()
    var rules = EngineRules()
    rules.era = .ios4
    stage = Stage(rules: rules)
    stage.leave(modes: [], asking: [])
    stage.app(.woken(.location))
    var notification = LocalNotification("n", fire: utc("1970-01-01T00:00:00Z"))
    notification.repeats = .minute
    stage.app(.schedule(notification, at: utc("2026-03-29T00:30:30Z")))
    let given = stage.log.filter { if case .notify = $0 { true } else { false } }
    #expect(given == [.notify(AppID(1), notification, .alerted)])
    #expect(stage.engine.nextNotification == utc("2026-03-29T00:31:00Z"))
  }

  @Test(
    "An active app is handed it; else its user is alerted, in eras that ask only with permission")
  func fate() {
    for (era, mayNotify, isActive, fate) in [
      (Era.ios4, false, false, NotificationFate.alerted), (.today, false, false, .notAllowed),
      (.today, true, false, .alerted), (.today, false, true, .handedOver),
    ] {
      var rules = EngineRules()
      rules.era = era
      var stage = Stage(rules: rules)
      var declaration = AppDeclaration()
      declaration.mayNotify = mayNotify
      stage.app(.registered(declaration))
      stage.app(.launched)
      let notification = LocalNotification("n", fire: utc("2026-03-29T00:30:00Z"))
      stage.app(.schedule(notification, at: utc("2026-03-29T00:00:00Z")))
      if !isActive { stage.app(.enteredBackground) }
      let commands = stage.tell(.utc(utc("2026-03-29T00:30:00Z")))
      #expect(commands == [.notify(AppID(1), notification, fate)])
      #expect(stage.engine.nextNotification == nil)
    }
  }

  @Test("128 can be scheduled, and the next one is refused; one of the same name takes its place")
  func limit() {
    var stage = Stage()
    stage.leave(modes: [], asking: [])
    stage.app(.woken(.location))
    let fire = utc("2026-03-29T00:30:00Z")
    func add(_ name: String, at seconds: Double = 0) -> [EngineCommand] {
      stage.app(
        .schedule(
          LocalNotification(name, fire: fire.advanced(bySeconds: seconds)),
          at: utc("2026-03-29T00:00:00Z")))
    }
    for number in 0..<128 { #expect(add("\(number)").isEmpty) }
    #expect(
      add("more") == [.notify(AppID(1), LocalNotification("more", fire: fire), .noRoom)])
    #expect(add("5", at: -60).isEmpty)
    #expect(stage.engine.nextNotification == fire.advanced(bySeconds: -60))
    #expect(stage.engine.notificationSchedule(of: AppID(1)).all.count == 128)
    stage.app(.cancelNotification("5"))
    #expect(stage.engine.nextNotification == fire)
    stage.app(.cancelNotification(nil))
    #expect(stage.engine.nextNotification == nil)
  }

  @Test("They outlive their process, and wake nobody")
  func outlive() {
    var rules = EngineRules()
    rules.era = .ios4
    var stage = Stage(rules: rules)
    stage.leave(modes: [], asking: [])
    stage.app(.woken(.location))
    let notification = LocalNotification("n", fire: utc("2026-03-29T00:30:00Z"))
    stage.app(.schedule(notification, at: .epoch))
    stage.app(.exited)
    #expect(
      stage.tell(.utc(utc("2026-03-29T00:30:00Z")))
        == [.notify(AppID(1), notification, .alerted)])
    #expect(stage.engine.state(of: AppID(1)) == .notRunning)
    #expect(stage.engine.nextNotification == nil)
  }
}
