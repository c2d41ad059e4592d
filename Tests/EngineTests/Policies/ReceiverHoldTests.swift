// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import LocationEngine

// A receiver behind gpsd stays on for about 60 s after its last watcher has left.

@Suite("A receiver that is held")
struct ReceiverHoldTests {
  @Test("A look within the hold has its fix at once, so it begins a second before it is wanted")
  func withinHold() {
    var journey = Journey(senses: [], hold: 60)
    journey.travel(.init(seconds: 3_000, speed: 20))
    let steps = zip(journey.deliveries, journey.deliveries.dropFirst())
      .map { $1.second - $0.second }
    #expect(steps.allSatisfy { (300...312).contains($0) }, "\(steps)")
    // Each session of some 10 s costs 60 s more.
    #expect(journey.secondsDrawing >= journey.secondsOn + 60 * (journey.sessions - 1))
  }

  @Test(
    "A wait that is not longer than hold and acquisition together is waited with the receiver on")
  func skiRental() {
    // A walker with 80 m to go after the 300 s: 57 s, less than 60 s and a start.
    var held = Journey(senses: [], hold: 60)
    held.travel(.init(seconds: 300, speed: 1.4), .init(seconds: 240, speed: 1.4))
    var direct = Journey(senses: [])
    direct.travel(.init(seconds: 300, speed: 1.4), .init(seconds: 240, speed: 1.4))
    #expect(held.deliveries.count == 2)
    #expect(held.deliveries.count == direct.deliveries.count)
    // The held one draws power in every second between its second look and the event, and no longer
    // than the hold after it.
    #expect(held.secondsDrawing <= direct.secondsOn + 3 * 60)
    #expect(held.sessions <= direct.sessions)
  }

  @Test("A stay is polled less often where each look costs 60 s more")
  func polls() {
    var (held, direct) = (Journey(senses: [], hold: 60), Journey(senses: []))
    held.travel(.init(seconds: 4 * 3_600, speed: 0))
    direct.travel(.init(seconds: 4 * 3_600, speed: 0))
    #expect(held.sessions < direct.sessions)
    // At most 1,800 s apart all the same.
    #expect(held.sessions >= 8)
    #expect(held.deliveries.count == 1)
  }

  @Test("The hold teaches nothing about times to first fix")
  func learnsNothing() {
    var journey = Journey(senses: [], hold: 60)
    journey.acquisition = 20
    // Crossings 70 to 90 s apart are sought within the hold of the previous look.
    journey.travel(.init(seconds: 1_800, speed: 1.4), .init(seconds: 1_800, speed: 20))
    let steps = zip(journey.deliveries, journey.deliveries.dropFirst())
      .map { $1.second - $0.second }
    #expect(steps.suffix(3).allSatisfy { $0 <= 312 }, "\(steps)")
  }
}
