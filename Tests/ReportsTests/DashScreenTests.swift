// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Reports
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("The service on a small screen")
struct DashScreenTests {
  private static var overview: OverviewDocument {
    var status = StatusDocument.empty
    status.store.state = .ok
    status.uptime = 7_200
    status.apps = (1...14).map {
      AppRow(
        name: "app\($0)", kind: .handler, state: .suspended, services: [.significant],
        authorization: .always, pending: 0, lastDelivery: nil, held: nil)
    }
    return OverviewDocument(status: status, explanations: [])
  }

  private func screen(_ height: Int, from first: inout Int) -> [String] {
    DashScreen.screen(
      Self.overview, [], remark: "q ends it", width: 80, height: height, from: &first)
  }

  @Test("Fourteen apps on 24 lines: it says how much more there is, and scrolls to all of it")
  func scrolls() {
    var (first, seen) = (0, Set<String>())
    let all = DashScreen.lines(Self.overview, [], remark: "q ends it", width: 80)
    let top = screen(24, from: &first)
    #expect(top.count == 24 && top[0].hasPrefix("milepost") && top[1].hasSuffix("q ends it"))
    #expect(top[23] == "\(all.count - 23) below: the arrow keys scroll")
    while true {
      let before = first
      let lines = screen(24, from: &first)
      #expect(lines.count == 24 && lines[..<2] == top[..<2])
      #expect(lines.allSatisfy { $0.count <= 80 })
      seen.formUnion(lines)
      first += 20
      _ = screen(24, from: &first)
      if first == before { break }
    }
    #expect(Set(all).subtracting(seen).isEmpty)
    #expect(screen(24, from: &first)[23] == "\(all.count - 23) lines above, the arrow keys scroll")
    first = -5
    #expect(screen(24, from: &first) == top && first == 0)
    // Where all fits nothing scrolls.
    first = 7
    #expect(screen(200, from: &first) == all && first == 0)
    #expect(screen(2, from: &first).count == 2)
  }
}
