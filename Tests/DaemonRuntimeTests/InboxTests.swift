// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import Settings
import Testing

@testable import DaemonRuntime
@testable import ServiceCore

@Suite("What is too much for the daemon is told")
struct InboxTests {
  @Test("A full inbox refuses what comes again, takes what ends, and says behind it what is lost")
  func full() {
    let inbox = Inbox()
    let event = DaemonEvent.gpsd(.searching(device: "a"))
    for _ in 0..<Inbox.limit { #expect(inbox.offer(event)) }
    #expect(!inbox.offer(event))
    #expect(!inbox.offer(event))
    #expect(!inbox.offer(.client(.message(ClientID(1), .status, id: nil))))
    #expect(!inbox.offer(.service(.sink(.asks(AppID(1), .reportLocation)))))
    #expect(inbox.offer(.client(.disconnected(ClientID(1)))))
    let all = inbox.takeNow()
    #expect(all.count == Inbox.limit + 4)
    #expect(
      Self.losses(all) == [
        .refused(.gpsd, count: 2), .refused(.client, count: 1), .refused(.sink, count: 1),
      ])
    // Reported once.
    inbox.offer(event)
    #expect(Self.losses(inbox.takeNow()) == [])
  }

  @Test("A waiting daemon takes all that came until it runs, in one batch and in order")
  @MainActor
  func together() async {
    let inbox = Inbox()
    let daemon = Task { @MainActor in await inbox.take() }
    await Task.yield()
    // Nothing else runs on this actor meanwhile.
    for number in 0..<40 { inbox.offer(.gpsd(.searching(device: String(number)))) }
    let devices = await daemon.value.compactMap { event in
      if case .gpsd(.searching(let device)) = event { device } else { nil }
    }
    #expect(devices == (0..<40).map(String.init))
    #expect(inbox.takeNow().isEmpty)
  }

  static func losses(_ events: [DaemonEvent]) -> [ServiceInput] {
    events.compactMap { if case .service(let input) = $0 { input } else { nil } }
  }

  @Test("The service says it once for each kind, and status counts on")
  func told() throws {
    let time = ServiceTime(at: .zero, utc: .epoch)
    var service = LocationService(
      ServiceBeginning(
        settings: try DaemonConfiguration().settings(release: "0"),
        host: ServiceHost(
          pid: 1, boot: "", socketPath: "", storePath: "", hasStore: false, freezer: "none"),
        clock: EngineClock(continuing: nil, boot: "", bootClock: 0, utc: .epoch)), at: time)
    for count in [3, 4] { service.handle(.refused(.gpsd, count: count), at: time) }
    service.handle(.refused(.modem, count: 1), at: time)
    guard let decision = service.decide() else {
      Issue.record("nothing was decided")
      return
    }
    let lines = service.effects(of: decision, after: .noStore).compactMap { effect in
      if case .log(.warning, let text) = effect { text } else { nil }
    }
    #expect(
      lines == [
        "3 events of gpsd lost, since too many events waited: this machine does not keep up; "
          + "status counts on",
        "1 cell of the modem lost, since too many events waited: this machine does not keep up; "
          + "status counts on",
      ])
    #expect(service.statusDocument().lostEvents == 8)
  }
}
