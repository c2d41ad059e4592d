// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import Replay

@Suite("The bound of a policy that knows when each crossing comes, and sleeps until then")
struct PunctualReceiverTests {
  /// The seconds at which it has a fix for a crossing that is open in `open`, and the seconds for which it is on.
  private func fixes(
    lead: Double, open: Range<Int>, tunnel: Range<Int> = 0..<0, own: Set<Int> = [],
    gapBefore: Int? = nil
  ) -> (at: [Int], searches: Int, seconds: Double) {
    var punctual = PunctualReceiver(lead: lead)
    let found = (0...300).filter { second in
      if second == gapBefore { punctual.lostTrack(at: Path.instant(Double(second))) }
      return punctual.tick(
        .init(
          hasSky: !tunnel.contains(second), losesFix: false, stands: false, isHinted: false,
          hasOwnFix: own.contains(second)),
        own: .notDrawn, isOpen: open.contains(second), at: Path.instant(Double(second)))
    }
    return (found, punctual.searches, punctual.seconds)
  }

  @Test("With a lead of 10 s a search of 30 s is 20 s late")
  func late() { #expect(fixes(lead: 10, open: 100..<150) == ([120], 1, 30)) }

  @Test("With a longer lead than the search it waits for the crossing, and is not late")
  func waits() { #expect(fixes(lead: 40, open: 100..<150) == ([100], 1, 40)) }

  @Test("In a tunnel it searches on: 4 s of the search before it, 26 s after it")
  func tunnel() {
    #expect(fixes(lead: 10, open: 100..<200, tunnel: 95..<130) == ([155], 1, 65))
  }

  @Test("A fix of the run itself counts")
  func ownFix() { #expect(fixes(lead: 10, open: 100..<150, own: [105]) == ([105], 1, 15)) }

  @Test("A crossing that closes is not sought any longer, and without one it sleeps")
  func closed() { #expect(fixes(lead: 10, open: 100..<110) == ([], 1, 19)) }

  @Test("A lead does not reach back over a gap: 10 s are left of 60 s")
  func gap() { #expect(fixes(lead: 60, open: 100..<150, gapBefore: 90) == ([120], 1, 30)) }
}

@Suite("What a long pause costs a receiver")
struct StaleStartTests {
  private let stale = StaleStart(hot: 8, warm: 33)

  @Test("Up to 2 h nothing; then a look on the way, or a warm start, whichever is cheaper")
  func pauses() {
    #expect(stale.seconds(after: 7_200) == 0)
    // Half of the starts are warm, 12.5 s; a look after 1.5 h costs 8 s.
    #expect(stale.seconds(after: 3 * 3_600) == 8)
    // A warm start 25 s; three looks 24 s; two, each third start warm, 16 + 25 s.
    #expect(stale.seconds(after: 8 * 3_600) == 24)
    #expect(stale.seconds(after: 86_400) == 25)
  }

  @Test("A device whose starts are all alike pays nothing")
  func alike() { #expect(StaleStart.none.seconds(after: 86_400) == 0) }

  @Test("The careful policy pays for the night between two deliveries")
  func night() {
    var looks = CarefulLooks(rules: ScoringRules(), vain: 1, stale: stale)
    for hours in [0.0, 1, 9] {
      let place = TruePoint(at: Path.instant(hours * 3_600), coordinate: Path.place(0))
      looks.pass(to: place, hasSky: true, moves: false)
      looks.deliver(at: place)
    }
    #expect(looks.staleSeconds == 24)
  }
}
