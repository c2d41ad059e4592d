// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LocationModel
import MessageBus
import Synchronization
import Testing

@Suite(
  "Notifications on the desktop",
  .enabled(if: Bus.obstacle == nil, "\(Bus.obstacle ?? "a bus can serve")"))
struct NotifierTests {
  private final class Unshown: Sendable {
    private let entries = Mutex<[String]>([])
    var take: @Sendable (DesktopNotifier.Alert, DesktopNotifier.Failure) -> Void {
      { alert, failure in
        self.entries.withLock { $0.append("\(alert.notification.identifier): \(failure.words)") }
      }
    }
    var words: [String] { entries.withLock { $0 } }
  }

  private func alert(_ identifier: String, _ body: String, sound: String? = nil)
    -> DesktopNotifier.Alert
  {
    var notification = LocalNotification(identifier)
    notification.body = body
    notification.sound = sound
    return .init(app: "stretch", notification)
  }

  private func wait(_ what: String, until condition: () -> Bool) {
    for _ in 0..<2_000 where !condition() { poll(nil, 0, 5) }
    #expect(condition(), "waited in vain: \(what)")
  }

  @Test(
    "The server is given the app, the text and whether it sounds; the same name replaces the first")
  func shown() throws {
    let bus = try Bus()
    let desktop = try StandInDesktop(at: bus.address)
    defer { desktop.stop() }
    let unshown = Unshown()
    let notifier = DesktopNotifier(address: bus.address, unshown: unshown.take)
    notifier.show(alert("up", "Stand up", sound: "bell"))
    wait("the first one") { desktop.calls.count == 1 }
    notifier.show(alert("rain", "Rain"))
    notifier.show(alert("up", "Stand up again"))
    wait("all of them") { desktop.calls.count == 3 }
    // The stand-in numbers them from 1 on, and gives a replacement the number of the first.
    #expect(
      desktop.calls == [
        .init(app: "stretch", replaces: 0, summary: "stretch", body: "Stand up", isSilent: false),
        .init(app: "stretch", replaces: 0, summary: "stretch", body: "Rain", isSilent: true),
        .init(
          app: "stretch", replaces: 1, summary: "stretch", body: "Stand up again", isSilent: true),
      ])
    #expect(unshown.words.isEmpty)
    #expect(NotifierSurvey.taken(address: bus.address) == .shown(by: "Stand-in"))
  }

  @Test(
    "Without a server, without a bus and with a server that refuses, each is handed back with the reason"
  )
  func unshown() throws {
    let unshown = Unshown()
    let bus = try Bus()
    let notifier = DesktopNotifier(address: bus.address, unshown: unshown.take)
    notifier.show(alert("a", "A"))
    wait("no server") { unshown.words == ["a: nobody on the session bus shows notifications"] }
    #expect(
      NotifierSurvey.taken(address: bus.address)
        == .notShown("nobody on the session bus shows notifications"))
    let desktop = try StandInDesktop(at: bus.address, refusal: "no room")
    notifier.show(alert("b", "B"))
    wait("a refusal") { unshown.words.last == "b: no room" }
    desktop.stop()
    let missing = DesktopNotifier(
      address: "unix:path=/nonexistent/bus", unshown: unshown.take)
    missing.show(alert("c", "C"))
    wait("no bus") {
      unshown.words.last
        == "c: the session bus: Failed to connect to socket /nonexistent/bus: No such file or directory"
    }
  }

  @Test("A server that reads markup is given texts that it shows as they stand")
  func markup() throws {
    let bus = try Bus()
    let unshown = Unshown()
    for (capabilities, body) in [
      (["actions", "body-markup"], "1 &lt; 2 &amp; \"3\" &gt; 2"), (["body"], "1 < 2 & \"3\" > 2"),
    ] {
      let desktop = try StandInDesktop(at: bus.address, capabilities: capabilities)
      let notifier = DesktopNotifier(address: bus.address, unshown: unshown.take)
      notifier.show(alert("sum", "1 < 2 & \"3\" > 2"))
      wait("it is shown") { !desktop.calls.isEmpty }
      #expect(desktop.calls.map(\.body) == [body])
      desktop.stop()
    }
    #expect(unshown.words.isEmpty)
  }

  @Test("More than a hundred that wait are handed back")
  func bounded() throws {
    let bus = try Bus()
    let unshown = Unshown()
    // A stopped bus answers nothing.
    bus.halt()
    let notifier = DesktopNotifier(address: bus.address, unshown: unshown.take)
    for number in 1...110 { notifier.show(alert("\(number)", "")) }
    #expect(unshown.words.count == 10)
    #expect(unshown.words.last == "110: 100 others wait to be shown")
    bus.stop()
    wait("all of them") { unshown.words.count == 110 }
  }
}
