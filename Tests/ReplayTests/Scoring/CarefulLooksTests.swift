// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import Replay

/// Every number here is computed by hand from the definition in `CarefulLooks`.
@Suite("How often a never-late policy must look where there is no sky")
struct CarefulLooksTests {
  /// The looks on a path along a parallel that was delivered at its first point, without sky in `dark`.
  private func looks(
    on path: Path, dark: ClosedRange<Double>, vain: Double = 1
  ) -> (all: Int, moving: Int, inVain: Int) {
    var looks = CarefulLooks(rules: ScoringRules(), vain: vain)
    for (index, point) in path.points.enumerated() {
      let place = TruePoint(at: Path.instant(point.at), coordinate: Path.place(point.east))
      let moves = index > 0 && path.points[index - 1].east != point.east
      looks.pass(to: place, hasSky: !dark.contains(point.at), moves: moves)
      if point.at == 0 { looks.deliver(at: place) }
    }
    return (looks.looks, looks.looksMoving, looks.vainLooks)
  }

  @Test("A crossing in a tunnel is looked for in vain every 30 s until the tunnel is over")
  func tunnel() {
    // 10 m/s: the crossing is possible at 300 s, and so sought at 330, 360, … 600 s. A look at 289 s, as the sky went,
    // was 2.9 km off too early, and does not reduce the looks. The look at 630 s finds it.
    let found = looks(on: Path((1_000, 10)), dark: 290...600)
    #expect(found == (10, 10, 10))
  }

  @Test("Who looked by luck as the sky went needs none until it is back")
  func lucky() {
    // 1 m/s to 200 m, back home, and out again. After 500 m of way the crossing is possible: sought at 530 s and,
    // without sky, every 30 s until 680 s. But after a look at 449 s, 49 m from home, the next one is needed only
    // another 451 m later, at 900 s: one look instead of six.
    let path = Path((200, 1), (200, -1), (450, 1))
    let found = looks(on: path, dark: 450...700)
    #expect(found == (1, 1, 0))
    // If a vain look costs a seventh, the six of them are no more expensive, but need another look at 710 s.
    #expect(looks(on: path, dark: 450...700, vain: 1 / 7.0) == (1, 1, 0))
    // When it is over at 700 s, that look is not seen any more. A chord cuts each turn by up to 50 m.
    let over = looks(
      on: Path((200, 1), (200, -1), (300, 1)), dark: 450...700, vain: 1 / 7.0)
    #expect(over.inVain == over.all && (4...6).contains(over.all))
    // With sky it is one as well: at 530 s, 130 m from home.
    #expect(looks(on: path, dark: 2_000...2_001).all == 1)
  }

  @Test("Who stands when the crossing falls due does not look on the way")
  func standing() {
    // 500 m away after 50 s, in a garage from 60 s on: looks at 330, 360, … 990 s, all of them at rest.
    let found = looks(on: Path((55, 10), (945, 0)), dark: 60...1_000)
    #expect(found == (23, 0, 23))
  }
}
