// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationEngine
import LocationModel
import Replay
import Testing

extension Live {
  /// The same apps over the same trace, with real processes and in the replay; the permitted differences are listed
  /// above `WorldComparison`.
  @Suite("Live is replay")
  struct ParityTests {
    @Test(
      "Whole lives: real processes, a real gpsd and a fast clock, and the replay of the same trace")
    func lives() throws {
      let story = Story.drive
      let replayed = try story.replayed()
      // The comparison has enough content.
      #expect(replayed.rare.deliveries.count == 15)
      let reasons = replayed.rare.steps.map(\.words)
      for end in ["purged", "force-quit by the user", "terminated"] {
        #expect(reasons.contains { $0.hasSuffix(" → not_running: \(end)") })
      }
      #expect(reasons.count { $0 == "launched for location" } == 3)
      #expect(replayed.always.deliveries.count == 826)
      #expect(replayed.printed.contains("launched by location"))
      #expect(replayed.printed.count == 5)

      let live = try story.lived()
      let differences = story.comparison(with: replayed).differences(of: live)
      #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    @Test("One rule, one delivery, one word, one second or one place that is otherwise is found")
    func planted() throws {
      let story = Story.drive
      let replayed = try story.replayed()
      let comparison = story.comparison(with: replayed)
      #expect(comparison.differences(of: replayed).isEmpty)

      // A rule of another era: an app that its user has quit is never relaunched.
      var other = story
      other.era = .ios7
      let early = comparison.differences(of: try other.replayed())
      #expect(
        early.contains {
          $0.hasSuffix("only replayed: not_running → background: relaunched by location")
        })
      // One more second of grace in the background makes no difference; ten are found.
      other = story
      other.suspendsAfter += 1
      #expect(comparison.differences(of: try other.replayed()).isEmpty)
      other.suspendsAfter += 9
      #expect(comparison.differences(of: try other.replayed()).count == 1)
      // Nine metres more between two events.
      other = story
      other.significantDistance += 9
      #expect(comparison.differences(of: try other.replayed()).count > 10)

      func expectFound(_ change: (inout World) -> Void) {
        var world = replayed
        change(&world)
        #expect(!comparison.differences(of: world).isEmpty)
      }
      expectFound { $0.told.removeLast() }
      expectFound { $0.told.swapAt(5, 6) }
      expectFound {
        $0.printed[1] = $0.printed[1].replacingOccurrences(of: "39.1169", with: "39.1179")
      }
      expectFound { $0.printed.remove(at: 3) }
      expectFound { $0.always.drop(deliveryAt: 400) }
    }
  }
}
