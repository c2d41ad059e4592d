// SPDX-License-Identifier: Apache-2.0

import Glibc
import MessageBus
import ServiceContract
import Testing

/// Texts as ModemManager writes them: country 228, network 1, LTE cells in tracking area 6FFE.
private let cellA = "228,1,0,D30156,6FFE"
private let cellB = "228,1,0,D30157,6FFE"
private let a: UInt32 = 0xD30156
private let b: UInt32 = 0xD30157

@Suite(
  "Cells from ModemManager, over a real bus", .serialized,
  .enabled(
    if: PrivateBus.obstacle == nil, Comment(rawValue: PrivateBus.obstacle ?? "a bus can serve")))
struct ModemCellsTests {
  private typealias Call = StandInModems.SetupCall

  private let bus: PrivateBus
  private let heard = Heard()
  private let cells: ModemCells

  init() throws {
    bus = try PrivateBus()
    try bus.start()
    cells = ModemCells(address: bus.address, sink: heard.sink)
  }

  private func manager(
    _ modems: [Int: StandInModems.Modem]
  ) throws -> StandInModems {
    try StandInModems(modems, at: bus.address)
  }

  @Test("A modem that goes from A to B, stays in B and goes back to A gives A, B, A")
  func changes() async throws {
    let manager = try manager([0: .init(text: cellA)])
    defer { manager.stop() }
    cells.listen(true)
    try blockingWait(for: "the first cell") { heard.cells == [a] }
    manager.camp(0, at: cellB)
    manager.camp(0, at: cellB)
    manager.camp(0, at: nil)
    manager.camp(0, at: cellB)
    manager.camp(0, at: cellA)
    try blockingWait(for: "the last cell") { heard.cells.count >= 3 }
    await cells.close()
    #expect(heard.cells == [a, b, a])
    #expect(heard.troubles == [])
    let firsts = heard.events.filter {
      if case .cell(_, previous: nil) = $0 { true } else { false }
    }
    #expect(firsts.count == 1)
  }

  @Test("The modem is set up while somebody listens, and then put back; other sources stay")
  func restores() async throws {
    // Raw GPS was switched on by another program; 7 is 3GPP, raw GPS and NMEA.
    let manager = try manager([3: .init(capabilities: 7, sources: 2, text: cellA)])
    defer { manager.stop() }
    let path = StandInModems.path(3)
    cells.listen(true)
    try blockingWait(for: "the first cell") { heard.cells == [a] }
    #expect(manager.calls == [Call(path: path, sources: 3, signals: true)])
    // Another program switches NMEA on meanwhile.
    manager.setUp(3, sources: 7, signals: true)
    manager.camp(3, at: cellB)
    try blockingWait(for: "the second cell") { heard.cells == [a, b] }
    cells.listen(false)
    try blockingWait(for: "the restored setup") { manager.calls.count == 2 }
    #expect(manager.calls.last == Call(path: path, sources: 6, signals: false))
    manager.camp(3, at: cellA)
    cells.listen(true)
    try blockingWait(for: "the cell of the second time") { heard.cells == [a, b, a] }
    await cells.close()
    #expect(manager.calls.count == 4)
  }

