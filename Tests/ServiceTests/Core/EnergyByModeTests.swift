// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import JSONText
import LocationModel
import RadioPower
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("Energy by the mode for which it was used")
struct EnergyByModeTests {
  private static func range(_ joules: Double) -> EnergyRange {
    EnergyRange(nominal: joules, low: joules / 2, high: joules * 2)
  }

  //  J:      0 ── nobody ── 1 ── significant ── 4 ── continuous ── 14 ── significant ── 16
  @Test("What is used goes to the mode that was asked for meanwhile, and all of it adds up")
  func shares() {
    var energy = EnergyByMode()
    energy.settle(upTo: Self.range(1))
    energy.lead(.significant)
    energy.settle(upTo: Self.range(4))
    energy.lead(.continuous)
    energy.settle(upTo: Self.range(14))
    energy.lead(.significant)
    energy.settle(upTo: Self.range(16))
    #expect(energy.rows.map(\.mode) == [.continuous, .significant, nil])
    #expect(energy.rows.map(\.energy) == [Self.range(10), Self.range(5), Self.range(1)])
  }

  @Test("The status says it from the service's own meter, and it adds up to the total")
  func status() throws {
    var bench = try ServiceBench(network: "lte-2021-verizon")
    bench.tell(.began(adopted: []))
    bench.add("a", kind: .handler)
    bench.user(.authorize("a", .always))
    func energy() throws -> JSONValue {
      guard case .document(let json)? = bench.user(.status).messages.first else { return .null }
      return try JSONValue.parse(json)["energy"] ?? .null
    }
    bench.wait(3_600)
    let first = try energy()
    let rows = first["modes"]?.array ?? []
    #expect(rows.map { $0["mode"]?.string } == ["significant"], "\(first)")
    let total = first["total"]?["energy_j"]?.number ?? -1
    #expect(total > 0)
    #expect(abs((rows.first?["energy_j"]?.number ?? 0) - total) < 1e-9)
  }
}
