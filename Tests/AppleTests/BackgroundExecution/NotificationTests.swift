// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import BackgroundExecution

@Suite("A notification, and the zone whose calendar it keeps to")
struct NotificationTests {
  private func instant(_ text: String) throws -> UTCInstant {
    UTCInstant(try Date(text, strategy: .iso8601))
  }

  private func offsets(_ name: String, from text: String) throws -> [(from: String, seconds: Int)] {
    let zone = try #require(TimeZone(identifier: name))
    let start = try Date(text, strategy: .iso8601)
    return CivilZone(zone, from: start, now: start).offsets.map {
      (Date($0.from).ISO8601Format(), $0.seconds)
    }
  }

  // The European Union changes its clocks at 01:00 UTC on the last Sundays of March and October (directive
  // 2000/84/EC), the United States at 02:00 local time on the second Sunday of March and the first of
  // November (Energy Policy Act of 2005).
  @Test("Summer time begins and ends on its days, to the second, for ten years")
  func summerTime() throws {
    let berlin = try offsets("Europe/Berlin", from: "2026-01-15T12:00:00Z")
    #expect(berlin.map(\.seconds).prefix(4) == [3_600, 7_200, 3_600, 7_200])
    #expect(
      berlin.map(\.from).prefix(4) == [
        "2026-01-15T12:00:00Z", "2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z",
        "2027-03-28T01:00:00Z",
      ])
    // Two a year from 2026 to 2035, and the beginning.
    #expect(berlin.count == 21)
    let newYork = try offsets("America/New_York", from: "2026-06-01T00:00:00Z")
    #expect(newYork.map(\.seconds).prefix(3) == [-14_400, -18_000, -14_400])
    #expect(
      newYork.map(\.from).prefix(3) == [
        "2026-06-01T00:00:00Z", "2026-11-01T06:00:00Z", "2027-03-14T07:00:00Z",
      ])
  }

  @Test("A zone without summer time has one offset; India is 5 h 30 min ahead")
  func noSummerTime() throws {
    let kolkata = try offsets("Asia/Kolkata", from: "2026-01-15T12:00:00Z")
    #expect(kolkata.map(\.seconds) == [19_800])
  }

  @Test("A fire date in the distant past begins ten years back")
  func distantPast() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let now = try Date("2026-01-15T12:00:00Z", strategy: .iso8601)
    let written = CivilZone(zone, from: .distantPast, now: now)
    #expect(written.offsets.count == 41)
    #expect(Date(written.offsets[0].from).ISO8601Format() == "2016-01-16T00:00:00Z")
  }

  private func value(_ notification: UILocalNotification) throws -> (LocalNotification, [String]) {
    var said: [String] = []
    let now = try Date("2026-01-15T12:00:00Z", strategy: .iso8601)
    return (notification.value(now: now) { said.append($0) }, said)
  }

  @Test("A date that is no number is none; one beyond all years is the last or first that there is")
  func strangeDates() throws {
    let notification = UILocalNotification()
    notification.timeZone = TimeZone(identifier: "Europe/Berlin")
    notification.fireDate = Date(timeIntervalSince1970: .nan)
    #expect(try value(notification).0.fire == nil)
    notification.fireDate = Date(timeIntervalSince1970: .infinity)
    // 10¹² s, in microseconds.
    #expect(try value(notification).0.fire?.microseconds == 1_000_000_000_000_000_000)
    notification.fireDate = Date(timeIntervalSince1970: -.infinity)
    #expect(try value(notification).0.fire?.microseconds == -1_000_000_000_000_000_000)
  }

  @Test("What is set goes to the service; what is not set leaves things as they are")
  func fields() throws {
    let notification = UILocalNotification()
    let (empty, _) = try value(notification)
    #expect(empty == LocalNotification(notification.name))
    notification.fireDate = try Date("2026-02-01T08:30:00Z", strategy: .iso8601)
    notification.timeZone = TimeZone(identifier: "Europe/Berlin")
    notification.repeatInterval = .weekOfYear
    notification.alertBody = "The bins"
    notification.soundName = UILocalNotificationDefaultSoundName
    notification.applicationIconBadgeNumber = 3
    notification.userInfo = ["bin": "blue", "count": 2]
    let (full, said) = try value(notification)
    #expect(said == [])
    #expect(full.fire == (try instant("2026-02-01T08:30:00Z")))
    #expect(full.zone?.name == "Europe/Berlin")
    #expect(full.repeats == .week)
    #expect(full.body == "The bins")
    #expect(full.sound == "UILocalNotificationDefaultSoundName")
    #expect(full.badge == 3)
    // And back, as the app receives it.
    let back = UILocalNotification(full)
    #expect(back.fireDate == notification.fireDate)
    #expect(back.timeZone == notification.timeZone)
    #expect(back.repeatInterval == .weekOfYear)
    #expect(back.userInfo?["bin"] as? String == "blue")
    #expect(back.userInfo?["count"] as? Int == 2)
    let copy = try #require(notification.copy() as? UILocalNotification)
    #expect(try value(copy).0 == full)
  }

  @Test("A unit that nothing is repeated by is said, and it comes once")
  func unit() throws {
    let notification = UILocalNotification()
    notification.repeatInterval = .second
    let (once, said) = try value(notification)
    #expect(once.repeats == nil)
    #expect(
      said == [
        "milepost: the repeatInterval of a notification is \(NSCalendar.Unit.second.rawValue), and it is "
          + "not repeated; write one of .minute, .hour, .day, .weekOfYear, .month, .year"
      ])
  }

  @Test("What cannot be handed back is left out and said")
  func userInfo() throws {
    let notification = UILocalNotification()
    notification.userInfo = ["self": notification]
    let (first, said) = try value(notification)
    #expect(first.userInfo == nil)
    #expect(
      said == [
        "milepost: the userInfo of a notification is left out, since it is no property list; use strings, "
          + "numbers, dates, data, arrays and dictionaries with strings as keys"
      ])
    notification.userInfo = ["text": String(repeating: "x", count: 5_000)]
    let (second, saidLonger) = try value(notification)
    #expect(second.userInfo == nil)
    #expect(saidLonger.count == 1)
    #expect(saidLonger[0].hasSuffix("bytes as a property list; it may have 4096"))
  }

  @Test("A text is cut at 4,096 bytes, in whole characters")
  func longText() throws {
    let notification = UILocalNotification()
    // Three bytes each: 1,365 of them are 4,095 bytes.
    notification.alertBody = String(repeating: "€", count: 2_000)
    #expect(try value(notification).0.body.count == 1_365)
  }
}