  @Test("A survey lists the modems as they are and sets nothing up")
  func survey() throws {
    #expect(ModemSurvey.taken(address: bus.address) == .noModemManager)
    let manager = try manager([
      0: .init(sources: 1, signals: true, text: cellA), 2: .init(model: "A", state: 2),
      5: .init(model: "", capabilities: nil),
    ])
    defer { manager.stop() }
    guard case .modems(let modems) = ModemSurvey.taken(address: bus.address) else {
      Issue.record("\(ModemSurvey.taken(address: bus.address))")
      return
    }
    // MMModemState 8 is registered, 2 locked.
    #expect(
      modems.sorted { $0.title < $1.title } == [
        .init(title: "A, modem 2", state: .init(rawValue: 2), knowsCells: true, tellsCells: false),
        .init(
          title: "EC25, modem 0", state: .init(rawValue: 8), knowsCells: true, tellsCells: true),
        .init(title: "modem 5", state: .init(rawValue: 8), knowsCells: false, tellsCells: false),
      ])
    #expect(manager.calls == [])
    guard case .noBus = ModemSurvey.taken(address: bus.address + "-elsewhere") else {
      Issue.record("a bus that is not there answered")
      return
    }
  }

  @Test("A modem that tells its cells already is not set up, and not put back")
  func leavesAlone() async throws {
    let manager = try manager([
      0: .init(sources: 1, signals: true, text: cellA, refusal: "org.example.Refused")
    ])
    defer { manager.stop() }
    cells.listen(true)
    try blockingWait(for: "the first cell") { heard.cells == [a] }
    await cells.close()
    #expect(manager.calls == [])
  }

  @Test("Without ModemManager that is said once; when it comes its modem is followed")
  func comesLater() async throws {
    cells.listen(true)
    try blockingWait(for: "the trouble") { heard.troubles == [.noModemManager] }
    let manager = try manager([0: .init(text: cellA)])
    defer { manager.stop() }
    try blockingWait(for: "the first cell") { heard.cells == [a] }
    manager.stop()
    try blockingWait(for: "its end") { heard.troubles == [.noModemManager, .noModemManager] }
    let next = try self.manager([0: .init(text: cellB)])
    defer { next.stop() }
    try blockingWait(for: "the second cell") { heard.cells == [a, b] }
    await cells.close()
    #expect(heard.presence == [true, false, true, false] || heard.presence == [true, false, true])
  }

  @Test("A modem without location, or without 3GPP location, is said to tell no cells")
  func withoutLocation() async throws {
    let manager = try manager([0: .init(capabilities: nil)])
    defer { manager.stop() }
    cells.listen(true)
    try blockingWait(for: "the trouble") { heard.troubles == [.noCells(modem: "EC25, modem 0")] }
    // The second one has GPS only, the third cells too.
    manager.add(1, .init(capabilities: 6))
    manager.add(2, .init(capabilities: 7, text: cellA))
    try blockingWait(for: "the first cell") { heard.cells == [a] }
    await cells.close()
    #expect(manager.calls.allSatisfy { $0.path == StandInModems.path(2) })
    #expect(heard.troubles.count == 1)
  }

  @Test("A modem that is removed is gone; the next one is followed")
  func removed() async throws {
    let manager = try manager([0: .init(text: cellA), 1: .init(text: cellB)])
    defer { manager.stop() }
    cells.listen(true)
    try blockingWait(for: "the first cell") { heard.cells == [a] }
    manager.remove(0)
    try blockingWait(for: "the other modem") { heard.cells == [a, b] }
    manager.remove(1)
    try blockingWait(for: "the trouble") { heard.troubles == [.noModem] }
    manager.camp(1, at: cellA)
    await cells.close()
    #expect(heard.presence == [true, false, true, false])
  }

  @Test("A bus that dies is tried again until it is back, and then the modem is followed again")
  func busDies() async throws {
    let first = try manager([0: .init(text: cellA)])
    cells.listen(true)
    try blockingWait(for: "the first cell") { heard.cells == [a] }
    bus.stop()
    first.stop()
    try blockingWait(for: "the trouble") {
      heard.troubles.contains { if case .noBus = $0 { true } else { false } }
    }
    try bus.start()
    let second = try manager([0: .init(text: cellB)])
    defer { second.stop() }
    try blockingWait(for: "the second cell") { heard.cells == [a, b] }
    await cells.close()
    #expect(heard.presence == [true, false, true])
  }

  @Test("A location that is no cell is skipped and said once")
  func malformed() async throws {
    let manager = try manager([0: .init(text: cellA)])
    defer { manager.stop() }
    cells.listen(true)
    try blockingWait(for: "the first cell") { heard.cells == [a] }
    let long = String(repeating: "F", count: 4_000)
    for text in [
      "", "228", "228,1,0,XYZ,6FFE", "228,1,0,D30157,6FFE,", "228,1,0,\(long),6FFE", cellB,
    ] {
      manager.camp(0, at: text)
    }
    try blockingWait(for: "the good one") { heard.cells == [a, b] }
    await cells.close()
    #expect(heard.troubles == [.badLocation("")])
  }

  @Test("Without permission what to do is said; when root has done it, the cells come")
  func notAllowed() async throws {
    let refusal = "org.freedesktop.ModemManager1.Error.Core.Unauthorized"
    let manager = try manager([2: .init(text: cellA, refusal: refusal)])
    defer { manager.stop() }
    cells.listen(true)
    try blockingWait(for: "the trouble") { heard.troubles == [.notAllowed(modem: "EC25, modem 2")] }
    #expect(
      heard.troubles.first?.words
        == "ModemManager does not let this user set up EC25, modem 2 to tell its cells; allow "
        + "org.freedesktop.ModemManager1.Device.Control in polkit, or as root: mmcli -m 2 "
        + "--location-enable-3gpp --location-set-enable-signal")
    manager.setUp(2, sources: 1, signals: true)
    try blockingWait(for: "the first cell") { heard.cells == [a] }
    await cells.close()
    #expect(manager.calls.count == 1)
  }

  @Test("A modem that is disabled is waited for")
  func disabled() async throws {
    let manager = try manager([0: .init(state: 3, text: cellA)])
    defer { manager.stop() }
    cells.listen(true)
    try blockingWait(for: "the trouble") {
      heard.troubles == [.notReady(modem: "EC25, modem 0", state: .init(rawValue: 3))]
    }
    manager.enter(0, state: 5)
    manager.enter(0, state: 6)
    try blockingWait(for: "the first cell") { heard.cells == [a] }
    await cells.close()
    #expect(manager.calls.first?.sources == 1)
  }

  @Test("What is turned on and off and closed at any moment ends, and leaves no process")
  func ends() async throws {
    let manager = try manager([0: .init(text: cellA)])
    defer { manager.stop() }
    for round in 0..<50 {
      cells.listen(round.isMultiple(of: 2))
      poll(nil, 0, Int32(round % 7))
    }
    await cells.close()
    await cells.close()
    cells.listen(true)
    let process = try #require(bus.processID)
    bus.stop()
    #expect(kill(process, 0) == -1 && errno == ESRCH)
  }

  @Test("Where no bus is, that is said, with the next attempt")
  func noBus() async throws {
    bus.stop()
    cells.listen(true)
    try blockingWait(for: "the trouble") { !heard.troubles.isEmpty }
    await cells.close()
    guard case .noBus(let reason, let retryAfter) = heard.troubles.first else {
      Issue.record("\(heard.events)")
      return
    }
    #expect(reason.contains("No such file") && retryAfter == 1)
  }
}
