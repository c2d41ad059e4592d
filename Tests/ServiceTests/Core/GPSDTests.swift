// SPDX-License-Identifier: Apache-2.0

import ServiceContract
import Testing

@Suite("What gpsd says")
struct GPSDTests {
  @Test("That gpsd cannot be reached is one warning for each reason, however often it is tried")
  func warnsOnce() throws {
    var bench = try ServiceBench()
    bench.tell(.began(adopted: []))
    func warnings() -> [String] { bench.journal.filter { $0.hasPrefix("warning") } }
    for pause in [1.0, 2, 4, 8, 16, 32, 60, 60] {
      bench.tell(.gpsd(.link(.unreachable(reason: "nobody listens", retryAfter: pause))))
      bench.wait(pause)
    }
    #expect(
      warnings() == ["warning: gpsd cannot be reached: nobody listens; next attempt in 1.0 s"])
    bench.tell(.gpsd(.link(.unreachable(reason: "no such host", retryAfter: 60))))
    #expect(warnings().count == 2)
    bench.tell(.gpsd(.link(.connected(release: "3.25", protocolMajor: 3, protocolMinor: 15))))
    bench.tell(.gpsd(.link(.unreachable(reason: "no such host", retryAfter: 1))))
    #expect(warnings().count == 3)
  }
}
