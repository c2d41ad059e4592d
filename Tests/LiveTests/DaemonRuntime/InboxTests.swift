// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import NIOPosix
import ServiceContract
import Synchronization
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

  @Test("A turn takes all that came until it runs, in order, and none comes after the last")
  func turns() async {
    let inbox = Inbox()
    let taken = Mutex<[[String]]>([])
    @Sendable func offer(_ names: [String]) {
      for name in names { inbox.offer(.gpsd(.searching(device: name))) }
    }
    // Each turn offers on its own loop, so that the next one cannot begin meanwhile.
    let next = [["0", "1", "2"], ["last"], ["late"]]
    offer(["first"])
    await inbox.serve(on: MultiThreadedEventLoopGroup.singleton.any()) { events in
      let count = taken.withLock { taken in
        taken.append(Self.devices(events))
        return taken.count
      }
      offer(next[count - 1])
      return count < 3
    }
    #expect(taken.withLock(\.self) == [["first"], ["0", "1", "2"], ["last"]])
    #expect(Self.devices(inbox.takeNow()) == ["late"])
  }

  private static func devices(_ events: [DaemonEvent]) -> [String] {
    events.compactMap { if case .gpsd(.searching(let device)) = $0 { device } else { nil } }
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
    #expect(ServiceDocuments(.status, of: &service).statusDocument().lostEvents == 8)
  }
}
