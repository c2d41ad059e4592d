// SPDX-License-Identifier: Apache-2.0

import LocationClientReplay
import LocationModel
import Testing

@testable import BackgroundExecution

/// The notifications presented to an app while it is active.
private final class Presenter: NSObject, UNUserNotificationCenterDelegate {
  var presented: [String] = []

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler:
      @escaping @Sendable (UNNotificationPresentationOptions) -> Void
  ) {
    let content = notification.request.content
    presented.append(
      "\(notification.request.identifier): \(content.title), \(content.body), "
        + "\(content.userInfo["shop"] ?? "nothing")")
    completionHandler([.banner])
  }
}

@Suite("Notifications in the words of UserNotifications")
struct UserNotificationTests {
  private func content(_ title: String, _ body: String = "") -> UNMutableNotificationContent {
    let content = UNMutableNotificationContent()
    content.title = title
    content.body = body
    return content
  }

  @Test(
    "One that is due in front is presented with all of its content; away its user is alerted, where he lets it"
  )
  func presented() throws {
    for allows in [true, false] {
      var trace = try ReplayedTrace(Traces.path("walk.nmea"))
      trace.allowsNotifications = allows
      trace.background(after: 30)
      let account = try trace.run { _ in
        let presenter = Presenter()
        let center = UNUserNotificationCenter.current()
        center.delegate = presenter
        let milk = content("Milk", "two bottles")
        milk.userInfo = ["shop": "corner"]
        center.add(
          UNNotificationRequest(
            identifier: "milk", content: milk,
            trigger: UNTimeIntervalNotificationTrigger(timeInterval: 10, repeats: false)))
        center.add(
          UNNotificationRequest(
            identifier: "away", content: content("Bread"),
            trigger: UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true)))
        return presenter
      }
      #expect(account.lives[0].presented == ["milk: Milk, two bottles, corner"])
      let first = account.notifications.prefix(2)
      #expect(first.map(\.body) == ["Milk\ntwo bottles", "Bread"])
      #expect(first.map(\.fate) == [.handedOver, allows ? .alerted : .notAllowed])
      // Each minute of the trace's 40.
      #expect(account.notifications.filter { $0.body == "Bread" }.count > 30)
    }
  }

  private static func utc(_ text: String) throws -> Date {
    try Date(text, strategy: .iso8601)
  }

  private func value(
    _ trigger: UNNotificationTrigger?, at now: String = "2026-05-04T10:00:00Z"
  ) throws -> (due: Date?, repeats: String?) {
    let request = UNNotificationRequest(
      identifier: "a", content: content("a"), trigger: trigger)
    let value = try request.value(now: Self.utc(now))
    return (
      value.fire.map { Date(timeIntervalSince1970: Double($0.microseconds) / 1e6) },
      value.repeats?.rawValue
    )
  }

  @Test(
    "A trigger of the calendar is due at the next such date of its zone, and repeats by the unit above"
  )
  func calendar() throws {
    var components = DateComponents()
    components.timeZone = TimeZone(identifier: "Europe/Berlin")
    // 10:00 UTC is noon in Berlin.
    components.hour = 8
    components.minute = 30
    let daily = try value(UNCalendarNotificationTrigger(dateMatching: components, repeats: true))
    #expect(daily.due == (try Self.utc("2026-05-05T06:30:00Z")) && daily.repeats == "day")
    // 4 May 2026 is a Monday; 1 is Sunday.
    components.weekday = 1
    let weekly = try value(UNCalendarNotificationTrigger(dateMatching: components, repeats: true))
    #expect(weekly.due == (try Self.utc("2026-05-10T06:30:00Z")) && weekly.repeats == "week")
    components.weekday = nil
    components.day = 1
    let monthly = try value(UNCalendarNotificationTrigger(dateMatching: components, repeats: true))
    #expect(monthly.due == (try Self.utc("2026-06-01T06:30:00Z")) && monthly.repeats == "month")
    components.month = 3
    let yearly = try value(UNCalendarNotificationTrigger(dateMatching: components, repeats: false))
    // In March Berlin is an hour ahead.
    #expect(yearly.due == (try Self.utc("2027-03-01T07:30:00Z")) && yearly.repeats == nil)
    let now = try value(nil)
    #expect(now.due == nil && now.repeats == nil)
  }

  @Test(
    "What can never be due, or repeats by no unit of the calendar, is an error that says what to write"
  )
  func errors() {
    var past = DateComponents()
    (past.year, past.month) = (2020, 1)
    let never = UNTimeIntervalNotificationTrigger(timeInterval: 0, repeats: false)
    let odd = UNTimeIntervalNotificationTrigger(timeInterval: 90, repeats: true)
    let gone = UNCalendarNotificationTrigger(dateMatching: past, repeats: false)
    let (first, second, third, fourth) = (
      error(content("a"), never), error(content("a"), odd), error(content("a"), gone),
      error(content(String(repeating: "a", count: 5_000)), nil)
    )
    #expect(first == "UNErrorDomain 1401: timeInterval is 0.0; write more than 0 seconds")
    #expect(
      second
        == "UNErrorDomain 1401: a notification cannot repeat every 90.0 s; write 60, 3600, 86400 or 604800"
    )
    #expect(third.hasPrefix("UNErrorDomain 1401: no date to come is "))
    #expect(fourth.hasPrefix("UNErrorDomain 1402: the content of a notification has "))
  }

  private func error(_ content: UNNotificationContent, _ trigger: UNNotificationTrigger?) -> String
  {
    let request = UNNotificationRequest(identifier: "a", content: content, trigger: trigger)
    do {
      return "\(try request.value(now: Self.utc("2026-05-04T10:00:00Z")))"
    } catch {
      return
        "\((error as NSError).domain) \((error as NSError).code): \(error.localizedDescription)"
    }
  }

  @Test(
    "Those to come are listed whole, and removed one by one or all; who asks for permission hears what is so"
  )
  func pending() async throws {
    var trace = try ReplayedTrace(Traces.path("walk.nmea"))
    trace.allowsNotifications = true
    let heard = Heard()
    _ = try await trace.run { _ in
      let center = UNUserNotificationCenter.current()
      let isGranted = try? await center.requestAuthorization(options: [.alert, .badge])
      await heard.add("granted \(isGranted == true)")
      for name in ["a", "b", "c"] {
        let content = UNMutableNotificationContent()
        content.title = name.uppercased()
        content.badge = 3
        try? await center.add(
          UNNotificationRequest(
            identifier: name, content: content,
            trigger: UNTimeIntervalNotificationTrigger(timeInterval: 86_400, repeats: true)))
      }
      center.removePendingNotificationRequests(withIdentifiers: ["b"])
      for request in await center.pendingNotificationRequests() {
        await heard.add(
          "\(request.identifier) \(request.content.title) \(request.content.badge ?? 0) "
            + "\(request.trigger?.repeats == true)")
      }
      center.removeAllPendingNotificationRequests()
      await heard.add("\(await center.pendingNotificationRequests().count) left")
    }
    #expect(await heard.lines == ["granted true", "a A 3 true", "c C 3 true", "0 left"])
  }
}

/// The messages of an asynchronous app.
private actor Heard {
  private(set) var lines: [String] = []

  func add(_ line: String) { lines.append(line) }
}
