// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Glibc
import LocationModel
import NIOPosix
import ServiceContract
import Testing

@testable import GPSDSource

/// The source against the installed gpsd, fed over TCP.
@Suite(
  "The source with a real gpsd", .serialized,
  .enabled(if: RealGPSD.path != nil, "gpsd is not installed here"))
struct RealGPSDTests {
  func source(_ port: Int, _ log: SourceLog) -> GPSDSource {
    GPSDSource(
      .init(host: "127.0.0.1", port: port), on: MultiThreadedEventLoopGroup.singleton,
      passesLines: true, random: { 0 }, sink: log.sink)
  }

  private func isFix(_ event: GPSDEvent?) -> Bool {
    if case .fix? = event { true } else { false }
  }

  /// Seconds from the last line of each epoch to its fix, in order.
  static func delays(_ log: SourceLog) -> [Double] {
    var last = 0.0
    var delays: [Double] = []
    for (event, at) in log.timed {
      switch event {
      case .line(let line) where line.starts(with: #"{"class":"TPV""#.utf8): last = at
      case .fix: delays.append(at - last)
      default: break
      }
    }
    return delays
  }

  @Test("Fixes come, stop with the watch, come again, and outlive a killed gpsd")
  func wholeLife() async throws {
    // Half an hour, for at its end the feed begins again, and time goes back: beside other tests this takes minutes.
    let feed = NMEAFeed(NMEAFeed.walk(count: 18_000), every: 0.1)
    defer { feed.stop() }
    let gpsd = try RealGPSD(feedPort: feed.port)
    defer { gpsd.stop() }
    let log = SourceLog()
    let source = source(gpsd.port, log)
    source.watch(true)
    try await wait(for: "30 fixes", seconds: 60) { log.fixes >= 30 }
    source.watch(false)
    try await wait(for: "the end of the watch") { log.events.last == .link(.watching(false)) }
    let before = log.fixes
    source.watch(true)
    try await wait(for: "fixes of the second watch", seconds: 60) { log.fixes >= before + 5 }

    gpsd.stop()
    try await wait(for: "the loss") { log.words.contains { $0.hasPrefix("gpsd is gone:") } }
    let lost = log.fixes
    let again = try RealGPSD(feedPort: feed.port, port: gpsd.port)
    defer { again.stop() }
    try await wait(for: "fixes of the second gpsd", seconds: 60) { log.fixes >= lost + 5 }
    await source.close()

    let troubles = log.events.filter { if case .trouble = $0 { true } else { false } }
    #expect(troubles == [])
    #expect(log.words.count { $0.contains(" answers (") } == 3)
    let fixes = log.events.compactMap { event -> Fix? in
      if case .fix(let fix, _) = event { fix } else { nil }
    }
    // The walk goes north along 7.5 degrees east from 46 degrees 45 minutes on.
    #expect(fixes.allSatisfy { $0.coordinate.longitude == 7.5 && $0.coordinate.latitude >= 46.75 })
    let times = fixes.compactMap(\.time)
    #expect(Set(times).count == times.count)
    let delays = Self.delays(log).sorted()
    // *Usual* is learned within a few epochs; from then on nothing waits for the quiet.
    #expect(delays[delays.count / 2] < 0.05)
  }

  @Test(
    "gpsd closes its receiver at once where it can be told, look after look, unless another client is there"
  )
  func releases() async throws {
    let feed = NMEAFeed(NMEAFeed.walk(count: 3_000), every: 0.1)
    defer { feed.stop() }
    let control = FileManager.default.temporaryDirectory.path + "/gpsd-\(UUID().uuidString)"
    let gpsd = try RealGPSD(feedPort: feed.port, control: control)
    defer {
      gpsd.stop()
      unlink(control)
    }
    let log = SourceLog()
    let source = GPSDSource(
      .init(host: "127.0.0.1", port: gpsd.port, control: control),
      on: MultiThreadedEventLoopGroup.singleton, passesLines: false, random: { 0 }, sink: log.sink)
    let released = GPSDEvent.device(.released(path: "tcp://127.0.0.1:\(feed.port)"))
    for look in 1...3 {
      let before = log.fixes
      source.watch(true)
      try await wait(for: "fixes of look \(look)", seconds: 60) { log.fixes >= before + 3 }
      source.watch(false)
      // Without the request it takes 60 s.
      try await wait(for: "its end", seconds: 5) {
        !feed.isOpen && log.events.count { $0 == released } == look
      }
    }
    // A watch that comes at once waits for the end of the previous one.
    source.watch(true)
    try await wait(for: "a fix", seconds: 60) { feed.isOpen && isFix(log.events.last) }
    let before = log.fixes
    source.watch(false)
    source.watch(true)
    try await wait(for: "fixes again", seconds: 60) { log.fixes >= before + 3 }

    let other = LoopbackSocket.connected(to: gpsd.port)
    source.watch(false)
    let kept = GPSDEvent.trouble(.notReleased("1 other client is connected to it"))
    try await wait(for: "that it is kept", seconds: 5) { log.events.contains(kept) }
    #expect(feed.isOpen)
    if let other { close(other) }

    // Its control socket is gone.
    source.watch(true)
    try await wait(for: "another fix", seconds: 60) { isFix(log.events.last) }
    unlink(control)
    source.watch(false)
    let missing = "its control socket \(control): No such file or directory"
    try await wait(for: "why", seconds: 5) {
      log.events.contains(.trouble(.notReleased(missing)))
    }
    await source.close()
  }

  @Test("Clients of a port are counted as proc(5) lists them")
  func clients() {
    // Port 2947 is 0B83; 0A is LISTEN, 01 ESTABLISHED, 08 CLOSE_WAIT.
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue
         0: 0100007F:0B83 00000000:0000 0A 00000000:00000000
         1: 0100007F:0B83 0100007F:9C40 01 00000000:00000000
         2: 0100007F:9C40 0100007F:0B83 01 00000000:00000000
         3: 0100007F:0B83 0100007F:9C41 08 00000000:00000000
         4: 00000000000000000000000001000000:0B83 00000000000000000000000001000000:9C42 01 0
      """
    #expect(DeviceRelease.clients(of: 2_947, in: table) == 2)
    #expect(DeviceRelease.clients(of: 2_948, in: table) == 0)
  }

  @Test("A receiver without a fix searches; one that is unplugged is closed and comes back")
  func searchingAndUnplugged() async throws {
    let feed = NMEAFeed(NMEAFeed.walk(count: 3_000, hasFix: false), every: 0.1)
    defer { feed.stop() }
    let gpsd = try RealGPSD(feedPort: feed.port)
    defer { gpsd.stop() }
    let log = SourceLog()
    let source = source(gpsd.port, log)
    source.watch(true)
    let device = "tcp://127.0.0.1:\(feed.port)"
    try await wait(for: "searching", seconds: 60) {
      log.events.contains(.searching(device: device))
    }
    #expect(log.fixes == 0)
    feed.play(NMEAFeed.walk(from: 60, count: 3_000))
    try await wait(for: "a fix", seconds: 60) { log.fixes > 0 }
    #expect(log.events.contains { $0.words?.hasPrefix("gpsd opened \(device)") == true })
    feed.unplug()
    try await wait(for: "the device's end", seconds: 60) {
      log.events.contains(.device(.closed(path: device)))
    }
    await source.close()
  }
}
