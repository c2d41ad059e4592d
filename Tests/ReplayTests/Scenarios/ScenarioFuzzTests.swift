// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import ServiceContract
import SettingsFiles
import Testing

@testable import Replay

@Suite("Whatever stands in a scenario file, it is a scenario or has told problems")
struct ScenarioFuzzTests {
  private static let seedText = """
    scenario: a social app
    era: {base: ios7, relaunches_after_force_quit: true}
    places:
      home: {lat: 48.1, lon: 11.5, radius: 300 m}
    apps:
      - name: social
        modes: [location]
        authorization: always
        on launch: [start standard accuracy 100 m filter 20 m, monitor region home]
        on location: [begin task upload, work 5 s, upload 20 kB, end task upload]
    then:
      - {at: 0 s, do: open social}
      - {at: +10 min, do: [home, lock]}
      - {on leaving: home, do: memory pressure 200 MB}
    """

  @Test("Mutations of a file are read without a trap, and refusals name the file", arguments: 1...8)
  func mutations(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let pieces = [
      "- ", ": ", "[", "]", "{", "}", "\n", "  ", "999999999999999999999 s", "-1", "null", "~",
      "0.0.0 m", "1e999", "\u{1F600}", "'", "\"", "&a ", "*a", "on leaving", "do", "at", "+",
      "!!x ",
      "task", "<task>", "nan", ".inf", "2024-99-99T00:00:00Z", "#",
    ]
    var scenarios = 0
    for _ in 0..<500 {
      var text = Array(Self.seedText.unicodeScalars)
      for _ in 0..<Int(1 + random.next() % 4) {
        let place = Int(random.next() % UInt64(text.count))
        switch random.next() % 3 {
        case 0: text.remove(at: place)
        case 1:
          let piece = pieces[Int(random.next() % UInt64(pieces.count))]
          text.insert(contentsOf: piece.unicodeScalars, at: place)
        default:
          let end = min(text.count, place + Int(random.next() % 40))
          text.insert(contentsOf: Array(text[place..<end]), at: place)
        }
      }
      let yaml = String(String.UnicodeScalarView(text))
      do {
        let scenario = try read(yaml)
        scenarios += 1
        #expect((1...Scenario.appLimit).contains(scenario.apps.count), "seed \(seed)")
      } catch let error as SettingsError {
        #expect(!error.problems.isEmpty, "seed \(seed)")
        #expect(error.problems.allSatisfy { $0.text.hasPrefix("trip.yaml") }, "seed \(seed)")
      } catch let error as Complaint {
        #expect(error.message.hasPrefix("trip.yaml"), "seed \(seed)")
      }
    }
    // Otherwise everything was refused, and nothing was tested.
    #expect(scenarios > 0, "seed \(seed)")
  }
}
