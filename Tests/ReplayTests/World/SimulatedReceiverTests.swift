// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioPower
import Replay
import Testing

@Suite("Receiver in replay")
struct SimulatedReceiverTests {
  private func parameters(drawn: Bool = false) -> SimulatedReceiver.Parameters {
    SimulatedReceiver.Parameters(
      cold: .init(seconds: 30, failure: 0), warm: .init(seconds: 20, failure: 0),
      hot: .init(seconds: 5, failure: 0), assisted: .init(seconds: 2, failure: 0), isDrawn: drawn)
  }

  /// Seconds from switching on to the first fix.
  private func firstFix(_ receiver: inout SimulatedReceiver, from start: Double, limit: Int = 1_000)
    -> Int?
  {
    receiver.switchOn(at: .zero.advanced(bySeconds: start))
    for second in 1...limit
    where receiver.tick(hasSky: true, at: .zero.advanced(bySeconds: start + Double(second))) {
      return second
    }
    return nil
  }

  @Test("Off, it yields nothing")
  func off() {
    var receiver = SimulatedReceiver(seed: 1, parameters: parameters())
    let heard = (0..<100).map {
      receiver.tick(hasSky: true, at: .zero.advanced(bySeconds: Double($0)))
    }
    #expect(!heard.contains(true))
  }

  @Test("While the modem has the radio a search stands still, and tracking is found again at once")
  func sharedRadio() {
    var receiver = SimulatedReceiver(seed: 1, parameters: parameters())
    var fixes: [Int] = []
    receiver.switchOn(at: .zero)
    for second in 1...120 {
      // Blocked for 12 s in the search of 30 s and for 12 s in tracking.
      if second == 11 || second == 61 { receiver.block(until: .zero.advanced(bySeconds: 1_000)) }
      if second == 23 || second == 73 { receiver.block(until: nil) }
      if receiver.tick(hasSky: true, at: .zero.advanced(bySeconds: Double(second))) {
        fixes.append(second)
      }
    }
    #expect(fixes == Array(42...60) + Array(73...120))
  }

  @Test("The first start is cold; within two hours of tracking the next one is hot")
  func startByAge() {
    var receiver = SimulatedReceiver(seed: 1, parameters: parameters())
    #expect(firstFix(&receiver, from: 0) == 30)
    receiver.switchOff()
    #expect(firstFix(&receiver, from: 7_000) == 5)
    receiver.switchOff()
    // More than four hours later the ephemeris is stale, after 61 days everything is.
    #expect(firstFix(&receiver, from: 7_005 + 4.1 * 3_600) == 20)
    receiver.switchOff()
    #expect(firstFix(&receiver, from: 30_000 + 61 * 86_400) == 30)
  }

  @Test("A phone's next start is assisted, whatever the age of its ephemeris")
  func assistedByAge() {
    var phone = parameters()
    phone.starts.later = .assistance
    var receiver = SimulatedReceiver(seed: 1, parameters: phone)
    #expect(firstFix(&receiver, from: 0) == 30)
    for hours in [1, 6, 1_470] as [Double] {
      receiver.switchOff()
      #expect(firstFix(&receiver, from: 3_600 * hours) == Int(phone.assisted.seconds))
    }
  }

  @Test("Between two and four hours the share of hot starts falls linearly")
  func ageBetween() {
    var hot = 0
    for seed in 0..<2_000 {
      var receiver = SimulatedReceiver(seed: UInt64(seed), parameters: parameters())
      _ = firstFix(&receiver, from: 0)
      receiver.switchOff()
      if firstFix(&receiver, from: 30 + 3 * 3_600) == 5 { hot += 1 }
    }
    // Half of 2,000 with a standard deviation of 22.
    #expect(abs(hot - 1_000) < 100)
  }

  @Test("Held, it goes on for its time: a fix at once within it, a new start after it")
  func held() {
    let at = { EngineInstant.zero.advanced(bySeconds: $0) }
    for (pause, expected) in [(59.0, 1), (61, 5)] {
      var receiver = SimulatedReceiver(seed: 1, parameters: parameters(), hold: 60)
      #expect(firstFix(&receiver, from: 0) == 30)
      receiver.switchOff(at: at(30))
      #expect(!receiver.isInUse)
      // It tracks, but its fixes are not used.
      for second in 31..<Int(30 + pause) {
        let isHeard = receiver.tick(hasSky: true, at: at(Double(second)))
        #expect(!isHeard)
        #expect((receiver.phase == .tracking) == (second < 90), "\(second)")
      }
      #expect(firstFix(&receiver, from: 30 + pause) == expected, "\(pause) s")
      #expect(receiver.isInUse)
    }
  }

