// SPDX-License-Identifier: Apache-2.0

import GPSDSource
import Geodesy
import LocationModel
import NIOPosix
import ServiceContract
import Testing

/// The source against the gpsd that is installed here, fed over TCP.
@Suite(
  "The source with a real gpsd", .serialized,
  .enabled(if: RealGPSD.path != nil, "gpsd is not installed here"))
struct RealGPSDTests {
  func source(_ port: Int, _ log: EventLog) -> GPSDSource {
    GPSDSource(
      .init(host: "127.0.0.1", port: port), on: MultiThreadedEventLoopGroup.singleton,
      passesLines: true, random: { 0 }, sink: log.sink)
  }

  /// Seconds from the last line of each epoch to its fix, in order.
  static func delays(_ log: EventLog) -> [Double] {
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
    let feed = NMEAFeed(NMEAFeed.walk(count: 3_000), every: 0.1)
    defer { feed.stop() }
    let gpsd = try RealGPSD(feedPort: feed.port)
    defer { gpsd.stop() }
    let log = EventLog()
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
    // What is usual is learned within a few epochs; from then on nothing waits for the quiet.
    #expect(delays[delays.count / 2] < 0.05)
  }

  @Test("A receiver without a fix searches; one that is unplugged is closed and comes back")
  func searchingAndUnplugged() async throws {
    let feed = NMEAFeed(NMEAFeed.walk(count: 3_000, hasFix: false), every: 0.1)
    defer { feed.stop() }
    let gpsd = try RealGPSD(feedPort: feed.port)
    defer { gpsd.stop() }
    let log = EventLog()
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
