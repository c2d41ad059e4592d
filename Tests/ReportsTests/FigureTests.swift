// SPDX-License-Identifier: Apache-2.0

import ServiceContract
import Testing

@testable import Reports

@Suite("Figures as people read them")
struct FigureTests {
  @Test("Two significant figures, with a carry into the next digit")
  func significant() {
    #expect(Figures.significant(5_637) == "5600")
    #expect(Figures.significant(9.96) == "10")
    #expect(Figures.significant(0.0996) == "0.10")
    #expect(Figures.significant(0.034) == "0.034")
    #expect(Figures.significant(0) == "0")
    #expect(Figures.significant(99.6) == "100")
  }

  @Test("Energy takes the unit that leaves no leading zeros; a range keeps its middle's unit")
  func energy() {
    #expect(Figures.energy(5_637) == "5.6 kJ")
    #expect(Figures.energy(34.2) == "34 J")
    #expect(Figures.energy(999.6) == "1.0 kJ")
    #expect(Figures.energy(0.0321) == "32 mJ")
    #expect(Figures.power(0.143) == "140 µW")
    #expect(Figures.energyRange(850, 1_510, around: 1_200) == "0.85–1.5")
  }

  @Test("Battery shares are whole per cent, and one figure below one")
  func percent() {
    #expect(Figures.percent(14.4) == "14 %")
    #expect(Figures.percent(0.44) == "0.4 %")
    // 500.1 J of 63,950 J, a commute on the phone of 2021.
    #expect(Figures.percent(100 * 500.1 / 63_950) == "0.8 %")
    #expect(Figures.percent(0.996) == "1 %")
    #expect(Figures.percent(0.0004) == "<0.01 %")
    #expect(Figures.percent(nil) == "–")
  }

  @Test("Delays are written with as many figures as they have")
  func delays() {
    #expect(
      [0, 0.01, 0.4, 9.9, 12.4, 119, 120, 1_800].map(Figures.delay) == [
        "0 s", "<0.1 s", "0.4 s", "9.9 s", "12 s", "119 s", "2 min", "30 min",
      ])
  }

  @Test("Spans and distances keep three figures at most, and a way of nothing its unit")
  func spans() {
    #expect(Figures.way(0) == "0 m")
    #expect(Figures.span(45) == "45 s")
    #expect(Figures.span(2_700) == "45 min")
    #expect(Figures.span(6_000) == "1.7 h")
    #expect(Figures.span(86_400) == "24 h")
    #expect(Figures.span(30 * 86_400) == "30 d")
    #expect(Figures.distance(850) == "850 m")
    #expect(Figures.distance(38_240) == "38.2 km")
    #expect(Figures.distance(412_300) == "412 km")
    #expect(Figures.count(1_234_567) == "1,234,567")
    #expect(Figures.shortCount(2_592_000) == "2.59 M")
  }
}