  @Test("A search that is given up goes on for the hold, and succeeds where it is taken up again")
  func heldSearch() {
    var receiver = SimulatedReceiver(seed: 1, parameters: parameters(), hold: 60)
    receiver.switchOn(at: .zero)
    for second in 1...20 {
      _ = receiver.tick(hasSky: true, at: .zero.advanced(bySeconds: Double(second)))
    }
    receiver.switchOff(at: .zero.advanced(bySeconds: 20))
    for second in 21...40 {
      let isHeard = receiver.tick(hasSky: true, at: .zero.advanced(bySeconds: Double(second)))
      #expect(!isHeard)
    }
    // Cold needs 30 s; they are over.
    #expect(firstFix(&receiver, from: 40) == 1)
  }

  @Test("A receiver whose supply is cut starts cold every time")
  func losesSupply() {
    var cut = parameters()
    cut.starts.later = .nothing
    var receiver = SimulatedReceiver(seed: 1, parameters: cut)
    _ = firstFix(&receiver, from: 0)
    receiver.switchOff()
    #expect(firstFix(&receiver, from: 100) == 30)
  }

  @Test("Acquisition goes on, and does not advance, without sky")
  func acquisitionNeedsSky() {
    var receiver = SimulatedReceiver(seed: 1, parameters: parameters())
    receiver.switchOn(at: .zero)
    var heard: [Int] = []
    for second in 1...100
    where receiver.tick(hasSky: second > 50, at: .zero.advanced(bySeconds: Double(second))) {
      heard.append(second)
    }
    #expect(heard.first == 80)
  }

  @Test("A loss of sky of up to 60 s is bridged, a longer one needs a hot start")
  func lostSky() {
    for (loss, first) in [(60, 61), (61, 61 + 1 + 5)] {
      var receiver = SimulatedReceiver(seed: 1, parameters: parameters())
      let begin = firstFix(&receiver, from: 0) ?? 0
      var regained: Int?
      for second in 1...200 where regained == nil {
        let now = EngineInstant.zero.advanced(bySeconds: Double(begin + second))
        if receiver.tick(hasSky: second > loss, at: now) { regained = second }
      }
      #expect(regained == first)
    }
  }

  @Test("Drawn times have the stated mean and spread")
  func drawnTimes() {
    var times: [Double] = []
    for seed in 0..<4_000 {
      var receiver = SimulatedReceiver(seed: UInt64(seed), parameters: parameters(drawn: true))
      times.append(Double(firstFix(&receiver, from: 0) ?? 0))
    }
    // Log-normal with σ_ln 0.5: the standard deviation is mean·√(e^0.25 − 1) = 0.533 means, so the mean
    // of 4,000 is within 30 ± 0.25·4 (and half a second more for rounding up to whole seconds).
    let mean = times.reduce(0, +) / 4_000
    #expect(abs(mean - 30.5) < 1.0)
    // The median is mean·e^−0.125 = 26.5.
    #expect(abs(times.sorted()[2_000] - 27) <= 1)
  }

  @Test("An acquisition that fails finds nothing until it is begun anew")
  func failure() {
    var failing = parameters()
    failing.cold.failure = 1
    var receiver = SimulatedReceiver(seed: 1, parameters: failing)
    #expect(firstFix(&receiver, from: 0, limit: 500) == nil)
  }

  @Test("The same seed draws the same times, another seed others")
  func seeds() {
    func time(_ seed: UInt64) -> Int? {
      var receiver = SimulatedReceiver(seed: seed, parameters: parameters(drawn: true))
      return firstFix(&receiver, from: 0)
    }
    #expect(time(7) == time(7))
    #expect(Set((0..<20).map { time($0) }).count > 5)
  }

  @Test("An acquisition goes by the place it begins in; one bound to fail is begun anew elsewhere")
  func places() {
    var bad = parameters()
    bad.cold.failure = 1
    var good = parameters()
    good.cold.seconds = 12
    var receiver = SimulatedReceiver(
      seed: 1, parameters: parameters(), places: [.indoors: bad, .open: good])
    receiver.enter(.indoors, at: .zero)
    receiver.switchOn(at: .zero)
    var first: Int?
    for second in 1...200 where first == nil {
      let now = EngineInstant.zero.advanced(bySeconds: Double(second))
      receiver.enter(second < 100 ? .indoors : .open, at: now)
      if receiver.tick(hasSky: true, at: now) { first = second }
    }
    // Out at second 100, and 12 s more.
    #expect(first == 112)
  }
}
