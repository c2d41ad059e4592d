// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceSimulation
import Testing

@Suite("All lives of two apps")
struct LifeWalkTests {
  // Ten inputs deep it runs in `.ci/run`, as `Tools/simulate --lives 10`.
  @Test("No rule of an app's life is broken, four inputs deep", arguments: Era.all)
  func holds(era: Era) {
    let result = LifeWalk(depth: 4, era: era).run()
    #expect(result.violation?.rule == nil, "\(result.violation?.way ?? [])")
    #expect(result.situations.count == 5)
    #expect(result.situations.reduce(0, +) > 500)
  }

  @Test(
    "No rule of what calls apps in the background is broken, five inputs deep", arguments: Era.all)
  func holdsOfServices(era: Era) {
    let result = LifeWalk(depth: 5, era: era, of: .services).run()
    #expect(result.violation?.rule == nil, "\(result.violation?.way ?? [])")
    #expect(result.situations.count == 6)
    #expect(result.situations.reduce(0, +) > 800)
  }

  @Test("No rule of regions and visits is broken, seven inputs deep", arguments: Era.all)
  func holdsOfPlaces(era: Era) {
    let result = LifeWalk(depth: 7, era: era, of: .places).run()
    #expect(result.violation?.rule == nil, "\(result.violation?.way ?? [])")
    #expect(result.situations.count == 8)
    #expect(result.situations.reduce(0, +) > 2_000)
  }

  @Test(
    "No rule of updates, pauses, headings and what is kept back is broken, six inputs deep",
    arguments: Era.all)
  func holdsOfLocations(era: Era) {
    let result = LifeWalk(depth: 6, era: era, of: .locations).run()
    #expect(result.violation?.rule == nil, "\(result.violation?.way ?? [])")
    #expect(result.situations.count == 7)
    #expect(result.situations.reduce(0, +) > 1_000)
  }
}
