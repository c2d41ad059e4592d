// SPDX-License-Identifier: Apache-2.0

import GPSDSource
import ServiceContract
import Testing

@testable import DaemonRuntime

/// The text, with `(…)` around a detail.
private func text(_ output: Tracker.Output?) -> String? {
  switch output {
  case .remark(let text): text
  case .detail(let text): "(\(text))"
  case .event, .state: "?"
  case nil: nil
  }
}

@Suite("What of gpsd's events is worth a sentence, and how often")
struct TrackNewsTests {
  @Test("An attempt is told once per reason, until a connection comes")
  func attempts() {
    var news = TrackNews()
    let refused = GPSDEvent.Link.unreachable(
      reason: "nobody listens on localhost:2947", retryAfter: 0.5)
    let again = GPSDEvent.Link.unreachable(
      reason: "nobody listens on localhost:2947", retryAfter: 8)
    let words =
      "gpsd cannot be reached: nobody listens on localhost:2947; tried again until it answers "
      + "(milepost doctor says more)"
    #expect(text(news.output(of: refused)) == words)
    #expect(text(news.output(of: again)) == nil)
    #expect(
      text(news.output(of: .unreachable(reason: "the name x has no address", retryAfter: 1)))
        == "gpsd cannot be reached: the name x has no address; tried again until it answers "
        + "(milepost doctor says more)")
    #expect(
      text(news.output(of: .connected(release: "3.22", protocolMajor: 3, protocolMinor: 14)))
        == "gpsd 3.22 answers (protocol 3.14)")
    #expect(
      text(news.output(of: .lost(reason: "it closed the connection", retryAfter: 1)))
        == "gpsd is gone: it closed the connection; tried again until it answers")
    #expect(text(news.output(of: refused)) == words)
    #expect(
      text(news.output(of: .watching(true))) == "(the watch began: gpsd opens its receivers)")
  }

  @Test("A receiver that goes away is a remark while it is wanted, else a detail")
  func receivers() {
    var news = TrackNews()
    let path = "/dev/ttyACM0"
    #expect(!news.hasReceiver)
    #expect(
      text(news.output(of: .opened(path: path, driver: "u-blox"), isWanted: true))
        == "(gpsd opened /dev/ttyACM0 (u-blox))")
    news.heard("/dev/ttyUSB1")
    #expect(
      text(news.output(of: .closed(path: path), isWanted: true))
        == "gpsd closed /dev/ttyACM0: unplugged?")
    #expect(
      text(news.output(of: .closed(path: path), isWanted: true))
        == "(gpsd closed /dev/ttyACM0: unplugged, or no longer wanted)", "gpsd says it twice")
    #expect(news.hasReceiver, "the other one reports")
    #expect(!news.spokeLast(.closed(path: path)))
    #expect(news.spokeLast(.closed(path: "/dev/ttyUSB1")))
    #expect(
      text(news.output(of: .closed(path: "/dev/ttyUSB1"), isWanted: false))
        == "(gpsd closed /dev/ttyUSB1: unplugged, or no longer wanted)")
    #expect(!news.hasReceiver)
    #expect(
      text(news.output(of: GPSDEvent.Device.none, isWanted: true)) == "gpsd knows no receiver")
  }

  @Test("A trouble is told once per kind, and at the end how often it came")
  func troubles() {
    var news = TrackNews()
    let first = GPSDEvent.Trouble.timeWentBack(seconds: 2, device: "/dev/ttyACM0")
    #expect(news.sentence(of: first) == "the time of /dev/ttyACM0 went back by 2.0 s")
    #expect(news.repeated.isEmpty)
    #expect(news.sentence(of: .timeWentBack(seconds: 7.5, device: "/dev/ttyACM0")) == nil)
    #expect(
      news.sentence(of: .overlongLine(limit: 10_240))
        == "gpsd sent a line of more than 10240 bytes; it was skipped")
    #expect(
      news.repeated == ["2 times, at last: the time of /dev/ttyACM0 went back by 7.5 s"])
  }
}
